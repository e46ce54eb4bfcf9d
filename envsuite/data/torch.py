"""A dataset as tensors on one device, sampled there."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from envsuite.data.spaces import tree

if TYPE_CHECKING:
    from envsuite.data.dataset import Dataset


@dataclass(frozen=True)
class TorchBatch:
    """B transitions as tensors; see `envsuite.data.sampling.Batch`."""

    observations: Any
    actions: Any
    rewards: torch.Tensor
    next_observations: Any
    terminated: torch.Tensor
    truncated: torch.Tensor
    discounts: torch.Tensor


class TorchDataset:
    """All steps of the chosen episodes on one device; `batch` gathers there, without a copy from the host.

    Args:
        data: what to copy; it has to fit into the device's memory.
        device: of PyTorch.

    Raises:
        ValueError: a column of texts, which no tensor holds.
    """

    def __init__(self, data: "Dataset", device: Any = "cpu"):
        self.device = torch.device(device)
        self._size = len(data)
        index, _which = data.rows(np.arange(len(data)))
        whole = len(data.chosen) == data.manifest.episodes and (np.diff(data.chosen) == 1).all()
        self._columns: dict[str, torch.Tensor] = {}
        for name, column in data.columns.items():
            if name.partition(".")[0] not in ("observations", "actions", "rewards", "terminated", "truncated"):
                continue
            if column.dtype.kind == "S":
                raise ValueError(f"{data.manifest.id}: column {name} holds texts, which no tensor does")
            self._columns[name] = self._tensor(data.scaled(name, column if whole else column[index]))
        self._finals = {
            name: self._tensor(data.scaled(name, data.columns[f"final_{name}"][data.chosen]))
            for name in self._columns
            if name.partition(".")[0] == "observations"
        }
        # For each step, its successor's row, or -1 - e at the end of the episode at position e.
        following = np.arange(1, len(data) + 1)
        ends = np.cumsum(data.lengths) - 1
        following[ends] = -1 - np.arange(len(ends))
        self._next = torch.from_numpy(following).to(self.device)

    def __len__(self) -> int:
        return self._size

    def _tensor(self, array: np.ndarray) -> torch.Tensor:
        if array.dtype.kind == "u" and array.dtype.itemsize > 1:
            array = array.astype(np.int64)
        return torch.from_numpy(np.array(array)).to(self.device)

    def columns(self, prefix: str) -> Any:
        """A tensor, or (nested) dictionaries of tensors, of all steps: ``"observations"``, ``"rewards"``, ..."""
        return tree(self._columns, prefix)

    def batch(self, size: int, generator: torch.Generator | None = None) -> TorchBatch:
        """Transitions drawn uniformly, with replacement.

        Args:
            size: how many.
            generator: of the draw, on the same device.
        """
        return self.take(torch.randint(self._size, (size,), generator=generator, device=self.device))

    def take(self, index: torch.Tensor) -> TorchBatch:
        """Transitions by number, (B,) from 0 to ``len(self) - 1``."""
        found = {name: column[index] for name, column in self._columns.items()}
        following = self._next[index]
        over = following < 0
        after = {}
        for name, finals in self._finals.items():
            inside = self._columns[name][following.clamp(min=0)]
            final = finals[(-1 - following).clamp(min=0)]
            after[name] = torch.where(over.reshape(-1, *[1] * (inside.ndim - 1)), final, inside)
        return TorchBatch(
            tree(found, "observations"),
            tree(found, "actions"),
            found["rewards"],
            tree(after, "observations"),
            found["terminated"],
            found["truncated"],
            (~found["terminated"]).float(),
        )
