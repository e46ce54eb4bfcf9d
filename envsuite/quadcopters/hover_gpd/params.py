"""Constants of gym-pybullet-drones' HoverAviary and of its repaired form."""

import numpy as np

from envsuite.quadcopters.gpd.flight import HORIZON, flight, flight_dtype

NEAR_WINDOW = 60  # steps: the last 2 s of an episode
FULL_RETURN = 2.0 * HORIZON  # of a flight that is at the target from the first step on


def params_dtype(scalar: type = np.float32) -> np.dtype:
    """Type of the parameter record.

    Args:
        scalar: type of the numbers, float32 or float64.

    Returns:
        A structured type: `flight` (see `gpd.flight`), `target` (m), the limits `reach` (|x| and |y|, m),
        `ceiling` (m) and `lean` (|roll| and |pitch|, rad), `goal` (m, the distance that ends an episode of
        the original), `near` (m, what counts as at the target), and the start: `spawn_side` (m), `spawn_low`
        and `spawn_high` (m), `spawn_yaw` (rad).
    """
    return np.dtype(
        [
            ("flight", flight_dtype(scalar)),
            ("target", scalar, 3),
            ("reach", scalar),
            ("ceiling", scalar),
            ("lean", scalar),
            ("goal", scalar),
            ("near", scalar),
            ("spawn_side", scalar),
            ("spawn_low", scalar),
            ("spawn_high", scalar),
            ("spawn_yaw", scalar),
        ],
        align=True,
    )


def parameters(
    act: str, mode: str, vehicle_name: str, compat: bool, speed_limit: float | None, scalar: type
) -> np.ndarray:
    """The parameter record of the task.

    Args:
        act: one of `gpd.flight.ACTION_TYPES`.
        mode: a key of `quadcopters.dynamics.settings.MODES`.
        vehicle_name: one of `gpd.flight.VEHICLE_NAMES`.
        compat: keep the original's quirks and its one start.
        speed_limit: see `gpd.flight.flight`.
        scalar: type of the numbers, float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype(scalar)`.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """
    array = np.zeros(1, params_dtype(scalar))
    p = array[0]
    p["flight"] = flight(act, mode, vehicle_name, compat=compat, speed_limit=speed_limit, scalar=scalar)
    p["target"] = (0.0, 0.0, 1.0)
    p["reach"], p["ceiling"], p["lean"] = 1.5, 2.0, 0.4
    p["goal"], p["near"] = 1e-4, 0.05
    if compat:
        # as the original: a tenth of a metre above lying on the floor
        p["spawn_low"] = p["spawn_high"] = p["flight"]["physics"]["floor_height"] + scalar(0.1)
    else:
        p["spawn_side"], p["spawn_low"], p["spawn_high"], p["spawn_yaw"] = 0.05, 0.05, 0.15, np.pi
    return array
