"""The referee."""

from envsuite.core.companions import Referee


class BreakthroughReferee(Referee):
    """How play is judged in `BreakthroughWorld`."""

    zero_sum = True
