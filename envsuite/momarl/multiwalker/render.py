"""Draws walkers, package and ground."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.momarl.multiwalker.params import CARRIERS, HULL, LEG_LENGTH, LEG_WIDTH, LEVEL, PACKAGE, SHANK, STEP
from envsuite.momarl.multiwalker.state import PARTS

_HULLS = ((126, 87, 194), (38, 132, 160), (198, 104, 60), (86, 140, 72))
_LEGS = ((214, 150, 178), (176, 104, 140))


def _corners(part: int) -> np.ndarray:
    if part == 0:
        return np.array(HULL)
    half = LEG_WIDTH / 2 * (1.0 if part % 2 else SHANK)
    long = LEG_LENGTH / 2
    return np.array([(-half, -long), (half, -long), (half, long), (-half, long)])


class MultiwalkerPictures(Pictures):
    """Walkers, the package and the ground."""

    size = (600, 400)
    fps = 50

    def draw(self, state, size):
        """Draw walkers, package and ground around the package."""
        width, height = size
        count = len(state["fallen"])
        box = np.array([float(value) for value in state["body"][-1]])
        half = np.array([PACKAGE[0] * count / CARRIERS, PACKAGE[1]]) / 2
        span = max(2.4 * half[0], 14.0)  # of the picture, m
        scale = width / span
        left, floor = box[0] - span / 2, LEVEL - 0.28 * height / scale

        def at(points) -> list[tuple[float, float]]:
            points = np.asarray(points, np.float64).reshape(-1, 2)
            return [((x - left) * scale, height - (y - floor) * scale) for x, y in points.tolist()]

        def turned(corners: np.ndarray, body) -> list[tuple[float, float]]:
            x, y, angle = (float(value) for value in body[:3])
            sine, cosine = np.sin(angle), np.cos(angle)
            return at(corners @ np.array([[cosine, sine], [-sine, cosine]]) + (x, y))

        canvas = Canvas(width, height, (214, 228, 240))
        ground = np.stack([np.arange(len(state["ground"])) * STEP, np.asarray(state["ground"], np.float64)], axis=1)
        seen = ground[(ground[:, 0] > left - STEP) & (ground[:, 0] < left + span + STEP)]
        if len(seen) > 1:
            below = [(seen[-1, 0], floor - 1), (seen[0, 0], floor - 1)]
            canvas.polygon(at([*seen.tolist(), *below]), (126, 166, 98))
            canvas.line(at(seen), (74, 112, 60), 3.0)
        goal = (len(ground) - 10) * STEP
        canvas.line(at([(goal, LEVEL), (goal, LEVEL + 3)]), (200, 60, 50), 3.0)
        for part in (3, 4, 1, 2, 0):  # the far legs first
            for n in range(count):
                if state["gone"][n]:
                    continue
                color = _HULLS[n % len(_HULLS)] if part == 0 else _LEGS[part > 2]
                shape = turned(_corners(part), state["body"][PARTS * n + part])
                canvas.polygon(shape, color, (60, 48, 66), max(1.0, scale / 40))
                if part == 0:
                    x, y = shape[1]
                    canvas.text((x - scale * 0.5, y + scale * 0.28), str(n), (255, 255, 255), 0.4 * scale, "mm")
        corners = np.array([(-half[0], half[1]), half, (half[0], -half[1]), -half])
        canvas.polygon(turned(corners, box), (176, 128, 74), (96, 66, 36), max(1.0, scale / 40))
        return canvas.to_array()
