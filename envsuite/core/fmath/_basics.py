"""What both precisions share."""

import math

import numpy as np
from numba import types
from numba.extending import overload

from envsuite.core.jit import kernel


def sqrt(x):
    """Square root, correctly rounded; NaN below 0.

    Kernels need it in place of `np.sqrt`, which CUDA lacks, and `math.sqrt`, which gives float64 in plain
    Python.
    """
    with np.errstate(all="ignore"):
        return np.sqrt(x if isinstance(x, np.float32) else np.float64(x))


@overload(sqrt)
def _typed_sqrt(x):
    return (lambda x: math.sqrt(x)) if isinstance(x, types.Float) else None


@kernel
def polynomial(coefficients, x):
    """c0 + c1 x + c2 x^2 + ..., two terms a step for a shorter chain of operations; LLVM unrolls it."""
    z = x * x
    n = len(coefficients)
    if n % 2 == 1:
        result = coefficients[n - 1]
        start = n - 3
    else:
        result = coefficients[n - 2] + coefficients[n - 1] * x
        start = n - 4
    for i in range(start, -1, -2):
        result = result * z + (coefficients[i] + coefficients[i + 1] * x)
    return result
