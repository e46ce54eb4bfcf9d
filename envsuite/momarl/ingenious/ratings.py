"""The referee."""

from envsuite.core.companions import Referee


class IngeniousReferee(Referee):
    """How play is judged in `IngeniousWorld`."""

    @property
    def zero_sum(self) -> bool:  # ty: ignore[incompatible-property-override]
        """Unless players share their points."""
        return self.world.zero_sum
