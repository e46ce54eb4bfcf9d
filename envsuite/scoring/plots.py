"""Figures of scores. Functions return Matplotlib figures without a window: ``figure.savefig("scores.png")``.

They take what the functions of this package return, and draw intervals with every value.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from envsuite.scoring.curves import Curve, highlight_runs
from envsuite.scoring.intervals import Estimate
from envsuite.scoring.multiobjective import nondominated
from envsuite.scoring.optional import need

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours that most colour-blind readers can tell apart (Okabe and Ito 2008), without black and yellow.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")
_DASHES = ("-", "--", "-.", ":")


def interval_bars(estimates: Mapping[str, Mapping[str, Estimate]], *, xlabel: str = "score") -> "Figure":
    """One panel a metric, one bar from low to high a method, a mark at the value.

    Args:
        estimates: {method: {metric: estimate}}, the same metrics for all methods, numbers without checkpoints.
        xlabel: unit of the scores.
    """
    methods = list(estimates)
    metrics = list(_first(estimates))
    figure, panels = _panels(1.2 + 2.9 * len(metrics), 1.3 + 0.38 * len(methods), len(metrics))
    for k, (panel, metric) in enumerate(zip(panels, metrics, strict=True)):
        for row, method in enumerate(methods):
            found = estimates[method][metric]
            panel.barh(row, found.high - found.low, left=found.low, height=0.6, color=_colour(row), alpha=0.6)
            panel.vlines(found.value, row - 0.3, row + 0.3, color="black", linewidth=1.5)
        panel.set_yticks(range(len(methods)), methods if k == 0 else [""] * len(methods))
        panel.invert_yaxis()
        panel.set_title(metric, fontsize="medium")
        panel.grid(axis="x", alpha=0.3)
        panel.locator_params(axis="x", nbins=4)
        panel.use_sticky_edges = False
        panel.margins(x=0.06)
        _bare(panel, left=k == 0)
    bases = dict.fromkeys(found.basis for each in estimates.values() for found in each.values())
    confidence = _first(_first(estimates).values()).confidence
    figure.supxlabel(f"{xlabel}; {100 * confidence:.3g} % intervals, {'; '.join(bases)}", fontsize="small")
    return figure


def profiles(
    estimates: Mapping[str, Estimate],
    thresholds: Any,
    *,
    scale_by_share: bool = False,
    xlabel: str = "score threshold τ",
    ylabel: str = "share of runs with score > τ",
    axes: "Axes | None" = None,
) -> "Figure":
    """Performance profiles with pointwise bands.

    Args:
        estimates: {method: `profile_estimate`}.
        thresholds: (K,) of the profiles, ascending.
        scale_by_share: give the τ axis room in proportion to the share of all runs between two thresholds, so that
            where nothing happens takes none.
        xlabel: of the τ axis.
        ylabel: of the shares.
        axes: draw here instead of on a new figure.
    """
    levels = np.asarray(thresholds, np.float64)
    figure, panel = _figure(axes, 7, 4)
    places = levels
    if scale_by_share:
        # what lies at or below τ on average; a little slope keeps every threshold apart
        share = 1 - np.mean([found.value for found in estimates.values()], axis=0)
        places = share + 1e-6 * np.arange(len(levels))
        ticks = np.unique(np.abs(share[:, None] - np.linspace(share[0], share[-1], 6)).argmin(axis=0))
        panel.set_xticks(places[ticks], [f"{level:.3g}" for level in levels[ticks]])
    for k, (method, found) in enumerate(estimates.items()):
        panel.fill_between(places, found.low, found.high, color=_colour(k), alpha=0.15, linewidth=0)
        panel.plot(places, found.value, color=_colour(k), linestyle=_dash(k), label=method)
    panel.set(xlabel=xlabel, ylabel=ylabel, ylim=(-0.02, 1.02))
    panel.grid(alpha=0.3)
    panel.legend(frameon=False)
    _bare(panel)
    return figure


def sample_efficiency(
    curves: Mapping[str, Curve],
    *,
    ylabel: str = "score",
    runs: Mapping[str, Any] | None = None,
    axes: "Axes | None" = None,
) -> "Figure":
    """Metric against steps or time with pointwise bands.

    Args:
        curves: {method: curve}, all against the same quantity.
        ylabel: unit of the scores.
        runs: {method: (N, L) scores of single runs}, of which those nearest to the 10th, 50th and 90th percentile of
            the final scores are drawn as thin lines.
        axes: draw here instead of on a new figure.
    """
    figure, panel = _figure(axes, 7, 4)
    for k, (method, curve) in enumerate(curves.items()):
        found = curve.estimate
        panel.fill_between(curve.x, found.low, found.high, color=_colour(k), alpha=0.15, linewidth=0)
        panel.plot(curve.x, found.value, color=_colour(k), linestyle=_dash(k), label=f"{method} ({found.basis})")
        if runs is not None and method in runs:
            single = np.asarray(runs[method], np.float64)
            for n in highlight_runs(single[:, -1]):
                panel.step(curve.x, single[n], color=_colour(k), linewidth=0.7, alpha=0.8, where="post")
    panel.set(xlabel=_first(curves.values()).label, ylabel=ylabel)
    panel.grid(alpha=0.3)
    panel.legend(frameon=False)
    _bare(panel)
    return figure


def improvement_bars(estimates: Mapping[tuple[str, str], Estimate], *, axes: "Axes | None" = None) -> "Figure":
    """Probabilities of improvement, X named on the left and Y on the right.

    Args:
        estimates: {(X, Y): `improvement` of X on Y}.
        axes: draw here instead of on a new figure.
    """
    figure, panel = _figure(axes, 6, 1.1 + 0.38 * len(estimates))
    for row, found in enumerate(estimates.values()):
        panel.barh(row, found.high - found.low, left=found.low, height=0.6, color=_colour(row), alpha=0.6)
        panel.vlines(found.value, row - 0.3, row + 0.3, color="black", linewidth=1.5)
    rows = range(len(estimates))
    panel.set_yticks(rows, [x for x, _ in estimates])
    panel.set(xlim=(0, 1), xlabel="P(X > Y)", ylabel="X", ylim=(len(estimates) - 0.5, -0.5))
    panel.axvline(0.5, color="black", linestyle=":", linewidth=1)
    panel.grid(axis="x", alpha=0.3)
    other = panel.twinx()
    other.set_yticks(rows, [y for _, y in estimates])
    other.set(ylabel="Y", ylim=(len(estimates) - 0.5, -0.5))
    _bare(panel)
    _bare(other, left=False)
    return figure


def matrix(
    shares: Any,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    label: str = "share of points",
    centre: float | None = 0.5,
) -> "Figure":
    """Heat map with numbers, for instance of a win matrix or of `rank_shares`.

    Args:
        shares: (I, J) numbers; NaN is left white.
        rows: I names.
        columns: J names.
        label: what the numbers are.
        centre: number from which colours go two ways, as 0.5 in a win matrix; None for one way, from 0.
    """
    table = np.asarray(shares, np.float64)
    if table.shape != (len(rows), len(columns)):
        raise ValueError(f"matrix has shape {table.shape}, expected ({len(rows)}, {len(columns)})")
    figure, panel = _figure(None, 2.2 + 0.62 * len(columns), 1.6 + 0.45 * len(rows))
    middle = centre or 0.0
    reach = max(float(np.nanmax(np.abs(table - middle), initial=0.0)), 1e-12)
    colours = {"cmap": "Blues", "vmin": 0.0} if centre is None else {"cmap": "RdBu", "vmin": middle - reach}
    image = panel.imshow(table, vmax=middle + reach, aspect="auto", **colours)
    for i, j in np.argwhere(~np.isnan(table)):
        dark = abs(table[i, j] - middle) > 0.6 * reach
        panel.text(j, i, f"{table[i, j]:.2f}", ha="center", va="center", color="white" if dark else "black")
    slanted = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if max(map(len, columns)) > 4 else {}
    panel.set_xticks(range(len(columns)), columns, **slanted)
    panel.set_yticks(range(len(rows)), rows)
    panel.tick_params(length=0)
    figure.colorbar(image, ax=panel, label=label)
    return figure


def fronts(
    points: Mapping[str, Any],
    *,
    labels: Sequence[str] = ("objective 1", "objective 2"),
    reference: Any = None,
    axes: "Axes | None" = None,
) -> "Figure":
    """Pareto fronts of two objectives, both maximised, with what each dominates.

    Args:
        points: {method: (n, 2)}; dominated points are drawn faint.
        labels: names of the objectives.
        reference: (2,) reference point of the hypervolume, to which the shading reaches.
        axes: draw here instead of on a new figure.
    """
    figure, panel = _figure(axes, 5.5, 4.5)
    everything = np.concatenate([np.asarray(each, np.float64).reshape(-1, 2) for each in points.values()])
    corner = np.asarray(reference, np.float64) if reference is not None else everything.min(axis=0)
    for k, (method, each) in enumerate(points.items()):
        table = np.asarray(each, np.float64)
        if table.ndim != 2 or table.shape[1] != 2:
            raise ValueError(f"points of {method!r} have shape {table.shape}, expected (points, 2)")
        front = nondominated(table)
        front = front[np.argsort(front[:, 0])]
        panel.scatter(*table.T, color=_colour(k), s=12, alpha=0.35, linewidth=0)
        panel.scatter(*front.T, color=_colour(k), s=28, label=method, zorder=3)
        # up to each x the highest point that reaches at least as far to the right
        x = np.concatenate([[corner[0]], front[:, 0], front[-1:, 0]])
        y = np.concatenate([front[:1, 1], front[:, 1], [corner[1]]])
        panel.step(x, y, where="pre", color=_colour(k), linestyle=_dash(k), linewidth=1)
        panel.fill_between(x, corner[1], y, step="pre", color=_colour(k), alpha=0.12, linewidth=0)
    if reference is not None:
        panel.scatter(*corner, marker="x", color="black", label="reference", zorder=3)
    panel.set(xlabel=labels[0], ylabel=labels[1])
    panel.grid(alpha=0.3)
    panel.legend(frameon=False)
    _bare(panel)
    return figure


def _first(values: Any) -> Any:
    found = next(iter(values.values() if isinstance(values, Mapping) else values), None)
    if found is None:
        raise ValueError("there is nothing to draw")
    return found


def _panels(width: float, height: float, count: int) -> tuple["Figure", list["Axes"]]:
    figure = need("matplotlib.figure", "scoring").Figure(figsize=(width, height), layout="constrained")
    return figure, list(figure.subplots(1, count, squeeze=False)[0])


def _figure(axes: "Axes | None", width: float, height: float) -> tuple[Any, Any]:
    if axes is not None:
        return axes.figure, axes
    figure, panels = _panels(width, height, 1)
    return figure, panels[0]


def _bare(panel: "Axes", *, left: bool = True) -> None:
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)
    panel.spines["left"].set_visible(left)
    if not left:
        panel.tick_params(left=False)


def _colour(k: int) -> str:
    return COLOURS[k % len(COLOURS)]


def _dash(k: int) -> str:
    return _DASHES[k // len(COLOURS) % len(_DASHES)]
