"""Draws the patient's day: glucose, meals and insulin."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.industrial.glucose.params import DAY, EVERY, MINUTES, POINTS
from envsuite.industrial.glucose.patients import table
from envsuite.industrial.glucose.physiology import SENSOR, SKIN, SKIN_FIRST
from envsuite.industrial.panel import BLUE, FAINT, GREEN, INK, ORANGE, PAPER, RED, dial
from envsuite.industrial.render import PlantPictures

_LOW, _HIGH, _TOP = 70.0, 180.0, 400.0
_GOOD, _BAD = (222, 242, 230), (250, 226, 222)
_MOST_INSULIN, _MOST_CARBS = 6.0, 60.0
"""U and g in 12 minutes at which the bars are as high as they can be."""


class SimglucosePictures(PlantPictures):
    """Readings in blue over the range that is good, meals in orange and insulin in green below, a dial beside them."""

    size = (640, 360)
    fps = 15

    def draw(self, state, size):
        """Draw them."""
        width, height = size
        canvas = Canvas(width, height, PAPER)
        name = list(table())[int(self.world.params[int(state["level"])]["number"])]
        minute = (int(state["start"]) + int(state["minute"])) % DAY
        text = max(8.0, height / 26)
        canvas.text(
            (0.05 * width, 0.02 * height), f"{name.replace('#', ' ')}, {minute // 60:02d}:{minute % 60:02d}", INK, text
        )
        left, right = 0.1 * width, 0.74 * width
        count = min(int(state["clock"]["step"]) // EVERY + 1, POINTS)
        across = left + (right - left) * np.arange(POINTS) / (POINTS - 1)
        self._glucose(canvas, state, across[:count], (left, 0.1 * height, right, 0.6 * height))
        self._hours(canvas, int(state["start"]), (left, 0.6 * height, right, 0.66 * height))
        for key, most, color, top, label in (
            ("carbs_trace", _MOST_CARBS, ORANGE, 0.68, "meals"),
            ("insulin_trace", _MOST_INSULIN, GREEN, 0.84, "insulin"),
        ):
            self._bars(canvas, state[key][:count], most, color, across, top * height, 0.13 * height)
            canvas.text((left - 6, (top + 0.065) * height), label, INK, text, "rm")
        p = self.world.params[int(state["level"])]
        reading = float(state["reading"])
        dial(canvas, (0.87 * width, 0.3 * height), 0.17 * height, reading, (0.0, _TOP), "mg/dL", 112.5)
        under_skin = float(state["x"][SKIN_FIRST] + state["x"][SKIN]) * float(p["bw"]) / 6000
        lines = (
            f"glucose {float(state['x'][SENSOR] / p['vg']):.0f} mg/dL",
            f"pump {60 * float(state['insulin']):.1f} U/h",
            f"under the skin {under_skin:.1f} U",
            f"ate {float(state['carbs']):.0f} g in {MINUTES} min",
        )
        for k, line in enumerate(lines):
            color = RED if k == 0 and not _LOW <= reading <= _HIGH else INK
            canvas.text((0.77 * width, (0.66 + 0.08 * k) * height), line, color, text)
        return canvas.to_array()

    @staticmethod
    def _glucose(canvas: Canvas, state, across: np.ndarray, box: tuple[float, float, float, float]) -> None:
        left, top, right, bottom = box

        def down(value):
            return bottom - np.clip(value, 0.0, _TOP) / _TOP * (bottom - top)

        canvas.rectangle(box, (255, 255, 255))
        canvas.rectangle((left, down(_HIGH), right, down(_LOW)), _GOOD)
        canvas.rectangle((left, down(_LOW), right, bottom), _BAD)
        size = max(8.0, (bottom - top) / 14)
        for number in (_LOW, _HIGH, 300.0, _TOP):
            canvas.line([(left, down(number)), (right, down(number))], FAINT)
            canvas.text((left - 6, down(number)), f"{number:.0f}", INK, size, "rm")
        values = np.asarray(state["glucose_trace"][: len(across)], np.float64)
        points = np.column_stack([across, down(values)])
        if len(points) > 1:
            canvas.line(points, BLUE, 2.5)
        canvas.circle((float(points[-1][0]), float(points[-1][1])), 4.0, BLUE)

    @staticmethod
    def _hours(canvas: Canvas, start: int, box: tuple[float, float, float, float]) -> None:
        left, top, right, _ = box
        for hour in range(0, 25, 4):
            x = left + (right - left) * hour / 24
            canvas.text((x, top + 3), f"{(start // 60 + hour) % 24}:00", INK, max(8.0, (right - left) / 45), "mt")

    @staticmethod
    def _bars(
        canvas: Canvas, values: np.ndarray, most: float, color, across: np.ndarray, top: float, high: float
    ) -> None:
        wide = across[1] - across[0]
        canvas.rectangle((across[0], top, across[-1], top + high), (255, 255, 255))
        for x, value in zip(across, np.asarray(values, np.float64), strict=False):
            tall = high * min(value / most, 1.0)
            if tall >= 0.5:
                canvas.line([(x, top + high), (x, top + high - tall)], color, max(0.9 * wide, 1.0))
