"""Where compiled kernels are kept between processes: the on-disk cache.

Numba's own cache looks at the file of the function it compiles and at no other, so it serves stale machine code when
a kernel *called from* that file, or a constant imported into it, changes. Here the cache folder is named by a digest
of every source that can reach a kernel (its unit, below, and the common ground: `envsuite.core`, `envsuite.rigid`):
new sources, new folder. Nothing is ever written beside the package, so a read-only install works; where no folder can
be written, kernels are compiled in memory.

The unit of a kernel is the folder that import rules confine it to: for `envsuite` the family folder, for any other
package the whole package, for a loose file the folder it lies in; others may call kernels of any family.
"""

import hashlib
import os
import shutil
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import caching
from numba.core.runtime.nrt import rtsys

_CONFIG: Any = numba.config  # its settings exist at run time only
_PACKAGE = Path(__file__).resolve().parents[1]
_COMMON = _PACKAGE / "core", _PACKAGE / "rigid"
_KEPT_VERSIONS = 6  # cache folders kept for each unit; older ones are deleted when a new one is made


def unit_of(file: Path) -> tuple[str, list[str]]:
    """Name the unit of a source file and list the sources that its kernels can depend on.

    Args:
        file: a Python source file.

    Returns:
        The unit's name and the sorted paths of the source files that the cache key covers.
    """
    file = file.resolve()
    top = file.parent
    while (top.parent / "__init__.py").is_file():
        top = top.parent
    packaged = (top / "__init__.py").is_file()
    if packaged and top == _PACKAGE:
        unit = _PACKAGE / file.relative_to(_PACKAGE).parts[0]
        own = _sources_below(unit) if unit.is_dir() else [str(unit)]
        name = f"envsuite.{unit.stem}"
    else:
        own = _sources_below(top) if packaged else [str(path) for path in top.glob("*.py")]
        name = f"{top.name}-{hashlib.sha256(str(top).encode()).hexdigest()[:8]}"
    common = _COMMON if top == _PACKAGE else (_PACKAGE,)
    return name, sorted({*own, *(path for folder in common for path in _sources_below(folder))})


def _sources_below(folder: Path) -> list[str]:
    return [
        os.path.join(parent, name) for parent, _, names in os.walk(folder) for name in names if name.endswith(".py")
    ]


def sources_digest(sources: list[str]) -> str:
    """Digest source files and the versions of everything that compiles them.

    Args:
        sources: paths; their order, their place relative to this package, and their contents count.

    Returns:
        24 hexadecimal digits.
    """
    return _digest(tuple((path, status.st_mtime_ns, status.st_size) for path, status in _stats(sources)))


def _stats(sources: list[str]):
    for path in sources:
        yield path, os.stat(path)


@lru_cache(maxsize=64)
def _digest(signature: tuple[tuple[str, int, int], ...]) -> str:
    versions = (numba.__version__, llvmlite.__version__, np.__version__, sys.version)
    digest = hashlib.sha256(repr(versions).encode())
    for path, _, _ in signature:
        content = Path(path).read_bytes()
        digest.update(f"{os.path.relpath(path, _PACKAGE.parent)}:{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:24]


def cache_roots() -> list[Path]:
    """Candidate folders for the kernel cache, in order of preference.

    ``ENVSUITE_CACHE_DIR`` (used alone where set), the user's cache folder, a private folder under the system's
    temporary one.
    """
    if explicit := os.environ.get("ENVSUITE_CACHE_DIR"):
        return [Path(explicit) / "kernels"]
    user_cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    owner = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return [
        Path(user_cache) / "envsuite" / "kernels",
        Path(tempfile.gettempdir()) / f"envsuite-{owner}" / "kernels",
    ]


@lru_cache
def cache_folder(unit: str, digest: str) -> Path | None:
    """Choose the folder for one unit's compiled kernels.

    Args:
        unit: the unit's name.
        digest: the digest of its sources.

    Returns:
        The first candidate that can be written, or that exists already with the right digest (a read-only cache
        prepared beforehand); None where there is neither.
    """
    for root in cache_roots():
        folder = root / f"{unit}-{digest}"
        fresh = not folder.is_dir()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            continue
        if not _is_private(folder):
            continue  # cached machine code of somebody else is not to be run
        if fresh:
            _prune(root, unit)
        return folder
    return None


def _is_private(folder: Path) -> bool:
    if not hasattr(os, "getuid"):
        return True
    status = folder.stat()
    return status.st_uid in (os.getuid(), 0) and not status.st_mode & 0o022


def _prune(root: Path, unit: str) -> None:
    versions = [path for path in root.glob(f"{unit}-*") if path.name[len(unit) + 1 :].isalnum()]
    for old in sorted(versions, key=lambda path: path.stat().st_mtime)[:-_KEPT_VERSIONS]:
        shutil.rmtree(old, ignore_errors=True)


class _Locator(caching._CacheLocator):
    """Tells Numba where the compiled form of a kernel lies."""

    def __init__(self, function, file, folder, digest):
        file = getattr(function, "__kernel_file__", file)
        self._py_file = str(file)  # Numba names it in warnings
        self._function = function
        self._file = Path(file)
        self._folder = folder
        self._digest = digest

    def get_cache_path(self):
        return str(self._folder)

    def get_source_stamp(self):
        return self._digest

    def get_disambiguator(self):
        # Numba names cache files by the base name of the source file only, and every world has a kernel.py
        relative = os.path.relpath(self._file.parent, _PACKAGE.parent)
        place = hashlib.sha256(relative.encode()).hexdigest()[:8]
        if hasattr(self._function, "__kernel_file__"):
            return place
        return f"{self._function.__code__.co_firstlineno}-{place}"

    @classmethod
    def from_function(cls, py_func, py_file):
        unit, sources = unit_of(Path(getattr(py_func, "__kernel_file__", py_file)))
        digest = sources_digest(sources)
        folder = cache_folder(unit, digest)
        return cls(py_func, py_file, folder or cache_roots()[0] / "unwritable", digest)


class _Implementation(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]

    def __init__(self, py_func):
        overridden = _CONFIG.CACHE_LOCATOR_CLASSES
        _CONFIG.CACHE_LOCATOR_CLASSES = ""  # a user's locators would bring stale caches back
        try:
            super().__init__(py_func)
        finally:
            _CONFIG.CACHE_LOCATOR_CLASSES = overridden


class _Files(caching.IndexDataCacheFile):
    """Files of one function: machine code for each signature, and the index that says which is where.

    Numba takes the first free number for a file, and writes the index before it. Two processes that compile a function
    for different records at the same moment would take the same number, and one would find the other's code there.
    """

    def save(self, key, data):
        """Write the code under a name that follows from its key, then the index."""
        digest = hashlib.sha256(repr(key).encode()).hexdigest()
        name = self._data_name_pattern.format(number=int(digest[:12], 16))
        self._save_data(name, data)
        known = self._load_index()
        if known.get(key) != name:  # two at once: one of them is lost, and compiled again
            self._save_index({**known, key: name})


class KernelCache(caching.FunctionCache):
    """Numba's cache of one function in our folder.

    A function with the attribute ``__kernel_file__`` belongs to that source file, whoever defined it; its place in the
    cache follows from its name.
    """

    _impl_class = _Implementation

    def __init__(self, py_func):
        super().__init__(py_func)
        locator = self._impl.locator
        self._cache_file = _Files(locator.get_cache_path(), self._impl.filename_base, locator.get_source_stamp())

    def _index_key(self, sig, codegen):
        if hasattr(self._py_func, "__kernel_file__"):  # what it closes over is named by the file and the name
            return sig, codegen.magic_tuple(), self._py_func.__qualname__
        return super()._index_key(sig, codegen)

    def load_overload(self, sig, target_context):
        """What was compiled before; None where there is nothing that can be read."""
        rtsys.initialize(target_context)  # all that machine code needs; a compiler needs more
        try:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)
        except (OSError, EOFError, UnpicklingError):  # an unreadable or cut file is a cache miss
            return None

    def save_overload(self, sig, data):
        """Keep what was compiled, if the disk lets us."""
        try:
            try:
                super().save_overload(sig, data)
            except (EOFError, UnpicklingError):
                self.flush()
                super().save_overload(sig, data)
        except OSError:  # a full or read-only disk costs time, not results
            self.disable()
