"""Constants of the Industrial Benchmark."""

import numpy as np

from envsuite.core import Record, field
from envsuite.industrial.benchmark.goldstone import NEEDED, PLACES, Penalty

START = 50.0  # of velocity, gain and shift
STEPS = (1.0, 10.0, 20.0 * NEEDED / 0.9)  # greatest changes of velocity, gain and shift
BUFFER = 10  # steps for which operational costs are kept
WEIGHTS = (0.11111, 0.22222, 0.33333, 0.22222, 0.11111)  # of costs 9 to 5 steps ago
SHIFT_BOUND, SHIFT_SETPOINT, SHIFT_SCALE = 1.5, 0.02, 5.0
TOLERANCE = 0.05  # effective velocity or gain up to which nothing wears
GROWTH, GROWS_FROM, GROWS_TO = 1.1, 1.2, 5.0  # of hidden wear
PAID_WEAR, PAID_SHIFT = 3.0, 25.0  # weights in the cost
SPREAD = 0.005  # of the consumption's noise
_SOURCE = "Hein and others (2017), arXiv 1709.09480"


class Params(Record):
    """The constants that kernels take."""

    setpoint = field(70.0, "", "load, in the beginning", low=0, high=100, source=_SOURCE)
    moving = field(False, "", "the setpoint drifts", type=np.bool_)
    delta = field(False, "", "pay the change of the cost instead of the cost", type=np.bool_)
    penalties = field(type=Penalty, shape=PLACES)
