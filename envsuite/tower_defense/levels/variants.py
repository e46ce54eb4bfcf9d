"""Levels made from levels."""

from dataclasses import replace

from envsuite.tower_defense.levels.level import Level

GROWTH = 1.12
"""By how much the waves of a long level grow, each over the one before."""


def longer(level: Level, waves: int = 15) -> Level:
    """A level that goes on: its waves come again and again, each 12 % larger than the one before.

    Args:
        level: five waves or so.
        waves: how many to make of them.
    """
    made = []
    for k in range(waves):
        wave = level.waves[min(k, 2 + (k - 2) % (len(level.waves) - 2))] if len(level.waves) > 2 else level.waves[0]
        made.append(tuple((kind, max(1, round(count * GROWTH ** max(0, k - 4)))) for kind, count in wave))
    return replace(level, name=f"{level.name}, {waves} waves", waves=tuple(made), interval=level.interval + 11)
