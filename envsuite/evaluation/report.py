"""Runs as one self-contained HTML file: it asks for nothing from outside, and every text in it is escaped."""

import base64
import html
import io
import tempfile
import warnings
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import envsuite
from envsuite.evaluation.groups import RETURN, Groups, anchors, run_scores
from envsuite.evaluation.runs import RunRecord
from envsuite.scoring import (
    Estimate,
    RunScores,
    estimate,
    interquartile_mean,
    mean,
    sample_efficiency,
    table,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FEW = 6
"""Curves whose names find room beside them; those of more stand below."""
_LARGEST_PICTURE = 8 << 20  # bytes; a report is for mail and browsers
_POINTS = 400  # checkpoints that a curve is drawn with, at most
_SIGNATURES = {".gif": (b"GIF87a", b"GIF89a"), ".png": (b"\x89PNG\r\n\x1a\n",)}
_REPLAY_NAMES = ("replay.gif", "replay.png")

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; }}
h1, h2, h3 {{ line-height: 1.2; }}
.scroll {{ overflow-x: auto; }}
table {{ border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .3rem .7rem; border-bottom: 1px solid #d0d7de; text-align: right; white-space: nowrap; }}
th[scope=row], thead th:first-child {{ text-align: left; }}
figure {{ display: inline-block; margin: .5rem 1rem .5rem 0; max-width: 100%; vertical-align: top; }}
img {{ max-width: 100%; background: #fff; }}
.curve {{ width: calc(50% - 1.2rem); }}
@media (max-width: 45rem) {{ .curve {{ width: 100%; }} }}
figcaption, .note {{ color: #57606a; font-size: .9rem; }}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def write_report(groups: Groups, *, title: str = "Training runs", metric: str = RETURN, render: bool = True) -> str:
    """Tables with intervals, learning curves and replays of runs.

    Args:
        groups: runs by method, see `envsuite.evaluation.groups.run_groups`.
        title: heading.
        metric: which number of ``metrics.jsonl`` is the score.
        render: play and draw an episode of a method whose run folders hold no picture of one.

    Returns:
        The page.

    Raises:
        ValueError: see `envsuite.evaluation.groups.run_scores`.
    """
    scores = run_scores(groups, metric)
    count = sum(map(len, groups.values()))
    parts = [
        f"<h1>{escaped(title)}</h1>",
        f'<p class="note">Runs: {count}; methods: {len(scores.methods)}; environments: {len(scores.tasks)}. Score: '
        f"{escaped(metric)}. Brackets: 95 % intervals over training seeds. envsuite {escaped(envsuite.__version__)}, "
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC.</p>",
        "<h2>Final scores</h2>",
        *_final_scores(scores, metric),
    ]
    for task in scores.tasks:
        parts += [
            f"<h2>{escaped(task)}</h2>",
            *(_curve(scores, task, over, metric) for over in _quantities(scores, task)),
            *_replays(groups, scores, task, render),
        ]
    parts += ["<h2>Runs</h2>", *_run_table(groups, scores)]
    return page(title, parts)


def page(title: str, parts: Iterable[str]) -> str:
    """A self-contained page that loads nothing.

    Args:
        title: of the window, plain text.
        parts: HTML of its body.
    """
    return _PAGE.format(title=escaped(title), body="\n".join(parts))


def escaped(value: Any) -> str:
    """A value as text that is safe in HTML."""
    return html.escape(str(value))


def scrolled(content: str) -> str:
    """Content that scrolls sideways where the window is too narrow for it."""
    return f'<div class="scroll">{content}</div>'


def _final_scores(scores: RunScores, metric: str) -> list[str]:
    rows = []
    for task in scores.tasks:
        for method in scores.methods:
            if (method, task) in scores.table:
                final = np.array([run.scores[-1] for run in scores.runs(method, task).values()])
                rows.append((task, method, *_cells(_mean(final), len(final))))
    parts = [scrolled(table(("environment", "method", "mean", "95 % interval", "runs"), rows, "html"))]
    references = anchors(scores.tasks, metric)
    complete = [method for method in scores.methods if all((method, task) in scores.table for task in scores.tasks)]
    if len(scores.tasks) > 1 and len(references) == len(scores.tasks):
        scaled = scores.normalised(references)
        rows = []
        for method in complete:
            final = scaled.final(method)
            sizes = [len(column) for column in (final if isinstance(final, list) else final.T)]
            found = _quietly(lambda final=final: estimate(final, interquartile_mean)) if min(sizes) > 1 else None
            rows.append((method, *_cells(found if found else _point(final), min(sizes))))
        if rows:
            header = ("method", "interquartile mean", "95 % interval", "runs")
            parts += ["<h3>All environments, normalised</h3>", scrolled(table(header, rows, "html"))]
            parts.append('<p class="note">0 is the random policy, 1 the reference policy of each environment.</p>')
        if left_out := [method for method in scores.methods if method not in complete]:
            parts.append(f'<p class="note">Without runs on all environments: {escaped(", ".join(left_out))}.</p>')
    return parts


def _mean(values: np.ndarray) -> Estimate | float:
    return _quietly(lambda: estimate(values[:, np.newaxis], mean)) if len(values) > 1 else float(values[0])


def _point(final: Any) -> float:
    return float(interquartile_mean(final))


def _cells(found: Estimate | float, runs: int) -> tuple[str, str, str]:
    if isinstance(found, Estimate):
        return f"{found.value:.4g}", f"[{found.low:.4g}, {found.high:.4g}]", str(runs)
    return f"{found:.4g}", "none from a single run", str(runs)


def _quietly(call: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # few runs, unequal lengths: the page shows both
        return call()


def _quantities(scores: RunScores, task: str) -> list[str]:
    runs = [run for method in scores.methods for run in scores.table.get((method, task), {}).values()]
    return ["steps", "wall"] if all(run.wall is not None for run in runs) else ["steps"]


def _curve(scores: RunScores, task: str, over: Any, metric: str) -> str:
    """Learning curves of one environment: mean and band, or single lines where a method has one run."""
    from matplotlib.figure import Figure

    from envsuite.scoring import plots

    here = RunScores({key: runs for key, runs in scores.table.items() if key[1] == task})
    grid = _quietly(lambda: here.grid(over=over))
    if len(grid) > _POINTS:
        grid = _quietly(lambda: here.grid(points=_POINTS, over=over))
    curves, singles = {}, {}
    label = "environment steps" if over == "steps" else "wall-clock time (s)"
    for method in here.methods:
        values = np.asarray(here.curves(method, grid, over))
        if len(values) > 1:
            found = _quietly(lambda values=values: sample_efficiency(values, grid, mean, label=label))
            curves[_label(method)] = found
        else:
            singles[_label(method)] = values[0, 0]
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    if curves:
        plots.sample_efficiency(curves, ylabel=_label(metric), axes=axes)
    for k, (method, line) in enumerate(singles.items(), len(curves)):
        axes.plot(grid, line, color=plots.COLOURS[k % len(plots.COLOURS)], label=f"{method} (1 run)")
    axes.set(xlabel=label, ylabel=_label(metric))
    lines = len(axes.get_lines())
    own = axes.legend(frameon=False)
    if lines > _FEW:
        own.remove()
        figure.set_figheight(4 + 0.12 * lines)
        figure.legend(loc="outside lower center", frameon=False, fontsize=5.5, ncols=2)
    described = f"{metric} against {label} on {task}: {', '.join(here.methods)}"
    caption = f"Mean over runs and its 95 % interval against {label}, not smoothed."
    return _figure(_svg(figure), "image/svg+xml", described, caption, "curve")


def _label(text: str) -> str:
    """Names as matplotlib shows them as they are: no mathematics, and no leading underscore, which hides a legend."""
    return text.replace("$", r"\$").lstrip("_") or "?"


def _svg(figure: "Figure") -> bytes:
    import matplotlib as mpl

    file = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "envsuite"}):
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()


def _figure(content: bytes, kind: str, described: str, caption: str, style: str = "picture") -> str:
    data = base64.b64encode(content).decode()
    image = f'<img src="data:{kind};base64,{data}" alt="{escaped(described)}">'
    return f'<figure class="{style}">{image}<figcaption>{escaped(caption)}</figcaption></figure>'


def _replays(groups: Groups, scores: RunScores, task: str, render: bool) -> list[str]:
    """A picture of each method: of the run whose final score is the median of its runs, where there is one."""
    parts = []
    for method, runs in groups.items():
        if (method, task) not in scores.table:
            continue
        finals = {seed: run.scores[-1] for seed, run in scores.runs(method, task).items()}
        middle = np.median(list(finals.values()))
        here = [run for run in runs if run.env_id == task]
        here.sort(key=lambda run: (abs(finals[run.seed] - middle), run.seed))
        picture = next((found for run in here if (found := _picture(run))), None)
        if picture is None and render:
            picture = next((found for run in here[:1] if (found := _rendered(run))), None)
        if picture:
            run, content, kind = picture
            caption = f"{method}, training seed {run.seed}, final score {finals[run.seed]:.4g}"
            parts.append(_figure(content, kind, f"Replay of {caption} on {task}", caption))
    return ["<h3>Replays</h3>", *parts] if parts else []


def _picture(run: RunRecord) -> tuple[RunRecord, bytes, str] | None:
    """A replay in a run folder, if it is what its name says and not too large."""
    for path in (run.path / name for name in _REPLAY_NAMES):
        if path.is_file() and path.stat().st_size <= _LARGEST_PICTURE:
            content = path.read_bytes()
            if content.startswith(_SIGNATURES[path.suffix]):
                return run, content, f"image/{path.suffix[1:]}"
    return None


def _rendered(run: RunRecord) -> tuple[RunRecord, bytes, str] | None:
    """The policy's first evaluation episode, drawn; None where the policy or the environment is not at hand."""
    from envsuite.core.video import write_gif
    from envsuite.evaluation.rollout import EVALUATION_SEED, policy_maker
    from envsuite.evaluation.show import Show

    if run.policy is None or run.env_id not in envsuite.cards():
        return None
    try:
        show = Show(envsuite.card(run.env_id), policy_maker(str(run.path)), (320, 240))
        frames = list(show.episode(EVALUATION_SEED))
    except ValueError as error:
        warnings.warn(f"{run.path}: no replay, {error}", stacklevel=2)
        return None
    every = 2  # half the frames are fluent enough for a page
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "replay.gif")
        write_gif(path, frames[::every], show.fps / every)
        return run, path.read_bytes(), "image/gif"


def _run_table(groups: Groups, scores: RunScores) -> list[str]:
    rows, notes = [], []
    for method, runs in groups.items():
        for run in runs:
            data = run.data
            git = data.get("git") or {}
            curve = scores.table[method, run.env_id][run.seed]
            commit = str(git.get("commit") or "?")[:10] + ("+" if git.get("dirty") else "")
            cells = (run.env_id, method, run.seed, run.status, data["started"][:16].replace("T", " "))
            rows.append((*cells, f"{curve.steps[-1]:,.0f}", f"{curve.scores[-1]:.4g}", commit, run.path.name))
            card = envsuite.cards().get(run.env_id)
            if card and data.get("env_behaviour") != card.behaviour:
                notes.append(f"{run.path.name}: run with behaviour {data.get('env_behaviour')!r} of {run.env_id}, ")
                notes[-1] += f"which now has {card.behaviour!r}."
    header = ("environment", "method", "seed", "status", "started (UTC)", "steps", "final", "commit", "folder")
    parts = [scrolled(table(header, rows, "html"))]
    parts.append('<p class="note">A plus after the commit: with changes that were not committed.</p>')
    return parts + [f'<p class="note">{escaped(note)}</p>' for note in notes]
