"""Plain numbers in kernels take the precision of what they meet, compiled as interpreted."""

import importlib.util
import math

import numpy as np
import pytest
from numba import float32, float64, int64

from envsuite.core.jit import kernel
from envsuite.core.literals import real

TENTH = 0.1
RECORD = np.dtype([("x", np.float32), ("y", np.float64), ("n", np.int32)], align=True)


@kernel
def product(x):
    return 0.1 * x


@kernel
def of_sums(x, y):
    return (x + y) * 2 - (x - y) / 3.0


@kernel
def with_constants(x):
    return math.pi * x + TENTH - -0.5 * x


@kernel
def clipped(x):
    return min(max(x, -0.7), 0.7)


@kernel
def chosen(x, flag):
    return x if flag else 0.0


@kernel
def in_place(s):
    s.x *= 0.1
    s.x += 1
    s.y *= 0.1
    s.n += 1
    return s.x


@kernel
def below(x):
    return x < 0.1


@kernel
def whole(n):
    return n * 2 + 1


@kernel
def begun(x):
    total = real(0.0, x)
    for _ in range(3):
        total += 0.1 * x
    return total


@pytest.mark.parametrize("function", [product, with_constants, clipped, begun])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("value", [0.3, -1.7, 1e-3])
def test_numbers_adapt_as_in_numpy(function, kind, value):
    x = kind(value)
    expected = function.plain(x)  # NumPy's rules
    assert isinstance(expected, kind)
    function(x)
    compiled = function.nopython_signatures
    wanted = float32 if kind is np.float32 else float64
    assert any(one.args == (wanted,) and one.return_type == wanted for one in compiled)
    assert kind(function(x)).tobytes() == expected.tobytes()


def test_numbers_meet_what_is_computed():
    x, y = np.float32(0.3), np.float32(0.7)
    assert np.float32(of_sums(x, y)) == of_sums.plain(x, y)
    assert of_sums.nopython_signatures[-1].return_type == float32
    assert of_sums(1, 2) == 6 - (-1 / 3)  # whole numbers stay what they are
    assert of_sums.nopython_signatures[-1].return_type == float64


def test_branches_and_places():
    assert chosen(np.float32(0.3), False) == 0.0
    assert chosen.nopython_signatures[-1].return_type == float32
    states = np.zeros(1, RECORD)
    states["x"] = states["y"] = 0.3
    in_place(states[0])
    assert states["x"][0] == np.float32(0.3) * np.float32(0.1) + np.float32(1)
    assert states["y"][0] == 0.3 * 0.1
    assert states["n"][0] == 1
    assert in_place.nopython_signatures[-1].return_type == float32


def test_comparisons_are_made_in_the_value_s_precision():
    x = np.float32(0.1)  # more than 0.1
    assert not below(x)
    assert not below.plain(x)
    code = "".join(below.inspect_llvm().values()) if not below.stats.cache_hits else "fcmp olt float"
    assert "fcmp olt float" in code
    assert below(0.09)


def test_whole_numbers_stay_whole():
    assert whole(3) == 7
    assert whole.nopython_signatures[-1].return_type == int64


def test_a_file_that_is_loaded_again_adapts_again(tmp_path):
    path = tmp_path / "twice.py"
    path.write_text("from envsuite.core.jit import kernel\n\n\n@kernel\ndef half(x):\n    return 0.5 * x\n")
    for name in ("once", "again"):
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.half(np.float32(1))
        assert module.half.nopython_signatures[-1].return_type == float32
