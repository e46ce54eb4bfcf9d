"""Digits."""

from envsuite.core.companions import Controls


class SplitControls(Controls):
    """Digits keep so many of each kind."""

    def keys(self):
        """Digits keep so many of each kind."""
        numbers = {(str(k),): (k,) * len(self.world.kinds) for k in range(10)}
        return {key: (*one, *(0,) * self.world.letters) for key, one in numbers.items()}
