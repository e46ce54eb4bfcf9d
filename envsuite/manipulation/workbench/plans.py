"""What the scripted players do: where the hand goes, how it turns and what the fingers do, by what is observed.

A plan is a kernel of an observation that returns the place of the hand, m, the largest step towards it as a share of
a full action, how far the hand turns, rad, and the action of the fingers. It remembers nothing.
"""

import numpy as np

from envsuite.core import kernel
from envsuite.core.fmath import atan2, cos, sin, sqrt
from envsuite.manipulation.panda.plans import CALM, FAST, OPEN, SHUT, SLOW
from envsuite.manipulation.workbench.goals import GRIP, SLACK
from envsuite.manipulation.workbench.params import DOOR, DRAWER, PEG_INSERTION
from envsuite.manipulation.workbench.scenes import BLOCK_HEIGHT, DOOR_HANDLE, PEG, SPONGE_FORCE, SPONGE_WAY

OVER = 0.06
"""Height above what is grasped at which the hand passes over it, m."""

CLEAR = 0.02
"""Height of the peg's end above the block on the way to the hole, m."""

NEARLY = 0.0015
"""Distance from the line of the hole up to which the peg goes down, m."""

LIGHT = 0.25
"""Share of a full action with which it goes down."""

STRAIGHT = 0.03
"""Angle from which the hand is turned before it goes down, rad."""

BEHIND = 0.023
"""From the middle of the drawer's handle to the hand that pulls it from behind, m."""

HAUL = 0.03
"""How far ahead of itself the hand is sent when it pulls, m."""

MORE = 0.006, 0.04
"""How far drawer, m, and door, rad, are opened beyond what is asked for."""

HIGHER = 0.005
"""Height of the hand above the middle of the handle that it holds, m."""

PRESSING = 1.5
"""Times the force that is needed, the sponge is pressed."""

QUARTER, HALF = 0.5 * np.pi, np.pi


@kernel
def _length(x, y):
    return sqrt(x * x + y * y)


@kernel
def _least(angle, period):
    """An angle less whole periods, within half a period of 0."""
    while angle > 0.5 * period:
        angle -= period
    while angle < -0.5 * period:
        angle += period
    return angle


@kernel
def _descend(o, x, y, z, over, turn, grip):
    """Go over a place, turned, and down to it."""
    away, low = _length(x - o[0], y - o[1]), o[2] < over - 0.02
    near, straight = (0.016, 4.0 * STRAIGHT) if low else (0.008, 2.0 * STRAIGHT)
    if away > near or abs(turn) > straight or _length(o[3], o[4]) > CALM:
        if away > 0.03 and low:
            return (o[0], o[1], over), FAST, turn, grip
        return (x, y, max(over, o[2]) if away > 0.02 or o[2] > z + 0.03 else o[2]), FAST, turn, grip
    return (x, y, z), SLOW, turn, grip


@kernel
def insert(o):
    """Grasp the peg, turn it as the block is turned, and put it into the hole."""
    own = atan2(o[7], o[6])
    x, y, z, w = o[12], o[13], o[14], o[15]
    yaw = atan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z))
    px, py, pz = o[9], o[10], o[11]
    near = _length(px - o[0], py - o[1]) < 0.015 and abs(pz + GRIP - o[2]) < 0.015
    if not (near and abs(o[8] - 2.0 * PEG[0]) < SLACK):
        turn = _least(yaw - own, QUARTER)
        if near and abs(pz + GRIP - o[2]) < 0.006:
            return (px, py, pz + GRIP), SLOW, turn, SHUT
        return _descend(o, px, py, pz + GRIP, pz + GRIP + OVER, turn, OPEN)
    turn = _least(atan2(o[26], o[25]) - yaw, QUARTER)
    gx, gy, low = o[22] - px, o[23] - py, pz - PEG[1]
    away = _length(gx, gy)
    high = BLOCK_HEIGHT + CLEAR
    if low < BLOCK_HEIGHT - 0.002 and away < PEG[0]:  # in the hole
        return (o[0] + gx, o[1] + gy, o[2] - low - 0.002), LIGHT, turn, SHUT
    if low < BLOCK_HEIGHT + 0.002 and away > NEARLY:  # on the block or beside it
        return (o[0], o[1], o[2] + high - low), SLOW, 0.0, SHUT
    if away > 0.02 and low < high - 0.01:
        return (o[0], o[1], o[2] + high - low), SLOW, 0.0, SHUT
    if away > NEARLY or abs(turn) > 0.01 or _length(o[3], o[4]) > 0.05:
        return (o[0] + gx, o[1] + gy, o[2]), SLOW, turn, SHUT
    return (o[0] + gx, o[1] + gy, o[2] - low), LIGHT, turn, SHUT


@kernel
def pull(o, need):
    """Go behind the drawer's handle from above with shut fingers, pull, and rise once it is open."""
    turn = _least(atan2(o[13], o[12]) - atan2(o[7], o[6]), HALF)
    hx, hy, hz = o[9], o[10], o[11]
    cx, cy = o[12], o[13]  # into the cabinet
    dx, dy = o[0] - hx, o[1] - hy
    along, across = dx * cx + dy * cy, dx * cy - dy * cx
    if o[14] > need + MORE[0]:
        return (o[0], o[1], hz + OVER), SLOW, 0.0, SHUT
    if o[2] < hz + 0.02 and 0.0 < along < 0.04 and abs(across) < 0.03:
        if o[2] > hz + HIGHER + 0.004:
            return (o[0], o[1], hz + HIGHER), SLOW, turn, SHUT
        return (o[0] - HAUL * cx - across * cy, o[1] - HAUL * cy + across * cx, hz + HIGHER), SLOW, turn, SHUT
    return _descend(o, hx + BEHIND * cx, hy + BEHIND * cy, hz + HIGHER, hz + OVER, turn, SHUT)


@kernel
def swing(o, side, need):
    """Grasp the door's handle from above and take it around the hinge."""
    own = atan2(o[13], o[12]) - side * o[14]
    turn = _least(own - atan2(o[7], o[6]), HALF)
    hx, hy, hz = o[9], o[10], o[11] + HIGHER
    away = _length(hx - o[0], hy - o[1])
    if away < 0.015 and abs(o[2] - hz) < 0.012:
        if o[14] > need + MORE[1]:
            return (o[0], o[1], o[2]), SLOW, 0.0, SHUT
        if o[8] > 0.02:
            return (hx, hy, hz), 0.2, turn, SHUT
        # the way of the handle, from its place about the hinge
        x, y = DOOR_HANDLE[0], -side * DOOR_HANDLE[1]
        c, d = cos(own), sin(own)
        rx, ry = c * x - d * y, d * x + c * y
        ahead = HAUL / _length(rx, ry)
        return (hx + ahead * side * ry, hy - ahead * side * rx, hz), SLOW, turn, SHUT
    return _descend(o, hx, hy, hz, hz + OVER, turn, OPEN)


@kernel
def wipe(o, marks, force):
    """Press on the nearest mark that is left, sliding from one to the next."""
    nearest, tx, ty = np.inf, o[8], o[9]
    for n in range(marks):
        if o[12 + 2 * marks + n] < 0.5:
            x, y = o[12 + 2 * n], o[13 + 2 * n]
            square = (x - o[8]) * (x - o[8]) + (y - o[9]) * (y - o[9])
            if square < nearest:
                nearest, tx, ty = square, x, y
    down = o[10]
    if o[10] < 0.003:
        wanted = min(PRESSING * force, 0.9 * SPONGE_FORCE)
        down = (wanted - o[11]) * SPONGE_WAY / SPONGE_FORCE
    if nearest > 0.03 * 0.03 and o[11] == 0.0 and nearest < np.inf:  # not yet there
        down = o[10] - 0.02
    return (o[0] + tx - o[8], o[1] + ty - o[9], o[2] - down), SLOW, 0.0, SHUT


@kernel
def plan(task, o, need, side, marks, force):
    """What the player of a task does.

    Args:
        task: its number.
        o: the observation, float64.
        need: way of drawer or door that is asked for, m or rad.
        side: of the door's hinge.
        marks: their number.
        force: with which marks are wiped, N.
    """
    if task == PEG_INSERTION:
        return insert(o)
    if task == DRAWER:
        return pull(o, need)
    if task == DOOR:
        return swing(o, side, need)
    return wipe(o, marks, force)
