"""The task in words."""

from envsuite.quadcopters.flying.language import DroneWords
from envsuite.quadcopters.waypoint_vel.params import WAYPOINTS


class WaypointVelWords(DroneWords):
    """The task in words."""

    def task(self, state):
        """What is to be done."""
        if self.world.params[0]["velocity"]:
            x, y, z = (float(value) for value in state["wanted"])
            return f"Hold the velocity ({x:.2f}, {y:.2f}, {z:.2f}) m/s; there is no floor below."
        return (
            f"Visit {WAYPOINTS} waypoints in order, within 0.2 m each; {int(state['next'])} are reached, the next is "
            "the goal. Leaving the box of 7 m to the sides and 6 m upwards is a crash."
        )
