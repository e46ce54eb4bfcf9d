"""Kinds of things, receptacles and rooms, and what goes with what.

The lists are those of ALFRED (Shridhar et al. 2020, arXiv 1912.01734; ``gen/constants.py`` and ``gen/layouts`` in its
repository): what a receptacle can hold, what can be heated, cooled, cleaned and sliced, which things are in which room.
Its receptacles that can be carried (bowls, boxes, pans, ...) are things here and hold nothing.
"""

from importlib.resources import files

import numpy as np

ROOMS = ("kitchen", "livingroom", "bedroom", "bathroom")
KITCHEN, LIVINGROOM, BEDROOM, BATHROOM = range(len(ROOMS))

_TABLE = (
    "alarmclock apple baseballbat basketball book bowl box bread butterknife candle cd cellphone cloth creditcard cup "
    "dishsponge egg fork glassbottle handtowel kettle keychain knife ladle laptop lettuce mug newspaper pan papertowel "
    "pen pencil peppershaker plate pot potato remotecontrol saltshaker soapbar soapbottle spatula spoon spraybottle "
    "statue tennisracket tissuebox toiletpaper tomato vase watch wateringcan winebottle"
)
_DESK = (
    "alarmclock basketball book bowl box candle cd cellphone cloth creditcard cup glassbottle keychain laptop mug "
    "newspaper pen pencil plate remotecontrol spraybottle statue tennisracket tissuebox toiletpaper vase watch "
    "wateringcan winebottle"
)
_SEAT = "basketball book box cellphone cloth creditcard keychain laptop newspaper pillow remotecontrol"
HOLDS = {
    "armchair": _SEAT,
    "bathtubbasin": "cloth dishsponge handtowel soapbar",
    "bed": "baseballbat basketball book cellphone laptop newspaper pillow tennisracket",
    "cabinet": "book bowl box candle cd cloth cup dishsponge glassbottle handtowel kettle ladle mug newspaper pan "
    "peppershaker plate plunger pot saltshaker soapbar soapbottle spraybottle tissuebox toiletpaper vase wateringcan "
    "winebottle",
    "cart": "candle cloth dishsponge handtowel mug papertowel plunger soapbar soapbottle spraybottle statue tissuebox "
    "toiletpaper vase",
    "coffeemachine": "mug",
    "coffeetable": _TABLE,
    "countertop": _TABLE,
    "desk": f"{_DESK} soapbottle",
    "diningtable": _TABLE,
    "drawer": "book butterknife candle cd cellphone cloth creditcard dishsponge fork handtowel keychain knife ladle "
    "newspaper pen pencil peppershaker remotecontrol saltshaker soapbar soapbottle spatula spoon spraybottle tissuebox "
    "toiletpaper watch wateringcan",
    "dresser": _DESK,
    "fridge": "apple bowl bread cup egg glassbottle lettuce mug pan plate pot potato tomato winebottle",
    "garbagecan": "apple bread cd cloth dishsponge egg handtowel lettuce newspaper papertowel pen pencil potato "
    "soapbar soapbottle spraybottle tissuebox toiletpaper tomato winebottle",
    "handtowelholder": "handtowel",
    "laundryhamper": "cloth",
    "microwave": "apple bowl bread cup egg glassbottle mug plate potato tomato",
    "ottoman": _SEAT,
    "safe": "cd cellphone creditcard keychain statue vase watch",
    "shelf": "alarmclock book bowl box candle cd cellphone cloth creditcard cup dishsponge glassbottle handtowel "
    "kettle keychain mug newspaper papertowel pen pencil peppershaker plate pot remotecontrol saltshaker soapbar "
    "soapbottle spraybottle statue tissuebox toiletpaper vase watch wateringcan winebottle",
    "sidetable": _TABLE,
    "sinkbasin": "apple bowl butterknife cloth cup dishsponge egg fork glassbottle handtowel kettle knife ladle "
    "lettuce mug pan plate pot potato soapbar spatula spoon tomato",
    "sofa": _SEAT,
    "stoveburner": "kettle pan pot",
    "toaster": "",  # sliced bread alone
    "toilet": "candle cloth dishsponge handtowel newspaper papertowel soapbar soapbottle spraybottle tissuebox "
    "toiletpaper",
    "toiletpaperhanger": "toiletpaper",
    "towelholder": "towel",
    "tvstand": "tissuebox",
}
"""What each kind of receptacle can hold."""
HEATABLE = "apple bread cup egg mug plate potato tomato"
COOLABLE = "apple bowl bread cup egg lettuce mug pan plate pot potato tomato winebottle"
CLEANABLE = (
    "apple bowl butterknife cloth cup dishsponge egg fork kettle knife ladle lettuce mug pan plate pot potato soapbar "
    "spatula spoon tomato"
)
SLICEABLE = "apple bread lettuce potato tomato"
"""Of ALFRED's list all but eggs, of which no goal wants slices."""
SHARP = "butterknife knife"
THINGS_OF = (
    "apple bowl bread butterknife cellphone creditcard cup dishsponge egg fork glassbottle kettle knife ladle lettuce "
    "mug pan papertowel peppershaker plate pot potato saltshaker soapbottle spatula spoon statue tomato vase "
    "winebottle",
    "book bowl box candle cellphone creditcard keychain laptop newspaper pen pencil pillow plate remotecontrol statue "
    "tissuebox vase watch wateringcan",
    "alarmclock baseballbat basketball book bowl box cd cellphone cloth creditcard keychain laptop mug pen pencil "
    "pillow remotecontrol statue tennisracket tissuebox vase",
    "candle cloth dishsponge handtowel plunger soapbar soapbottle spraybottle tissuebox toiletpaper towel",
)
"""Things of each room: those that three or more of ALFRED's thirty have."""
LAMP_STANDS = "desk dresser sidetable"
OPENABLE = "cabinet drawer fridge microwave safe"
INSIDES = f"{OPENABLE} bathtubbasin coffeemachine garbagecan laundryhamper sinkbasin toaster"
"""Receptacles that things are in; they are on the others."""

SPOTS = tuple(HOLDS)
"""Kinds of receptacles."""
LAMP = "desklamp"
KINDS = (*sorted({name for names in (*HOLDS.values(), *THINGS_OF) for name in names.split()}), LAMP)
"""Kinds of things; the last one is the lamp, which stays where it is."""
DESKLAMP = len(KINDS) - 1


def _flags(names: str, among: tuple[str, ...]) -> np.ndarray:
    return np.array([name in names.split() for name in among], np.uint8)


NEVER, ALWAYS, WHEN_SLICED = range(3)
CAN_HOLD = np.array([_flags(names, KINDS) for names in HOLDS.values()], np.uint8)
"""uint8 (kinds of receptacles, kinds of things): never, always, or when it is sliced."""
CAN_HOLD[SPOTS.index("toaster"), KINDS.index("bread")] = WHEN_SLICED
CAN_HEAT, CAN_COOL, CAN_CLEAN, CAN_SLICE, IS_SHARP = (
    _flags(names, KINDS) for names in (HEATABLE, COOLABLE, CLEANABLE, SLICEABLE, SHARP)
)
"""uint8 (kinds of things,) each."""
CAN_OPEN, IS_INSIDE, HAS_LAMP = (_flags(names, SPOTS) for names in (OPENABLE, INSIDES, LAMP_STANDS))
"""uint8 (kinds of receptacles,) each."""
IN_ROOM = np.array([_flags(names, KINDS) for names in THINGS_OF], np.uint8)
"""uint8 (rooms, kinds of things)."""
MICROWAVE, FRIDGE, SINKBASIN = (SPOTS.index(name) for name in ("microwave", "fridge", "sinkbasin"))

PLANS, HELD_OUT = 30, 6
"""Floor plans of each room, and how many of them, the first ones, are held out; as in ALFRED."""


def _read_plans() -> np.ndarray:
    table = np.zeros((len(ROOMS), PLANS, len(SPOTS)), np.int16)
    text = files("envsuite.text_games.household").joinpath("floor_plans.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            title, _, rest = line.partition(":")
            room, number = title.split()
            for part in rest.split(","):
                count, name = part.split()
                table[ROOMS.index(room), int(number) - 1, SPOTS.index(name)] = int(count)
    return table


PLAN = _read_plans()
"""int16 (rooms, plans, kinds of receptacles): how many of each kind."""
