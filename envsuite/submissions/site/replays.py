"""Recorded episodes as vector animations: states recomputed from seed and actions, drawn again in the browser."""

from typing import Any

import numpy as np

from envsuite.cards import EnvCard
from envsuite.core.batch import Batch
from envsuite.core.companions import Pictures, Words, companion
from envsuite.core.world import make_world
from envsuite.evaluation.episodes import EpisodeLog
from envsuite.evaluation.film import Film

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
        ``colors`` and ``backgrounds`` (each once, referred to by index), ``common``: the shapes with which every frame
        begins, ``frames``: background and further shapes; and with `every_step` ``agents`` and ``texts``: by frame and
        agent, the description of the situation.
    """
    world = make_world(card.world, **card.options)
    batch = Batch(world, 1, horizon=card.horizon or 0)
    batch.seed([int(log.seeds[episode])])
    batch.reset()
    rows = slice(int(log.offsets[episode]), int(log.offsets[episode + 1]))
    actions = log.actions[rows]
    every = 1 if every_step else max(1, round(companion(world, Pictures).fps / FRAMES_PER_SECOND))
    totals = np.cumsum(log.rewards[rows].reshape(len(actions), -1).sum(axis=1, dtype=np.float64))
    film = Film(companion(world, Pictures).size if every_step else SIZE)
    shown, rewards = [0], [0.0]
    agents = world.agents or ("agent",)
    texts = []

    def add() -> None:
        film.add(world, batch.states[0])
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
        "common": _take_common([frame["shapes"] for frame in film.frames]),
        "frames": film.frames,
    }


def _take_common(pictures: list[list[Any]]) -> list[Any]:
    """Take the shapes with which all pictures begin, such as a maze's walls, out of them."""
    common = list(pictures[0])
    for shapes in pictures[1:]:
        same = next((k for k, (a, b) in enumerate(zip(common, shapes, strict=False)) if a != b), len(shapes))
        common = common[:same]
    for shapes in pictures:
        del shapes[: len(common)]
    return common
