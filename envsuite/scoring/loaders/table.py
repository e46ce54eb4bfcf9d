"""Plain CSV with the columns method, task, seed, step, score."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from envsuite.scoring.runs import Row, RunScores

COLUMNS = ("method", "task", "seed", "step", "score")


def load_csv(path: str | Path, *, unit: Literal["run", "episode"] = "run") -> RunScores:
    """Read a long table; further columns are ignored.

    Args:
        path: UTF-8 file whose first row names the columns. A seed or step may be empty in a table of episodes.
        unit: see `RunScores.from_rows`.

    Raises:
        ValueError: a column is missing, a number cannot be read, or episodes are given as runs.
    """
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
        if missing:
            raise ValueError(f"{path}: no column {', '.join(missing)}, expected {', '.join(COLUMNS)}")
        return RunScores.from_rows(_rows(reader, path, unit), unit=unit)


def _rows(reader: csv.DictReader, path: str | Path, unit: str) -> Iterator[Row]:
    for row in reader:
        try:
            seed = _seed(row["seed"], unit)
            step = 0.0 if unit == "episode" and not row["step"] else float(row["step"])
            score = float(row["score"])
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path}, line {reader.line_num}: {error}") from error
        yield row["method"], row["task"], seed, step, score


def _seed(text: str | None, unit: str) -> Any:
    if not text and unit == "run":
        raise ValueError("no seed; for policies without a training seed state unit='episode'")
    try:
        return int(text or 0)
    except ValueError:
        return text
