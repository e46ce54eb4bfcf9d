"""Keys for games of two players in turn."""

from envsuite.core import Controls

KEYS = "0123456789abcdefghijklmnopqrstuvwxyz"


class TurnControls(Controls):
    """Digits, then letters, in the order of the actions."""

    def keys(self):
        """The first 36 actions."""
        return {(key,): k for k, key in enumerate(KEYS[: len(self.world.action.names)])}
