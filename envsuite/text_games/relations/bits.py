"""Relations as bits: a row of words for each thing i, in which bit j tells whether i stands in the relation to j."""

import numpy as np

from envsuite.core import kernel

_ONE, _SIX, _LAST = np.uint64(1), np.uint64(6), np.uint64(63)


def words_for(things: int) -> int:
    """Words of a row.

    Args:
        things: how many there are.
    """
    return -(-things // 64)


@kernel
def get(matrix, i, j):
    """Whether i stands in the relation to j."""
    k = np.uint64(j)
    return ((matrix[i, k >> _SIX] >> (k & _LAST)) & _ONE) != 0


@kernel
def put(matrix, i, j):
    """Let i stand in the relation to j."""
    k = np.uint64(j)
    matrix[i, k >> _SIX] |= _ONE << (k & _LAST)


@kernel
def clear(matrix):
    """Nothing stands in the relation to anything."""
    for i in range(matrix.shape[0]):
        for k in range(matrix.shape[1]):
            matrix[i, k] = 0


@kernel
def product(a, b, out, n):
    """The relation of i to j if some k has i a k and k b j; `out` must be another matrix than `a` and `b`."""
    for i in range(n):
        for k in range(out.shape[1]):
            out[i, k] = 0
        for j in range(n):
            if get(a, i, j):
                for k in range(out.shape[1]):
                    out[i, k] |= b[j, k]


@kernel
def transpose(a, out, n):
    """The relation the other way round; `out` must be another matrix."""
    for i in range(n):
        for k in range(out.shape[1]):
            out[i, k] = 0
    for i in range(n):
        for j in range(n):
            if get(a, i, j):
                put(out, j, i)


@kernel
def count(matrix, i, n):
    """To how many of the first n things i stands in the relation."""
    found = 0
    for j in range(n):
        found += get(matrix, i, j)
    return found


def unpacked(matrices: np.ndarray, things: int) -> np.ndarray:
    """Bits as an array of numbers.

    Args:
        matrices: uint64 (..., rows, words).
        things: how many columns are wanted.

    Returns:
        uint8 (..., rows, things), 0 or 1.
    """
    found = np.unpackbits(np.ascontiguousarray(matrices).astype("<u8").view(np.uint8), axis=-1, bitorder="little")
    return found[..., :things]
