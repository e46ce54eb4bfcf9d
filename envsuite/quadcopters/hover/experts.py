"""The reference policy: the geometric controller."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.core.fmath import real
from envsuite.core.jit import kernel, records
from envsuite.quadcopters.controllers import geometric


@kernel
def control_batch(states, params, gains, actions):
    """Write the controller's normalised action for every instance; states are left as they were."""
    p, gain = params[0], gains[0]
    zero = real(0.0, p.dt)
    rest = (zero, zero, zero)
    for i in range(states.shape[0]):
        body = states[i].body
        before = (body.command[0], body.command[1], body.command[2], body.command[3])
        geometric.control(body, p.vehicle, gain, rest, rest, rest, zero)
        for k in range(4):
            actions[i, k] = np.float32(real(2.0, p.dt) * body.command[k] / p.vehicle.command_high - real(1.0, p.dt))
        body.command[0], body.command[1], body.command[2], body.command[3] = before


class GeometricExpert:
    """The "robust" geometric controller holding the origin.

    Args:
        world: a `envsuite.quadcopters.hover.kernel.HoverWorld`.
    """

    def __init__(self, world):
        scalar = np.dtype(world.precision).type
        gain = geometric.gains("robust", world.vehicle, timestep=float(world.params[0]["dt"]), scalar=scalar)
        self._gains = np.recarray(1, gain.dtype)
        self._gains[0] = gain
        self._params = records(world.params)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Motor commands, float32 (n, 4)."""
        actions = np.zeros((len(states), 4), np.float32)
        control_batch(states, self._params, self._gains.view(type(states)), actions)
        return actions


class HoverPlayers(Players):
    """The geometric controller."""

    def expert(self):
        """The geometric controller, which knows the true state and the vehicle."""
        return GeometricExpert(self.world)
