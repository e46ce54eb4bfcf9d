"""Keyboard and mouse."""

from envsuite.core import Controls, Pictures, companion
from envsuite.core.jit import records
from envsuite.tower_defense.language.answers import TextFault, encoded
from envsuite.tower_defense.params import BLAZE, HEALTH, HERO, RALLY, REINFORCE, SELL, SHOW, UNIT, UPGRADE, WAIT
from envsuite.tower_defense.render import place_on_map

TOOLS = {"1": 0, "2": 1, "3": 2, "u": UPGRADE, "x": SELL, "v": SHOW, "r": RALLY, "f": REINFORCE}
"""Keys, and the commands that they and a click, or a site's letter, make."""


class TowerControls(Controls):
    """Letters choose a site (a is S0), digits what is built there, a click sends the hero."""

    def keys(self):
        """Space lights a blaze, 0 buys hero health; tools with a site's letter where its place is known."""
        world, p = self.world, records(self.world.params)[0]
        table = {(): (WAIT, 0, 0), ("space",): (BLAZE, 0, 0), ("0",): (HEALTH, 0, 0)}
        if len(world.levels) == 1 or world.actions == "site":
            for k in range(int(p["site_count"])):
                x, y = p["sites"][k]
                for key, kind in TOOLS.items():
                    if kind <= SELL:
                        table[key, chr(ord("a") + k)] = (kind, int(x) / UNIT, int(y) / UNIT)
        return {held: encoded(command, world, p) for held, command in table.items()}

    def click(self, place, held, state):
        """A click sends the hero; with one of `TOOLS` held it does that."""
        spot = place_on_map(place, companion(self.world, Pictures).size)
        if spot is None:
            return None
        chosen = [kind for key, kind in TOOLS.items() if key in held]
        command = (chosen[0] if chosen else HERO, spot[0] / UNIT, spot[1] / UNIT)
        action = encoded(command, self.world, records(self.world.params)[int(state["level"])])
        return None if isinstance(action, TextFault) else action
