"""How far a player is from an equilibrium, in games that are small enough to tell."""

from dataclasses import dataclass

EXPLOITABILITY = "exploitability"
"""The metric of tracks whose scores are distances, not means over episodes."""


@dataclass(frozen=True)
class Distance:
    """A player's distance from an equilibrium.

    Attributes:
        exploitability: half of NashConv, in chips, or in games won less games lost.
        low: lower end of its interval; the number itself where the policy is known exactly.
        high: upper end.
        samples: answers in each information set; 0 where the policy is known exactly.
        uniform: exploitability of uniformly random play.
    """

    exploitability: float
    low: float
    high: float
    samples: int
    uniform: float

    def normalise(self, exploitability):
        """Exploitability on the scale on which uniformly random play is 0 and an equilibrium 1.

        Args:
            exploitability: of any player of the same game, a number or an array.
        """
        return 1 - exploitability / self.uniform

    @property
    def normalised(self) -> float:
        """The player's own exploitability on that scale."""
        return self.normalise(self.exploitability)
