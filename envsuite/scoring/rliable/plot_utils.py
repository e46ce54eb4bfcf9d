"""Figures under the names of `rliable.plot_utils`; without a window, ``axes.figure.savefig(...)`` writes them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from envsuite.scoring.optional import need
from envsuite.scoring.plots import COLOURS


def plot_interval_estimates(
    point_estimates: Mapping[str, Any],
    interval_estimates: Mapping[str, Any],
    metric_names: Sequence[str],
    algorithms: Sequence[str] | None = None,
    colors: Mapping[str, Any] | None = None,
    color_palette: str = "colorblind",
    max_ticks: int = 4,
    subfigure_width: float = 3.4,
    row_height: float = 0.37,
    xlabel_y_coordinate: float = -0.1,
    xlabel: str = "Normalized Score",
    **kwargs: Any,
) -> tuple[Any, Any]:
    """Bars of intervals, one panel a metric.

    Args:
        point_estimates: {name: (K,)} of `library.get_interval_estimates`.
        interval_estimates: {name: (2, K)} of the same.
        metric_names: K titles.
        algorithms: names to draw, from below; by default all.
        colors: {name: colour}.
        color_palette: ``"colorblind"``, or the name of a Matplotlib colour map.
        max_ticks: ticks of each axis at most.
        subfigure_width: inches of a panel.
        row_height: inches of a row.
        xlabel_y_coordinate: height of the label below the panels, in units of the figure.
        xlabel: that label.
        **kwargs: ``wspace`` between panels, ``fontsize`` of titles.

    Returns:
        The figure and its axes: one for one metric, else an array (K,).
    """
    names = list(point_estimates) if algorithms is None else list(algorithms)
    paint, count = _colours(names, colors, color_palette), len(metric_names)
    figure = _figure((subfigure_width * count, row_height * len(names)))
    panels = figure.subplots(1, count, squeeze=False)[0]
    figure.subplots_adjust(wspace=kwargs.get("wspace", 0.11))
    size = kwargs.get("fontsize", "xx-large")
    for k, panel in enumerate(panels):
        for row, name in enumerate(names):
            low, high = np.asarray(interval_estimates[name])[:, k]
            panel.barh(row, high - low, left=low, height=0.6, color=paint[name], alpha=0.75, label=name)
            value = np.asarray(point_estimates[name])[k]
            panel.vlines(value, row - 0.23, row + 0.23, color="black", alpha=0.5, label=name)
        panel.set_yticks(range(len(names)), names if k == 0 else [""] * len(names), fontsize="x-large")
        panel.locator_params(axis="x", nbins=max_ticks)
        panel.set_title(metric_names[k], fontsize=size)
        panel.grid(axis="x", alpha=0.25)
        _strip(panel)
    figure.text(0.4, xlabel_y_coordinate, xlabel, ha="center", va="top", fontsize=size)
    return figure, panels[0] if count == 1 else panels


def plot_performance_profiles(
    performance_profiles: Mapping[str, Any],
    tau_list: Any,
    performance_profile_cis: Mapping[str, Any] | None = None,
    use_non_linear_scaling: bool = False,
    ax: Any = None,
    colors: Mapping[str, Any] | None = None,
    color_palette: str = "colorblind",
    alpha: float = 0.15,
    figsize: tuple[float, float] = (10, 5),
    xticks: Sequence[float] | None = None,
    yticks: Sequence[float] | None = None,
    xlabel: str = r"Normalized Score ($\tau$)",
    ylabel: str = r"Fraction of runs with score $> \tau$",
    linestyles: Mapping[str, str] | None = None,
    **kwargs: Any,
) -> Any:
    """Performance profiles with bands.

    Args:
        performance_profiles: {name: (T,)} of `library.create_performance_profile`.
        tau_list: (T,) thresholds.
        performance_profile_cis: {name: (2, T)} of the same.
        use_non_linear_scaling: τ axis in proportion to the share of runs.
        ax: axes to draw on.
        colors: {name: colour}.
        color_palette: see `plot_interval_estimates`.
        alpha: opacity of bands.
        figsize: inches.
        xticks: thresholds to mark.
        yticks: shares to mark.
        xlabel: of the τ axis.
        ylabel: of the shares.
        linestyles: {name: style}.
        **kwargs: ``legend``, ``linewidth`` and ``legendsize``.

    Returns:
        The axes.
    """
    panel = ax if ax is not None else _figure(figsize).subplots()
    levels = np.asarray(tau_list, np.float64)
    places = levels
    if use_non_linear_scaling:
        share = 1 - np.mean([np.asarray(each) for each in performance_profiles.values()], axis=0)
        places = share + 1e-6 * np.arange(len(levels))
        marks = np.interp(np.linspace(share[0], share[-1], 5), places, levels) if xticks is None else xticks
        panel.set_xticks(np.interp(marks, levels, places), [f"{mark:.3g}" for mark in marks])
    elif xticks is not None:
        panel.set_xticks(xticks)
    paint = _colours(list(performance_profiles), colors, color_palette)
    for name, profile in performance_profiles.items():
        style = (linestyles or {}).get(name, "-")
        width = kwargs.get("linewidth", 2.0)
        panel.plot(places, profile, color=paint[name], linestyle=style, linewidth=width, label=name)
        if performance_profile_cis is not None and name in performance_profile_cis:
            panel.fill_between(places, *performance_profile_cis[name], color=paint[name], alpha=alpha)
    panel.set(xlabel=xlabel, ylabel=ylabel)
    panel.set_yticks([0.0, 0.25, 0.5, 0.75, 1.0] if yticks is None else yticks)
    _finish(panel, kwargs)
    return panel


def plot_sample_efficiency_curve(
    frames: Any,
    point_estimates: Mapping[str, Any],
    interval_estimates: Mapping[str, Any],
    algorithms: Sequence[str] | None = None,
    colors: Mapping[str, Any] | None = None,
    color_palette: str = "colorblind",
    figsize: tuple[float, float] = (7, 5),
    xlabel: str = "Number of Frames (in millions)",
    ylabel: str = "Aggregate Human Normalized Score",
    ax: Any = None,
    labelsize: str = "xx-large",
    ticklabelsize: str = "xx-large",
    **kwargs: Any,
) -> Any:
    """Metric along training with bands.

    Args:
        frames: (L,) steps.
        point_estimates: {name: (L,)} of `library.get_interval_estimates`.
        interval_estimates: {name: (2, L)} of the same.
        algorithms: names to draw; by default all.
        colors: {name: colour}.
        color_palette: see `plot_interval_estimates`.
        figsize: inches.
        xlabel: of the steps.
        ylabel: of the metric.
        ax: axes to draw on.
        labelsize: font size of labels.
        ticklabelsize: font size of numbers.
        **kwargs: ``legend``, ``linewidth``, ``marker`` and ``legendsize``.

    Returns:
        The axes.
    """
    panel = ax if ax is not None else _figure(figsize).subplots()
    names = list(point_estimates) if algorithms is None else list(algorithms)
    paint = _colours(names, colors, color_palette)
    for name in names:
        width, marker = kwargs.get("linewidth", 2), kwargs.get("marker", "o")
        panel.plot(frames, point_estimates[name], color=paint[name], marker=marker, linewidth=width, label=name)
        panel.fill_between(frames, *interval_estimates[name], color=paint[name], alpha=0.2)
    panel.set_xlabel(xlabel, fontsize=labelsize)
    panel.set_ylabel(ylabel, fontsize=labelsize)
    panel.tick_params(labelsize=ticklabelsize)
    _finish(panel, kwargs)
    return panel


def plot_probability_of_improvement(
    probability_estimates: Mapping[str, Any],
    probability_interval_estimates: Mapping[str, Any],
    pair_separator: str = ",",
    ax: Any = None,
    figsize: tuple[float, float] = (4, 3),
    colors: Sequence[Any] | None = None,
    color_palette: str = "colorblind",
    alpha: float = 0.75,
    xticks: Sequence[float] | None = None,
    xlabel: str = "P(X > Y)",
    left_ylabel: str = "Algorithm X",
    right_ylabel: str = "Algorithm Y",
    **kwargs: Any,
) -> Any:
    """Probabilities of improvement with intervals.

    Args:
        probability_estimates: {"X,Y": value or (1,)} of `library.get_interval_estimates`.
        probability_interval_estimates: {"X,Y": (2,) or (2, 1)} of the same.
        pair_separator: between the two names of a key.
        ax: axes to draw on.
        figsize: inches.
        colors: one a pair.
        color_palette: see `plot_interval_estimates`.
        alpha: opacity of bars.
        xticks: probabilities to mark.
        xlabel: of the probabilities.
        left_ylabel: over the names on the left.
        right_ylabel: over the names on the right.
        **kwargs: not used.

    Returns:
        The axes.

    Raises:
        ValueError: a key that is no pair.
    """
    panel = ax if ax is not None else _figure(figsize).subplots()
    keys = list(probability_estimates)
    pairs = [key.split(pair_separator) for key in keys]
    odd = next((key for key, pair in zip(keys, pairs, strict=True) if len(pair) != 2), None)
    if odd is not None:
        raise ValueError(f"key {odd!r} is no pair 'X{pair_separator}Y'")
    paint = _colours(keys, None if colors is None else dict(zip(keys, colors, strict=False)), color_palette)
    for row, key in enumerate(keys):
        low, high = np.asarray(probability_interval_estimates[key]).reshape(2)
        value = float(np.asarray(probability_estimates[key]).reshape(()))
        panel.barh(row, high - low, left=low, height=0.6, color=paint[key], alpha=alpha)
        panel.vlines(value, row - 0.23, row + 0.23, color="black", alpha=0.85)
    other = panel.twinx()
    for side, labels, title in (
        (panel, [x for x, _ in pairs], left_ylabel),
        (other, [y for _, y in pairs], right_ylabel),
    ):
        side.set_yticks(range(len(keys)), labels)
        side.set_ylim(-0.5, len(keys) - 0.5)
        side.set_title(title, loc="left" if side is panel else "right", fontsize="medium")
        _strip(side)
    if xticks is not None:
        panel.set_xticks(xticks)
    panel.set_xlabel(xlabel)
    panel.grid(axis="x", alpha=0.2)
    return panel


def _figure(size: tuple[float, float]) -> Any:
    return need("matplotlib.figure", "scoring").Figure(figsize=size)


def _colours(names: Sequence[str], given: Mapping[str, Any] | None, palette: str) -> dict[str, Any]:
    if given is not None:
        return dict(given)
    if palette == "colorblind":
        return {name: COLOURS[k % len(COLOURS)] for k, name in enumerate(names)}
    colour_map = need("matplotlib", "scoring").colormaps[palette]
    return {name: colour_map(k / max(1, len(names) - 1)) for k, name in enumerate(names)}


def _strip(panel: Any) -> None:
    for side in ("left", "right", "top"):
        panel.spines[side].set_visible(False)
    panel.tick_params(axis="y", length=0)


def _finish(panel: Any, options: Mapping[str, Any]) -> None:
    panel.grid(alpha=0.2)
    for side in ("right", "top"):
        panel.spines[side].set_visible(False)
    if options.get("legend", False):
        panel.legend(fontsize=options.get("legendsize", "x-large"), frameon=False)
