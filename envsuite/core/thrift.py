"""What Numba leaves out while it compiles our kernels; for other people's functions it works as ever."""

import gc
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from llvmlite.binding import ffi
from numba.core import transforms
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack
from numba.core.types.functions import Function
from numba.core.typing.context import Context as TypingContext
from numba.core.typing.templates import _OverloadFunctionTemplate

_REMEMBERED: dict[tuple[Any, ...], tuple[Any, Any, Any]] = {}
_search = Function.get_call_type
_analyse = PostProcessor.run


def _remember(function, context, args, kws):
    """What `Function.get_call_type` finds, found once for the same function and types.

    Numba tries a dozen implementations of ``*`` for each product in a kernel.
    """
    if kws:
        return _search(function, context, args, kws)
    flags = ConfigStack.top_or_none()
    key = id(function), id(context), args, flags and flags.nrt
    if key in _REMEMBERED:
        found, implementation, _ = _REMEMBERED[key]
    else:
        found = _search(function, context, args, kws)
        if found is None:
            return None
        implementation = function._impl_keys[found.args]
        _REMEMBERED[key] = found, implementation, function  # held, so that its id stays its own
    function._impl_keys[found.args] = implementation
    return found


def _load() -> None:
    """Load what Numba implements. It imports SciPy to see whether it is there, which a look does as well."""
    from numba.np import linalg

    kept, linalg.ensure_blas = linalg.ensure_blas, _look_for_scipy  # ty: ignore[invalid-assignment]
    try:
        cpu_target.typing_context.load_additional_registries()
        cpu_target.target_context.load_additional_registries()
    finally:
        linalg.ensure_blas = kept


def _look_for_scipy() -> None:
    if find_spec("scipy") is None:
        raise ImportError("SciPy is not installed")


def _load_again(context) -> None:
    """`load_additional_registries` once it has run: new entries, without some forty import statements."""
    for registry in [*context._registries]:
        context.install_registry(registry)


def _analyse_when_asked(self, emit_dels=False, **options):
    """`PostProcessor.run`, which finds out after each of a dozen passes where variables live; two passes ask for it."""
    if emit_dels or self.func_ir.is_generator:
        return _analyse(self, emit_dels, **options)
    self.func_ir.blocks = transforms.canonicalize_cfg(self.func_ir.blocks)
    self.func_ir.variable_lifetime = VariableLifetime(self.func_ir.blocks)
    self.func_ir.generator_info = None


class Thrift:
    """A context in which kernels are compiled.

    Args:
        as_part: decorator without options, for what Numba itself implements in Python, such as ``min``.
    """

    def __init__(self, as_part: Any):
        self._depth = 0
        self._changes = (
            (Function, "get_call_type", _remember),
            (CPUContext, "load_additional_registries", _load_again),
            (TypingContext, "load_additional_registries", _load_again),
            (PostProcessor, "run", _analyse_when_asked),
            (_OverloadFunctionTemplate, "_get_jit_decorator", lambda template: as_part),
            (ffi.lib._lock, "_cblist", []),  # those who listen to each of some 20,000 calls of LLVM
        )
        self._before: list[Any] = []
        self._collect = gc.get_threshold()

    @contextmanager
    def __call__(self):
        """Enter; a second time inside it changes nothing."""
        with global_compiler_lock:
            if not self._depth:
                _load()
                self._before = [getattr(owner, name) for owner, name, _ in self._changes]
                self._set([new for _, _, new in self._changes])
                self._collect = gc.get_threshold()
                if self._collect[0]:  # 0: never; usual numbers cost a sixth of the time of compiling
                    gc.set_threshold(max(20_000, self._collect[0]), *self._collect[1:])
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if not self._depth:
                    gc.set_threshold(*self._collect)
                    self._set(self._before)

    def _set(self, values: list[Any]) -> None:
        for (owner, name, _), value in zip(self._changes, values, strict=True):
            setattr(owner, name, value)
