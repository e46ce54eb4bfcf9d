"""How kernels are compiled: what Python calls as a whole, what kernels call as a part of it, and a word if it lasts.

Numba compiles each function as if Python would call it: with wrappers, optimised together with all that it calls, to
machine code. Of a simulator's hundred functions Python calls two or three. So a kernel has two forms here: the whole,
and the part, which ends as LLVM code that is optimised once, inside the whole that calls it.
"""

import hashlib
import importlib
import sys
import threading
import time
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numba
from numba.core import sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.types.functions import Function

from envsuite.core.literals import narrowed

_CONFIG: Any = numba.config  # its settings exist at run time only
PATIENCE = 2.0
"""Seconds of compilation after which a word is said."""


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


class Kernel(CPUDispatcher):
    """A kernel as Python calls it.

    Args:
        function: in Numba's nopython subset.
        source: the same as it is written.
        inline: always make it a part of its callers.
    """

    def __init__(self, function: Any, source: Any, inline: bool = False):
        options = {"nopython": True, "boundscheck": None, "nogil": True, "error_model": "numpy", "forceinline": inline}
        super().__init__(function, targetoptions={**options, "no_cfunc_wrapper": True})
        self.source, self.inline = source, inline
        self.part = _Part(function, targetoptions=options, pipeline_class=_PartCompiler)

    @cached_property
    def plain(self) -> Any:
        """The same as Python runs it."""
        return narrowed(self.source, plain=True)

    @property
    def _numba_type_(self):  # what other kernels see
        return numba.types.Dispatcher(self.part)

    def __reduce__(self):
        """By name where it has one, so that another process gets its own; otherwise by its code, as Numba does."""
        module, name = self.source.__module__, self.source.__qualname__
        if getattr(sys.modules.get(module), name, None) is self:
            return _imported, (module, name)
        return super().__reduce__()

    def _reduce_states(self):
        return {"function": self.py_func, "source": self.source, "inline": self.inline}

    @classmethod
    def _rebuild(cls, function, source, inline):
        return cls(function, source, inline)

    def compile(self, sig):
        """Compile for a signature, or load what was compiled before."""
        with _memory(), NOTICE.watch(self, sig):
            return super().compile(sig)


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


class _PartCompiler(Compiler):
    def __init__(self, typingctx, targetctx, library, args, return_type, flags, locals):
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        library = _PartLibrary(targetctx.codegen(), "part")
        super().__init__(typingctx, targetctx, library, args, return_type, flags, locals)


_REMEMBERED: dict[tuple[Any, ...], tuple[Any, Any, Any]] = {}
_search = Function.get_call_type
_depth = 0


def _remember(function, context, args, kws):
    """What `Function.get_call_type` finds, found once for the same function and types.

    Numba tries a dozen implementations of ``*`` for each product in a kernel.
    """
    if kws:
        return _search(function, context, args, kws)
    key = id(function), id(context), args
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


@contextmanager
def _memory():
    """Let Numba remember what it finds, for our own kernels only: others may be compiled with other flags."""
    global _depth
    with global_compiler_lock:
        _depth += 1
        Function.get_call_type = _remember  # ty: ignore[invalid-assignment]
        try:
            yield
        finally:
            _depth -= 1
            if not _depth:
                Function.get_call_type = _search


class Notice:
    """Says once for each subject on standard error that it is being compiled, if that takes more than `PATIENCE`.

    Attributes:
        subject: what is about to run, such as an environment's id; empty says nothing.
    """

    def __init__(self):
        self.subject = ""
        self._spent: dict[str, float] = {}
        self._told: set[str] = set()
        self._busy = False

    @contextmanager
    def watch(self, dispatcher: Any, sig: Any):
        """Measure one compilation."""
        subject = self.subject
        if not subject or self._busy or subject in self._told or _compiled(dispatcher, sig):
            yield
            return
        left = max(PATIENCE - self._spent.get(subject, 0.0), 0.0)
        timer = threading.Timer(left, self._tell, (subject,))
        timer.daemon = True
        self._busy, start = True, time.monotonic()
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            self._busy = False
            self._spent[subject] = self._spent.get(subject, 0.0) + time.monotonic() - start

    def _tell(self, subject: str) -> None:
        self._told.add(subject)
        print(f"compiling {subject}, once for this machine", file=sys.stderr, flush=True)


def _compiled(dispatcher: Any, sig: Any) -> bool:
    return tuple(sigutils.normalize_signature(sig)[0]) in dispatcher.overloads


NOTICE = Notice()
"""The process's own."""
