"""The state record and the layouts of route choice."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Choice, Vector
from envsuite.core.rng import STREAM


def state_dtype(drivers: int, links: int, pairs: int, routes: int) -> np.dtype:
    """The record of an instance.

    Args:
        drivers: number of agents.
        links: of the network.
        pairs: of origin and destination.
        routes: of all pairs together.
    """
    told = np.dtype([("rewards", np.float32, (2,)), ("latency", np.float32), ("cost", np.float32)])
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("pair", np.min_scalar_type(pairs - 1), (drivers,)),  # of origin and destination
            ("flow", np.int32, (links,)),  # drivers on each link, 0 before they have chosen
            ("tolled", np.uint8, (links,)),
            ("costliest", np.float64),  # what tolls are divided by
            ("delay", np.float64, (links, 2)),  # minutes and toll of each link
            ("users", np.int32, (2, routes)),  # of each route, drivers with even and with odd numbers
            ("told", told, (routes,)),  # to the users of each route
        ],
        align=True,
    )


# latency: minutes of one's own route; cost: its tolls, unscaled; avg_tt: minutes, mean over drivers
_METRICS = (("latency", np.float32), ("cost", np.float32), ("avg_tt", np.float32))


def info_dtype(masked: int) -> np.dtype:
    """Metrics, and where pairs have unequal numbers of routes, ``action_mask``: 1 for a driver's own.

    Args:
        masked: greatest number of routes of a pair; 0 for no mask.
    """
    mask = (("action_mask", np.int8, (masked,)),) if masked else ()
    return np.dtype([*mask, *_METRICS], align=True)


def observation_layout(pairs: int, choices: int, masked: bool) -> Vector:
    """What a driver knows: where it is to go.

    Args:
        pairs: of origin and destination.
        choices: greatest number of routes of a pair.
        masked: whether pairs have unequal numbers.
    """
    mask = (Block("action_mask", choices, 0, 1, "", "1 for a route of one's own"),) if masked else ()
    return Vector(
        (
            Block("pair", 1, 0, max(1, pairs - 1), "", "of origin and destination"),
            Block("routes", 1, 0, choices, "", "to choose from"),
            *mask,
        )
    )


def action_layout(choices: int) -> Choice:
    """Routes by number.

    Args:
        choices: greatest number of routes of a pair.
    """
    return Choice(tuple(f"r{k}" for k in range(choices)))
