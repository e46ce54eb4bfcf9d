"""Draws the landing drone and its pad."""

import numpy as np

from envsuite.core.canvas import disc
from envsuite.quadcopters.flying.render import DronePictures
from envsuite.quadcopters.landing.params import CONTROL_RATE, EVERY, RADIUS

_BLUE, _WHITE = (0, 114, 178), (250, 250, 250)


def pad_of(state, params) -> np.ndarray:
    """Where the centre of a drone on the pad is, m, (3,)."""
    t = int(state["clock"]["step"]) / CONTROL_RATE
    rhythm, phase = np.asarray(state["rhythm"], np.float64), np.asarray(state["phase"], np.float64)
    away = float(params["pad_speed"]) / rhythm[0] * np.sin(rhythm[0] * t + phase[0])
    height = float(params["hull"]) + float(params["heave"]) * (1 + np.sin(rhythm[1] * t + phase[1]))
    return np.append(away * np.asarray(state["course"], np.float64), height)


class LandingPictures(DronePictures):
    """The drone, its trail, and the pad."""

    every = EVERY

    def draw(self, state, size):
        """Draw them from the side."""
        params = self.world.params[0]
        top = pad_of(state, params) - [0.0, 0.0, float(params["hull"])]
        top[2] = max(top[2], 0.002)

        def pad(below, above):
            if top[2] > 0.01:
                above.segment((*top[:2], 0.0), top, (*_BLUE, 160), 0.02)
            layer = above if top[2] > 0.01 else below
            for share, color in ((1.0, _BLUE), (0.75, _WHITE), (0.45, _BLUE)):
                layer.polygon(disc(top, (0.0, 0.0, 1.0), 2 * share * RADIUS), (*color, 255))

        away = np.linalg.norm(state["craft"]["position"][:2] - top[:2])
        ending = "   landed" if state["soft"] else "   crashed" if state["landed"] else ""
        return self.picture(
            state,
            size,
            f"{100 * away:.0f} cm aside{ending}",
            look_at=(0.0, 0.0, 0.9),
            distance=5.0,
            scale=2.5,
            props=pad,
        )
