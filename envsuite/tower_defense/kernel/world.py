"""The world: levels and options made into parameters."""

from typing import Literal

import numpy as np

from envsuite.core.jit import canonical
from envsuite.core.world import World
from envsuite.tower_defense.kernel.loops import BY_NUMBER, BY_PLACE
from envsuite.tower_defense.levels import benchmark, parameters, read_level
from envsuite.tower_defense.levels.level import Level
from envsuite.tower_defense.levels.variants import longer
from envsuite.tower_defense.params import PARAMS
from envsuite.tower_defense.state import (
    COMPAT,
    INFO,
    PLANES,
    POINT_ACTION,
    SITE_ACTION,
    STATE,
    VECTOR,
    flat_action,
    grid_action,
)

SENSES = {"vector": VECTOR, "compat": COMPAT, "planes": PLANES}
"""Forms of the observation."""

REWARDS: dict[str, tuple[float, float, float, float, float]] = {
    "score": (0.0, 0.0, 0.0, 0.0, 0.0),
    "score_drl": (0.0005, 0.0, 0.0, 0.0, 0.0),
    "dense": (0.0, 0.002 / 100, 0.1, 0.0, 0.0),
    "potential": (0.0, 0.0, 0.0, 0.002, 1.0),
}
"""Penalty a decision (``score_drl`` is TowerMind's ``IsDrlReward``), gain a point of damage, gain a coin; then weights
of the potential: a unit of gold, an enemy at the base."""


class BulwarkWorld(World):
    """A base, the enemies that march on it, and what towers, guards and a hero can do about them.

    Args:
        level: 1 to 5, a level of the benchmark; ``"multi"``, one of these in every episode; ``"long"``, the second
            level with fifteen waves; ``"procedural"``, a level made at random in every episode; the path of a level
            file; or a `Level`.
        actions: ``"site"``, one of 315 commands; ``"grid"``, a place on a grid and a command; ``"flat"``, the same as
            one number; ``"xyc"``, a place and a command as three numbers in [-1, 1].
        bins: of each axis of the grid, 2 to 256; with ``"flat"`` 2 to 64.
        senses: ``"vector"``; ``"compat"``, the 759 numbers of TowerMind; ``"planes"``, bytes on a grid of 24 x 24
            cells.
        words: keys of descriptions: ``"own"``, or ``"compat"`` for groups of keys like TowerMind's.
        decision_ticks: twentieths of a second between decisions, 1 to 400.
        reward: ``"score"``, -1 for every enemy that arrives; ``"score_drl"``, 0.0005 less a decision; ``"dense"``, with
            0.002 for 100 points of damage and 0.1 for a coin on top; ``"potential"``, -1 for every enemy that arrives
            and the change of `envsuite.tower_defense.kernel.loops.potential`, which leaves the best policies as they
            are.
        discount: the learner's, more than 0 and at most 1, by which the new potential is multiplied; with 1 the return
            is the score.
        fog: whether there is any.
        friendly_fire: whether a blaze hurts one's own guards.
        difficulty: of procedural levels, 0 to 10.
        pool: how many procedural levels there are.
        first_level: number of the first of them.

    Raises:
        ValueError: an option out of range, by name and value.
        LevelError: a level that the engine cannot play.
    """

    state_dtype = STATE
    info_dtype = INFO

    def __init__(
        self,
        *,
        level: "int | str | Level" = 1,
        actions: Literal["site", "grid", "flat", "xyc"] = "site",
        bins: int = 24,
        senses: Literal["vector", "compat", "planes"] = "vector",
        words: Literal["own", "compat"] = "own",
        decision_ticks: int = 10,
        reward: Literal["score", "score_drl", "dense", "potential"] = "score",
        discount: float = 1.0,
        fog: bool = True,
        friendly_fire: bool = True,
        difficulty: float = 4.0,
        pool: int = 32,
        first_level: int = 0,
    ):
        for name, value, known in (
            ("actions", actions, ("site", "grid", "flat", "xyc")),
            ("senses", senses, tuple(SENSES)),
            ("words", words, ("own", "compat")),
            ("reward", reward, tuple(REWARDS)),
        ):
            if value not in known:
                raise ValueError(f"{name} is {value!r}, expected one of {', '.join(known)}")
        for name, value, low, high in (
            ("bins", bins, 2, 64 if actions == "flat" else 256),
            ("decision_ticks", decision_ticks, 1, 400),
        ):
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise ValueError(f"{name} is {value!r}, expected an integer from {low} to {high}")
        if isinstance(discount, bool) or not isinstance(discount, int | float) or not 0 < discount <= 1:
            raise ValueError(f"discount is {discount!r}, expected a number above 0 and at most 1")
        self.levels = _levels(level, difficulty, pool, first_level)
        fixed = {"site": SITE_ACTION, "xyc": POINT_ACTION}
        self.action = fixed.get(actions) or (grid_action if actions == "grid" else flat_action)(bins)
        self.actions, self.words = actions, words
        self.observation = SENSES[senses]
        params = np.zeros(len(self.levels), canonical(PARAMS))
        for k, one in enumerate(self.levels):
            params[k] = parameters(one)
        params["levels"], params["decision"] = len(self.levels), decision_ticks
        params["grid"] = bins if actions in ("grid", "flat") else 0
        params["senses"] = tuple(SENSES).index(senses)
        params["friendly_fire"] = friendly_fire
        names = ("step_penalty", "damage_reward", "coin_reward", "wealth_reward", "threat_reward")
        for name, weight in zip(names, REWARDS[reward], strict=True):
            params[name] = weight
        params["discount"] = discount
        if not fog:
            params["fog_a"] = params["fog_b"] = 0
        self.params = params

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those of the encoding."""
        return BY_NUMBER if self.actions in ("site", "flat") else BY_PLACE


def _levels(level, difficulty: float, pool: int, first: int) -> "tuple[Level, ...]":
    if isinstance(level, Level):
        return (level,)
    if level == "multi":
        return tuple(benchmark(k) for k in range(1, 6))
    if level == "long":
        return (longer(benchmark(2)),)
    if level == "procedural":
        from envsuite.tower_defense.levels.procedural import levels

        return levels(first, pool, difficulty)
    if isinstance(level, str) and level.endswith(".toml"):
        return (read_level(level),)
    return (benchmark(level),)
