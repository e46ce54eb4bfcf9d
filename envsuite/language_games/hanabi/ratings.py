"""Both play for the same points."""

from envsuite.core import Referee


class HanabiReferee(Referee):
    """What one gains the other gains too: scores count both, twice the points."""
