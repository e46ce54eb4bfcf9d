"""Descriptions of drones for the engine, written from the table of vehicles."""

import numpy as np

from envsuite.quadcopters.airframe import Vehicle

_DARK, _GREY = (0.2, 0.23, 0.28, 1.0), (0.55, 0.58, 0.62, 0.75)
CENTER = 4
"""Link at the centre of mass; links 0 to 3 are the rotors."""


def urdf(vehicle: Vehicle, color: tuple[float, float, float]) -> str:
    """A vehicle in the Unified Robot Description Format.

    A base with the mass, the inertia and the hull, and five massless links: a rotor each and the centre of mass, to
    which gym-pybullet-drones (arXiv 2103.02142) applies its forces too.

    Args:
        vehicle: its constants.
        color: red, green, blue of the nose and of the two front rotors, 0 to 1.

    Raises:
        ValueError: the vehicle has no hull to collide with.
    """
    radius, height, center = vehicle.hull
    if not (radius > 0 and height > 0):
        raise ValueError(f"the vehicle ({vehicle.source}) has no hull, which the engine needs; give it one by `hull`")
    reach = float(np.linalg.norm(vehicle.rotors, axis=1).max())
    disc = vehicle.propeller_radius or 0.45 * reach
    bright = (*color, 1.0)
    bodies = [
        _visual(_box(0.8 * reach, 0.5 * reach, 0.3 * reach), (0.0, 0.0, 0.0), _DARK),
        _visual(_box(0.25 * reach, 0.5 * reach, 0.3 * reach), (0.5 * reach, 0.0, 0.0), bright),
    ]
    for x, y in vehicle.rotors:
        yaw = float(np.arctan2(y, x))
        size = _box(float(np.hypot(x, y)), 0.1 * reach, 0.08 * reach)
        bodies.append(_visual(size, (x / 2, y / 2, 0.0), _DARK, yaw))
    collision = f'<collision><origin xyz="0 0 {center!r}"/><geometry>{_cylinder(radius, height)}</geometry></collision>'
    text = _link("base", vehicle.mass, vehicle.inertia, (0.0, 0.0), "".join(bodies) + collision)
    for i, (x, y) in enumerate((*vehicle.rotors, (0.0, 0.0))):
        shape = ""
        if i < CENTER:
            tint = (*color, 0.75) if x > 0.3 * reach else _GREY
            shape = _visual(_cylinder(disc, 0.05 * reach), (x, y, 0.2 * reach), tint)
        text += _link(f"link{i}", 0.0, (0.0, 0.0, 0.0), (x, y), shape)
        text += f'<joint name="joint{i}" type="fixed"><parent link="base"/><child link="link{i}"/></joint>'
    return f'<robot name="quadcopter">{text}</robot>'


def _link(name: str, mass: float, inertia: tuple[float, ...], place: tuple[float, float], shapes: str) -> str:
    ixx, iyy, izz = inertia
    return (
        f'<link name="{name}"><inertial><origin xyz="{place[0]!r} {place[1]!r} 0"/><mass value="{mass!r}"/>'
        f'<inertia ixx="{ixx!r}" iyy="{iyy!r}" izz="{izz!r}" ixy="0" ixz="0" iyz="0"/></inertial>{shapes}</link>'
    )


def _visual(geometry: str, place: tuple[float, ...], color: tuple[float, ...], yaw: float = 0.0) -> str:
    x, y, z = place
    paint = " ".join(f"{channel:.3f}" for channel in color)
    return (
        f'<visual><origin xyz="{x!r} {y!r} {z!r}" rpy="0 0 {yaw!r}"/><geometry>{geometry}</geometry>'
        f'<material name="c{paint}"><color rgba="{paint}"/></material></visual>'
    )


def _box(x: float, y: float, z: float) -> str:
    return f'<box size="{x!r} {y!r} {z!r}"/>'


def _cylinder(radius: float, height: float) -> str:
    return f'<cylinder radius="{radius!r}" length="{height!r}"/>'
