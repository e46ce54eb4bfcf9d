"""The referee."""

from envsuite.core.companions import Referee


class PrisonersReferee(Referee):
    """How play is judged in `PrisonersWorld`."""

    zero_sum = True
