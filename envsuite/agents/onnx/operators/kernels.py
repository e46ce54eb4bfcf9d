"""Arithmetic in a fixed order, so that results are the same bits on every CPU and for every number of rows.

NumPy's own sums, products of matrices and elementary functions depend on the CPU and on the shape; its additions,
multiplications, divisions, square roots and comparisons of elements do not and are used as they are.
"""

import numpy as np

from envsuite.core import fmath
from envsuite.core.fmath import real
from envsuite.core.jit import kernel

FLOATS = (np.float32, np.float64)


@kernel
def matrix_product(x, w, out):
    """Out (n, m) = x (n, k) w (k, m); terms are added in the order of k."""
    depth = x.shape[1]
    fours = depth - depth % 4
    for i in range(x.shape[0]):
        for j in range(w.shape[1]):
            out[i, j] = real(0.0, out)
        for k in range(0, fours, 4):
            a, b, c, d = x[i, k], x[i, k + 1], x[i, k + 2], x[i, k + 3]
            for j in range(w.shape[1]):
                out[i, j] = (((out[i, j] + a * w[k, j]) + b * w[k + 1, j]) + c * w[k + 2, j]) + d * w[k + 3, j]
        for k in range(fours, depth):
            a = x[i, k]
            for j in range(w.shape[1]):
                out[i, j] += a * w[k, j]


@kernel
def matrix_products(x, w, out):
    """Out (p, n, m) = x (p, n, k) w (p, k, m)."""
    for p in range(x.shape[0]):
        matrix_product(x[p], w[p], out[p])


@kernel
def convolution(x, w, stride_y, stride_x, dilation_y, dilation_x, pad_y, pad_x, out):
    """Out (n, oh, ow, g, m) from x (n, c, h, w) and weights (g, c / g, kh, kw, m), zero outside the image."""
    channels = w.shape[1]
    for i in range(out.shape[0]):
        for y in range(out.shape[1]):
            for z in range(out.shape[2]):
                for g in range(out.shape[3]):
                    for j in range(out.shape[4]):
                        out[i, y, z, g, j] = real(0.0, out)
                    for c in range(channels):
                        for ky in range(w.shape[2]):
                            v = y * stride_y + ky * dilation_y - pad_y
                            for kx in range(w.shape[3]):
                                u = z * stride_x + kx * dilation_x - pad_x
                                if 0 <= v < x.shape[2] and 0 <= u < x.shape[3]:
                                    a = x[i, g * channels + c, v, u]
                                    for j in range(out.shape[4]):
                                        out[i, y, z, g, j] += a * w[g, c, ky, kx, j]


@kernel
def row_sums(x, out):
    """Out (n,) of x (n, k)."""
    for i in range(x.shape[0]):
        total = real(0.0, x)
        for k in range(x.shape[1]):
            total += x[i, k]
        out[i] = total


@kernel
def softmax(x, logarithm, out):
    """Along the last axis of x (n, k); its logarithm if so asked."""
    for i in range(x.shape[0]):
        top = x[i, 0]
        for k in range(x.shape[1]):
            top = max(top, x[i, k])
        total = real(0.0, x)
        for k in range(x.shape[1]):
            out[i, k] = fmath.exp(x[i, k] - top)
            total += out[i, k]
        shift = fmath.log(total)
        for k in range(x.shape[1]):
            out[i, k] = (x[i, k] - top) - shift if logarithm else out[i, k] / total


@kernel
def standardise(x, epsilon, out):
    """Rows of x (n, k) to mean 0 and variance 1."""
    for i in range(x.shape[0]):
        total = real(0.0, x)
        for k in range(x.shape[1]):
            total += x[i, k]
        mean = total / real(x.shape[1], x)
        spread = real(0.0, x)
        for k in range(x.shape[1]):
            spread += (x[i, k] - mean) * (x[i, k] - mean)
        scale = real(1.0, x) / fmath.sqrt(spread / real(x.shape[1], x) + epsilon)
        for k in range(x.shape[1]):
            out[i, k] = (x[i, k] - mean) * scale


@kernel
def sigmoid_of(x):
    """1 / (1 + exp(-x))."""
    one = real(1.0, x)
    return one / (one + fmath.exp(-x))


@kernel
def erf_of(x):
    """Error function, absolute error below 1.5e-7: Abramowitz and Stegun (1964), formula 7.1.26."""
    a = abs(np.float64(x))
    t = 1.0 / (1.0 + 0.3275911 * a)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    value = 1.0 - series * fmath.exp(-a * a)
    return real(value if x >= 0 else -value, x)


@kernel
def tanh(x, out):
    """Of every element."""
    for i in range(x.shape[0]):
        out[i] = fmath.tanh(x[i])


@kernel
def sigmoid(x, out):
    """Of every element."""
    for i in range(x.shape[0]):
        out[i] = sigmoid_of(x[i])


@kernel
def exp(x, out):
    """Of every element."""
    for i in range(x.shape[0]):
        out[i] = fmath.exp(x[i])


@kernel
def log(x, out):
    """Of every element."""
    for i in range(x.shape[0]):
        out[i] = fmath.log(x[i])


@kernel
def sin(x, out):
    """Of every element."""
    for i in range(x.shape[0]):
        out[i] = fmath.sin(x[i])


@kernel
def cos(x, out):
    """Of every element."""
    for i in range(x.shape[0]):
        out[i] = fmath.cos(x[i])


@kernel
def erf(x, out):
    """Of every element."""
    for i in range(x.shape[0]):
        out[i] = erf_of(x[i])


@kernel
def gelu(x, out):
    """GELU(x) = x / 2 (1 + erf(x / sqrt 2)), Hendrycks and Gimpel (2016)."""
    half, one, root = real(0.5, x), real(1.0, x), real(0.7071067811865476, x)
    for i in range(x.shape[0]):
        out[i] = half * x[i] * (one + erf_of(x[i] * root))


@kernel
def softplus(x, out):
    """log(1 + exp(x)), without overflow."""
    zero, one = real(0.0, x), real(1.0, x)
    for i in range(x.shape[0]):
        out[i] = max(x[i], zero) + fmath.log(one + fmath.exp(-abs(x[i])))


@kernel
def elu(x, alpha, gamma, out):
    """Gamma x above 0, gamma alpha (exp(x) - 1) below."""
    zero, one = real(0.0, x), real(1.0, x)
    for i in range(x.shape[0]):
        out[i] = gamma * (x[i] if x[i] > zero else alpha * (fmath.exp(x[i]) - one))


@kernel
def power(x, y, out):
    """Each element of x to the power of that of y."""
    for i in range(x.shape[0]):
        out[i] = fmath.pow(x[i], y[i])


def warm_up() -> None:
    """Compile every kernel for both float types, or load it from the cache."""
    for kind in FLOATS:
        row, table, cube = (np.ones((1,) * rank, kind) for rank in (1, 2, 3))
        for function in (tanh, sigmoid, exp, log, sin, cos, erf, gelu, softplus):
            function(row, row.copy())
        elu(row, kind(1), kind(1), row.copy())
        power(row, row, row.copy())
        matrix_product(table, table, table.copy())
        matrix_products(cube, cube, cube.copy())
        convolution(np.ones((1,) * 4, kind), np.ones((1,) * 5, kind), 1, 1, 1, 1, 0, 0, np.ones((1,) * 5, kind))
        row_sums(table, row.copy())
        softmax(table, False, table.copy())
        standardise(table, kind(1e-5), table.copy())
