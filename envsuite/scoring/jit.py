"""How the kernels of this package are compiled: cached beside their file where that can be written."""

from numba import njit


def kernel(function):
    """Compile a function without the GIL; floating-point operations keep their order, so results are reproducible.

    Numba's cache looks at the file of a kernel only, so kernels call no kernel of another file.
    """
    try:
        return njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # no folder can hold the cache, as in a read-only install without a home
        return njit(nogil=True, error_model="numpy")(function)
