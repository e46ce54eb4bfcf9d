"""Draws a swarm in its room."""

import numpy as np

from envsuite.quadcopters.flying.render import SwarmPictures
from envsuite.quadcopters.swarm_goals.params import COLUMN, EVERY, name_of

_GREY, _DARK = (150, 158, 170), (96, 105, 118)
_HEIGHT = 3.0  # m of a column that is drawn


class SwarmGoalsPictures(SwarmPictures):
    """The drones, their goals, trails, and the columns."""

    every = EVERY

    def draw(self, state, size):
        """Draw all drones, or among columns the room."""
        columns = np.asarray(state["columns"], np.float64) if self.world.params[0]["columns"] else np.zeros((0, 2))

        def props(below, above):
            for column in columns:
                _column(below, above, column)

        positions = np.asarray(state["crafts"]["position"], np.float64)
        distance = np.linalg.norm(positions - self.world.goals(state), axis=1).mean()
        caption = f"{name_of(int(state['scenario']))}   {100 * distance:.0f} cm to the goals"
        room = {"look_at": (0.0, 0.0, 1.2), "distance": 12.0, "scale": 4.0} if len(columns) else {"scale": 2.5}
        return self.overview(state, size, caption, props=props, **room)


def _column(below, above, place) -> None:
    """Draw a column with twelve sides."""
    angles = np.linspace(0, 2 * np.pi, 13)[:-1]
    ring = place + COLUMN * np.column_stack([np.cos(angles), np.sin(angles)])
    foot, top = np.column_stack([ring, np.zeros(12)]), np.column_stack([ring, np.full(12, _HEIGHT)])
    below.polygon(1.0 * foot, (*_DARK, 110))
    for i in range(12):
        j = (i + 1) % 12
        shade = int(40 * np.cos(angles[i] + 0.6))
        color = tuple(min(255, channel + shade) for channel in _GREY)
        above.polygon([foot[i], foot[j], top[j], top[i]], (*color, 70))
