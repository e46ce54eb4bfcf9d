"""The frozen low-level controllers of the ants: networks that walk at a wanted velocity.

How they were trained is in `baselines/walkers.py`.
"""

from pathlib import Path

import numpy as np

from envsuite.agents import onnx
from envsuite.core.jit import kernel, records
from envsuite.mazes.ant.direction import FEATURES, frame_of, move, sense

FOLDER = Path(__file__).parent / "networks"


@kernel
def _sense_batch(states, wanted, features):
    for i in range(states.shape[0]):
        sense(states[i].body, wanted[i, 0], wanted[i, 1], features[i])


@kernel
def _move_batch(states, wanted, moves, actions):
    for i in range(states.shape[0]):
        move(frame_of(states[i].body, wanted[i, 0], wanted[i, 1]), moves[i], actions[i])


class Walker:
    """Moves ants at velocities that somebody else wants.

    Args:
        ant: ``"strong"`` or ``"weak"``, see `envsuite.mazes.ant.direction.ANTS`.
    """

    def __init__(self, ant: str):
        self._network = onnx.load(FOLDER / f"{ant}.onnx")

    def act(self, states: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """Torques.

        Args:
            states: (n,) records with a field ``body``.
            wanted: float64 (n, 2), velocities in the world as parts of the top speed, of length 1 at most.

        Returns:
            float32 (n, 8).
        """
        count = len(states)
        features, actions = np.zeros((count, FEATURES)), np.zeros((count, 8), np.float32)
        states = records(states)
        _sense_batch(states, wanted, features)
        _move_batch(states, wanted, self._network.act(features, states), actions)
        return actions
