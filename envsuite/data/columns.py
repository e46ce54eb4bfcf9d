"""One column of a dataset: a ``.npy`` file written front to back, hashed on the way, and read through a memory map."""

import hashlib
import io
import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

_DTYPE = re.compile(r"\|[bi]1|\|u1|<[iuf][248]|\|S[1-9][0-9]{0,6}")
_NAME = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")
_MAX_BYTES = 1 << 50
_BLOCK = 1 << 22

Spec = tuple[np.dtype, tuple[int, ...]]
"""Element type and shape of a column."""


@dataclass(frozen=True)
class Column:
    """What a column holds.

    Attributes:
        dtype: NumPy's text of the element type: little-endian numbers, booleans, or bytes of UTF-8.
        shape: (rows, ...).
        hash: BLAKE2b of type, shape and bytes, 64 hexadecimal digits.
    """

    dtype: str
    shape: tuple[int, ...]
    hash: str

    def check(self, name: str) -> None:
        """Refuse what no column of a dataset is.

        Raises:
            ValueError: the name, the type, the shape or the hash is none; the message says which.
        """
        if not _NAME.fullmatch(name) or len(name) > 200:
            raise ValueError(f"column name {name!r:.80} is not made of letters, digits and _ - with single dots")
        if not _DTYPE.fullmatch(self.dtype):
            raise ValueError(f"column {name}: type {self.dtype!r:.40} is not one of little-endian numbers, bool, bytes")
        if not self.shape or min(self.shape) < 0 or self.nbytes > _MAX_BYTES:
            raise ValueError(f"column {name}: shape {self.shape} is no shape of a column")
        if not re.fullmatch("[0-9a-f]{64}", self.hash):
            raise ValueError(f"column {name}: hash {self.hash!r:.80} is not of 64 hexadecimal digits")

    @property
    def nbytes(self) -> int:
        """Size of the content."""
        return math.prod(self.shape) * np.dtype(self.dtype).itemsize

    @property
    def header(self) -> bytes:
        """The first bytes of the file; nothing else is accepted there, so no foreign header is ever interpreted."""
        return header(np.dtype(self.dtype), self.shape)


def header(dtype: np.dtype, shape: tuple[int, ...]) -> bytes:
    """The header of a ``.npy`` file, version 1.0."""
    file = io.BytesIO()
    entry = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": tuple(map(int, shape))}
    np.lib.format.write_array_header_1_0(file, entry)
    return file.getvalue()


def stored_dtype(dtype: np.dtype) -> np.dtype:
    """The type that elements are stored as, little-endian.

    Raises:
        ValueError: objects, records and whatever else has no plain bytes.
    """
    little = np.dtype(dtype).newbyteorder("<")
    if not _DTYPE.fullmatch(little.str):
        raise ValueError(f"type {dtype} cannot be stored: expected numbers of up to 64 bits, bool or UTF-8 bytes")
    return little


def hasher(dtype: np.dtype, shape: tuple[int, ...]):
    """A running hash of a column, to be fed its bytes in order."""
    text = f"{dtype.str} {','.join(str(int(size)) for size in shape)}\n"
    return hashlib.blake2b(text.encode(), digest_size=32)


def file_name(name: str) -> str:
    """The file of a column."""
    return f"{name}.npy"


class ColumnWriter:
    """Writes a column block by block.

    Args:
        path: the file.
        dtype: of the elements.
        shape: of the whole column.
    """

    def __init__(self, path: Path, dtype: np.dtype, shape: tuple[int, ...]):
        self._name = path.stem
        self._dtype = stored_dtype(dtype)
        self._shape = tuple(int(size) for size in shape)
        self._rows = 0
        self._hash = hasher(self._dtype, self._shape)
        self._file = path.open("xb")
        self._file.write(header(self._dtype, self._shape))

    def append(self, rows: np.ndarray) -> None:
        """Write the next rows.

        Raises:
            ValueError: rows of another shape, or whose type does not fit without loss.
        """
        if rows.shape[1:] != self._shape[1:] or not np.can_cast(rows.dtype, self._dtype, "safe"):
            raise ValueError(
                f"column {self._name}: rows are {rows.dtype} {rows.shape[1:]}, expected {self._dtype} {self._shape[1:]}"
            )
        self._rows += len(rows)
        if rows.size:
            data = np.ascontiguousarray(rows, self._dtype).view(np.uint8).reshape(-1).data
            self._hash.update(data)
            self._file.write(data)

    def finish(self) -> Column:
        """Hand everything to the system; it is on the disk after `sync`.

        Raises:
            ValueError: not all rows were written, or too many.
        """
        if self._rows != self._shape[0]:
            raise ValueError(f"column {self._name}: {self._rows} rows written, expected {self._shape[0]}")
        self._file.flush()
        return Column(self._dtype.str, self._shape, self._hash.hexdigest())

    def sync(self) -> None:
        """Wait until the disk has what was finished."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file as it is."""
        self._file.close()


def open_column(path: Path, column: Column) -> np.ndarray:
    """Map a column into memory, read-only.

    Args:
        path: the file.
        column: what it has to hold.

    Raises:
        ValueError: the file is missing, of another size, or of another type or shape.
    """
    begin = column.header
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            same = file.read(len(begin)) == begin
    except FileNotFoundError:
        raise ValueError(f"{path} is missing") from None
    if not same or size != len(begin) + column.nbytes:
        wanted = f"{column.dtype} {column.shape} in {len(begin) + column.nbytes} bytes"
        raise ValueError(f"{path} ({size} bytes) is not the column {wanted} that the manifest tells of")
    dtype = np.dtype(column.dtype)
    if column.nbytes == 0:
        return np.zeros(column.shape, dtype)
    return np.memmap(path, dtype, "r", len(begin), column.shape).view(np.ndarray)


def hash_file(path: Path, column: Column) -> str:
    """The hash of what a file holds, as `Column.hash`; the file is read piece by piece."""
    total = hasher(np.dtype(column.dtype), column.shape)
    with path.open("rb") as file:
        file.seek(len(column.header))
        while block := file.read(_BLOCK):
            total.update(block)
    return total.hexdigest()


def hash_array(array: np.ndarray) -> str:
    """The hash of an array in memory, as `Column.hash`."""
    dtype = stored_dtype(array.dtype)
    total = hasher(dtype, array.shape)
    if array.size:
        total.update(np.ascontiguousarray(array, dtype).view(np.uint8).reshape(-1).data)
    return total.hexdigest()


def blocks(rows: int, row_bytes: int, limit: int = 1 << 26) -> Iterator[slice]:
    """Cut rows into runs of at most `limit` bytes, at least a row each."""
    step = max(1, limit // max(1, row_bytes))
    for start in range(0, rows, step):
        yield slice(start, min(rows, start + step))
