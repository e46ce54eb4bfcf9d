"""Figures of flights, from their logs (extra ``plots``)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from envsuite.quadcopters.render import COLORS
from envsuite.quadcopters.telemetry import AXES, positions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TINTS = ["#{:02x}{:02x}{:02x}".format(*color) for color in COLORS]
_REFERENCE = "#50585f"
_LEAST_SPAN = 0.2  # m

Columns = Mapping[str, np.ndarray]


def errors(columns: Columns) -> np.ndarray:
    """Distances from the reference, m, (T,)."""
    return np.linalg.norm(positions(columns) - positions(columns, "reference_"), axis=1)


def tracking(columns: Columns) -> "Figure":
    """Position against reference, and the error over time.

    Args:
        columns: of a log of one or several drones, see `telemetry.drones`.

    Returns:
        A figure: the path from above, the coordinates over time, the distance from the reference over time.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 6.4), layout="constrained")
    grid = figure.add_gridspec(3, 2, width_ratios=(1, 1.35))
    above, error = figure.add_subplot(grid[:2, 0]), figure.add_subplot(grid[2, 0])
    traces = [figure.add_subplot(grid[k, 1]) for k in range(3)]
    agents = np.unique(columns["agent"])
    for n in agents:
        mine = {name: column[columns["agent"] == n] for name, column in columns.items()}
        color, name = _TINTS[int(n) % len(_TINTS)], "flown" if len(agents) == 1 else f"drone {int(n)}"
        place, wanted, time = positions(mine), positions(mine, "reference_"), mine["time"]
        above.plot(
            wanted[:, 0], wanted[:, 1], "--", color=_REFERENCE, lw=1.2, label="reference" if n == agents[0] else None
        )
        if np.ptp(wanted[:, :2], axis=0).max() < 1e-9:
            above.plot(*wanted[0, :2], "x", color=_REFERENCE)
        above.plot(place[:, 0], place[:, 1], color=color, lw=1.4, label=name)
        above.plot(*place[0, :2], "o", color=color, ms=4)
        for k, axis in enumerate(traces):
            axis.plot(time, wanted[:, k], "--", color=_REFERENCE, lw=1.2)
            axis.plot(time, place[:, k], color=color, lw=1.4)
        error.plot(time, 100 * errors(mine), color=color, lw=1.4)
    away = errors(columns)
    error.set_title(f"RMSE {100 * np.sqrt(np.mean(away**2)):.1f} cm, largest {100 * away.max():.1f} cm", fontsize=10)
    error.set(xlabel="time (s)", ylabel="error (cm)")
    error.set_ylim(bottom=0)
    above.set(xlabel="x (m)", ylabel="y (m)")
    above.set_aspect("equal", adjustable="datalim")
    above.legend(loc="best", fontsize=9)
    for k, axis in enumerate(traces):
        axis.set_ylabel(f"{AXES[k]} (m)")
        low, high = axis.get_ylim()
        spare = max(0.0, _LEAST_SPAN - (high - low)) / 2  # millimetres should not look like a rough flight
        axis.set_ylim(low - spare, high + spare)
    traces[-1].set_xlabel("time (s)")
    _tidy([above, error, *traces])
    return figure


def race(columns: Columns, gates, poles=()) -> "Figure":
    """The path through the gates from above, coloured by speed, and the speed over time with the gates passed.

    Args:
        columns: of a log with ``gates_passed`` and ``lap_time``.
        gates: x, y, z (m), yaw (rad) and half-width (m) of each, (G, 5).
        poles: x and y of each, m, (P, 2).
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4.8), layout="constrained")
    above, pace = figure.subplots(1, 2, width_ratios=(1, 1.1))
    place, time = positions(columns), columns["time"]
    speed = np.linalg.norm(np.stack([columns[f"v{axis}"] for axis in AXES], axis=-1), axis=1)
    for i, (x, y, _, yaw, half) in enumerate(np.asarray(gates, np.float64)):
        side = half * np.array([-np.sin(yaw), np.cos(yaw)])
        ends = np.array([x, y]) + np.outer((-1, 1), side)
        above.plot(ends[:, 0], ends[:, 1], color=_TINTS[1], lw=4, solid_capstyle="butt")
        ahead = 0.6 * half * np.array([np.cos(yaw), np.sin(yaw)])
        above.annotate("", (x + ahead[0], y + ahead[1]), (x, y), arrowprops={"arrowstyle": "->", "color": _TINTS[1]})
        above.text(x - ahead[0], y - ahead[1], str(i + 1), ha="center", va="center", fontsize=9)
    if len(poles):
        above.plot(*np.transpose(poles), "o", color="#7a4f46", ms=5, label="poles")
    _fading(figure, above, place, speed)
    above.set(xlabel="x (m)", ylabel="y (m)")
    above.set_aspect("equal", adjustable="datalim")
    pace.plot(time, speed, color=_TINTS[0], lw=1.4)
    splits = crossings(columns)
    for i, moment in enumerate(splits):
        pace.axvline(moment, color=_TINTS[1], lw=1)
        where = {"xycoords": ("data", "axes fraction"), "xytext": (-3, -4), "textcoords": "offset points"}
        pace.annotate(f"{i + 1}: {moment:.2f} s", (moment, 1), rotation=90, fontsize=8, ha="right", va="top", **where)
    lap = float(columns["lap_time"][-1])
    ending = f"lap {lap:.2f} s" if lap > 0 else f"{len(splits)} of {len(gates)} gates"
    pace.set_title(f"{ending}, mean speed {speed.mean():.2f} m/s", fontsize=10)
    pace.set(xlabel="time (s)", ylabel="speed (m/s)")
    pace.set_ylim(bottom=0)
    _tidy([above, pace])
    return figure


def crossings(columns: Columns) -> np.ndarray:
    """When each gate was passed, s."""
    passed = columns["gates_passed"]
    return columns["time"][1:][np.diff(passed) > 0]


def _fading(figure, axis, place, speed) -> None:
    from matplotlib.collections import LineCollection

    pieces = LineCollection(np.stack([place[:-1, :2], place[1:, :2]], axis=1).tolist(), cmap="viridis", lw=2)
    pieces.set_array(speed[:-1])
    axis.add_collection(pieces)
    axis.plot(*place[0, :2], "o", color="black", ms=4)
    figure.colorbar(pieces, ax=axis, label="speed (m/s)", shrink=0.8)
    axis.autoscale_view()


def _tidy(axes: list[Any]) -> None:
    for axis in axes:
        axis.grid(alpha=0.3)
        axis.spines[["top", "right"]].set_visible(False)
