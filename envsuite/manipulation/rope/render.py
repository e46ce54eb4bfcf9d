"""Draws ropes from above."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures

_TABLE, _GRID, _ROPE, _DARK = (238, 233, 222), (226, 219, 204), (176, 112, 58), (110, 66, 30)
_POST, _EDGE, _INK = (92, 116, 140), (52, 72, 92), (60, 56, 50)
_GRIPPERS = ((208, 62, 62), (44, 112, 196))
_GOAL = (70, 150, 90)


class _Table:
    """A picture of a part of the plane."""

    def __init__(self, size: tuple[int, int], middle: np.ndarray, span: float):
        self.size, self.middle, self.scale = size, middle, min(size) / span
        self.canvas = Canvas(*size, _TABLE)
        across, down = (np.array(size) / 2 / self.scale).tolist()
        for k in range(int(np.floor(middle[0] - across)), int(np.ceil(middle[0] + across)) + 1):
            self.canvas.line(self.at([(k, middle[1] - down), (k, middle[1] + down)]), _GRID, 1.0)
        for k in range(int(np.floor(middle[1] - down)), int(np.ceil(middle[1] + down)) + 1):
            self.canvas.line(self.at([(middle[0] - across, k), (middle[0] + across, k)]), _GRID, 1.0)

    def at(self, points) -> np.ndarray:
        """Pixels of places, (n, 2)."""
        away = np.asarray(points, np.float64).reshape(-1, 2) - self.middle
        return np.array(self.size) / 2 + self.scale * away * (1, -1)

    def rope(self, points: np.ndarray, thickness: float) -> None:
        """Draw the rope and the grippers at its ends."""
        width = max(2.5, 2.4 * thickness * self.scale)
        self.canvas.line(self.at(points), _DARK, width + 1.5)
        self.canvas.line(self.at(points), _ROPE, width)
        half = max(5.0, 0.07 * self.scale)
        for place, color in zip(self.at(points[[0, -1]]), _GRIPPERS, strict=True):
            x, y = place.tolist()
            self.canvas.rectangle((x - half - 1.5, y - half - 1.5, x + half + 1.5, y + half + 1.5), _INK, 2.0)
            self.canvas.rectangle((x - half, y - half, x + half, y + half), color, 2.0)

    def caption(self, text: str) -> None:
        """Write a line at the bottom."""
        width, height = self.size
        self.canvas.text((0.02 * width, 0.98 * height), text, _INK, 0.04 * height, "lb")


def _points(state) -> np.ndarray:
    return np.asarray(state["position"], np.float64)[: int(state["points"])]


def _view(points: np.ndarray, least: float) -> tuple[np.ndarray, float]:
    """Middle and span of a picture that holds points; both change in steps, so that the picture seldom jumps."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle = np.round(low + high) / 2
    return middle, max(least, float(np.ceil(2 * np.abs(points - middle).max() + 0.6)))


class RopeClosingPictures(Pictures):
    """The rope, the grippers and the cylinder."""

    size = (480, 480)
    fps = 50

    def draw(self, state, size):
        """Draw them from above; the ring around the cylinder is where grippers may meet."""
        center, radius = np.asarray(state["center"], np.float64), float(state["radius"])
        points = _points(state)
        table = _Table(size, *_view(np.concatenate([points, [center - 1, center + 1]]), 6.0))
        (place,) = table.at(center)
        table.canvas.circle(place + 4, radius * table.scale, (*_DARK, 60))
        table.canvas.circle(place, radius * table.scale, _POST, _EDGE, 2.0)
        table.rope(points, float(self.world.params[0]["rope"]["thickness"]))
        gap = float(np.linalg.norm(points[0] - points[-1]))
        done = "closed" if state["success"] else "open"
        table.caption(f"rope around the post: {done}, ends {gap:.2f} m apart")
        return table.canvas.to_array()


class RopeShapingPictures(Pictures):
    """The rope, the grippers and the shape that is wanted."""

    size = (480, 480)
    fps = 50

    def draw(self, state, size):
        """Draw them from above; the target is drawn around the middle of the rope's ends."""
        points = _points(state)
        target = np.asarray(state["target"], np.float64)[: len(points)] + (points[0] + points[-1]) / 2
        table = _Table(size, *_view(np.concatenate([points, target]), 6.0))
        table.canvas.line(table.at(target), (*_GOAL, 90), 0.12 * table.scale)
        for place, color in zip(table.at(target[[0, -1]]), _GRIPPERS, strict=True):
            table.canvas.circle(place, 0.16 * table.scale, None, color, 2.0)
        table.rope(points, float(self.world.params[0]["rope"]["thickness"]))
        left = 100 * float(state["error"]) / float(state["first_error"])
        table.caption(f"rope onto the green curve: {left:.0f} % of the error left")
        return table.canvas.to_array()
