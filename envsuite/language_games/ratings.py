"""How these games are judged."""

from envsuite.core import Referee


class TurnReferee(Referee):
    """One wins what the other loses."""

    zero_sum = True
