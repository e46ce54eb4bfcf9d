"""Draws the rocket, the pad, the wind and the way."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.industrial.panel import GREEN, INK, ORANGE, RED, dial
from envsuite.industrial.rocket.params import GROUND, HIGH, RATE, SCALE, STANDING, WIDE
from envsuite.industrial.rocket.state import EVERY, TRAIL

_SKY, _EARTH, _HULL, _WAY = (232, 240, 248), (150, 138, 120), (92, 84, 150), (150, 165, 185)
_SMALLEST = 30.0  # m that the picture's height would hold at the scale in which a far rocket is still drawn
_SHAPE = np.array([(-14, 17), (-17, 0), (-17, -10), (17, -10), (17, 0), (14, 17)]) / SCALE  # m, LunarLander's hull
_LEGS = np.array([[(-14, -8), (-21, -18)], [(14, -8), (21, -18)]]) / SCALE


class RocketRecoveryPictures(Pictures):
    """The rocket with its engines' flames, its way, the pad, and dials of wind and speeds.

    The picture widens when the rocket leaves it; the rocket itself does not get too small to be seen.
    """

    size = (640, 420)
    fps = RATE

    def draw(self, state, size):
        """Draw them."""
        width, height = size
        canvas = Canvas(width, height, _SKY)
        angle = float(state["angle"])
        up, right = np.array([-np.sin(angle), np.cos(angle)]), np.array([np.cos(angle), np.sin(angle)])
        hull = np.asarray(state["position"], np.float64) - float(self.world.params[0]["middle"]) * up
        reach = max(1.0, abs(hull[0] - WIDE / 2) / (0.45 * WIDE), (hull[1] - GROUND) / (HIGH - GROUND - 0.5))
        scale = min(width / WIDE, 0.94 * height / HIGH) / reach
        ground = height - 0.1 * height

        def at(points) -> np.ndarray:
            points = np.asarray(points, np.float64)
            return np.stack(
                [width / 2 + scale * (points[..., 0] - WIDE / 2), ground - scale * (points[..., 1] - GROUND)], axis=-1
            )

        canvas.rectangle((0, ground, width, height), _EARTH)
        pad = at([(WIDE / 2 - 1.5, GROUND), (WIDE / 2 + 1.5, GROUND)])
        canvas.line(pad, ORANGE, max(3.0, scale / 6))
        for x, y in pad:
            canvas.line([(x, y), (x, y - scale)], INK, 2.0)
            canvas.polygon([(x, y - scale), (x + 0.5 * scale, y - 0.8 * scale), (x, y - 0.6 * scale)], ORANGE)
        last = int(state["clock"]["step"]) // EVERY
        order = [k % TRAIL for k in range(max(0, last - TRAIL + 1), last + 1)]
        if len(order) > 1:
            canvas.line(at(state["trail"][order]), _WAY, 2.0)

        def body(points) -> np.ndarray:
            points = np.asarray(points, np.float64)
            way = (points[..., :1] * right + points[..., 1:] * up) * (1.0, -1.0)
            return at(hull) + max(scale, height / _SMALLEST) * way

        main, side = float(state["main"]), float(state["side"])
        if main > 0:
            canvas.polygon(body([(-0.22, -0.33), (0.22, -0.33), (0.0, -0.4 - 1.6 * main)]), ORANGE)
        if side != 0:
            away = -np.sign(side)
            flame = [(0.5 * away, 0.55), (0.5 * away, 0.35), ((0.5 + 0.8 * abs(side)) * away, 0.45)]
            canvas.polygon(body(flame), ORANGE)
        for leg in _LEGS:
            canvas.line(body(leg), INK, max(1.5, scale / 10))
        color = GREEN if state["landed"] else RED if state["crashed"] else _HULL
        canvas.polygon(body(_SHAPE), color, INK, 1.5)
        self._instruments(canvas, state, size)
        return canvas.to_array()

    def _instruments(self, canvas: Canvas, state: np.void, size: tuple[int, int]) -> None:
        width, height = size
        wind, most = float(state["wind"]), max(1.0, float(self.world.params[0]["wind"]))
        radius = 0.075 * height
        across, rise = (float(one) for one in state["velocity"])
        for k, (value, bounds, label) in enumerate(
            ((wind, (-most, most), "wind, N"), (across, (-6.0, 6.0), "aside, m/s"), (rise, (-12.0, 12.0), "up, m/s"))
        ):
            dial(canvas, (width * (0.08 + 0.13 * k), 0.12 * height), radius, value, bounds, label)
        height_now = float(state["position"][1]) - GROUND - STANDING
        text = f"step {int(state['clock']['step'])}   height {height_now:.1f} m   fuel {float(state['fuel']):.1f}"
        canvas.text((0.98 * width, 0.05 * height), text, INK, max(8.0, height / 28), "rm")
