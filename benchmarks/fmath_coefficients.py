"""Derive the polynomial coefficients of `envsuite.core.fmath` and print them with their errors.

Every polynomial is the minimax one for the relative error of the *function* (Remez exchange in 60 digits), with
its coefficients rounded one by one, lowest order first, and the rest fitted again after each rounding.

Run by hand: ``python benchmarks/fmath_coefficients.py`` (needs mpmath; about a minute).
"""

import mpmath as mp
import numpy as np

mp.mp.dps = 60


def solve(target, weight, nodes, fixed, terms):
    """Free coefficients that give a weighted error of equal size and alternating sign at `nodes`."""
    rows, right = mp.matrix(len(nodes)), mp.matrix(len(nodes), 1)
    for i, z in enumerate(nodes):
        for j in range(len(fixed), terms):
            rows[i, j - len(fixed)] = z**j
        rows[i, terms - len(fixed)] = (-1) ** i / weight(z)
        right[i] = target(z) - mp.polyval(fixed[::-1] or [0], z)
    return list(mp.lu_solve(rows, right))[:-1]


def extrema(error, grid):
    """Return the largest point of each run of equal sign of `error`, and its size."""
    values = [error(z) for z in grid]
    peaks, best = [], 0
    for i in range(1, len(grid)):
        if mp.sign(values[i]) != mp.sign(values[best]) and values[i] != 0:
            peaks.append(best)
            best = i
        elif abs(values[i]) > abs(values[best]):
            best = i
    peaks.append(best)
    return [grid[i] for i in peaks], [abs(values[i]) for i in peaks]


def minimax(target, weight, low, high, terms, fixed=()):
    """Remez exchange for weight * (polynomial - target) on [low, high], given the first coefficients."""
    fixed = list(fixed)
    count = terms - len(fixed) + 1
    middle, half = (mp.mpf(low) + high) / 2, (mp.mpf(high) - low) / 2
    grid = [middle - half * mp.cos(mp.pi * i / 600) for i in range(601)]
    nodes = [middle - half * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    wanted, weights = {z: target(z) for z in grid}, {z: weight(z) for z in grid}
    for _ in range(30):
        free = solve(target, weight, nodes, fixed, terms)
        whole = (fixed + free)[::-1]
        peaks, sizes = extrema(lambda z, w=whole: weights[z] * (mp.polyval(w, z) - wanted[z]), grid)
        while len(peaks) > count:  # drop the weaker end
            end = 0 if sizes[0] < sizes[-1] else -1
            del peaks[end], sizes[end]
        if len(peaks) < count or max(sizes) < min(sizes) * mp.mpf("1.001"):
            break
        nodes = peaks
    return fixed + free


def rounded(target, weight, low, high, terms, kind):
    """Minimax coefficients representable in `kind`, lowest order first, with the final error."""
    fixed = []
    for _ in range(terms):
        best = minimax(target, weight, low, high, terms, fixed)
        fixed.append(mp.mpf(float(kind(mp.nstr(best[len(fixed)], 30)))))
    grid = [mp.mpf(low) + (mp.mpf(high) - low) * i / 2000 for i in range(2001)]
    return fixed, max(abs(weight(z) * (mp.polyval(fixed[::-1], z) - target(z))) for z in grid)


def odd(function):
    """P of f(x) = x + x z P(z) with z = x^2, and its weight."""
    ratio = lambda z: function(mp.sqrt(z)) / mp.sqrt(z)  # noqa: E731
    return lambda z: (ratio(z) - 1) / z, lambda z: z / ratio(z)


def atanh_ratio(z):
    """atanh(s) / s for z = s^2."""
    return mp.atanh(mp.sqrt(z)) / mp.sqrt(z)


def polynomials():
    """Yield (name, target, weight, low, high, terms in float32, terms in float64)."""
    tiny = mp.mpf(10) ** -15
    angle = (mp.pi / 4 + mp.mpf("1e-3")) ** 2  # rounding in the reduction passes pi/4 by a little
    yield "SIN", *odd(mp.sin), tiny, angle, 3, 6
    cosine = [lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2, lambda z: z**2 / mp.cos(mp.sqrt(z))]
    yield "COS", *cosine, tiny, angle, 3, 6
    yield "TAN", *odd(mp.tan), tiny, angle, 7, 14
    yield "ASIN", *odd(mp.asin), tiny, mp.mpf("0.25"), 5, 12
    yield "ATAN", *odd(mp.atan), tiny, mp.mpf(1), 9, 20
    yield "TANH", *odd(mp.tanh), tiny, mp.mpf("0.625") ** 2, 5, 11
    half = mp.log(2) / 2 + mp.mpf("1e-4")
    exponential = [lambda r: (mp.exp(r) - 1 - r) / r**2, lambda r: (r**2 + tiny) / mp.exp(r)]
    yield "EXP", *exponential, -half + tiny, half, 5, 11
    low, high = mp.sqrt(0.5) - 1, mp.sqrt(2) - 1
    logarithm = [lambda f: (mp.log1p(f) - f + f * f / 2) / f**3, lambda f: (f**3 + tiny) / mp.log1p(f)]
    yield "LOG (single)", *logarithm, low, high, 9, 0
    top = (high / (2 + high)) ** 2
    yield "LOG (double)", lambda z: (2 * atanh_ratio(z) - 2) / z, lambda z: z / 2, tiny, top, 0, 7
    yield "POW", lambda z: (atanh_ratio(z) - 1 - z / 3) / z**2, lambda z: z**2, tiny, top, 0, 8
    sine = [
        lambda z: mp.sin(mp.pi / 2 * mp.sqrt(z)) / mp.sqrt(z),
        lambda z: mp.sqrt(z) / mp.sin(mp.pi / 2 * mp.sqrt(z)),
    ]
    yield "QUARTER_SIN", *sine, tiny, mp.mpf("0.25"), 4, 7
    cosine = [lambda z: (mp.cos(mp.pi / 2 * mp.sqrt(z)) - 1) / z, lambda z: z]
    yield "QUARTER_COS", *cosine, tiny, mp.mpf("0.25"), 4, 7


if __name__ == "__main__":
    for name, target, weight, low, high, *terms in polynomials():
        for kind, count in zip((np.float32, np.float64), terms, strict=True):
            if count:
                coefficients, error = rounded(target, weight, low, high, count, kind)
                print(f"{name} {kind.__name__}: {count} terms, error 2^{float(mp.log(error, 2)):.1f}")
                print("    " + ", ".join(repr(float(c)) for c in coefficients))
