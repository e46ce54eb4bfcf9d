"""The reference player of the cloth, scripted; it looks at the record."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.manipulation.cloth.levels import flat
from envsuite.manipulation.cloth.params import DECIMATION, DT, GRIPPERS, SPEED

_AHEAD, _SLOPE, _GAIN, _TRUST, _TAUT, _AIM = 0.36, 4.1, 0.213, 0.08, 0.013, 0.039
_HALF = 2**-0.5
"""m from a gripper to the cloth's middle."""


class Hanger:
    """The hole goes before the hanger's end, then along its axis, slowly while it is beside it; the cloth is kept taut.

    Where the hole is, is told from the grippers for the most part: it flaps, and who follows it makes it flap more.

    Args:
        world: a `ClothHangingWorld`.
    """

    def __init__(self, world):
        self._params = world.params
        self._holes = flat()[self._params["edge"]].mean(axis=1)
        self._shape = (GRIPPERS, 3) if world.agents else (3 * GRIPPERS,)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions of all grippers."""
        rows, edge = np.arange(len(states))[:, np.newaxis], self._params["edge"][states["level"]]
        held, hole = states["grippers"], self._holes[states["level"]]
        sides = held[:, [1, 2]] - held[:, :1]
        sides = sides / np.linalg.norm(sides, axis=2, keepdims=True)
        told = held.mean(axis=1) + (hole[..., np.newaxis] * sides).sum(axis=1)
        seen = states["position"][rows, edge].mean(axis=1)
        place = told + _TRUST * (seen - told) - states["hanger"]
        axis, half = states["frame"][:, :, 1], float(self._params[0]["half"])
        along = (place * axis).sum(axis=1, keepdims=True)
        beside = place - along * axis
        off = np.linalg.norm(beside, axis=1, keepdims=True)
        # before the end the hole waits where a cone around the axis is as wide as it is off
        waiting = np.minimum(half + _SLOPE * np.maximum(off - 0.02, 0.0), half + _AHEAD)
        least = np.where((along > half) & (off > 0.02), waiting, _AIM)
        wanted = (least - along) * axis - beside
        arms = held - held.mean(axis=1, keepdims=True)
        outward = arms * (_HALF + _TAUT) / np.linalg.norm(arms, axis=2, keepdims=True) - arms
        moves = _GAIN * (wanted[:, np.newaxis] + outward) / (SPEED * DT * DECIMATION)
        actions = moves / np.maximum(np.abs(moves).max(axis=(1, 2), keepdims=True), 1.0)
        return actions.astype(np.float32).reshape(len(states), *self._shape)


class ClothHangingPlayers(Players):
    """The reference player."""

    def expert(self):
        """A scripted player; see `Hanger`."""
        return Hanger(self.world)
