"""Set values for a wanted plasma: damped least squares (Levenberg 1944, Marquardt 1963) on the plant's network."""

import numpy as np

from envsuite.core import Record, field, fmath, kernel
from envsuite.industrial.fusion.network import BIAS, HIDDEN, INPUTS, INWARD, LEVEL, MEAN, OUTWARD, SPREAD
from envsuite.industrial.fusion.world import GOAL_OUTPUTS, GOAL_SCALES, GOALS, SETTINGS, write_surroundings

_STARTS = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.5, -0.5, 0.5, 0.5, 0.5, -0.5],
        [-0.5, 0.5, -0.5, -0.5, 0.5, 0.5],
        [-0.5, -0.5, 0.5, -0.5, -0.5, -0.5],
        [0.5, 0.5, -0.5, 0.5, -0.5, 0.5],
    ]
)
"""From which the search begins."""
ENOUGH = 1e-6
"""Sum of squared errors at which a search ends: far below what the plant's grain of 0.001 allows."""
_SOFTEST, _STIFFEST = 1e-6, 1e6


class Room(Record):
    """Intermediate results."""

    inputs = field(shape=INPUTS)
    error = field(shape=GOALS, meaning="in units that count alike")
    slope = field(shape=(GOALS, SETTINGS), meaning="its derivatives")
    normal = field(shape=(GOALS, GOALS + 1), meaning="a system of equations, the right side last")
    best = field(shape=SETTINGS)
    before = field(shape=SETTINGS)


ROOM = Room.dtype()


@kernel
def miss(r, goals):
    """The sum of squared errors of the set values in ``inputs``; writes errors and slopes."""
    for k in range(GOALS):
        r.error[k] = LEVEL[GOAL_OUTPUTS[k]]
        for i in range(SETTINGS):
            r.slope[k, i] = 0.0
    for h in range(HIDDEN):
        total = BIAS[h]
        for i in range(INPUTS):
            total += INWARD[h, i] * r.inputs[i]
        active = fmath.tanh(total)
        for k in range(GOALS):
            weight = OUTWARD[h, GOAL_OUTPUTS[k]]
            r.error[k] += weight * active
            for i in range(SETTINGS):
                r.slope[k, i] += weight * (1.0 - active * active) * INWARD[h, i]
    squares = 0.0
    for k in range(GOALS):
        j = GOAL_OUTPUTS[k]
        r.error[k] = (MEAN[j] + SPREAD[j] * r.error[k] - goals[k]) / GOAL_SCALES[k]
        for i in range(SETTINGS):
            r.slope[k, i] *= SPREAD[j] / GOAL_SCALES[k]
        squares += r.error[k] * r.error[k]
    return squares


@kernel
def _hold(r):
    """Take out of the slopes what presses against its bound."""
    for i in range(SETTINGS):
        pull = 0.0
        for k in range(GOALS):
            pull -= r.slope[k, i] * r.error[k]
        if (r.inputs[i] >= 1.0 and pull > 0.0) or (r.inputs[i] <= -1.0 and pull < 0.0):
            for k in range(GOALS):
                r.slope[k, i] = 0.0


@kernel
def _solve(r, damping):
    """Put the solution of (J J' + damping) x = error into the last column, by elimination."""
    m = r.normal
    for a in range(GOALS):
        for b in range(GOALS):
            m[a, b] = damping if a == b else 0.0
            for i in range(SETTINGS):
                m[a, b] += r.slope[a, i] * r.slope[b, i]
        m[a, GOALS] = r.error[a]
    for a in range(GOALS):
        for b in range(GOALS):
            if b != a:
                share = m[b, a] / m[a, a]
                for c in range(GOALS + 1):
                    m[b, c] -= share * m[a, c]
    for a in range(GOALS):
        m[a, GOALS] /= m[a, a]


@kernel
def descend(r, goals, rounds):
    """Improve the set values in ``inputs``, from -1 to 1; returns their sum of squared errors."""
    damping = 1.0
    squares = miss(r, goals)
    for _ in range(rounds):
        if squares < ENOUGH:
            break
        _hold(r)
        _solve(r, damping)
        for i in range(SETTINGS):
            r.before[i] = r.inputs[i]
            move = 0.0
            for k in range(GOALS):
                move -= r.slope[k, i] * r.normal[k, GOALS]
            r.inputs[i] = min(max(r.inputs[i] + move, -1.0), 1.0)
        found = miss(r, goals)
        if found < squares:
            squares, damping = found, max(0.2 * damping, _SOFTEST)
        else:
            damping = min(8.0 * damping, _STIFFEST)
            for i in range(SETTINGS):
                r.inputs[i] = r.before[i]
            miss(r, goals)  # the slopes there again
    return squares


@kernel
def plan(s, r, rounds, starts, action):
    """Write the set values that come nearest to what is wanted."""
    write_surroundings(s, r.inputs)
    least = np.inf
    for n in range(starts):
        for i in range(SETTINGS):
            r.inputs[i] = _STARTS[n, i]
        squares = descend(r, s.goals, rounds)
        if squares < least:
            least = squares
            for i in range(SETTINGS):
                r.best[i] = r.inputs[i]
        if least < ENOUGH:
            break
    for i in range(SETTINGS):
        action[i] = r.best[i]


@kernel
def plan_batch(states, rooms, rounds, starts, actions):
    """Write the action of every instance."""
    r = rooms[0]
    for i in range(states.shape[0]):
        plan(states[i], r, rounds, starts, actions[i])
