"""Constants of gym-pybullet-drones' HoverAviary and of its repaired form."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.gpd.flight import HORIZON, Flight

NEAR_WINDOW = 60  # steps: the last 2 s of an episode
FULL_RETURN = 2.0 * HORIZON  # of a flight that is at the target from the first step on


class Params(Record):
    """The constants."""

    flight = field(type=Flight)
    target = field((0.0, 0.0, 1.0), "m", shape=3)
    reach = field(1.5, "m", "limit of |x| and |y|")
    ceiling = field(2.0, "m")
    lean = field(0.4, "rad", "limit of |roll| and |pitch|")
    goal = field(1e-4, "m", "the distance that ends an episode of the original")
    near = field(0.05, "m", "what counts as at the target")
    spawn_side = field(0.05, "m", "the start is uniform within it on x and y")
    spawn_low = field(0.05, "m", "least height of the start")
    spawn_high = field(0.15, "m", "largest height of the start")
    spawn_yaw = field(np.pi, "rad", "uniform in +-")


def parameters(way: np.record, scalar: type) -> np.ndarray:
    """The parameter record of the task.

    Args:
        way: to fly, see `gpd.flight.flight`; with its `compat` there is one start only.
        scalar: type of the numbers, float32 or float64.

    Returns:
        Array of shape (1,) of `Params`.
    """
    if not way["compat"]:
        return Params.make(scalar, flight=way)
    # as the original: a tenth of a metre above lying on the floor
    height = way["physics"]["floor_height"] + scalar(0.1)
    return Params.make(scalar, flight=way, spawn_side=0.0, spawn_low=height, spawn_high=height, spawn_yaw=0.0)
