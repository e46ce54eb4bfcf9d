// Plays recorded episodes: draws the listed shapes of each frame on a canvas.
"use strict";
(() => {
  const ANCHORS = { l: "left", m: "center", r: "right" };
  const BASELINES = { t: "top", m: "middle", s: "alphabetic", b: "bottom", a: "top", d: "bottom" };

  function path(pen, points) {
    pen.beginPath();
    for (let k = 0; k < points.length; k += 2) pen.lineTo(points[k], points[k + 1]);
  }

  function paint(pen, colors, fill, outline, width) {
    if (fill !== null) {
      pen.fillStyle = colors[fill];
      pen.fill();
    }
    if (outline !== null) {
      pen.strokeStyle = colors[outline];
      pen.lineWidth = Math.max(0.5, width);
      pen.stroke();
    }
  }

  const DRAW = {
    polygon(pen, colors, points, fill, outline, width) {
      path(pen, points);
      pen.closePath();
      paint(pen, colors, fill, outline, width[0]);
    },
    line(pen, colors, points, color, width) {
      path(pen, points);
      paint(pen, colors, null, color, width[0]);
    },
    circle(pen, colors, center, radius, fill, outline, width) {
      pen.beginPath();
      pen.arc(center[0], center[1], Math.max(0.25, radius[0]), 0, 2 * Math.PI);
      paint(pen, colors, fill, outline, width[0]);
    },
    rectangle(pen, colors, box, fill, radius) {
      pen.beginPath();
      pen.roundRect(box[0], box[1], box[2] - box[0], box[3] - box[1], radius[0]);
      paint(pen, colors, fill, null, 0);
    },
    text(pen, colors, position, text, color, size, anchor) {
      pen.font = `${size[0]}px Helvetica, Arial, sans-serif`;
      pen.textAlign = ANCHORS[anchor[0]];
      pen.textBaseline = BASELINES[anchor[1]];
      pen.fillStyle = colors[color];
      pen.fillText(text, position[0], position[1]);
    },
  };

  // What an agent is told: a table where it is JSON, else the words.
  function told(agent, text) {
    const box = document.createElement("div");
    box.append(Object.assign(document.createElement("h2"), { textContent: agent }));
    let facts = null;
    try {
      facts = JSON.parse(text);
    } catch {}
    if (facts === null || typeof facts !== "object") {
      box.append(Object.assign(document.createElement("pre"), { textContent: text }));
      return box;
    }
    const list = document.createElement("dl");
    for (const [name, value] of Object.entries(facts)) {
      const plain = typeof value === "object" ? JSON.stringify(value).replace(/["{}[\]]/g, "").replace(/([:,])/g, "$1 ") : value;
      list.append(Object.assign(document.createElement("dt"), { textContent: name.replaceAll("_", " ") }));
      list.append(Object.assign(document.createElement("dd"), { textContent: plain }));
    }
    box.append(list);
    return box;
  }

  async function backgrounds(film) {
    return Promise.all(
      film.backgrounds.map(async (source) => {
        if (!source.startsWith("data:")) return source;
        const image = new Image();
        image.src = source;
        await image.decode();
        return image;
      }),
    );
  }

  class Player {
    constructor(root) {
      this.root = root;
      this.canvas = root.querySelector("canvas");
      this.button = root.querySelector("button.play");
      this.slider = root.querySelector("input[type=range]");
      this.speed = root.querySelector("select");
      this.status = root.querySelector("output");
      this.frame = 0;
      this.playing = false;
      this.button.addEventListener("click", () => this.toggle());
      this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
      this.texts = root.querySelector(".texts");
      root.querySelector("button.back")?.addEventListener("click", () => this.go(-1));
      root.querySelector("button.on")?.addEventListener("click", () => this.go(1));
    }

    go(steps) {
      if (this.playing) this.toggle();
      this.show(Math.min(this.film.frames.length - 1, Math.max(0, this.frame + steps)));
    }

    key(event) {
      const act = { ArrowLeft: () => this.go(-1), ArrowRight: () => this.go(1), " ": () => this.toggle() }[event.key];
      const own = event.key === " " ? "input, select, button" : "input, select"; // what takes this key itself
      if (!act || event.target.closest(own)) return;
      event.preventDefault();
      act();
    }

    async load(film) {
      this.film = film;
      this.images = await backgrounds(film);
      const [width, height] = film.size;
      this.scale = Math.min(2, Math.max(1, window.devicePixelRatio || 1));
      this.canvas.width = width * this.scale;
      this.canvas.height = height * this.scale;
      this.slider.max = film.frames.length - 1;
      this.root.dataset.ready = "yes";
      this.show(0);
    }

    show(frame) {
      this.frame = frame;
      const film = this.film;
      const pen = this.canvas.getContext("2d");
      const [width, height] = film.size;
      const { background, shapes } = film.frames[frame];
      pen.setTransform(this.scale, 0, 0, this.scale, 0, 0);
      pen.lineJoin = pen.lineCap = "round";
      const ground = this.images[background];
      if (typeof ground === "string") {
        pen.fillStyle = ground;
        pen.fillRect(0, 0, width, height);
      } else {
        pen.drawImage(ground, 0, 0, width, height);
      }
      for (const [kind, ...rest] of shapes) DRAW[kind](pen, film.colors, ...rest);
      this.slider.value = frame;
      this.root.dataset.frame = frame;
      if (this.texts && film.texts) this.texts.replaceChildren(...film.texts[frame].map((text, k) => told(film.agents[k], text)));
      this.status.textContent = `step ${film.steps[frame]}, return ${film.rewards[frame].toFixed(1)}`;
    }

    toggle() {
      this.playing = !this.playing;
      this.button.textContent = this.playing ? "Pause" : "Play";
      if (!this.playing) return;
      if (this.frame === this.film.frames.length - 1) this.frame = 0;
      const started = performance.now();
      const first = this.frame;
      const rate = this.film.fps * Number(this.speed.value);
      const turn = (now) => {
        if (!this.playing) return;
        const frame = Math.min(this.film.frames.length - 1, first + Math.floor(((now - started) / 1000) * rate));
        if (frame !== this.frame) this.show(Math.max(0, frame));
        if (frame === this.film.frames.length - 1) this.toggle();
        else requestAnimationFrame(turn);
      };
      requestAnimationFrame(turn);
    }
  }

  // Each film is a script of its own, which calls this: pages opened from disk may not fetch files.
  const players = new Map();
  window.film = (name, film) => players.get(name).load(film);

  for (const root of document.querySelectorAll("[data-film]")) {
    const inside = root.querySelector("script.film");
    if (inside) {
      const player = new Player(root);
      player.load(JSON.parse(inside.textContent));
      document.addEventListener("keydown", (event) => player.key(event));
      continue;
    }
    const opener = root.querySelector(".open");
    opener.addEventListener("click", () => {
      opener.hidden = true;
      root.querySelector(".player").hidden = false;
      players.set(root.dataset.film, new Player(root));
      const script = document.createElement("script");
      script.src = root.dataset.source;
      document.head.append(script);
    });
  }
})();
