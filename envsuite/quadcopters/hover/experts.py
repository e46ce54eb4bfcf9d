"""Reference policies: the geometric controller, and steering by keys."""

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


def keyboard(hover: float) -> dict[tuple[str, ...], np.ndarray]:
    """Motor commands for held keys.

    Args:
        hover: normalised action that carries the weight.
    """
    climb, tilt, turn = 0.3, 0.01, 0.1
    changes = {
        ("w",): (climb, climb, climb, climb),
        ("s",): (-climb, -climb, -climb, -climb),
        ("up",): (-tilt, tilt, tilt, -tilt),
        ("down",): (tilt, -tilt, -tilt, tilt),
        ("left",): (tilt, tilt, -tilt, -tilt),
        ("right",): (-tilt, -tilt, tilt, tilt),
        ("a",): (-turn, turn, -turn, turn),
        ("d",): (turn, -turn, turn, -turn),
        (): (0.0, 0.0, 0.0, 0.0),
    }
    return {keys: np.array(change, np.float32) + np.float32(hover) for keys, change in changes.items()}


class HoverPlayers(Players):
    """Who plays in `HoverWorld`."""

    def expert(self):
        """The geometric controller, which knows the true state and the vehicle."""
        return GeometricExpert(self.world)
