"""Commands as texts, as ALFWorld writes them."""

import numpy as np

from envsuite.text_games.household.names import NAMES, ROOM_NAMES
from envsuite.text_games.household.phrases import COMMANDS
from envsuite.text_games.household.state import MOST_SPOTS, THINGS


def name_of(state: np.void, x: int) -> str:
    """What an object is called.

    Args:
        state: a record `envsuite.text_games.household.state.State`.
        x: a thing, `THINGS` plus a receptacle, or `THINGS` + `MOST_SPOTS` plus a room.
    """
    g, spot = state["game"], x - THINGS
    if spot < 0:
        return NAMES[g["thing_name"][x]]
    if spot < MOST_SPOTS:
        return NAMES[g["spot_name"][spot]]
    return NAMES[ROOM_NAMES + g["room_kind"][spot - MOST_SPOTS]]


def command_text(state: np.void, verb: int, first: int, second: int) -> str:
    """A command as the player would write it.

    Args:
        state: a record `envsuite.text_games.household.state.State`.
        verb: see `envsuite.text_games.household.state.VERBS`.
        first: its object; -1 for none.
        second: its other object; -1 for none.
    """
    objects = [name_of(state, x) for x in (first, second) if x >= 0]
    return COMMANDS[2 * verb + (second >= 0)].format(*objects)


def possible_commands(state: np.void) -> list[str]:
    """All commands that are possible now, in the order of actions.

    Args:
        state: a record `envsuite.text_games.household.state.State`.
    """
    rows = state["commands"][: int(state["command_count"])].tolist()
    return [command_text(state, *row) for row in rows]
