"""What the worlds of several drones have in common."""

import numpy as np

from envsuite.quadcopters.flying.world import DroneWorld

HULL = 1.5  # arms: radius of the sphere in which a drone without a hull touches others; a Crazyflie's is 6 cm
NAMED = 6  # nearest neighbours that a description names


def hull_of(vehicle) -> float:
    """Radius of the sphere around a drone that touches others, m.

    Args:
        vehicle: record of `quadcopters.params.VehicleRecord`.
    """
    arms = np.linalg.norm(np.asarray(vehicle["rotors"], np.float64), axis=1).max()
    return float(vehicle["hull"][0]) or float(HULL * arms)


class SwarmWorld(DroneWorld):
    """Several drones, each with a goal; subclasses add the task."""

    def muster(self, count: int) -> None:
        """Name the agents.

        Args:
            count: number of drones.
        """
        self.agents = tuple(f"drone_{n}" for n in range(count))

    def goals(self, state) -> np.ndarray:
        """Where the drones should be, m, world, shape (a, 3)."""
        raise NotImplementedError

    def craft(self, state, agent=0):
        """The record of a drone."""
        return state["crafts"][agent]
