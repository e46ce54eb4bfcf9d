"""What rooms, doors and things are called. A name is an index into `NAMES`; kinds of names are runs of it."""

from typing import NamedTuple

from envsuite.text_games.textworld.foods import FOODS

ROOM_NOUNS = (
    "attic",
    "ballroom",
    "basement",
    "chapel",
    "cloakroom",
    "closet",
    "conservatory",
    "courtyard",
    "dining room",
    "dormitory",
    "foyer",
    "gallery",
    "greenhouse",
    "guest room",
    "gym",
    "hall",
    "laboratory",
    "landing",
    "laundry",
    "library",
    "lounge",
    "mailroom",
    "museum",
    "music room",
    "nursery",
    "observatory",
    "office",
    "parlor",
    "playroom",
    "porch",
    "sauna",
    "scullery",
    "staircase",
    "storeroom",
    "studio",
    "study",
    "terrace",
    "vault",
    "veranda",
    "workshop",
)
ROOM_LOOKS = ("", "small ", "dusty ", "bright ", "narrow ", "quiet ")

CONTAINERS = (
    "basket",
    "box",
    "cabinet",
    "chest",
    "coffer",
    "crate",
    "cupboard",
    "drawer",
    "locker",
    "safe",
    "suitcase",
    "trunk",
    "wardrobe",
    "barrel",
    "bin",
    "casket",
    "hamper",
    "urn",
    "sack",
    "bucket",
)
SUPPORTERS = (
    "armchair",
    "bench",
    "bookcase",
    "desk",
    "dresser",
    "mantelpiece",
    "pedestal",
    "rack",
    "sideboard",
    "stool",
    "tea table",
    "window sill",
    "altar",
    "cot",
    "ledge",
    "mattress",
    "podium",
    "tray",
    "hearth",
    "plinth",
)
OBJECTS = (
    "anchor",
    "apron",
    "ball",
    "bell",
    "book",
    "brush",
    "candle",
    "clock",
    "compass",
    "cup",
    "diary",
    "dice",
    "fan",
    "flute",
    "glove",
    "hammer",
    "hat",
    "horseshoe",
    "kite",
    "lamp",
    "lantern",
    "magnet",
    "map",
    "mask",
    "mirror",
    "mug",
    "needle",
    "oar",
    "pen",
    "pillow",
    "ring",
    "rope",
    "scarf",
    "shell",
    "spoon",
    "statue",
    "stamp",
    "towel",
    "umbrella",
    "vase",
    "violin",
    "wallet",
    "whistle",
    "wreath",
    "yarn",
)
SNACKS = (
    "bagel",
    "biscuit",
    "cookie",
    "grape",
    "muffin",
    "olive",
    "orange",
    "peach",
    "pear",
    "plum",
    "pretzel",
    "sandwich",
    "waffle",
    "melon",
    "apricot",
    "fig",
    "lemon",
    "radish",
)
METALS = ("brass", "bronze", "chrome", "copper", "gold", "iron", "nickel", "silver", "steel", "tin")
"""Keys fit what has the same metal in its name."""

HOUSE_ROOMS = (
    "kitchen",
    "pantry",
    "livingroom",
    "corridor",
    "bedroom",
    "bathroom",
    "shed",
    "garden",
    "backyard",
    "driveway",
    "street",
    "supermarket",
    "living room",
)
HOUSE_DOORS = (
    "frosted-glass door",
    "plain door",
    "sliding patio door",
    "patio door",
    "screen door",
    "barn door",
    "wooden door",
    "front door",
    "fiberglass door",
    "sliding door",
    "commercial glass door",
)
FURNITURE = (
    "fridge",
    "counter",
    "table",
    "stove",
    "oven",
    "shelf",
    "BBQ",
    "patio table",
    "patio chair",
    "showcase",
    "sofa",
    "bed",
    "toilet",
    "workbench",
    "toolbox",
)
TOOLS = ("cookbook", "knife", "meal")
SIMPLE_THINGS = (
    "chest drawer",
    "antique trunk",
    "king-size bed",
    "kitchen island",
    "refrigerator",
    "sink",
    "bath",
    "couch",
    "low table",
    "tv",
    "bbq",
    "set of chairs",
    "toothbrush",
    "soap bar",
    "remote",
    "shovel",
    "note",
    "old key",
    "apple",
    "half of a bag of chips",
    "tomato plant",
    "bell pepper",
    "garlic",
    "kiwi",
    "coin",
    "bedroom table",
    "office chest",
    "living room table",
    "dining table",
    "bowl",
    "set of utensils",
    "stale food",
    "fresh food",
    "coffee cup",
    "plate",
    "fruit",
)


class Run(NamedTuple):
    """A run of names."""

    first: int
    count: int

    def part(self, split: str) -> "Run":
        """The names of a split.

        Args:
            split: ``"train"`` for the first half, ``"test"`` for the second, ``"all"`` for both.
        """
        half = self.count // 2
        return {"train": Run(self.first, half), "test": Run(self.first + half, self.count - half), "all": self}[split]


_names: list[str] = []


def _run(texts) -> Run:
    first = len(_names)
    _names.extend(texts)
    return Run(first, len(_names) - first)


def _lockable(nouns) -> list[str]:
    return [f"{metal} {noun}" for noun in nouns for metal in METALS]


ROOMS = _run(look + noun for look in ROOM_LOOKS for noun in ROOM_NOUNS)
PLAIN_CONTAINERS = _run(CONTAINERS)
PLAIN_SUPPORTERS = _run(SUPPORTERS)
PLAIN_OBJECTS = _run(OBJECTS)
PLAIN_FOODS = _run(SNACKS)
LOCKED_CONTAINERS = _run(_lockable(CONTAINERS))
"""Container c of metal m is number ``len(METALS) * c + m``."""
LOCKED_DOORS = _run(_lockable(("door",)))
KEYS = _run(_lockable(("key",)))
PLAIN_DOORS = _run(
    f"{look} door" for look in ("oak", "pine", "elm", "birch", "cedar", "green", "white", "grey", "blue", "low")
)
HOUSE_ROOM = _run(HOUSE_ROOMS)
HOUSE_DOOR = _run(HOUSE_DOORS)
FURNITURE_ITEM = _run(FURNITURE)
TOOL = _run(TOOLS)
FOOD_ITEM = _run(food.name for food in FOODS)
SIMPLE_THING = _run(SIMPLE_THINGS)

NAMES = tuple(_names)
NUMBER = {}
for _k, _name in enumerate(NAMES):
    NUMBER.setdefault(_name, _k)
