"""Draws the race."""

import numpy as np

from envsuite.core.canvas import disc
from envsuite.quadcopters.flying import gates
from envsuite.quadcopters.flying.render import DronePictures
from envsuite.quadcopters.gate_race.params import EVERY, FRAME, OPENING, POLE_HEIGHT, POLE_RADIUS, RING_RADIUS, RINGS
from envsuite.quadcopters.render import rod

_NEXT, _LATER, _DONE = (213, 94, 0), (0, 114, 178), (140, 150, 160)


def _ring(scene, center, yaw: float, color) -> None:
    edge = disc(center, (np.cos(yaw), np.sin(yaw), 0.0), RING_RADIUS)
    for start, end in zip(edge, np.roll(edge, -1, axis=0), strict=True):
        lap = 0.06 * (end - start)  # over the next piece, so that no gaps show
        rod(scene, start - lap, end + lap, 0.07, color)


class GateRacePictures(DronePictures):
    """The drone, its trail, and the course."""

    every = EVERY

    def draw(self, state, size):
        """Draw all of the course, or what of the rings is near."""
        following, course = int(state["next"]), np.asarray(state["gates"], np.float64)
        rings = int(self.world.params[0]["course"]) == RINGS

        def props(below, above):
            for i, (x, y, z, yaw) in enumerate(course):
                color = _DONE if i < following else _NEXT if i == following else _LATER
                if rings:
                    _ring(above, (x, y, z), yaw, color)
                else:
                    rod(above, (x, y, 0.0), (x, y, z - FRAME), 0.02, (120, 130, 145))
                    gates.draw_frame(above, (x, y, z), yaw, (OPENING, OPENING), FRAME - OPENING, color, below=below)
            for x, y in [] if rings else np.asarray(state["poles"], np.float64):
                rod(above, (x, y, 0.0), (x, y, POLE_HEIGHT), POLE_RADIUS, (120, 78, 70))
                below.polygon(disc((x, y, 0.0), (0.0, 0.0, 1.0), 2 * POLE_RADIUS), (40, 50, 66, 90))

        status = "crashed" if state["hit"] else f"{following} of {len(course)} gates"
        caption = f"{status}   {np.linalg.norm(state['craft']['velocity']):.1f} m/s"
        if not rings:
            return self.picture(state, size, caption, look_at=(0.0, 0.0, 0.6), distance=5.6, scale=2.5, props=props)
        middle = 0.5 * np.asarray(state["craft"]["position"], np.float64) + 0.5 * np.array([0.0, 0.0, 2.5])
        return self.picture(state, size, caption, look_at=middle, distance=22.0, scale=9.0, props=props)
