"""The reference policy: the pilot with gains fitted to each episode's vehicle; it knows vehicle and disturbances."""

from typing import Any

import numpy as np

from envsuite.core import fmath
from envsuite.core.companions import Players
from envsuite.core.fmath import real
from envsuite.core.jit import kernel, records
from envsuite.quadcopters.controllers.geometric import PRESETS
from envsuite.quadcopters.flying import pilot
from envsuite.quadcopters.flying.settings import MOTOR

_FASTEST, _DAMPING, _MOST_LEAD = PRESETS["robust"][2:5]
_PATIENCE = 0.15 * _FASTEST  # the preset was tuned for a motor lag of 0.15 s
_CLIMB, _BRAKE = PRESETS["robust"][0], PRESETS["robust"][1]


@kernel
def fit(flying, vehicle):
    """Set the pilot's gains: attitude as fast as the rotors can turn the vehicle, position slower than that.

    Args:
        flying: record of `settings.Flying`; its `pilot` is written.
        vehicle: record of `params.VehicleRecord`.
    """
    gain, zero = flying.pilot, real(0.0, vehicle.mass)
    reach = zero
    for i in range(4):
        reach += max(vehicle.rotors[i, 1], 0.0)
    agility = reach * vehicle.max_rotor_thrust / vehicle.inertia[0]  # rad/s^2
    # a radian of error may take what the rotors have, and the loop may not be faster than they slow down
    lag = max(vehicle.motor_rise, vehicle.motor_fall)
    frequency = min(min(fmath.sqrt(agility), _FASTEST), _PATIENCE / lag)
    square = frequency * frequency
    gain.attitude[0] = gain.attitude[1] = square
    gain.attitude[2] = 0.1 * square
    gain.rates[0] = gain.rates[1] = (2.0 * _DAMPING) * frequency
    gain.rates[2] = 0.3 * gain.rates[0]
    slower = frequency / _FASTEST
    pace = min(2.0 * slower, 1.0)
    gain.position, gain.velocity = _CLIMB * pace * pace, _BRAKE * pace
    lag = min(vehicle.motor_rise, vehicle.motor_fall)
    gain.lead = min(_MOST_LEAD, 1.0 / (1.0 - fmath.exp(-flying.control_step / lag)))


@kernel
def _act(states, flyings, fitted, actions):
    flying = flyings[0]
    zero, one = real(0.0, flying.dt), real(1.0, flying.dt)
    rest = (zero, zero, zero)
    for i in range(states.shape[0]):
        craft, vehicle = states[i].craft, states[i].vehicle[0]
        if fitted:
            fit(flying, vehicle)
        lightness = 1.0 / vehicle.mass
        x, y = craft.push_force[0] + craft.buffet[0], craft.push_force[1] + craft.buffet[1]
        z = craft.push_force[2] + craft.buffet[2]
        against = (-x * lightness, -y * lightness, -z * lightness)
        pilot.steer(craft, vehicle, flying, rest, rest, against, zero, actions[i])
        if flying.act == MOTOR:
            for k in range(4):  # a weak rotor has to turn faster for the same thrust
                command = (one * actions[i, k] + one) / fmath.sqrt(craft.efficiency[k]) - one
                actions[i, k] = np.float32(min(max(command, -1.0), 1.0))


class FittedPilot:
    """Flies vehicles that differ from episode to episode.

    Args:
        world: a `DisturbanceDRWorld`.
    """

    def __init__(self, world: Any):
        self._size = world.action.shape[0]
        self._flying = records(world.params["flying"].copy())
        self._fitted = bool(world.params[0]["sampled"])

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, A)."""
        actions = np.zeros((len(states), self._size), np.float32)
        _act(states, self._flying, self._fitted, actions)
        return actions


class DisturbanceDRPlayers(Players):
    """The reference policy."""

    def expert(self):
        """The geometric controller with gains for the vehicle at hand; it knows the disturbances."""
        return FittedPilot(self.world)
