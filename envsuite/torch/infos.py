"""Records of metrics as tensors by name."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch


class Infos(Mapping):
    """Metrics of a step by name, tensors (n, [a,] ...): on the CPU views, on a GPU copies that stay there.

    Args:
        records: array, or device array, (n,) or (n, a) of info records.
        kind: their type; as NumPy has it, since a device's array may have lost the names.
    """

    def __init__(self, records: Any, kind: np.dtype):
        self._records, self._kind = records, kind

    def __getitem__(self, name: str) -> torch.Tensor:
        if name not in (self._kind.names or ()):
            raise KeyError(name)
        if hasattr(self._records, "__cuda_array_interface__"):
            return device_tensor(Field(self._records, self._kind, name)).clone()
        host = isinstance(self._records, np.ndarray)
        rows = np.asarray((self._records if host else self._records.copy_to_host())[name])
        # records without padding have distances that no tensor can have
        odd = any(one % rows.itemsize for one in rows.strides)
        return torch.from_numpy(np.ascontiguousarray(rows) if odd else rows)

    @classmethod
    def join(cls, parts: Sequence[Mapping[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
        """Metrics of several steps, one behind the other; at least one."""
        first = parts[0]
        if isinstance(first, Infos) and isinstance(first._records, np.ndarray):
            plain = np.dtype((np.void, first._kind.itemsize))  # NumPy looks at each field of each pair otherwise
            whole = np.concatenate([one._records.view(plain) for one in parts])  # ty: ignore[missing-attribute]
            return dict(cls(whole.view(first._kind), first._kind))
        return {name: torch.cat([one[name] for one in parts]) for name in first}

    def __iter__(self) -> Iterator[str]:
        return iter(self._kind.names or ())

    def __len__(self) -> int:
        return len(self._kind.names or ())


class Field:
    """A field of records on the device, as the CUDA array interface describes it; shares their memory.

    Args:
        records: device array (n,) or (n, a) of records.
        kind: their type.
        name: of the field.
    """

    def __init__(self, records: Any, kind: np.dtype, name: str):
        where = records.__cuda_array_interface__
        fields: Any = kind.fields
        one, offset = fields[name][:2]
        outer = np.empty(where["shape"], kind).strides
        inner = np.empty(one.shape, one.base).strides
        address, read_only = where["data"]
        self.__cuda_array_interface__ = {
            "shape": (*where["shape"], *one.shape),
            "strides": (*outer, *inner),
            "typestr": one.base.str,
            "data": (address + offset, read_only),
            "version": 3,
        }


def device_tensor(array: Any) -> torch.Tensor:
    """A device array as a tensor that shares its memory; on Numba's simulator a copy of it."""
    if hasattr(array, "__cuda_array_interface__"):
        return torch.as_tensor(array, device="cuda")
    return torch.from_numpy(array.copy_to_host())
