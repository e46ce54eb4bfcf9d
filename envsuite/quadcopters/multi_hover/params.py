"""Constants of gym-pybullet-drones' MultiHoverAviary and of its repaired form."""

import numpy as np

from envsuite.quadcopters.gpd.flight import flight, flight_dtype
from envsuite.quadcopters.params import check_count, find_vehicle

FEWEST, MOST = 2, 16


def params_dtype(scalar: type, num_drones: int) -> np.dtype:
    """Type of the parameter record.

    Args:
        scalar: type of the numbers, float32 or float64.
        num_drones: number of drones.

    Returns:
        A structured type: `flight` (see `gpd.flight`), `spawn` and `target` (m, one row a drone), the limits
        `reach` (|x| and |y|, m), `ceiling` (m) and `lean` (|roll| and |pitch|, rad), `goal` (m, the sum of
        distances that ends an episode of the original), `near` (m, what counts as at the target), `apart` (m,
        the distance between centres below which two drones collide), and the spread of starts: `spawn_side`,
        `spawn_height` (m) and `spawn_yaw` (rad).
    """
    return np.dtype(
        [
            ("flight", flight_dtype(scalar)),
            ("spawn", scalar, (num_drones, 3)),
            ("target", scalar, (num_drones, 3)),
            ("reach", scalar),
            ("ceiling", scalar),
            ("lean", scalar),
            ("goal", scalar),
            ("near", scalar),
            ("apart", scalar),
            ("spawn_side", scalar),
            ("spawn_height", scalar),
            ("spawn_yaw", scalar),
        ],
        align=True,
    )


def parameters(
    num_drones: int,
    act: str,
    mode: str,
    vehicle_name: str,
    *,
    compat: bool,
    speed_limit: float | None,
    scalar: type,
) -> np.ndarray:
    """The parameter record of the task.

    Args:
        num_drones: 2 to 16.
        act: one of `gpd.flight.ACTION_TYPES`.
        mode: a key of `quadcopters.dynamics.settings.MODES`.
        vehicle_name: one of `gpd.flight.VEHICLE_NAMES`.
        compat: keep the original's quirks and its one start.
        speed_limit: see `gpd.flight.flight`.
        scalar: type of the numbers, float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype(scalar, num_drones)`.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """
    check_count(num_drones, FEWEST, MOST)
    array = np.zeros(1, params_dtype(scalar, num_drones))
    p = array[0]
    p["flight"] = flight(act, mode, vehicle_name, compat=compat, speed_limit=speed_limit, scalar=scalar)
    constants = find_vehicle(vehicle_name)
    radius, height, offset = constants.hull
    index = np.arange(num_drones)
    # as the original: along the diagonal, four arms apart on each axis, a tenth of a metre above lying on the floor
    p["spawn"][:, 0] = p["spawn"][:, 1] = 4 * constants.arm * index
    p["spawn"][:, 2] = height / 2 - offset + 0.1
    p["target"] = p["spawn"]
    p["target"][:, 2] += (1 / (index + 1)).astype(scalar)
    p["reach"], p["ceiling"], p["lean"] = 2.0, 2.0, 0.4
    p["goal"], p["near"] = 1e-4, 0.05
    p["apart"] = 2 * radius
    if not compat:
        p["spawn_side"], p["spawn_height"], p["spawn_yaw"] = 0.02, 0.05, np.pi
    return array
