"""Options and the parameter record of the drone tasks.

After Felten (2023), CrazyRL (github.com/ffelten/CrazyRL), whose numbers they are, and MOMAland (arXiv 2407.16312).
"""

from collections.abc import Sequence

import numpy as np

from envsuite.core import Record, field

HEIGHT = 3.0
"""Of the room, m."""
STRIDE = 0.2
"""Greatest move along an axis in a step, m."""
CRASH = -10.0
"""Both rewards of a drone that crashes."""
FLOOR = 0.1
"""Below this height a drone has crashed, m."""
NEAR, JITTER, LOWEST = 0.2, 0.01, 0.2
"""A target that is caught runs from drones unless their centre is this near (m); then it moves by up to so much along
an axis (m); it stays above that height (m)."""

TASKS = ("surround", "escort", "catch")

TARGET = (1.0, 1.0, 2.5)
STARTS = {
    4: ((0, 0, 1), (1, 1, 1), (0, 1, 1), (2, 2, 1)),
    8: ((0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 2, 2), (2, 0.5, 1), (2, 2.5, 2), (2, 1, 2.5), (0.5, 0.5, 0.5)),
}
"""Starts of published experiments, m; that of eight is for size 5 and the target (1, 1, 2)."""


class Params(Record):
    """The constants."""

    task = field(type=np.int32, meaning="index in `TASKS`")
    all_crash = field(type=np.uint8, meaning="everybody pays for a crash")
    compat = field(type=np.uint8, meaning="as in MOMAland 0.2")
    half = field(unit="m", meaning="half the room's width")
    threshold = field(unit="m", meaning="nearer than this is a crash")
    target_speed = field(unit="m", meaning="a step")
    legs = field(type=np.int32, meaning="steps that the escorted target takes to its end")
    target = field(unit="m", shape=3)
    final = field(unit="m", shape=3, meaning="where the escorted target ends")
    starts = field(unit="m", shape=("drones", 3))


def start_places(drones: int, size: float, target: Sequence[float]) -> np.ndarray:
    """Starts of any number of drones: the published ones of four and eight, else a lattice of 1 m around the middle.

    Args:
        drones: how many.
        size: half the room's width, m.
        target: where the target is, m; no drone starts within half a metre of it.

    Returns:
        (drones, 3) float32, m.

    Raises:
        ValueError: they do not fit into the room.
    """
    if drones in STARTS and np.abs(STARTS[drones]).max() <= size:
        return np.array(STARTS[drones], np.float32)
    side = np.arange(-int(size), int(size) + 1)
    lattice = np.array([(x, y, z) for z in (1.0, 2.0) for x in side for y in side], np.float64)
    free = lattice[np.linalg.norm(lattice - target, axis=1) > 0.5]
    if len(free) < drones:
        raise ValueError(f"{drones} drones do not fit into a room of size {size:g}: give init_positions")
    order = np.lexsort((free[:, 1], free[:, 0], np.abs(free[:, :2]).max(axis=1), free[:, 2]))
    return free[order[:drones]].astype(np.float32)
