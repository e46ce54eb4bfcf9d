// Plays recorded episodes, frame by frame; draw.js draws them.
"use strict";
(() => {
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
      this.images = await window.drawing.backgrounds(film.backgrounds);
      this.scale = window.drawing.fit(this.canvas, film.size);
      this.slider.max = film.frames.length - 1;
      this.root.dataset.ready = "yes";
      this.show(0);
    }

    show(frame) {
      this.frame = frame;
      const film = this.film;
      const { background, shapes } = film.frames[frame];
      const all = film.common.concat(shapes);
      window.drawing.frame(this.canvas, this.scale, film.size, film.colors, this.images[background], all);
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
