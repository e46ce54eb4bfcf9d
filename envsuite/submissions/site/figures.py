"""Figures of the site as SVG files that refer to nothing outside themselves."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from envsuite.evaluation.tracks import Task
from envsuite.scoring import plots
from envsuite.submissions.site.board import Board, Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LONGEST = 32  # characters of a name in a figure


def svg(figure: "Figure") -> str:
    """The same picture gives the same text: no dates, no random names."""
    import matplotlib

    file = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "envsuite", "svg.fonttype": "path"}):
        figure.savefig(file, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
    return file.getvalue()


def _labels(rows: Sequence[Row]) -> list[str]:
    """Short names, all different, marked where no policy was seen, without signs that Matplotlib reads as formulas."""
    names = [row.name if len(row.name) <= _LONGEST else row.name[: _LONGEST - 1] + "…" for row in rows]
    numbered = [f"{name} ({k})" if names.count(name) > 1 else name for k, name in enumerate(names, 1)]
    marks = ["" if row.proven else f" [{row.verification.level_name}]" for row in rows]
    return [name.replace("$", r"\$") + mark for name, mark in zip(numbered, marks, strict=True)]


def intervals(board: Board) -> str:
    """Interquartile mean of each method."""
    totals = {label: {"IQM": row.total} for label, row in zip(_labels(board.rows), board.rows, strict=True)}
    return svg(plots.interval_bars(totals, xlabel="normalised score"))


def profiles(board: Board) -> str | None:
    """Performance profiles; None without trained methods."""
    found = {
        label: board.profile(row) for label, row in zip(_labels(board.rows), board.rows, strict=True) if row.trained
    }
    return svg(plots.profiles(found, board.thresholds, xlabel="normalised score τ")) if found else None


def improvements(board: Board) -> str | None:
    """Probability that the row's method scores higher than the column's, of those re-run; None with fewer than two."""
    if len(board.proven) < 2:
        return None
    shares = [[np.nan if one is None else one.value for one in row] for row in board.improvements()]
    names = _labels(board.proven)
    return svg(plots.matrix(np.array(shares), names, names, label="P(row > column)"))


def distribution(rows: Sequence[Row], task: Task) -> str:
    """Every training run of every method on a task, and the anchors as lines."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 1.1 + 0.5 * len(rows)), layout="constrained")
    panel = figure.subplots()
    for k, row in enumerate(rows):
        scores = np.sort([run.published for run in row.runs(task.name)])
        # beside one another where they would hide one another
        offsets = 0.25 * ((np.arange(len(scores)) * 0.618) % 1 - 0.5) if len(scores) > 1 else np.zeros(1)
        color = plots.COLOURS[k % len(plots.COLOURS)]
        panel.scatter(scores, k + offsets, s=26, color=color, alpha=0.75, linewidths=0)
        panel.vlines(scores.mean(), k - 0.3, k + 0.3, color="black", linewidth=1.5)
    for anchor, style in ((task.low, ":"), (task.high, "--")):
        panel.axvline(anchor.mean, color="0.45", linestyle=style, linewidth=1)
    panel.set_yticks(range(len(rows)), _labels(rows))
    panel.set(xlabel="score of each training run; dotted and dashed: normalised 0 and 1", ylim=(len(rows) - 0.5, -0.5))
    panel.grid(axis="x", alpha=0.3)
    panel.spines[["top", "right"]].set_visible(False)
    return svg(figure)
