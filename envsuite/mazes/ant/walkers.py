"""The frozen low-level controllers of the ants: networks that walk at wanted velocities.

The strong ant is moved by the expert of ``Ant``, the network of the baseline ``ppo/Ant`` (seed 0, 8 million steps),
which runs along +x; the weak one by a network that `baselines/walkers.py` trained to walk at velocities.
"""

from pathlib import Path

import numpy as np

from envsuite.agents import onnx
from envsuite.core.jit import kernel, records
from envsuite.mazes.ant import direction, running
from envsuite.mazes.ant.frames import frame_of

NETWORKS = {
    "strong": Path(__file__).parents[2] / "locomotion" / "policies" / "Ant-expert.onnx",
    "weak": Path(__file__).parent / "weak.onnx",
}


@kernel
def _sense_to_run(states, wanted, features):
    for i in range(states.shape[0]):
        if wanted[i, 0] != 0.0 or wanted[i, 1] != 0.0:
            running.sense(states[i], wanted[i, 0], wanted[i, 1], features[i])


@kernel
def _run(states, wanted, moves, actions):
    for i in range(states.shape[0]):
        if wanted[i, 0] != 0.0 or wanted[i, 1] != 0.0:
            running.move(frame_of(states[i].body, wanted[i, 0], wanted[i, 1]), moves[i], actions[i])


@kernel
def _sense_to_walk(states, wanted, features):
    for i in range(states.shape[0]):
        direction.sense(states[i].body, wanted[i, 0], wanted[i, 1], features[i])


@kernel
def _walk(states, wanted, moves, actions):
    for i in range(states.shape[0]):
        direction.move(frame_of(states[i].body, wanted[i, 0], wanted[i, 1]), moves[i], actions[i])


KINDS = {
    "strong": (running.FEATURES, _sense_to_run, _run),
    "weak": (direction.FEATURES, _sense_to_walk, _walk),
}
"""By ant: how many numbers the network sees, what writes them, what makes torques of the network's output. The strong
ant runs at one speed, or lets its legs hang."""

PACE = {"strong": 1.0, "weak": 0.8}
"""Parts of the top speed that are asked of the networks at most. In OGBench's large and giant mazes the weak ant gets
to 94 % of the goals at 0.8, to 76 % at 1 and to 86 % at 0.6 (means of 100 episodes in each)."""


class Walker:
    """Moves ants at velocities that somebody else wants.

    Args:
        ant: ``"strong"``, Gymnasium's, or ``"weak"``, that of D4RL and OGBench.
    """

    def __init__(self, ant: str):
        self._size, self._sense, self._move = KINDS[ant]
        self._pace = PACE[ant]
        self._network = onnx.load(NETWORKS[ant])

    def act(self, states: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """Torques.

        Args:
            states: (n,) records of type `envsuite.mazes.ant.body.State`.
            wanted: float64 (n, 2), velocities in the world as parts of the top speed, of length 1 at most.

        Returns:
            float32 (n, 8).
        """
        count = len(states)
        features, actions = np.zeros((count, self._size)), np.zeros((count, 8), np.float32)
        states, wanted = records(states), self._pace * wanted
        self._sense(states, wanted, features)
        self._move(states, wanted, self._network.act(features, states), actions)
        return actions
