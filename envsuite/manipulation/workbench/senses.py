"""What is seen of a state, and how it is observed."""

from envsuite.core import kernel
from envsuite.core.fmath import cos, sin, sqrt
from envsuite.manipulation.panda.arm import look_at
from envsuite.manipulation.panda.scenes import ARM, JOINTS
from envsuite.manipulation.panda.senses import spin_in_world
from envsuite.manipulation.workbench.goals import judge
from envsuite.manipulation.workbench.params import DOOR, PEG_INSERTION, WIPE
from envsuite.manipulation.workbench.scenes import BLOCK_HEIGHT, DOOR_HANDLE, DOOR_HINGE, DRAWER_HANDLE, SPONGE

OWN = JOINTS
"""Coordinate of the peg's place, of drawer, door or sponge."""

_STEEP = 1e-6


@kernel
def _head(frame, heading):
    """Write where the hand's x axis points, seen from above; along the world's where it is upright."""
    x, y = frame[0], frame[3]
    length = sqrt(x * x + y * y)
    if length < _STEEP:
        heading[0], heading[1] = 1.0, 0.0
    else:
        heading[0], heading[1] = x / length, y / length


@kernel
def _see_peg(s):
    q, v, sight = s.body.qpos, s.body.qvel, s.sight
    for k in range(3):
        sight.place[k], sight.velocity[k] = q[OWN + k], v[OWN + k]
    w, x, y, z = q[OWN + 3], q[OWN + 4], q[OWN + 5], q[OWN + 6]
    sight.turn[0], sight.turn[1], sight.turn[2], sight.turn[3] = x, y, z, w
    spin_in_world(w, x, y, z, v[OWN + 3 : OWN + 6], sight.spin)


@kernel
def handle_at(task, side, fixture, way):
    """Where the middle of a handle is, (x, y, z), m.

    Args:
        task: its number, of drawer or door.
        side: of the door's hinge.
        fixture: x, y and turn of the cabinet, m and rad.
        way: that drawer or door is open, m or rad.
    """
    x, y, z = DRAWER_HANDLE[0] - way, DRAWER_HANDLE[1], DRAWER_HANDLE[2]
    if task == DOOR:
        c, d = cos(-side * way), sin(-side * way)
        x, y, z = DOOR_HANDLE[0], -side * DOOR_HANDLE[1], DOOR_HANDLE[2]
        x, y = DOOR_HINGE[0] + c * x - d * y, side * DOOR_HINGE[1] + d * x + c * y
    c, d = cos(fixture[2]), sin(fixture[2])
    return fixture[0] + c * x - d * y, fixture[1] + d * x + c * y, z


@kernel
def _see_handle(s, p):
    way, place = s.body.qpos[OWN], s.sight.place
    s.sight.way, s.sight.pace = way, s.body.qvel[OWN]
    place[0], place[1], place[2] = handle_at(p.task, p.side, s.fixture, way)


@kernel
def _see_sponge(s, c):
    """Write where the sponge's lower face is; the arm's geometry is that of the joints now."""
    low = 2.0 * SPONGE[2] - s.body.qpos[OWN]
    for k in range(3):
        s.sight.place[k] = c.tip[k] + low * c.frame[3 * k + 2]


@kernel
def feel(s, p, w):
    """Write the force of the sponge on the table in the last step of physics."""
    work, total = w.physics, 0.0
    for c in range(work.ncon):
        if work.con_pair[c] == p.pressed and work.con_row[c] >= 0:
            total += work.efc_force[work.con_row[c]]
    s.sight.force = total


@kernel
def look(s, p, w):
    """Write all that is seen but the force."""
    sight = s.sight
    look_at(w.chain, s.body.qpos, s.body.qvel, sight.hand, sight.hand_velocity)
    _head(w.chain.frame, sight.heading)
    sight.opening = s.body.qpos[ARM] + s.body.qpos[ARM + 1]
    if p.task == PEG_INSERTION:
        _see_peg(s)
    elif p.task == WIPE:
        _see_sponge(s, w.chain)
    else:
        _see_handle(s, p)


@kernel
def _observe_peg(s, o, at):
    sight = s.sight
    for k in range(3):
        o[at + k], o[at + 7 + k], o[at + 10 + k] = sight.place[k], sight.velocity[k], sight.spin[k]
    for k in range(4):
        o[at + 3 + k] = sight.turn[k]
    o[at + 13], o[at + 14], o[at + 15] = s.fixture[0], s.fixture[1], BLOCK_HEIGHT
    o[at + 16], o[at + 17] = cos(s.fixture[2]), sin(s.fixture[2])
    return at + 18


@kernel
def _observe_handle(s, o, at):
    for k in range(3):
        o[at + k] = s.sight.place[k]
    o[at + 3], o[at + 4] = cos(s.fixture[2]), sin(s.fixture[2])
    o[at + 5], o[at + 6] = s.sight.way, s.sight.pace
    return at + 7


@kernel
def _observe_marks(s, p, o, at):
    for k in range(3):
        o[at + k] = s.sight.place[k]
    o[at + 3] = s.sight.force
    at += 4
    for n in range(p.marks):
        o[at + 2 * n], o[at + 2 * n + 1] = s.marks[n, 0], s.marks[n, 1]
        o[at + 2 * p.marks + n] = s.wiped[n]
    return at + 3 * p.marks


@kernel
def observe(s, p, observation):
    """The hand, the things of the task, the joints."""
    sight, o = s.sight, observation
    for k in range(3):
        o[k], o[3 + k] = sight.hand[k], sight.hand_velocity[k]
    o[6], o[7], o[8] = sight.heading[0], sight.heading[1], sight.opening  # wiping writes over the last
    if p.task == PEG_INSERTION:
        at = _observe_peg(s, o, 9)
    elif p.task == WIPE:
        at = _observe_marks(s, p, o, 8)
    else:
        at = _observe_handle(s, o, 9)
    for j in range(ARM):
        o[at + j], o[at + ARM + j] = s.body.qpos[j], s.body.qvel[j]


@kernel
def measure(s, p, info):
    """Write the metrics."""
    info.success, info.success_once = s.success, s.success_once
    info.distance = judge(s, p)[0]
    info.overflow = s.body.overflow
