"""Running in any direction by a network that runs along +x: that of PPO for ``envsuite/Ant-v0``.

The world is turned until the wanted direction is +x, and the ant is seen in one of four frames
(`envsuite.mazes.ant.frames`), in which it is turned by 45 degrees at most.
"""

import math

from envsuite.core import fmath, kernel
from envsuite.mazes.ant.frames import bend_of, frame_of, motors_of, turned

FEATURES = 105

_LIMIT = 1.0  # N and N m, as in the task that the network was trained on


@kernel
def _spun(x, y, c, s):
    """A vector of the world, turned so that (c, s) becomes (1, 0)."""
    return c * x + s * y, c * y - s * x


@kernel
def sense(s, wanted_x, wanted_y, features):
    """What an ant observes in ``envsuite/Ant-v0``, in the turned world.

    Args:
        s: record of type `envsuite.mazes.ant.body.State`.
        wanted_x: direction in the world, of any length but 0.
        wanted_y: likewise.
        features: (105,), written: height, quaternion, angles, velocities, clipped contact wrenches of 13 bodies.
    """
    q, v, turns = s.body.qpos, s.body.qvel, frame_of(s.body, wanted_x, wanted_y)
    length = math.sqrt(wanted_x * wanted_x + wanted_y * wanted_y)
    c, d = wanted_x / length, wanted_y / length
    _turn(q, 0.5 * fmath.atan2(d, c), 0.25 * math.pi * turns, features)
    features[0] = q[2]
    features[13], features[14] = _spun(v[0], v[1], c, d)
    features[16], features[17] = turned(turns, v[3], v[4])
    features[15], features[18] = v[2], v[5]
    for k in range(4):
        leg = (k + turns) % 4
        sign = bend_of(k) * bend_of(leg)
        features[5 + 2 * k], features[6 + 2 * k] = q[7 + 2 * leg], sign * q[8 + 2 * leg]
        features[19 + 2 * k], features[20 + 2 * k] = v[6 + 2 * leg], sign * v[7 + 2 * leg]
    for b in range(13):
        here = 1 + 3 * (((b - 1) // 3 + turns) % 4) + (b - 1) % 3 if b > 0 else 0
        wrench, at = s.wrenches[1 + here], 27 + 6 * b
        for k in range(0, 6, 3):
            features[at + k], features[at + k + 1] = _spun(wrench[k], wrench[k + 1], c, d)
            features[at + k + 2] = wrench[k + 2]
        for k in range(6):
            features[at + k] = min(max(features[at + k], -_LIMIT), _LIMIT)


@kernel
def _turn(q, world, own, features):
    """Write the quaternion after a turn of the world by minus twice, and of the ant by twice an angle."""
    c, s = fmath.cos(world), -fmath.sin(world)
    a, b, e, f = c * q[3] - s * q[6], c * q[4] - s * q[5], c * q[5] + s * q[4], c * q[6] + s * q[3]
    c, s = fmath.cos(own), fmath.sin(own)
    a, b, e, f = a * c - f * s, b * c + e * s, e * c - b * s, f * c + a * s
    sign = -1.0 if a < 0.0 else 1.0
    features[1], features[2], features[3], features[4] = sign * a, sign * b, sign * e, sign * f


@kernel
def move(turns, moves, action):
    """The action of an ant, from that of the network.

    Args:
        turns: the frame of the network, see `envsuite.mazes.ant.frames.frame_of`.
        moves: (8,), in the order of the motors.
        action: (8,), written, in the same order.
    """
    for k in range(4):
        leg = (k + turns) % 4
        here, there = motors_of(k), motors_of(leg)
        action[there], action[there + 1] = moves[here], bend_of(k) * bend_of(leg) * moves[here + 1]
