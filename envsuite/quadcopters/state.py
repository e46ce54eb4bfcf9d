"""Records of one flying vehicle."""

import numpy as np


def body_fields(real: type) -> list[tuple]:
    """Fields that every model of a flying body shares.

    Args:
        real: scalar type, float32 or float64.

    Returns:
        Field descriptions: `position` (m, world), `attitude` (unit quaternion w, x, y, z, body to world),
        `velocity` (m/s, world), `rates` (angular velocity, rad/s, body), `command` (rotor speeds asked for)
        and `rotor_speed` (rotor speeds, both in the vehicle's unit). Models without motor lag keep in
        `rotor_speed` the command of the previous physics step.
    """
    return [
        ("position", real, 3),
        ("attitude", real, 4),
        ("velocity", real, 3),
        ("rates", real, 3),
        ("command", real, 4),
        ("rotor_speed", real, 4),
    ]


def bullet_fields(real: type) -> list[tuple]:
    """Fields of a body under the `bullet` and `dyn` dynamics.

    Args:
        real: scalar type, float32 or float64.

    Returns:
        The shared fields, `previous_attitude` (attitude one physics step ago, which the engine rotates link
        forces with), `downwash` (force that drones above exert, N, along minus the body's z axis) and
        `active` (False for a drone taken out of the air, which exerts no downwash).
    """
    return [
        *body_fields(real),
        ("previous_attitude", real, 4),
        ("downwash", real),
        ("active", np.bool_),
    ]


def bullet_body(real: type = np.float32) -> np.dtype:
    """Record of a body under the `bullet` and `dyn` dynamics.

    Args:
        real: scalar type, float32 or float64.

    Returns:
        The type that `bullet_fields` makes up.
    """
    return np.dtype(bullet_fields(real), align=True)


def l2f_body(real: type = np.float32) -> np.dtype:
    """Record of a body under the `l2f` dynamics.

    Args:
        real: scalar type, float32 or float64.

    Returns:
        The shared fields, `force` (disturbance, N, world) and `torque` (disturbance, N m, body).
    """
    return np.dtype([*body_fields(real), ("force", real, 3), ("torque", real, 3)], align=True)


def wrench_fields(real: type) -> list[tuple]:
    """Fields of a body under the `fp` and `rpy` dynamics.

    Args:
        real: scalar type, float32 or float64.

    Returns:
        The shared fields, `force` (N, world) and `torque` (N m, body) from outside, and `wind` (m/s, world).
    """
    return [*body_fields(real), ("force", real, 3), ("torque", real, 3), ("wind", real, 3)]


def wrench_body(real: type = np.float32) -> np.dtype:
    """Record of a body under the `fp` and `rpy` dynamics.

    Args:
        real: scalar type, float32 or float64.

    Returns:
        The type that `wrench_fields` makes up.
    """
    return np.dtype(wrench_fields(real), align=True)
