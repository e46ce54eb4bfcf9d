"""Draws the tracking drone and its curve."""

from itertools import pairwise

import numpy as np

from envsuite.quadcopters.flying.render import DronePictures
from envsuite.quadcopters.track_lissajous.params import CENTER, EVERY, RAMP

_PATH = (120, 130, 145, 150)


def curve(state, times) -> np.ndarray:
    """Points of the reference, m, (n, 3), at times in s."""
    times, rate = np.asarray(times, np.float64), 2 * np.pi / float(state["period"])
    phase = np.where(times < RAMP, rate * times**2 / (2 * RAMP), rate * (times - RAMP / 2))
    waves = np.asarray(state["waves"], np.float64) * phase[:, np.newaxis] + np.asarray(state["shift"], np.float64)
    return np.asarray(state["extent"], np.float64) * np.sin(waves) + [0.0, 0.0, CENTER]


class TrackLissajousPictures(DronePictures):
    """The drone, its trail, the curve, and the reference on it."""

    every = EVERY

    def draw(self, state, size):
        """Draw all of the curve."""
        path = curve(state, RAMP + np.linspace(0, float(state["period"]), 97))
        place = self.world.goal(state)

        def props(below, above):
            for start, end in pairwise(path):
                above.segment(start, end, _PATH, 0.012)

        error = np.linalg.norm(state["craft"]["position"] - place)
        return self.picture(
            state,
            size,
            f"error {100 * error:.1f} cm",
            look_at=(0.0, 0.0, 0.8),
            distance=max(2.6, 2.9 * float(np.max(state["extent"])) + 0.8),
            targets=[place],
            scale=2.5,
            props=props,
        )
