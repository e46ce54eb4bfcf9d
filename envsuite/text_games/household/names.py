"""What rooms, receptacles and things are called. A name is an index into `NAMES`; kinds of names are runs of it."""

from envsuite.text_games.household.kinds import KINDS, ROOMS, SPOTS
from envsuite.text_games.household.state import COPIES, MOST_SPOTS

_PLURALS = {
    "bread": "loaves of bread",
    "butterknife": "butterknives",
    "knife": "knives",
    "box": "boxes",
    "potato": "potatoes",
    "tomato": "tomatoes",
    "watch": "watches",
}


def plural(kind: str) -> str:
    """What two things of a kind are called.

    Args:
        kind: of thing.
    """
    return _PLURALS.get(kind, f"{kind}s")


_RUNS = (
    ROOMS,
    SPOTS,
    KINDS,
    tuple(f"sliced {kind}" for kind in KINDS),
    tuple(plural(kind) for kind in KINDS),
    tuple(f"sliced {plural(kind)}" for kind in KINDS),
    tuple(f"{kind} {number}" for kind in SPOTS for number in range(1, MOST_SPOTS + 1)),
    tuple(f"{kind} {number}" for kind in KINDS for number in range(1, COPIES + 1)),
)
NAMES = tuple(name for run in _RUNS for name in run)
(
    ROOM_NAMES,
    SPOT_KIND_NAMES,
    KIND_NAMES,
    SLICED_NAMES,
    PLURAL_NAMES,
    SLICED_PLURAL_NAMES,
    SPOT_NAMES,
    THING_NAMES,
) = (sum(map(len, _RUNS[:k])) for k in range(len(_RUNS)))
"""Where each run begins. Receptacle n of a kind, from 0 on, is number ``MOST_SPOTS * kind + n`` of its run, and a thing
number ``COPIES * kind + n``."""
