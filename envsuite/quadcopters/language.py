"""A drone in words."""

import numpy as np

from envsuite.core.language import vector_text
from envsuite.quadcopters.attitude import to_euler


def situation(drone, goal) -> str:
    """Where a drone is, relative to its goal, and how it moves.

    Args:
        drone: record with position, attitude, velocity and rates.
        goal: m, world, shape (3,).
    """
    euler = np.rad2deg(to_euler(np.asarray(drone["attitude"], np.float64)))
    offset = np.asarray(goal, np.float64) - drone["position"]
    return (
        f"Position (m, z up): {vector_text(drone['position'])}; the goal is {vector_text(offset)} away. "
        f"Velocity (m/s): {vector_text(drone['velocity'])}. Roll, pitch, yaw (degrees): {vector_text(euler, 1)}. "
        f"Body rates (rad/s): {vector_text(drone['rates'])}."
    )
