"""Fields of one record as numbers of Python: read one by one from NumPy, they take longer than the text about them."""

import struct
from operator import itemgetter
from typing import Any

import numpy as np

_FORMATS = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "f4": "f"}


class PlainFields:
    """Reads some fields of a record at once.

    Args:
        dtype: of the record.
        names: two fields of it or more, of numbers or arrays of numbers.
    """

    def __init__(self, dtype: np.dtype, *names: str):
        fields: Any = dtype.fields
        # (offset in bytes, name, type, how many numbers or None for a single one)
        places = []
        for name in names:
            one, offset = fields[name][:2]
            places.append((offset, name, one.base, int(np.prod(one.shape)) if one.shape else None))
        self._format, at, count = "<", 0, 0
        found: dict[str, int | slice] = {}
        for offset, name, base, size in sorted(places, key=itemgetter(0)):
            self._format += f"{offset - at}x{size or 1}{_FORMATS[base.str[1:]]}"
            found[name] = count if size is None else slice(count, count + size)
            at, count = offset + base.itemsize * (size or 1), count + (size or 1)
        self._format += f"{dtype.itemsize - at}x"
        self._pick = itemgetter(*(found[name] for name in names))

    def __call__(self, state: np.void) -> tuple[Any, ...]:
        """The fields, in the order of their names; arrays are flat tuples."""
        return self._pick(struct.unpack(self._format, state.tobytes()))
