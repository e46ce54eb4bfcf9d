"""Draws the pipe, the gate and the demand."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.industrial.panel import BLUE, INK, ORANGE, PAPER, curves, dial
from envsuite.industrial.pipeline.world import FLOW, MEMORY


class PipelinePictures(Pictures):
    """The pipe from gate to consumer, darker where more flows; two dials and the last flows below."""

    size = (640, 360)

    def draw(self, state, size):
        """Draw them."""
        width, height = size
        canvas = Canvas(width, height, PAPER)
        pipe = np.asarray(state["pipe"], np.float64)
        left, right, top, bottom = 0.14 * width, 0.86 * width, 0.12 * height, 0.28 * height
        edges = np.linspace(left, right, len(pipe) + 1)
        for k, flow in enumerate(pipe):
            share = flow / FLOW
            color = (int(225 - 215 * share), int(238 - 150 * share), int(250 - 90 * share))
            canvas.rectangle((edges[k], top, edges[k + 1] + 1, bottom), color)
        for y in (top, bottom):
            canvas.line([(left, y), (right, y)], INK, 3.0)
        opening = bottom - (bottom - top) * pipe[0] / FLOW
        canvas.rectangle((left - 8, top - 0.08 * height, left, opening), INK)
        text = max(8.0, height / 24)
        canvas.text((left, 0.33 * height), "gate", INK, text, "mm")
        canvas.text((right, 0.33 * height), "consumer", INK, text, "mm")
        radius, target = 0.13 * height, float(state["target"])
        dial(canvas, (0.11 * width, 0.66 * height), radius, pipe[0], (0.0, FLOW), "at the gate")
        dial(canvas, (0.89 * width, 0.66 * height), radius, pipe[-1], (0.0, FLOW), "arriving", target)
        seen = [*np.asarray(state["arrived"], np.float64)[::-1], pipe[-1]]
        lines = [("arriving", BLUE, seen), ("wanted", ORANGE, [target] * (MEMORY + 1))]
        curves(canvas, (0.29 * width, 0.46 * height, 0.74 * width, 0.92 * height), lines, (0.0, FLOW), MEMORY + 1)
        return canvas.to_array()
