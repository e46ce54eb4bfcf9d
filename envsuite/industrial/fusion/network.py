"""The plant: a small network that was fitted to simulated steps of the tokamak KSTAR.

One hidden layer of 32 tanh units, fitted to 15,000 steps of NeoRL-2's plant, which runs networks of the project KSTAR
tokamak simulator (Jaemin Seo, MIT licence, https://github.com/jaem-seo/KSTAR_tokamak_simulator). On steps that were
kept back it explains 93, 99.6, 93, 89 and 95 % of the variance of its five outputs.
"""

from importlib.resources import files

import numpy as np

from envsuite.core import fmath, kernel

HIDDEN, INPUTS, OUTPUTS = 32, 13, 5
BETA_N, Q95, Q0, LI, BETA_P = range(OUTPUTS)
MEAN = (1.4474, 5.239, 1.7481, 1.0206, 1.206)
"""Of the outputs, in the order above."""
SPREAD = (0.4214, 1.6523, 0.621, 0.1896, 0.4439)
RESIDUAL = (0.114, 0.109, 0.169, 0.065, 0.101)
"""Standard deviations of what the network does not explain."""

_LINES = files("envsuite.industrial.fusion").joinpath("network.csv").read_text(encoding="ascii").split()
_ROWS = np.array([line.split(",") for line in _LINES], np.float64)
"""A row a hidden unit: weights of the inputs, its bias, its weights in the outputs."""
INWARD = np.ascontiguousarray(_ROWS[:, :INPUTS])
BIAS = np.ascontiguousarray(_ROWS[:, INPUTS])
OUTWARD = np.ascontiguousarray(_ROWS[:, INPUTS + 1 :])
LEVEL = np.array([-1.1001, 1.8188, 1.2706, 0.5530, -0.1868])


@kernel
def respond(inputs, y):
    """Write what the plasma comes to.

    Args:
        inputs: (13,): six set values and three powers, each from -1 to 1 over its range; beta_n, q95, q0 and li before,
            as `standard` makes them.
        y: (5,), beta_n, q95, q0, li, beta_p, written.
    """
    for j in range(OUTPUTS):
        y[j] = LEVEL[j]
    for h in range(HIDDEN):
        total = BIAS[h]
        for k in range(INPUTS):
            total += INWARD[h, k] * inputs[k]
        active = fmath.tanh(total)
        for j in range(OUTPUTS):
            y[j] += OUTWARD[h, j] * active
    for j in range(OUTPUTS):
        y[j] = MEAN[j] + SPREAD[j] * y[j]


@kernel
def standard(j, value):
    """An output as the network takes it as an input."""
    return (value - MEAN[j]) / SPREAD[j]
