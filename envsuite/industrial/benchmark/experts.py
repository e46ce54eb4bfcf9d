"""Players of the Industrial Benchmark: one that knows what is hidden, and steerings to fixed places."""

from functools import lru_cache

import numpy as np

from envsuite.core import fmath
from envsuite.core.layout import Choice
from envsuite.industrial.benchmark.goldstone import CIRCLE, SAFE
from envsuite.industrial.benchmark.params import (
    GROWS_FROM,
    SHIFT_BOUND,
    SHIFT_SCALE,
    SHIFT_SETPOINT,
    START,
    STEPS,
)
from envsuite.industrial.experts import PlantPlayers

_SAMPLES, _GRID = 1000, 81
_SINES = abs(fmath.sin(2 * np.pi * np.arange(CIRCLE) / CIRCLE))


@lru_cache(maxsize=128)
def best_place(setpoint: float) -> tuple[float, float]:
    """Velocity and gain with the least mean of fatigue and operational cost, among those at which wear stays small.

    Args:
        setpoint: 0 to 100.

    Returns:
        Velocity and gain, in steps of 1.25.
    """
    velocity, gain = np.meshgrid(*[np.linspace(0.0, 100.0, _GRID)] * 2, indexing="ij")
    p, draw = setpoint, np.random.default_rng(0)
    raw, least, most = (gain + p + 2) / (velocity + 101 - p), (p + 2) / (201 - p), (p + 102) / (101 - p)
    acts = [(raw - least) / (most - least), (1 / (gain + p + 1) - 1 / (p + 101)) / (1 / (p + 1) - 1 / (p + 101))]
    share, square = np.zeros_like(velocity), [np.zeros_like(velocity), np.zeros_like(velocity)]
    means = [np.zeros_like(velocity), np.zeros_like(velocity)]
    for _ in range(_SAMPLES):
        noises = []
        for k, act in enumerate(acts):
            late, part, struck = draw.exponential(0.1), draw.uniform(), draw.uniform()
            noise = 2 / (1 + np.exp(-late)) - 1
            noise = noise + (1 - noise) * part * act * (struck < np.clip(act, 0.001, 0.999))
            means[k] += noise / _SAMPLES
            square[k] += noise * noise / _SAMPLES
            noises.append(noise)
        share += np.maximum(*noises) / _SAMPLES
    cost = np.maximum(0.0, 30000 / (5 * velocity + 100) - 0.01 * gain * gain) * (1 + 2 * share)
    cost = cost + np.exp((2 * p + 2.5 * gain + 4 * velocity) / 100)
    for mean, second in zip(means, square, strict=True):
        # hidden wear is 0.9 of itself and a third of the noise: its mean and deviation when that has gone on for long
        wear = mean * 10 / 3 + 4 * np.sqrt((second - mean * mean) / (9 * (1 - 0.81)))
        cost = np.where(wear < GROWS_FROM, cost, np.inf)
    k = np.unravel_index(np.argmin(cost), cost.shape)
    return float(velocity[k]), float(gain[k])


def _changes(states: np.ndarray, velocity: np.ndarray, gain: np.ndarray, shift: np.ndarray, pull: float) -> np.ndarray:
    """Actions towards places of the steerings, float32 (n, 3)."""
    wanted = np.stack(
        [
            (place - states[name]) / step
            for name, place, step in zip(("velocity", "gain", "shift"), (velocity, gain, shift), STEPS, strict=True)
        ],
        axis=-1,
    )
    return np.clip(pull * wanted, -1.0, 1.0).astype(np.float32)


class Tracker:
    """Keeps velocity and gain where they cost least, and moves the shift with the hidden direction.

    The direction turns towards a quarter of a circle and back as long as the shift stays on its side, and the least
    penalty lies at a shift of the sine of the direction; close to none it begins anew. This cycle of twelve steps has a
    mean penalty of 7.2 instead of the 25 of no shift.
    """

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget: it sees the hidden state."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, 3)."""
        setpoint, direction = states["setpoint"].astype(np.float64), states["direction"].astype(np.int64)
        places = np.array([best_place(float(round(one))) for one in setpoint])
        side = np.where(direction > 0, 1, -1)
        away = (direction == 0) | (states["response"] == 1)
        coming = direction + np.where(away, side, -side)
        shift = side * np.where(coming == 0, SAFE / 2, _SINES[abs(coming)])
        height = (shift + SHIFT_SETPOINT * setpoint + SHIFT_BOUND) * 100.0 / SHIFT_SCALE
        return _changes(states, places[:, 0], places[:, 1], height, 1.0)


class Steering:
    """Draws the three steerings towards fixed places, by what it sees.

    Args:
        places: of velocity, gain and shift.
        pull: share of the distance that it goes in a step.
    """

    def __init__(self, places: tuple[float, float, float], pull: float):
        self._places, self._pull = places, pull

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, 3)."""
        wanted = (np.array(self._places) - observations[:, 1:4].astype(np.float64)) / np.array(STEPS)
        return np.clip(self._pull * wanted, -1.0, 1.0).astype(np.float32)


class Rounded:
    """Another player's actions as the nearest of 27 choices.

    Args:
        player: who plays, with three numbers.
    """

    def __init__(self, player: Tracker | Steering):
        self._player = player

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """See `Policy.reset`."""
        self._player.reset(mask, seeds)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, int64 (n,)."""
        return (np.rint(self._player.act(observations, states)).astype(np.int64) + 1) @ np.array([9, 3, 1])


TIERS = {
    "low": Steering((61.0, 57.5, START), 0.1),
    "medium": Steering((58.0, 52.0, START), 0.1),
    "high": Steering((48.0, 50.0, START), 0.1),
}
"""Steerings to places at about 25, 50 and 75 % of the way from random play to the reference player, at setpoint 70."""


class IndustrialBenchmarkPlayers(PlantPlayers):
    """The tracker, and steerings for collecting data."""

    collectors = TIERS

    def expert(self):
        """The tracker."""
        return self._fitted(Tracker())

    def make(self, numbers):
        """A steering to fixed places."""
        return self._fitted(numbers)

    def _fitted(self, player: Tracker | Steering) -> Tracker | Steering | Rounded:
        return Rounded(player) if isinstance(self.world.action, Choice) else player
