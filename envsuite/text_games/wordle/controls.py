"""People play Wordle in words, not by keys."""

from envsuite.core import Controls


class WordleControls(Controls):
    """None: an action is a word."""

    def keys(self):
        """None."""
        return {}
