"""The examples of gym-pybullet-drones: PID control along a helix, from where it starts there, and velocity steps."""

from typing import Any

import numpy as np

from envsuite.core import fmath
from envsuite.core.companions import Players
from envsuite.core.fmath import real
from envsuite.core.jit import kernel, records
from envsuite.quadcopters.control_gpd.params import HELIX_PERIOD, HELIX_RADIUS, HELIX_STEP
from envsuite.quadcopters.controllers import dsl_pid

_LEG = 2.0  # s to and fro, of velocities
_RISE = 0.5  # m, for drones that do not start on the helix


@kernel
def _act(states, params, memories, actions):
    p = params[0]
    zero = real(0.0, p.control_step)
    rest = (zero, zero, zero)
    for i in range(states.shape[0]):
        s = states[i]
        t = p.control_step * np.float32(s.clock.step)
        for n in range(s.drones.shape[0]):
            drone = s.drones[n]
            if p.velocity:
                actions[i, n, 0] = actions[i, n, 1] = 0.0
                # the first forward, the second to the side, the third upward, the next likewise; then back
                actions[i, n, 2] = 0.0
                half = np.int64(_LEG / p.control_step)
                actions[i, n, n % 3] = np.float32(1.0 if np.int64(s.clock.step) // half % 2 == 0 else -1.0)
                actions[i, n, 3] = 0.99
                continue
            angle = (2 * np.pi / HELIX_PERIOD) * t + real(HELIX_STEP, t) * np.float32(n) + real(0.5 * np.pi, t)
            sine, cosine = fmath.sincos(angle)
            place = (p.spawn[n, 0], p.spawn[n, 1], p.spawn[n, 2] + _RISE)
            if p.helix:
                place = (HELIX_RADIUS * cosine, HELIX_RADIUS * sine - HELIX_RADIUS, p.spawn[n, 2])
            before = (drone.command[0], drone.command[1], drone.command[2], drone.command[3])
            dsl_pid.control(
                drone, p.physics.vehicle, p.gains, memories[i, n], place, rest, p.heading[n], p.control_step
            )
            for k in range(4):
                actions[i, n, k] = np.float32(drone.command[k])
                drone.command[k] = before[k]


class Example:
    """Flies the drones as the examples do.

    Args:
        world: a `ControlWorld`.
    """

    def __init__(self, world: Any):
        self._params = records(world.params)
        self._memories: np.ndarray | None = None

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the controllers' memory of the masked instances."""
        if self._memories is not None and len(self._memories) == len(mask):
            self._memories[mask] = np.zeros((), self._memories.dtype)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, drones, 4)."""
        if self._memories is None or self._memories.shape != states["drones"].shape:
            scalar = self._params["control_step"].dtype.type
            self._memories = records(np.zeros(states["drones"].shape, dsl_pid.Memory.dtype(scalar)))
        actions = np.zeros((*states["drones"].shape, 4), np.float32)
        _act(states, self._params, self._memories, actions)
        return actions


class ControlPlayers(Players):
    """The reference policy."""

    def expert(self):
        """The PID example: along a helix with rotor speeds, if it starts there; to and fro with velocities."""
        return Example(self.world)
