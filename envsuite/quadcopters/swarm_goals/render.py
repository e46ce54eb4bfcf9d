"""Draws a swarm in its room, and says in words what it is to do."""

import numpy as np

from envsuite.quadcopters.flying.render import SwarmPictures
from envsuite.quadcopters.swarm_goals.params import COLUMN, CONTROL_RATE, SCENARIOS

_GREY, _DARK = (150, 158, 170), (96, 105, 118)
_HEIGHT = 3.0  # m of a column that is drawn


def name_of(scenario: int) -> str:
    """The scenario's name, for people."""
    return (*SCENARIOS, "random goals")[scenario].replace("_", " ")


def duty(state, params, agent: int) -> str:
    """What a drone is to do."""
    fate = "takes you out" if params["contact"] == 0 else "costs dearly"
    touch = f"coming within {100 * float(params['apart']):.0f} cm of another {fate}"
    among = ""
    if params["columns"]:
        me = np.asarray(state["crafts"][agent]["position"], np.float64)[:2]
        away = np.asarray(state["columns"], np.float64) - me
        nearest = away[np.argmin(np.linalg.norm(away, axis=1))]
        among = (
            f"; the axis of the nearest column, of {COLUMN:g} m radius, is ({nearest[0]:.2f}, {nearest[1]:.2f}) away"
        )
    return f"Stay at your goal, which may move or jump ({name_of(int(state['scenario']))}); {touch}{among}."


def draw(world, state, size: tuple[int, int]) -> np.ndarray:
    """Draw one record.

    Args:
        world: the world.
        state: the state record.
        size: (width, height) in pixels.

    Returns:
        uint8 array (height, width, 3).
    """
    columns = np.asarray(state["columns"], np.float64) if world.params[0]["columns"] else np.zeros((0, 2))
    angles = np.linspace(0, 2 * np.pi, 13)[:-1]
    ring = COLUMN * np.column_stack([np.cos(angles), np.sin(angles)])

    def props(below, above):
        for column in columns:
            foot, top = (
                np.column_stack([column + ring, np.zeros(12)]),
                np.column_stack([column + ring, np.full(12, _HEIGHT)]),
            )
            below.polygon(1.0 * foot, (*_DARK, 110))
            for i in range(12):
                j = (i + 1) % 12
                shade = int(40 * np.cos(angles[i] + 0.6))
                color = tuple(min(255, channel + shade) for channel in _GREY)
                above.polygon([foot[i], foot[j], top[j], top[i]], (*color, 70))

    crafts = state["crafts"]
    distance = np.linalg.norm(np.asarray(crafts["position"], np.float64) - world.goals(state), axis=1).mean()
    return world.picture(
        state,
        size,
        caption=f"{int(state['clock']['step']) / CONTROL_RATE:.1f} s   {name_of(int(state['scenario']))}   "
        f"{100 * distance:.0f} cm to the goals",
        every=8,
        props=props,
        **{"scale": 2.5} | ({"look_at": (0.0, 0.0, 1.2), "distance": 12.0, "scale": 4.0} if len(columns) else {}),
    )


class SwarmGoalsPictures(SwarmPictures):
    """What is drawn in `SwarmGoalsWorld`."""

    def draw(self, state, size):
        """Draw the drones, their goals, trails, and the columns."""
        return draw(self.world, state, size)
