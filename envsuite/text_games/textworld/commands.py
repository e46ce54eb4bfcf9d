"""Commands as texts."""

from collections.abc import Sequence

import numpy as np

from envsuite.text_games.textworld.state import (
    DIRECTIONS,
    GO,
    INSERT,
    INVENTORY,
    LOOK,
    PREPARE,
    PUT,
    TAKE,
    VERBS,
)


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
    if verb in (LOOK, INVENTORY, PREPARE):
        return VERBS[verb]
    if verb == GO:
        return f"go {DIRECTIONS[first]}"
    what = f"{VERBS[verb]} {name_of(state, names, first)}"
    if second < 0:
        return what
    link = {TAKE: "from", PUT: "on", INSERT: "into"}.get(verb, "with")
    return f"{what} {link} {name_of(state, names, second)}"


def possible_commands(state: np.void, names: Sequence[str]) -> list[str]:
    """All commands that are possible now, in the order of actions.

    Args:
        state: a record `State`.
        names: that it refers to.
    """
    rows = state["commands"][: int(state["command_count"])].tolist()
    return [command_text(state, names, *row) for row in rows]
