"""Controls."""

from envsuite.core.companions import Controls
from envsuite.core.jit import records


class BulwarkControls(Controls):
    """How people steer in `BulwarkWorld`."""

    def keys(self):
        """Space lights a blaze, 0 buys hero health, a number and a letter build on a site (a is S0)."""
        from envsuite.tower_defense.language import keys

        return keys(self.world, records(self.world.params)[0])

    def click(self, place, held, state):
        """A click sends the hero; with 1, 2 or 3 held it builds, u upgrades, x sells, v shows the range, r, f."""
        from envsuite.tower_defense.language import clicked

        return clicked(place, held, self.world, records(self.world.params)[int(state["level"])])
