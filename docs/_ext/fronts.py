"""Sphinx extension: what sets of policies reach beside the exact front, from the published runs."""

import itertools
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

import envsuite
from envsuite.cards import EnvCard
from envsuite.core.world import make_world
from envsuite.evaluation.baselines import Baseline, find_baselines

matplotlib.use("Agg")
from matplotlib import pyplot

HEADER = ("environment", "algorithm", "policies", "share of the front's hypervolume, seed by seed", "training time")


def points(metrics: dict[str, float], card: EnvCard) -> np.ndarray:
    """Mean returns (policies, objectives) of an agent, from a run's last line of metrics."""
    found = []
    for k in itertools.count():
        if f"{card.objectives[0]}_{k}" not in metrics:
            return np.array(found) / card.agents
        found.append([metrics[f"{name}_{k}"] for name in card.objectives])


def row(baseline: Baseline) -> tuple[str, ...]:
    """A line of the table."""
    card = envsuite.card(baseline.env_id)
    last = [run.metrics()[-1] for run in baseline.runs]
    shares = [f"{one['hypervolume_share']:.3f}" for one in last if "hypervolume_share" in one]
    counts = sorted({len(points(one, card)) for one in last})
    times = ", ".join(f"{one['training_time']:.0f} s" for one in last)
    name = card.id.split("/")[-1]
    many = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return (f"[{name}](environments/{name}.md)", baseline.algorithm, many, ", ".join(shares) or "front unknown", times)


def known_front(world: Any) -> np.ndarray | None:
    """The exact front (points, k); None where the world does not know it."""
    try:
        return world.known_front() if hasattr(world, "known_front") else None
    except ValueError:  # of some of its games only
        return None


def several(baseline: Baseline) -> bool:
    """Whether a baseline has more than one policy, each with a mean return vector of its own."""
    card = envsuite.card(baseline.env_id)
    return any(len(points(run.metrics()[-1], card)) > 1 for run in baseline.runs)


def draw(env_id: str, group: list[Baseline], path: Path) -> None:
    """Policies of all runs and the exact front, one panel for each pair of objectives."""
    card = envsuite.card(env_id)
    front = known_front(make_world(card.world, **card.options))
    pairs = list(itertools.combinations(range(len(card.objectives)), 2))
    figure, axes = pyplot.subplots(1, len(pairs), figsize=(4.6 * len(pairs), 3.6), squeeze=False)
    for axis, (i, j) in zip(axes[0], pairs, strict=True):
        if front is not None:
            axis.plot(front[:, i], front[:, j], "k+", markersize=9, label="exact front")
        for baseline in group:
            for seed, run in enumerate(baseline.runs):
                found = points(run.metrics()[-1], card)
                axis.plot(found[:, i], found[:, j], "o", alpha=0.6, label=f"{baseline.algorithm}, run {seed}")
        axis.set_xlabel(card.objectives[i])
        axis.set_ylabel(card.objectives[j])
    axes[0][0].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def generate(app) -> None:
    """Write what the page includes."""
    folder = Path(app.srcdir) / "_generated"
    folder.mkdir(exist_ok=True)
    found = [
        one
        for one in find_baselines(Path(app.srcdir).parent / "baselines")
        if one.runs and envsuite.card(one.env_id).objectives and several(one)
    ]
    lines = [HEADER, ("---",) * len(HEADER), *map(row, found)]
    parts = ["\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"] if found else []
    for env_id, group in itertools.groupby(sorted(found, key=lambda one: one.env_id), key=lambda one: one.env_id):
        name = env_id.split("/")[-1]
        draw(env_id, list(group), folder / f"front-{name}.png")
        parts.append(f"![Policies and front of {name}](_generated/front-{name}.png)\n")
    (folder / "fronts.md").write_text("\n".join(parts), encoding="utf-8")


def setup(app) -> dict:
    """Register with Sphinx."""
    app.connect("builder-inited", generate)
    return {"parallel_read_safe": True}
