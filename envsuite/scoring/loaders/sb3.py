"""Logs of Stable-Baselines3: `monitor.csv` of training episodes, `evaluations.npz` of evaluations."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from envsuite.scoring.runs import RunCurve


def load_evaluations(path: str | Path) -> RunCurve:
    """Evaluations of `EvalCallback`: the score of a checkpoint is the mean return of its episodes.

    Args:
        path: the file ``evaluations.npz`` with ``timesteps`` (L,) and ``results`` (L, episodes).

    Raises:
        ValueError: it is not such a file.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            steps, results = file["timesteps"], file["results"]
    except (KeyError, ValueError, EOFError) as error:
        raise ValueError(f"{path} is no evaluations.npz with 'timesteps' and 'results': {error}") from error
    if results.ndim != 2 or len(results) != len(steps):
        raise ValueError(f"{path}: results have shape {results.shape}, expected ({len(steps)}, episodes)")
    return RunCurve(steps, results.mean(axis=1))


def load_monitor(paths: str | Path | Sequence[str | Path], *, window: int = 1) -> RunCurve:
    """Training episodes of one run, from the files of all its environments.

    Episodes of several files are put in the order in which they ended, and the step of each is the number of steps of
    all episodes up to it, as `stable_baselines3.common.monitor.load_results` has it.

    Args:
        paths: a ``monitor.csv``, several of one run, or a folder, of which all ``*monitor.csv`` are read.
        window: score of an episode: mean of its return and those of the ``window - 1`` before it; the first ones have
            no score. These are training episodes, played while exploring.

    Raises:
        ValueError: no file, a file of another form, or fewer episodes than `window`.
    """
    if window < 1:
        raise ValueError(f"window is {window}, expected at least 1")
    found = _monitor_files(paths)
    episodes = sorted((episode for path in found for episode in _episodes(path)), key=lambda episode: episode[0])
    if len(episodes) < window:
        raise ValueError(f"{len(episodes)} episodes in {', '.join(map(str, found))}, expected at least {window}")
    wall, returns, lengths = np.array(episodes).T
    sums = np.concatenate([[0.0], np.cumsum(returns)])
    means = (sums[window:] - sums[:-window]) / window if window > 1 else returns
    return RunCurve(np.cumsum(lengths)[window - 1 :], means, (wall - _started(found))[window - 1 :])


def _monitor_files(paths: str | Path | Sequence[str | Path]) -> list[Path]:
    given = [Path(paths)] if isinstance(paths, str | Path) else [Path(path) for path in paths]
    found = [file for path in given for file in (sorted(path.glob("*monitor.csv")) if path.is_dir() else [path])]
    if not found:
        raise ValueError(f"no monitor.csv in {', '.join(map(str, given))}")
    return found


def _header(path: Path) -> float:
    with path.open(encoding="utf-8") as file:
        first = file.readline()
    try:
        return float(json.loads(first.removeprefix("#"))["t_start"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: the first line is {first[:40]!r}, expected '#{{\"t_start\": ...}}'") from error


def _started(paths: list[Path]) -> float:
    return min(_header(path) for path in paths)


def _episodes(path: Path) -> list[tuple[float, float, float]]:
    """(Time of the end, return, length) of the episodes of a file."""
    start = _header(path)
    with path.open(encoding="utf-8", newline="") as file:
        file.readline()
        reader = csv.DictReader(file)
        if not {"r", "l", "t"} <= set(reader.fieldnames or ()):
            raise ValueError(f"{path}: columns are {reader.fieldnames}, expected r, l and t")
        try:
            return [(start + float(row["t"]), float(row["r"]), float(row["l"])) for row in reader]
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path}, line {reader.line_num + 1}: {error}") from error
