"""The reference players: they turn the prism as the target is turned while they bring it there."""



import numpy as np

from envsuite.core import kernel
from envsuite.core.companions import Players
from envsuite.core.fmath import atan2, cos, sin, sqrt
from envsuite.manipulation.shapes.kernel import KEPT, SPIN
from envsuite.manipulation.shapes.outlines import RADIUS, THICKNESS
from envsuite.manipulation.shapes.tasks import INSERTION, PLUGGING, PUSHER, PUSHING
from envsuite.rigid.spatial import multiply, rotate

GAIN, TURN_GAIN = 8.0, 8.0  # 1/s, of the way left and of the angle left
HOVER = THICKNESS + 0.02  # m, above the target, where a prism waits until it fits
ASIDE, TURNED = 0.0015, 0.008  # m and rad, that it may then be off
LEVER, MOST_ASIDE = 0.2, 0.2  # m/rad and m, from the target, where a rod turns a prism
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
        fits = far < ASIDE and abs(left) < TURNED or away[2] > -THICKNESS
        action[2] = GAIN * (away[2] + (0.0 if fits else HOVER)) / KEPT
    action[3], action[4], action[5] = -share * y / max(side, 1e-6), share * x / max(side, 1e-6), 0.0


@kernel
def _plug(s, p, action):
    """Two grippers: before the hole first, then into it."""
    g = s.goal_turn
    w, x, y, z = multiply(s.turn[0], -s.turn[1], -s.turn[2], -s.turn[3], g)
    sign = 2.0 if w > 0 else -2.0
    # in the world; about the line through the grippers nothing can be done
    ex, ey, ez = rotate(s.axes, (sign * x, 0.0, sign * z))
    wx, wy, wz = TURN_GAIN * ex, TURN_GAIN * ey, TURN_GAIN * ez
    hx, hy, hz = 2.0 * (g[1] * g[3] + g[0] * g[2]), 2.0 * (g[2] * g[3] - g[0] * g[1]), 1.0 - 2.0 * (g[1] ** 2 + g[2] ** 2)
    dx, dy, dz = s.goal[0] - s.place[0], s.goal[1] - s.place[1], s.goal[2] - s.place[2]
    depth = dx * hx + dy * hy + dz * hz  # below 0 outside of the hole
    sx, sy, sz = dx - depth * hx, dy - depth * hy, dz - depth * hz
    off = sqrt(sx * sx + sy * sy + sz * sz)
    fits = off < ASIDE and s.angle < TURNED or depth > -THICKNESS
    along = depth + (0.0 if fits else HOVER)
    vx, vy, vz = sx + along * hx, sy + along * hy, sz + along * hz
    pace = min(GAIN, KEPT / max(sqrt(vx * vx + vy * vy + vz * vz), 1e-6))
    for i in range(2):
        rx, ry, rz = s.hands[i, 0] - s.place[0], s.hands[i, 1] - s.place[1], s.hands[i, 2] - s.place[2]
        action[3 * i] = (pace * vx + wy * rz - wz * ry) / KEPT
        action[3 * i + 1] = (pace * vy + wz * rx - wx * rz) / KEPT
        action[3 * i + 2] = (pace * vz + wx * ry - wy * rx) / KEPT


@kernel
def act_many(states, params, tuning, actions):
    """Write the action of every instance."""
    for i in range(states.shape[0]):
        s = states[i]
        p = params[s.level]
        for k in range(actions.shape[1]):
            actions[i, k] = 0.0
        if p.way == PLUGGING:
            _plug(s, p, actions[i])
        elif p.way != PUSHING:
            _slide(s, p, actions[i])
        else:
            _push(s, p, tuning, actions[i])
        most = 1.0
        for k in range(actions.shape[1] if p.way == PLUGGING else 0):
            most = max(most, abs(actions[i, k]))  # all slower together, or the grippers would twist the prism
        for k in range(actions.shape[1]):
            actions[i, k] = _bounded(actions[i, k] / most, 1.0)


@kernel
def _push(s, p, tuning, action):
    """Loose rods: behind the prism, seen from the target, then towards the target, a little aside to turn it."""
    gx, gy = s.goal[0] - s.place[0], s.goal[1] - s.place[1]
    far = sqrt(gx * gx + gy * gy)
    ux, uy = gx / max(far, 1e-6), gy / max(far, 1e-6)
    left = _wrapped(_angle(s.goal_turn) - _angle(s.turn))
    aside = _bounded(-tuning[0] * left * (1.0 + tuning[6] / (far + 0.05)), tuning[1])
    for i in range(p.actuators):
        hx, hy = s.hands[i, 0] - s.place[0], s.hands[i, 1] - s.place[1]
        along, across = hx * ux + hy * uy, -hx * uy + hy * ux
        off = aside + (0.0 if p.actuators == 1 else tuning[5] * (2 * i - 1))
        if far < tuning[4] or (far < 0.045 and abs(left) < 0.17):
            vx, vy = 0.0, 0.0
        elif along < -tuning[2] and abs(across - off) < tuning[3]:
            pace = min(GAIN * far, 1.0)
            drift = _bounded(GAIN * (off - across), 0.7)
            vx, vy = pace * ux - drift * uy, pace * uy + drift * ux
        else:
            vx, vy = _around(hx, hy, -BEHIND * ux - off * uy, -BEHIND * uy + off * ux)
        action[3 * i], action[3 * i + 1] = vx / KEPT, vy / KEPT


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


class Bringer:
    """The player of a task; it remembers nothing.

    Args:
        params: constants of the world.
        size: numbers of an action.
    """

    def __init__(self, params: np.ndarray, size: int):
        self._params, self._size = params, size
        self.tuning = np.array([0.03, 0.06, 0.1, 0.05, 0.01, 0.06])

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, A)."""
        actions = np.zeros((len(states), self._size), np.float32)
        act_many(states, self._params, self.tuning, actions)
        return actions


class ShapesPlayers(Players):
    """A player for each task that knows where everything is."""

    def expert(self) -> Bringer:
        """The player of the task."""
        return Bringer(self.world.params, self.world.action.shape[0])
