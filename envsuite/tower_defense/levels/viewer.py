"""Levels as pictures and tables, to look at before playing them."""

import numpy as np

from envsuite.core.companions import Pictures, companion
from envsuite.tower_defense.levels.level import Level
from envsuite.tower_defense.params import ENEMY_NAMES

HEADER = ("wave", "begins (s)", "enemies", "health", "in spawn order")


def picture(level: Level, size: int = 480) -> np.ndarray:
    """The map before the first wave: roads, sites by name, the base, the hero, the fog.

    Args:
        level: to draw.
        size: of the map's sides in pixels.

    Returns:
        uint8 array (1.1 size, size, 3).
    """
    from envsuite.core.batch import Batch
    from envsuite.tower_defense.kernel import BulwarkWorld

    batch = Batch(BulwarkWorld(level=level), 1, num_threads=1)
    batch.seed([0])
    batch.reset()
    return companion(batch.world, Pictures).draw(batch.states[0], (size, round(1.1 * size)))


def waves(level: Level) -> list[tuple[str, ...]]:
    """A row of `HEADER` for each wave; the start is the earliest, if the wave before has come out by then."""
    rows = []
    for k, wave in enumerate(level.waves):
        alone = Level(level.name, level.paths, level.sites, (wave,))
        named = ", ".join(f"{count} x {ENEMY_NAMES[kind]}" for kind, count in wave)
        begins = f"{level.first + k * level.interval:g}"
        rows.append((str(k + 1), begins, str(len(alone.enemies)), f"{alone.total_hp:,}", named))
    return rows


def summary(level: Level) -> str:
    """One line: what there is to defend, and how hard that is."""
    paths = "1 path" if len(level.paths) == 1 else f"{len(level.paths)} paths"
    decoys = len(level.sites) - len(level.order)
    return (
        f"{paths}, {len(level.sites)} sites ({decoys} with hardly any path in reach), {level.gold} gold, "
        f"fog {level.fog} %, {len(level.enemies)} enemies with {level.total_hp:,} health, "
        f"difficulty index {level.difficulty:.2f}"
    )
