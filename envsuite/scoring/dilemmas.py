"""What a matrix of everybody against everybody says of players of a social dilemma.

Payoffs are those of the row's player against the column's, from games in which both sit on either side. The measures
are those of arXiv 2511.19405, and for the gap, of zero-shot coordination (Hu et al. 2020, "Other-play").
"""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Exploitation:
    """How a player fares against one that always defects.

    Attributes:
        gain: what the defector gets from the player beyond what it gets from its like; above 0, it pays to exploit it.
        loss: what the player gets less than two defectors get each; at most 0, it cannot be exploited.
    """

    gain: float
    loss: float


def cross_play(payoffs: Any) -> np.ndarray:
    """The matrix of mean payoffs of everybody against everybody.

    Args:
        payoffs: (games, n, n), of the row's player against the column's in each game.

    Returns:
        (n, n) float64.

    Raises:
        ValueError: another shape, or a number that is not finite.
    """
    found = np.asarray(payoffs, np.float64)
    if found.ndim != 3 or found.shape[1] != found.shape[2] or not found.size:
        raise ValueError(f"payoffs have the shape {found.shape}, expected (games, players, players)")
    if not np.isfinite(found).all():
        game, row, column = np.argwhere(~np.isfinite(found))[0]
        raise ValueError(f"the payoff of player {row} against {column} in game {game} is {found[game, row, column]}")
    return found.mean(axis=0)


def cross_play_gap(matrix: Any) -> float:
    """What players get with their like beyond what they get with the others, on average.

    Args:
        matrix: (n, n) mean payoffs, see `cross_play`; at least two players.

    Raises:
        ValueError: another shape.
    """
    table = _square(matrix, 2)
    count = len(table)
    own = np.trace(table) / count
    return float(own - (table.sum() - np.trace(table)) / (count * (count - 1)))


def exploitation(matrix: Any, player: int, defector: int) -> Exploitation:
    """How a player fares against one that always defects.

    Args:
        matrix: (n, n) mean payoffs, see `cross_play`.
        player: its row.
        defector: that of the one that always defects (or is greedy).

    Raises:
        ValueError: another shape, or a row that there is not.
    """
    table = _square(matrix, 1)
    for name, row in (("player", player), ("defector", defector)):
        if not 0 <= row < len(table):
            raise ValueError(f"{name} is {row}, expected 0 to {len(table) - 1}")
    both = table[defector, defector]
    return Exploitation(float(table[defector, player] - both), float(both - table[player, defector]))


def _square(matrix: Any, least: int) -> np.ndarray:
    table = np.asarray(matrix, np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or len(table) < least:
        raise ValueError(f"the matrix has the shape {table.shape}, expected (n, n) of at least {least} players")
    return table
