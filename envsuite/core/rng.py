"""Counter-based random numbers for kernels.

Every number is a pure function of the seed, the episode, the purpose and how many draws of that purpose came
before in the episode; it does not depend on batch size, slot, threads or draws for other purposes. The
generator is Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC
2011), with key `seed_key(seed)` and counter (draws, purpose, episode, 0). A scalar draw takes one block of
four 32-bit words; ``docs/rng.md`` tells how each distribution is made from the words and gives test vectors.
"""

from collections.abc import Sequence

import numpy as np
from numba import types
from numba.extending import overload

from envsuite.core import fmath
from envsuite.core.fmath import real
from envsuite.core.jit import kernel

#: Purposes: draws for one purpose never shift those of another.
RESET = 0
DYNAMICS = 1
OBSERVATION = 2
AGENT = 3

#: The generator inside a state record. `counter` holds the blocks drawn for each purpose in this episode.
STREAM = np.dtype([("key", "u4", (2,)), ("episode", "u4"), ("counter", "u4", (4,))], align=True)

# Multipliers and key increments of Philox4x32 (Random123, philox.h). Words are kept in uint64, where the
# product of two is exact and which Numba, unlike uint32, does not promote to a signed or floating type.
_MULTIPLIER0 = np.uint64(0xD2511F53)
_MULTIPLIER1 = np.uint64(0xCD9E8D57)
_WEYL0 = np.uint64(0x9E3779B9)
_WEYL1 = np.uint64(0xBB67AE85)
_WORD = np.uint64(0xFFFFFFFF)
_BITS = np.uint64(32)
_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_WORDS = np.uint64(1 << 32)

_GROUP = np.uint64(4)


def seed_key(seed: int) -> np.ndarray:
    """Return the generator's key for a user's seed.

    Args:
        seed: any integer >= 0.

    Returns:
        The key, uint32 of shape (2,), by NumPy's `SeedSequence`.

    Raises:
        ValueError: `seed` is not a non-negative integer.
    """
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or seed < 0:
        raise ValueError(f"seed must be an integer >= 0, got {seed!r}")
    return np.random.SeedSequence(int(seed)).generate_state(2, np.uint32)


def begin(streams: np.ndarray, seeds: Sequence[int] | np.ndarray, mask: np.ndarray | None = None) -> None:
    """Begin streams anew: the same as fresh records with `seed_key` each.

    Args:
        streams: (n,) records of type `STREAM`, written.
        seeds: (n,) integers of at least 0, of any size in a list; an array is taken many times as fast.
        mask: (n,) bool, the streams to begin; all by default. The seeds of others are not looked at.

    Raises:
        ValueError: a seed is not a non-negative integer, or there are more or fewer than streams.
    """
    if len(seeds) != len(streams):
        raise ValueError(f"{len(seeds)} seeds for {len(streams)} streams")
    chosen = slice(None) if mask is None else np.flatnonzero(mask)
    seeds = (seeds if isinstance(seeds, np.ndarray) else np.array(seeds, object))[chosen]
    fresh: np.ndarray = np.zeros(len(seeds), STREAM)
    if seeds.dtype.kind in "iu" and (not seeds.size or seeds.min() >= 0):
        keys = np.empty((len(seeds), 2), np.uint32)  # apart, so that it is contiguous for any number of streams
        _seed_keys(seeds.astype(np.uint64), keys)
        fresh["key"] = keys
    else:
        for i, seed in enumerate(seeds.tolist()):
            fresh["key"][i] = seed_key(seed)
    streams[chosen] = fresh


# Constants of NumPy's `SeedSequence` (numpy/random/bit_generator.pyx), after O'Neill's seed_seq_fe.
_POOL = 4
_HASH_A, _FACTOR_A = np.uint64(0x43B0D7E5), np.uint64(0x931E8875)
_HASH_B, _FACTOR_B = np.uint64(0x8B51F9DD), np.uint64(0x58F38DED)
_LEFT, _RIGHT = np.uint64(0xCA01F9DD), np.uint64(0x4973F715)
_HALF = np.uint64(16)


@kernel
def _hashed(value, state, factor):
    """Mix a word; the word and the next state."""
    after = (state * factor) & _WORD
    word = ((value ^ state) * after) & _WORD
    return word ^ (word >> _HALF), after


@kernel(arrays=True)
def _seed_keys(seeds, keys):
    pool = np.zeros(_POOL, np.uint64)
    for i in range(len(seeds)):
        pool[:] = 0
        pool[0], pool[1] = seeds[i] & _WORD, seeds[i] >> _BITS
        state = _HASH_A
        for k in range(_POOL):
            pool[k], state = _hashed(pool[k], state, _FACTOR_A)
        for source in range(_POOL):
            for target in range(_POOL):
                if source != target:
                    word, state = _hashed(pool[source], state, _FACTOR_A)
                    word = ((_LEFT * pool[target] & _WORD) + _WORDS - (_RIGHT * word & _WORD)) & _WORD
                    pool[target] = word ^ (word >> _HALF)
        state = _HASH_B
        for k in range(2):
            word, state = _hashed(pool[k], state, _FACTOR_B)
            keys[i, k] = np.uint32(word)


@kernel
def _round(c0, c1, c2, c3, k0, k1):
    product0 = _MULTIPLIER0 * c0
    product1 = _MULTIPLIER1 * c2
    return (product1 >> _BITS) ^ c1 ^ k0, product1 & _WORD, (product0 >> _BITS) ^ c3 ^ k1, product0 & _WORD


@kernel
def philox(c0, c1, c2, c3, k0, k1):
    """Philox4x32-10: encrypt the counter (c0, c1, c2, c3) under the key (k0, k1).

    All arguments and the four results are 32-bit words held in uint64.
    """
    for _ in range(10):
        c0, c1, c2, c3 = _round(c0, c1, c2, c3, k0, k1)
        k0 = (k0 + _WEYL0) & _WORD
        k1 = (k1 + _WEYL1) & _WORD
    return c0, c1, c2, c3


@kernel
def block(g, purpose):
    """Draw the next four 32-bit words (held in uint64) of `purpose` from the stream record `g`."""
    count = np.uint64(g.counter[purpose])
    g.counter[purpose] = np.uint32((count + _ONE) & _WORD)
    k0, k1 = np.uint64(g.key[0]), np.uint64(g.key[1])
    return philox(count, np.uint64(purpose), np.uint64(g.episode), _ZERO, k0, k1)


@kernel
def _unit_single(w0):
    return np.float32(np.int64(w0 >> np.uint64(8))) * np.float32(2.0**-24)


@kernel
def _unit_double(w0, w1):
    return np.float64(np.int64(((w0 >> np.uint64(5)) << np.uint64(26)) | (w1 >> np.uint64(6)))) * 2.0**-53


def _unit(w0, w1, like):
    """Number in [0, 1): the first 24 bits of w0 in float32, 27 bits of w0 and 26 of w1 in float64."""
    return _unit_single(w0) if isinstance(like, np.float32) else _unit_double(w0, w1)


@overload(_unit)
def _typed_unit(w0, w1, like):
    if like == types.float32:
        return lambda w0, w1, like: _unit_single(w0)
    return lambda w0, w1, like: _unit_double(w0, w1)


@kernel
def _pair(w0, w1, like):
    """Two standard normals from two words (Box and Muller 1958), in the type of `like`.

    The radius takes 30 bits of w0, u = (2 m + 1) / 2^31. The angle takes w1: two bits name the quarter of the
    circle, thirty the place in it, counted from its middle.
    """
    odd = np.int64((w0 >> _ONE) | _ONE)
    radius = fmath.sqrt(real(-2.0, like) * fmath.log_scaled(real(odd, like), 31))
    place = np.uint32(((w1 << np.uint64(2)) ^ np.uint64(0x80000002)) & _WORD).view(np.int32)
    sine, cosine = fmath.sincos_quarters(real(place, like) * real(2.0**-32, like))
    quarter = np.int64(w1 >> np.uint64(30))
    swap = (quarter & 1) != 0
    first = sine if swap else cosine
    second = cosine if swap else sine
    first = -first if ((quarter + 1) & 2) != 0 else first
    second = -second if (quarter & 2) != 0 else second
    return radius * first, radius * second


def _word_as_real(word, like):
    """A number of the type of `like` whose bit pattern is the word, to keep words in an array of numbers."""
    if isinstance(like, np.float32):
        return np.uint32(word).view(np.float32)
    return np.uint64(word).view(np.float64)


@overload(_word_as_real)
def _typed_word_as_real(word, like):
    if like == types.float32:
        return lambda word, like: np.uint32(word).view(np.float32)
    return lambda word, like: np.uint64(word).view(np.float64)


def _real_as_word(x):
    """The word that `_word_as_real` put into `x`."""
    if isinstance(x, np.float32):
        return np.uint64(x.view(np.uint32))
    return x.view(np.uint64)


@overload(_real_as_word)
def _typed_real_as_word(x):
    if x == types.float32:
        return lambda x: np.uint64(np.float32(x).view(np.uint32))
    return lambda x: np.float64(x).view(np.uint64)


@kernel
def uniform(g, purpose, low, high):
    """Draw a number in [low, high), uniformly; needs low <= high.

    Args:
        g: record of dtype `STREAM`.
        purpose: `RESET`, `DYNAMICS`, `OBSERVATION` or `AGENT`.
        low: lower bound.
        high: upper bound.

    Returns:
        float32 with 24 random bits if both bounds are float32, else float64 with 53.
    """
    w0, w1, _, _ = block(g, purpose)
    return _placed(_unit(w0, w1, high - low), low, high)


def _unit_of_word(word, like):
    """Number in [0, 1): the first 24 bits of the word in float32, all 32 in float64."""
    return _unit_single(word) if isinstance(like, np.float32) else np.float64(np.int64(word)) * 2.0**-32


@overload(_unit_of_word)
def _typed_unit_of_word(word, like):
    if like == types.float32:
        return lambda word, like: _unit_single(word)
    return lambda word, like: np.float64(np.int64(word)) * 2.0**-32


@kernel
def uniform4(g, purpose, low, high):
    """Draw four numbers in [low, high) from one block: a quarter of the cost of four `uniform`, and in float64 coarser.

    Args:
        g: record of dtype `STREAM`.
        purpose: `RESET`, `DYNAMICS`, `OBSERVATION` or `AGENT`.
        low: lower bound.
        high: upper bound, not below `low`.

    Returns:
        Four float32 with 24 random bits each if both bounds are float32, else four float64 with 32.
    """
    w0, w1, w2, w3 = block(g, purpose)
    return (
        _placed(_unit_of_word(w0, high - low), low, high),
        _placed(_unit_of_word(w1, high - low), low, high),
        _placed(_unit_of_word(w2, high - low), low, high),
        _placed(_unit_of_word(w3, high - low), low, high),
    )


@kernel
def _placed(unit, low, high):
    value = low + unit * (high - low)
    return value if value < high else low  # rounding may reach the upper bound


@kernel
def normal(g, purpose, mean, std):
    """Draw a normally distributed number.

    Args:
        g: record of dtype `STREAM`.
        purpose: `RESET`, `DYNAMICS`, `OBSERVATION` or `AGENT`.
        mean: mean.
        std: standard deviation, >= 0.

    Returns:
        float32 if both arguments are float32, else float64; at most 6.6 standard deviations from the mean.
    """
    w0, w1, _, _ = block(g, purpose)
    return mean + std * _pair(w0, w1, mean + std)[0]


@kernel
def normals(g, purpose, out):
    """Fill `out` with standard normals, four from each block: much faster than one `normal` at a time.

    The first is what `normal` would draw with mean 0 and standard deviation 1; a longer array begins with the
    numbers of a shorter one.

    Args:
        g: record of dtype `STREAM`.
        purpose: `RESET`, `DYNAMICS`, `OBSERVATION` or `AGENT`.
        out: float32 or float64 array of shape (n,); ceil(n / 4) blocks are drawn.
    """
    n = len(out)
    if n == 0:
        return
    like = out[0]
    count, stream, episode = np.uint64(g.counter[purpose]), np.uint64(purpose), np.uint64(g.episode)
    k0, k1 = np.uint64(g.key[0]), np.uint64(g.key[1])
    # The words wait in `out` itself. LLVM makes vector instructions of four blocks side by side if the rounds
    # are written into the loop, and of one long loop over pairs.
    grouped = n // 16 * 16
    for start in range(0, grouped, 16):
        for j in range(4):
            w0, w1, w2, w3 = (count + np.uint64(j)) & _WORD, stream, episode, _ZERO
            r0, r1 = k0, k1
            for _ in range(10):
                w0, w1, w2, w3 = _round(w0, w1, w2, w3, r0, r1)
                r0 = (r0 + _WEYL0) & _WORD
                r1 = (r1 + _WEYL1) & _WORD
            i = start + 4 * j
            out[i] = _word_as_real(w0, like)
            out[i + 1] = _word_as_real(w1, like)
            out[i + 2] = _word_as_real(w2, like)
            out[i + 3] = _word_as_real(w3, like)
        count += _GROUP
    radial, angle = _ZERO, _ZERO
    for i in range(grouped, n, 4):
        radial, angle, w2, w3 = philox(count & _WORD, stream, episode, _ZERO, k0, k1)
        count += _ONE
        out[i] = _word_as_real(radial, like)
        if i + 1 < n:
            out[i + 1] = _word_as_real(angle, like)
        if i + 2 < n:
            radial, angle = w2, w3
            out[i + 2] = _word_as_real(radial, like)
        if i + 3 < n:
            out[i + 3] = _word_as_real(angle, like)
    g.counter[purpose] = np.uint32(count & _WORD)
    for i in range(n // 2):
        first, second = _pair(_real_as_word(out[2 * i]), _real_as_word(out[2 * i + 1]), like)
        out[2 * i] = first
        out[2 * i + 1] = second
    if n % 2 == 1:
        out[n - 1] = _pair(radial, angle, like)[0]


@kernel
def integers(g, purpose, n):
    """Draw an integer in [0, n), each with exactly the same probability (Lemire 2019, algorithm 5).

    A rejected draw, with probability below n / 2^32, takes one more block.

    Args:
        g: record of dtype `STREAM`.
        purpose: `RESET`, `DYNAMICS`, `OBSERVATION` or `AGENT`.
        n: number of values, 1 to 2^32; for other n the result is 0.

    Returns:
        int64.
    """
    word, _, _, _ = block(g, purpose)
    if n <= 1 or n > 0x100000000:
        return np.int64(0)
    count = np.uint64(n)
    product = word * count
    if (product & _WORD) < count:
        threshold = (_WORDS - count) % count
        while (product & _WORD) < threshold:
            word, _, _, _ = block(g, purpose)
            product = word * count
    return np.int64(product >> _BITS)


@kernel
def choice(g, purpose, weights):
    """Draw an index with probability proportional to its weight.

    Args:
        g: record of dtype `STREAM`.
        purpose: `RESET`, `DYNAMICS`, `OBSERVATION` or `AGENT`.
        weights: array of shape (n,), finite numbers >= 0, not all 0 (else the result is 0).

    Returns:
        int64 in [0, n), never one whose weight is 0.
    """
    total = 0.0
    for i in range(len(weights)):
        total += np.float64(weights[i])
    mark = uniform(g, purpose, 0.0, total)
    reached = 0.0
    for i in range(len(weights)):
        reached += np.float64(weights[i])
        if mark < reached:
            return np.int64(i)
    return np.int64(0)


@kernel
def shuffle(g, purpose, array):
    """Shuffle in place (Fisher-Yates): every order has the same probability.

    Args:
        g: record of dtype `STREAM`.
        purpose: `RESET`, `DYNAMICS`, `OBSERVATION` or `AGENT`.
        array: array of numbers of shape (n,); n - 1 integers are drawn.
    """
    for i in range(len(array) - 1, 0, -1):
        j = integers(g, purpose, i + 1)
        value = array[i]
        array[i] = array[j]
        array[j] = value
