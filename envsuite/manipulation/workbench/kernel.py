"""One step at the workbench: the hand or the joints are sent somewhere, physics runs, and the reward is paid."""

from envsuite.core import kernel
from envsuite.core.fmath import atan2, sincos
from envsuite.manipulation.panda.kernel import part_fingers, run, shift_hand, turn_joints
from envsuite.manipulation.panda.scenes import ARM
from envsuite.manipulation.workbench.goals import judge, pay
from envsuite.manipulation.workbench.params import WIPE
from envsuite.manipulation.workbench.scenes import SPONGE
from envsuite.manipulation.workbench.senses import feel, look

WIDEST = 1.9
"""Turn of the hand to which it is steered at most, rad: its last joint stays within its limits at all places."""


@kernel
def _heading(s, p, turn):
    """Where the hand's x axis is to point, from where it points."""
    sight = s.sight
    angle = atan2(sight.heading[1], sight.heading[0]) + p.twist * turn
    sine, cosine = sincos(min(max(angle, -WIDEST), WIDEST))
    return cosine, sine


@kernel
def send(s, p, w, action):
    """Say where joints and fingers go; when wiping, the fingers stay around the sponge."""
    moves = ARM
    if p.by_joints != 0:
        turn_joints(s, p, action)
    else:
        moves = 4
        shift_hand(s, p, w, action, _heading(s, p, action[3]))
    part_fingers(s, 2.0 * SPONGE[1] if p.task == WIPE else s.sight.opening + p.pinch * action[moves])


@kernel
def _wipe(s, p, w):
    """Take away the marks under the sponge, if it presses enough."""
    feel(s, p, w)
    if s.sight.force < p.force:
        return
    frame, place = w.chain.frame, s.sight.place
    for n in range(p.marks):
        x, y = s.marks[n, 0] - place[0], s.marks[n, 1] - place[1]
        along, across = frame[0] * x + frame[3] * y, frame[1] * x + frame[4] * y
        if abs(along) <= SPONGE[0] and abs(across) <= SPONGE[1]:
            s.wiped[n] = 1


@kernel
def step(s, p, w, action):
    """Move, look, wipe and judge; only the horizon ends an episode."""
    send(s, p, w, action)
    run(s, p, w)
    look(s, p, w)
    if p.task == WIPE:
        _wipe(s, p, w)
    s.success = judge(s, p)[1]
    s.success_once = s.success_once or s.success
    return pay(s, p), False
