"""The state record and the layouts of gem mining."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Choice, Vector
from envsuite.core.rng import STREAM


def state_dtype(villages: int, mines: int, objectives: int) -> np.dtype:
    """The record of an instance.

    Args:
        villages: number of agents.
        mines: number of mines.
        objectives: kinds of gems.
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("target", np.int16, (villages,)),  # mine of each village's workers, -1 before they are sent or at home
            ("working", np.int32, (mines,)),
            ("gems", np.int32, (mines, objectives)),
        ],
        align=True,
    )


def info_dtype(choices: int) -> np.dtype:
    """Metrics: the mask of mines in reach, and the team's expected gems, averaged over kinds.

    Args:
        choices: mines that the best connected village reaches.
    """
    return np.dtype([("action_mask", np.int8, (choices,)), ("expected", np.float32)], align=True)


def action_layout(choices: int) -> Choice:
    """Where to send the workers: ``m0`` is the mine with the village's own number, ``m1`` the next.

    Args:
        choices: mines that the best connected village reaches.
    """
    return Choice(tuple(f"m{k}" for k in range(choices)))


def observation_layout(choices: int, workers: int) -> Vector:
    """What a village knows: itself, always the same.

    Args:
        choices: mines that the best connected village reaches.
        workers: of the largest village.
    """
    return Vector(
        (
            Block("workers", 1, 0, workers, "", "of the village"),
            Block("reach", 1, 1, choices, "", "mines that it can send them to"),
            Block("action_mask", choices, 0, 1, "", "1 for a mine in reach"),
        )
    )
