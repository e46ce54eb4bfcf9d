"""Settings of the physics of gym-pybullet-drones, and the record that its kernels read."""

import numpy as np

from envsuite.quadcopters.params import Vehicle, find_vehicle, vehicle, vehicle_dtype

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


def physics_dtype(real: type = np.float32) -> np.dtype:
    """Type of the record that says which rigid-body physics to use.

    Args:
        real: scalar type of the numbers, float32 or float64.

    Returns:
        A structured type: `vehicle`; `timestep` (s); `damping` (linear and angular, see `dynamics.bullet`);
        the least height difference (m), least width (m) and largest force (N) of the downwash; height of the
        centre of a drone that lies on the floor (m), friction coefficient and rate of leveling (1/s) there;
        flags for the explicit dynamics, for the ground effect, drag and downwash terms, and for the floor.
    """
    return np.dtype(
        [
            ("vehicle", vehicle_dtype(real)),
            ("timestep", real),
            ("damping", real),
            ("downwash_min_gap", real),
            ("downwash_min_width", real),
            ("downwash_max_force", real),
            ("floor_height", real),
            ("floor_friction", real),
            ("floor_leveling", real),
            ("explicit", np.bool_),
            ("ground_effect", np.bool_),
            ("drag", np.bool_),
            ("downwash", np.bool_),
            ("floor", np.bool_),
        ],
        align=True,
    )


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
        A record of `physics_dtype(real)`.

    Raises:
        ValueError: unknown mode or vehicle, or a time step that is not positive.
    """
    if mode not in MODES:
        raise ValueError(f"unknown physics {mode!r}; expected one of {', '.join(MODES)}")
    if not timestep > 0:
        raise ValueError(f"timestep must be positive, got {timestep!r} s")
    record = np.recarray(1, physics_dtype(real))[0]
    record["vehicle"] = vehicle(vehicle_name, real)
    record["timestep"] = timestep
    record["damping"] = DAMPING
    record["explicit"] = mode == "dyn"
    record["ground_effect"], record["drag"], record["downwash"] = MODES[mode]
    record["downwash_min_gap"] = 0.0 if exact else 0.4
    record["downwash_min_width"] = 0.0 if exact else 0.03
    constants = find_vehicle(vehicle_name)
    weight = constants.mass * constants.gravity
    record["downwash_max_force"] = np.inf if exact else 0.5 * weight
    _, height, offset = constants.hull
    record["floor"] = floor
    record["floor_height"] = height / 2 - offset
    record["floor_friction"] = 0.5
    record["floor_leveling"] = 1 / 0.05
    return record
