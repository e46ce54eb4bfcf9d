"""How an episode begins: goal and objects are drawn and put there."""

from envsuite.core import kernel, rng
from envsuite.core.fmath import sqrt
from envsuite.manipulation.panda.arm import look_at
from envsuite.manipulation.panda.goals import judge
from envsuite.manipulation.panda.params import FEW, FLIP, PICK_AND_PLACE, STACK
from envsuite.manipulation.panda.scenes import CUBE, JOINTS
from envsuite.manipulation.panda.senses import gaze

ABOVE = 0.03
"""Height at which panda-gym puts Slide's puck and its goal, m, and Stack's second cube twice as high."""


@kernel
def _draw_turn(s):
    """A goal that is a turn, uniform on the sphere of quaternions."""
    drawn = s.sight.turn[0]  # room in double precision, which `gaze` overwrites
    while True:
        square = 0.0
        for k in range(4):
            drawn[k] = rng.normal(s.rng, rng.RESET, 0.0, 1.0)
            square += drawn[k] * drawn[k]
        if square > 1e-6:
            break
    length = sqrt(square)
    for k in range(4):
        s.goal[k] = drawn[k] / length


@kernel
def _draw_goal(s, p):
    if p.task == FLIP:
        _draw_turn(s)
        return
    for k in range(3):
        s.goal[k] = rng.uniform(s.rng, rng.RESET, p.goal_low[k], p.goal_high[k])
    if p.task == PICK_AND_PLACE and rng.uniform(s.rng, rng.RESET, 0.0, 1.0) < p.lying:
        s.goal[2] = p.goal_low[2]
    if p.task == STACK:
        s.goal[3], s.goal[4], s.goal[5] = s.goal[0], s.goal[1], s.goal[2] + 2.0 * CUBE


@kernel
def _draw_things(s, p):
    """Draw places of objects, again where they are too near to each other."""
    q = s.body.qpos
    while True:
        for n in range(p.things):
            first = JOINTS + 7 * n
            for k in range(2):
                q[first + k] = rng.uniform(s.rng, rng.RESET, -p.spread, p.spread)
            q[first + 2] = p.height
        if p.things < 2:
            return
        if p.original != 0:
            q[JOINTS + 9] += 2.0 * CUBE
            return
        x, y = q[JOINTS + 7] - q[JOINTS], q[JOINTS + 8] - q[JOINTS + 1]
        if x * x + y * y >= p.apart * p.apart:
            return


@kernel
def arrange(s, p):
    """Draw goal and objects, again where the goal is met already, and put everything there, at rest."""
    s.body = p.start
    for k in range(JOINTS):
        s.target[k] = s.body.qpos[k]
    for _ in range(FEW):
        _draw_goal(s, p)
        _draw_things(s, p)
        gaze(s, p)
        if p.original != 0 or not judge(s, p)[1]:
            return


@kernel
def reset(s, p, w):
    """Draw goal and objects, put the arm into its neutral pose, and look."""
    look_at(w.chain, p.start.qpos, p.start.qvel, s.sight.hand, s.sight.hand_velocity)
    arrange(s, p)
    s.is_success = s.success_once = judge(s, p)[1]
