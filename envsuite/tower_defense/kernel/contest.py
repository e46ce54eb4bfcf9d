"""The world of the game of two."""

from envsuite.tower_defense.kernel import versus
from envsuite.tower_defense.kernel.world import BulwarkWorld
from envsuite.tower_defense.levels.level import Level
from envsuite.tower_defense.state import VERSUS_ACTION, VERSUS_INFO, VERSUS_VECTOR


class BulwarkVersusWorld(BulwarkWorld):
    """A defender as in `BulwarkWorld`, and an attacker who buys the enemies of each wave and chooses their paths.

    Each wave has a budget: the points (health times speed) of the level's own wave. Both act in every decision; the
    attacker buys one enemy at a time, for the next wave, and what is not spent when that wave starts is lost. An enemy
    that arrives is -1 for the defender and 1 for the attacker.

    Args:
        level: 1 to 5; ``"multi"``, one of these in every episode; ``"procedural"``, a level made at random in every
            episode; the path of a level file; or a `Level`.
        decision_ticks: twentieths of a second between decisions, 1 to 400.
        fog: whether there is any.
        friendly_fire: whether a blaze hurts one's own guards.
        difficulty: of procedural levels, 0 to 10.
        pool: how many procedural levels there are.
        first_level: number of the first of them.

    Raises:
        ValueError: an option out of range, by name and value.
        LevelError: a level that the engine cannot play.
    """

    agents = ("defender_0", "attacker_0")
    info_dtype = VERSUS_INFO

    @property
    def loops(self):
        """Of both sides."""
        return versus.LOOPS

    def __init__(
        self,
        *,
        level: "int | str | Level" = "multi",
        decision_ticks: int = 10,
        fog: bool = True,
        friendly_fire: bool = True,
        difficulty: float = 4.0,
        pool: int = 32,
        first_level: int = 0,
    ):
        super().__init__(
            level=level,
            decision_ticks=decision_ticks,
            fog=fog,
            friendly_fire=friendly_fire,
            difficulty=difficulty,
            pool=pool,
            first_level=first_level,
        )
        self.action, self.observation = VERSUS_ACTION, VERSUS_VECTOR
        self.params["versus"] = 1
