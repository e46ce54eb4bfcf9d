// A game: keys and clicks go to the server, frames come back; draw.js draws them.
"use strict";
(() => {
  const NAMES = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", " ": "space", Enter: "return", Escape: "escape", Tab: "tab" };
  const SIGNS = { up: "↑", down: "↓", left: "←", right: "→" };
  const root = document.querySelector(".game");
  const canvas = root.querySelector("canvas");
  const status = root.querySelector(".status");
  const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${root.dataset.socket}`);
  const held = new Set();
  const colors = [];
  const grounds = [];
  let about = null;
  let scale = 1;
  let queue = Promise.resolve();

  const send = (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
  const tell = () => send({ held: [...held] });

  function press(name, down) {
    if (held.has(name) === down) return;
    if (down) held.add(name);
    else held.delete(name);
    tell();
  }

  const nameOf = (event) => NAMES[event.key] ?? (event.key === "Shift" ? (event.location === 2 ? "right shift" : "left shift") : event.key.toLowerCase());

  function key(event, down) {
    if (!about || event.ctrlKey || event.metaKey || event.altKey || !about.keys.includes(nameOf(event))) return;
    if (event.target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter")) return;
    event.preventDefault();
    press(nameOf(event), down);
  }

  // Buttons for fingers, where there are few keys.
  function pad(names) {
    const box = root.querySelector(".pad");
    if (names.length > 16) return;
    for (const name of names) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: SIGNS[name] ?? name });
      button.setAttribute("aria-label", name);
      button.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        press(name, true);
      });
      for (const end of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(end, () => press(name, false));
      box.append(button);
    }
    box.hidden = !matchMedia("(pointer: coarse)").matches;
  }

  function begin(found) {
    about = found;
    scale = window.drawing.fit(canvas, about.size);
    canvas.style.aspectRatio = `${about.size[0]} / ${about.size[1]}`;
    canvas.style.width = `${about.size[0]}px`;
    root.querySelector(".keys").textContent = `Keys: ${about.keys.map((name) => SIGNS[name] ?? name).join(" ")}${about.clicks ? ", and clicks" : ""}.${about.waits ? " The game waits for you." : ""}`;
    pad(about.keys);
    canvas.focus();
  }

  async function show(frame) {
    colors.push(...frame.colors);
    grounds.push(...(await window.drawing.backgrounds(frame.backgrounds)));
    window.drawing.frame(canvas, scale, about.size, colors, grounds[frame.background], frame.shapes);
    root.dataset.step = frame.step;
    status.textContent = `step ${frame.step}, return ${frame.total.toFixed(1)}${frame.done ? ": the episode is over" : ""}`;
  }

  socket.addEventListener("message", (event) => {
    const found = JSON.parse(event.data);
    if (found.error) status.textContent = found.error;
    else if (found.keys) begin(found);
    else queue = queue.then(() => show(found)); // pictures are decoded in order
  });
  socket.addEventListener("close", (event) => {
    status.textContent = event.reason || "The server has ended the game. Load the page to play again.";
  });
  document.addEventListener("keydown", (event) => key(event, true));
  document.addEventListener("keyup", (event) => key(event, false));
  window.addEventListener("blur", () => {
    held.clear();
    tell();
  });
  canvas.addEventListener("pointerdown", (event) => {
    const box = canvas.getBoundingClientRect();
    send({ click: [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height] });
  });
  root.querySelector(".again").addEventListener("click", () => {
    send({ again: true });
    canvas.focus();
  });
})();
