"""Players of the rocket: a landing controller, and sluggish ones that know nothing of the wind."""

from dataclasses import dataclass

import numpy as np

from envsuite.industrial.experts import PlantPlayers
from envsuite.industrial.rocket.params import HIGH, RATE, WIDE

_THRUST = 13.0  # m/s^2, of the main engine between half and full power
_TURN = 0.0995  # rad/s, that a side engine at full power gives in a step
_MARGIN = 0.35  # m above the place of landing, where braking is to be done


@dataclass(frozen=True)
class Gains:
    """What a landing controller goes by; see `Lander`."""

    place: float
    speed: float
    wind: float
    lean: float
    brake: float
    end: float
    hover: float
    sink: float
    turn: float
    dead: float
    low: float


EXPERT = Gains(0.85, 3.2, 1.15, 0.62, 4.2, 0.14, 1.0, 0.67, 6.0, 0.2, 1.35)
"""Found by the cross-entropy method on 200 seeds below those of evaluation."""

SLUGGISH = {
    "sluggish-1": Gains(0.8, 1.32, 0.0, 0.62, 2.49, 0.7, 0.7, 0.67, 2.34, 0.42, 0.43),
    "sluggish-2": Gains(0.56, 2.22, 0.0, 0.62, 3.16, 0.63, 0.66, 0.67, 0.97, 0.38, 0.68),
    "sluggish-3": Gains(1.11, 0.95, 0.0, 0.62, 2.75, 2.05, 0.89, 0.67, 1.25, 0.34, 0.41),
    "sluggish-validation": Gains(1.02, 0.6, 0.0, 0.62, 2.98, 0.61, 0.75, 0.67, 3.02, 0.42, 0.23),
}
"""Drawn at random and chosen by what they earn: about three quarters of the way from random play to the reference."""


class Lander:
    """Leans against its way aside, its speed and the wind, and brakes as late as it may.

    Args:
        gains: ``place`` 1/s^2 and ``speed`` 1/s make the acceleration wanted aside, ``wind`` the share of the wind's
            that is added; ``lean`` rad, the greatest; ``brake`` m/s^2 and ``end`` m/s make the speed at which it sinks;
            ``hover`` and ``sink`` s/m the main engine's power when it sinks faster; ``turn`` 1/s the spin towards the
            lean wanted, from which it may differ by ``dead`` rad/s; ``low`` m, the height below which it straightens.
        mass: kg, of the rocket.
    """

    def __init__(self, gains: Gains, mass: float):
        self._gains, self._mass = gains, mass

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, 2)."""
        one, seen = self._gains, observations.astype(np.float64).T
        x, height = 0.5 * WIDE * seen[0], 0.5 * HIGH * seen[1]
        across, up = 2 * RATE / WIDE * seen[2], 2 * RATE / HIGH * seen[3]
        angle, spin, wind = seen[4], 2.5 * seen[5], seen[6]
        aside = -one.place * x - one.speed * across - one.wind * wind / self._mass
        lean = np.clip(-aside / _THRUST, -one.lean, one.lean) * np.clip(height / one.low, 0.0, 1.0)
        sinking = -up - np.sqrt(2 * one.brake * np.maximum(height - _MARGIN, 0.0) + one.end**2)
        power = one.hover + one.sink * sinking
        main = np.where(sinking > 0, np.clip(2 * power - 1, 1e-3, 1.0), -1.0)
        wanted = one.turn * (lean - angle) - spin
        side = -np.sign(wanted) * np.clip(abs(wanted) / _TURN, 0.5001, 1.0)
        return np.column_stack([main, np.where(abs(wanted) > one.dead, side, 0.0)]).astype(np.float32)


class RocketRecoveryPlayers(PlantPlayers):
    """The landing controllers."""

    collectors = SLUGGISH

    def expert(self):
        """The one with the best gains."""
        return self._lander(EXPERT)

    def make(self, numbers):
        """A sluggish controller that does not answer the wind."""
        return self._lander(numbers)

    def _lander(self, gains: Gains) -> Lander:
        return Lander(gains, float(self.world.params[0]["mass"]))
