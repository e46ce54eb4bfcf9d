"""A drone in words."""

import re

import numpy as np

from envsuite.core.language import NUMBER, Refusal, RefusalKind, vector_text
from envsuite.quadcopters.attitude import to_euler

_SET_POINT = re.compile(r"\b(?:go\s*to|fly\s*to|set-?point)\b[^\[\]()]*[\[(]([^\[\]()]*)[\])]", re.IGNORECASE)
_FARTHEST = 1000.0  # m


def find_set_point(text: str) -> np.ndarray | Refusal | None:
    """Read a point to fly to: ``go to [x, y, z]``, the last one where there are several.

    Args:
        text: an answer.

    Returns:
        m, world, float64 (3,); why it is none; or None where the text names no point.
    """
    found = _SET_POINT.findall(text)
    if not found:
        return None
    numbers = [float(one) for one in NUMBER.findall(found[-1])]
    if len(numbers) != 3:
        return Refusal(RefusalKind.WRONG_COUNT, f"{len(numbers)} numbers found; a point to fly to has 3: [x, y, z]")
    if far := [one for one in numbers if not abs(one) <= _FARTHEST]:
        return Refusal(RefusalKind.OUT_OF_RANGE, f"{far[0]:g} is outside [{-_FARTHEST:g}, {_FARTHEST:g}] m")
    return np.array(numbers)


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
