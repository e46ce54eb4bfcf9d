"""Draws the race."""

import numpy as np

from envsuite.core.canvas import disc
from envsuite.quadcopters.flying import gates, render
from envsuite.quadcopters.flying.render import DronePictures
from envsuite.quadcopters.gate_race.params import (
    CONTROL_RATE,
    FRAME,
    OPENING,
    POLE_HEIGHT,
    POLE_RADIUS,
    RING_RADIUS,
    RINGS,
)
from envsuite.quadcopters.render import rod

_NEXT, _LATER, _DONE = (213, 94, 0), (0, 114, 178), (140, 150, 160)


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
    craft, step, following = state["craft"], int(state["clock"]["step"]), int(state["next"])
    course, rings = np.asarray(state["gates"], np.float64), int(params["course"]) == RINGS
    position = np.asarray(craft["position"], np.float64)

    def props(below, above):
        for i, (x, y, z, yaw) in enumerate(course):
            color = _DONE if i < following else _NEXT if i == following else _LATER
            if rings:
                _ring(above, (x, y, z), yaw, color)
            else:
                rod(above, (x, y, 0.0), (x, y, z - FRAME), 0.02, (120, 130, 145))
                gates.draw_frame(above, (x, y, z), yaw, (OPENING, OPENING), FRAME - OPENING, color, below=below)
        if not rings:
            for x, y in np.asarray(state["poles"], np.float64):
                rod(above, (x, y, 0.0), (x, y, POLE_HEIGHT), POLE_RADIUS, (120, 78, 70))
                below.polygon(disc((x, y, 0.0), (0.0, 0.0, 1.0), 2 * POLE_RADIUS), (40, 50, 66, 90))

    status = "crashed" if state["hit"] else f"{following} of {len(course)} gates"
    middle, distance = ((0.0, 0.0, 0.6), 5.6)
    if rings:
        middle, distance = 0.5 * position + 0.5 * np.array([0.0, 0.0, 2.5]), 22.0
    return render.draw(
        craft[np.newaxis],
        params["flying"]["physics"]["vehicle"],
        size,
        look_at=middle,
        distance=distance,
        caption=f"{step / CONTROL_RATE:.2f} s   {status}   {np.linalg.norm(craft['velocity']):.1f} m/s",
        step=step,
        every=10,
        scale=9.0 if rings else 2.5,
        props=props,
        view=view,
    )


def _ring(scene, center, yaw: float, color) -> None:
    edge = disc(center, (np.cos(yaw), np.sin(yaw), 0.0), RING_RADIUS)
    for start, end in zip(edge, np.roll(edge, -1, axis=0), strict=True):
        lap = 0.06 * (end - start)  # over the next piece, so that no gaps show
        rod(scene, start - lap, end + lap, 0.07, color)


class GateRacePictures(DronePictures):
    """What is drawn in `GateRaceWorld`."""

    def draw(self, state, size):
        """Draw the drone, the course and the drone's trail."""
        return draw(state, self.world.params[0], size, self.view)
