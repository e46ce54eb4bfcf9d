"""The task in words."""

from envsuite.quadcopters.disturbance_dr.params import CONTROL_RATE, LEASH_ARMS
from envsuite.quadcopters.flying.language import DroneWords


class DisturbanceDRWords(DroneWords):
    """The task in words."""

    def task(self, state):
        """What is to be done."""
        vehicle, left = state["vehicle"][0], 10 - int(state["clock"]["step"]) / CONTROL_RATE
        lift = 4 * float(vehicle["max_rotor_thrust"]) / float(vehicle["mass"] * vehicle["gravity"])
        return (
            f"Hold the drone at the goal for another {left:.2f} s, whatever pushes it: it is lost "
            f"{LEASH_ARMS * float(state['arm']):.2f} m away. It weighs {1000 * float(vehicle['mass']):.0f} g and lifts "
            f"{lift:.2f} times its weight."
        )
