"""Policies as tables: what a player does in each information set, looked up by what it observes."""

from pathlib import Path
from typing import Any

import numpy as np

_UNIT = 65_535
"""Probabilities lie in files as sixteen bits."""


class Table:
    """A policy: observations (m, *O) of players to move to probabilities (m, choices).

    Args:
        seen: (sets, *O) observations.
        profile: (sets, choices) probabilities.
    """

    def __init__(self, seen: np.ndarray, profile: np.ndarray):
        self.seen, self.profile = np.ascontiguousarray(seen), np.asarray(profile, np.float64)
        self._rows = {row.tobytes(): k for k, row in enumerate(self.seen)}

    def __call__(self, observations: np.ndarray) -> np.ndarray:
        """Look up.

        Raises:
            ValueError: an observation that no information set has.
        """
        given = np.ascontiguousarray(observations, self.seen.dtype)
        rows = [self._rows.get(one.tobytes(), -1) for one in given]
        if -1 in rows:
            raise ValueError(
                f"observation {given[rows.index(-1)].tolist()} is in none of the table's {len(self.seen)} information "
                "sets; expected one of a player to move, with the options that the table was made for"
            )
        return self.profile[rows]


def save_table(path: str | Path, table: Table) -> None:
    """Write a table as an NPZ file with the arrays ``seen`` and ``parts``, probabilities in 65,535ths.

    Args:
        path: ends in ``.npz``.
        table: the policy.
    """
    np.savez_compressed(path, seen=table.seen, parts=np.round(table.profile * _UNIT).astype(np.uint16))


def load_table(path: str | Path) -> Table:
    """Read a table; nothing is unpickled.

    Args:
        path: of `save_table`.

    Raises:
        ValueError: the file holds something else.
    """
    with np.load(path, allow_pickle=False) as file:
        found: dict[str, Any] = {name: file[name] for name in file.files}
    if set(found) != {"seen", "parts"} or found["seen"].shape[:1] != found["parts"].shape[:1]:
        raise ValueError(f"{path} holds {sorted(found)}, expected the arrays 'seen' and 'parts', a row each set")
    parts = found["parts"].astype(np.float64)
    return Table(found["seen"], parts / parts.sum(axis=1, keepdims=True))
