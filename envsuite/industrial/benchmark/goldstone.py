"""The penalty for a miscalibrated shift: a linearly biased Goldstone potential, whose direction turns.

After Hein and others (2017), arXiv 1709.09480, section on miscalibration. The direction takes 24 places in a circle,
of which -6 to 6 are in use: beyond them it comes back.
"""

import math

import numpy as np

from envsuite.core import Record, field, fmath, kernel

CIRCLE = 24  # places of the direction in a full turn
STRONGEST = 6  # place of the direction where the potential leans most: a quarter of a turn
PLACES = 2 * STRONGEST + 1
NEEDED = float(fmath.sin(np.deg2rad(15.0)))  # step of the shift with which one can follow the turning optimum
SAFE = NEEDED / 2  # shifts within it count as none


def _cube_root(x: float) -> float:
    """By one step of Halley's method."""
    y = fmath.pow(abs(x), 1 / 3)
    cube = y * y * y
    return math.copysign(y * (cube + 2 * abs(x)) / (2 * cube + abs(x)), x)


_U0 = _cube_root(1 + np.sqrt(2)) / np.sqrt(3)
_R0 = _U0 + 1 / (3 * _U0)
_NORM = 2 * _R0**2 - _R0**4 + 8 * np.sqrt(2 / 27) * _R0
ALPHA, BETA, KAPPA = 2 / _NORM, 1 / _NORM, -8 * np.sqrt(2 / 27) / _NORM


class Penalty(Record):
    """The potential along one direction, stretched so that its minimum lies where a shift can reach it."""

    bias = field(None, "", "of the linear term: KAPPA times the sine of the direction")
    place = field(None, "", "size of the shift with the least penalty")
    radius = field(None, "", "where the potential has its minimum")
    scale = field(None, "", "of the stretch beyond it")
    power = field(None, "", "of the stretch beyond it")


def _least(sine: float) -> float:
    """Size of the radius at which the potential is least."""
    tilt = KAPPA * abs(sine) / (8 * BETA)
    sign = -1.0 if sine < 0 else 1.0
    if tilt <= -np.sqrt(1 / 27):
        u = _cube_root(-sign * tilt + np.sqrt(tilt * tilt - 1 / 27))
        return abs(u + 1 / (3 * u))
    return np.sqrt(4 / 3) * fmath.cos(fmath.acos(-tilt * np.sqrt(27)) / 3)


def penalties() -> np.ndarray:
    """The penalties of all places of the direction from -6 to 6: records of `Penalty`, (13,)."""
    table = np.zeros(PLACES, Penalty.dtype())
    for row, k in zip(table, range(-STRONGEST, STRONGEST + 1), strict=True):
        sine = fmath.sin(2 * np.pi * k / CIRCLE)
        place, radius = max(abs(sine), NEEDED), _least(sine)
        power = (2 - place) / (2 - radius)
        scale = (2 - radius) / fmath.pow(2 - place, power)
        row["bias"], row["place"], row["radius"] = KAPPA * sine, place, radius
        row["scale"], row["power"] = scale, power
    return table


@kernel
def penalty(one, shift):
    """The potential, from -1 at best, at an effective shift.

    Args:
        one: record of `Penalty`, of the present direction.
        shift: effective shift, -1.5 to 1.5.
    """
    size = abs(shift)
    if size <= one.place:
        r = shift * one.radius / one.place
    else:
        r = one.radius + one.scale * fmath.pow(size - one.place, one.power)
        r = r if shift > 0.0 else -r
    square = r * r
    return -ALPHA * square + BETA * square * square + one.bias * r


@kernel
def turn(s, shift):
    """Turn the direction by an effective shift.

    Args:
        s: state record, with ``domain``, ``response`` and ``direction``.
        shift: effective shift.
    """
    safe = abs(shift) <= SAFE
    sign = 1 if shift > 0.0 else -1
    if not safe and s.domain != sign:
        s.domain, s.response = sign, 1
    if safe:
        s.direction -= 1 if s.direction > 0 else (-1 if s.direction < 0 else 0)
    elif s.direction != -STRONGEST * s.domain:
        s.direction += s.response * sign
    if abs(s.direction) >= STRONGEST:
        s.response = -1
        s.direction = 2 * STRONGEST - (s.direction + CIRCLE) % CIRCLE
    if s.direction == 0 and safe:
        s.domain = s.response = 1
