"""The run folders of this project: `run.json` and `metrics.jsonl`."""

import json
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from envsuite.scoring.runs import RunCurve, RunScores

Unfinished = Literal["warn", "refuse", "skip", "keep"]
UNFINISHED: tuple[Unfinished, ...] = get_args(Unfinished)
"""What can be done with runs that did not finish, see `taken`."""


def load_runs(
    roots: str | Path | Iterable[str | Path],
    *,
    metric: str = "mean_return",
    method: Callable[[dict[str, Any]], str] = lambda record: record["algorithm"],
    unfinished: Unfinished = "warn",
) -> RunScores:
    """Scores of all run folders below some folders; task is the environment's id, seed the training seed.

    Args:
        roots: run folders, or folders that hold some at any depth.
        metric: which number of an evaluation is the score.
        method: names the method of a run from the content of its ``run.json``; runs of two configurations need two
            names.
        unfinished: see `taken`.

    Raises:
        ValueError: no runs, failed ones, two of the same method, task and seed, or a file of another form.
    """
    _check_choice(unfinished)
    given = [Path(roots)] if isinstance(roots, str | Path) else [Path(root) for root in roots]
    files = sorted({file for root in given for file in root.rglob("run.json")})
    table: dict[tuple[str, str], dict[Any, RunCurve]] = {}
    places: dict[tuple[str, str, Any], Path] = {}
    for file in files:
        record = _record(file)
        if not taken(file.parent, record["status"], unfinished):
            continue
        key = (method(record), str(record["env_id"]))
        if (*key, record["seed"]) in places:
            raise ValueError(
                f"{places[*key, record['seed']]} and {file.parent} are both method {key[0]!r}, task {key[1]!r}, seed "
                f"{record['seed']!r}; name their methods apart by `method`, or leave one out"
            )
        places[*key, record["seed"]] = file.parent
        table.setdefault(key, {})[record["seed"]] = load_metrics(file.parent / "metrics.jsonl", metric)
    if not table:
        raise ValueError(f"no {'finished ' * (unfinished == 'skip')}runs below {', '.join(map(str, given))}")
    return RunScores(table)


def taken(folder: Path, status: str, unfinished: Unfinished) -> bool:
    """Whether a run's scores count, as far as it came.

    A run that was stopped or killed has not reached its final score, and one that failed may never have: to leave them
    out silently makes a method look better than it is.

    Args:
        folder: of the run.
        status: from its ``run.json``.
        unfinished: what to do with a run that is not finished. ``"warn"`` takes one that goes on, was stopped or was
            killed, with a warning, and refuses one that failed; ``"refuse"`` refuses all; ``"skip"`` leaves all out;
            ``"keep"`` takes all.

    Raises:
        ValueError: it is refused, or `unfinished` is none of these.
    """
    _check_choice(unfinished)
    if status == "finished" or unfinished == "keep":
        return True
    if unfinished == "skip":
        return False
    if unfinished == "refuse" or not (status == "running" or status.startswith("stopped")):
        raise ValueError(f"{folder}: status is {status!r}; say unfinished=skip or keep")
    metrics = folder / "metrics.jsonl"
    began = metrics.is_file() and b"\n" in metrics.read_bytes()
    told = "goes on or was killed" if status == "running" else f"was {status}"
    counts = "its score is that of its last evaluation" if began else "it has no evaluation yet and is left out"
    warnings.warn(f"{folder} {told}: {counts}", stacklevel=3)
    return began


def _check_choice(unfinished: str) -> None:
    if unfinished not in UNFINISHED:
        raise ValueError(f"unfinished is {unfinished!r}, expected one of {', '.join(map(repr, UNFINISHED))}")


def load_metrics(path: str | Path, metric: str = "mean_return") -> RunCurve:
    """One run's evaluations from ``metrics.jsonl``; events without the metric are passed over.

    Args:
        path: the file; a last line that was cut off by a crash is left out.
        metric: which number is the score.

    Raises:
        ValueError: no event has the metric, or a line is not JSON.
    """
    text = Path(path).read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    points, names = [], set()
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            event = json.loads(line)
            names.update(event)
            if metric in event:
                points.append((float(event["step"]), float(event[metric]), float(event.get("wall", np.nan))))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path}, line {number}: {error}") from error
    if not points:
        raise ValueError(f"{path} has no {metric!r}; it has {', '.join(sorted(names)) or 'no events'}")
    steps, scores, wall = np.array(points).T
    return RunCurve(steps, scores, None if np.isnan(wall).any() else wall)


def _record(file: Path) -> dict[str, Any]:
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
    missing = [name for name in ("algorithm", "env_id", "seed", "status") if name not in dict(record)]
    if missing:
        raise ValueError(f"{file} has no {', '.join(missing)}")
    return record
