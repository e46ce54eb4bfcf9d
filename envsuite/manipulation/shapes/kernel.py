"""Rules of the tasks of prisms: velocities are given, bodies move, distance and angle are paid."""

from math import pi

from envsuite.core import kernel, rng
from envsuite.core.fmath import atan2, cos, sin, sqrt
from envsuite.manipulation.shapes.scenes import DAMPING, PUSHER_HEIGHT
from envsuite.manipulation.shapes.state import FAR, FAST
from envsuite.manipulation.shapes.tasks import GRASPS, INSERTION, PLUGGING, PUSHING, ROD, SLIDING
from envsuite.manipulation.teams import share
from envsuite.rigid.integrate import step as advance
from envsuite.rigid.spatial import multiply, rotate, set_matrix

KEPT = 0.9
"""Share of a given velocity that is left after the original's damping of 10/s in one of its steps of 10 ms."""
SPIN = 20.0
"""rad/s for a full command across the rod's place."""
APART = 0.1  # m, between the two grippers
HALF = 0.5**0.5


@kernel
def draw_shape(s, params):
    """Draw the shape of an episode."""
    s.level = rng.integers(s.rng, rng.DYNAMICS, len(params))


@kernel
def _draw(s, low, high):
    return rng.uniform(s.rng, rng.RESET, low, high)


@kernel
def _turn_to(q, angle):
    """Write a turn about the vertical."""
    q[0], q[1], q[2], q[3] = cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)


@kernel
def _product(w, x, y, z, q):
    """Write the product of a quaternion with one in place."""
    q[0], q[1], q[2], q[3] = multiply(w, x, y, z, q)


@kernel
def reset(s, p, w):
    """Draw where prism, actuators and target are."""
    s.body = p.start
    for k in range(3):
        s.place[k] = _draw(s, p.low[k], p.high[k])
        s.goal[k] = p.goal[k]
    turn, goal_turn = _draw(s, -pi, pi), _draw(s, -pi, pi)
    _turn_to(s.turn, turn)
    _turn_to(s.goal_turn, goal_turn)
    if p.way == PLUGGING:
        _lean(s)
    body = s.body
    if p.way == PLUGGING:
        for k in range(3):
            body.qpos[k] = s.place[k]
        for k in range(4):
            body.qpos[3 + k] = s.turn[k]
    else:
        upright = 3 if p.way == INSERTION else 2
        for k in range(upright):
            body.qpos[k] = s.place[k]
        body.qpos[upright] = turn
        if p.way == PUSHING:
            _place_pushers(s, p)
    if p.way == INSERTION or p.way == PLUGGING:
        for k in range(3):
            body.mocap_pos[0, k] = s.goal[k]
        for k in range(4):
            body.mocap_quat[0, k] = s.goal_turn[k]
    for i in range(s.commands.shape[0]):
        for k in range(s.commands.shape[1]):
            s.commands[i, k] = s.before[i, k] = 0.0
    _look(s, p)
    _aim(s, p)
    s.success = s.success_once = False


@kernel
def _lean(s):
    """Lay prism and target on their sides, then turn everything about the target."""
    lean, heading = _draw(s, -0.5 * pi, 0.0), _draw(s, -pi, pi)
    for q in (s.turn, s.goal_turn):
        _product(HALF, 0.0, HALF, 0.0, q)
        _product(cos(0.5 * lean), 0.0, sin(0.5 * lean), 0.0, q)
        _product(cos(0.5 * heading), 0.0, 0.0, sin(0.5 * heading), q)
    x, y, z = s.place[0] - s.goal[0], s.place[1] - s.goal[1], s.place[2] - s.goal[2]
    x, z = cos(lean) * x + sin(lean) * z, cos(lean) * z - sin(lean) * x
    x, y = cos(heading) * x - sin(heading) * y, cos(heading) * y + sin(heading) * x
    s.place[0], s.place[1], s.place[2] = s.goal[0] + x, s.goal[1] + y, s.goal[2] + z


@kernel
def _place_pushers(s, p):
    """Put pushers near their places, again where one would stand in the prism or in the other."""
    for i in range(p.actuators):
        while True:
            x = p.starts[i, 0] + _draw(s, -0.5, 0.5)
            y = p.starts[i, 1] + _draw(s, -0.5, 0.5)
            dx, dy = x - s.place[0], y - s.place[1]
            free = dx * dx + dy * dy > 0.16 * 0.16
            if i == 1:
                dx, dy = x - s.body.qpos[3], y - s.body.qpos[4]
                free = free and dx * dx + dy * dy > 0.08 * 0.08
            if free:
                break
        s.body.qpos[3 + 2 * i], s.body.qpos[4 + 2 * i] = x, y


@kernel
def _command(s, p):
    """Write the velocities of what is moved from outside."""
    v, given = s.body.qvel, s.commands
    if p.way == PUSHING:
        for i in range(p.actuators):
            v[3 + 2 * i], v[4 + 2 * i] = KEPT * given[i, 0], KEPT * given[i, 1]
    elif p.way == PLUGGING:
        _carry(s, p)
    else:
        upright = 3 if p.way == INSERTION else 2
        x, y, z = s.hands[0, 0], s.hands[0, 1], s.hands[0, 2]
        spin = SPIN * KEPT * (x * given[0, 4] - y * given[0, 3]) / (x * x + y * y + z * z)
        # the rod is given its velocity, the prism turns about it
        v[0] = KEPT * given[0, 0] - spin * (s.place[1] - y)
        v[1] = KEPT * given[0, 1] + spin * (s.place[0] - x)
        if upright == 3:
            v[2] = KEPT * given[0, 2]
        v[upright] = spin


@kernel
def _carry(s, p):
    """The motion in which both grippers have the velocities given, as far as the prism lets them."""
    v, given, axes = s.body.qvel, s.commands, s.axes
    mx, my, mz = rotate(axes, (0.0, 0.0, GRASPS[0][2]))
    dx, dy, dz = axes[1], axes[4], axes[7]  # from one gripper to the other, of length 1
    ux, uy, uz = given[1, 0] - given[0, 0], given[1, 1] - given[0, 1], given[1, 2] - given[0, 2]
    share = KEPT / APART
    wx, wy, wz = share * (dy * uz - dz * uy), share * (dz * ux - dx * uz), share * (dx * uy - dy * ux)
    # about the line through both, it keeps what contacts have given it, but for the damping
    sx, sy, sz = rotate(axes, v[3:6])
    own = (1.0 - DAMPING * p.model.timestep) * (sx * dx + sy * dy + sz * dz)
    wx, wy, wz = wx + own * dx, wy + own * dy, wz + own * dz
    v[0] = 0.5 * KEPT * (given[0, 0] + given[1, 0]) - (wy * mz - wz * my)
    v[1] = 0.5 * KEPT * (given[0, 1] + given[1, 1]) - (wz * mx - wx * mz)
    v[2] = 0.5 * KEPT * (given[0, 2] + given[1, 2]) - (wx * my - wy * mx)
    v[3] = axes[0] * wx + axes[3] * wy + axes[6] * wz
    v[4] = axes[1] * wx + axes[4] * wy + axes[7] * wz
    v[5] = axes[2] * wx + axes[5] * wy + axes[8] * wz


@kernel
def move(s, p, w):
    """Move with the velocities commanded; the reward."""
    rate = 0.0
    for i in range(p.actuators):
        for k in range(p.numbers):
            changed = s.commands[i, k] - s.before[i, k]
            rate += changed * changed
            s.before[i, k] = s.commands[i, k]
    for _ in range(p.frame_skip):
        _command(s, p)
        advance(p.model, s.body, w)
        _follow(s, p)
    _look(s, p)
    s.success = s.distance < p.pay.near and s.angle < p.pay.turned
    s.success_once = s.success_once or s.success
    return _pay(s, p, rate)


@kernel
def step(s, p, w, action):
    """One step of one player; only the horizon ends an episode."""
    for i in range(p.actuators):
        for k in range(p.numbers):
            s.commands[i, k] = action[i * p.numbers + k]
    return move(s, p, w), False


@kernel
def step_team(s, p, w, actions, rewards):
    """One step of a team."""
    for i in range(p.actuators):
        for k in range(p.numbers):
            s.commands[i, k] = actions[i, k]
    share(move(s, p, w), rewards)
    return False


@kernel
def _pay(s, p, rate):
    """The reward: minus distances, angles and efforts."""
    pay, late = p.pay, s.clock.step > p.horizon - p.pay.last
    nearer, turned = (pay.last_distance, pay.last_angle) if late else (1.0, 1.0)
    drop = abs(s.place[2] - s.goal[2])
    reward = -0.8 * (nearer * s.distance + turned * pay.angle * s.angle + pay.depth * drop) - pay.rate * rate
    if pay.speed > 0.0:
        reward -= pay.speed * (_length(s.hand_speeds[0]) + _length(s.spin))
    if pay.reach > 0.0:
        for i in range(p.actuators):
            x, y = s.hands[i, 0] - s.place[0], s.hands[i, 1] - s.place[1]
            reward -= pay.reach * sqrt(x * x + y * y) / p.actuators
    return reward


@kernel
def _length(v):
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


@kernel
def _follow(s, p):
    """Where the prism and the actuators are now."""
    q = s.body.qpos
    if p.way == PLUGGING:
        for k in range(3):
            s.place[k] = q[k]
        for k in range(4):
            s.turn[k] = q[3 + k]
    else:
        upright = 3 if p.way == INSERTION else 2
        s.place[0], s.place[1], s.place[2] = q[0], q[1], q[2] if upright == 3 else 0.0
        _turn_to(s.turn, q[upright])
    set_matrix(s.axes, s.turn[0], s.turn[1], s.turn[2], s.turn[3])
    for i in range(p.actuators):
        if p.way == PUSHING:
            s.hands[i, 0], s.hands[i, 1], s.hands[i, 2] = q[3 + 2 * i], q[4 + 2 * i], PUSHER_HEIGHT
        else:
            x, y, z = rotate(s.axes, GRASPS[i] if p.way == PLUGGING else ROD)
            s.hands[i, 0], s.hands[i, 1], s.hands[i, 2] = s.place[0] + x, s.place[1] + y, s.place[2] + z


@kernel
def _aim(s, p):
    """Where the points are at the target."""
    set_matrix(s.axes, s.goal_turn[0], s.goal_turn[1], s.goal_turn[2], s.goal_turn[3])
    for i in range(p.room):
        x, y, z = rotate(s.axes, p.points[i])
        for k in range(3):
            s.targets[i, k] = s.goal[k] if i < p.count else 0.0
        s.targets[i, 0] += x
        s.targets[i, 1] += y
        s.targets[i, 2] += z
    _follow(s, p)


@kernel
def _look(s, p):
    """All that is observed and paid for."""
    _follow(s, p)
    v = s.body.qvel
    if p.way == PLUGGING:
        s.speed[0], s.speed[1], s.speed[2] = v[0], v[1], v[2]
        s.spin[0], s.spin[1], s.spin[2] = rotate(s.axes, v[3:6])
    else:
        upright = 3 if p.way == INSERTION else 2
        s.speed[0], s.speed[1], s.speed[2] = v[0], v[1], v[2] if upright == 3 else 0.0
        s.spin[0], s.spin[1], s.spin[2] = 0.0, 0.0, v[upright]
    for i in range(p.actuators):
        if p.way == PUSHING:
            s.hand_speeds[i, 0], s.hand_speeds[i, 1], s.hand_speeds[i, 2] = v[3 + 2 * i], v[4 + 2 * i], 0.0
        else:
            x, y, z = s.hands[i, 0] - s.place[0], s.hands[i, 1] - s.place[1], s.hands[i, 2] - s.place[2]
            s.hand_speeds[i, 0] = s.speed[0] + s.spin[1] * z - s.spin[2] * y
            s.hand_speeds[i, 1] = s.speed[1] + s.spin[2] * x - s.spin[0] * z
            s.hand_speeds[i, 2] = s.speed[2] + s.spin[0] * y - s.spin[1] * x
    x, y, z = s.place[0] - s.goal[0], s.place[1] - s.goal[1], s.place[2] - s.goal[2]
    s.distance = sqrt(x * x + y * y + z * z)
    g = s.goal_turn
    cosine, x, y, z = multiply(g[0], -g[1], -g[2], -g[3], s.turn)
    s.angle = 2.0 * atan2(sqrt(x * x + y * y + z * z), abs(cosine))
    for i in range(p.room):
        x, y, z = rotate(s.axes, p.points[i])
        for k in range(3):
            s.seen[i, k] = s.place[k] if i < p.count else 0.0
        if i < p.count:
            s.seen[i, 0] += x
            s.seen[i, 1] += y
            s.seen[i, 2] += z
            if p.noise > 0.0:
                for k in range(3):
                    s.seen[i, k] += rng.normal(s.rng, rng.OBSERVATION, 0.0, p.noise)


@kernel
def _shown(x, most):
    """What is observed of a number that may be large."""
    return min(max(x, -most), most)


@kernel
def _see(s, p, first, observation):
    """Actuators from one of them on, the prism's motion where it is pushed, points and their targets."""
    count, at = p.actuators, 6 * p.actuators
    for i in range(count):
        hand = (first + i) % count
        for k in range(3):
            observation[3 * i + k] = _shown(s.hands[hand, k], FAR)
            observation[3 * (count + i) + k] = _shown(s.hand_speeds[hand, k], FAST)
    for k in range(3):
        if p.way == SLIDING or p.way == INSERTION:
            observation[at + k] = _shown(s.spin[k], FAST)
        elif p.way == PUSHING:
            observation[at + k], observation[at + 3 + k] = _shown(s.speed[k], FAST), _shown(s.spin[k], FAST)
    at += 6 if p.way == PUSHING else 0 if p.way == PLUGGING else 3
    points = p.room
    for i in range(points):
        square = 0.0
        for k in range(3):
            observation[at + 3 * i + k] = _shown(s.seen[i, k], FAR)
            observation[at + 3 * (points + i) + k] = s.targets[i, k]
            square += (s.seen[i, k] - s.targets[i, k]) * (s.seen[i, k] - s.targets[i, k])
        observation[at + 6 * points + i] = min(sqrt(square), FAR)
        observation[at + 7 * points + i] = 1.0 if i < p.count else 0.0


@kernel
def observe(s, p, observation):
    """What one player sees."""
    _see(s, p, 0, observation)


@kernel
def observe_team(s, p, observations):
    """What each member of a team sees."""
    for k in range(observations.shape[0]):
        _see(s, p, k, observations[k])


@kernel
def measure(s, p, info):
    """Write the metrics."""
    info.success, info.success_once = s.success, s.success_once
    info.distance, info.angle = s.distance, s.angle
    info.outline = p.outline
    info.overflow = s.body.overflow


@kernel
def measure_team(s, p, info):
    """Write them for each member."""
    for k in range(info.shape[0]):
        measure(s, p, info[k])
