"""The wire format of protocol buffers, written and read without a library.

Format: https://protobuf.dev/programming-guides/encoding/. A message is a run of fields, each a key
``number << 3 | kind`` and a value: a varint (kind 0), 8 bytes (1), a length and as many bytes (2), or 4 bytes (5).
Reading copies nothing and never recurses; whatever is malformed raises ValueError.
"""

import struct
from collections.abc import Iterator

import numpy as np

VARINT, DOUBLE, BYTES, SINGLE = 0, 1, 2, 5
_MAX_FIELDS = 200_000  # of a whole file; bounds the time that reading takes
_MAX_VARINT_BYTES = 10  # 64 bits in groups of seven


def varint(value: int) -> bytes:
    """Encode an integer; negative ones as 64-bit two's complement."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number: int, value: int | float | bytes | str) -> bytes:
    """Encode one field: integers as varints, floats as 4 bytes, bytes and texts with their length."""
    if isinstance(value, float):
        return varint(number << 3 | SINGLE) + struct.pack("<f", value)
    if isinstance(value, int):
        return varint(number << 3 | VARINT) + varint(value)
    content = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | BYTES) + varint(len(content)) + content


class Budget:
    """How many more fields may be read from a file."""

    def __init__(self, fields: int = _MAX_FIELDS):
        self._left = fields

    def spend(self, count: int = 1) -> None:
        """Count fields.

        Raises:
            ValueError: there are none left.
        """
        self._left -= count
        if self._left < 0:
            raise ValueError(f"more than {_MAX_FIELDS} fields")


def _read_varint(data: memoryview, place: int) -> tuple[int, int]:
    value = 0
    for k in range(_MAX_VARINT_BYTES):
        if place + k >= len(data):
            raise ValueError("a number is cut off")
        byte = data[place + k]
        value |= (byte & 0x7F) << (7 * k)
        if byte < 0x80:
            if value >> 64:
                raise ValueError("a number has more than 64 bits")
            return value, place + k + 1
    raise ValueError("a number has more than 64 bits")


def fields(data: memoryview, budget: Budget) -> Iterator[tuple[int, int, int | memoryview]]:
    """Read a message.

    Args:
        data: its bytes.
        budget: of the whole file.

    Yields:
        Number, kind and value of each field: an unsigned integer for varints, the bytes for all others.

    Raises:
        ValueError: malformed, or too many fields.
    """
    place = 0
    while place < len(data):
        budget.spend()
        key, place = _read_varint(data, place)
        number, kind = key >> 3, key & 7
        if not 1 <= number < 1 << 29:
            raise ValueError(f"field number {number}")
        if kind == VARINT:
            value, place = _read_varint(data, place)
            yield number, kind, value
            continue
        if kind == BYTES:
            size, place = _read_varint(data, place)
        elif kind in (DOUBLE, SINGLE):
            size = 8 if kind == DOUBLE else 4
        else:
            raise ValueError(f"wire type {kind}")
        if size > len(data) - place:
            raise ValueError(f"a field of {size} bytes is cut off")
        yield number, kind, data[place : place + size]
        place += size


def signed(value: int) -> int:
    """The 64-bit two's complement number of a varint."""
    return value - (1 << 64) if value >> 63 else value


def integers(kind: int, value: int | memoryview, budget: Budget) -> list[int]:
    """Repeated integers, of which a field holds one or, packed, several.

    Raises:
        ValueError: malformed.
    """
    if isinstance(value, int):
        return [signed(value)]
    if kind != BYTES:
        raise ValueError("a list of integers has the wrong wire type")
    numbers, place = [], 0
    while place < len(value):
        budget.spend()
        number, place = _read_varint(value, place)
        numbers.append(signed(number))
    return numbers


def floats(kind: int, value: int | memoryview, dtype: str) -> np.ndarray:
    """Repeated floats, one or packed.

    Args:
        kind: wire type.
        value: of the field.
        dtype: ``"<f4"`` or ``"<f8"``.

    Raises:
        ValueError: malformed.
    """
    size = int(dtype[-1])
    if isinstance(value, int) or len(value) % size or (kind != BYTES and len(value) != size):
        raise ValueError("a list of numbers has the wrong size")
    return np.frombuffer(value, dtype)


def single(kind: int, value: int | memoryview) -> float:
    """The 4-byte float of a field.

    Raises:
        ValueError: it is none.
    """
    if kind != SINGLE or isinstance(value, int):
        raise ValueError("a float has the wrong wire type")
    return struct.unpack("<f", value)[0]


def text(value: int | memoryview, limit: int = 512) -> str:
    """A short text.

    Raises:
        ValueError: not bytes, too long, or not UTF-8.
    """
    content = blob(value)
    if len(content) > limit:
        raise ValueError(f"a text of {len(content)} bytes, expected at most {limit}")
    try:
        return bytes(content).decode()
    except UnicodeDecodeError as error:
        raise ValueError("a text is not UTF-8") from error


def blob(value: int | memoryview) -> memoryview:
    """The bytes of a field.

    Raises:
        ValueError: it holds a number instead.
    """
    if isinstance(value, int):
        raise ValueError("a number stands where bytes should")
    return value


def number(value: int | memoryview) -> int:
    """The number of a field.

    Raises:
        ValueError: it holds bytes instead.
    """
    if not isinstance(value, int):
        raise ValueError("bytes stand where a number should")
    return signed(value)
