"""The kernel cache: warm starts, never stale, harmless where nothing can be written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from envsuite.core import jit, kernel_cache

HELPER = """
from envsuite.core.jit import kernel
from pack.numbers import FACTOR

@kernel
def inner(x):
    return x * FACTOR
"""
OUTER = """
from envsuite.core.jit import kernel
from pack.helper import inner

@kernel
def outer(x):
    return inner(x) + 1.0
"""
SCRIPT = (
    "from pack.outer import outer\n"
    "print(outer(2.0), sum(outer.stats.cache_hits.values()), sum(outer.stats.cache_misses.values()))\n"
)


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "src" / "pack"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "numbers.py").write_text("FACTOR = 3.0\n")
    (folder / "helper.py").write_text(HELPER)
    (folder / "outer.py").write_text(OUTER)
    return folder


def run(package: Path, cache: Path, script: str = SCRIPT) -> list[str]:
    root = Path(jit.__file__).resolve().parents[2]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(package.parent), str(root)]),
        "ENVSUITE_CACHE_DIR": str(cache),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_second_process_compiles_nothing(package, tmp_path):
    assert run(package, tmp_path / "cache") == ["7.0", "0", "1"]
    assert run(package, tmp_path / "cache") == ["7.0", "1", "0"]


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("helper.py", "x * FACTOR", "x * FACTOR - 1.0", "6.0"),  # a kernel in another file
        ("numbers.py", "3.0", "5.0", "11.0"),  # a constant imported by a kernel in another file
    ],
)
def test_change_elsewhere_is_noticed(package, tmp_path, file, old, new, expected):
    assert run(package, tmp_path / "cache")[0] == "7.0"
    source = package / file
    source.write_text(source.read_text().replace(old, new))
    assert run(package, tmp_path / "cache") == [expected, "0", "1"]
    source.write_text(source.read_text().replace(new, old))
    assert run(package, tmp_path / "cache") == ["7.0", "1", "0"]


def test_nothing_is_written_beside_the_sources(package, tmp_path):
    before = {path for path in package.rglob("*") if "__pycache__" not in path.parts}
    run(package, tmp_path / "cache")
    assert {path for path in package.rglob("*") if "__pycache__" not in path.parts} == before
    assert not list(package.rglob("*.nb[ic]"))


def test_works_without_any_writable_folder(package, tmp_path):
    blocked = tmp_path / "a file"
    blocked.write_text("")
    assert run(package, blocked)[0] == "7.0"


def test_prepared_cache_is_used_without_writing(package, tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    run(package, cache)
    files = {path: path.stat().st_mtime_ns for path in cache.rglob("*.nb[ic]")}
    assert run(package, cache) == ["7.0", "1", "0"]
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*.nb[ic]")} == files


def test_cut_cache_file_is_a_miss(package, tmp_path):
    cache = tmp_path / "cache"
    run(package, cache)
    for path in cache.rglob("*.nbi"):
        path.write_bytes(b"")
    assert run(package, cache)[0] == "7.0"


def test_two_processes_that_save_at_once_find_their_own_code(tmp_path, monkeypatch):
    monkeypatch.setenv("ENVSUITE_CACHE_DIR", str(tmp_path))
    kernel_cache.cache_folder.cache_clear()
    one, other, reader = (kernel_cache.KernelCache(run)._cache_file for _ in range(3))
    save, codes = one._save_data, {"one": "code of one", "other": "code of the other"}

    def save_after_the_other(*what):
        other.save("other", codes["other"])
        save(*what)

    monkeypatch.setattr(other, "_load_index", dict)  # it looked before there was anything
    monkeypatch.setattr(one, "_save_data", save_after_the_other)
    one.save("one", codes["one"])
    kernel_cache.cache_folder.cache_clear()
    assert {key: reader.load(key) for key in codes} == codes


def test_folders_of_others_are_not_trusted(tmp_path, monkeypatch):
    monkeypatch.setenv("ENVSUITE_CACHE_DIR", str(tmp_path))
    kernel_cache.cache_folder.cache_clear()
    folder = tmp_path / "kernels" / "unit-digest"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    assert kernel_cache.cache_folder("unit", "digest") is None
    folder.chmod(0o700)
    kernel_cache.cache_folder.cache_clear()
    assert kernel_cache.cache_folder("unit", "digest") == folder
    kernel_cache.cache_folder.cache_clear()


def test_old_versions_are_pruned(tmp_path, monkeypatch):
    monkeypatch.setenv("ENVSUITE_CACHE_DIR", str(tmp_path))
    kernel_cache.cache_folder.cache_clear()
    for number in range(20):
        kernel_cache.cache_folder("unit", f"{number:024d}")
    kernel_cache.cache_folder("unit-two", "0" * 24)
    left = sorted(path.name for path in (tmp_path / "kernels").iterdir())
    assert len([name for name in left if not name.startswith("unit-two")]) == kernel_cache._KEPT_VERSIONS
    kernel_cache.cache_folder.cache_clear()


def test_family_depends_on_itself_and_the_common_ground_only():
    package = Path(jit.__file__).resolve().parents[1]
    name, sources = kernel_cache.unit_of(package / "quadcopters" / "hover" / "kernel.py")
    assert name == "envsuite.quadcopters"
    tops = {Path(source).relative_to(package).parts[0] for source in sources}
    assert tops == {"quadcopters", "core", "rigid"}


def test_kernels_elsewhere_depend_on_every_family_whose_kernels_they_may_call(tmp_path):
    package = Path(jit.__file__).resolve().parents[1]
    (tmp_path / "script.py").touch()
    _, sources = kernel_cache.unit_of(tmp_path / "script.py")
    assert {str(tmp_path / "script.py"), str(package / "quadcopters" / "hover" / "kernel.py")} <= set(sources)


def test_equal_types_are_one_object_for_kernels():
    import pickle

    from envsuite.core.batch import Batch
    from envsuite.quadcopters.hover.kernel import HoverWorld

    first, second = Batch(HoverWorld(), 1), Batch(HoverWorld(), 2)
    second.seed([0, 1])
    second.reset()
    third = pickle.loads(pickle.dumps(second))
    third.reset()
    for batch in (second, third):
        assert batch.states.dtype is first.states.dtype
        assert batch._params.dtype is first._params.dtype
        assert batch.last.info.dtype is first.last.info.dtype
    snapshot = second.get_state()
    third.set_state(snapshot)
    assert third.states.dtype is first.states.dtype


RECORDS = """
import numpy as np
from envsuite.core.jit import kernel, records

@kernel
def total(s):
    found = 0
    for k in range(len(s.numbers)):
        found += s.numbers[k]
    return found

@kernel
def first_total(states):
    return total(states[0])

def of(size):
    states = np.zeros(1, np.dtype([("numbers", np.int64, (size,))], align=True))
    states["numbers"] = 1
    return first_total(records(states))
"""


def test_machine_code_of_several_processes_goes_together(package, tmp_path):
    """Each process compiles for a record of its own: the names differ, and one that loads both calls the right code."""
    (package / "shapes.py").write_text(RECORDS)
    named = "; print(*(one.fndesc.mangled_name for one in first_total.overloads.values()))"
    names = set()
    for size in (3, 5000):
        found, name = run(package, tmp_path / "cache", f"from pack.shapes import *; print(of({size})){named}")
        assert found == str(size)
        names.add(name)
    assert len(names) == 2
    script = "from pack.shapes import of; print(of(3), of(5000), of(3))"
    assert run(package, tmp_path / "cache", script) == ["3", "5000", "3"]
