"""What is seen of a state, and how it is observed."""

from envsuite.core import kernel
from envsuite.core.fmath import asin, atan2
from envsuite.manipulation.panda.arm import look_at
from envsuite.manipulation.panda.goals import judge
from envsuite.manipulation.panda.params import FLIP
from envsuite.manipulation.panda.scenes import JOINTS
from envsuite.rigid.spatial import multiply

_STEEP = 0.99999
"""Sine of the pitch from which PyBullet, whose angles these are, gives no roll."""

_RIGHT = 1.5707963267948966


@kernel
def tell_angles(x, y, z, w, out):
    """Write roll, pitch and yaw of a quaternion as PyBullet's `getEulerFromQuaternion` does.

    Args:
        x: of the quaternion, of length 1.
        y: likewise.
        z: likewise.
        w: likewise.
        out: written, rad, (3,).
    """
    sine = 2.0 * (w * y - x * z)
    if abs(sine) >= _STEEP:
        sign = 1.0 if sine > 0.0 else -1.0
        out[0], out[1], out[2] = 0.0, sign * _RIGHT, 2.0 * atan2(-sign * x, sign * y)
        return
    out[0] = atan2(2.0 * (y * z + w * x), w * w - x * x - y * y + z * z)
    out[1] = asin(sine)
    out[2] = atan2(2.0 * (x * y + w * z), w * w + x * x - y * y - z * z)


@kernel
def spin_in_world(w, x, y, z, v, out):
    """Turn a velocity in axes of a body into axes of the world."""
    a, b, c, d = multiply(w, x, y, z, (0.0, v[0], v[1], v[2]))
    _, out[0], out[1], out[2] = multiply(a, b, c, d, (w, -x, -y, -z))


@kernel
def gaze(s, p):
    """Write what is seen of the fingers and the objects."""
    q, v, sight = s.body.qpos, s.body.qvel, s.sight
    sight.opening = q[JOINTS - 2] + q[JOINTS - 1]
    for n in range(p.things):
        at, dof = JOINTS + 7 * n, JOINTS + 6 * n
        for k in range(3):
            sight.place[n, k], sight.velocity[n, k] = q[at + k], v[dof + k]
        w, x, y, z = q[at + 3], q[at + 4], q[at + 5], q[at + 6]
        turn = sight.turn[n]
        turn[0], turn[1], turn[2], turn[3] = x, y, z, w
        tell_angles(x, y, z, w, sight.angles[n])
        spin_in_world(w, x, y, z, v[dof + 3 : dof + 6], sight.spin[n])


@kernel
def look(s, p, w):
    """Write all that is seen."""
    look_at(w.chain, s.body.qpos, s.body.qvel, s.sight.hand, s.sight.hand_velocity)
    gaze(s, p)


@kernel
def observe(s, p, observation):
    """The hand, the opening where fingers move, the objects, the goal."""
    sight, at = s.sight, 6
    for k in range(3):
        observation[k], observation[3 + k] = sight.hand[k], sight.hand_velocity[k]
    if p.grips != 0:
        observation[6] = sight.opening
        at = 7
    for n in range(p.things):
        for k in range(3):
            observation[at + k] = sight.place[n, k]
        at += 3
        turned = 4 if p.task == FLIP else 3
        for k in range(turned):
            observation[at + k] = sight.turn[n, k] if p.task == FLIP else sight.angles[n, k]
        at += turned
        for k in range(3):
            observation[at + k], observation[at + 3 + k] = sight.velocity[n, k], sight.spin[n, k]
        at += 6
    for k in range(observation.shape[0] - at):
        observation[at + k] = s.goal[k]


@kernel
def measure(s, p, info):
    """Write the metrics."""
    info.is_success, info.success_once = s.is_success, s.success_once
    info.distance = judge(s, p)[0]
    info.overflow = s.body.overflow
