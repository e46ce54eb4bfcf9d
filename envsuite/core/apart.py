"""Kernels that other kernels call through an address: compiled once for their types, whoever calls them.

A physics engine serves a hundred worlds. As a part of each (see `envsuite.core.compiling`) it would be optimised a
hundred times, for half a minute each.
"""

import hashlib
import importlib
import inspect
from functools import partial
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

_BOUND: dict[str, Any] = {}  # what is called must stay in memory
_MADE: dict[tuple[str, str], Any] = {}


def made(kernel: Any) -> Any:
    """Remember a kernel that stands in no module, so that it is found by its name; returns it."""
    _MADE[kernel.py_func.__module__, kernel.py_func.__qualname__] = kernel
    return kernel


def gate_of(kernel: Any) -> Any:
    """A function with the parameters of a kernel that calls it through its address.

    Args:
        kernel: a `Kernel` that stands in a module under its name, or that was `made`.
    """
    listed = ", ".join(inspect.signature(kernel.py_func).parameters)
    scope: dict[str, Any] = {"typed": partial(_typed, kernel)}
    exec(f"def call(context, {listed}): return typed(({listed},))", scope)
    scope["call"] = intrinsic(scope["call"])
    exec(f"def gate({listed}): return call({listed})", scope)
    return scope["gate"]


def _typed(kernel: Any, given: tuple[Any, ...]) -> Any:
    """Signature of a call, and how it is written as LLVM code; the kernel is compiled now."""
    kinds = tuple(map(types.unliteral, given))
    symbol, inner = _bind(kernel, kinds)

    def build(context, builder, signature, arguments):
        arguments = [context.cast(builder, *one) for one in zip(arguments, signature.args, kinds, strict=True)]
        form = context.call_conv.get_function_type(inner.return_type, kinds)
        known = builder.module.globals.get(symbol)
        function = known or ir.Function(builder.module, form, symbol)
        home = kernel.py_func.__module__, kernel.py_func.__qualname__
        context.active_code_library._reload_init.add(partial(_bind_again, *home, kinds))
        status, value = context.call_conv.call_function(builder, function, inner.return_type, kinds, arguments)
        with builder.if_then(status.is_error, likely=False):
            context.call_conv.return_status_propagate(builder, status)
        return value

    return inner.return_type(*given), build


def _bind(kernel: Any, kinds: tuple[Any, ...]) -> tuple[str, Any]:
    """Compile a kernel and give its address a name; returns the name and the signature."""
    home = f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}"
    symbol = f"envsuite_{hashlib.blake2b(repr((home, kinds)).encode(), digest_size=16).hexdigest()}"
    if symbol not in _BOUND:
        kernel.compile(kinds)
        made = kernel.overloads[kinds]
        address = made.library.get_pointer_to_function(made.fndesc.llvm_func_name)
        llvmlite.binding.add_symbol(symbol, address)
        _BOUND[symbol] = made
    return symbol, _BOUND[symbol].signature


def _bind_again(module: str, name: str, kinds: tuple[Any, ...]) -> None:
    """`_bind` before machine code that calls the kernel is loaded from the cache."""
    _bind(_MADE.get((module, name)) or getattr(importlib.import_module(module), name), kinds)
