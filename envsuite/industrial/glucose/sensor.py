"""A sensor under the skin that shows every third minute's glucose, with errors that hang together if so asked.

Errors are normal numbers of a first-order autoregression every 15 minutes, bent by Johnson's transformation and joined
by cubic splines, after Breton and Kovatchev (2008), J. Diabetes Sci. Technol. 2, as simglucose has it.
"""

import numpy as np

from envsuite.core import fmath, kernel, rng
from envsuite.industrial.glucose.params import ERRORS, KNOTS


def _solve(matrix: list[list[float]], right: list[list[float]]) -> list[list[float]]:
    """Gauss and Jordan's elimination with pivots, in plain Python: the same bits everywhere."""
    rows = [[*a, *b] for a, b in zip(matrix, right, strict=True)]
    size = len(rows)
    for k in range(size):
        best = max(range(k, size), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(size):
            if i != k:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[size:] for row in rows]


def spline_weights() -> np.ndarray:
    """What knots weigh in the readings between them.

    Returns:
        (50, 11): row k is of the reading k + 1 fifths of a knot's distance after the first knot; a cubic spline whose
        third derivative is continuous at the second knot and the last but one.
    """
    unit = [[1.0 * (i == j) for j in range(KNOTS)] for i in range(KNOTS)]
    matrix, right = [], []
    for i in range(KNOTS):  # for the second derivatives at knots
        if i in (0, KNOTS - 1):
            first = 0 if i == 0 else KNOTS - 3
            matrix.append([1.0 if j in (first, first + 2) else -2.0 * (j == first + 1) for j in range(KNOTS)])
            right.append([0.0] * KNOTS)
        else:
            matrix.append([1.0 if j in (i - 1, i + 1) else 4.0 * (j == i) for j in range(KNOTS)])
            right.append([6.0 if j in (i - 1, i + 1) else -12.0 * (j == i) for j in range(KNOTS)])
    curvature = _solve(matrix, right)
    rows = []
    for k in range(ERRORS):
        left, part = divmod(k + 1, 5)
        left, part = (left, part) if left < KNOTS - 1 else (KNOTS - 2, 5)
        a, b = 1.0 - part / 5.0, part / 5.0
        rows.append(
            [
                a * unit[left][j]
                + b * unit[left + 1][j]
                + ((a * a * a - a) * curvature[left][j] + (b * b * b - b) * curvature[left + 1][j]) / 6.0
                for j in range(KNOTS)
            ]
        )
    return np.array(rows)


WEIGHTS = spline_weights()


@kernel
def _bend(s, p):
    """The error of the number that drifts."""
    z = (s.drift - p.gamma) / p.delta
    return p.xi + p.lam * 0.5 * (fmath.exp(z) - fmath.exp(-z))


@kernel
def _draw(s, p, first):
    """Fill the knots from one on."""
    for k in range(first, KNOTS):
        s.drift = p.memory * (s.drift + rng.normal(s.rng, rng.OBSERVATION, 0.0, 1.0))
        s.knots[k] = _bend(s, p)
    s.error = 0


@kernel
def switch_on(s, p):
    """Begin the errors."""
    for k in range(KNOTS):
        s.knots[k] = 0.0
    s.drift, s.error = 0.0, 0
    if p.noisy:
        s.drift = rng.normal(s.rng, rng.OBSERVATION, 0.0, 1.0)
        s.knots[0] = _bend(s, p)
        _draw(s, p, 1)


@kernel
def next_error(s, p):
    """The error of the next reading, mg/dL."""
    error = 0.0
    if p.noisy:
        if s.error == ERRORS:
            s.knots[0] = s.knots[KNOTS - 1]
            _draw(s, p, 1)
        for k in range(KNOTS):
            error += WEIGHTS[s.error, k] * s.knots[k]
        s.error += 1
    return error


@kernel
def within(glucose, p):
    """A glucose as far as the sensor can show it, mg/dL."""
    return min(max(glucose, p.lowest), p.highest)
