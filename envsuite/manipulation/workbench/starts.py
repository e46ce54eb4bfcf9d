"""How an episode begins: block or cabinet, peg and marks are drawn."""

from envsuite.core import kernel, rng
from envsuite.core.fmath import cos, sin
from envsuite.manipulation.panda.scenes import JOINTS
from envsuite.manipulation.workbench.goals import judge
from envsuite.manipulation.workbench.params import MOST_MARKS, PEG_INSERTION, WIPE
from envsuite.manipulation.workbench.scenes import PEG
from envsuite.manipulation.workbench.senses import OWN, look

APART = 0.13
"""Least distance of peg and block, m: the hand that grasps the peg does not touch the block."""

GAP = 0.03
"""From a mark to the next, m."""

BEND = 0.4
"""Standard deviation of the turn of the path of marks from one to the next, rad."""

TURN = 6.283185307179586


@kernel
def _draw_fixture(s, p):
    for k in range(3):
        s.fixture[k] = rng.uniform(s.rng, rng.RESET, p.low[k], p.high[k])


@kernel
def _stand(s):
    """Put block or cabinet to its place."""
    half = 0.5 * s.fixture[2]
    place, turn = s.body.mocap_pos, s.body.mocap_quat
    place[0, 0], place[0, 1], place[0, 2] = s.fixture[0], s.fixture[1], 0.0
    turn[0, 0], turn[0, 1], turn[0, 2], turn[0, 3] = cos(half), 0.0, 0.0, sin(half)


@kernel
def _draw_peg(s, p):
    """Stand the peg on the table, away from the block."""
    q = s.body.qpos
    while True:
        for k in range(2):
            q[OWN + k] = rng.uniform(s.rng, rng.RESET, p.low[k], p.high[k])
        x, y = q[OWN] - s.fixture[0], q[OWN + 1] - s.fixture[1]
        if x * x + y * y >= APART * APART:
            break
    half = 0.5 * rng.uniform(s.rng, rng.RESET, p.low[2], p.high[2])
    q[OWN + 2] = PEG[1]
    q[OWN + 3], q[OWN + 4], q[OWN + 5], q[OWN + 6] = cos(half), 0.0, 0.0, sin(half)


@kernel
def _draw_marks(s, p):
    """Lay the marks along a path that winds within bounds; at a bound it draws its way on anew."""
    x = rng.uniform(s.rng, rng.RESET, p.low[0], p.high[0])
    y = rng.uniform(s.rng, rng.RESET, p.low[1], p.high[1])
    way = rng.uniform(s.rng, rng.RESET, 0.0, TURN)
    for n in range(MOST_MARKS):
        s.wiped[n] = 0
        if n >= p.marks:
            s.marks[n, 0] = s.marks[n, 1] = 0.0
            continue
        s.marks[n, 0], s.marks[n, 1] = x, y
        way += rng.normal(s.rng, rng.RESET, 0.0, BEND)
        while True:
            ahead, aside = x + GAP * cos(way), y + GAP * sin(way)
            if p.low[0] <= ahead <= p.high[0] and p.low[1] <= aside <= p.high[1]:
                break
            way = rng.uniform(s.rng, rng.RESET, 0.0, TURN)
        x, y = ahead, aside


@kernel
def reset(s, p, w):
    """Draw what the task has, put the arm into its neutral pose, and look."""
    s.body = p.start
    for k in range(JOINTS):
        s.target[k] = s.body.qpos[k]
    if p.task == WIPE:
        _draw_marks(s, p)
    else:
        _draw_fixture(s, p)
        _stand(s)
        if p.task == PEG_INSERTION:
            _draw_peg(s, p)
    look(s, p, w)
    s.sight.force = 0.0
    s.success = s.success_once = judge(s, p)[1]
