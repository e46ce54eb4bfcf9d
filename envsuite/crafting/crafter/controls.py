"""Steering with keys, as the original's window has them."""

from envsuite.core import Controls
from envsuite.crafting.crafter.things import ACTIONS

_KEYS = {
    ("left",): "move_left",
    ("right",): "move_right",
    ("up",): "move_up",
    ("down",): "move_down",
    ("space",): "do",
    ("tab",): "sleep",
    ("r",): "place_stone",
    ("t",): "place_table",
    ("f",): "place_furnace",
    ("p",): "place_plant",
    ("1",): "make_wood_pickaxe",
    ("2",): "make_stone_pickaxe",
    ("3",): "make_iron_pickaxe",
    ("4",): "make_wood_sword",
    ("5",): "make_stone_sword",
    ("6",): "make_iron_sword",
}


class CrafterControls(Controls):
    """Arrows walk, the space bar acts, letters place and digits make; without a key nothing is done."""

    def keys(self):
        """Actions by key."""
        return {(): 0, **{keys: ACTIONS.index(name) for keys, name in _KEYS.items()}}
