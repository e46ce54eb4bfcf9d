"""Scores with known answers, which rliable 1.2.0 gave."""

import numpy as np

X = np.array([[0.10, 0.50, 1.20], [0.30, 0.40, 0.90], [0.20, 0.70, 1.50], [0.60, 0.55, 0.80], [0.25, 0.65, 1.10]])
Y = np.array([[0.20, 0.45, 1.00], [0.10, 0.40, 1.30], [0.30, 0.60, 0.70], [0.15, 0.50, 0.95]])


def close(found, expected, digits=6):
    np.testing.assert_allclose(found, expected, rtol=0, atol=0.5000001 * 10.0**-digits)
