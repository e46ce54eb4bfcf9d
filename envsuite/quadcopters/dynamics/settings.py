"""Settings of the physics of gym-pybullet-drones, and the record that its kernels read."""

from typing import Any

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.params import Vehicle, VehicleRecord, find_vehicle, vehicle

# Which extra terms each physics mode of gym-pybullet-drones adds (ground effect, drag, downwash).
MODES: dict[str, tuple[bool, bool, bool]] = {
    "pyb": (False, False, False),
    "dyn": (False, False, False),
    "pyb_gnd": (True, False, False),
    "pyb_drag": (False, True, False),
    "pyb_dw": (False, False, True),
    "pyb_gnd_drag_dw": (True, True, True),
}

# PyBullet's default linear and angular damping; the engine stores it in single precision
DAMPING = float(np.float32(0.04))


class Physics(Record):
    """Which rigid-body physics to use."""

    vehicle = field(type=VehicleRecord)
    timestep = field(1 / 240, "s")
    damping = field(DAMPING, "", "linear and angular, see `dynamics.bullet`")
    downwash_min_gap = field(0.0, "m", "least height difference that counts")
    downwash_min_width = field(0.0, "m")
    downwash_max_force = field(np.inf, "N")
    floor_height = field(unit="m", meaning="of the middle of a drone that lies on the floor")
    floor_friction = field(0.5)
    floor_leveling = field(1 / 0.05, "1/s", "rate at which a drone on the floor comes to lie flat")
    explicit = field(False, type=np.bool_, meaning="the explicit dynamics")
    ground_effect = field(False, type=np.bool_)
    drag = field(False, type=np.bool_)
    downwash = field(False, type=np.bool_)
    floor = field(False, type=np.bool_)


def physics(
    mode: str = "pyb",
    vehicle_name: str | Vehicle = "cf2x",
    *,
    timestep: float = 1 / 240,
    exact: bool = True,
    floor: bool = False,
    real: type = np.float32,
) -> np.record:
    """The record of a physics mode of gym-pybullet-drones.

    Args:
        mode: a key of `MODES`.
        vehicle_name: a key of `params.VEHICLES`, or constants of a vehicle of one's own.
        timestep: physics step, s.
        exact: keep the original's singular downwash; otherwise its force is limited to half the weight, its height
            difference taken as at least 0.4 m and its width as at least 0.03 m.
        floor: stop drones at the floor, see `dynamics.floor`.
        real: scalar type of the numbers, float32 or float64.

    Returns:
        A record of `Physics`.

    Raises:
        ValueError: unknown mode or vehicle, or a time step that is not positive.
    """
    if mode not in MODES:
        raise ValueError(f"unknown physics {mode!r}; expected one of {', '.join(MODES)}")
    if not timestep > 0:
        raise ValueError(f"timestep must be positive, got {timestep!r} s")
    constants = find_vehicle(vehicle_name)
    _, height, offset = constants.hull
    ground_effect, drag, downwash = MODES[mode]
    values: dict[str, Any] = {
        "vehicle": vehicle(vehicle_name, real),
        "timestep": timestep,
        "floor_height": height / 2 - offset,
        "explicit": mode == "dyn",
        "ground_effect": ground_effect,
        "drag": drag,
        "downwash": downwash,
        "floor": floor,
    }
    if not exact:
        weight = constants.mass * constants.gravity
        values |= {"downwash_min_gap": 0.4, "downwash_min_width": 0.03, "downwash_max_force": 0.5 * weight}
    return Physics.make(real, **values).view(np.recarray)[0]
