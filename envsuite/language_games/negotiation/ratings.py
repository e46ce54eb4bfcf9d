"""Rivals or not."""

from envsuite.core import Referee


class NegotiationReferee(Referee):
    """Who gains more wins, unless both are paid what they gain."""

    @property
    def zero_sum(self) -> bool:  # ty: ignore[incompatible-property-override]
        """Whether one wins what the other loses."""
        return self.world.payoff == "outcome"
