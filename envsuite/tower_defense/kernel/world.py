"""The world: levels and options made into parameters."""

from typing import Literal

import numpy as np

from envsuite.core.jit import canonical, records
from envsuite.core.world import World
from envsuite.tower_defense.kernel.loops import reset_batch, step_numbers, step_places
from envsuite.tower_defense.levels import benchmark, parameters, read_level
from envsuite.tower_defense.levels.level import Level
from envsuite.tower_defense.levels.variants import longer
from envsuite.tower_defense.params import PARAMS, TICKS
from envsuite.tower_defense.state import COMPAT, INFO, POINT_ACTION, SITE_ACTION, STATE, VECTOR, grid_action

REWARDS: dict[str, tuple[float, float, float]] = {
    "score": (0.0, 0.0, 0.0),
    "score_drl": (0.0005, 0.0, 0.0),
    "dense": (0.0, 0.002 / 100, 0.1),
}
"""Penalty a decision, gain a point of damage, gain a coin; the first is TowerMind's ``IsDrlReward``."""


class BulwarkWorld(World):
    """A base, the enemies that march on it, and what towers, guards and a hero can do about them.

    Args:
        level: 1 to 5, a level of the benchmark; ``"multi"``, one of these in every episode; ``"long"``, the second
            level with fifteen waves; ``"procedural"``, a level made at random in every episode; the path of a level
            file; or a `Level`.
        actions: ``"site"``, one of 315 commands; ``"grid"``, a place on a grid and a command; ``"xyc"``, a place and a
            command as three numbers in [-1, 1].
        bins: of each axis of the grid, 2 to 256.
        senses: ``"vector"``, or ``"compat"`` for the 759 numbers of TowerMind.
        decision_ticks: twentieths of a second between decisions, 1 to 400.
        reward: ``"score"``, -1 for every enemy that arrives; ``"score_drl"``, 0.0005 less a decision; ``"dense"``, with
            0.002 for 100 points of damage and 0.1 for a coin on top.
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
    render_size = (600, 660)
    reset_batch = staticmethod(reset_batch)

    def __init__(
        self,
        *,
        level: "int | str | Level" = 1,
        actions: Literal["site", "grid", "xyc"] = "site",
        bins: int = 24,
        senses: Literal["vector", "compat"] = "vector",
        decision_ticks: int = 10,
        reward: Literal["score", "score_drl", "dense"] = "score",
        fog: bool = True,
        friendly_fire: bool = True,
        difficulty: float = 4.0,
        pool: int = 32,
        first_level: int = 0,
    ):
        for name, value, known in (
            ("actions", actions, ("site", "grid", "xyc")),
            ("senses", senses, ("vector", "compat")),
            ("reward", reward, tuple(REWARDS)),
        ):
            if value not in known:
                raise ValueError(f"{name} is {value!r}, expected one of {', '.join(known)}")
        for name, value, low, high in (("bins", bins, 2, 256), ("decision_ticks", decision_ticks, 1, 400)):
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise ValueError(f"{name} is {value!r}, expected an integer from {low} to {high}")
        self.levels = _levels(level, difficulty, pool, first_level)
        self.action = {"site": SITE_ACTION, "grid": grid_action(bins), "xyc": POINT_ACTION}[actions]
        self.out_of_range = "clip" if actions == "xyc" else "refuse"
        self.actions = actions
        self.observation = VECTOR if senses == "vector" else COMPAT
        self.fps = max(1, round(TICKS / decision_ticks))
        params = np.zeros(len(self.levels), canonical(PARAMS))
        for k, one in enumerate(self.levels):
            params[k] = parameters(one)
        params["levels"], params["decision"] = len(self.levels), decision_ticks
        params["grid"] = bins if actions == "grid" else 0
        params["senses"] = int(senses == "compat")
        params["friendly_fire"] = friendly_fire
        params["step_penalty"], params["damage_reward"], params["coin_reward"] = REWARDS[reward]
        if not fog:
            params["fog_a"] = params["fog_b"] = 0
        self.params = params

    @property
    def step_batch(self):  # ty: ignore[incompatible-property-override]
        """The batch loop of the encoding."""
        return step_numbers if self.actions == "site" else step_places

    def render(self, state, size):
        """Draw the map from above, what the fog hides left out."""
        from envsuite.tower_defense.render import draw

        return draw(state, self.params[int(state["level"])], size)

    def describe(self, state, agent=0):
        """The situation as JSON."""
        from envsuite.tower_defense.language import describe

        return describe(state, self.params[int(state["level"])], self.levels[int(state["level"])], self)

    def parse(self, text, state, agent=0):
        """Read a command."""
        from envsuite.tower_defense.language import parse

        return parse(text, self, records(self.params)[int(state["level"])])

    def keys_to_action(self):
        """Space lights a blaze, 0 buys hero health, a number and a letter build on a site (a is S0)."""
        from envsuite.tower_defense.language import keys

        return keys(self, records(self.params)[0])

    def point_to_action(self, place, held, state):
        """A click sends the hero; with 1, 2 or 3 held it builds, u upgrades, x sells, v shows the range, r, f."""
        from envsuite.tower_defense.language import clicked

        return clicked(place, held, self, records(self.params)[int(state["level"])])

    def expert(self):
        """The scripted player S3."""
        from envsuite.tower_defense.experts import Scripted

        return Scripted(self)


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
