"""How people fight: keys to actions."""

from typing import Any

import numpy as np

from envsuite.core import Choice, Controls
from envsuite.fighting.params import BUTTON_NAMES, MACRO_NAMES

_WAYS = {
    5: (), 4: ("a",), 6: ("d",), 8: ("w",), 2: ("s",), 7: ("w", "a"), 9: ("w", "d"), 1: ("s", "a"), 3: ("s", "d"),
}  # fmt: skip
_ARROWS = {"a": "left", "d": "right", "w": "up", "s": "down"}
_BUTTONS = {
    "none": (), "LP": ("u",), "MP": ("i",), "HP": ("o",), "LK": ("j",), "MK": ("k",), "HK": ("l",),
    "throw": ("u", "j"), "punches": ("u", "i"), "kicks": ("j", "k"),
}  # fmt: skip
_SPECIALS = {
    "throw": "space",
    "special_236": "1",
    "special_623": "2",
    "special_214": "3",
    "special_22": "4",
    "super": "5",
}


class FightControls(Controls):
    """Keyboards of one player and of two."""

    def keys(self):
        """Keys w, a, s, d or arrows for directions, u, i, o for punches, j, k, l for kicks.

        Directions are those of the screen with ``actions="buttons"``, otherwise d is forward. Encodings with named
        specials have them on 1 to 5, and throws on space.
        """
        table = _table(self.world, {}, {}) | _table(self.world, _ARROWS, {})
        if isinstance(self.world.action, Choice):
            for name, key in _SPECIALS.items():
                table[(key,)] = self.world.action.names.index(name)
        return table

    def shared_keys(self):
        """Two people: w, a, s, d with f, g, h and v, b, n; arrows with u, i, o and j, k, l."""
        if len(self.world.agents) < 2:
            return ()
        left = dict(zip("uiojkl", "fghvbn", strict=True))
        return _table(self.world, {}, left), _table(self.world, _ARROWS, {})


def _table(world, ways: dict[str, str], presses: dict[str, str]) -> dict[tuple[str, ...], Any]:
    """Keys to action with other keys for directions and buttons."""
    table = {}
    for direction, way in _WAYS.items():
        for button, press in _BUTTONS.items():
            action = _pressed(world, direction, button)
            if action is not None:
                table[(*(ways.get(key, key) for key in way), *(presses.get(key, key) for key in press))] = action
    return table


def _pressed(world, direction: int, button: str) -> Any:
    """The action of a direction and a button, None where the encoding has none."""
    if world.form == "multidiscrete":
        return np.array([direction - 1, BUTTON_NAMES.index(button)])
    if world.form == "buttons":
        ways = (direction >= 7, direction <= 3, direction % 3 == 1, direction % 3 == 0)
        names = {"throw": ("LP", "LK"), "punches": ("LP", "MP"), "kicks": ("LK", "MK")}.get(button, (button,))
        return np.array([*ways, *(name in names for name in BUTTON_NAMES[1:7])], np.int64)
    if world.form == "queue":
        macro = _macro(direction, button)
        return None if macro is None else np.array([macro, len(MACRO_NAMES), len(MACRO_NAMES)])
    if world.form == "macro24":
        return _macro(direction, button)
    names = world.action.names
    if button == "none":
        return direction - 1
    return names.index(button) if direction == 5 and button in names else None


def _macro(direction: int, button: str) -> int | None:
    """The macro of a direction or a button, None where there is none."""
    if button == "none":
        ways = {5: "idle", 4: "stand_block", 6: "forward", 8: "jump_neutral", 2: "crouch_block", 7: "jump_back"}
        return MACRO_NAMES.index({**ways, 9: "jump_forward", 1: "crouch_block", 3: "crouch_block"}[direction])
    macros = {"LP": "jab", "LK": "low_jab", "MK": "poke", "HK": "sweep", "HP": "anti_air", "MP": "jump_in"}
    return MACRO_NAMES.index(macros[button]) if direction == 5 and button in macros else None
