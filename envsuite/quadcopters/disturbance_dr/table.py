"""How well a policy holds which vehicles: survival, error and worst decile, by a property of the vehicle."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

PROPERTIES = ("mass", "thrust_to_weight", "torque_to_inertia", "arm", "motor_rise", "motor_fall")


class Row(NamedTuple):
    """The episodes with vehicles of one range.

    Attributes:
        low: of the property.
        high: likewise.
        episodes: how many.
        survival: share that were not lost.
        rmse: mean of the root mean square errors of the survivors, m; NaN without any.
        worst_decile: mean return of the worst tenth of the episodes (at least one).
    """

    low: float
    high: float
    episodes: int
    survival: float
    rmse: float
    worst_decile: float


def by_vehicle(
    returns: np.ndarray, metrics: Mapping[str, np.ndarray], by: str = "thrust_to_weight", rows: int = 4
) -> list[Row]:
    """Group episodes by a property of their vehicles, into ranges that hold equally many.

    Args:
        returns: of the episodes, (n,).
        metrics: of their last steps, (n,) each: `crashed`, `rmse`, and the property; as `evaluation.rollout.play` has
            them.
        by: one of `PROPERTIES`.
        rows: number of ranges.

    Returns:
        One row a range, from the lowest values up; one row where all vehicles are alike.

    Raises:
        ValueError: an unknown property, fewer than one row, or fewer episodes than rows.
    """
    if by not in PROPERTIES:
        raise ValueError(f"by is {by!r}, expected one of {', '.join(PROPERTIES)}")
    if not 1 <= rows <= len(returns):
        raise ValueError(f"rows is {rows!r}, expected 1 to the number of episodes, {len(returns)}")
    values = np.asarray(metrics[by])
    order = np.argsort(values, kind="stable")
    groups = [order] if values.min() == values.max() else np.array_split(order, rows)
    return [_row(np.asarray(returns)[group], values[group], metrics, group) for group in groups]


def _row(returns, values, metrics, group) -> Row:
    alive = ~np.asarray(metrics["crashed"], bool)[group]
    errors = np.asarray(metrics["rmse"], np.float64)[group][alive]
    worst = np.sort(returns)[: max(1, len(returns) // 10)]
    return Row(
        float(values.min()),
        float(values.max()),
        len(group),
        float(alive.mean()),
        float(errors.mean()) if len(errors) else float("nan"),
        float(worst.mean()),
    )
