"""Reference players of the rope tasks, scripted; they look at the record."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.manipulation.rope.params import DT, DECIMATION, SPEED

_WIDE, _FAR, _NEAR, _LAP = 0.85, 2.4, 0.65, 0.03
"""m; found by a random search for a high return."""


def ends_of(states: np.ndarray) -> np.ndarray:
    """Places of both grippers, (n, 2, 2)."""
    rows, position = np.arange(len(states)), states["position"]
    return np.stack([position[:, 0], position[rows, states["points"] - 1]], axis=1)


def toward(states: np.ndarray, places: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Actions that bring the grippers to places, (n, 2, 2), as fast as they go.

    Args:
        states: (n,) records.
        places: m.
        shape: of the actions of an instance.
    """
    moves = (places - ends_of(states)) / (SPEED * DT * DECIMATION)
    longest = np.maximum(np.abs(moves).max(axis=2, keepdims=True), 1.0)
    actions = np.zeros((len(states), 2, 3), np.float32)
    actions[..., :2] = moves / longest
    return actions.reshape(len(states), *shape)


class Encircler:
    """Both grippers pass the cylinder, one at each side, until the rope's middle is near it, and meet behind it.

    Args:
        world: a `RopeClosingWorld`.
    """

    def __init__(self, world):
        self._shape = (2, 3) if world.agents else (6,)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions of both grippers."""
        rows, center, radius = np.arange(len(states)), states["center"], states["radius"][:, np.newaxis]
        position, count = states["position"], states["points"]
        middle = center - position[rows, count // 2]
        away = np.linalg.norm(middle, axis=1, keepdims=True)
        ahead = middle / np.maximum(away, 1e-9)
        aside = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
        offset = ends_of(states) - center[:, np.newaxis]
        forward = np.einsum("nki,ni->nk", offset, ahead)
        sideways = np.einsum("nki,ni->nk", offset, aside)
        sign = np.where(sideways[:, :1] >= sideways[:, 1:], 1.0, -1.0) * np.array([1.0, -1.0])
        near = away < radius + _NEAR
        a = np.where(near, radius + _LAP, forward + _FAR)
        b = np.where(near & (forward > radius), 0.0, sign * (radius + _WIDE))
        places = center[:, np.newaxis] + a[..., np.newaxis] * ahead[:, np.newaxis]
        return toward(states, places + b[..., np.newaxis] * aside[:, np.newaxis], self._shape)


class RopeClosingPlayers(Players):
    """The reference player."""

    def expert(self):
        """A scripted player; see `Encircler`."""
        return Encircler(self.world)


class Still:
    def __init__(self, world): self._shape = (2, 3) if world.agents else (6,)
    def reset(self, mask, seeds): pass
    def act(self, observations, states): return np.zeros((len(states), *self._shape), np.float32)


class RopeShapingPlayers(Players):
    def expert(self): return Still(self.world)
