"""The arm's geometry: where the hand is, how joints move it, and which joints take it somewhere."""

from envsuite.core import kernel
from envsuite.core.fmath import sincos, sqrt
from envsuite.manipulation.panda.scenes import ARM, BASE, FLANGE, LIMITS, OFFSETS, TIP, TWISTS
from envsuite.rigid.spatial import rotate

ROUNDS = 4
"""Of Newton's method; they leave less than 0.1 mm of a full action."""

ELBOW, BENT = 3, -0.0698
"""The elbow's joint, and how far it stays bent, rad (Franka's soft limit): straight, the arm would get stuck."""

CARE = 0.01
"""Square of the damping, m^2 and rad^2: at the end of its reach the arm strays as slowly as with PyBullet's search."""

FAR = 0.3
"""Most that a joint turns towards one target, rad."""

AHEAD = (1.0, 0.0)
"""The hand's heading where its axes are those of the world."""

_HALF = 0.7071067811865476


@kernel
def reach(c):
    """Find the hand's frame, the tip, and the joints' anchors and axes, from `angle`."""
    r = c.frame
    for k in range(9):
        r[k] = 1.0 if k % 4 == 0 else 0.0
    x, y, z = BASE
    for j in range(ARM):
        dx, dy, dz = rotate(r, OFFSETS[j])
        x, y, z = x + dx, y + dy, z + dz
        way = float(TWISTS[j])
        sine, cosine = sincos(c.angle[j])
        for i in range(0, 9, 3):
            if way != 0.0:
                r[i + 1], r[i + 2] = way * r[i + 2], -way * r[i + 1]
            r[i], r[i + 1] = cosine * r[i] + sine * r[i + 1], cosine * r[i + 1] - sine * r[i]
        c.anchor[j, 0], c.anchor[j, 1], c.anchor[j, 2] = x, y, z
        c.axis[j, 0], c.axis[j, 1], c.axis[j, 2] = r[2], r[5], r[8]
    for i in range(0, 9, 3):  # the hand is mounted an eighth of a turn aside
        r[i], r[i + 1] = _HALF * (r[i] - r[i + 1]), _HALF * (r[i] + r[i + 1])
    long = FLANGE + TIP
    c.tip[0], c.tip[1], c.tip[2] = x + long * r[2], y + long * r[5], z + long * r[8]


@kernel
def _differentiate(c):
    """Write how the tip moves and the hand turns with each joint that is free."""
    for j in range(ARM):
        if c.stopped[j] != 0:
            for k in range(6):
                c.jacobian[k, j] = 0.0
            continue
        a, at = c.axis[j], c.anchor[j]
        x, y, z = c.tip[0] - at[0], c.tip[1] - at[1], c.tip[2] - at[2]
        c.jacobian[0, j] = a[1] * z - a[2] * y
        c.jacobian[1, j] = a[2] * x - a[0] * z
        c.jacobian[2, j] = a[0] * y - a[1] * x
        for k in range(3):
            c.jacobian[3 + k, j] = a[k]


@kernel
def _solve(a, b):
    """Solve a x = b in place, for a symmetric and positive definite (6, 6)."""
    for i in range(6):
        for j in range(i + 1):
            total = a[i, j]
            for k in range(j):
                total -= a[i, k] * a[j, k]
            a[i, j] = sqrt(total) if i == j else total / a[j, j]
    for i in range(6):
        for k in range(i):
            b[i] -= a[i, k] * b[k]
        b[i] /= a[i, i]
    for i in range(5, -1, -1):
        for k in range(i + 1, 6):
            b[i] -= a[k, i] * b[k]
        b[i] /= a[i, i]


@kernel
def look_at(c, qpos, qvel, tip, velocity):
    """Where the tip is and how fast it moves.

    Args:
        c: record of `state.Chain`.
        qpos: coordinates of the joints, rad.
        qvel: their speeds, rad/s.
        tip: written, m, (3,).
        velocity: written, m/s, (3,).
    """
    for j in range(ARM):
        c.angle[j], c.stopped[j] = qpos[j], 0
    reach(c)
    _differentiate(c)
    for i in range(3):
        tip[i], velocity[i] = c.tip[i], 0.0
        for j in range(ARM):
            velocity[i] += c.jacobian[i, j] * qvel[j]


@kernel
def aim(c, qpos, place, heading, target):
    """Find joints for which the tip is at a place and the hand points down, by damped least squares.

    Args:
        c: record of `state.Chain`.
        qpos: coordinates of the joints at which the search begins, rad.
        place: of the tip, m, (x, y, z).
        heading: where the hand's x axis points, (cosine, sine) of its angle from the world's, `AHEAD` for along it.
        target: written, rad, within the joints' limits.
    """
    cosine, sine = heading
    for j in range(ARM):
        c.angle[j], c.stopped[j] = qpos[j], 0
    for _ in range(ROUNDS):
        reach(c)
        _differentiate(c)
        r, e = c.frame, c.error
        for k in range(3):
            e[k] = place[k] - c.tip[k]
        # half the sum of the axes' products with those wanted; ahead these are x, -y and -z of the world
        e[3] = 0.5 * (r[7] * cosine - r[5] - r[6] * sine)
        e[4] = 0.5 * (r[2] + r[6] * cosine + r[7] * sine)
        e[5] = 0.5 * (-r[3] * cosine - r[1] * cosine + r[0] * sine - r[4] * sine)
        for i in range(6):
            for k in range(i + 1):
                total = CARE if i == k else 0.0
                for j in range(ARM):
                    total += c.jacobian[i, j] * c.jacobian[k, j]
                c.square[i, k] = total
        _solve(c.square, e)
        for j in range(ARM):
            for i in range(6):
                c.angle[j] += c.jacobian[i, j] * e[i]
            low, high = LIMITS[j][0], BENT if j == ELBOW else LIMITS[j][1]
            if not low <= c.angle[j] <= high:  # stays there, and the others go on without it
                c.angle[j], c.stopped[j] = min(max(c.angle[j], low), high), 1
    most = FAR
    for j in range(ARM):
        most = max(most, abs(c.angle[j] - qpos[j]))
    for j in range(ARM):
        target[j] = qpos[j] + FAR / most * (c.angle[j] - qpos[j])
