"""Draws the cross-section of the tokamak, its instruments, and how near the plasma came."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.industrial.fusion.network import BETA_N
from envsuite.industrial.fusion.world import BEAM_HIGH, GOAL_HIGH, GOAL_LOW, GOALS, POINTS
from envsuite.industrial.panel import BLUE, INK, ORANGE, PAPER, curves
from envsuite.industrial.render import PlantPictures

_WALL, _COIL, _EDGE = (150, 158, 168), (196, 140, 90), (150, 40, 110)
_COOL, _HOT = np.array([250.0, 205.0, 222.0]), np.array([232.0, 60.0, 120.0])
_RADII, _HEIGHTS = (1.15, 2.42), (-1.15, 1.15)
"""m, what the picture of the cross-section holds."""
_LABELS = ("poloidal beta", "q95", "inductance")
_MARGIN = 0.4
"""Share of a goal's range by which the axes go beyond it."""


def boundary(settings: np.ndarray, points: int = 96) -> np.ndarray:
    """The plasma's edge in a half plane through the axis, by Miller's formula with a triangularity for each half.

    Args:
        settings: current, elongation, upper and lower triangularity, inner and outer radius in m, (6,).
        points: on it.

    Returns:
        Radius and height in m, (points, 2).
    """
    _, elongation, upper, lower, inner, outer = (float(one) for one in settings)
    middle, minor = (inner + outer) / 2, (outer - inner) / 2
    angle = np.linspace(0.0, 2.0 * np.pi, points, endpoint=False)
    delta = np.where(np.sin(angle) >= 0.0, upper, lower)
    radius = middle + minor * np.cos(angle + np.arcsin(delta) * np.sin(angle))
    return np.column_stack([radius, elongation * minor * np.sin(angle)])


class FusionPictures(PlantPictures):
    """The plasma in its vessel, redder the hotter; powers of the beams; achieved against wanted values."""

    size = (640, 400)
    fps = 5

    def draw(self, state, size):
        """Draw them."""
        width, height = size
        canvas = Canvas(width, height, PAPER)
        self._vessel(canvas, state, width, height)
        self._beams(canvas, state, width, height)
        traces = np.asarray(state["traces"], np.float64)
        for k in range(GOALS):
            top = (0.05 + 0.315 * k) * height
            box = (0.62 * width, top, 0.98 * width, top + 0.26 * height)
            spread = _MARGIN * (GOAL_HIGH[k] - GOAL_LOW[k])
            lines = [(_LABELS[k], BLUE, traces[k]), ("wanted", ORANGE, traces[GOALS + k])]
            curves(canvas, box, lines, (round(GOAL_LOW[k] - spread, 2), round(GOAL_HIGH[k] + spread, 2)), POINTS)
            y = box[3] - (float(state["goals"][k]) - GOAL_LOW[k] + spread) / (
                GOAL_HIGH[k] - GOAL_LOW[k] + 2 * spread
            ) * (box[3] - box[1])
            canvas.circle((box[2], y), 0.012 * height, ORANGE, INK)
        return canvas.to_array()

    @staticmethod
    def _vessel(canvas: Canvas, state, width: int, height: int) -> None:
        scale = min(0.3 * width / (_RADII[1] - _RADII[0]), 0.9 * height / (_HEIGHTS[1] - _HEIGHTS[0]))

        def place(points: np.ndarray) -> np.ndarray:
            return np.column_stack(
                [0.1 * width + scale * (points[:, 0] - _RADII[0]), 0.5 * height - scale * points[:, 1]]
            )

        wall = boundary(np.array([0.0, 2.0, 0.35, 0.35, 1.22, 2.36]))
        canvas.polygon(place(wall), (232, 236, 240), _WALL, 0.014 * height)
        canvas.rectangle((0.04 * width, 0.12 * height, 0.085 * width, 0.88 * height), _COIL, 3)
        hot = float(np.clip(state["outputs"][BETA_N] / 3.0, 0.0, 1.0))
        color = _COOL + hot * (_HOT - _COOL)
        edge = boundary(state["settings"])
        middle = edge.mean(axis=0)
        for share in (1.0, 0.8, 0.6, 0.4, 0.2):
            tint = tuple(int(one) for one in color + (1.0 - share) * 0.5 * (255.0 - color))
            canvas.polygon(place(middle + share * (edge - middle)), tint, _EDGE if share == 1.0 else None, 2.0)
        text = max(8.0, height / 26)
        canvas.text(
            (0.25 * width, 0.97 * height), f"{float(state['settings'][0]):.2f} MA in the plasma", INK, text, "mm"
        )

    @staticmethod
    def _beams(canvas: Canvas, state, width: int, height: int) -> None:
        text = max(8.0, height / 26)
        canvas.text((0.485 * width, 0.1 * height), "beams, MW", INK, text, "mm")
        for k, (power, most) in enumerate(zip(np.asarray(state["beams"], np.float64), BEAM_HIGH, strict=True)):
            x, wide = (0.4475 + 0.04 * k) * width, 0.025 * width
            for share, color in ((1.0, (224, 228, 230)), (power / most, ORANGE)):
                canvas.line([(x, 0.4 * height), (x, (0.4 - 0.25 * share) * height)], color, wide)
            canvas.text((x, 0.44 * height), f"{power:.1f}", INK, text, "mm")
        canvas.text((0.485 * width, 0.56 * height), "step's worth", INK, text, "mm")
        canvas.text((0.485 * width, 0.63 * height), f"{float(state['reward']):.2f}", INK, 1.3 * text, "mm")
