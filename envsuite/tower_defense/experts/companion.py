"""Reference players."""

from envsuite.core.companions import Players


class BulwarkPlayers(Players):
    """Who plays in `BulwarkWorld`."""

    def expert(self):
        """The scripted player S3."""
        from envsuite.tower_defense.experts import Scripted

        return Scripted(self.world)


class BulwarkVersusPlayers(BulwarkPlayers):
    """Who plays in `BulwarkVersusWorld`."""

    def expert(self):
        """The scripted defender S3 against the attacker that looks for gaps."""
        from envsuite.tower_defense.experts import Contest

        return Contest(self.world)
