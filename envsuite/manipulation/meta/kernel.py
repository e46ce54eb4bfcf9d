"""One step of a task of Meta-World: the hand moves, the fingers press, and the reward is paid."""

import numpy as np

from envsuite.core import kernel
from envsuite.manipulation.meta.choosing import one_of
from envsuite.manipulation.meta.early import pay_early
from envsuite.manipulation.meta.params import EARLY, SPARSE
from envsuite.manipulation.meta.senses import gaze, see
from envsuite.manipulation.meta.shaping import apart, point
from envsuite.manipulation.meta.state import SIGHT
from envsuite.manipulation.meta.tasks import TASKS
from envsuite.rigid.integrate import forward
from envsuite.rigid.integrate import step as advance

STEP = 0.01  # m, of the hand's place in one step at a full action

pay = one_of("meta_pay", [task.reward for task in TASKS.values()])
"""Kernel (task, look) that returns reward and success."""


@kernel
def send(s, p, axis, way):
    """Move the place that the hand is held to along an axis, in m."""
    sheet, place = p.sheet, s.body.mocap_pos[0]
    place[axis] = min(max(place[axis] + way, sheet.reach_low[axis]), sheet.reach_high[axis])


@kernel
def press(s, grip):
    """Let the fingers press."""
    s.look.grip = grip
    s.body.ctrl[0], s.body.ctrl[1] = grip, -grip


@kernel
def judged(s, p, w, first):
    """Look at what became of a step, of an attempt's first one or another: reward, and that nothing ends."""
    sheet, k = p.sheet, s.look
    for i in range(SIGHT):
        s.before[i] = s.sight[i]
    gaze(s, p, w)
    if sheet.late != 0 and first and p.reward != EARLY:
        k.begun = apart(point(k.obj), point(k.goal))
    reward, done = pay(sheet.task, k)
    if p.reward == EARLY:
        see(p, w, sheet.fingers[2], k.left)
        reward = pay_early(sheet.task, k)
    elif p.reward == SPARSE:
        reward = 1.0 if done else 0.0
    s.success = done
    s.success_once = s.success_once or done
    return reward, False


@kernel
def move(s, p, w, action):
    """Move the place that the hand is held to, and let the fingers press."""
    for i in range(3):
        send(s, p, i, STEP * action[i])
    press(s, np.float64(action[3]))
    for _ in range(p.frame_skip):
        advance(p.model, s.body, w)


@kernel
def step(s, p, w, action):
    """Move, and look; only the horizon ends an episode."""
    move(s, p, w, action)
    return judged(s, p, w, s.clock.step == 1)


@kernel
def step_with_arm(s, p, w, action):
    """As `step`; what is seen is as it is after the last step of physics, not before it."""
    for i in range(3):
        send(s, p, i, np.float64(np.float32(STEP) * np.float32(action[i])))
    press(s, np.float64(action[3]))
    for _ in range(p.frame_skip):
        advance(p.model, s.body, w)
    forward(p.model, s.body, w)
    return judged(s, p, w, s.clock.step == 1)
