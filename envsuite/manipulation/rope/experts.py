"""Reference players of the rope tasks, scripted; they look at the record."""

from pathlib import Path

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
_POINTS = np.array([40, 60, 80])
_LEANS = np.radians([45.0, 67.5, 90.0])
_STROKES = np.loadtxt(Path(__file__).with_name("strokes.csv"), delimiter=",")[:, 3:].reshape(3, 3, 2, 7, 2)
"""m: places of both grippers at the knots after the first, for ropes of as many points and for three leans, around the
rope's first middle, along and across the line through the target's ends, times 7.9 m over the rope's length; found by
the cross-entropy method for a high return."""
_LENGTH = 7.9


def _between(grid: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The place of a grid that follows each value, (n,), and how far the value is on the way there, (n, 1, 1, 1)."""
    upper = np.clip(np.searchsorted(grid, values), 1, len(grid) - 1)
    share = (values - grid[upper - 1]) / (grid[upper] - grid[upper - 1])
    return upper, share[:, np.newaxis, np.newaxis, np.newaxis]


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
        place = self._paths(states["points"], np.abs(lean), states["clock"]["step"] + 1.0)
        place *= (length / _LENGTH)[:, np.newaxis, np.newaxis]
        other = lean < 0
        place[other] = place[other][:, ::-1] * (-1.0, 1.0)
        across = np.stack([-along[:, 1], along[:, 0]], axis=1)
        places = place[..., :1] * along[:, np.newaxis] + place[..., 1:] * across[:, np.newaxis]
        places[..., 0] += (length / 2)[:, np.newaxis]
        return toward(states, places, self._shape)

    @staticmethod
    def _paths(points: np.ndarray, lean: np.ndarray, time: np.ndarray) -> np.ndarray:
        """Places at a time, (n, 2, 2), in the target's frame."""
        ends = _LENGTH / 2 * np.stack([fmath.cos(lean), fmath.sin(lean)], axis=1)
        first = np.stack([-ends, ends], axis=1)[:, :, np.newaxis]
        (longer, part), (upper, share) = _between(_POINTS, points), _between(_LEANS, lean)
        short, long = ((1 - share) * _STROKES[k, upper - 1] + share * _STROKES[k, upper] for k in (longer - 1, longer))
        knots = np.concatenate([first, (1 - part) * short + part * long], axis=2)
        after = np.clip(np.searchsorted(_KNOTS, time), 1, len(_KNOTS) - 1)
        part = np.clip((time - _KNOTS[after - 1]) / (_KNOTS[after] - _KNOTS[after - 1]), 0.0, 1.0)
        rows, part = np.arange(len(lean)), part[:, np.newaxis, np.newaxis]
        return (1 - part) * knots[rows, :, after - 1] + part * knots[rows, :, after]


class RopeShapingPlayers(Players):
    """The reference player."""

    def expert(self):
        """A scripted player; see `Writer`."""
        return Writer(self.world)
