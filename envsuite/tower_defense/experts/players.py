"""Who plays for reference."""

from envsuite.core import Players
from envsuite.tower_defense.experts.attackers import Contest
from envsuite.tower_defense.experts.scripted import Scripted


class BulwarkPlayers(Players):
    """Defenders."""

    def expert(self):
        """The scripted player S3."""
        return Scripted(self.world)


class BulwarkVersusPlayers(Players):
    """Both sides."""

    def expert(self):
        """The scripted defender S3 against the attacker that looks for gaps."""
        return Contest(self.world)
