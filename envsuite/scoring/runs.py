"""Scores of many methods, tasks and training seeds, from long tables; episodes given as runs are refused."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np

from envsuite.scoring.curves import common_grid, on_grid
from envsuite.scoring.metrics import normalise

#: One evaluation of one run: method, task, seed, step, score.
Row: TypeAlias = tuple[str, str, Any, float, float]


@dataclass(frozen=True)
class RunCurve:
    """One training run.

    Attributes:
        steps: (L,) environment steps of its evaluations, ascending.
        scores: (L,) score of each, an average over episodes.
        wall: (L,) seconds since the run began, or None where that is not known.
    """

    steps: np.ndarray
    scores: np.ndarray
    wall: np.ndarray | None = None

    def __post_init__(self):
        for name in ("steps", "scores", "wall"):
            part = getattr(self, name)
            if part is None and name == "wall":
                continue
            array = np.asarray(part, np.float64)
            object.__setattr__(self, name, array)
            if array.ndim != 1 or array.shape != np.shape(self.steps) or array.size == 0:
                raise ValueError(f"{name} of a run have shape {array.shape}, steps {np.shape(self.steps)}")
            if not np.isfinite(array).all():
                raise ValueError(f"{name} of a run hold {array[~np.isfinite(array)][0]}, expected finite numbers")
        if (np.diff(self.steps) < 0).any():
            raise ValueError("steps of a run are not ascending")


@dataclass(frozen=True)
class RunScores:
    """Runs by (method, task) and seed.

    Attributes:
        table: {(method, task): {seed: run}}.
        unit: ``"run"``: a seed is a training run; ``"episode"``: there is no training, each entry is an episode.
    """

    table: Mapping[tuple[str, str], Mapping[Any, RunCurve]]
    unit: Literal["run", "episode"] = "run"
    methods: tuple[str, ...] = field(init=False)
    tasks: tuple[str, ...] = field(init=False)

    def __post_init__(self):
        if not self.table:
            raise ValueError("there are no runs")
        if self.unit not in ("run", "episode"):
            raise ValueError(f"unit is {self.unit!r}, expected 'run' or 'episode'")
        object.__setattr__(self, "methods", tuple(dict.fromkeys(method for method, _ in self.table)))
        object.__setattr__(self, "tasks", tuple(dict.fromkeys(task for _, task in self.table)))

    @classmethod
    def from_rows(cls, rows: Iterable[Row], *, unit: Literal["run", "episode"] = "run") -> "RunScores":
        """Build from a long table.

        Args:
            rows: (method, task, seed, step, score), in any order.
            unit: ``"episode"`` states that the methods have no training seed (scripted, zero-shot), and that each row
                is one episode; then seeds need not differ, and steps are ignored.

        Raises:
            ValueError: several rows for one (method, task, seed, step), which are episodes given as runs; no rows; a
                score that is not finite.
        """
        found: dict[tuple[str, str], dict[Any, list[tuple[float, float]]]] = {}
        for method, task, seed, step, score in rows:
            runs = found.setdefault((str(method), str(task)), {})
            key = len(runs) if unit == "episode" else seed
            runs.setdefault(key, []).append((0.0 if unit == "episode" else float(step), float(score)))
        table: dict[tuple[str, str], dict[Any, RunCurve]] = {}
        for (method, task), runs in found.items():
            for seed, points in runs.items():
                points.sort(key=lambda point: point[0])
                _refuse_episodes(method, task, seed, [step for step, _ in points])
            table[method, task] = {seed: RunCurve(*np.array(points).T) for seed, points in runs.items()}
        return cls(table, unit)

    def rows(self) -> list[Row]:
        """The long table (method, task, seed, step, score)."""
        return [
            (method, task, seed, float(step), float(score))
            for (method, task), runs in self.table.items()
            for seed, run in runs.items()
            for step, score in zip(run.steps, run.scores, strict=True)
        ]

    def runs(self, method: str, task: str) -> Mapping[Any, RunCurve]:
        """The runs of a method on a task by seed, seeds in order.

        Raises:
            ValueError: there are none.
        """
        if (method, task) not in self.table:
            raise ValueError(f"no runs of {method!r} on {task!r}; methods: {self.methods}, tasks: {self.tasks}")
        runs = self.table[method, task]
        return dict(sorted(runs.items(), key=lambda item: (isinstance(item[0], str), item[0])))

    def seeds(self, method: str, task: str) -> tuple[Any, ...]:
        """Seeds of a method on a task, in the order in which `final` has the runs."""
        return tuple(self.runs(method, task))

    def paired(self, first: str, second: str) -> bool:
        """Whether two methods have the same training seeds on every task, so that `compare` may take pairs."""
        if self.unit == "episode":
            return False
        return all(self.seeds(first, task) == self.seeds(second, task) for task in self.tasks)

    def final(self, method: str) -> np.ndarray | list[np.ndarray]:
        """Last score of each run: (N, M), or a list of M vectors if tasks differ in their number of runs."""
        return _stack([np.array([run.scores[-1] for run in self.runs(method, task).values()]) for task in self.tasks])

    def finals(self) -> dict[str, np.ndarray | list[np.ndarray]]:
        """`final` of every method."""
        return {method: self.final(method) for method in self.methods}

    def grid(
        self, *, points: int | None = None, over: Literal["steps", "wall"] = "steps", end: Any = "longest"
    ) -> np.ndarray:
        """Common checkpoints of all runs, see `common_grid`.

        Args:
            points: see there.
            over: environment steps or seconds.
            end: see there.
        """
        return common_grid(
            [_places(run, over) for runs in self.table.values() for run in runs.values()], points=points, end=end
        )

    def curves(self, method: str, grid: Any, over: Literal["steps", "wall"] = "steps") -> np.ndarray | list[np.ndarray]:
        """Scores on a grid, the previous value held: (N, M, L), or a list of M arrays (N_m, L).

        Args:
            method: its name.
            grid: (L,) places, see `grid`.
            over: what the grid counts.
        """
        return _stack(
            [
                np.array([on_grid(_places(run, over), run.scores, grid) for run in self.runs(method, task).values()])
                for task in self.tasks
            ]
        )

    def normalised(self, references: Mapping[str, tuple[float, float]]) -> "RunScores":
        """The same in units of the references.

        Args:
            references: (low, high) of every task, see `normalise`.
        """
        missing = [task for task in self.tasks if task not in references]
        if missing:
            raise ValueError(f"no references for {', '.join(map(repr, missing))}")
        table = {
            (method, task): {
                seed: RunCurve(run.steps, normalise(run.scores, *references[task]), run.wall)
                for seed, run in runs.items()
            }
            for (method, task), runs in self.table.items()
        }
        return RunScores(table, self.unit)


def _refuse_episodes(method: str, task: str, seed: Any, steps: list[float]) -> None:
    for step, following in pairwise(steps):
        if step == following:
            raise ValueError(
                f"{steps.count(step)} scores of method {method!r}, task {task!r}, seed {seed!r} at step {step:g}: "
                "these look like episodes, and the training run is the unit. Average them over episodes first, or, for "
                "policies without a training seed, state unit='episode'"
            )


def _places(run: RunCurve, over: str) -> np.ndarray:
    if over not in ("steps", "wall"):
        raise ValueError(f"over is {over!r}, expected 'steps' or 'wall'")
    if over == "wall" and run.wall is None:
        raise ValueError("a run has no wall times")
    return run.steps if over == "steps" else np.asarray(run.wall)


def _stack(columns: list[np.ndarray]) -> np.ndarray | list[np.ndarray]:
    return np.stack(columns, axis=1) if len({len(column) for column in columns}) == 1 else columns
