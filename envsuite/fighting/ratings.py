"""The referee."""

from envsuite.core.companions import Referee
from envsuite.fighting.params import LEVELS


class FightReferee(Referee):
    """How play is judged in `FightWorld`."""

    def auditor(self):
        """What is asked for, and what becomes of it."""
        from envsuite.fighting.audit import FightAuditor

        return FightAuditor(self.world.form)


class DuelVersusReferee(FightReferee):
    """How play is judged in `DuelVersusWorld`."""

    zero_sum = True


class DuelReferee(FightReferee):
    """How play is judged in `DuelWorld`."""

    def opponent(self, metrics):
        """A computer player by its level; policies have no names that hold from one fight to the next."""
        level = int(metrics["other_level"])
        return (f"level {level}", (float(metrics["won"]) + 1) / 2) if 0 < level <= LEVELS else None
