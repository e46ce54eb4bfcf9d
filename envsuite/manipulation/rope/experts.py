"""Reference players of the rope tasks, scripted; they look at the record."""

import numpy as np

from envsuite.core import fmath
from envsuite.core.companions import Players
from envsuite.manipulation.rope.params import DECIMATION, DT, SPEED

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
        forward = (offset * ahead[:, np.newaxis]).sum(axis=2)
        sideways = (offset * aside[:, np.newaxis]).sum(axis=2)
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
            [(-1.91, -0.78), (-0.97, 0.66), (-1.07, 0.86), (-1.05, 0.89), (-1.27, 0.90), (-1.35, 0.98), (-1.40, 0.98)],
            [(1.99, 1.26), (1.27, -0.41), (0.50, -3.06), (0.68, 0.31), (1.33, 0.40), (1.25, 0.64), (1.32, 0.59)],
        ],
        [
            [(-1.60, -1.47), (-0.95, 0.59), (-0.93, 0.74), (-0.91, 0.76), (-1.12, 0.71), (-1.14, 0.82), (-1.23, 0.77)],
            [(2.00, 1.58), (1.65, -0.35), (1.03, -3.24), (0.81, 0.22), (1.41, 0.51), (1.33, 0.74), (1.46, 0.72)],
        ],
        [
            [(-1.37, -1.23), (-0.94, 0.57), (-0.94, 0.77), (-0.86, 0.78), (-0.94, 0.73), (-1.05, 0.79), (-1.03, 0.75)],
            [(1.95, 1.43), (1.83, -0.18), (1.92, -3.65), (0.91, 0.25), (1.53, 0.62), (1.47, 0.92), (1.57, 0.90)],
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
        ends = _LENGTH / 2 * np.stack([fmath.cos(lean), fmath.sin(lean)], axis=1)
        first = np.stack([-ends, ends], axis=1)[:, :, np.newaxis]
        upper = np.clip(np.searchsorted(_LEANS, lean), 1, len(_LEANS) - 1)
        share = ((lean - _LEANS[upper - 1]) / (_LEANS[upper] - _LEANS[upper - 1]))[
            :, np.newaxis, np.newaxis, np.newaxis
        ]
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
