"""Score arrays of every accepted form, checked and brought into one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

#: (N runs, M tasks) or (N, M, L checkpoints), or for unequal numbers of runs a list of M arrays (N_m,) or (N_m, L).
Scores: TypeAlias = "np.ndarray | Sequence[np.ndarray] | Layout"


@dataclass(frozen=True)
class Layout:
    """Scores in the form that kernels read.

    Attributes:
        values: (L, N, M) float64, C-contiguous; where a task has fewer than N runs, the rest of its column is 0.
        sizes: (M,) int64, runs of each task.
        curve: whether the scores had an axis of checkpoints.
    """

    values: np.ndarray
    sizes: np.ndarray
    curve: bool

    @property
    def runs(self) -> int:
        """Runs of the task that has the fewest."""
        return int(self.sizes.min())

    @property
    def tasks(self) -> int:
        """Number of tasks."""
        return len(self.sizes)

    @property
    def ragged(self) -> bool:
        """Whether tasks differ in their number of runs."""
        return bool((self.sizes != self.sizes[0]).any())

    @property
    def valid(self) -> np.ndarray:
        """(N, M) bool, which cells hold a score."""
        return np.arange(self.values.shape[1])[:, None] < self.sizes

    def order(self) -> np.ndarray:
        """(L, T) int64: for each checkpoint the flat (n M + m) places of all T scores, ascending by score."""
        cells = np.flatnonzero(self.valid.ravel())
        flat = self.values.reshape(len(self.values), -1)[:, cells]
        return cells[np.argsort(flat, axis=1, kind="stable")]

    def squeeze(self, by_checkpoint: np.ndarray) -> Any:
        """A float for scores without checkpoints, else the array; for results with L as the last axis."""
        if self.curve:
            return by_checkpoint
        alone = by_checkpoint[..., 0]
        return float(alone) if alone.ndim == 0 else alone

    def columns(self) -> list[np.ndarray]:
        """The scores of each task, (N_m,) or (N_m, L)."""
        parts = [self.values[:, :size, m].T for m, size in enumerate(self.sizes)]
        return parts if self.curve else [part[:, 0] for part in parts]

    def array(self) -> np.ndarray | list[np.ndarray]:
        """The scores as a user gives them: (N, M), (N, M, L), or a list of M arrays if ragged."""
        if self.ragged:
            return self.columns()
        return np.moveaxis(self.values, 0, -1) if self.curve else self.values[0]


def to_layout(scores: Scores) -> Layout:
    """Check scores and bring them into one form.

    Raises:
        ValueError: wrong shape, no scores, or a score that is not finite.
    """
    if isinstance(scores, Layout):
        return scores
    if isinstance(scores, list | tuple):
        return _from_columns(scores)
    array = np.asarray(scores, np.float64)
    if array.ndim not in (2, 3):
        hint = "; one task: scores.reshape(-1, 1)" if array.ndim == 1 else ""
        raise ValueError(f"scores have shape {array.shape}, expected (runs, tasks) or (runs, tasks, checkpoints){hint}")
    if array.size == 0:
        raise ValueError(f"scores have shape {array.shape}: there are none")
    _check_finite(array)
    curve = array.ndim == 3
    values = np.moveaxis(array, 2, 0) if curve else array[None]
    return Layout(np.ascontiguousarray(values), np.full(array.shape[1], array.shape[0]), curve)


def _from_columns(scores: Sequence[np.ndarray]) -> Layout:
    if not all(isinstance(part, np.ndarray) for part in scores):
        raise ValueError(
            "lists do not say whether rows are runs or tasks, expected an array (runs, tasks), "
            "or a list of NumPy vectors, one a task"
        )
    if len(scores) == 0:
        raise ValueError("scores hold no task")
    parts = [np.asarray(part, np.float64) for part in scores]
    shapes = {part.shape[1:] for part in parts}
    if len(shapes) != 1 or parts[0].ndim not in (1, 2):
        found = [part.shape for part in parts]
        raise ValueError(f"tasks have scores of shapes {found}, expected (runs,) or (runs, checkpoints) for all")
    for m, part in enumerate(parts):
        if part.size == 0:
            raise ValueError(f"task {m} has no scores")
        _check_finite(part, f" of task {m}")
    curve = parts[0].ndim == 2
    sizes = np.array([len(part) for part in parts])
    values = np.zeros((parts[0].shape[1] if curve else 1, sizes.max(), len(parts)))
    for m, part in enumerate(parts):
        values[:, : len(part), m] = part.T if curve else part
    return Layout(values, sizes, curve)


def _check_finite(array: np.ndarray, where: str = "") -> None:
    finite = np.isfinite(array)
    if not finite.all():
        place = tuple(int(i) for i in np.argwhere(~finite)[0])
        raise ValueError(
            f"score {array[place]} at {place}{where} is not finite; "
            "for a missing run give a list of vectors, one a task"
        )
