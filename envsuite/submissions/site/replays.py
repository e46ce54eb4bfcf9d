"""Recorded episodes as vector animations: states recomputed from seed and actions, drawn again in the browser."""

import base64
import io
from typing import Any

import numpy as np

from envsuite.cards import EnvCard
from envsuite.core.batch import Batch
from envsuite.core.companions import Pictures, Words, companion
from envsuite.core.drawing import Color, Drawing, recorded
from envsuite.core.world import make_world
from envsuite.evaluation.episodes import EpisodeLog

SIZE = (480, 360)
"""Width and height of the picture on the site, pixels; the browser scales it."""

FRAMES_PER_SECOND = 20
"""At most; slower worlds show every step."""


def animation(log: EpisodeLog, episode: int, card: EnvCard, *, every_step: bool = False) -> dict[str, Any]:
    """Replay an episode and list what is drawn.

    Args:
        log: recorded episodes, already verified.
        episode: which of them.
        card: its environment, with the options of the log.
        every_step: leave no step out, draw in the world's own size, and say what each agent is told at each step.

    Returns:
        Plain data for ``player.js``: ``size``, ``fps``, ``seed``, ``steps`` shown by each frame, ``rewards`` so far,
        ``colors`` and ``backgrounds`` (each once, referred to by index), ``frames``: background and shapes; and with
        `every_step` ``agents`` and ``texts``: by frame and agent, the description of the situation.
    """
    world = make_world(card.world, **card.options)
    batch = Batch(world, 1, horizon=card.horizon or 0)
    batch.seed([int(log.seeds[episode])])
    batch.reset()
    rows = slice(int(log.offsets[episode]), int(log.offsets[episode + 1]))
    actions = log.actions[rows]
    every = 1 if every_step else max(1, round(companion(world, Pictures).fps / FRAMES_PER_SECOND))
    totals = np.cumsum(log.rewards[rows].reshape(len(actions), -1).sum(axis=1, dtype=np.float64))
    film = _Film(companion(world, Pictures).size if every_step else SIZE)
    shown, rewards = [0], [0.0]
    agents = world.agents or ("agent",)
    texts = []

    def add() -> None:
        film.add(world, batch)
        if every_step:
            texts.append([companion(world, Words).describe(batch.states[0], k) for k in range(len(agents))])

    add()
    for step, action in enumerate(actions, 1):
        batch.step(action[np.newaxis])
        if step % every == 0 or step == len(actions):
            add()
            shown.append(step)
            rewards.append(round(float(totals[step - 1]), 3))
    told = {"agents": list(agents), "texts": texts} if every_step else {}
    return told | {
        "size": film.size,
        "fps": companion(world, Pictures).fps / every,
        "seed": int(log.seeds[episode]),
        "steps": shown,
        "rewards": rewards,
        "colors": list(film.colors),
        "backgrounds": list(film.backgrounds),
        "frames": film.frames,
    }


class _Film:
    """Frames of one size, with colours and backgrounds listed once."""

    def __init__(self, size: tuple[int, int]):
        self.size = size
        self.colors: dict[str, int] = {}
        self.backgrounds: dict[str, int] = {}
        self.frames: list[dict[str, Any]] = []
        self._pictures: dict[int, tuple[np.ndarray, int]] = {}

    def add(self, world: Any, batch: Batch) -> None:
        """Draw the first instance."""
        with recorded() as drawings:
            picture = companion(world, Pictures).draw(batch.states[0], self.size)
        # a world that draws without canvases, or on several, gives a picture
        drawing = drawings[0] if len(drawings) == 1 else Drawing(self.size, picture)
        self.frames.append(
            {
                "background": self._background(drawing.background),
                "shapes": [self._shape(*one) for one in drawing.shapes],
            }
        )

    def _background(self, background: Color | np.ndarray) -> int:
        if not isinstance(background, np.ndarray):
            return self.backgrounds.setdefault(_css(background), len(self.backgrounds))
        if id(background) not in self._pictures:  # kept alive here, so that its id stays its own
            place = self.backgrounds.setdefault(_data_uri(background), len(self.backgrounds))
            self._pictures[id(background)] = background, place
        return self._pictures[id(background)][1]

    def _shape(self, method: str, arguments: dict[str, Any]) -> list[Any]:
        found: list[Any] = [method]
        for name, value in arguments.items():
            if name in ("fill", "outline", "color"):
                css = None if value is None else _css(value)
                found.append(None if css is None else self.colors.setdefault(css, len(self.colors)))
            elif name in ("text", "anchor"):
                found.append(value)
            else:
                found.append(np.round(np.asarray(value, np.float64).reshape(-1), 1).tolist())
        return found


def _css(color: Color) -> str:
    red, green, blue, *alpha = (int(k) for k in color)
    return f"rgb({red} {green} {blue} / {round((alpha or [255])[0] / 255, 3)})"


def _data_uri(picture: np.ndarray) -> str:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(picture).convert("P", palette=Image.Palette.ADAPTIVE).save(file, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
