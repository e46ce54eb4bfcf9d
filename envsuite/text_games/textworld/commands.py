"""Commands as texts."""

from collections.abc import Sequence

import numpy as np

from envsuite.text_games.textworld.phrases import COMMANDS
from envsuite.text_games.textworld.state import DIRECTIONS, GO


def name_of(state: np.void, names: Sequence[str], x: int) -> str:
    """What an object is called.

    Args:
        state: a record `State`.
        names: that it refers to.
        x: a thing, or `things` plus a door.
    """
    g, things = state["game"], len(state["place"])
    return names[g["thing_name"][x]] if x < things else names[g["door_name"][x - things]]


def command_text(state: np.void, names: Sequence[str], verb: int, first: int, second: int) -> str:
    """A command as the player would write it.

    Args:
        state: a record `State`.
        names: that it refers to.
        verb: see `envsuite.text_games.textworld.state.VERBS`.
        first: its object.
        second: its other object; -1 for none.
    """
    objects = [DIRECTIONS[x] if verb == GO else name_of(state, names, x) for x in (first, second) if x >= 0]
    return COMMANDS[2 * verb + (second >= 0)].format(*objects)


def possible_commands(state: np.void, names: Sequence[str]) -> list[str]:
    """All commands that are possible now, in the order of actions.

    Args:
        state: a record `State`.
        names: that it refers to.
    """
    rows = state["commands"][: int(state["command_count"])].tolist()
    return [command_text(state, names, *row) for row in rows]
