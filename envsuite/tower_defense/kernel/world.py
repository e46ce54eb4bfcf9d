"""The worlds: levels and options made into parameters."""

from typing import Annotated, Any, Literal

from envsuite.core import Between, World
from envsuite.tower_defense.kernel import versus
from envsuite.tower_defense.kernel.loops import LOOPS
from envsuite.tower_defense.levels import Level, benchmark, parameters, read_level
from envsuite.tower_defense.levels.variants import longer
from envsuite.tower_defense.state import (
    COMPAT,
    PLANES,
    POINT_ACTION,
    SITE_ACTION,
    SITE_COMMANDS,
    VECTOR,
    VERSUS_ACTION,
    VERSUS_COMMANDS,
    VERSUS_VECTOR,
    Info,
    State,
    VersusInfo,
    flat_action,
    grid_action,
)

SENSES = {"vector": VECTOR, "compat": COMPAT, "planes": PLANES}
"""Forms of the observation."""

REWARDS: dict[str, dict[str, float]] = {
    "score": {},
    "score_drl": {"step_penalty": 0.0005},  # TowerMind's ``IsDrlReward``
    "dense": {"damage_reward": 0.002 / 100, "coin_reward": 0.1},
    "potential": {"wealth_reward": 0.002, "threat_reward": 1.0},
}
"""Weights beyond -1 for every enemy that arrives, see `envsuite.tower_defense.params.Params`."""


class TowerWorld(World):
    """A base, the enemies that march on it, and what towers, guards and a hero can do about them.

    Args:
        level: 1 to 5, a level of the benchmark; ``"multi"``, one of these in every episode; ``"long"``, the second
            level with fifteen waves; ``"procedural"``, a level made at random in every episode; the path of a level
            file; or a `Level`.
        decision_ticks: twentieths of a second between decisions.
        fog: whether there is any.
        friendly_fire: whether a blaze hurts one's own guards.
        difficulty: of procedural levels.
        pool: how many procedural levels there are.
        first_level: number of the first of them.

    Raises:
        ValueError: an option out of range, by name and value.
        LevelError: a level that the engine cannot play.
    """

    state_dtype = State.dtype()
    actions: str = "site"
    words: str = "own"

    def __init__(
        self,
        *,
        level: "int | str | Level" = 1,
        decision_ticks: Annotated[int, Between(1, 400)] = 10,
        fog: bool = True,
        friendly_fire: bool = True,
        difficulty: Annotated[float, Between(0, 10)] = 4.0,
        pool: Annotated[int, Between(1, 2000)] = 32,
        first_level: Annotated[int, Between(0, 10**9)] = 0,
    ):
        self.levels = _levels(level, difficulty, pool, first_level)
        self.params = parameters(self.levels)
        self.params["levels"], self.params["decision"] = len(self.levels), decision_ticks
        self.params["friendly_fire"] = friendly_fire
        if not fog:
            self.params["fog_a"] = self.params["fog_b"] = 0


class BulwarkWorld(TowerWorld):
    """The game of one: defend the base.

    Args:
        actions: ``"site"``, one of 315 commands; ``"grid"``, a place on a grid and a command; ``"flat"``, the same as
            one number; ``"xyc"``, a place and a command as three numbers in [-1, 1].
        bins: of each axis of the grid; with ``"flat"`` at most 64.
        senses: ``"vector"``; ``"compat"``, the 759 numbers of TowerMind; ``"planes"``, bytes on a grid of 24 x 24
            cells.
        words: keys of descriptions: ``"own"``, or ``"compat"`` for groups of keys like TowerMind's.
        reward: ``"score"``, -1 for every enemy that arrives; ``"score_drl"``, 0.0005 less a decision; ``"dense"``, with
            0.002 for 100 points of damage and 0.1 for a coin on top; ``"potential"``, -1 for every enemy that arrives
            and the change of `envsuite.tower_defense.kernel.loops.potential`, which leaves the best policies as they
            are.
        discount: the learner's, more than 0, by which the new potential is multiplied; with 1 the return is the score.
        **options: those of `TowerWorld`.

    Raises:
        ValueError: an option out of range, by name and value.
        LevelError: a level that the engine cannot play.
    """

    info_dtype = Info.dtype(commands=SITE_COMMANDS)

    def __init__(
        self,
        *,
        actions: Literal["site", "grid", "flat", "xyc"] = "site",
        bins: Annotated[int, Between(2, 256)] = 24,
        senses: Literal["vector", "compat", "planes"] = "vector",
        words: Literal["own", "compat"] = "own",
        reward: Literal["score", "score_drl", "dense", "potential"] = "score",
        discount: Annotated[float, Between(0, 1)] = 1.0,
        **options: Any,
    ):
        if actions == "flat" and bins > 64:
            raise ValueError(f"bins is {bins}, expected at most 64 with actions='flat'")
        if discount == 0:
            raise ValueError(f"discount is {discount}, expected more than 0")
        super().__init__(**options)
        fixed = {"site": SITE_ACTION, "xyc": POINT_ACTION}
        self.action = fixed.get(actions) or (grid_action if actions == "grid" else flat_action)(bins)
        self.actions, self.words = actions, words
        self.observation = SENSES[senses]
        self.loops = LOOPS["number" if actions in ("site", "flat") else "place", senses]
        self.params["grid"] = bins if actions in ("grid", "flat") else 0
        self.params["senses"] = list(SENSES).index(senses)
        self.params["discount"] = discount
        for name, weight in REWARDS[reward].items():
            self.params[name] = weight


class BulwarkVersusWorld(TowerWorld):
    """The game of two: a defender, and an attacker who buys the enemies of each wave and chooses their paths.

    Each wave has a budget: the points (health times speed) of the level's own wave. Both act in every decision; the
    attacker buys one enemy at a time, for the next wave, and what is not spent when that wave starts is lost. An enemy
    that arrives is -1 for the defender and 1 for the attacker.

    Args:
        level: see `TowerWorld`.
        **options: those of `TowerWorld`.

    Raises:
        ValueError: an option out of range, by name and value.
        LevelError: a level that the engine cannot play.
    """

    agents = ("defender_0", "attacker_0")
    info_dtype = VersusInfo.dtype(commands=VERSUS_COMMANDS)
    observation, action, loops = VERSUS_VECTOR, VERSUS_ACTION, versus.LOOPS

    def __init__(self, *, level: "int | str | Level" = "multi", **options: Any):
        super().__init__(level=level, **options)
        self.params["versus"] = 1


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
