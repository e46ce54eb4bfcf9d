"""Chance that is a function of its arguments, for answers that stay the same when a question is put again."""

import numpy as np

from envsuite.core import kernel


@kernel
def mixed(value):
    """The bits of a number of 64 bits, shuffled: the finaliser of SplitMix64 (Steele, Lea and Flood, 2014)."""
    value = np.uint64(value)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@kernel
def hashed(a, b, salt):
    """A number of 64 bits for two small numbers and a third one.

    Args:
        a: whole number.
        b: whole number.
        salt: whole number.
    """
    step = np.uint64(0x9E3779B97F4A7C15)
    first = mixed(np.uint64(np.int64(a)) + step)
    second = mixed(first ^ (np.uint64(np.int64(b)) + step))
    return mixed(second ^ (np.uint64(np.int64(salt)) + step))


@kernel
def chance(a, b, salt):
    """A number in [0, 1) for two small numbers and a third one; see `hashed`."""
    return np.float64(hashed(a, b, salt) >> np.uint64(11)) / 9007199254740992.0
