"""Scripted attackers for the game of two, and the pair of reference players."""

import numpy as np

from envsuite.tower_defense.experts.scripted import Scripted
from envsuite.tower_defense.params import (
    BALLISTA,
    BARRACKS,
    ENEMY_TABLE,
    MORTAR,
    PATHS,
    SHOP,
    TICKS,
    TOWER_TABLE,
    TYPES,
    UNIT,
)
from envsuite.tower_defense.state import SITE_COMMANDS

ATTACKERS = ("A1", "A2")

_CHEAPEST = int(ENEMY_TABLE["price"].min())
_SPARE = 4  # decisions kept in hand before a wave
_SPLASHED = 2.0  # enemies that a mortar's shot hits, on average, where they come close to each other
_RUSH = 2  # power of the share that survives; more would spend all on the strongest enemy


class Attacker:
    """Buys by a fixed rule.

    A1 buys the wave that the level itself would send, spread over the paths in turn. A2 looks for gaps, as late as it
    can: it buys the enemy and path of which most get through for a point, by the damage that the towers in reach of
    the path can do before the next enemy draws their fire.

    Args:
        world: a `envsuite.tower_defense.kernel.BulwarkVersusWorld`.
        style: ``"A1"`` or ``"A2"``.

    Raises:
        ValueError: an unknown style.
    """

    def __init__(self, world, style: str = "A2"):
        if style not in ATTACKERS:
            raise ValueError(f"style is {style!r}, expected one of {', '.join(ATTACKERS)}")
        self._style, self._params = style, world.params
        self._reach = [_reach(level) for level in world.levels]

    def purchases(self, states: np.ndarray) -> np.ndarray:
        """What to buy in every instance, int64 (n,): a command, 0 to wait."""
        return np.array([self._one(state) for state in states], np.int64)

    def _one(self, state) -> int:
        p, shop, wave = self._params[int(state["level"])], state["shop"], int(state["wave"])
        bought = int(shop["count"])
        if wave >= int(p["wave_count"]) or bought >= SHOP or int(shop["points"]) < _CHEAPEST:
            return 0
        if self._style == "A1":
            if bought >= int(p["wave_size"][wave]):
                return 0
            return _number(int(p["waves"][wave, bought]), (bought + wave) % int(p["path_count"]))
        buys = int(shop["points"]) // _CHEAPEST + _SPARE
        if int(state["wave_timer"]) > buys * int(p["decision"]):
            return 0
        worth = self._worth(state, p)
        worth[ENEMY_TABLE["price"] > int(shop["points"])] = 0.0
        best = int(worth.argmax())
        return _number(best // worth.shape[1], best % worth.shape[1]) if worth.flat[best] > 0 else 0

    def _worth(self, state, p) -> np.ndarray:
        """Enemies that get through for a point, float64 (types, paths)."""
        damage = np.zeros((TYPES, int(p["path_count"])))
        gap = int(p["spawn"]) / TICKS
        speed = ENEMY_TABLE["step"] * TICKS / 256 / UNIT
        for k, site in enumerate(state["sites"][: int(p["site_count"])]):
            kind = int(site["type"])
            if kind < 0 or kind == BARRACKS:
                continue
            row = TOWER_TABLE[kind]
            rate = (row["damage"] + row["extra"] / 2) * 1.4 ** int(site["level"]) * TICKS / row["interval"]
            share = ENEMY_TABLE["from_ballista" if kind == BALLISTA else "from_mortar"] / 100
            if kind == MORTAR:
                share = np.where(ENEMY_TABLE["flying"] > 0, 0.0, share * _SPLASHED)
            seconds = self._reach[int(state["level"])][kind, k][None, :] / speed[:, None]
            damage += rate * share[:, None] * np.minimum(seconds, gap)
        through = np.minimum(1.0, ENEMY_TABLE["hp"][:, None] / (damage + 1.0))
        return through**_RUSH / ENEMY_TABLE["price"][:, None]


def _number(kind: int, path: int) -> int:
    return SITE_COMMANDS + kind * PATHS + path


def _reach(level) -> np.ndarray:
    """Units of each path in reach of each tower on each site, float64 (towers, sites, paths)."""
    found = np.zeros((len(TOWER_TABLE), len(level.sites), len(level.paths)))
    for j, table in enumerate(level.tables):
        for k, site in enumerate(level.sites):
            square = ((table - np.round(np.array(site) * UNIT)) ** 2).sum(axis=1)
            for kind, radius in enumerate(TOWER_TABLE["radius"]):
                found[kind, k, j] = np.count_nonzero(square <= int(radius) ** 2) * 16 / UNIT
    return found


class Contest:
    """A scripted player on each side.

    Args:
        world: a `envsuite.tower_defense.kernel.BulwarkVersusWorld`.
        defender: ``"S1"``, ``"S2"`` or ``"S3"``.
        attacker: ``"A1"`` or ``"A2"``.
    """

    def __init__(self, world, defender: str = "S3", attacker: str = "A2"):
        self._defender, self._attacker = Scripted(world, defender), Attacker(world, attacker)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions of both sides, int64 (n, 2)."""
        chosen = (self._defender.act(observations[:, 0], states), self._attacker.purchases(states))
        return np.stack(chosen, axis=1)
