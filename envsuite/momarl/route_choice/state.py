"""The state record and the layouts of route choice."""

import numpy as np

from envsuite.core import Block, Choice, Record, StateRecord, Vector, field


class Told(Record):
    """What the users of a route are told."""

    rewards = field(type=np.float32, shape=2)
    latency = field(type=np.float32, unit="min")
    cost = field(type=np.float32, unit="min", meaning="tolls")


class State(StateRecord):
    """Drivers and traffic."""

    pair = field(type=np.uint8, shape="drivers", meaning="of origin and destination")
    flow = field(type=np.int32, shape="links", meaning="drivers on each link, 0 before they have chosen")
    tolled = field(type=np.uint8, shape="links", meaning="1 where a link has a toll")
    costliest = field(unit="min", meaning="what tolls are divided by")
    delay = field(unit="min", shape=("links", 2), meaning="time and toll of each link")
    users = field(type=np.int32, shape=(2, "routes"), meaning="drivers with even and with odd numbers")
    told = field(type=Told, shape="routes")


class WideState(State):
    """The same for more than 256 pairs of origin and destination."""

    pair = field(type=np.uint16, shape="drivers", meaning="of origin and destination")


class Info(Record):
    """The metrics."""

    latency = field(unit="min", meaning="of one's own route")
    cost = field(unit="min", meaning="its tolls, unscaled")
    avg_tt = field(unit="min", meaning="mean over drivers")


class MaskedInfo(Record):
    """The same, where pairs have unequal numbers of routes."""

    action_mask = field(type=np.int8, shape="choices", meaning="1 for a route of one's own")
    latency = field(unit="min", meaning="of one's own route")
    cost = field(unit="min", meaning="its tolls, unscaled")
    avg_tt = field(unit="min", meaning="mean over drivers")


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
