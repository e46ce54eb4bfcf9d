"""Draws the drone with its waypoints, or with the velocity it should have."""

import numpy as np

from envsuite.quadcopters.flying.render import DronePictures
from envsuite.quadcopters.waypoint_vel.params import EVERY, REACHED, WAYPOINTS

_LATER, _DONE = (0, 114, 178), (140, 150, 160)


class WaypointVelPictures(DronePictures):
    """The drone, its trail, and its waypoints or its velocity."""

    every = EVERY

    def draw(self, state, size):
        """Draw what belongs to the task."""
        return (self._draw_velocity if self.world.params[0]["velocity"] else self._draw_waypoints)(state, size)

    def _draw_velocity(self, state, size):
        craft, wanted = state["craft"], np.asarray(state["wanted"], np.float64)
        position = np.asarray(craft["position"], np.float64)

        def arrow(below, above):
            above.segment(position, position + wanted, (0, 114, 178, 200), 0.025)
            above.ball(position + wanted, 0.05, (0, 114, 178, 255))
            above.segment(position, position + np.asarray(craft["velocity"]), (213, 94, 0, 200), 0.025)

        middle = (position[0], position[1], max(position[2] - 0.3, 0.3))
        error = np.linalg.norm(craft["velocity"] - wanted)
        return self.picture(
            state,
            size,
            f"velocity error {error:.2f} m/s",
            look_at=middle,
            distance=3.5,
            scale=3.0,
            props=arrow,
        )

    def _draw_waypoints(self, state, size):
        position = np.asarray(state["craft"]["position"], np.float64)
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
        return self.picture(
            state,
            size,
            f"{following} of {WAYPOINTS} waypoints",
            look_at=(*middle[:2], 0.8 * middle[2]),
            distance=2.0 + 2.6 * reach,
            targets=None if following == WAYPOINTS else [points[following]],
            props=waypoints,
        )
