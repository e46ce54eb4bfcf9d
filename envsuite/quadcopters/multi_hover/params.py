"""Constants of gym-pybullet-drones' MultiHoverAviary and of its repaired form."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.gpd.flight import Flight

FEWEST, MOST = 2, 16


class Params(Record):
    """The constants."""

    flight = field(type=Flight)
    spawn = field(None, "m", shape=("drones", 3))
    target = field(None, "m", shape=("drones", 3))
    reach = field(2.0, "m", "limit of |x| and |y|")
    ceiling = field(2.0, "m")
    lean = field(0.4, "rad", "limit of |roll| and |pitch|")
    goal = field(1e-4, "m", "the sum of distances that ends an episode of the original")
    near = field(0.05, "m", "what counts as at the target")
    apart = field(None, "m", "distance between centres below which two drones collide")
    spawn_side = field(0.02, "m", "starts are uniform within it on x and y")
    spawn_height = field(0.05, "m", "likewise on z")
    spawn_yaw = field(np.pi, "rad", "uniform in +-")


def parameters(num_drones: int, way: np.record, constants: Vehicle, scalar: type) -> np.ndarray:
    """The parameter record of the task.

    Args:
        num_drones: 2 to 16.
        way: to fly, see `gpd.flight.flight`; with its `compat` there is one start only.
        constants: of the vehicle.
        scalar: type of the numbers, float32 or float64.

    Returns:
        Array of shape (1,) of `Params`.
    """
    radius, height, offset = constants.hull
    index = np.arange(num_drones)
    spawn = np.zeros((num_drones, 3), scalar)
    # as the original: along the diagonal, four arms apart on each axis, a tenth of a metre above lying on the floor
    spawn[:, 0] = spawn[:, 1] = 4 * constants.arm * index
    spawn[:, 2] = height / 2 - offset + 0.1
    target = spawn.copy()
    target[:, 2] += (1 / (index + 1)).astype(scalar)
    still = dict.fromkeys(("spawn_side", "spawn_height", "spawn_yaw"), 0.0) if way["compat"] else {}
    sizes = {"drones": num_drones}
    return Params.make(scalar, sizes, flight=way, spawn=spawn, target=target, apart=2 * radius, **still)
