// Draws lists of shapes on a canvas, as envsuite.evaluation.film writes them.
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

  // Backgrounds are colours or pictures; a picture is decoded once.
  function backgrounds(sources) {
    return Promise.all(
      sources.map(async (source) => {
        if (!source.startsWith("data:")) return source;
        const image = new Image();
        image.src = source;
        await image.decode();
        return image;
      }),
    );
  }

  // Finer than CSS pixels where the screen is; the scale to draw with.
  function fit(canvas, [width, height]) {
    const scale = Math.min(2, Math.max(1, window.devicePixelRatio || 1));
    canvas.width = width * scale;
    canvas.height = height * scale;
    return scale;
  }

  function frame(canvas, scale, [width, height], colors, ground, shapes) {
    const pen = canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.lineJoin = pen.lineCap = "round";
    if (typeof ground === "string") {
      pen.fillStyle = ground;
      pen.fillRect(0, 0, width, height);
    } else {
      pen.drawImage(ground, 0, 0, width, height);
    }
    for (const [kind, ...rest] of shapes) DRAW[kind](pen, colors, ...rest);
  }

  window.drawing = { backgrounds, fit, frame };
})();
