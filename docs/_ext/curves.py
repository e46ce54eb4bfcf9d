"""Sphinx extension: table and learning curves of the baselines, from their published run records."""

import itertools
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median

import envsuite
from envsuite.evaluation.baselines import Baseline, find_baselines
from envsuite.evaluation.curves import draw_curves, has_curve
from envsuite.evaluation.online import is_online, outcome
from envsuite.evaluation.selection import BASELINE

HEADER = ("environment", "algorithm", "steps", "mean return [95 % interval]", "training seeds", "random", "reference")

ONLINE_HEADER = ("dataset", "algorithm", "steps", "before", "after", "regret [95 % interval]", "training seeds")


def page_of(env_id: str) -> str:
    """A link to the environment's page."""
    name = env_id.split("/")[-1]
    return f"[{name}](environments/{name}.md)"


def without_runs(published: list[Baseline]) -> str:
    """Which environments have no run; nothing where all have one."""
    ids = set(envsuite.cards()) - {one.env_id for one in published}
    if not ids:
        return ""
    return f"There are no published runs on these environments: {', '.join(map(page_of, sorted(ids)))}.\n"


def row(baseline: Baseline) -> tuple[str, ...]:
    """A line of the table."""
    card, found = envsuite.card(baseline.env_id), baseline.published
    steps = max(run.steps or 0 for run in baseline.runs)
    spent = median(run.metrics()[-1].get("training_time", 0.0) for run in baseline.runs)
    anchors = [f"{one.mean:.4g}" if one else "" for one in (card.random, card.expert)]
    score = f"{found.mean:.4g} [{found.low:.4g}, {found.high:.4g}]"
    place = f"`{baseline.dataset}`" if baseline.dataset else page_of(card.id)
    return (place, baseline.algorithm, f"{steps:,}", score, str(len(baseline.runs)), *anchors, f"{spent:.0f} s")


def online_row(baseline: Baseline) -> tuple[str, ...]:
    """A line of the table of learners that begin with a dataset and then play."""
    found, spent = outcome(baseline.runs), median(run.metrics()[-1].get("training_time", 0.0) for run in baseline.runs)
    scores = f"{found.before:.2f}", f"{found.after:.2f}", found.told()
    return (
        f"`{baseline.dataset}`",
        baseline.algorithm,
        f"{found.budget:,}",
        *scores,
        str(found.seeds),
        f"{spent:.0f} s",
    )


def generate(app) -> None:
    """Write what the page includes."""
    folder = Path(app.srcdir) / "_generated"
    folder.mkdir(exist_ok=True)
    published = [one for one in find_baselines(Path(app.srcdir).parent / "baselines") if len(one.runs) > 1]
    from_data = [one for one in published if one.dataset and one.algorithm != BASELINE]
    online = sorted((one for one in from_data if all(map(is_online, one.runs))), key=lambda one: one.dataset)
    offline = [one for one in from_data if one not in online]
    for page, header, found, line_of in (
        ("baselines", HEADER, [one for one in published if not one.dataset], row),
        ("offline", ("dataset", "algorithm", "updates", *HEADER[3:]), offline, row),
        ("online", ONLINE_HEADER, online, online_row),
    ):
        lines = [(*header, "training time (median)"), ("---",) * (len(header) + 1), *map(line_of, found)]
        parts = ["\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"] if found else []
        drawn = sorted(filter(has_curve, found), key=lambda one: one.env_id)
        groups = [list(group) for _, group in itertools.groupby(drawn, key=lambda one: one.env_id)]
        names = [f"{group[0].env_id.split('/')[-1]}{f'-{page}' * (page != 'baselines')}" for group in groups]
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(draw_curves, groups, [folder / f"curve-{name}.webp" for name in names]))
        parts += [f"![Learning curves on {name}](_generated/curve-{name}.webp)\n" for name in names]
        if page == "baselines":
            parts.append(without_runs(published))
        (folder / f"{page}.md").write_text("\n".join(parts), encoding="utf-8")


def setup(app) -> dict:
    """Register with Sphinx."""
    app.connect("builder-inited", generate)
    return {"parallel_read_safe": True}
