"""The one place that configures Numba: the `kernel` decorator."""

from functools import partial
from types import FunctionType
from typing import Any

import llvmlite.binding
import numpy as np

from envsuite.core.apart import made
from envsuite.core.compiling import Kernel, interpreted
from envsuite.core.literals import narrowed

_DTYPES: dict[np.dtype, np.dtype] = {}


# Loops over records have many addresses to check before LLVM may use vector instructions for several records at once;
# with its usual limit of 16 checks it does not try. The checks run once a loop.
llvmlite.binding.set_option("", "--vectorize-scev-check-threshold=256")


def kernel(function=None, *, inline: bool = False, arrays: bool = False, apart: bool = False):
    """Compile a simulator function for the CPU, without the GIL, cached on disk.

    Floating-point operations keep their order and are never fused or reassociated, and division by zero follows IEEE
    754, so results are the same bits on every CPU. Plain numbers in the source take the precision of what they meet,
    see `envsuite.core.literals`. Under ``NUMBA_DISABLE_JIT=1`` the Python function itself is returned.

    Args:
        function: a module-level function in Numba's nopython subset.
        inline: always make it a part of its callers. A loop over records that holds nothing but such calls, without
            branches, is compiled to vector instructions for several records at once.
        arrays: it makes arrays, which other kernels may not. No kernel returns one.
        apart: it is compiled once for the types of its arguments, and called through its address. For large kernels
            that many others call.

    Returns:
        The Numba dispatcher; it may be called from Python, from other kernels and from CUDA kernels.
    """
    if function is None:
        return partial(kernel, inline=inline, arrays=arrays, apart=apart)
    if interpreted():
        return narrowed(function, plain=True)
    return Kernel(function, inline=inline, arrays=arrays, apart=apart)


def kernel_of(maker: FunctionType, home: Any, name: str, apart: bool = False) -> Any:
    """Compile a function that was made around other kernels, such as a batch loop.

    Args:
        maker: the function, whose closure holds kernels and constants.
        home: one of these kernels, to whose source file and module it belongs.
        name: differs from that of all others made in this file.
        apart: other kernels call it through its address, see `kernel`.

    Returns:
        As `kernel`.
    """
    if interpreted():
        return maker
    origin = home.py_func
    maker.__module__, maker.__name__, maker.__qualname__ = origin.__module__, name, name
    maker.__kernel_file__ = getattr(origin, "__kernel_file__", origin.__code__.co_filename)  # ty: ignore[missing-attribute]
    return made(Kernel(maker, apart=apart))


def canonical(dtype: np.dtype) -> np.dtype:
    """The one object that stands for all equal types.

    Numba looks a structured type up at every call: at once if it is the very object it has seen before, field by
    field if it is only equal, which takes longer than stepping an environment.

    Args:
        dtype: any type.

    Returns:
        The first equal type that was ever passed.
    """
    return _DTYPES.setdefault(dtype, dtype)


def records(array: np.ndarray) -> np.ndarray:
    """Structured arrays as kernels take them.

    Args:
        array: any array.

    Returns:
        The same memory with the canonical type; where kernels are interpreted, as a record array, whose fields are
        attributes in Python too.
    """
    if array.dtype.names is None:
        return array
    dtype = canonical(array.dtype)
    array = array if array.dtype is dtype else array.view(dtype)
    return array.view(np.recarray) if interpreted() else array
