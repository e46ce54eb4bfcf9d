"""Figures of published learning curves."""

import warnings
from io import BytesIO
from pathlib import Path

import numpy as np

import envsuite
from envsuite.cards import EnvCard
from envsuite.core.files import write_atomic
from envsuite.evaluation.baselines import Baseline
from envsuite.evaluation.online import is_online
from envsuite.scoring import RunCurve, RunScores, mean, sample_efficiency

POINTS = 60
"""Places along a curve against time; against steps it has a place for each evaluation."""


def draw_curves(baselines: list[Baseline], out: Path) -> None:
    """Mean return against steps and against training time, with 95 % bands over training seeds and the anchors.

    Args:
        baselines: of one environment, with published runs.
        out: a file of any format that Matplotlib writes.

    Raises:
        ValueError: several environments, no records, fewer than 2 runs, or runs of a single evaluation.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    from envsuite.scoring import plots

    env_id = _check(baselines)
    datasets = {one.dataset for one in baselines}
    alike = len(datasets) == 1  # then the title names it, which leaves room in the legend
    names = {id(one): one.algorithm if alike else f"{one.algorithm} {one.dataset}".strip() for one in baselines}
    scores = RunScores({(names[id(one)], one.env_id): {run.seed: _curve(run) for run in one.runs} for one in baselines})
    figure, panels = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    steps = "updates" if _counts_updates(baselines[0]) else "environment steps"
    for panel, over, label in zip(panels, ("steps", "wall"), (steps, "training time (s)"), strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # few runs, which the legend tells; runs take different times
            grid = scores.grid(points=POINTS if over == "wall" else None, over=over)
            runs = {method: np.asarray(scores.curves(method, grid, over))[:, 0] for method in scores.methods}
            curves = {name: sample_efficiency(x[:, None], grid, mean, label=label) for name, x in runs.items()}
        plots.sample_efficiency(curves, ylabel="mean return", runs=runs, axes=panel)
        _draw_anchors(panel, envsuite.cards().get(env_id))
        panel.get_legend().remove()  # one below both, where it hides nothing
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    figure.suptitle(f"{env_id}, {datasets.pop()}" if alike and baselines[0].dataset else env_id)
    content = BytesIO()
    figure.savefig(content, format=out.suffix[1:], dpi=120)
    plt.close(figure)
    write_atomic(out, content.getvalue())


def _check(baselines: list[Baseline]) -> str:
    """The environment of baselines that can be drawn in one figure; see `draw_curves` for the errors."""
    environments = sorted({one.env_id for one in baselines})
    if len(environments) > 1:
        raise ValueError(f"curves of {' and '.join(environments)} do not belong in one figure")
    if len(set(map(_counts_updates, baselines))) > 1:
        raise ValueError("curves over environment steps and over updates on a dataset do not belong in one figure")
    if bare := [one for one in baselines if one.published and not one.runs]:
        raise ValueError(
            f"there are no run records of {bare[0].name} here, and curves are drawn from them: they are in the "
            "repository under baselines/records; point --baselines at its folder"
        )
    if few := [one for one in baselines if len(one.runs) < 2]:
        raise ValueError(f"{few[0].name} has {len(few[0].runs)} published runs, expected at least 2")
    if single := [one for one in baselines if not has_curve(one)]:
        raise ValueError(f"{single[0].name} has runs of a single evaluation: there is no curve")
    return environments[0]


def _counts_updates(baseline: Baseline) -> bool:
    """Whether its steps are updates on a dataset."""
    return bool(baseline.dataset) and not all(map(is_online, baseline.runs))


def _draw_anchors(panel, card: EnvCard | None) -> None:
    """Lines at the returns of the reference and of random play."""
    for name, anchor in (("expert", card.expert), ("floor", card.floor), ("random", card.random)) if card else ():
        if anchor is not None:
            panel.axhline(anchor.mean, color="0.5", linewidth=0.8, linestyle=":")
            panel.annotate(name, (1.0, anchor.mean), xycoords=("axes fraction", "data"), ha="right", va="bottom")


def has_curve(baseline: Baseline) -> bool:
    """Whether all published runs were evaluated more than once."""
    return all(len(_curve(run).steps) > 1 for run in baseline.runs)


def _curve(run) -> RunCurve:
    """Mean return along a run; time is that of training alone, where it is recorded."""
    events = [event for event in run.metrics() if event.get("mean_return") is not None]
    columns = (
        [event["step"] for event in events],
        [event["mean_return"] for event in events],
        [event.get("training_time", event["wall"]) for event in events],
    )
    return RunCurve(*(np.array(column, np.float64) for column in columns))
