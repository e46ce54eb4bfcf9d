"""The reference policy, which sees the true state."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.core.fmath import real
from envsuite.core.jit import kernel, records
from envsuite.quadcopters.gpd import pilot

MISS = (0.02, 0.02, -0.03)  # m


@kernel
def _act(states, params, actions):
    p = params[0]
    zero = real(0.0, p.near)
    x, y, z = zero, zero, zero
    if p.flight.compat:
        # the original ends an episode with all drones at their targets, and with it the rewards
        x, y, z = real(MISS[0], zero), real(MISS[1], zero), real(MISS[2], zero)
    for i in range(states.shape[0]):
        s = states[i]
        for n in range(s.drones.shape[0]):
            target = (p.target[n, 0] + x, p.target[n, 1] + y, p.target[n, 2] + z)
            pilot.steer(s.drones[n], p.flight, target, actions[i, n])


class Pilot:
    """Flies every drone to its target and keeps the heading, see `gpd.pilot`.

    Args:
        params: the world's parameter record, shape (1,).
        shape: of one drone's action.
    """

    def __init__(self, params: np.ndarray, shape: tuple[int, ...]):
        self._params = records(params)
        self._shape = shape

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, drones, *A)."""
        actions = np.zeros((*states["drones"].shape, *self._shape), np.float32)
        _act(states, self._params, actions)
        return actions


class QuadMultiHoverPlayers(Players):
    """The reference policy."""

    def expert(self):
        """A pilot that knows the true state."""
        return Pilot(self.world.params, self.world.action.shape)
