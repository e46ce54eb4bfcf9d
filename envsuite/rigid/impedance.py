"""How hard a constraint is, and how fast an error decays (MuJoCo's solimp and solref)."""

from envsuite.core import kernel
from envsuite.core.fmath import pow
from envsuite.rigid.spatial import TINY

_LEAST, _MOST = 0.0001, 0.9999  # mjMINIMP, mjMAXIMP


@kernel
def impedance(solimp, x):
    """Impedance d of a constraint that is violated by `x`: from solimp[0] to solimp[1] over the width solimp[2]."""
    start, end = min(max(solimp[0], _LEAST), _MOST), min(max(solimp[1], _LEAST), _MOST)
    width = max(solimp[2], 0.0)
    if start == end or width <= TINY:
        return 0.5 * (start + end)
    x = abs(x) / width
    if x >= 1:
        return end
    if x <= 0:
        return start
    return start + _sigmoid(x, min(max(solimp[3], _LEAST), _MOST), max(solimp[4], 1.0)) * (end - start)


@kernel
def _sigmoid(x, middle, power):
    if power == 1:
        return x
    if x <= middle:
        return x * x / middle if power == 2 else pow(x, power) / pow(middle, power - 1)
    x, middle = 1 - x, 1 - middle
    return 1 - (x * x / middle if power == 2 else pow(x, power) / pow(middle, power - 1))


@kernel
def stiffness(m, solref, solimp):
    """Stiffness K and damping B of the reference acceleration -B v - K d x.

    A positive solref is a time constant (at least two steps) and a damping ratio, a negative one is -K and -B.
    """
    end = min(max(solimp[1], _LEAST), _MOST)
    time, ratio = solref[0], solref[1]
    if time > 0:
        time = max(time, 2 * m.timestep)
        k = 1 / max(TINY, end * end * time * time * ratio * ratio)
    else:
        k = -time / max(TINY, end * end)
    b = 2 / max(TINY, end * time) if ratio > 0 else -ratio / max(TINY, end)
    return k, b
