"""Elementary functions: error against mpmath, special values, and the same bits compiled and interpreted."""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import mpmath
import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from envsuite.core import fmath
from envsuite.core.jit import kernel

UNARY = ["sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "tanh"]
BINARY = ["atan2", "pow"]
REALS = [np.float32, np.float64]
NUMPY = {"asin": np.arcsin, "acos": np.arccos, "atan": np.arctan}
ROOT = Path(__file__).resolve().parents[2]


def test_arrays_are_taken_number_by_number():
    angles = np.linspace(-3, 3, 6).reshape(2, 3)
    assert np.array_equal(fmath.sin(angles), [[fmath.sin(one) for one in row] for row in angles])
    assert fmath.exp(np.float32([1, 2])).dtype == np.float32
    assert fmath.exp(np.zeros((0, 3))).shape == (0, 3)
    sides = fmath.atan2(np.float64([[1], [2]]), [3.0, 4.0])
    assert sides.shape == (2, 2)
    assert sides[1, 0] == fmath.atan2(2.0, 3.0)


def published():
    """The table in the docstring: {(function, type): (range, largest error)}."""
    table = {}
    for line in fmath.__doc__.splitlines():
        cells = re.split(r"\s{2,}", line.strip())
        if len(cells) == 5 and cells[0] in UNARY + BINARY:
            table[cells[0], np.float32] = cells[1], float(cells[2])
            table[cells[0], np.float64] = cells[3], float(cells[4])
    return table


def error_in_ulp(got, want, real):
    """Error of `got` in units in the last place of the exact `want`."""
    info = np.finfo(real)
    if want == 0:
        return 0.0 if got == 0 else np.inf
    exponent = max(int(mpmath.floor(mpmath.log(abs(want), 2))), info.minexp)
    return float(abs(mpmath.mpf(float(got)) - want) / mpmath.mpf(2) ** (exponent - info.nmant))


def near(centre, random, count, real):
    return (centre * (1 + 1e-3 * random.standard_normal(count))).astype(real)


def arguments(name, real, count):
    """Random, evenly spread and boundary arguments in the documented range."""
    random = np.random.default_rng(7)
    tiny = random.choice([-1, 1], count) * 10.0 ** random.uniform(-30, 0, count)
    if name in ("sin", "cos", "tan"):
        limit = 1e4 if real is np.float32 else 1e6
        multiples = random.integers(1, int(limit / np.pi * 2), count) * (np.pi / 2)
        multiples = multiples.astype(real)
        above, below = np.nextafter(multiples, real(np.inf)), np.nextafter(multiples, real(0))
        spread = random.uniform(-limit, limit, count)
        parts = [spread, 7 * tiny, random.uniform(-3, 3, count), near(np.pi / 4, random, count, real)]
        parts += [multiples, above, below, [limit, -limit]]
    elif name in ("asin", "acos"):
        edge = 1 - 10.0 ** random.uniform(-7, 0, count)
        parts = [random.uniform(-1, 1, count), tiny, edge, -edge, near(0.5, random, count, real), [1.0, -1.0]]
    elif name == "atan":
        large = 10.0 ** random.uniform(0, 30, count)
        parts = [random.uniform(-3, 3, count), tiny, large, near(1.0, random, count, real)]
    elif name == "exp":
        low, high = (-103, 88.7) if real is np.float32 else (-744, 709.7)
        parts = [np.linspace(low, high, count), random.uniform(-1, 1, count), tiny]
    elif name == "log":
        info = np.finfo(real)
        span = np.exp(np.linspace(np.log(float(info.smallest_subnormal)), np.log(float(info.max)), count))
        parts = [span, np.abs(1 + tiny), near(1.0, random, count, real), near(2**0.5, random, count, real)]
    else:
        parts = [random.uniform(-25, 25, count), tiny, near(0.625, random, count, real)]
    x = np.concatenate([np.asarray(part, real) for part in parts])
    return x[x > 0] if name == "log" else x


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize("name", UNARY)
def test_error_against_mpmath(name, real):
    function, exact = getattr(fmath, name), getattr(mpmath, name)
    _, bound = published()[name, real]
    assert bound <= 2.0
    with mpmath.workprec(160):
        for x in arguments(name, real, 400):
            assert error_in_ulp(function(x), exact(mpmath.mpf(float(x))), real) <= bound, x


def pairs(name, real, count):
    random = np.random.default_rng(11)
    if name == "atan2":
        x = random.choice([-1, 1], 3 * count) * 10.0 ** random.uniform(-8, 8, 3 * count)
        y = random.choice([-1, 1], 3 * count) * 10.0 ** random.uniform(-8, 8, 3 * count)
        y[:count] = x[:count] * random.uniform(-3, 3, count)
        y[count : 2 * count] = x[count : 2 * count] * near(1.0, random, count, np.float64)
        return y.astype(real), x.astype(real)
    limit, largest = (85, 88) if real is np.float32 else (700, 708)
    logarithm = random.uniform(-1, 1, 3 * count)
    logarithm[:count] *= limit
    logarithm[count : 2 * count] *= 1e-3
    x = np.exp(logarithm).astype(real)
    y = random.uniform(-largest, largest, 3 * count) / np.log(x.astype(np.float64))
    return x, np.clip(y, -1e30, 1e30).astype(real)


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize("name", BINARY)
def test_error_of_two_arguments(name, real):
    function, exact = getattr(fmath, name), mpmath.atan2 if name == "atan2" else mpmath.power
    _, bound = published()[name, real]
    with mpmath.workprec(220):
        for a, b in zip(*pairs(name, real, 700), strict=True):
            assert error_in_ulp(function(a, b), exact(mpmath.mpf(float(a)), mpmath.mpf(float(b))), real) <= bound


@pytest.mark.parametrize("real", REALS)
def test_sqrt_and_quarter_turns(real):
    random = np.random.default_rng(3)
    with mpmath.workprec(160):
        for x in random.uniform(0, 100, 500).astype(real):
            assert error_in_ulp(fmath.sqrt(x), mpmath.sqrt(mpmath.mpf(float(x))), real) <= 0.5
        for x in random.uniform(-0.5, 0.5, 500).astype(real):
            sine, cosine = fmath.sincos_quarters(x)
            angle = mpmath.pi / 2 * mpmath.mpf(float(x))
            assert error_in_ulp(sine, mpmath.sin(angle), real) <= 3
            assert error_in_ulp(cosine, mpmath.cos(angle), real) <= 3


def sampled_float32(name, stride):
    """Every `stride`-th float32 of the documented range, by bit pattern."""
    low, high = {"acos": (-1, 1), "asin": (-1, 1), "exp": (-103.9, 88.72), "log": (0, 3e38)}.get(name, (-30, 30))
    if name in ("sin", "cos", "tan"):
        low, high = -1e4, 1e4
    if name == "atan":
        low, high = -3e38, 3e38
    positive = np.arange(1, int(np.float32(high).view(np.int32)), stride, dtype=np.int32).view(np.float32)
    last = int(np.float32(-low).view(np.int32)) if low < 0 else 0
    negative = -np.arange(1, last, stride, dtype=np.int32).view(np.float32)
    return np.concatenate([positive, negative])


@kernel
def sweep(which, x, out):
    for i in range(len(x)):
        if which == 0:
            out[i] = fmath.sin(x[i])
        elif which == 1:
            out[i] = fmath.cos(x[i])
        elif which == 2:
            out[i] = fmath.tan(x[i])
        elif which == 3:
            out[i] = fmath.asin(x[i])
        elif which == 4:
            out[i] = fmath.acos(x[i])
        elif which == 5:
            out[i] = fmath.atan(x[i])
        elif which == 6:
            out[i] = fmath.exp(x[i])
        elif which == 7:
            out[i] = fmath.log(x[i])
        else:
            out[i] = fmath.tanh(x[i])


def check_against_float64(name, stride):
    """NumPy's float64 functions are exact enough to judge float32: their error is some 2^-28 of its ulp."""
    x = sampled_float32(name, stride)
    out = np.empty_like(x)
    sweep(UNARY.index(name), x, out)
    want = NUMPY.get(name, getattr(np, name, None))(x.astype(np.float64))
    _, exponent = np.frexp(want)
    error = np.abs(out - want) / np.ldexp(1.0, np.maximum(exponent - 1, -126) - 23)
    _, bound = published()[name, np.float32]
    assert error.max() <= bound, (error.max(), x[error.argmax()])


@pytest.mark.parametrize("name", UNARY)
def test_float32_sampled(name):
    check_against_float64(name, 10007)


@pytest.mark.slow
@pytest.mark.parametrize("name", UNARY)
def test_float32_densely(name):
    check_against_float64(name, 61)


INF, NAN, PI = np.inf, np.nan, np.pi
SPECIAL = {
    "sin": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN)],
    "cos": [(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (NAN, NAN)],
    "tan": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (NAN, NAN)],
    "asin": [(0.0, 0.0), (-0.0, -0.0), (1.0, PI / 2), (-1.0, -PI / 2), (1.1, NAN), (-INF, NAN), (NAN, NAN)],
    "acos": [(1.0, 0.0), (-1.0, PI), (0.0, PI / 2), (-1.1, NAN), (INF, NAN), (NAN, NAN)],
    "atan": [(0.0, 0.0), (-0.0, -0.0), (INF, PI / 2), (-INF, -PI / 2), (NAN, NAN)],
    "exp": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (1e30, INF), (-1e30, 0.0), (NAN, NAN)],
    "log": [(1.0, 0.0), (0.0, -INF), (-0.0, -INF), (-1.0, NAN), (INF, INF), (-INF, NAN), (NAN, NAN)],
    "tanh": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (50.0, 1.0), (NAN, NAN)],
    "atan2": [
        *[((0.0, 1.0), 0.0), ((-0.0, 1.0), -0.0), ((0.0, 0.0), 0.0), ((-0.0, 0.0), -0.0), ((0.0, -0.0), PI)],
        *[((-0.0, -0.0), -PI), ((0.0, -1.0), PI), ((-0.0, -1.0), -PI), ((1.0, 0.0), PI / 2)],
        *[((-1.0, -0.0), -PI / 2), ((INF, INF), PI / 4), ((INF, -INF), 3 * PI / 4), ((-INF, INF), -PI / 4)],
        *[((-INF, -INF), -3 * PI / 4), ((1.0, INF), 0.0), ((-1.0, INF), -0.0), ((1.0, -INF), PI)],
        *[
            ((INF, 1.0), PI / 2),
            ((-INF, 1.0), -PI / 2),
            ((NAN, 1.0), NAN),
            ((1.0, NAN), NAN),
            ((INF, NAN), NAN),
        ],
        *[((1e-30, -1e30), PI), ((3.0, 3.0), PI / 4), ((1e30, 1e-30), PI / 2)],
    ],
    "pow": [
        *[((NAN, 0.0), 1.0), ((1.0, NAN), 1.0), ((0.0, 0.0), 1.0), ((INF, -0.0), 1.0), ((-1.0, INF), 1.0)],
        *[
            ((0.0, 3.0), 0.0),
            ((-0.0, 3.0), -0.0),
            ((-0.0, 2.0), 0.0),
            ((0.0, -1.0), INF),
            ((-0.0, -1.0), -INF),
        ],
        *[
            ((-0.0, -2.0), INF),
            ((-0.0, 0.5), 0.0),
            ((-8.0, 1 / 3), NAN),
            ((-2.0, 3.0), -8.0),
            ((-2.0, -2.0), 0.25),
        ],
        *[((2.0, INF), INF), ((0.5, INF), 0.0), ((2.0, -INF), 0.0), ((-0.5, -INF), INF), ((INF, 0.5), INF)],
        *[
            ((INF, -0.5), 0.0),
            ((-INF, 3.0), -INF),
            ((-INF, 2.0), INF),
            ((-INF, -3.0), -0.0),
            ((NAN, 1.0), NAN),
        ],
        *[
            ((2.0, NAN), NAN),
            ((10.0, 400.0), INF),
            ((10.0, -400.0), 0.0),
            ((-10.0, 401.0), -INF),
            ((3.0, 4.0), 81.0),
        ],
        *[((-1.0, 1e30), 1.0), ((2.0, 1e300), INF), ((-3.0, 2.0**24 - 1), -INF)],
    ],
}


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize("name", SPECIAL)
def test_special_values(name, real):
    for x, want in SPECIAL[name]:
        with np.errstate(over="ignore"):
            converted = [real(value) for value in np.atleast_1d(x)]
        got = getattr(fmath, name)(*converted)
        assert type(got) is real
        if np.isnan(want):
            assert np.isnan(got), (x, got)
        else:
            assert got == real(want), (x, got)
            assert np.signbit(got) == np.signbit(want), (x, got)


@pytest.mark.parametrize("real", REALS)
def test_limits_of_exp_and_log(real):
    info = np.finfo(real)
    assert fmath.log(info.smallest_subnormal) == real(mpmath.log(float(info.smallest_subnormal)))
    highest = real(mpmath.log(float(info.max)))
    highest = highest if float(highest) <= float(mpmath.log(float(info.max))) else np.nextafter(highest, real(0))
    assert fmath.exp(highest) < np.inf
    assert fmath.exp(np.nextafter(np.nextafter(highest, real(np.inf)), real(np.inf))) == np.inf
    lowest = real(float(np.log(2.0) * (info.minexp - info.nmant)))
    assert fmath.exp(lowest) == info.smallest_subnormal
    assert fmath.exp(lowest - real(1)) == 0


@pytest.mark.parametrize("real", REALS)
def test_sincos_is_sin_and_cos(real):
    for x in arguments("sin", real, 200):
        assert fmath.sincos(x) == (fmath.sin(x), fmath.cos(x))


@pytest.mark.parametrize("real", REALS)
def test_beyond_the_range_results_stay_bounded(real):
    random = np.random.default_rng(5)
    for x in 10.0 ** random.uniform(4, 37, 1000):
        sine, cosine = fmath.sincos(real(x))
        assert abs(sine) <= 1.0000001
        assert abs(cosine) <= 1.0000001
        if x < 1e6:  # as if the argument had been off by a few units in its last place
            slack = 4 * np.spacing(real(x)) + 1e-6
            assert abs(sine - np.sin(float(real(x)))) <= slack


@kernel
def polynomial_of(x):
    return fmath.real(0.5, x) * x + fmath.real(3, x)


@kernel
def everything(x, y):
    sine, cosine = fmath.sincos(x)
    first = sine + cosine + fmath.tan(x) + fmath.asin(x) + fmath.acos(x) + fmath.atan(x) + fmath.sqrt(y)
    return first + fmath.atan2(y, x) + fmath.exp(x) + fmath.log(y) + fmath.tanh(x) + fmath.pow(y, x)


@kernel
def sine_of_integer():
    return fmath.sin(3)


@pytest.mark.parametrize("real", REALS)
def test_precision_is_that_of_the_argument(real):
    for function, count in ((polynomial_of, 1), (everything, 2)):
        assert type(function.py_func(*[real(0.25)] * count)) is real, function
        function(*[real(0.25)] * count)
        signature = function.nopython_signatures[-1]
        assert signature.return_type == signature.args[0]
    assert type(fmath.real(1, np.zeros(2, real))) is real
    assert type(fmath.atan2(real(1), np.float64(1))) is np.float64


def test_python_numbers_are_float64_and_integers_are_refused_in_kernels():
    assert fmath.sin(1) == fmath.sin(np.float64(1.0))
    with pytest.raises(TypingError, match="sin"):
        sine_of_integer()


def test_no_fused_operations():
    fresh = numba.njit(nogil=True, error_model="numpy")(everything.py_func)  # cached code cannot be inspected
    fresh(np.float32(0.25), np.float32(0.5))
    fresh(0.25, 0.5)
    for signature in fresh.signatures:
        code = fresh.inspect_asm(signature)
        assert "mul" in code
        assert not re.findall(r"^\s+(?:v?fn?m(?:add|sub)|fml[as])\w*\s", code, re.MULTILINE)


def digest():
    """A digest of the bits of every function over many arguments, special ones included."""
    total = hashlib.sha256()

    def add(value):
        total.update(b"nan" if np.isnan(value) else value.tobytes())

    for real in REALS:
        for name in UNARY:
            for x in [*arguments(name, real, 25), *(real(v) for v, _ in SPECIAL[name] if abs(v) != 1e30)]:
                add(getattr(fmath, name)(x))
        for name in BINARY:
            for x, y in zip(*pairs(name, real, 40), strict=True):
                add(getattr(fmath, name)(x, y))
        for x in arguments("sin", real, 25):
            add(fmath.sincos(x)[1])
            add(fmath.sqrt(abs(x)))
            add(fmath.log_scaled(abs(x) + real(1), 31))
    return total.hexdigest()


def test_same_bits_without_compilation():
    script = "from tests.core.test_fmath import digest; print(digest())"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == digest()
