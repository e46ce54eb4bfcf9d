"""Constants of the race, and its courses."""

import numpy as np

from envsuite.quadcopters.flying.settings import Terms, flying_dtype
from envsuite.quadcopters.params import check_strength, vehicle_dtype
from envsuite.quadcopters.weights import weights_dtype

CONTROL_RATE = 100  # Hz
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

STARTS, PROGRESS, COLLISIONS = ("start", "anywhere"), ("straight", "around"), ("hard", "soft")
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


def params_dtype(real: type, gates: int, poles: int) -> np.dtype:
    """Type of the parameter record.

    Args:
        real: scalar type of the numbers, float32 or float64.
        gates: number of gates.
        poles: number of poles, at least 1 (far away where there are none).
    """
    return np.dtype(
        [
            ("flying", flying_dtype(real)),
            ("weights", weights_dtype(WEIGHTS, real)),
            ("nominal", vehicle_dtype(real), (1,)),
            ("gates", real, (gates, 4)),
            ("poles", real, (poles, 2)),
            ("low", real, 3),
            ("high", real, 3),
            ("hull", real),  # m
            ("opening", real),  # m, half-size or radius that the drone's centre has to pass within
            ("rim", real),  # m, around it
            ("pole", real),  # m, distance from a pole's axis that is a hit
            ("course", np.uint8),
            ("anywhere", np.bool_),
            ("around", np.bool_),
            ("soft", np.bool_),
            ("strength", real),  # of what is out of place
        ],
        align=True,
    )


def parameters(
    flying, constants, course: str, layout, starts: str, progress: str, strength: float, real: type
) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: record of `flying_dtype`.
        constants: of the vehicle.
        course: one of `COURSES`.
        layout: gates of one's own, see `check_layout`, or None.
        starts: one of `STARTS`.
        progress: one of `PROGRESS`.
        strength: how far gates and poles are out of place, 0 to 1.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype`.

    Raises:
        ValueError: an unknown course, start or progress, a strength that is not in [0, 1], a layout that cannot be
            flown, or a vehicle that does not fit.
    """
    if course not in COURSES:
        raise ValueError(f"course is {course!r}, expected one of {', '.join(COURSES)}")
    if starts not in STARTS:
        raise ValueError(f"starts is {starts!r}, expected one of {', '.join(STARTS)}")
    if progress not in PROGRESS:
        raise ValueError(f"progress is {progress!r}, expected one of {', '.join(PROGRESS)}")
    check_strength(strength)
    rings = course == "rings"
    if layout is not None and course in ("L3", "rings"):
        raise ValueError(f"the course {course!r} is random and takes no layout")
    gates = check_layout(GATES if layout is None else layout)
    if rings:
        gates = np.zeros((RING_COUNT, 4))
    hull = constants.hull[0]
    radius = RING_RADIUS if rings else OPENING
    if hull >= radius:
        raise ValueError(f"a vehicle of {2 * hull:g} m does not fit through openings of {2 * radius:g} m")
    poles = np.full((1, 2), 1e3) if rings else np.array(POLES)
    params = np.zeros(1, params_dtype(real, len(gates), len(poles)))
    low, high = RING_BOX if rings else BOX
    values = {
        "flying": flying, "gates": gates, "poles": poles, "low": low, "high": high, "hull": hull,
        "opening": radius - hull, "rim": (RING_RIM if rings else FRAME - OPENING) + 2 * hull,
        "pole": POLE_RADIUS + hull, "course": COURSES.index(course),
        "anywhere": starts == "anywhere",
        "around": progress == "around",
        "strength": strength,
    }  # fmt: skip
    for name, value in values.items():
        params[0][name] = value
    params[0]["nominal"][0] = flying["physics"]["vehicle"]
    return params
