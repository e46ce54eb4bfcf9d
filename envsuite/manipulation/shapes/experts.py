"""The reference players: they turn the prism as the target is turned while they bring it there."""

import math
from typing import Any

import numpy as np

from envsuite.core import kernel
from envsuite.core.companions import Players
from envsuite.core.fmath import atan2, cos, sin, sqrt
from envsuite.core.jit import records
from envsuite.core.world import lead_shape
from envsuite.manipulation.shapes.kernel import KEPT, SPIN, move
from envsuite.manipulation.shapes.outlines import RADIUS, THICKNESS
from envsuite.manipulation.shapes.tasks import INSERTION, PLUGGING, PUSHER, PUSHING
from envsuite.rigid.layout import Work
from envsuite.rigid.spatial import multiply, rotate

GAIN, TURN_GAIN = 8.0, 8.0  # 1/s, of the way left and of the angle left
HOVER = THICKNESS + 0.02  # m, above the target, where a prism waits until it fits
ASIDE, TURNED = 0.0015, 0.008  # m and rad, that it may then be off
LEVER, MOST_ASIDE = 0.2, 0.2  # m/rad and m, from the target, where a rod turns a prism
TURN_WEIGHT = 0.15  # m/rad, of an angle beside a distance, for pushers
HEADINGS, ASIDES = (-0.5, 0.0, 0.5), (-0.07, -0.03, 0.0, 0.03, 0.07)
"""Plans of pushers, rad and m."""
AHEAD, HOLD = 16, 5
"""Steps for which plans are tried, and kept."""
REAR, LANE, BESIDE, REST = 0.03, 0.06, 0.05, 0.03
"""m: how far behind the centre a rod pushes; beside its line, at most; from the line to one of two rods; of pace."""
BEHIND = RADIUS + 0.5 * PUSHER[0] + 0.015  # m, from the prism, where a pusher passes it


@kernel
def _bounded(x, most):
    return min(max(x, -most), most)


@kernel
def _angle(q):
    """Turn about the vertical of an upright quaternion."""
    return 2.0 * atan2(q[3], q[0])


@kernel
def _wrapped(angle):
    """The same angle between -pi and pi."""
    return atan2(sin(angle), cos(angle))


@kernel
def _slide(s, p, action):
    """A rod that holds the prism: straight there, turning on the way."""
    left = _wrapped(_angle(s.goal_turn) - _angle(s.turn))
    x, y, z = s.hands[0, 0], s.hands[0, 1], s.hands[0, 2]
    side, square = sqrt(x * x + y * y), x * x + y * y + z * z
    share = _bounded(TURN_GAIN * left * square / (SPIN * KEPT * max(side, 1e-6)), 1.0)
    spin = share * SPIN * KEPT * side / square
    aside = min(LEVER * abs(left), MOST_ASIDE) / max(side, 1e-6)  # above the target a rod hardly turns
    away = (s.goal[0] + aside * x - s.place[0], s.goal[1] + aside * y - s.place[1], s.goal[2] - s.place[2])
    far = sqrt(away[0] * away[0] + away[1] * away[1])
    pace = min(GAIN, KEPT / max(far, 1e-6))
    action[0] = (pace * away[0] + spin * (s.place[1] - y)) / KEPT
    action[1] = (pace * away[1] - spin * (s.place[0] - x)) / KEPT
    action[2] = 0.0
    if p.way == INSERTION:
        fits = (far < ASIDE and abs(left) < TURNED) or away[2] > -THICKNESS
        action[2] = GAIN * (away[2] + (0.0 if fits else HOVER)) / KEPT
    action[3], action[4], action[5] = -share * y / max(side, 1e-6), share * x / max(side, 1e-6), 0.0


@kernel
def _plug(s, p, action):
    """Two grippers: before the hole first, then into it."""
    g = s.goal_turn
    w, x, _, z = multiply(s.turn[0], -s.turn[1], -s.turn[2], -s.turn[3], g)
    sign = 2.0 if w > 0 else -2.0
    # in the world; about the line through the grippers nothing can be done
    ex, ey, ez = rotate(s.axes, (sign * x, 0.0, sign * z))
    wx, wy, wz = TURN_GAIN * ex, TURN_GAIN * ey, TURN_GAIN * ez
    hx, hy, hz = (
        2.0 * (g[1] * g[3] + g[0] * g[2]),
        2.0 * (g[2] * g[3] - g[0] * g[1]),
        1.0 - 2.0 * (g[1] ** 2 + g[2] ** 2),
    )
    dx, dy, dz = s.goal[0] - s.place[0], s.goal[1] - s.place[1], s.goal[2] - s.place[2]
    depth = dx * hx + dy * hy + dz * hz  # below 0 outside of the hole
    sx, sy, sz = dx - depth * hx, dy - depth * hy, dz - depth * hz
    off = sqrt(sx * sx + sy * sy + sz * sz)
    fits = (off < ASIDE and s.angle < TURNED) or depth > -THICKNESS
    along = depth + (0.0 if fits else HOVER)
    vx, vy, vz = sx + along * hx, sy + along * hy, sz + along * hz
    pace = min(GAIN, KEPT / max(sqrt(vx * vx + vy * vy + vz * vz), 1e-6))
    for i in range(2):
        rx, ry, rz = s.hands[i, 0] - s.place[0], s.hands[i, 1] - s.place[1], s.hands[i, 2] - s.place[2]
        action[3 * i] = (pace * vx + wy * rz - wz * ry) / KEPT
        action[3 * i + 1] = (pace * vy + wz * rx - wx * rz) / KEPT
        action[3 * i + 2] = (pace * vz + wx * ry - wy * rx) / KEPT


@kernel
def act_many(states, params, actions):
    """Write the action of every instance that is held, one actuator after the other."""
    for i in range(states.shape[0]):
        s = states[i]
        p = params[s.level]
        if p.way == PLUGGING:
            _plug(s, p, actions[i])
        else:
            _slide(s, p, actions[i])
        most = 1.0
        for k in range(actions.shape[1] if p.way == PLUGGING else 0):
            most = max(most, abs(actions[i, k]))  # all slower together, or the grippers would twist the prism
        for k in range(actions.shape[1]):
            actions[i, k] = _bounded(actions[i, k] / most, 1.0)


@kernel
def _around(hx, hy, tx, ty):
    """Velocity from a place to another, both seen from the prism, around it."""
    dx, dy = tx - hx, ty - hy
    way = sqrt(dx * dx + dy * dy)
    radius = sqrt(hx * hx + hy * hy)
    # nearest point of the straight way to the prism
    share = _bounded(-(hx * dx + hy * dy) / max(way * way, 1e-9), 1.0)
    nx, ny = hx + max(share, 0.0) * dx, hy + max(share, 0.0) * dy
    if nx * nx + ny * ny > BEHIND * BEHIND * 0.8:
        pace = min(GAIN, 1.0 / max(way, 1e-6))
        return pace * dx, pace * dy
    turn = 1.0 if hx * ty - hy * tx > 0 else -1.0
    out = _bounded(GAIN * (BEHIND - radius), 0.7)
    return (-turn * hy + out * hx) / max(radius, 1e-6), (turn * hx + out * hy) / max(radius, 1e-6)


@kernel
def _push(s, p, heading, aside, commands):
    """Loose rods behind the prism, seen from the target, then towards the target.

    Args:
        s: state.
        p: constants.
        heading: rad, beside the way to the target, in which they push.
        aside: m, from the prism's centre to the line on which they push; this turns it.
        commands: (rods, 3), written.
    """
    gx, gy = s.goal[0] - s.place[0], s.goal[1] - s.place[1]
    far = max(sqrt(gx * gx + gy * gy), 1e-6)
    gx, gy = gx / far, gy / far
    ux, uy = cos(heading) * gx - sin(heading) * gy, cos(heading) * gy + sin(heading) * gx
    for i in range(p.actuators):
        off = aside if p.actuators == 1 else aside + BESIDE * (2 * i - 1)
        hx, hy = s.hands[i, 0] - s.place[0], s.hands[i, 1] - s.place[1]
        along, across = hx * ux + hy * uy, hy * ux - hx * uy
        if along < -REAR and abs(across - off) < LANE:
            pace = min(GAIN * (far + REST), 1.0)
            drift = _bounded(GAIN * (off - across), 0.7)
            vx, vy = pace * ux - drift * uy, pace * uy + drift * ux
        else:
            vx, vy = _around(hx, hy, -BEHIND * ux - off * uy, -BEHIND * uy + off * ux)
        commands[i, 0], commands[i, 1], commands[i, 2] = _bounded(vx / KEPT, 1.0), _bounded(vy / KEPT, 1.0), 0.0


@kernel
def _wait(commands):
    for i in range(commands.shape[0]):
        commands[i, 0] = commands[i, 1] = commands[i, 2] = 0.0


@kernel
def _order(s, p, choice, commands):
    """The commands of one of the plans; the last one is to wait."""
    if choice == len(HEADINGS) * len(ASIDES):
        _wait(commands)
    else:
        _push(s, p, HEADINGS[choice // len(ASIDES)], ASIDES[choice % len(ASIDES)], commands)


@kernel
def _cost(s):
    return s.distance + TURN_WEIGHT * s.angle


@kernel
def _prospect(s, p, w, trial, choice):
    """What comes of a plan, by playing it on a copy."""
    trial[0] = s
    t, total = trial[0], 0.0
    for _ in range(AHEAD):
        _order(t, p, choice, t.commands)
        total += move(t, p, w)
        total -= 0.8 * TURN_WEIGHT * t.angle
    return total - 0.8 * AHEAD * _cost(t)


@kernel
def plan_many(states, params, w, trial, chosen, age, actions):
    """Write the action of every instance that is pushed: the plan whose prospect is best, tried anew now and then."""
    for i in range(states.shape[0]):
        s = states[i]
        p = params[s.level]
        if age[i] % HOLD == 0:
            best = -1e9
            for choice in range(len(HEADINGS) * len(ASIDES) + 1):
                value = _prospect(s, p, w[0], trial, choice)
                if value > best:
                    best, chosen[i] = value, choice
        age[i] += 1
        _order(s, p, chosen[i], trial[0].commands)
        for k in range(actions.shape[1]):
            actions[i, k] = trial[0].commands[k // 3, k % 3]


class Bringer:
    """The player of what is held; it remembers nothing.

    Args:
        world: whose prisms it brings.
    """

    def __init__(self, world: Any):
        self._params, self._shape = world.params, lead_shape(world, 1)[1:] + world.action.shape

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, [a,] A)."""
        actions = np.zeros((len(states), math.prod(self._shape)), np.float32)
        act_many(records(states), self._params, actions)
        return actions.reshape(-1, *self._shape)


class Pusher:
    """The player of what is pushed: it tries its plans on a copy of the moment and keeps to the best for `HOLD` steps.

    Args:
        world: whose prisms it pushes.
    """

    def __init__(self, world: Any):
        self._params, self._shape = world.params, lead_shape(world, 1)[1:] + world.action.shape
        self._work = records(np.zeros(1, Work.dtype(np.float64, **world.compiled.sizes)))
        self._trial = records(np.zeros(1, world.state_dtype))
        self._chosen, self._age = np.zeros(0, np.int64), np.zeros(0, np.int64)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the plans of instances that begin anew."""
        if len(mask) != len(self._age):
            self._chosen, self._age = np.zeros(len(mask), np.int64), np.zeros(len(mask), np.int64)
        self._age[mask] = 0

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, [a,] A)."""
        actions = np.zeros((len(states), math.prod(self._shape)), np.float32)
        given = (self._params, self._work, self._trial, self._chosen, self._age, actions)
        plan_many(records(states), *given)
        return actions.reshape(-1, *self._shape)


class ShapesPlayers(Players):
    """A player for each task that knows where everything is."""

    def expert(self) -> Bringer | Pusher:
        """The player of the task."""
        return Pusher(self.world) if self.world.task.way == PUSHING else Bringer(self.world)
