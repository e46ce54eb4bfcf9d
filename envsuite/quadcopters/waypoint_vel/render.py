"""Draws the drone with its waypoints, or with the velocity it should have."""

import numpy as np

from envsuite.quadcopters.flying import render
from envsuite.quadcopters.flying.render import DronePictures
from envsuite.quadcopters.waypoint_vel.params import CONTROL_RATE, REACHED, WAYPOINTS

_LATER, _DONE = (0, 114, 178), (140, 150, 160)


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
    position = np.asarray(craft["position"], np.float64)
    vehicle = params["flying"]["physics"]["vehicle"]
    common = {"vehicle": vehicle, "size": size, "step": step, "every": 6, "view": view}
    now = f"{step / CONTROL_RATE:.2f} s   "
    if params["velocity"]:
        wanted = np.asarray(state["wanted"], np.float64)

        def arrow(below, above):
            above.segment(position, position + wanted, (0, 114, 178, 200), 0.025)
            above.ball(position + wanted, 0.05, (0, 114, 178, 255))
            above.segment(position, position + np.asarray(craft["velocity"]), (213, 94, 0, 200), 0.025)

        middle = (position[0], position[1], max(position[2] - 0.3, 0.3))
        error = np.linalg.norm(craft["velocity"] - wanted)
        return render.draw(craft[np.newaxis], look_at=middle, distance=3.5, scale=3.0, props=arrow,
                           caption=f"{now}velocity error {error:.2f} m/s", **common)  # fmt: skip
    points, following = np.asarray(state["points"], np.float64), int(state["next"])

    def waypoints(below, above):
        for i, place in enumerate(points):
            if i != following:
                color = _DONE if i < following else _LATER
                above.ball(place, REACHED, (*color, 60), (*color, 200), 0.03)
                above.segment((*place[:2], 0.0), place, (*color, 70), 0.02)
            if i > 0 and i >= following:
                above.segment(points[i - 1], place, (*_LATER, 90), 0.02)

    middle = np.mean([*points, position], axis=0)
    reach = np.max(np.linalg.norm(np.array([*points, position]) - middle, axis=1))
    caption = f"{now}{following} of {WAYPOINTS} waypoints"
    targets = None if following == WAYPOINTS else [points[following]]
    return render.draw(craft[np.newaxis], look_at=(*middle[:2], 0.8 * middle[2]), distance=2.0 + 2.6 * reach,
                       targets=targets, props=waypoints, caption=caption, **common)  # fmt: skip


class WaypointVelPictures(DronePictures):
    """What is drawn in `WaypointVelWorld`."""

    def draw(self, state, size):
        """Draw the drone, its waypoints or its velocity, and its trail."""
        return draw(state, self.world.params[0], size, self.view)
