"""Velocities that lead drones to their goals and keep them apart: the planner of the swarms' reference policies.

Each drone heads for its goal, gives way to the right of others that are close (the less, the less it wants to go), and
never closes in on one faster than it can brake. Height counts half, since drones disturb those below them.
"""

from envsuite.core import fmath
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.flying.blocks import norm

GAIN = 1.4  # 1/s, speed per metre from the goal
FLATTEN = 0.6  # weight of the height in distances between drones
PUSH = 1.6  # m/s, of drones that touch
TURN = 0.7  # of that, to the right
REACTION = 0.3  # s
BRAKE = 1.4  # 1/s, closing speed allowed per metre of room


@kernel
def toward(craft, goal, drift, fastest):
    """Velocity, m/s, that leads to a goal moving with `drift`, at most `fastest` beyond it."""
    x, y, z = goal[0] - craft.position[0], goal[1] - craft.position[1], goal[2] - craft.position[2]
    away = max(norm(x, y, z), 1e-6)
    scale = min(GAIN, fastest / away)
    return x * scale + drift[0], y * scale + drift[1], z * scale + drift[2]


@kernel
def keep_clear(crafts, n, velocity, keep, sight):
    """Bend a velocity so that a drone keeps clear of the others.

    Args:
        crafts: records of `craft.Craft`, shape (a,).
        n: which drone.
        velocity: m/s, three numbers, that it would like.
        keep: m, distance to keep.
        sight: m, beyond `keep`, in which others count.

    Returns:
        m/s, three numbers.
    """
    vx, vy, vz = velocity
    eager = min(norm(vx, vy, vz), 1.0)
    me = crafts[n]
    for i in range(crafts.shape[0]):
        if i == n or not crafts[i].active:
            continue
        q = crafts[i].position
        x, y = me.position[0] - q[0], me.position[1] - q[1]
        z = FLATTEN * (me.position[2] - q[2])
        away = max(norm(x, y, z), 1e-6)
        nx, ny, nz = x / away, y / away, z / away
        u, w = me.velocity, crafts[i].velocity
        rush = (w[0] - u[0]) * nx + (w[1] - u[1]) * ny + (w[2] - u[2]) * nz
        # the faster they come, the farther they have to look
        seen = sight + REACTION * max(rush, 0.0)
        if away > keep + seen:
            continue
        # a share of the way from seeing the other to touching it
        close = min((keep + seen - away) / seen, 1.5)
        closing = (vx - w[0]) * nx + (vy - w[1]) * ny + (vz - w[2]) * nz
        push = PUSH * close * close
        if closing < 0.0:
            side = TURN * push * eager
            vx, vy = vx - side * ny, vy + side * nx
        allowed = -BRAKE * max(away - keep, 0.0)
        if closing < allowed:
            vx, vy, vz = vx + (allowed - closing) * nx, vy + (allowed - closing) * ny, vz + (allowed - closing) * nz
        if away < keep:
            vx, vy, vz = vx + push * nx, vy + push * ny, vz + push * nz
    return vx, vy, vz


@kernel
def around(place, velocity, x, y, keep, sight):
    """Bend a velocity round an upright column at (x, y): none towards it within `keep` metres of its axis."""
    dx, dy = place[0] - x, place[1] - y
    zero, away = real(0.0, keep), fmath.sqrt(dx * dx + dy * dy)
    if away > keep + sight:
        return velocity
    away = max(away, 1e-6)
    nx, ny = dx / away, dy / away
    vx, vy, vz = velocity
    closing = vx * nx + vy * ny
    allowed = -BRAKE * (away - keep)
    if closing < allowed:
        vx, vy = vx + (allowed - closing) * nx, vy + (allowed - closing) * ny
        # round the side that the way leads to already, to the right where it leads straight on
        along = vy * nx - vx * ny
        side = (allowed - closing) * 0.7
        if along < zero - real(0.05, keep):
            side = -side
        vx, vy = vx - side * ny, vy + side * nx
    return vx, vy, vz


@kernel
def bounded(velocity, fastest):
    """A velocity, m/s, cut to a size."""
    size = norm(velocity[0], velocity[1], velocity[2])
    scale = fastest / max(size, fastest)
    return velocity[0] * scale, velocity[1] * scale, velocity[2] * scale


@kernel
def hold_height(craft, velocity, lowest):
    """Do not sink below a height, m."""
    room = craft.position[2] - lowest
    return velocity[0], velocity[1], max(velocity[2], -1.5 * room)
