"""A disc that rolls over pistons between walls: the part of Chipmunk 7's solver that such a scene uses.

Chipmunk (Lembcke, chipmunk-physics.net) moves bodies, finds overlaps, changes velocities, and then applies impulses at
the contacts one after the other, ten times over, beginning with those of the last step (sequential impulses, Catto
2006). Overlaps are taken back by velocities of their own, which last one step. Here the disc is the only body that
moves freely, so that a contact's effective mass is the disc's along the line to its centre, and a third of it across:
1 / (1/m + r² / (m r²/2)). The passes go over pistons from the left, then over walls. Chipmunk's order comes from its
search tree and changes from one moment to another; with the same order both agree to 1e-8 px over a whole episode.
"""

import numpy as np

from envsuite.core import fmath
from envsuite.core.jit import kernel
from envsuite.momarl.pistonball.params import (
    BIAS,
    CAP,
    DT,
    EDGE,
    GRAVITY,
    HEIGHT,
    ITERATIONS,
    PERSISTENCE,
    RADIUS,
    SLOP,
    WALL,
)


@kernel
def nearest(s, k):
    """The point of a line nearest to the ball's centre, and the line's radius; pistons first, then the four walls."""
    pistons = len(s.height)
    x, y = s.place[0], s.place[1]
    right, bottom = WALL * np.float64(pistons + 1), HEIGHT - WALL
    if k < pistons:
        left = WALL + CAP + WALL * np.float64(k)
        return min(max(x, left), left + WALL - 2.0 * CAP), s.height[k], CAP
    if k == pistons:  # top
        return min(max(x, WALL), right), WALL, EDGE
    if k == pistons + 1:  # left
        return WALL, min(max(y, WALL), bottom), EDGE
    if k == pistons + 2:  # bottom
        return min(max(x, WALL), right), bottom, EDGE
    return right, min(max(y, WALL), bottom), EDGE


@kernel
def reached(s, k):
    """Whether the ball overlaps a line: unit vector from its centre to it (2), and the gap, which is below 0."""
    x, y, radius = nearest(s, k)
    x, y = x - s.place[0], y - s.place[1]
    far = RADIUS + radius
    square = x * x + y * y
    if square >= far * far:
        return False, 0.0, 0.0, 0.0
    distance = fmath.sqrt(square)
    if distance == 0.0:
        return True, 0.0, 1.0, -far
    return True, x / distance, y / distance, distance - far


@kernel
def kept(value, low, high):
    """A number within bounds; unlike `min` and `max`, with the same sign of zero whether compiled or not."""
    if value < low:
        return low
    if value > high:
        return high
    return value


@kernel
def strike(s, p, c, normal, along):
    """Change the ball's velocities by impulses at a contact: along its direction, and across to the left of it."""
    s.velocity[0] -= (c.x * normal - c.y * along) / p.mass
    s.velocity[1] -= (c.y * normal + c.x * along) / p.mass
    s.spin -= 2.0 * along / (p.mass * RADIUS)


@kernel
def solve(s, p, c):
    """One pass at one contact: no overlap, no approach, and friction within what the normal impulse allows."""
    old, mass = c.lift, p.mass
    c.lift = kept(old + (c.bias + s.shift[0] * c.x + s.shift[1] * c.y) * mass, 0.0, 1e300)
    for axis in range(2):
        s.shift[axis] -= (c.x if axis == 0 else c.y) * (c.lift - old) / mass
    pressed, slid = s.normal[c.line], s.along[c.line]
    approach = s.velocity[0] * c.x + s.velocity[1] * c.y
    slip = s.velocity[1] * c.x - s.velocity[0] * c.y + RADIUS * s.spin
    s.normal[c.line] = kept(pressed + (approach - c.rebound) * mass, 0.0, 1e300)
    most = p.friction * s.normal[c.line]
    s.along[c.line] = kept(slid + slip * mass / 3.0, -most, most)
    strike(s, p, c, s.normal[c.line] - pressed, s.along[c.line] - slid)


@kernel
def touch(s, p, k, count):
    """Note a contact with line k, if there is one and room for it; how many there are then."""
    overlaps, x, y, gap = reached(s, k)
    if not overlaps or count >= len(s.contact):
        return count
    c = s.contact[count]
    c.line, c.x, c.y, c.lift = k, x, y, 0.0
    c.bias = BIAS * kept(-gap - SLOP, 0.0, 1e300) / DT
    c.rebound = -p.bounce * (s.velocity[0] * x + s.velocity[1] * y)
    return count + 1


@kernel
def advance(s, p):
    """One step of the engine, `DT`."""
    for axis in range(2):
        s.place[axis] += (s.velocity[axis] + s.shift[axis]) * DT
        s.shift[axis] = 0.0
    s.angle += s.spin * DT
    pistons, count = len(s.height), 0
    for k in range(pistons + 4):
        s.since[k] = min(s.since[k] + np.int32(1), np.int32(PERSISTENCE + 1))
    under = np.int64((s.place[0] - WALL) / WALL)
    for k in range(max(0, under - 2), min(pistons, under + 3)):
        count = touch(s, p, k, count)
    for k in range(pistons, pistons + 4):
        count = touch(s, p, k, count)
    s.velocity[1] += GRAVITY * DT
    for j in range(count):
        c = s.contact[j]
        if s.since[c.line] > PERSISTENCE:
            s.normal[c.line], s.along[c.line] = 0.0, 0.0
        elif s.since[c.line] == 1:
            strike(s, p, c, s.normal[c.line], s.along[c.line])
        s.since[c.line] = 0
    if count > 0:
        for _ in range(ITERATIONS):
            for j in range(count):
                solve(s, p, s.contact[j])
