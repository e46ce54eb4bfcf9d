"""Keyboard and mouse."""

from typing import Any

import numpy as np

from envsuite.core.companions import Pictures, companion
from envsuite.tower_defense.language.answers import TextFault, encoded
from envsuite.tower_defense.params import BLAZE, HEALTH, HERO, RALLY, REINFORCE, SELL, SHOW, UNIT, UPGRADE, WAIT

TOOLS = {"1": 0, "2": 1, "3": 2, "u": UPGRADE, "x": SELL, "v": SHOW, "r": RALLY, "f": REINFORCE}
"""Keys, and the commands that they and a click, or a site's letter, make."""


def keys(world, p: np.void) -> dict[tuple[str, ...], Any]:
    """Keyboard control: commands without a place, and those of sites by letters, the first site's a.

    Args:
        world: a `envsuite.tower_defense.kernel.BulwarkWorld`.
        p: parameters of the level.
    """
    table = {(): (WAIT, 0, 0), ("space",): (BLAZE, 0, 0), ("0",): (HEALTH, 0, 0)}
    if len(world.levels) == 1 or world.actions == "site":
        for k in range(int(p["site_count"])):
            x, y = p["sites"][k]
            for key, kind in TOOLS.items():
                if kind <= SELL:
                    table[key, chr(ord("a") + k)] = (kind, int(x) / UNIT, int(y) / UNIT)
    return {held: encoded(command, world, p) for held, command in table.items()}


def clicked(place: tuple[float, float], held: set[str], world, p: np.void) -> Any:
    """The action of a click on a frame, or None where it means nothing; see `TOOLS`.

    Args:
        place: across and down the frame, as shares.
        held: keys.
        world: a `envsuite.tower_defense.kernel.BulwarkWorld`.
        p: parameters of the level.
    """
    from envsuite.tower_defense.render import place_on_map

    spot = place_on_map(place, companion(world, Pictures).size)
    if spot is None:
        return None
    chosen = [kind for key, kind in TOOLS.items() if key in held]
    action = encoded((chosen[0] if chosen else HERO, spot[0] / UNIT, spot[1] / UNIT), world, p)
    return None if isinstance(action, TextFault) else action
