"""Rivals or not."""

from envsuite.core.companions import Referee


class IngeniousReferee(Referee):
    """Players are rivals unless they share their points."""

    @property
    def zero_sum(self) -> bool:  # ty: ignore[incompatible-property-override]
        """Unless players share their points."""
        return self.world.zero_sum
