"""What logs hold of flying drones."""

from collections.abc import Mapping

import numpy as np

from envsuite.quadcopters.attitude import to_euler

AXES = ("x", "y", "z")


def drones(records, references, *, rotors: bool = True) -> dict[str, np.ndarray]:
    """Quantities of drones at one moment.

    Args:
        records: with the fields of `state.Body`, shape (a,).
        references: where they should be, m, world, (a, 3).
        rotors: whether the records' rotor speeds are rotor speeds.

    Returns:
        By name, each float64 (a,): position ``x``, ``y``, ``z`` (m, world); attitude ``qw`` to ``qz`` (body to world)
        and ``roll``, ``pitch``, ``yaw`` (rad); velocity ``vx`` to ``vz`` (m/s, world); body rates ``wx`` to ``wz``
        (rad/s); ``rotor_0`` to ``rotor_3`` (the vehicle's unit); the reference ``reference_x`` to ``reference_z`` (m,
        world).
    """
    records = np.atleast_1d(records)
    attitude = np.asarray(records["attitude"], np.float64)
    euler = np.array([to_euler(tuple(q.tolist())) for q in attitude])
    groups = (
        (AXES, records["position"]),
        (("qw", "qx", "qy", "qz"), attitude),
        (("roll", "pitch", "yaw"), euler),
        (("vx", "vy", "vz"), records["velocity"]),
        (("wx", "wy", "wz"), records["rates"]),
        (tuple(f"rotor_{k}" for k in range(4)) if rotors else (), records["rotor_speed"]),
        (tuple(f"reference_{axis}" for axis in AXES), np.reshape(references, (len(records), 3))),
    )
    return {
        name: np.asarray(values, np.float64)[:, k].copy() for names, values in groups for k, name in enumerate(names)
    }


def positions(columns: Mapping[str, np.ndarray], prefix: str = "") -> np.ndarray:
    """Three columns of a log as points, m, (T, 3)."""
    return np.stack([columns[prefix + axis] for axis in AXES], axis=-1)
