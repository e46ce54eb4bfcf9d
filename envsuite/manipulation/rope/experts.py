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
    """Actions that bring the grippers straight to places, (n, 2, 2), at up to their full speed along one axis.

    Args:
        states: (n,) records.
        places: m.
        shape: of the actions of an instance.
    """
    moves = (places - ends_of(states)) / (SPEED * DT * DECIMATION)
    actions = np.zeros((len(states), 2, 3), np.float32)
    actions[..., :2] = moves / np.maximum(np.linalg.norm(moves, axis=2, keepdims=True), 1.0)
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


_KNOTS = np.array([0, 20, 40, 60, 80, 100, 125, 150])
"""Control steps between which grippers move straight."""
_LEANS = np.radians([45.0, 67.5, 90.0])
_STROKES = np.array(
    [
        [
            [(-1.59, -0.57), (-1.04, 0.56), (-1.08, 0.74), (-1.22, 0.79), (-1.30, 0.74), (-1.41, 0.76), (-1.56, 0.81)],
            [(1.20, 1.20), (1.51, -0.58), (-0.38, -2.77), (1.25, -0.09), (0.94, 0.44), (1.25, 0.62), (1.36, 0.46)],
        ],
        [
            [(-2.08, -1.36), (-0.92, 0.25), (-1.01, 0.69), (-1.11, 0.74), (-1.16, 0.70), (-1.22, 0.72), (-1.32, 0.71)],
            [(1.41, 1.56), (2.02, -0.38), (-0.31, -2.95), (1.48, 0.03), (1.12, 0.57), (1.44, 0.73), (1.50, 0.61)],
        ],
        [
            [(-2.25, -1.29), (-1.05, 0.22), (-0.92, 0.77), (-1.04, 0.84), (-1.10, 0.80), (-1.11, 0.80), (-1.21, 0.79)],
            [(1.89, 1.58), (2.30, -0.44), (-0.23, -2.98), (1.65, -0.17), (1.21, 0.72), (1.48, 0.83), (1.57, 0.77)],
        ],
    ]
)
"""m: places of both grippers at the knots after the first, around the rope's first middle, along and across the line
through the target's ends, for three leans; found by the cross-entropy method for a high return, in a rope of 7.9 m."""
_LENGTH = 7.9


class Writer:
    """Grippers follow paths that were found beforehand; ropes that lean the other way have them mirrored.

    Args:
        world: a `RopeShapingWorld`.
    """

    def __init__(self, world):
        self._shape = (2, 3) if world.agents else (6,)
        self._spacing = float(world.params[0]["rope"]["spacing"])

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget: time is in the records."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions of both grippers."""
        rows, last = np.arange(len(states)), states["points"] - 1
        length, lean = self._spacing * last, states["lean"]
        line = states["target"][rows, last] - states["target"][:, 0]
        along = line / np.linalg.norm(line, axis=1, keepdims=True)
        place = self._paths(np.abs(lean), states["clock"]["step"] + 1.0) * (length / _LENGTH)[:, np.newaxis, np.newaxis]
        other = lean < 0
        place[other] = place[other][:, ::-1] * (-1.0, 1.0)
        across = np.stack([-along[:, 1], along[:, 0]], axis=1)
        places = place[..., :1] * along[:, np.newaxis] + place[..., 1:] * across[:, np.newaxis]
        places[..., 0] += (length / 2)[:, np.newaxis]
        return toward(states, places, self._shape)

    @staticmethod
    def _paths(lean: np.ndarray, time: np.ndarray) -> np.ndarray:
        """Places at a time, (n, 2, 2), in the target's frame."""
        ends = _LENGTH / 2 * np.stack([np.cos(lean), np.sin(lean)], axis=1)
        first = np.stack([-ends, ends], axis=1)[:, :, np.newaxis]
        upper = np.clip(np.searchsorted(_LEANS, lean), 1, len(_LEANS) - 1)
        share = ((lean - _LEANS[upper - 1]) / (_LEANS[upper] - _LEANS[upper - 1]))[:, np.newaxis, np.newaxis, np.newaxis]
        knots = np.concatenate([first, (1 - share) * _STROKES[upper - 1] + share * _STROKES[upper]], axis=2)
        after = np.clip(np.searchsorted(_KNOTS, time), 1, len(_KNOTS) - 1)
        part = np.clip((time - _KNOTS[after - 1]) / (_KNOTS[after] - _KNOTS[after - 1]), 0.0, 1.0)
        rows, part = np.arange(len(lean)), part[:, np.newaxis, np.newaxis]
        return (1 - part) * knots[rows, :, after - 1] + part * knots[rows, :, after]


class RopeShapingPlayers(Players):
    """The reference player."""

    def expert(self):
        """A scripted player; see `Writer`."""
        return Writer(self.world)
