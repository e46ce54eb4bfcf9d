"""The referee."""

from envsuite.core.companions import Referee


class BulwarkReferee(Referee):
    """How play is judged in `BulwarkWorld`."""

    comparable = frozenset({"actions", "bins", "senses", "words", "decision_ticks"})

    def auditor(self):
        """Counts how many commands are valid."""
        from envsuite.tower_defense.validity import BulwarkAuditor

        return BulwarkAuditor()


class BulwarkVersusReferee(BulwarkReferee):
    """How play is judged in `BulwarkVersusWorld`."""

    zero_sum = True

    def auditor(self):
        """Nobody: counts of one player's commands say nothing of two."""
        return None
