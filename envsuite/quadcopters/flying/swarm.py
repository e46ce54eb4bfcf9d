"""Several drones in one air: contact between them, neighbours, downwash, and the flags that end their episodes."""

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.declare import field
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.layout import Block
from envsuite.core.state import StateRecord
from envsuite.quadcopters.attitude import up
from envsuite.quadcopters.flying.blocks import FAR, FAST, DroneInfo, norm, put_row
from envsuite.quadcopters.flying.craft import Craft

CRASH, BOUNCE = range(2)
CONTACTS = ("crash", "bounce")
RESTITUTION = (0.2, 0.8)  # as the velocity that collisions leave in QuadSwarm, arXiv 2306.09537
SPIN = 5.0  # rad/s that a bounce adds to each rate at most
BOX_REACH, BOX_DEPTH = 0.1, 0.7  # m, to the side and below: the downwash of QuadSwarm


class SwarmInfo(DroneInfo):
    """The metrics that all tasks of several drones have."""

    min_separation = field(unit="m", type=np.float32, meaning="the least between any two drones so far")
    collisions = field(
        type=np.float32, meaning="of this drone so far, with others and obstacles, after the grace period"
    )
    collided = field(type=np.bool_, meaning="in this step")


class SwarmState(StateRecord):
    """What the states of several drones have; flags are 0 or 1 and stay until the next episode."""

    crafts = field(type=Craft, shape="drones")
    separation = field(unit="m", meaning="between any two drones, the least so far")
    near = field(type=np.uint8, shape=("drones", "drones"), meaning="pairs in contact at present")
    hits = field(type=np.uint32, shape="drones", meaning="collisions so far")
    hit = field(type=np.uint8, shape="drones", meaning="collided in this step")
    crashed = field(type=np.uint8, shape="drones")
    terminated = field(type=np.uint8, shape="drones")
    truncated = field(type=np.uint8, shape="drones")


def neighbour_block(count: int) -> Block:
    """The block of the nearest neighbours.

    Args:
        count: how many.
    """
    one = (2 * FAR,) * 3 + (2 * FAST,) * 3
    return Block(
        "neighbours",
        6 * count,
        tuple(-x for x in one) * count,
        one * count,
        "m and m/s",
        f"position and velocity of the {count} nearest relative to the drone, world frame; zeros where there is none",
    )


@kernel
def assemble(s):
    """Begin an episode: nobody has met anybody; call it after all are launched."""
    for n in range(s.crafts.shape[0]):
        s.hits[n] = 0
        s.hit[n] = s.crashed[n] = s.terminated[n] = s.truncated[n] = 0
        for i in range(s.crafts.shape[0]):
            s.near[n, i] = 0
    s.separation = np.inf


@kernel
def gap(a, b):
    """Distance between two drones, m."""
    p, q = a.position, b.position
    return norm(p[0] - q[0], p[1] - q[1], p[2] - q[2])


@kernel
def meet(s, apart, contact, counting):
    """Notice who touches whom.

    A hit counts once, when two drones come within reach. With `CRASH` both are taken out; with `BOUNCE` they bounce
    off each other and spin.

    Args:
        s: a `SwarmState`.
        apart: m, distance of the centres below which two drones touch.
        contact: `CRASH` or `BOUNCE`.
        counting: whether hits add to `hits`.
    """
    count = s.crafts.shape[0]
    for n in range(count):
        s.hit[n] = 0
    for n in range(count):
        for i in range(n):
            a, b = s.crafts[n], s.crafts[i]
            if not (a.active and b.active):
                continue
            distance = gap(a, b)
            s.separation = min(s.separation, distance)
            if distance < apart:
                if s.near[n, i] == 0:
                    s.hit[n] = s.hit[i] = 1
                    if counting:
                        s.hits[n] += 1
                        s.hits[i] += 1
                s.near[n, i] = 1
                if contact == BOUNCE:
                    bounce(a, b, s.rng, distance)
            else:
                s.near[n, i] = 0
    if contact == CRASH:
        for n in range(count):
            if s.hit[n] != 0:
                s.crashed[n] = 1


@kernel
def bounce(a, b, g, distance):
    """Two equal drones that approach each other bounce: momentum is kept, energy is not, and both spin."""
    scale = 1.0 / max(distance, 1e-6)
    nx = (a.position[0] - b.position[0]) * scale
    ny = (a.position[1] - b.position[1]) * scale
    nz = (a.position[2] - b.position[2]) * scale
    closing = (
        (a.velocity[0] - b.velocity[0]) * nx
        + (a.velocity[1] - b.velocity[1]) * ny
        + (a.velocity[2] - b.velocity[2]) * nz
    )
    if closing >= 0.0:
        return
    spring = rng.uniform(g, rng.DYNAMICS, real(RESTITUTION[0], distance), real(RESTITUTION[1], distance))
    kick = 0.5 * (1.0 + spring) * closing
    normal = (nx, ny, nz)
    spin = real(SPIN, distance)
    for k in range(3):
        a.velocity[k] -= kick * normal[k]
        b.velocity[k] += kick * normal[k]
        a.rates[k] += rng.uniform(g, rng.DYNAMICS, -spin, spin)
        b.rates[k] += rng.uniform(g, rng.DYNAMICS, -spin, spin)


@kernel
def press_box(crafts, g, dt):
    """QuadSwarm's downwash, on drones less than 10 cm beside the axis of another and less than 70 cm below it.

    The drone at distance d is accelerated by (6/17)(7 - 10 d) m/s^2, plus noise of 0.1 m/s^2, where that is positive,
    roughly along the axis of the drone above, and turned by 0.3 (d - 1)^2 rad/s^2 about a random axis.

    Args:
        crafts: records of `craft.Craft`, shape (a,).
        g: random stream.
        dt: s, for which it acts.
    """
    one = real(1.0, dt)
    for n in range(crafts.shape[0]):
        if not crafts[n].active:
            continue
        axis = up(crafts[n].attitude)
        for i in range(crafts.shape[0]):
            if i == n or not crafts[i].active:
                continue
            below = crafts[i]
            x = below.position[0] - crafts[n].position[0]
            y = below.position[1] - crafts[n].position[1]
            z = below.position[2] - crafts[n].position[2]
            along = x * axis[0] + y * axis[1] + z * axis[2]
            away = norm(x, y, z)
            aside = fmath.sqrt(max(away * away - along * along, 0.0))
            if not (along > -BOX_DEPTH and along < 0.0 and aside < BOX_REACH):
                continue
            noise = rng.uniform4(g, rng.DYNAMICS, -real(0.1, dt), real(0.1, dt))
            turn = rng.uniform4(g, rng.DYNAMICS, -one, one)
            push = max((6 / 17) * (7.0 - 10.0 * away) + noise[3], 0.0)
            twist = 0.3 * (away - 1.0) * (away - 1.0)
            bx, by, bz = axis[0] + noise[0], axis[1] + noise[1], axis[2] + noise[2]
            scale = push * dt / norm(bx, by, bz)
            below.velocity[0] -= scale * bx
            below.velocity[1] -= scale * by
            below.velocity[2] -= scale * bz
            scale = twist * dt / max(norm(turn[0], turn[1], turn[2]), 1e-6)
            for k in range(3):
                below.rates[k] += scale * turn[k]


@kernel
def put_neighbours(block, crafts, n, wanted):
    """Write relative position and velocity of the nearest active drones, the nearest first.

    Args:
        block: of `neighbour_block`, two rows a neighbour.
        crafts: records of `craft.Craft`, shape (a,).
        n: of the drone that looks.
        wanted: how many; zeros where there are fewer.
    """
    me = crafts[n]
    last, last_index = real(-1.0, me.downwash), -1
    for row in range(wanted):
        best, index = real(np.inf, last), -1
        for i in range(crafts.shape[0]):
            if i == n or not crafts[i].active:
                continue
            distance = gap(me, crafts[i])
            later = distance > last or (distance == last and i > last_index)
            if later and distance < best:
                best, index = distance, i
        if index < 0:
            for k in range(6):
                block[6 * row + k] = 0.0
            continue
        last, last_index = best, index
        other = crafts[index]
        p, q, v, w = other.position, me.position, other.velocity, me.velocity
        put_row(block, 2 * row, (p[0] - q[0], p[1] - q[1], p[2] - q[2]), 2.0 * FAR)
        put_row(block, 2 * row + 1, (v[0] - w[0], v[1] - w[1], v[2] - w[2]), 2.0 * FAST)


@kernel
def nearest_gap(crafts, n):
    """Distance to the nearest active drone, m; infinite without one."""
    least = real(np.inf, crafts[n].downwash)
    for i in range(crafts.shape[0]):
        if i != n and crafts[i].active:
            least = min(least, gap(crafts[n], crafts[i]))
    return least


@kernel
def ground(s):
    """End the episodes of those who crashed."""
    for n in range(s.crafts.shape[0]):
        if s.crashed[n] != 0:
            s.terminated[n] = 1
            s.crafts[n].active = False


@kernel
def measure(s, n, info):
    """Write the metrics of `SwarmInfo` and whether the drone crashed."""
    info.min_separation = min(np.float32(s.separation), FAR)
    info.collisions = s.hits[n]
    info.collided = s.hit[n] != 0
    info.crashed = s.crashed[n] != 0
