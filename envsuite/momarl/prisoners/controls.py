"""Controls."""

from envsuite.core.companions import Controls


class PrisonersControls(Controls):
    """How people steer in `PrisonersWorld`."""

    def keys(self):
        """The letters."""
        return {("a",): 0, ("b",): 1}
