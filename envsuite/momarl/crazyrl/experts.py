"""The reference policy of the drone tasks."""

import numpy as np

from envsuite.core import fmath
from envsuite.core.companions import Players
from envsuite.core.jit import kernel
from envsuite.momarl.crazyrl.params import HEIGHT, STRIDE

_LOW, _ROOM = 0.15, 0.5  # m: lowest flight; distance to the target within which it is avoided


class Spreaders:
    """Drones that fly away from each other, along the gradient of the sum of their distances, and around the target.

    With equal weights that is what counts: approaching pays a few metres in a whole episode, spreading as much a step.

    Args:
        world: a `CrazyRLWorld`.
    """

    def __init__(self, world):
        self._size = np.float32(world.params[0]["half"])
        self._drones = len(world.agents)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The moves of all drones."""
        actions = np.zeros((len(states), self._drones, 3), np.float32)
        _spread(states, self._size, actions)
        return actions


@kernel
def _spread(states, size, actions):
    for i in range(states.shape[0]):
        s = states[i]
        for n in range(len(s.position)):
            _pull(s, n, actions[i, n])
            _stay(s, n, size, actions[i, n])


@kernel
def _pull(s, n, out):
    """Direction away from the others, and from the target where it is near, with a largest component of 1."""
    x, y, z = np.float32(0.0), np.float32(0.0), np.float32(0.0)
    for m in range(-1, len(s.position)):
        if m == n:
            continue
        if m < 0:
            a, b, c = s.target[0], s.target[1], s.target[2]
        else:
            a, b, c = s.position[m, 0], s.position[m, 1], s.position[m, 2]
        a, b, c = s.position[n, 0] - a, s.position[n, 1] - b, s.position[n, 2] - c
        away = fmath.sqrt(a * a + b * b + c * c) + np.float32(1e-6)
        pull = np.float32(1.0) / away
        if m < 0:
            pull = np.float32(8.0) / away if away < np.float32(_ROOM) else np.float32(0.0)
        x, y, z = x + pull * a, y + pull * b, z + pull * c
    largest = max(abs(x), abs(y), abs(z), np.float32(1e-6))
    out[0], out[1], out[2] = x / largest, y / largest, z / largest


@kernel
def _stay(s, n, size, out):
    """No move beyond the walls or near the floor."""
    for k in range(3):
        low = np.float32(_LOW) if k == 2 else -size
        high = np.float32(HEIGHT) if k == 2 else size
        stride = np.float32(STRIDE)
        out[k] = min(max(out[k], (low - s.position[n, k]) / stride), (high - s.position[n, k]) / stride)
        out[k] = min(max(out[k], np.float32(-1.0)), np.float32(1.0))


class CrazyRLPlayers(Players):
    """Drones that keep apart."""

    def expert(self):
        """Drones that keep away from each other; see `experts.Spreaders`."""
        return Spreaders(self.world)
