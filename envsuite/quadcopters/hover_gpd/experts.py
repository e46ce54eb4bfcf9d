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
    x, y, z = p.target[0], p.target[1], p.target[2]
    if p.flight.compat:
        # the original ends an episode at the target, and with it the rewards
        x, y, z = x + real(MISS[0], z), y + real(MISS[1], z), z + real(MISS[2], z)
    for i in range(states.shape[0]):
        if actions.ndim == 2:
            pilot.steer(states[i].drones[0], p.flight, (x, y, z), actions[i])
        else:
            pilot.steer(states[i].drones[0], p.flight, (x, y, z), actions[i, 0])


class Pilot:
    """Flies to the target and keeps the heading, see `gpd.pilot`.

    Args:
        params: the world's parameter record, shape (1,).
        shape: of one action.
    """

    def __init__(self, params: np.ndarray, shape: tuple[int, ...]):
        self._params = records(params)
        self._shape = shape

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, *A)."""
        actions = np.zeros((len(states), *self._shape), np.float32)
        _act(states, self._params, actions)
        return actions


class QuadHoverGPDPlayers(Players):
    """The reference policy."""

    def expert(self):
        """A pilot that knows the true state."""
        return Pilot(self.world.params, self.world.action.shape)
