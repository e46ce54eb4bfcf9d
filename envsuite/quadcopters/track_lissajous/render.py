"""Draws the tracking drone and its curve."""

from itertools import pairwise

import numpy as np

from envsuite.quadcopters.flying import render
from envsuite.quadcopters.flying.render import DronePictures
from envsuite.quadcopters.track_lissajous.params import CENTER, CONTROL_RATE, RAMP

_PATH = (120, 130, 145, 150)


def curve(state, times) -> np.ndarray:
    """Points of the reference, m, (n, 3), at times in s."""
    times, rate = np.asarray(times, np.float64), 2 * np.pi / float(state["period"])
    phase = np.where(times < RAMP, rate * times**2 / (2 * RAMP), rate * (times - RAMP / 2))
    waves = np.asarray(state["waves"], np.float64) * phase[:, np.newaxis] + np.asarray(state["shift"], np.float64)
    return np.asarray(state["extent"], np.float64) * np.sin(waves) + [0.0, 0.0, CENTER]


def draw(state, params, size: tuple[int, int], view: str = "fixed") -> np.ndarray:
    """Draw one record.

    Args:
        state: the state record.
        params: the parameter record.
        size: (width, height) in pixels.
        view: see `quadcopters.render.render_scene`.

    Returns:
        uint8 array (height, width, 3).
    """
    craft, step = state["craft"], int(state["clock"]["step"])
    now = step / CONTROL_RATE
    path = curve(state, RAMP + np.linspace(0, float(state["period"]), 97))
    place = curve(state, [now])[0]

    def props(below, above):
        for start, end in pairwise(path):
            above.segment(start, end, _PATH, 0.012)

    error = np.linalg.norm(craft["position"] - place)
    return render.draw(
        craft[np.newaxis],
        params["flying"]["physics"]["vehicle"],
        size,
        look_at=(0.0, 0.0, 0.8),
        distance=max(2.6, 2.9 * float(np.max(state["extent"])) + 0.8),
        caption=f"{now:.2f} s   error {100 * error:.1f} cm",
        step=step,
        every=8,
        targets=[place],
        scale=2.5,
        props=props,
        view=view,
    )


class TrackLissajousPictures(DronePictures):
    """What is drawn in `TrackLissajousWorld`."""

    def draw(self, state, size):
        """Draw the drone, the curve, the reference on it, and the drone's trail."""
        return draw(state, self.world.params[0], size, self.view)
