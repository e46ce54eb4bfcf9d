"""Nobody steers eight motors with keys."""

from envsuite.core.companions import Controls


class WalkingControls(Controls):
    """None."""

    def keys(self):
        """No keys, rather than those of a ball."""
        return {}
