"""The reference player of multiwalker."""

from dataclasses import dataclass

import numpy as np

from envsuite.core import fmath
from envsuite.core.companions import Players
from envsuite.momarl.multiwalker.params import DT

STEPS = 25
"""Before anybody walks: the package has to come to lie."""


@dataclass(frozen=True)
class Gains:
    """Numbers of a gait.

    Attributes:
        spread: angle between a hip and the middle of both while standing, rad.
        bias: middle of both hips, rad.
        swing: of a hip to each side, rad.
        pace: steps of a leg a second, Hz.
        lift: greatest bend of a knee beyond its own, rad.
        bend: of a knee, rad as observed.
        late: of a knee's lift behind the hip's swing, rad.
        stiff: gains of hip and knee, per rad.
        damp: gain of a joint's speed, as observed.
        lean: gain of the hull's angle on hips, per rad.
        turn: gain of the hull's turn on hips, as observed.
        brake: change of the hips' middle with the hull's speed, as observed.
    """

    spread: float = 0.717
    bias: float = 0.252
    swing: float = 0.253
    pace: float = 1.688
    lift: float = 0.408
    bend: float = 0.824
    late: float = 0.026
    stiff: tuple[float, float] = (1.777, 3.194)
    damp: float = 0.273
    lean: float = 2.026
    turn: float = 2.062
    brake: float = -0.09


class Gait:
    """All walkers swing their legs in time, as far apart as they stand still; springs at the joints do the rest.

    Found by a random search over its numbers.

    Args:
        world: a `MultiwalkerWorld`.
        gains: its numbers.
    """

    def __init__(self, world, gains: Gains | None = None):
        self._shape = (len(world.agents), 2, 2)
        self._gains = Gains() if gains is None else gains

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget: time is in the records."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Torques of all walkers."""
        g, seen = self._gains, observations.astype(np.float64)
        legs = seen[..., 4:14].reshape(*seen.shape[:2], 2, 5)
        clock = np.maximum(states["clock"]["step"].astype(np.float64) - STEPS, 0.0)[:, np.newaxis, np.newaxis]
        turn = 2 * np.pi * g.pace * DT * clock + np.array([0.0, np.pi])
        strength = np.minimum(DT * clock, 1.0)
        middle = (g.bias + g.brake * seen[..., 2])[..., np.newaxis]
        hips = middle + g.spread * np.array([1.0, -1.0]) + g.swing * strength * fmath.sin(turn)
        knees = g.bend - g.lift * strength * np.maximum(fmath.sin(turn + g.late), 0.0) + np.zeros_like(hips)
        wanted = np.stack([hips, knees], axis=-1)
        torques = np.array(g.stiff) * (wanted - legs[..., [0, 2]]) - g.damp * legs[..., [1, 3]]
        torques[..., 0] += (g.lean * seen[..., 0] + g.turn * seen[..., 1])[..., np.newaxis]
        return np.clip(torques, -1.0, 1.0).reshape(len(seen), self._shape[0], 4).astype(np.float32)


class MultiwalkerPlayers(Players):
    """Walkers with a gait."""

    def expert(self):
        """Walkers with a gait; see `experts.Gait`."""
        return Gait(self.world)
