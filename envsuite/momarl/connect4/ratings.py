"""The referee."""

from envsuite.core.companions import Referee


class Connect4Referee(Referee):
    """How play is judged in `Connect4World`."""

    zero_sum = True
