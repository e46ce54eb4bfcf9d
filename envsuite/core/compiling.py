"""How kernels are compiled: what Python calls as a whole, what kernels call as a part of it.

Numba compiles each function as if Python would call it: with wrappers, optimised together with all that it calls, to
machine code. Of a simulator's hundred functions Python calls two or three. So a kernel has two forms here: the whole,
and the part, which ends as LLVM code that is optimised once, inside the whole that calls it.
"""

import dis
import hashlib
import importlib
import sys
from functools import cached_property
from pathlib import Path
from typing import Any

import numba
from numba.core import sigutils, typed_passes, untyped_passes
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.dispatcher import _FunctionCompiler  # ty: ignore[import-not-found]
from numba.core.errors import NumbaError
from numba.core.registry import CPUDispatcher

from envsuite.core.apart import gate_of
from envsuite.core.kernel_cache import KernelCache
from envsuite.core.literals import narrowed
from envsuite.core.notice import NOTICE
from envsuite.core.thrift import Thrift

_CONFIG: Any = numba.config  # its settings exist at run time only


def interpreted() -> bool:
    """Whether kernels run as plain Python, because of ``NUMBA_DISABLE_JIT``."""
    return bool(_CONFIG.DISABLE_JIT)


def _content_name(record: Any) -> tuple[str, tuple[str, ...]]:
    """Name of a record type in machine code: a digest of its fields."""
    return "Record", (hashlib.blake2b(record.name.encode(), digest_size=12).hexdigest(),)


# Numba numbers record types as a process meets them and puts the number into the names of functions. Two functions for
# different records, cached by two processes, could so have one name, and a third process would call the wrong one.
numba.types.Record.mangling_args = property(_content_name)  # ty: ignore[invalid-assignment]


_text = numba.types.Record.__repr__


def _remembered_text(record: Any) -> str:
    """The text of a record type, which Numba asks for some ten thousand times while it compiles a world."""
    if not hasattr(record, "_envsuite_text"):
        record._envsuite_text = _text(record)
    return record._envsuite_text


numba.types.Record.__repr__ = _remembered_text  # ty: ignore[invalid-assignment]


class _Compiler(Compiler):
    """Numba's, without the passes over a function that only rare statements have a use for."""

    def define_pipelines(self):
        rare = not _RARE.isdisjoint(self.state.func_id.func.__code__.co_code[::2])
        if rare not in _PASSES:
            (whole,) = super().define_pipelines()
            _PASSES[rare] = [one for one in whole.passes if rare or one[0] not in _FOR_RARE]
        pipeline = PassManager("nopython")
        pipeline.passes = _PASSES[rare]
        pipeline.finalize()
        return [pipeline]


_PASSES: dict[bool, list[Any]] = {}
_STATEMENTS = "BEFORE_WITH", "LIST_APPEND", "LOAD_SPECIAL", "MAKE_FUNCTION", "RAISE_VARARGS"
_RARE = {dis.opmap[name] for name in _STATEMENTS if name in dis.opmap}
_FOR_RARE = {
    untyped_passes.WithLifting,
    untyped_passes.InlineClosureLikes,
    untyped_passes.RewriteDynamicRaises,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.InlineInlinables,
    typed_passes.NoPythonSupportedFeatureValidation,
}


class Kernel(CPUDispatcher):
    """A kernel as Python calls it.

    Args:
        function: in Numba's nopython subset.
        inline: always make it a part of its callers.
        arrays: it makes arrays.
        apart: other kernels call it through its address.
    """

    py_func: Any

    def __init__(self, function: Any, inline: bool = False, arrays: bool = False, apart: bool = False):
        self._inline, self._arrays, self._apart = inline, arrays, apart
        options = {**self._options, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions=options)
        self._compiler = _KernelCompiler(self, options)
        del self._cache  # made when it is first asked: of a hundred kernels three are

    @property
    def _options(self) -> dict[str, Any]:
        # without arrays to be freed nothing counts who holds one, which takes a third of the time of a quick world
        fixed = {"nopython": True, "boundscheck": None, "nogil": True, "error_model": "numpy"}
        return {**fixed, "forceinline": self._inline, "_nrt": self._arrays}

    @cached_property
    def adapted(self) -> Any:
        """The function as Numba compiles it, see `envsuite.core.literals`."""
        return narrowed(self.py_func)

    @cached_property
    def plain(self) -> Any:
        """The function as Python runs it."""
        return narrowed(self.py_func, plain=True)

    @cached_property
    def part(self) -> "_Part":
        """The kernel as other kernels call it."""
        function = gate_of(self) if self._apart else self.adapted
        return _Part(function, targetoptions=self._options, pipeline_class=_PartCompiler)

    @cached_property
    def _CUDATypingContext__dispatcher(self) -> Any:  # noqa: N802 - where Numba keeps what kernels of a GPU call
        from numba.cuda.dispatcher import CUDADispatcher

        return CUDADispatcher(self.adapted, {**self.targetoptions, "device": True, "debug": False, "opt": True})

    @property
    def _numba_type_(self):  # what other kernels see
        return numba.types.Dispatcher(self.part)

    @cached_property
    def _cache(self):
        file = getattr(self.py_func, "__kernel_file__", self.py_func.__code__.co_filename)
        return KernelCache(self.py_func) if Path(file).is_file() else NullCache()

    def __reduce__(self):
        """By name where it has one, so that another process gets its own; otherwise by its code, as Numba does."""
        module, name = self.py_func.__module__, self.py_func.__qualname__
        if getattr(sys.modules.get(module), name, None) is self:
            return _imported, (module, name)
        return super().__reduce__()

    def _reduce_states(self):
        return {"function": self.py_func, "inline": self._inline, "arrays": self._arrays, "apart": self._apart}

    @classmethod
    def _rebuild(cls, function, inline, arrays, apart):
        return cls(function, inline, arrays, apart)


_NO_ARRAYS = "NRT required but not enabled", "Only accept returning of array passed into the function as argument"


class _KernelCompiler(_FunctionCompiler):
    """Compiles a kernel that was not found in the cache."""

    def __init__(self, kernel: Kernel, options: dict[str, Any]):
        super().__init__(kernel.py_func, kernel.targetdescr, options, {}, _Compiler)
        self._kernel = kernel

    def compile(self, args, return_type):
        with _THRIFT(), NOTICE.watch():
            try:
                return super().compile(args, return_type)
            except NumbaError as error:
                if any(one in str(error) for one in _NO_ARRAYS):
                    error.add_note("Kernels return no arrays; one that makes them says so: @kernel(arrays=True)")
                raise

    def _get_implementation(self, args, kws):
        return self._kernel.adapted


def _imported(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


class _Part(CPUDispatcher):
    """A kernel as other kernels call it: no wrappers, no machine code of its own."""

    def compile(self, sig):
        with global_compiler_lock:
            args, return_type = sigutils.normalize_signature(sig)
            known: Any = self.overloads.get(tuple(args))
            if known is None:
                with self._compiling_counter:
                    known = self._compiler.compile(args, return_type)  # ty: ignore[missing-attribute]
                    known = known._replace(entry_point=object())  # a key; nobody can call it
                    self.targetctx.insert_user_function(known.entry_point, known.fndesc, [known.library])
                    self.overloads[tuple(args)] = known
            return known.entry_point

    def get_call_template(self, args, kws):
        # for Numba each whole number as an argument is a type, and would make a specialisation of its own
        return super().get_call_template(tuple(map(numba.types.unliteral, args)), kws)


class _PartLibrary(JITCodeLibrary):
    """LLVM code that waits to be linked."""

    def finalize(self):
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


class _PartCompiler(_Compiler):
    def __init__(self, typingctx, targetctx, library, args, return_type, flags, locals):
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        library = _PartLibrary(targetctx.codegen(), "part")
        super().__init__(typingctx, targetctx, library, args, return_type, flags, locals)


class _BuiltinPart(_Part):
    """What Numba implements in Python; the implementation may depend on literal arguments."""

    get_call_template = CPUDispatcher.get_call_template


def _as_part(**options: Any) -> Any:
    return lambda function: _BuiltinPart(function, targetoptions=options, pipeline_class=_PartCompiler)


_THRIFT = Thrift(_as_part)
