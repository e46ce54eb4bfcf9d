"""Sphinx extension: draws the timeline of the three autoreset modes from what Gymnasium really returns."""

from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv

EPISODE_STEPS = 2
CALLS = 5
COLOURS = ("#2a6fb0", "#c2571a", "#3f8f4f")
MODES = {
    AutoresetMode.NEXT_STEP: "NEXT_STEP (default)",
    AutoresetMode.SAME_STEP: "SAME_STEP",
    AutoresetMode.DISABLED: "DISABLED",
}
LEFT, TOP, WIDTH, HEIGHT, ROW = 150, 34, 112, 86, 112


class Counter(gymnasium.Env):
    """Ends after two steps; its observation is (episode, step)."""

    observation_space = gymnasium.spaces.MultiDiscrete([100, EPISODE_STEPS + 1])
    action_space = gymnasium.spaces.Discrete(2)
    episode = -1

    def reset(self, *, seed=None, options=None):
        """Begin the next episode."""
        super().reset(seed=seed)
        self.episode, self.time = self.episode + 1, 0
        return np.array([self.episode, self.time]), {}

    def step(self, action):
        """Count one step, with reward 1."""
        self.time += 1
        return np.array([self.episode, self.time]), 1.0, self.time == EPISODE_STEPS, False, {}


@dataclass
class Call:
    """What one call to the vector environment returned for its only instance."""

    name: str
    observation: np.ndarray
    reward: float | None = None
    terminated: bool = False
    final: np.ndarray | None = None


def trace(mode: AutoresetMode) -> list[Call]:
    """Run the counter in one mode and record every call."""
    env = SyncVectorEnv([Counter], autoreset_mode=mode)
    calls = [Call("reset", env.reset()[0][0].copy())]
    while len(calls) <= CALLS:
        if mode == AutoresetMode.DISABLED and calls[-1].terminated:
            observation, _ = env.reset(options={"reset_mask": np.array([True])})
            calls.append(Call("reset (masked)", observation[0].copy()))
            continue
        observation, reward, terminated, _, info = env.step(np.array([0]))
        final = info["final_obs"][0] if "final_obs" in info and terminated[0] else None
        calls.append(Call("step", observation[0].copy(), float(reward[0]), bool(terminated[0]), final))
    env.close()
    return calls


def text(x: float, y: float, words: str, style: str = "", anchor: str = "middle") -> str:
    """One line of text."""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" style="{style}">{escape(words)}</text>'


def cell(call: Call, previous: Call | None, mode: AutoresetMode, x: float, y: float) -> list[str]:
    """One call: a box in the colour of the observation's episode."""
    episode, step = call.observation
    middle, grey = x + (WIDTH - 10) / 2, "fill:#555"
    parts = [
        text(middle, y + 12, call.name, "font-family:monospace;" + grey),
        f'<rect x="{x}" y="{y + 18}" width="{WIDTH - 10}" height="22" rx="4" fill="{COLOURS[episode]}"/>',
        text(middle, y + 33, f"episode {episode + 1}, obs {step}", "fill:#fff;font-weight:600"),
    ]
    below = []
    if call.reward is not None:
        below.append((f"reward {call.reward:g}", grey))
    if call.terminated:
        below.append(("terminated", "fill:#a11;font-weight:600"))
    if call.final is not None:
        below.append((f"final_obs = obs {call.final[1]}", f"fill:{COLOURS[call.final[0]]};font-weight:600"))
    if mode == AutoresetMode.NEXT_STEP and previous and previous.terminated:
        below.append(("action ignored", "fill:#a11"))
    return parts + [text(middle, y + 54 + 14 * line, *entry) for line, entry in enumerate(below)]


def picture() -> str:
    """The whole picture as SVG."""
    width, height = LEFT + (CALLS + 1) * WIDTH, TOP + len(MODES) * ROW - (ROW - HEIGHT) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" rx="6" fill="#fff"/>',
        text(14, 22, f"Episodes of {EPISODE_STEPS} steps with reward 1; calls from left to right", "", "start"),
    ]
    for row, (mode, label) in enumerate(MODES.items()):
        y, previous = TOP + row * ROW, None
        parts.append(text(14, y + 33, label, "font-weight:600;font-size:12px", "start"))
        for column, call in enumerate(trace(mode)):
            parts += cell(call, previous, mode, LEFT + column * WIDTH, y)
            previous = call
    return "\n".join([*parts, "</svg>\n"])


def generate(app) -> None:
    """Write the picture where the pages expect it."""
    path = Path(app.srcdir) / "_generated" / "autoreset.svg"
    path.parent.mkdir(exist_ok=True)
    path.write_text(picture())


def setup(app) -> dict:
    """Register with Sphinx."""
    app.connect("builder-inited", generate)
    return {"parallel_read_safe": True}
