"""Controls."""

from envsuite.core.companions import Controls


class FightControls(Controls):
    """How people steer in `FightWorld`."""

    def keys(self):
        """Arrows or w, a, s, d, and u, i, o, j, k, l for punches and kicks."""
        from envsuite.fighting.language import keys

        return keys(self.world)

    def shared_keys(self):
        """Two people: w, a, s, d with f, g, h, v, b, n, and arrows with u, i, o, j, k, l."""
        from envsuite.fighting.language import shared_keys

        return shared_keys(self.world)
