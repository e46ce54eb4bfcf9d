"""A dataset as it is used: memory-mapped columns, a choice of episodes, and everything that is sampled from them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from envsuite.data import sampling
from envsuite.data.columns import file_name, hash_file, open_column
from envsuite.data.manifest import Manifest
from envsuite.data.spaces import space_from_json, tree
from envsuite.data.store import MANIFEST, folder_of, read_manifest

if TYPE_CHECKING:
    from envsuite.data.torch import TorchDataset


@dataclass(frozen=True)
class Episode:
    """One episode of T steps; arrays are views of the memory map.

    Attributes:
        index: in the dataset.
        seed: of the environment; -1 where unknown.
        observations: (T, [a,] *O), or dictionaries of such arrays.
        actions: (T, [a,] *A), likewise.
        rewards: (T, [a,] [k]).
        terminated: (T, [a]) bool.
        truncated: (T, [a]) bool.
        final_observation: ([a,] *O), what followed the last action.
        infos: (T, ...) by name, after each step.
    """

    index: int
    seed: int
    observations: Any
    actions: Any
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    final_observation: Any
    infos: dict[str, Any]

    def __len__(self) -> int:
        return len(self.rewards)


class Dataset:
    """Episodes of a dataset; those chosen by `filter`, `split` and their like share the memory of the whole.

    Args:
        manifest: of the dataset.
        columns: arrays by name.
        chosen: indices of the episodes, in the order in which they are given out; all by default.
        scales: see `normalise`.
        folder: where it lies; other processes open it there instead of being sent its content.

    Attributes:
        manifest: of the whole dataset.
        columns: of the whole dataset, read-only.
        chosen: (E,) int64, indices of the episodes.
        starts: (E,) int64, the first row of each chosen episode.
        lengths: (E,) int64, steps of each.
        derived: arrays that samplers keep.
        folder: see above.
    """

    def __init__(
        self,
        manifest: Manifest,
        columns: dict[str, np.ndarray],
        chosen: np.ndarray | None = None,
        scales: "dict[str, tuple[np.ndarray, np.ndarray]] | None" = None,
        folder: Path | None = None,
    ):
        self.manifest = manifest
        self.folder = folder
        self.columns = columns
        self.chosen = np.arange(manifest.episodes) if chosen is None else np.asarray(chosen, np.int64)
        if not self.chosen.size:
            raise ValueError(f"{manifest.id}: no episode is left")
        if self.chosen.min() < 0 or self.chosen.max() >= manifest.episodes:
            raise ValueError(f"{manifest.id}: episodes are numbered from 0 to {manifest.episodes - 1}")
        offsets = columns["offsets"]
        self.starts = offsets[self.chosen]
        self.lengths = offsets[self.chosen + 1] - self.starts
        self.scales = scales or {}
        self.derived: dict[str, np.ndarray] = {}

    def __reduce__(self):
        if self.folder is None:
            return Dataset, (self.manifest, self.columns, self.chosen, self.scales)
        return _reopened, (self.folder, self.manifest.hash, self.chosen, self.scales)

    def __len__(self) -> int:
        """Steps of the chosen episodes."""
        return int(self._ends[-1])

    @cached_property
    def _ends(self) -> np.ndarray:
        return np.cumsum(self.lengths)

    @property
    def episodes_count(self) -> int:
        """Number of chosen episodes."""
        return len(self.chosen)

    @cached_property
    def observation_space(self):
        """Gymnasium space of an observation, of all agents together where there are several."""
        return space_from_json(self.manifest.observation_space)

    @cached_property
    def action_space(self):
        """Gymnasium space of an action, of all agents together where there are several."""
        return space_from_json(self.manifest.action_space)

    def episode(self, index: int) -> Episode:
        """One of the chosen episodes.

        Args:
            index: among the chosen ones.
        """
        number = int(self.chosen[index])
        start = int(self.starts[index])
        rows = slice(start, start + int(self.lengths[index]))
        steps = {name: self.scaled(name, column[rows]) for name, column in self._steps.items()}
        finals = {
            name: self.scaled(name.removeprefix("final_"), self.columns[name][number]) for name in self._final_names
        }
        return Episode(
            number,
            int(self.columns["seeds"][number]),
            tree(steps, "observations"),
            tree(steps, "actions"),
            steps["rewards"],
            steps["terminated"],
            steps["truncated"],
            tree(finals, "final_observations"),
            tree(steps, "infos"),
        )

    def episodes(self) -> Iterator[Episode]:
        """All chosen episodes, one after another."""
        return (self.episode(k) for k in range(len(self.chosen)))

    @cached_property
    def _steps(self) -> dict[str, np.ndarray]:
        return {name: column for name, column in self.columns.items() if self.manifest.per_step(name)}

    @cached_property
    def _final_names(self) -> list[str]:
        return [name for name in self.columns if name.partition(".")[0] == "final_observations"]

    def scaled(self, name: str, rows: np.ndarray) -> np.ndarray:
        """Rows of a column as they are given out, see `normalise`."""
        if name not in self.scales:
            return rows
        mean, std = self.scales[name]
        return ((rows - mean) / std).astype(mean.dtype, copy=False)

    def rows(self, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where steps of the chosen episodes lie.

        Args:
            index: numbers from 0 to ``len(self) - 1``.

        Returns:
            Rows of the columns, and positions of their episodes in `chosen`.
        """
        which = np.searchsorted(self._ends, index, "right")
        return self.starts[which] + (index - (self._ends[which] - self.lengths[which])), which

    def draw(self, size: int, rng: np.random.Generator) -> np.ndarray:
        """Numbers of uniformly drawn steps, (size,) int64, for `take` and the samplers."""
        return rng.integers(0, len(self), size)

    def take(self, index: np.ndarray) -> "sampling.Batch":
        """Transitions by number; see `batch`.

        Args:
            index: (B,) numbers from 0 to ``len(self) - 1``.
        """
        rows, which = self.rows(np.asarray(index, np.int64))
        return sampling.transitions(self, rows, which)

    def batch(self, size: int, rng: np.random.Generator) -> "sampling.Batch":
        """Transitions drawn uniformly, with replacement.

        Args:
            size: how many.
            rng: from which the draw is made; nothing else has an influence.
        """
        return self.take(self.draw(size, rng))

    def nstep(self, size: int, n: int, gamma: float, rng: np.random.Generator) -> "sampling.Batch":
        """Transitions over up to `n` steps; see `envsuite.data.sampling.nstep`."""
        return sampling.nstep(self, self.draw(size, rng), n, gamma)

    def windows(self, size: int, length: int, rng: np.random.Generator) -> "sampling.Windows":
        """Pieces of trajectories; see `envsuite.data.sampling.windows`."""
        return sampling.windows(self, self.draw(size, rng), length)

    def goals(self, **arguments: Any) -> "sampling.GoalSampler":
        """A sampler of transitions with goals in hindsight; see `envsuite.data.sampling.GoalSampler`."""
        return sampling.GoalSampler(self, **arguments)

    @cached_property
    def returns(self) -> np.ndarray:
        """Undiscounted returns of the chosen episodes, (E,) or (E, k) float64; summed over agents."""
        offsets, rewards = self.columns["offsets"], self.columns["rewards"]
        per_step = rewards.sum(axis=1, dtype=np.float64) if self.manifest.agents else rewards
        return np.add.reduceat(per_step, offsets[:-1], axis=0, dtype=np.float64)[self.chosen]

    def normalised_returns(self, anchors: str = "calibrated") -> np.ndarray:
        """Returns as percentages: 0 is the random policy's, 100 the expert's.

        Args:
            anchors: ``"calibrated"``, measured with standard errors, or ``"legacy"``, a published benchmark's.

        Raises:
            ValueError: the dataset has no such anchors.
        """
        known = self.manifest.about.anchors
        if anchors not in known:
            raise ValueError(f"{self.manifest.id} has no anchors {anchors!r}, expected one of {sorted(known)}")
        low, high = known[anchors].low.mean, known[anchors].high.mean
        return 100 * (self.returns - low) / (high - low)

    def choose(self, positions: np.ndarray) -> "Dataset":
        """Some of the chosen episodes, by their positions."""
        return Dataset(self.manifest, self.columns, self.chosen[positions], self.scales, self.folder)

    def filter(self, keep: "Callable[[Dataset], np.ndarray]") -> "Dataset":
        """The episodes for which `keep` gives True.

        Args:
            keep: from this dataset to a bool array (E,), for instance ``lambda data: data.returns > 100``.
        """
        mask = np.asarray(keep(self))
        if mask.dtype != np.bool_ or mask.shape != self.chosen.shape:
            raise ValueError(f"the filter gives {mask.dtype} {mask.shape}, expected bool {self.chosen.shape}")
        return self.choose(np.flatnonzero(mask))

    def top(self, fraction: float) -> "Dataset":
        """The episodes of the highest returns, at least one, in their order.

        Args:
            fraction: of the number of episodes, above 0 and up to 1.
        """
        if not 0 < fraction <= 1:
            raise ValueError(f"fraction is {fraction}, expected a number above 0 and up to 1")
        if self.returns.ndim > 1:
            raise ValueError(f"{self.manifest.id} has vector rewards, of which none are the highest")
        count = max(1, round(fraction * len(self.chosen)))
        return self.choose(np.sort(np.argsort(-self.returns, kind="stable")[:count]))

    def split(self, validation: float, seed: int = 0) -> "tuple[Dataset, Dataset]":
        """Cut the episodes into two parts at random.

        Args:
            validation: share of the episodes in the second part, above 0 and below 1; each part has at least one.
            seed: of the draw.

        Raises:
            ValueError: a share out of range, or fewer than two episodes.
        """
        if not 0 < validation < 1 or len(self.chosen) < 2:
            raise ValueError(f"cannot split {len(self.chosen)} episodes by the share {validation}")
        order = np.random.Generator(np.random.Philox(seed)).permutation(len(self.chosen))
        count = min(max(1, round(validation * len(order))), len(order) - 1)
        return self.choose(np.sort(order[count:])), self.choose(np.sort(order[:count]))

    def normalise(self, epsilon: float = 1e-3) -> "Dataset":
        """The same data, with floating-point observations given out with mean 0 and standard deviation 1.

        Args:
            epsilon: added to standard deviations, as Fujimoto and Gu (2021), arXiv 2106.06860, do.

        Returns:
            A view; its `scales` hold the (mean, divisor) of each observation column, of the chosen episodes, for the
            policy that is trained on it.
        """
        scales = {}
        for name, column in self._steps.items():
            if name.partition(".")[0] == "observations" and column.dtype.kind == "f":
                mean, std = sampling.moments(self, column)
                scales[name] = (mean.astype(column.dtype), (std + epsilon).astype(column.dtype))
        return Dataset(self.manifest, self.columns, self.chosen, scales, self.folder)

    def to_torch(self, device: Any = "cpu") -> "TorchDataset":
        """All columns as tensors on one device; see `envsuite.data.torch.TorchDataset`."""
        from envsuite.data.torch import TorchDataset

        return TorchDataset(self, device)


def load(id_or_path: str | Path, root: str | Path | None = None, *, check: bool = False) -> Dataset:
    """Open a dataset; nothing is read before it is used.

    Args:
        id_or_path: a dataset's id, or its folder.
        root: of the store; by default that of the environment variable ``ENVSUITE_DATASETS``, or
            ``~/.envsuite/datasets``.
        check: compute the hashes of all columns and compare them.

    Raises:
        FileNotFoundError: there is no such dataset; the message says how to get it.
        ValueError: it is damaged.
    """
    folder = Path(id_or_path)
    if not (folder / MANIFEST).is_file():
        folder = folder_of(str(id_or_path), root)
        if not (folder / MANIFEST).is_file():
            raise FileNotFoundError(
                f"there is no dataset {id_or_path} in {folder}: `envsuite datasets generate {id_or_path}` makes it if"
                " it is one of those that `envsuite datasets list` shows"
            )
    for attempt in range(2):
        manifest = read_manifest(folder)
        try:
            files = {name: folder / manifest.folder / file_name(name) for name in manifest.columns}
            columns = {name: open_column(path, manifest.columns[name]) for name, path in files.items()}
        except ValueError:
            if attempt or read_manifest(folder).hash == manifest.hash:  # else it was replaced meanwhile
                raise
            continue
        break
    if check:
        for name, path in files.items():
            if (found := hash_file(path, manifest.columns[name])) != manifest.columns[name].hash:
                raise ValueError(f"{path} is damaged: its hash is {found}, expected {manifest.columns[name].hash}")
    check_offsets(manifest, columns["offsets"])
    return Dataset(manifest, columns, folder=folder.resolve())


def _reopened(folder: Path, expected: str, chosen: np.ndarray, scales: dict) -> Dataset:
    """A dataset in another process."""
    data = load(folder)
    if data.manifest.hash != expected:
        raise ValueError(f"{folder} holds another version of {data.manifest.id} by now")
    return Dataset(data.manifest, data.columns, chosen, scales, data.folder)


def check_offsets(manifest: Manifest, offsets: np.ndarray) -> None:
    """Refuse offsets that would lead out of the columns.

    Raises:
        ValueError: they do not rise from 0 to the number of steps.
    """
    if offsets[0] != 0 or offsets[-1] != manifest.steps or (offsets[1:] <= offsets[:-1]).any():
        raise ValueError(f"{manifest.id}: offsets do not rise from 0 to {manifest.steps}, a step or more an episode")


def in_memory(manifest: Manifest, columns: dict[str, np.ndarray]) -> Dataset:
    """A dataset that lies in no store.

    Args:
        manifest: its columns and hash are filled in.
        columns: arrays by name.
    """
    from envsuite.data.columns import Column, hash_array, stored_dtype

    told = {name: Column(stored_dtype(one.dtype).str, one.shape, hash_array(one)) for name, one in columns.items()}
    whole = replace(manifest, columns=told).sealed()
    check_offsets(whole, columns["offsets"])
    return Dataset(whole, columns)
