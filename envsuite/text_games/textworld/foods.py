"""Foods of the cooking game, what may be done with them, and where they lie.

The foods, their places, splits and preparations are those of TextWorld's ``tw-cooking``, the game of the competition
"First TextWorld Problems" (2019).
"""

from typing import NamedTuple

import numpy as np

from envsuite.text_games.textworld.state import (
    CHOPPED,
    DICED,
    DRINKABLE,
    EDIBLE,
    FRIED,
    GRILLED,
    INEDIBLE,
    NEEDS_COOKING,
    RAW,
    ROASTED,
    SLICED,
    UNCUT,
)

FRESH = EDIBLE | RAW | UNCUT
TOUGH = INEDIBLE | NEEDS_COOKING | UNCUT
MEAT = INEDIBLE | NEEDS_COOKING
HERB = EDIBLE | UNCUT
READY = EDIBLE
OIL = INEDIBLE
DRINK = INEDIBLE | DRINKABLE

COLD = ("fridge", "garden")
ROOT = ("counter", "garden")
BOUGHT = ("fridge", "showcase")
DRY = ("shelf", "showcase")

SPLITS = ("train", "valid", "test")
ALL = len(SPLITS)
"""Index of the split that holds all foods and preparations."""

COOKINGS = {"r": 0, "f": FRIED, "o": ROASTED, "g": GRILLED}
CUTS = {"u": 0, "c": CHOPPED, "s": SLICED, "d": DICED}
PREPARATIONS = tuple((heat, cut) for heat in COOKINGS.values() for cut in CUTS.values())
"""Heat and cut of each way to prepare food; 0 for raw and uncut."""


class Food(NamedTuple):
    """A food.

    Attributes:
        name: what it is called.
        traits: that it has in the beginning.
        places: furniture or rooms where it may lie.
        split: the first that has it; later ones have it with other preparations.
        train: preparations in training, such as ``"fc"`` for fried and chopped; empty for all that its traits allow.
        valid: in validation.
        test: in the test.
    """

    name: str
    traits: int
    places: tuple[str, str]
    split: str
    train: str = ""
    valid: str = ""
    test: str = ""

    def preparations(self, split: int) -> list[tuple[int, int]]:
        """Heat and cut of all preparations in a split; none if it does not have this food."""
        if split < ALL and self.train:
            return [(COOKINGS[one[0]], CUTS[one[1]]) for one in (self.train, self.valid, self.test)[split].split()]
        if split < ALL and self.split != SPLITS[split]:
            return []
        heats = [FRIED, ROASTED, GRILLED] * bool(self.traits & (RAW | NEEDS_COOKING))
        heats += [0] * (not self.traits & NEEDS_COOKING)
        cuts = list(CUTS.values()) if self.traits & UNCUT else [0]
        return [(heat, cut) for heat in heats for cut in cuts]


FOODS = (
    Food("banana", FRESH, ROOT, "train", "fc fd fs gc gd gs od os rs", "gu oc ou rd", "fu rc ru"),
    Food("black pepper", READY, DRY, "train", "ru", "ru", "ru"),
    Food("block of cheese", FRESH, BOUGHT, "train", "fd fu gc gd gs oc rc rs ru", "gu od os rd", "fc fs ou"),
    Food("carrot", FRESH, COLD, "train", "fc fs gs gu os ou rc rs ru", "fu gc oc od", "fd gd rd"),
    Food("chicken breast", MEAT, BOUGHT, "valid"),
    Food("chicken leg", MEAT, BOUGHT, "train", "gu", "fu", "ou"),
    Food("chicken wing", MEAT, BOUGHT, "train", "gu", "ou", "fu"),
    Food("cilantro", HERB, COLD, "train", "rd ru", "rs", "rc"),
    Food("egg", MEAT, BOUGHT, "test"),
    Food("flour", READY, DRY, "train", "ru", "ru", "ru"),
    Food("green apple", FRESH, ROOT, "valid"),
    Food("green bell pepper", FRESH, COLD, "valid"),
    Food("green hot pepper", FRESH, ROOT, "test"),
    Food("lettuce", FRESH, COLD, "valid"),
    Food("milk", DRINK, BOUGHT, "test"),
    Food("olive oil", OIL, DRY, "train", "ru", "ru", "ru"),
    Food("orange bell pepper", FRESH, COLD, "train", "fd gc gs gu od os rc rs ru", "fs fu oc rd", "fc gd ou"),
    Food("parsley", HERB, COLD, "train", "rd rs", "ru", "rc"),
    Food("peanut oil", OIL, DRY, "valid"),
    Food("pork chop", TOUGH, BOUGHT, "train", "fc fs fu gd gu od os", "fd oc ou", "gc gs"),
    Food("purple potato", TOUGH, ROOT, "train", "fc fd fs gd od os ou", "fu gc gu", "gs oc"),
    Food("red apple", FRESH, ROOT, "train", "fd fs gd gs oc os rd rs ru", "fc gu od rc", "fu gc ou"),
    Food("red bell pepper", FRESH, COLD, "valid"),
    Food("red hot pepper", FRESH, ROOT, "train", "fc fs fu gc gs os ou rc rs", "gd oc od rd", "fd gu ru"),
    Food("red onion", FRESH, COLD, "train", "fd fs gd gs od ou rd rs ru", "fc fu gc oc", "gu os rc"),
    Food("red potato", TOUGH, ROOT, "train", "fc fd fs fu gc od os", "gd gs oc", "gu ou"),
    Food("red tuna", TOUGH, BOUGHT, "valid"),
    Food("salt", READY, DRY, "train", "ru", "ru", "ru"),
    Food("sugar", READY, DRY, "test"),
    Food("tomato", FRESH, ROOT, "test"),
    Food("vegetable oil", OIL, DRY, "valid"),
    Food("water", DRINK, BOUGHT, "train", "ru", "ru", "ru"),
    Food("white onion", FRESH, COLD, "train", "fd gc gu oc od os ou rc rs", "fc fu gs rd", "fs gd ru"),
    Food("white tuna", TOUGH, BOUGHT, "test"),
    Food("yellow apple", FRESH, ROOT, "test"),
    Food("yellow bell pepper", FRESH, COLD, "train", "fc fs fu gs gu oc od ou rd", "fd os rc rs", "gc gd ru"),
    Food("yellow onion", FRESH, COLD, "test"),
    Food("yellow potato", TOUGH, ROOT, "train", "fc fd fs gc gs oc ou", "gd gu od", "fu os"),
)

ALLOWED = np.array(
    [[[way in food.preparations(split) for way in PREPARATIONS] for food in FOODS] for split in range(ALL + 1)],
    np.uint8,
)
"""(splits + 1, foods, preparations), 1 for what a split allows."""
TRAITS_OF = np.array([food.traits for food in FOODS], np.uint16)
"""(foods,) traits in the beginning."""
HEAT_OF, CUT_OF = (np.array(column, np.uint16) for column in zip(*PREPARATIONS, strict=True))
"""(preparations,) the traits that each gives."""


def _alike(end: int) -> np.ndarray:
    words = [food.name.split() for food in FOODS]
    return np.array([[len(a) > 1 and a != b and a[end] == b[end] for b in words] for a in words], np.uint8)


SAME_BEGINNING, SAME_ENDING = _alike(0), _alike(-1)
"""(foods, foods) 1 where a name of several words begins, or ends, with the same word as another."""
