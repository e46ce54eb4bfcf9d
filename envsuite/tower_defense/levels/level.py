"""A level as people write it, and what its geometry says."""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from envsuite.tower_defense.params import ENEMY_TABLE, HALF, PATHS, SAMPLE, SAMPLES, SITES, TYPES, UNIT, WAVES

Point = tuple[float, float]

REACH = 1.25
"""Units within which path counts as covered where no tower is named: the radius of a ballista."""

USEFUL = 0.8
"""Units of covered path above which a site is worth building on."""

EXPECTED_COINS = 14
"""Coins that a diligent hero picks up in an episode, in the difficulty index."""


class LevelError(ValueError):
    """A level that cannot be played; the message names the key and what was expected."""


@dataclass(frozen=True)
class Level:
    """A level. Places are (x, y) in units, -3 to 3; times in seconds.

    Attributes:
        name: title.
        paths: way-points of each path, from an entrance to the base.
        sites: where towers may be built.
        waves: of each wave (type, count) in spawn order.
        gold: at the start.
        gold_cap: above which gold is lost.
        life: enemies that may arrive before the base is lost.
        coin_value: smallest value of a coin.
        coin_extra: by how much more it may be worth.
        coin_refresh: from a coin's end to the next.
        coin_stay: how long a coin lies.
        first: start of the first wave.
        interval: between the starts of waves.
        spawn: between two enemies of a wave.
        fog: size of the cloud in percent; 0 for none.
    """

    name: str
    paths: tuple[tuple[Point, ...], ...]
    sites: tuple[Point, ...]
    waves: tuple[tuple[tuple[int, int], ...], ...]
    gold: int = 500
    gold_cap: int = 1500
    life: int = 20
    coin_value: int = 50
    coin_extra: int = 20
    coin_refresh: float = 5.0
    coin_stay: float = 10.0
    first: float = 8.0
    interval: float = 25.0
    spawn: float = 1.1
    fog: int = 100

    @cached_property
    def tables(self) -> tuple[np.ndarray, ...]:
        """Of each path the points every `SAMPLE` su along it, the last its end; int64 (m, 2), su."""
        return tuple(_sampled(path) for path in self.paths)

    @cached_property
    def lengths(self) -> tuple[float, ...]:
        """Length of each path in units."""
        return tuple(_length(path) for path in self.paths)

    def covered(self, reach: float = REACH) -> np.ndarray:
        """Length of path in reach of each site, summed over paths.

        Args:
            reach: radius in units.

        Returns:
            float64 (sites,), units.
        """
        total = np.zeros(len(self.sites))
        for table in self.tables:
            for k, site in enumerate(self.sites):
                gap = table - np.round(np.array(site) * UNIT)
                total[k] += np.count_nonzero((gap**2).sum(axis=1) <= (reach * UNIT) ** 2) * SAMPLE / UNIT
        return total

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Sites worth building on, the best first."""
        covered = self.covered()
        return tuple(int(k) for k in np.argsort(-covered, kind="stable") if covered[k] > USEFUL)

    @property
    def enemies(self) -> list[int]:
        """Types of all enemies, in spawn order."""
        return [kind for wave in self.waves for kind, count in wave for _ in range(count)]

    @property
    def total_hp(self) -> int:
        """Health of all enemies together."""
        return int(ENEMY_TABLE["hp"][self.enemies].sum())

    @property
    def pressure(self) -> float:
        """Health times speed, summed over all enemies; speed in units a second."""
        rows = ENEMY_TABLE[self.enemies]
        return float((rows["hp"] * speeds()[self.enemies]).sum())

    @property
    def supply(self) -> float:
        """Gold to expect times mean covered path: what the level gives to withstand the pressure."""
        covered = self.covered()[list(self.order)].mean() / len(self.paths) if self.order else 0.0
        return float((self.gold + EXPECTED_COINS * (self.coin_value + self.coin_extra / 2)) * covered)

    @property
    def difficulty(self) -> float:
        """The difficulty index D: pressure over supply."""
        return self.pressure / self.supply if self.supply else math.inf


def speeds() -> np.ndarray:
    """Units a second of each type, float64 (types,)."""
    return ENEMY_TABLE["step"] * 20 / 256 / UNIT


def _length(path: tuple[Point, ...]) -> float:
    return float(sum(math.dist(a, b) for a, b in pairwise(path)))


def _sampled(path: tuple[Point, ...]) -> np.ndarray:
    corners = np.array(path, np.float64) * UNIT
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(corners, axis=0).T))])
    marks = np.append(np.arange(0.0, along[-1], SAMPLE), along[-1])
    points = np.stack([np.interp(marks, along, corners[:, k]) for k in range(2)], axis=1)
    return np.round(points).astype(np.int64)


def check(level: Level) -> Level:
    """Refuse a level that the engine cannot play.

    Returns:
        The level.

    Raises:
        LevelError: naming the key, its value and what was expected.
    """
    _need(1 <= len(level.paths) <= PATHS, f"paths has {len(level.paths)} entries, expected 1 to {PATHS}")
    for k, path in enumerate(level.paths):
        _need(2 <= len(path) <= 20, f"paths[{k}] has {len(path)} way-points, expected 2 to 20")
        _inside(f"paths[{k}]", path)
        limit = (SAMPLES - 1) * SAMPLE / UNIT
        _need(1 <= _length(path) <= limit, f"paths[{k}] is {_length(path):.2f} units long, expected 1 to {limit:g}")
    _need(1 <= len(level.sites) <= SITES, f"sites has {len(level.sites)} entries, expected 1 to {SITES}")
    _inside("sites", level.sites)
    for i, one in enumerate(level.sites):
        for j in range(i):
            gap = max(abs(one[0] - level.sites[j][0]), abs(one[1] - level.sites[j][1]))
            _need(
                gap >= 0.5, f"sites[{i}] is {gap:.2f} from sites[{j}], expected 0.5 or more on one axis: boxes overlap"
            )
    _need(1 <= len(level.waves) <= WAVES, f"waves has {len(level.waves)} entries, expected 1 to {WAVES}")
    for k, wave in enumerate(level.waves):
        _wave(k, wave)
    for name, low, high in (
        ("gold", 0, 100_000),
        ("gold_cap", max(1, level.gold), 100_000),
        ("life", 1, 1000),
        ("coin_value", 0, 10_000),
        ("coin_extra", 0, 10_000),
        ("coin_refresh", 0.05, 1000),
        ("coin_stay", 0.05, 1000),
        ("first", 0.05, 1000),
        ("interval", 0.05, 1000),
        ("spawn", 0.05, 100),
        ("fog", 0, 200),
    ):
        value = getattr(level, name)
        _need(low <= value <= high, f"{name} is {value}, expected {low:g} to {high:g}")
    return level


def _need(holds: bool, message: str) -> None:
    if not holds:
        raise LevelError(message)


def _inside(name: str, points) -> None:
    edge = HALF / UNIT
    for k, (x, y) in enumerate(points):
        _need(
            -edge <= x <= edge and -edge <= y <= edge, f"{name}[{k}] is ({x:g}, {y:g}), expected -3 to 3 on both axes"
        )


def _wave(k: int, wave) -> None:
    from envsuite.tower_defense.params import WAVE_SIZE

    total = sum(count for _, count in wave)
    for kind, count in wave:
        _need(0 <= kind < TYPES, f"waves[{k}] holds the enemy type {kind}, expected 0 to {TYPES - 1}")
        _need(count >= 1, f"waves[{k}] holds {count} of type {kind}, expected 1 or more")
    _need(1 <= total <= WAVE_SIZE, f"waves[{k}] has {total} enemies, expected 1 to {WAVE_SIZE}")
