"""Levels made at random from (number, difficulty), and checked by playing them.

The levels of one difficulty form one endless list. Numbers 0 to 999 are for training, 1,000 to 1,099 for validation,
1,100 to 1,199 are held out.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from envsuite.tower_defense.levels.level import Level, LevelError, check, speeds
from envsuite.tower_defense.params import (
    BRUTE,
    DRAKE,
    ENEMY_TABLE,
    HEXER,
    KITE,
    MENDER,
    RAIDER,
    RUNNER,
    SHIELDMAN,
    WARLORD,
)

TRAINING, VALIDATION, HELD_OUT = range(1000), range(1000, 1100), range(1100, 1200)
PRESETS = {"easy": 1.0, "normal": 4.0, "hard": 7.0}

TRIES = 50
MAX_LOST, MIN_LOST = 18, 15  # lives that S2 may lose, and that waiting must lose, in the mean of three games
JUDGES = (1, 2, 3)  # seeds of those games

UNLOCKS = {RAIDER: 0, RUNNER: 0, KITE: 1, BRUTE: 2, SHIELDMAN: 3, HEXER: 4, MENDER: 5, DRAKE: 6}
"""Difficulty from which a type appears; a warlord closes the last wave from 8 on."""

_CELL = 0.5  # units, side of a cell of the 12 x 12 lattice on which paths run
_STEPS = 12
_GROWTH = 0.45  # of the waves' budgets, of the first


@dataclass(frozen=True)
class Made:
    """A level, and at which try it was accepted.

    Attributes:
        level: the level.
        attempt: 0 for the first try.
        lost: lives that S2 lost in the games by which it was judged.
    """

    level: Level
    attempt: int
    lost: tuple[int, ...]


@lru_cache(maxsize=8)
def levels(first: int, count: int, difficulty: float) -> tuple[Level, ...]:
    """Several levels of one difficulty.

    Args:
        first: number of the first.
        count: how many, 1 to 2,000.
        difficulty: 0 to 10.

    Raises:
        ValueError: a number out of range.
    """
    if not 1 <= count <= 2000:
        raise ValueError(f"pool is {count}, expected 1 to 2000 levels")
    return tuple(make(number, difficulty).level for number in range(first, first + count))


def make(number: int, difficulty: float) -> Made:
    """The level of a number: the first of its candidates that can be defended, but not by waiting.

    Args:
        number: 0 or more.
        difficulty: 0 to 10.

    Raises:
        ValueError: a number out of range.
        LevelError: no candidate was good.
    """
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise ValueError(f"the number of a level is {number!r}, expected an integer from 0")
    if not 0 <= difficulty <= 10:
        raise ValueError(f"difficulty is {difficulty!r}, expected 0 to 10")
    for attempt in range(TRIES):
        level = candidate(number, difficulty, attempt)
        if level is None:
            continue
        lost = judge(level)
        if lost is not None:
            return Made(level, attempt, lost)
    raise LevelError(f"no playable level of difficulty {difficulty} in {TRIES} tries for number {number}")


def judge(level: Level) -> tuple[int, ...] | None:
    """Play a level three times: the lives that S2 loses, or None where it loses too many, or waiting too few."""
    from envsuite.tower_defense.experts.judge import lives_lost

    waiting, scripted = lives_lost(level, JUDGES)
    good = np.mean(scripted) <= MAX_LOST * level.life / 20 and np.mean(waiting) >= MIN_LOST * level.life / 20
    return tuple(int(lost) for lost in scripted) if good else None


def candidate(number: int, difficulty: float, attempt: int) -> Level | None:
    """A level that has not been judged; None where its geometry came to nothing.

    Args:
        number: of the level.
        difficulty: 0 to 10.
        attempt: which candidate.
    """
    luck = np.random.default_rng([number, round(1000 * difficulty), attempt])
    paths = _paths(luck, 1 + min(3, int(difficulty / 2.5)))
    if paths is None:
        return None
    sites = _sites(luck, paths, difficulty)
    if sites is None:
        return None
    level = Level(
        f"Level {number} of difficulty {difficulty:g}",
        paths,
        sites,
        (((RAIDER, 1),),),
        gold=round(480 + 12 * difficulty),
        gold_cap=1500,
        coin_value=48,
        fog=round(60 + 5 * difficulty),
    )
    if not level.order:
        return None
    return check(_with_waves(luck, level, difficulty))


# ----------------------------------------------------------------------------------------------------------- paths

Cell = tuple[int, int]


def _paths(luck: np.random.Generator, count: int):
    """Paths of one of four shapes, 7 to 14 units long, with as many entrances."""
    shape = ("serpentine", "spiral", "merge", "ring")[luck.integers(4)]
    if (shape == "serpentine" and count > 1) or (shape == "spiral" and count > 2):
        shape = ("merge", "ring")[luck.integers(2)]
    base = (6, 6) if shape in ("spiral", "ring") else (_STEPS, int(luck.integers(3, 10)))
    routes: list[list[Cell]] = []
    for k in range(count):
        route = _route(luck, shape, k, count, base, routes)
        if route is None:
            return None
        routes.append(route)
    flip, turn = int(luck.integers(2)), int(luck.integers(4))
    return tuple(tuple(_placed(cell, flip, turn) for cell in _corners(route)) for route in routes)


def _placed(cell: Cell, flip: int, turn: int) -> tuple[float, float]:
    x, y = cell[0] * _CELL - 3, cell[1] * _CELL - 3
    if flip:
        y = -y
    for _ in range(turn):
        x, y = -y, x
    return (x + 0.0, y + 0.0)


def _corners(route: list[Cell]) -> list[Cell]:
    """The way-points of a route of lattice points: where it turns."""
    kept = [route[0]]
    for before, here, after in zip(route[:-2], route[1:-1], route[2:], strict=True):
        if (here[0] - before[0], here[1] - before[1]) != (after[0] - here[0], after[1] - here[1]):
            kept.append(here)
    return [*kept, route[-1]]


def _route(luck, shape: str, k: int, count: int, base: Cell, others: list[list[Cell]]) -> list[Cell] | None:
    """One self-avoiding route of lattice points, or None after too many attempts."""
    for _ in range(30):
        stops = _stops(luck, shape, k, count, base)
        route = _joined(luck, stops)
        length = (len(route) - 1) * _CELL
        plain = len(set(route)) == len(route) and 7 <= length <= 14 and len(_corners(route)) <= 20
        inside = all(0 < x < _STEPS and 0 < y < _STEPS for x, y in route[1:-1])
        if plain and inside and _apart(route) and all(_merges(route, other) for other in others):
            return route
    return None


def _stops(luck, shape: str, k: int, count: int, base: Cell) -> list[Cell]:
    """Points that a route visits in turn."""
    if shape == "serpentine":  # lanes to and fro, upwards or downwards
        low, high = int(luck.integers(1, 4)), int(luck.integers(8, 12))
        rows = sorted(luck.choice(np.arange(1, 12), size=3, replace=False).tolist(), reverse=bool(luck.integers(2)))
        return [(0, rows[0]), (high, rows[0]), (high, rows[1]), (low, rows[1]), (low, rows[2]), (_STEPS, rows[2])][:6]
    if shape == "spiral":
        a, b = int(luck.integers(1, 4)), int(luck.integers(9, 12))
        turned = [(0, a), (b, a), (b, b), (a + 1, b), (a + 1, 6), base]
        return turned if k == 0 else [(_STEPS - x, _STEPS - y) for x, y in turned]
    if shape == "ring":
        sides = [(0, int(luck.integers(1, 12))), (_STEPS, int(luck.integers(1, 12)))]
        sides += [(int(luck.integers(1, 12)), 0), (int(luck.integers(1, 12)), _STEPS)]
        middle = (int(luck.integers(2, 11)), int(luck.integers(2, 11)))
        return [sides[k], middle, base]
    start = (0, round((k + 0.5) * _STEPS / count + float(luck.integers(-1, 2))))
    meeting = (int(luck.integers(5, 9)), base[1])
    return [(0, min(max(start[1], 0), _STEPS)), (int(luck.integers(1, 6)), int(luck.integers(0, 13))), meeting, base]


def _joined(luck, stops: list[Cell]) -> list[Cell]:
    """Lattice points of an orthogonal walk from stop to stop."""
    route = [stops[0]]
    for x, y in stops[1:]:
        legs = [(x, route[-1][1]), (x, y)] if luck.integers(2) else [(route[-1][0], y), (x, y)]
        for to in legs:
            while route[-1] != to:
                here = route[-1]
                route.append((here[0] + int(np.sign(to[0] - here[0])), here[1] + int(np.sign(to[1] - here[1]))))
    return route


def _apart(route: list[Cell]) -> bool:
    """Whether a route never comes beside itself: its corridors would touch."""
    for i, one in enumerate(route):
        for other in route[i + 3 :]:
            if abs(one[0] - other[0]) + abs(one[1] - other[1]) <= 1:
                return False
    return True


def _merges(route: list[Cell], other: list[Cell]) -> bool:
    """Whether two routes are apart, cross, or share their last stretch, but do not run side by side."""
    shared = set(route) & set(other)
    beside = 0
    for x, y in route:
        if (x, y) not in shared and any((x + a, y + b) in other for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))):
            beside += 1
    return beside <= 4 and len(shared) <= 0.7 * min(len(route), len(other)) and route[0] != other[0]


# ----------------------------------------------------------------------------------------------------------- sites


def _sites(luck, paths, difficulty: float):
    """Sites beside the paths, those with most path in reach and far from each other, and decoys far from all."""
    corners = [np.array(path) for path in paths]
    fine = np.concatenate([np.linspace(a, b, 2 + int(20 * math.dist(a, b))) for c in corners for a, b in pairwise(c)])
    axis = np.arange(-2.75, 2.76, 0.25)
    places = np.array([(x, y) for x in axis for y in axis])
    gap = np.sqrt(((places[:, None] - fine[None]) ** 2).sum(-1)).min(axis=1)
    beside, far = places[(gap >= 0.45) & (gap <= 0.8)], places[gap >= 1.25]
    wanted = min(13, 6 + len(paths) + int(difficulty / 3))
    decoys = min(16 - wanted, int(1 + difficulty / 4))
    if len(beside) < wanted:
        return None
    covered = np.array([(((fine - place) ** 2).sum(-1) <= 1.25**2).sum() for place in beside]) / 20
    chosen = [int(np.argmax(covered))]
    while len(chosen) < wanted:
        apart = np.sqrt(((beside[:, None] - beside[chosen][None]) ** 2).sum(-1)).min(axis=1)
        if (apart >= 0.55).sum() == 0:
            return None
        chosen.append(int(np.argmax(np.where(apart >= 0.55, np.minimum(apart, 1.5) * (1 + covered), -1))))
    kept = [tuple(map(float, place)) for place in beside[chosen]]
    for place in luck.permutation(far):
        if decoys and min(math.dist(place, other) for other in kept) >= 0.75:
            kept.append((float(place[0]), float(place[1])))
            decoys -= 1
    return tuple(kept) if decoys == 0 and _boxes_apart(kept) else None


def _boxes_apart(sites) -> bool:
    pairs = ((a, b) for i, a in enumerate(sites) for b in sites[:i])
    return all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) >= 0.5 for a, b in pairs)


# ----------------------------------------------------------------------------------------------------------- waves


def _with_waves(luck, level: Level, difficulty: float) -> Level:
    """Five waves whose pressure makes the level's difficulty index 3.0 + 0.35 difficulty."""
    from dataclasses import replace

    shares = np.array([1 + _GROWTH * w for w in range(5)])
    target = (3.0 + 0.35 * difficulty) * level.supply
    weight = ENEMY_TABLE["hp"] * speeds()
    made: list[tuple[tuple[int, int], ...]] = []
    for w, budget in enumerate(target * shares / shares.sum()):
        known = [kind for kind, from_ in UNLOCKS.items() if difficulty >= from_][: 2 + 2 * w]
        counts = dict.fromkeys(known, 0)
        if w == 4 and difficulty >= 8:
            counts[WARLORD] = 1
        left = budget - sum(weight[kind] * count for kind, count in counts.items())
        draw = luck.dirichlet(np.ones(len(known)) * 2)
        for kind, share in zip(known, draw, strict=True):
            counts[kind] = int(share * left / weight[kind])
        rest = left - sum(weight[kind] * counts[kind] for kind in known)
        counts[RAIDER] += max(0, round(rest / weight[RAIDER]))
        order = [kind for kind in luck.permutation(list(counts)) if counts[kind] > 0]
        made.append(tuple((int(kind), counts[int(kind)]) for kind in order) or ((RAIDER, 1),))
    total = sum(count for wave in made for _, count in wave) / 5
    spawn = min(1.2, 0.8 * 25 / max(1.0, total))
    return replace(level, waves=tuple(made), spawn=round(spawn * 20) / 20)
