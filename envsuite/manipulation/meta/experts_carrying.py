"""Scripted players of the tasks in which something is grasped; places and gains as in metaworld 3.1.1's policies.

Each takes an observation (39,) and returns a gain, a place and the action of the fingers.
"""

from envsuite.core import kernel
from envsuite.manipulation.meta.shaping import apart, flat, plus
from envsuite.manipulation.meta.skills import (
    DESCEND,
    THERE,
    TRAVEL,
    approach,
    beside,
    goal_of,
    hand_of,
    over,
    thing_of,
)


@kernel
def assembly(o):
    """Over the nut, down, up to the peg's height, over the peg, down."""
    h, a, peg = hand_of(o), thing_of(o, -0.02, 0.0, 0.0), goal_of(o, 0.12, 0.0, 0.14)
    phase, to = approach(h, a, 0.02, 0.1, 0.05)
    if phase != TRAVEL and flat(h, peg) <= 0.02:
        to = plus(peg, 0.0, 0.0, -0.2)
    elif phase == DESCEND:
        to = plus(a, 0.0, 0.0, 0.03)
    elif phase == THERE:
        to = (h[0], h[1], peg[2]) if abs(h[2] - peg[2]) > 0.04 else peg
    return 10.0, to, 0.6 if beside(h, a, 0.02, 0.12) else 0.0


@kernel
def disassemble(o):
    """To the nut, then straight up."""
    h, a = hand_of(o), thing_of(o, -0.02, 0.0, 0.01)
    phase, to = approach(h, a, 0.02, 0.1, 0.03)
    to = plus(h, 0.0, 0.0, 0.1) if phase == THERE else to
    return 10.0, to, 0.8 if beside(h, a, 0.02, 0.07) else 0.0


@kernel
def basketball(o):
    """To the ball, up, to the hoop."""
    h, a, hoop = hand_of(o), thing_of(o, 0.0, 0.0, 0.01), (o[36], 0.875, 0.35)
    phase, to = approach(h, a, 0.04, 0.3, 0.025)
    if phase == THERE:
        to = (h[0], h[1], hoop[2]) if abs(a[2] - hoop[2]) > 0.025 else hoop
    return 25.0, to, 0.6 if beside(h, thing_of(o, 0.0, 0.0, 0.0), 0.04, 0.15) else -1.0


@kernel
def bin_picking(o):
    """To the cube, up, over the other bin, down."""
    h, a, place = hand_of(o), thing_of(o, 0.0, 0.0, 0.03), (0.12, 0.7, 0.02)
    a = (a[0], max(0.675, min(a[1], 0.725)), a[2])
    phase, to = approach(h, a, 0.02, 0.15, 0.01)
    if phase == THERE:
        to = place
        if flat(h, place) > 0.02:
            to = plus(h, 0.0, 0.0, 0.1) if h[2] < 0.15 else (place[0], place[1], 0.18)
    return 25.0, to, 0.6 if beside(h, a, 0.02, 0.02) else -1.0


@kernel
def box_close(o):
    """To the lid, up, over the box."""
    h, a, box = hand_of(o), thing_of(o, 0.0, 0.0, 0.02), (o[36], o[37], 0.15)
    phase, to = approach(h, a, 0.01, 0.0, 0.05)
    if phase == TRAVEL:
        to = (a[0], a[1], 0.2)
    elif phase == THERE:
        to = (h[0], h[1], box[2]) if abs(h[2] - box[2]) > 0.04 else box
    return 25.0, to, 1.0 if beside(h, a, 0.01, 0.13) else 0.5


@kernel
def coffee_pull(o):
    """To the mug, then to the goal."""
    h, a = hand_of(o), thing_of(o, -0.005, 0.0, 0.05)
    phase, to = approach(h, a, 0.06, 0.15, 0.02)
    to = goal_of(o, 0.0, 0.0, 0.0) if phase == THERE else to
    return 10.0, to, 0.7 if beside(h, thing_of(o, 0.01, 0.0, 0.05), 0.06, 0.1) else -1.0


@kernel
def coffee_push(o):
    """To the mug, then over the goal."""
    h, a = hand_of(o), thing_of(o, 0.01, 0.0, 0.05)
    phase, to = approach(h, a, 0.06, 0.2, 0.02)
    to = (o[36], o[37], 0.1) if phase == THERE else to
    return 10.0, to, 0.5 if beside(h, a, 0.06, 0.1) else -1.0


@kernel
def hammer(o):
    """To the handle, in front of the nail, against it."""
    h, a, nail = hand_of(o), thing_of(o, -0.04, 0.0, -0.01), (0.05, 0.71, 0.16)
    phase, to = approach(h, a, 0.04, 0.1, 0.05)
    if phase == DESCEND and a[2] < 0.03:
        to = plus(a, 0.0, 0.0, 0.03)
    elif phase != TRAVEL:
        aside = apart((h[0], nail[1], h[2]), nail) > 0.02
        to = (nail[0], h[1], nail[2]) if aside else nail
    return 10.0, to, 0.8 if beside(h, a, 0.04, 0.1) else 0.0


@kernel
def hand_insert(o):
    """To the cube, over the hole, into it."""
    h, a, goal = hand_of(o), thing_of(o, 0.0, 0.0, 0.0), goal_of(o, 0.0, 0.0, 0.0)
    phase, to = approach(h, a, 0.02, 0.1, 0.05)
    if phase == DESCEND:
        to = plus(a, 0.0, 0.0, 0.03)
    elif phase == THERE:
        to = (goal[0], goal[1], h[2]) if flat(h, goal) > 0.04 else goal
    return 10.0, to, 0.65 if beside(h, a, 0.02, 0.1) else 0.0


@kernel
def peg_insert_side(o):
    """To the peg, in front of the hole, into it."""
    h, a, hole = hand_of(o), thing_of(o, 0.0, 0.0, 0.0), (-0.35, o[37], 0.16)
    phase, to = approach(h, a, 0.04, 0.3, 0.025)
    if phase == THERE:
        aside = apart((hole[0], a[1], a[2]), hole) > 0.03
        to = plus(hole, 0.4 if aside else 0.0, 0.0, 0.0)
    return 25.0, to, 0.6 if beside(h, a, 0.04, 0.15) else -1.0


@kernel
def peg_unplug_side(o):
    """Over the plug, at its height, away from the wall."""
    h, a = hand_of(o), thing_of(o, -0.02, 0.0, 0.035)
    to = plus(h, 0.01, 0.0, 0.0)
    if flat(h, a) > 0.04:
        to = plus(a, 0.0, 0.0, 0.2)
    elif abs(h[2] - 0.15) > 0.02:
        to = (a[0], a[1], 0.15)
    return 25.0, to, 0.1 if beside(h, a, 0.04, 0.15) else -1.0


@kernel
def pick_out_of_hole(o):
    """To the puck, up to the goal's height, to the goal."""
    h, a, goal = hand_of(o), thing_of(o, 0.0, 0.0, 0.02), goal_of(o, 0.0, 0.0, 0.0)
    phase, to = approach(h, a, 0.02, 0.15, 0.01)
    if phase == THERE:
        to = (h[0], h[1], goal[2]) if abs(h[2] - goal[2]) > 0.04 else goal
    return 25.0, to, 0.1 if beside(h, a, 0.02, 0.15) else 0.0


@kernel
def pick_place(o):
    """To the puck, wait for the fingers, to the goal."""
    h, a = hand_of(o), thing_of(o, -0.005, 0.0, 0.0)
    phase, to = approach(h, a, 0.02, 0.1, 0.05)
    if phase == DESCEND and a[2] < 0.04:
        to = plus(a, 0.0, 0.0, 0.03)
    elif phase != TRAVEL:
        to = h if o[3] > 0.73 else goal_of(o, 0.0, 0.0, 0.0)
    return 10.0, to, 1.0 if apart(h, thing_of(o, 0.0, 0.0, 0.0)) < 0.07 else 0.0


@kernel
def pick_place_wall(o):
    """To the puck, up over the wall, over the goal, to it."""
    h, a, goal = hand_of(o), thing_of(o, -0.005, 0.0, 0.0), goal_of(o, 0.0, 0.0, 0.0)
    phase, to = approach(h, a, 0.015, 0.1, 0.04)
    if phase == DESCEND and a[2] < 0.03:
        to = plus(a, 0.0, 0.0, 0.03)
    elif phase != TRAVEL:
        wall = over(h, -0.15, 0.35, 0.6, 0.8)
        if wall and h[2] < 0.25:
            to = plus(h, 0.0, 0.0, 1.0)
        elif wall and h[2] < 0.35:
            to = (goal[0], goal[1], h[2])
        else:
            to = (h[0], h[1], goal[2]) if abs(h[2] - goal[2]) > 0.01 else goal
    return 10.0, to, 0.9 if beside(h, thing_of(o, 0.0, 0.0, 0.0), 0.015, 0.1) else 0.0


@kernel
def push(o):
    """To the puck, to the goal."""
    return _pushes(o, goal_of(o, 0.0, 0.0, 0.0))


@kernel
def push_wall(o):
    """To the puck, past the wall, to the goal."""
    h, a, to = hand_of(o), thing_of(o, -0.005, 0.0, 0.0), goal_of(o, 0.0, 0.0, 0.0)
    if over(a, -0.1, 0.3, 0.65, 0.75):
        to = plus(h, -1.0, 0.0, 0.0)
    elif (-0.15 < a[0] < 0.05 or 0.15 < a[0] < 0.35) and 0.695 <= a[1] <= 0.755:
        to = plus(h, 0.0, 1.0, 0.0)
    return _pushes(o, to)


@kernel
def _pushes(o, goal):
    h, a = hand_of(o), thing_of(o, -0.005, 0.0, 0.0)
    phase, to = approach(h, a, 0.02, 0.2, 0.04)
    if phase == DESCEND:
        to = plus(a, 0.0, 0.0, 0.03)
    elif phase == THERE:
        to = goal
    return 10.0, to, 0.6 if beside(h, thing_of(o, 0.0, 0.0, 0.0), 0.02, 0.1) else 0.0


@kernel
def push_back(o):
    """To the block, back."""
    h, a = hand_of(o), thing_of(o, 0.0, 0.0, 0.0)
    phase, to = approach(h, a, 0.04, 0.3, 0.055)
    to = goal_of(o, 0.0, 0.0, h[2]) if phase == THERE else to
    return 10.0, to, 0.9 if beside(h, a, 0.04, 0.05) else 0.0


@kernel
def shelf_place(o):
    """To the block, in front of the shelf, up, onto it."""
    h, a = hand_of(o), thing_of(o, -0.005, 0.0, 0.015)
    phase, to = approach(h, a, 0.04, 0.3, 0.04)
    if phase == THERE:
        if abs(h[0] - o[36]) > 0.02:
            to = (o[36], h[1], 0.3)
        else:
            to = plus(h, 0.0, 0.0, 0.3) if h[2] < 0.3 else plus(h, 0.0, 0.05, 0.0)
    return 25.0, to, 0.7 if beside(h, thing_of(o, 0.0, 0.0, 0.0), 0.04, 0.15) else -1.0


@kernel
def soccer(o):
    """Behind the ball, then to it."""
    h, ball, side = hand_of(o), thing_of(o, 0.0, 0.0, 0.03), o[4] - o[36]
    x = -0.03 if side < -0.05 else 0.03 if side > 0.05 else 0.0
    behind = (ball[0] + x, ball[1] + (0.0 if x != 0.0 else -0.03), 0.1 if flat(h, ball) < 0.02 else 0.03)
    return 25.0, behind if apart(h, behind) > 0.01 else ball, 1.0


@kernel
def stick_push(o):
    """To the stick, against the thermos, to the goal."""
    return _stick(o, 10.0, 0.015, (o[11], o[12], o[13]), goal_of(o, 0.0, 0.0, 0.132))


@kernel
def stick_pull(o):
    """To the stick, through the handle, to the goal."""
    return _stick(o, 25.0, -0.015, (o[11] - 0.015, o[12], o[13] + 0.03), goal_of(o, -0.05, 0.0, 0.0))


@kernel
def _stick(o, gain, grasp, thermos, goal):
    h, a, to = hand_of(o), thing_of(o, grasp, 0.0, 0.03), goal
    if abs(a[0] - thermos[0]) > 0.04:
        phase, to = approach(h, a, 0.02, 0.1, 0.02)
        if phase == THERE:
            to = thermos
            if abs(a[1] - thermos[1]) > 0.02:
                to = (a[0], thermos[1], a[2])
            elif abs(a[2] - thermos[2]) > 0.02:
                to = (a[0], thermos[1], thermos[2])
    return gain, to, 0.7 if beside(h, a, 0.02, 0.1) else -1.0


@kernel
def sweep(o):
    """To the cube, over the edge."""
    h, a = hand_of(o), thing_of(o, 0.0, 0.0, 0.015)
    phase, to = approach(h, a, 0.04, 0.3, 0.04)
    if h[0] >= 0.2 or phase == THERE:
        to = goal_of(o, 0.0, 0.0, 0.1)
    held = beside(h, thing_of(o, 0.0, 0.0, 0.0), 0.04, 0.15) and o[4] < 0.4
    return 25.0, to, 0.7 if held else -1.0


@kernel
def sweep_into(o):
    """To the cube, to the hole."""
    h, a = hand_of(o), thing_of(o, -0.005, 0.0, 0.01)
    phase, to = approach(h, a, 0.04, 0.3, 0.04)
    to = goal_of(o, 0.0, 0.0, 0.0) if phase == THERE else to
    return 25.0, to, 0.7 if beside(h, thing_of(o, 0.0, 0.0, 0.0), 0.04, 0.15) else -1.0


@kernel
def plate_slide(o):
    """Behind the puck, to the net."""
    h, a = hand_of(o), thing_of(o, 0.0, -0.055, 0.03)
    phase, to = approach(h, a, 0.03, 0.1, 0.04)
    return 10.0, (o[36], 0.9, a[2]) if phase == THERE else to, -1.0


@kernel
def plate_slide_side(o):
    """Beside the puck, along."""
    h, a = hand_of(o), thing_of(o, 0.07, 0.0, -0.005)
    phase, to = approach(h, a, 0.04, 0.1, 0.04)
    if phase == THERE:
        to = (h[0] - 0.1, 0.6, h[2]) if h[0] > -0.2 else plus(a, -0.1, 0.0, 0.0)
    return 25.0, to, 1.0


@kernel
def plate_slide_back(o):
    """Into the puck, back, around, along."""
    h, a = hand_of(o), thing_of(o, 0.0, -0.065, 0.025)
    phase, to = approach(h, a, 0.01, 0.1, 0.04)
    if phase == THERE:
        to = (h[0] - 0.1, 0.55, h[2])
        if h[1] > 0.7:
            to = plus(h, 0.0, -0.1, 0.0)
        elif h[1] > 0.6:
            to = (0.15, 0.55, h[2])
    return 10.0, to, -1.0


@kernel
def plate_slide_back_side(o):
    """Into the puck, along."""
    h, a = hand_of(o), thing_of(o, 0.023, 0.0, 0.025)
    phase, to = approach(h, a, 0.01, 0.07, 0.04)
    return 10.0, (h[0] + 0.1, 0.6, h[2]) if phase == THERE else to, 1.0
