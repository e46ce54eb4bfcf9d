"""Constants of the race, and its courses."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.flying.settings import Flying, Terms
from envsuite.quadcopters.params import VehicleRecord
from envsuite.quadcopters.weights import weights_field

CONTROL_RATE = 100  # Hz
EVERY = 10  # steps between points of the trail in pictures
SUBSTEPS = 2
TERMS = Terms(floor=True)
COURSES = ("L0", "L1", "L2", "L3", "rings")
RINGS = 4  # index of that course

# LSY drone racing, level 2, nominal: x, y, z (m) and yaw (rad) of the gates; x and y of the poles
GATES = ((0.5, 0.25, 0.7, -0.78), (1.05, 0.75, 1.2, 2.35), (-1.0, -0.25, 0.7, 3.14), (0.0, -0.75, 1.2, 0.0))
POLES = ((0.0, 0.75), (1.0, 0.25), (-1.5, -0.25), (-0.5, -0.75))
START = (-1.5, 0.75)
OPENING, FRAME = 0.2, 0.36  # m, half of the square opening and of the frame around it
POLE_RADIUS, POLE_HEIGHT = 0.015, 1.52  # m
BOX = ((-3.0, -3.0, -0.1), (3.0, 3.0, 2.5))  # m
SIGHT = 0.7  # m, within which a gate's true pose is seen
AIRBORNE = 0.1  # m, height above which the floor is forbidden from then on

MASS_SPREAD, INERTIA_SPREAD = 5e-3, 1e-6  # kg, kg m^2; from level 1 on
START_SPREAD, LEAN_SPREAD = 0.1, 0.1  # m, rad; likewise
GATE_SPREAD, YAW_SPREAD, POLE_SPREAD = (0.15, 0.15, 0.1), 0.2, 0.15  # m, rad, m; from level 2 on
FIELD = (2.5, 1.5)  # m, half-sizes of the field of random courses
APART = 1.2  # m, least distance of gates there
CLEAR = 0.6  # m, least distance of poles from gates, the start and each other there

COLLISIONS = ("hard", "soft")
BERTH = 0.1  # m, room to a frame that is flown round
FROM_START = 0.25  # share of the episodes that begin at the start among those that begin anywhere
START_HEIGHT, LEAD = 0.5, 2.0  # m, of the way's beginning; openings between a gate and the way from and to it

RING_COUNT, RING_RADIUS, RING_RIM = 10, 1.0, 0.1
RING_FIELD, RING_HEIGHT, RING_APART = 8.0, (1.5, 6.0), (4.0, 9.0)  # m
RING_BOX = ((-12.0, -12.0, -0.1), (12.0, 12.0, 9.0))  # m

WEIGHTS = {"progress": 1.0, "gate": 2.0, "lap": 10.0, "rates": 2e-4, "change": 1e-4, "crash": 5.0}
"""Weights of the reward's parts, see the README."""


def check_layout(layout) -> np.ndarray:
    """Read gates of one's own.

    Args:
        layout: x, y, z (m) and yaw (rad) of each gate, (G, 4).

    Returns:
        float64 (G, 4).

    Raises:
        ValueError: gates that cannot be flown: none, not finite, outside the field, through the floor, or overlapping.
    """
    gates = np.asarray(layout, np.float64)
    if gates.ndim != 2 or gates.shape[1] != 4 or len(gates) == 0:
        raise ValueError(f"layout has the shape {gates.shape}, expected x, y, z and yaw of at least one gate")
    for i, (x, y, z, yaw) in enumerate(gates):
        if not np.isfinite([x, y, z, yaw]).all():
            raise ValueError(f"gate {i} is at {gates[i].tolist()}, expected finite numbers")
        if abs(x) > BOX[1][0] - 2 * FRAME or abs(y) > BOX[1][1] - 2 * FRAME or z > BOX[1][2] - FRAME:
            raise ValueError(f"gate {i} at ({x:g}, {y:g}, {z:g}) cannot be flown: too near to the end of the field")
        if z < FRAME:
            raise ValueError(f"gate {i} at height {z:g} m cannot be flown: its frame reaches below the floor")
        for j in range(i):
            distance = np.linalg.norm(gates[i, :3] - gates[j, :3])
            if distance < 2 * FRAME:
                raise ValueError(f"gates {j} and {i} cannot be flown: {distance:.2f} m apart, their frames overlap")
    return gates


class Params(Record):
    """The constants."""

    flying = field(type=Flying)
    weights = weights_field(WEIGHTS)
    nominal = field(type=VehicleRecord, shape=1, meaning="the vehicle before its mass is drawn")
    gates = field(None, "m", "x, y, z and yaw (rad)", shape=("gates", 4))
    poles = field(None, "m", "x and y; one far away where there are none", shape=("poles", 2))
    low = field(BOX[0], "m", "corner of the box that ends the flight", shape=3)
    high = field(BOX[1], "m", "corner opposite", shape=3)
    hull = field(unit="m", meaning="radius of the drone")
    opening = field(unit="m", meaning="half-size or radius that the drone's centre has to pass within")
    rim = field(unit="m", meaning="around it")
    pole = field(unit="m", meaning="distance from a pole's axis that is a hit")
    course = field(0, type=np.uint8, meaning="index in `COURSES`")
    anywhere = field(False, type=np.bool_, meaning="episodes begin anywhere on the way")
    around = field(False, type=np.bool_, meaning="progress counts along a way round frames")
    soft = field(False, type=np.bool_, meaning="frames and poles are flown through")
    strength = field(1.0, "", "of what is out of place", low=0, high=1)


def parameters(flying, radius: float, course: str, layout, real: type, **options) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: `Flying` record.
        radius: of the drone's hull, m.
        course: one of `COURSES`.
        layout: gates of one's own, see `check_layout`, or None.
        real: float32 or float64.
        **options: further fields of `Params`.

    Returns:
        Array of shape (1,) of `Params`.

    Raises:
        ValueError: a layout that cannot be flown, or a vehicle that does not fit.
    """
    rings = course == "rings"
    if layout is not None and course in ("L3", "rings"):
        raise ValueError(f"the course {course!r} is random and takes no layout")
    gates = np.zeros((RING_COUNT, 4)) if rings else check_layout(GATES if layout is None else layout)
    opening = RING_RADIUS if rings else OPENING
    if radius >= opening:
        raise ValueError(f"a vehicle of {2 * radius:g} m does not fit through openings of {2 * opening:g} m")
    poles = np.full((1, 2), 1e3) if rings else np.array(POLES)
    low, high = RING_BOX if rings else BOX
    return Params.make(
        real,
        {"gates": len(gates), "poles": len(poles)},
        flying=flying,
        nominal=flying["physics"]["vehicle"],
        gates=gates,
        poles=poles,
        low=low,
        high=high,
        hull=radius,
        opening=opening - radius,
        rim=(RING_RIM if rings else FRAME - OPENING) + 2 * radius,
        pole=POLE_RADIUS + radius,
        course=COURSES.index(course),
        **options,
    )
