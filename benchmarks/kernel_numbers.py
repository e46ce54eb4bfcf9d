"""Time the random numbers and elementary functions of kernels, in nanoseconds for one record or one call.

Run by hand: ``python benchmarks/kernel_numbers.py``. One thread; the best of many repetitions.
"""

import time

import numpy as np
from numba import njit

from envsuite.core import fmath, rng

RECORDS = 1024
STATE = np.dtype([("rng", rng.STREAM)], align=True)


@njit(error_model="numpy")
def fill_normals(states, out):
    """Fill a row of normals from each record."""
    for i in range(states.size):
        rng.normals(states[i].rng, rng.OBSERVATION, out[i])


@njit(error_model="numpy")
def draw_each(states, out, which):
    """Draw one number from each record."""
    for i in range(states.size):
        g = states[i].rng
        if which == 0:
            out[i, 0] = rng.uniform(g, rng.RESET, fmath.real(0, out), fmath.real(1, out))
        elif which == 1:
            out[i, 0] = rng.normal(g, rng.RESET, fmath.real(0, out), fmath.real(1, out))
        else:
            out[i, 0] = rng.integers(g, rng.RESET, 6)


def best(function, *arguments):
    """Nanoseconds for one of RECORDS records."""
    function(*arguments)
    times = []
    for _ in range(300):
        start = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - start)
    return min(times) / RECORDS * 1e9


def sweep(name):
    """A loop over an array that applies a function of one argument."""
    function = getattr(fmath, name)

    @njit(error_model="numpy")
    def loop(x, out):
        for i in range(x.size):
            out[i] = function(x[i])

    return loop


if __name__ == "__main__":
    states = np.zeros(RECORDS, STATE)
    states["rng"]["key"] = np.arange(2 * RECORDS).reshape(RECORDS, 2)
    for real in (np.float32, np.float64):
        print(real.__name__)
        for n in (1, 4, 16, 18, 32):
            print(f"  normals, {n:2d}: {best(fill_normals, states, np.empty((RECORDS, n), real)):6.1f} ns")
        for which, name in enumerate(("uniform", "normal", "integers")):
            print(f"  {name:11s} {best(draw_each, states, np.empty((RECORDS, 1), real), which):6.1f} ns")
        x = np.random.default_rng(0).uniform(0.01, 0.99, RECORDS).astype(real)
        for name in ("sin", "tan", "asin", "atan", "exp", "log", "tanh"):
            print(f"  {name:11s} {best(sweep(name), x, np.empty_like(x)):6.2f} ns")
