"""Random numbers: known answers, an independent big-integer reference, statistics, independent streams."""

import hashlib
import os
import re
import subprocess
import sys
from fractions import Fraction
from itertools import permutations
from math import ceil
from pathlib import Path

import mpmath
import numpy as np
import pytest
from scipy import stats

from envsuite.core import rng
from envsuite.core.jit import kernel

ROOT = Path(__file__).resolve().parents[2]
REALS = [np.float32, np.float64]

# Random123 (D. E. Shaw Research), kat_vectors, philox4x32 with 10 rounds: counter, key, result.
KNOWN = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


def words_of(text):
    return [int(word, 16) for word in text.split()]


def philox_reference(counter, key):
    """Philox4x32-10 in Python's unbounded integers, after the figure in Salmon et al. (2011)."""
    left0, right0, left1, right1 = counter[1], counter[0], counter[3], counter[2]
    for i in range(10):
        first, second = right0 * 0xD2511F53, right1 * 0xCD9E8D57
        keys = [(key[0] + i * 0x9E3779B9) % 2**32, (key[1] + i * 0xBB67AE85) % 2**32]
        right0, left0, right1, left1 = (
            (second >> 32) ^ left0 ^ keys[0],
            second % 2**32,
            (first >> 32) ^ left1 ^ keys[1],
            first % 2**32,
        )
    return [right0, left0, right1, left1]


class Reference:
    """The distributions of docs/rng.md in exact arithmetic (normals in 50 digits)."""

    def __init__(self, seed, episode, purpose, real):
        self.key = [int(word) for word in np.random.SeedSequence(seed).generate_state(2, np.uint32)]
        self.episode, self.purpose, self.count, self.real = episode, purpose, 0, real

    def block(self):
        words = philox_reference([self.count % 2**32, self.purpose, self.episode, 0], self.key)
        self.count += 1
        return words

    def uniform(self, low, high):
        words = self.block()
        if self.real is np.float32:
            unit = Fraction(words[0] >> 8, 2**24)
        else:
            unit = Fraction((words[0] >> 5 << 26) + (words[1] >> 6), 2**53)
        return float(Fraction(low) + unit * (Fraction(high) - Fraction(low)))

    def uniform4(self, low, high):
        units = [Fraction(w >> 8, 2**24) if self.real is np.float32 else Fraction(w, 2**32) for w in self.block()]
        return [float(Fraction(low) + unit * (Fraction(high) - Fraction(low))) for unit in units]

    @staticmethod
    def pair(radial, angle):
        with mpmath.workdps(50):
            u = mpmath.mpf(2 * (radial // 4) + 1) / 2**31
            quarters = (angle >> 30) + (mpmath.mpf(angle % 2**30) + 0.5) / 2**30 - 0.5
            r, phi = mpmath.sqrt(-2 * mpmath.log(u)), mpmath.pi / 2 * quarters
            return float(r * mpmath.cos(phi)), float(r * mpmath.sin(phi))

    def normal(self, mean, std):
        words = self.block()
        return mean + std * self.pair(words[0], words[1])[0]

    def normals(self, n):
        numbers = []
        while len(numbers) < n:
            words = self.block()
            numbers += [*self.pair(words[0], words[1]), *self.pair(words[2], words[3])]
        return numbers[:n]

    def integers(self, n):
        while True:
            product = self.block()[0] * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32

    def choice(self, weights):
        words = self.block()
        unit = Fraction((words[0] >> 5 << 26) + (words[1] >> 6), 2**53)
        mark = unit * sum(map(Fraction, weights))
        return next(i for i in range(len(weights)) if mark < sum(map(Fraction, weights[: i + 1])))

    def shuffle(self, array):
        for i in range(len(array) - 1, 0, -1):
            j = self.integers(i + 1)
            array[i], array[j] = array[j], array[i]
        return array


def stream(seed=42, episode=1):
    record = np.zeros(1, rng.STREAM).view(np.recarray)[0]
    record.key[:] = rng.seed_key(seed)
    record.episode = episode
    return record


class Compiled:
    """The kernels under the interface of `Reference`."""

    def __init__(self, seed, episode, purpose, real):
        self.stream, self.purpose, self.real = stream(seed, episode), purpose, real

    def uniform4(self, low, high):
        return list(rng.uniform4(self.stream, self.purpose, self.real(low), self.real(high)))

    def uniform(self, low, high):
        return self.real(rng.uniform(self.stream, self.purpose, self.real(low), self.real(high)))

    def normal(self, mean, std):
        return self.real(rng.normal(self.stream, self.purpose, self.real(mean), self.real(std)))

    def normals(self, n):
        out = np.empty(n, self.real)
        rng.normals(self.stream, self.purpose, out)
        return list(out)

    def integers(self, n):
        return int(rng.integers(self.stream, self.purpose, n))

    def choice(self, weights):
        return int(rng.choice(self.stream, self.purpose, np.array(weights, self.real)))

    def shuffle(self, array):
        array = np.array(array)
        rng.shuffle(self.stream, self.purpose, array)
        return [int(x) for x in array]


DRAWS = {
    "`uniform(0, 1)`, three": lambda g: [g.uniform(0, 1) for _ in range(3)],
    "`uniform(-2, 5)`, three": lambda g: [g.uniform(-2, 5) for _ in range(3)],
    "`normal(0, 1)`, three": lambda g: [g.normal(0, 1) for _ in range(3)],
    "`normal(10, 0.5)`, two": lambda g: [g.normal(10, 0.5) for _ in range(2)],
    "`uniform4(-1, 1)`": lambda g: g.uniform4(-1, 1),
    "`normals`, seven": lambda g: g.normals(7),
    "`integers(6)`, eight": lambda g: [g.integers(6) for _ in range(8)],
    "`integers(3221225472)`, four": lambda g: [g.integers(3221225472) for _ in range(4)],
    "`choice([1, 2, 3, 4])`, eight": lambda g: [g.choice([1, 2, 3, 4]) for _ in range(8)],
    "`shuffle([0, 1, ..., 7])`": lambda g: g.shuffle(list(range(8))),
}


def published():
    rows = {}
    for line in (ROOT / "docs" / "rng.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and cells[0].startswith("`"):
            rows[cells[0]] = [[float(x) for x in cell.split()] for cell in cells[1:]]
    return rows


@pytest.mark.parametrize(("counter", "key", "result"), KNOWN)
def test_philox_known_answers(counter, key, result):
    words = [np.uint64(word) for word in words_of(counter) + words_of(key)]
    assert [int(word) for word in rng.philox(*words)] == words_of(result)
    assert philox_reference(words_of(counter), words_of(key)) == words_of(result)


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("real", REALS)
def test_published_vectors(draw, real):
    want = published()[draw][REALS[::-1].index(real)]
    got = DRAWS[draw](Compiled(42, 1, 0, real))
    assert [real(x) for x in got] == [real(x) for x in want]
    reference = DRAWS[draw](Reference(42, 1, 0, real))
    assert want == pytest.approx(reference, rel=4 * float(np.finfo(real).eps), abs=0)


@pytest.mark.parametrize("real", REALS)
def test_long_runs_equal_the_reference(real):
    close = {"rel": 8 * float(np.finfo(real).eps), "abs": 8 * float(np.finfo(real).eps)}
    for seed, episode, purpose in [(0, 0, 0), (7, 3, 1), (2**100, 2**32 - 1, 2), (123456789, 12345, 3)]:
        key = seed, episode, purpose, real
        ours, exact = Compiled(*key), Reference(*key)
        for n in [1, 2, 3, 4, 5, 15, 16, 17, 18, 33, 100]:
            assert ours.normals(n) == pytest.approx(exact.normals(n), **close)
            assert ours.normal(1, 2) == pytest.approx(exact.normal(1, 2), **close)
            assert ours.uniform4(-1, 3) == pytest.approx(exact.uniform4(-1, 3), **close)
            assert ours.uniform(-1, 3) == pytest.approx(exact.uniform(-1, 3), **close)
            assert [ours.integers(k) for k in (n, 2**31 + n, 2**32)] == [
                exact.integers(k) for k in (n, 2**31 + n, 2**32)
            ]
            weights = [k % 3 for k in range(n + 1)]
            assert ours.choice(weights) == exact.choice(weights)
            assert ours.shuffle(range(n)) == exact.shuffle(list(range(n)))
        assert ours.stream.counter[purpose] == exact.count


def test_seed_key():
    assert rng.seed_key(42).tolist() == np.random.SeedSequence(42).generate_state(2, np.uint32).tolist()
    assert rng.seed_key(42).dtype == np.uint32
    assert len({tuple(rng.seed_key(seed)) for seed in range(10000)}) == 10000
    for wrong in (-1, 1.5, "7", None, True):
        with pytest.raises(ValueError, match=re.escape(repr(wrong))):
            rng.seed_key(wrong)


def test_streams_begin_with_the_keys_of_their_seeds():
    words = np.random.Generator(np.random.PCG64(3)).integers(0, 2**64, 300, np.uint64)
    words[::3] >>= np.uint64(33)
    words[:6] = 0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1
    expected = [np.random.SeedSequence(int(word)).generate_state(2, np.uint32) for word in words]
    for seeds in (words, words.tolist()):
        streams = np.full(len(words), 7, rng.STREAM)
        mask = np.arange(len(words)) % 2 == 0
        rng.begin(streams, seeds, mask)
        np.testing.assert_array_equal(streams["key"], np.where(mask[:, None], expected, 7))
        np.testing.assert_array_equal(streams["counter"], np.where(mask[:, None], [[0] * 4], 7))
        rng.begin(streams, seeds)
        np.testing.assert_array_equal(streams["key"], expected)
        assert not streams["episode"].any()
    rng.begin(streams[:1], [2**70])
    assert streams["key"][0].tolist() == rng.seed_key(2**70).tolist()
    for wrong in ([-1], np.array([0, -3]), [1.5], np.array([0.5]), [True], ["7"]):
        with pytest.raises(ValueError, match="seed must be an integer >= 0, got"):
            rng.begin(np.zeros(len(wrong), rng.STREAM), wrong)


@pytest.mark.parametrize("real", REALS)
def test_blocks_counted(real):
    g = stream()
    one = real(1)
    rng.uniform(g, rng.RESET, -one, one)
    rng.normal(g, rng.RESET, one, one)
    rng.integers(g, rng.RESET, 10)
    rng.integers(g, rng.RESET, 1)
    rng.choice(g, rng.RESET, np.ones(3, real))
    assert g.counter.tolist() == [5, 0, 0, 0]
    rng.shuffle(g, rng.DYNAMICS, np.arange(9))
    assert g.counter.tolist() == [5, 8, 0, 0]
    for n in range(40):
        before = int(g.counter[rng.OBSERVATION])
        rng.normals(g, rng.OBSERVATION, np.empty(n, real))
        assert g.counter[rng.OBSERVATION] - before == ceil(n / 4)
    assert g.counter[rng.AGENT] == 0


@pytest.mark.parametrize("real", REALS)
def test_counter_wraps(real):
    g, fresh = stream(), stream()
    g.counter[rng.AGENT] = 2**32 - 2
    out = np.empty(48, real)
    rng.normals(g, rng.AGENT, out)
    assert g.counter[rng.AGENT] == 10
    start = np.empty(40, real)
    rng.normals(fresh, rng.AGENT, start)
    assert out[8:].tolist() == start.tolist()


@pytest.mark.parametrize("real", REALS)
def test_normals_are_a_prefix_of_longer_normals(real):
    long = np.empty(70, real)
    rng.normals(stream(), rng.OBSERVATION, long)
    for n in range(70):
        short = np.full(n + 1, real(99))
        rng.normals(stream(), rng.OBSERVATION, short[:n])
        assert short[:n].tolist() == long[:n].tolist()
        assert short[n] == 99
    assert rng.normal(stream(), rng.OBSERVATION, real(0), real(1)) == long[0]


def test_types_of_results():
    g = stream()
    one, two = np.float32(1), np.float32(2)
    for function in (rng.uniform, rng.normal):
        function(g, 0, one, two)
        function(g, 0, 1.0, two)
        function(g, 0, 1, 2)
        results = {str(s.args[2]) + str(s.args[3]): str(s.return_type) for s in function.nopython_signatures}
        assert results["float32float32"] == "float32"
        assert results["float64float32"] == "float64"
        assert results["int64int64"] == "float64"


@kernel
def draw_uniform(g, low, high, out):
    for i in range(len(out)):
        out[i] = rng.uniform(g, 0, low, high)


@kernel
def draw_normal(g, mean, std, out):
    for i in range(len(out)):
        out[i] = rng.normal(g, 0, mean, std)


@kernel
def draw_integers(g, n, out):
    for i in range(len(out)):
        out[i] = rng.integers(g, 0, n)


@kernel
def draw_choice(g, weights, out):
    for i in range(len(out)):
        out[i] = rng.choice(g, 0, weights)


@kernel
def draw_orders(g, out):
    for i in range(len(out)):
        for j in range(out.shape[1]):
            out[i, j] = j
        rng.shuffle(g, 0, out[i])


def fair(counts, probabilities=None):
    """Whether a chi-square test finds nothing at the level 1e-3."""
    expected = None if probabilities is None else np.asarray(probabilities) * np.sum(counts)
    return stats.chisquare(counts, expected).pvalue > 1e-3


@pytest.mark.parametrize("real", REALS)
def test_uniform_distribution(real):
    out = np.empty(200_000, real)
    draw_uniform(stream(1), real(0), real(1), out)
    assert 0 <= out.min() < 1e-4
    assert 1 - 1e-4 < out.max() < 1
    assert stats.kstest(out.astype(np.float64), "uniform").pvalue > 1e-3
    assert fair(np.bincount((out * 1000).astype(int), minlength=1000))
    for order in (1, 2, 3):
        spread = np.sqrt((1 / (2 * order + 1) - 1 / (order + 1) ** 2) / len(out))
        assert abs(np.mean(out.astype(np.float64) ** order) - 1 / (order + 1)) < 4 * spread


@pytest.mark.parametrize("real", REALS)
def test_uniform_bounds(real):
    out = np.empty(200_000, real)
    low, high = real(1.0), np.nextafter(real(1.0), real(2.0))  # nothing lies between: only `low` may come
    draw_uniform(stream(2), low, high, out)
    assert np.all(out == low)
    draw_uniform(stream(2), high, high, out)
    assert np.all(out == high)
    draw_uniform(stream(2), real(-3e4), real(-2.9e4), out)
    assert out.min() >= real(-3e4)
    assert out.max() < real(-2.9e4)


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("real", REALS)
def test_normal_distribution(real, many):
    out = np.empty(400_000, real)
    if many:
        rng.normals(stream(3), 0, out)
    else:
        draw_normal(stream(4), real(0), real(1), out)
    x = out.astype(np.float64)
    assert stats.kstest(x, "norm").pvalue > 1e-3
    n = len(x)
    assert abs(x.mean()) < 4 / np.sqrt(n)
    assert abs(x.var() - 1) < 4 * np.sqrt(2 / n)
    assert abs(stats.skew(x)) < 4 * np.sqrt(6 / n)
    assert abs(stats.kurtosis(x)) < 4 * np.sqrt(24 / n)
    for bound in (2.0, 3.0, 4.0):
        tail = 2 * stats.norm.sf(bound)
        assert abs(np.mean(np.abs(x) > bound) - tail) < 5 * np.sqrt(tail / n)
    cells = np.floor(stats.norm.cdf(x) * 20).astype(int)  # numbers of one block are independent of each other
    for lag in (1, 2, 3):
        pairs = cells[0::4] * 20 + cells[lag::4]
        assert fair(np.bincount(pairs, minlength=400))


def test_normals_scale_and_extremes():
    out = np.empty(100_000)
    draw_normal(stream(5), 10.0, 0.5, out)
    assert stats.kstest((out - 10) / 0.5, "norm").pvalue > 1e-3
    # Words of all zeros and all ones: the largest and the smallest radius.
    for like in (np.float32(1), np.float64(1)):
        zero, ones = np.uint64(0), np.uint64(2**32 - 1)
        assert np.hypot(*rng._pair(zero, zero, like)) == pytest.approx(np.sqrt(62 * np.log(2)), rel=1e-6)
        smallest = 0.0 if isinstance(like, np.float32) else np.sqrt(2 * 2.0**-31)
        assert np.hypot(*rng._pair(ones, ones, like)) == pytest.approx(smallest, rel=1e-6)


def test_float32_and_float64_nearly_agree():
    single, double = np.empty(10_001, np.float32), np.empty(10_001)
    draw_uniform(stream(6), np.float32(0), np.float32(1), single)
    draw_uniform(stream(6), 0.0, 1.0, double)
    assert np.all((double >= single) & (double < single + 2.0**-24))
    rng.normals(stream(6), 1, single)
    rng.normals(stream(6), 1, double)
    # In float32 u has 24 bits, so that radii r near 0 are off by up to 2^-25 / r, or 2^-12 for r = 0.
    assert np.abs(single - double).max() < 2.0**-12
    assert np.quantile(np.abs(single - double), 0.99) < 1e-6


@pytest.mark.parametrize("n", [2, 6, 7, 100])
def test_integers_small(n):
    out = np.empty(100_000, np.int64)
    draw_integers(stream(n), n, out)
    assert out.min() == 0
    assert out.max() == n - 1
    assert fair(np.bincount(out, minlength=n))


def test_integers_unbiased_where_many_words_are_rejected():
    out = np.empty(100_000, np.int64)
    g = stream(8)
    n = 3 * 2**30  # a plain product would give every third number twice the probability of its neighbours
    draw_integers(g, n, out)
    assert fair(np.bincount(out % 3, minlength=3))
    assert fair(np.bincount(out // (n // 64), minlength=64))
    assert g.counter[0] / len(out) == pytest.approx(4 / 3, rel=0.01)


def test_integers_limits():
    g = stream(9)
    assert {int(rng.integers(g, 0, 1)) for _ in range(100)} == {0}
    assert max(int(rng.integers(g, 0, 2**32)) for _ in range(1000)) > 2**31
    for wrong in (0, -1, -(2**63), 2**32 + 1, 2**63 - 1):
        assert rng.integers(g, 0, wrong) == 0


@pytest.mark.parametrize("real", [np.float32, np.float64, np.int64])
def test_choice(real):
    weights = np.array([0, 3, 1, 0, 2, 4, 0], real)
    out = np.empty(100_000, np.int64)
    draw_choice(stream(10), weights, out)
    counts = np.bincount(out, minlength=7)
    assert counts[weights == 0].sum() == 0
    assert fair(counts[weights > 0], weights[weights > 0].astype(np.float64) / 10)


def test_choice_edges():
    g = stream(11)
    assert {int(rng.choice(g, 0, np.array([0.0, 1e-300, 0.0]))) for _ in range(100)} == {1}
    assert rng.choice(g, 0, np.zeros(3)) == 0


def test_shuffle():
    out = np.empty((60_000, 4), np.int64)
    draw_orders(stream(12), out)
    orders = list(permutations(range(4)))
    counts = [int(np.all(out == order, axis=1).sum()) for order in orders]
    assert sum(counts) == len(out)
    assert fair(counts)
    for size in (0, 1):
        array = np.arange(size)
        rng.shuffle(stream(), 0, array)
        assert array.tolist() == list(range(size))


def test_streams_are_independent():
    n = 20_000
    outs = []
    for seed, episode, purpose in [
        (0, 0, 0),
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
        (0, 0, 2),
        (0, 0, 3),
        (0, 2**31, 0),
    ]:
        out = np.empty(n)
        rng.normals(stream(seed, episode), purpose, out)
        outs.append(out)
    correlation = np.corrcoef(outs)
    assert np.abs(correlation[~np.eye(len(outs), dtype=bool)]).max() < 4.5 / np.sqrt(n)
    first = np.empty(4000)  # the first number of each of many neighbouring seeds and episodes
    for i in range(4000):
        first[i] = rng.uniform(stream(i // 40, i % 40), 0, 0.0, 1.0)
    assert stats.kstest(first, "uniform").pvalue > 1e-3
    assert abs(np.corrcoef(first[:-1], first[1:])[0, 1]) < 4 / np.sqrt(len(first))


def digest():
    """A digest of the bits of every kind of draw."""
    total = hashlib.sha256()
    for real in REALS:
        g = stream(13)
        g.counter[0] = 2**32 - 50
        out = np.empty(1000, real)
        rng.normals(g, rng.OBSERVATION, out)
        total.update(out.tobytes())
        for i in range(100):
            total.update(real(rng.uniform(g, 0, real(-1), real(i))).tobytes())
            total.update(real(rng.normal(g, 1, real(i), real(2))).tobytes())
            total.update(np.int64(rng.integers(g, 0, 3 * 2**30 - i)).tobytes())
            total.update(np.int64(rng.choice(g, 3, out[:7] ** 2)).tobytes())
        rng.shuffle(g, 3, out)
        total.update(out.tobytes())
        total.update(g.tobytes())
    return total.hexdigest()


def test_same_bits_without_compilation():
    script = "from tests.core.test_rng import digest; print(digest())"
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
