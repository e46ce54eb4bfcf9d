"""The state record and the layouts of gem mining."""

import numpy as np

from envsuite.core import Block, Choice, Record, StateRecord, Vector, field


class State(StateRecord):
    """Where the workers are, and what they found."""

    target = field(type=np.int16, shape="villages", meaning="mine of each village's workers, -1 at home")
    working = field(type=np.int32, shape="mines", meaning="workers in each mine")
    gems = field(type=np.int32, shape=("mines", "objectives"), meaning="found")


class Info(Record):
    """The metrics."""

    action_mask = field(type=np.int8, shape="choices", meaning="1 for a mine in reach")
    expected = field(type=np.float32, meaning="gems of the team, averaged over kinds")


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
