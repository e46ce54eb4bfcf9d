"""From a level to the parameter record that kernels read."""

from collections.abc import Sequence

import numpy as np

from envsuite.core.jit import records
from envsuite.tower_defense import params as rules
from envsuite.tower_defense.levels.level import Level, check
from envsuite.tower_defense.params import RALLIES, TICKS, UNIT, Params


def _su(points) -> np.ndarray:
    return np.round(np.asarray(points, np.float64) * UNIT).astype(np.int32)


def parameters(levels: Sequence[Level]) -> np.ndarray:
    """The rules and each level, with the options of the reference game.

    Args:
        levels: checked here.

    Returns:
        (n,) records of type `Params`.

    Raises:
        LevelError: the engine cannot play one.
    """
    made = records(np.zeros(len(levels), Params.dtype()))
    made[:] = Params.make(enemies=rules.ENEMY_TABLE, towers=rules.TOWER_TABLE)
    for p, level in zip(made, levels, strict=True):
        check(level)
        _write(p, level)
    return made


def _write(p: np.void, level: Level) -> None:
    _write_paths(p, level)
    _write_sites(p, level)
    p["wave_count"] = len(level.waves)
    for k, wave in enumerate(level.waves):
        kinds = [kind for kind, count in wave for _ in range(count)]
        p["wave_size"][k] = len(kinds)
        p["waves"][k, : len(kinds)] = kinds
        p["budget"][k] = rules.ENEMY_TABLE["price"][kinds].sum()
    for name in ("life", "gold", "gold_cap", "coin_value", "coin_extra"):
        p[name] = getattr(level, name)
    for name in ("coin_refresh", "coin_stay", "first", "interval", "spawn"):
        p[name] = max(1, round(getattr(level, name) * TICKS))
    p["fog_a"], p["fog_b"] = round(rules.FOG_A * level.fog / 100), round(rules.FOG_B * level.fog / 100)
    p["difficulty"] = level.difficulty


def _write_paths(p: np.void, level: Level) -> None:
    p["path_count"] = len(level.paths)
    for k, (path, table) in enumerate(zip(level.paths, level.tables, strict=True)):
        p["table"][k, : len(table)] = table
        cells = np.clip((table * [1, -1] + rules.HALF) * rules.GRID // (2 * rules.HALF), 0, rules.GRID - 1)
        p["road"][cells[:, 1], cells[:, 0]] = 255
        p["path_length"][k] = round(level.lengths[k] * UNIT * 256)
        p["waypoints"][k, : len(path)] = _su(path)
        p["waypoint_count"][k] = len(path)
    first = level.tables[0]
    p["hero_start"] = first[min(len(first) - 1, round(0.75 * level.lengths[0] * UNIT / rules.SAMPLE))]


def _write_sites(p: np.void, level: Level) -> None:
    sites = _su(level.sites)
    p["site_count"], p["sites"][: len(sites)] = len(sites), sites
    for kind, reach in enumerate(rules.TOWER_TABLE["radius"]):
        p["coverage"][: len(sites), kind] = level.covered(reach / UNIT)
    p["worth"] = p["coverage"] / max(float(p["coverage"].max()), 1e-6)
    p["useful"] = len(level.order)
    p["order"][: len(level.order)] = level.order
    for k, site in enumerate(sites):
        gaps = [((table - site) ** 2).sum(axis=1) for table in level.tables]
        nearest = int(np.argmin([gap.min() for gap in gaps]))
        table, gap = level.tables[nearest], gaps[nearest]
        p["rally"][k] = table[int(np.argmin(gap))]
        reach = int(rules.TOWER_TABLE["radius"][rules.BALLISTA]) ** 2
        p["overlooks"][k] = sum(1 << path for path, gap_ in enumerate(gaps) if gap_.min() <= reach)
        inside = np.flatnonzero(gap <= int(rules.TOWER_TABLE["radius"][rules.BARRACKS]) ** 2)
        if inside.size:
            p["rally_count"][k] = RALLIES
            p["rallies"][k] = table[inside[np.round(np.linspace(0, inside.size - 1, RALLIES)).astype(int)]]
