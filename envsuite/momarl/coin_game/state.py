"""The state record and the layouts of the coin game."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Choice, Vector
from envsuite.core.rng import STREAM
from envsuite.momarl.coin_game.params import NAMES


def state_dtype(size: int) -> np.dtype:
    """The record of an instance.

    Args:
        size: rows and columns of the torus.
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("place", np.uint8, (2, 2)),  # row and column of each agent
            ("coin", np.uint8, (2,)),  # likewise
            ("owner", np.uint8),  # of the coin
            ("taken", np.uint16, (2, 2)),  # by agent: own coins, coins of the other
            ("grid", np.uint8, (size, size)),  # scratch: where a new coin cannot lie
        ],
        align=True,
    )


# own, others: coins taken in this episode; kind: share of own ones, 1 before any is taken
INFO = np.dtype([("own", np.float32), ("others", np.float32), ("kind", np.float32)], align=True)

ACTION = Choice(NAMES)


def observation_layout(size: int) -> Vector:
    """What an agent sees.

    Args:
        size: rows and columns of the torus.
    """
    cells = size * size
    return Vector(
        (
            Block("self", cells, 0, 1, "", "1 where one is, row by row"),
            Block("other", cells, 0, 1, "", "1 where the other is"),
            Block("own coin", cells, 0, 1, "", "1 where the coin is, if it is one's own"),
            Block("other coin", cells, 0, 1, "", "1 where the coin is, if it is the other's"),
        )
    )
