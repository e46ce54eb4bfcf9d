"""The state record and the layouts of route choice."""

import numpy as np

from envsuite.core.layout import Block, Choice, Vector
from envsuite.core.rng import STREAM
from envsuite.core.world import CLOCK


def state_dtype(drivers: int, links: int, routes: int) -> np.dtype:
    """The record of an instance.

    Args:
        drivers: number of agents.
        links: of the network.
        routes: of all pairs of origin and destination together.
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("pair", np.uint8, (drivers,)),  # of origin and destination
            ("flow", np.int32, (links,)),  # drivers on each link, 0 before they have chosen
            ("tolled", np.uint8, (links,)),
            ("minutes", np.float64, (routes,)),  # on each route
            ("cost", np.float64, (routes,)),  # tolls of each route
            ("costliest", np.float64),  # greatest toll of a link if all took it, C_max
        ],
        align=True,
    )


# latency: minutes of one's own route; cost: its tolls, unscaled; avg_tt: minutes, mean over drivers
INFO = np.dtype([("latency", np.float32), ("cost", np.float32), ("avg_tt", np.float32)], align=True)


def observation_layout(pairs: int, choices: int) -> Vector:
    """What a driver knows: where it is to go.

    Args:
        pairs: of origin and destination.
        choices: routes of a pair.
    """
    return Vector(
        (
            Block("pair", 1, 0, max(1, pairs - 1), "", "of origin and destination"),
            Block("routes", 1, 0, choices, "", "to choose from"),
        )
    )


def action_layout(choices: int) -> Choice:
    """Routes by number.

    Args:
        choices: routes of a pair.
    """
    return Choice(tuple(f"r{k}" for k in range(choices)))
