"""Shortest solutions that are kept up to date while a game is played."""

import numpy as np

from envsuite.text_games.textworld.search import MOST_NODES, search

Row = tuple[int, int, int]
"""Verb and arguments of a command."""

_CHANGING = ("game", "room", "door_state", "lid", "place", "traits", "completed", "failed")
"""Parts of the record on which a solution depends."""


def solve(state: np.void) -> list[Row] | None:
    """A shortest solution; None if the game is lost, has none, or none was found among `MOST_NODES` states.

    It takes 0.1 to 2 ms on one core, in the median of every environment of this package. Where not all that is needed
    can be carried (``drop=True``) it takes a second or two in houses of twelve rooms, and often finds none.

    Args:
        state: a record `State`.
    """
    if state["lost"]:
        return None
    if state["won"]:
        return []
    rows = search(np.array([state]), MOST_NODES)[0].tolist()
    return [tuple(row) for row in rows] or None


class Solution:
    """The shortest solution from where a game is. It is searched for where the last command did not follow it."""

    def __init__(self):
        self._key: bytes | None = None
        self._rows: list[Row] | None = None

    def of(self, state: np.void) -> list[Row] | None:
        """See `solve`.

        Args:
            state: a record `State`.
        """
        key = _key_of(state)
        if key != self._key:
            self._rows, self._key = solve(state), key
        return self._rows

    def after(self, state: np.void) -> list[Row] | None:
        """The solution after a command was given where `of` was asked for last.

        Args:
            state: the record that has come of it.
        """
        if self._rows and state["last"].item() == self._rows[0] and not state["lost"]:
            self._rows, self._key = self._rows[1:], _key_of(state)
        return self.of(state)


def _key_of(state: np.void) -> bytes:
    return b"".join(np.asarray(state[name]).tobytes() for name in _CHANGING)
