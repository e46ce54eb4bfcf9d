"""How well a flock flies together."""

import numpy as np

from envsuite.core import fmath
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.flock.params import CENTER, LINKED, REGION
from envsuite.quadcopters.flying.blocks import norm, speed_of
from envsuite.quadcopters.flying.swarm import gap, nearest_gap


@kernel
def survey(s):
    """Write all that the reward and the metrics need of the flock as a whole; drones out of the air do not count."""
    zero, one = real(0.0, s.separation), real(1.0, s.separation)
    flying, x, y, z, vx, vy, vz = 0, zero, zero, zero, zero, zero, zero
    ux, uy, uz, units, gaps, squares = zero, zero, zero, zero, zero, zero
    for n in range(s.crafts.shape[0]):
        craft = s.crafts[n]
        if not craft.active:
            continue
        flying += 1
        p, v = craft.position, craft.velocity
        x, y, z = x + p[0], y + p[1], z + p[2]
        vx, vy, vz = vx + v[0], vy + v[1], vz + v[2]
        scale = 1.0 / max(speed_of(craft), 1e-6)
        ux, uy, uz = ux + v[0] * scale, uy + v[1] * scale, uz + v[2] * scale
        units += (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * scale * scale
        near = nearest_gap(s.crafts, n)
        if near < np.inf:
            gaps += near
            squares += near * near
    s.order = s.spacing = s.spread = s.pace = s.stray = s.connected = 0.0
    if flying == 0:
        return
    count = one * np.float32(flying)
    s.middle[0], s.middle[1], s.middle[2] = x / count, y / count, z / count
    s.pace = norm(vx, vy, vz) / count
    outside = zero
    for k in range(3):
        beyond = max(abs(s.middle[k] - real(CENTER[k], zero)) - real(REGION[k], zero), 0.0)
        outside += beyond * beyond
    s.stray = fmath.sqrt(outside)
    if flying < 2:
        return
    # the sum of unit vectors, squared, holds every pair twice, and each with itself
    s.order = (ux * ux + uy * uy + uz * uz - units) / (count * (count - 1.0))
    s.spacing = gaps / count
    s.spread = max(squares / count - s.spacing * s.spacing, 0.0)
    s.connected = _linked_pairs(s) / (count * (count - 1.0))


@kernel
def _linked_pairs(s):
    """Ordered pairs of drones that a chain of neighbours links."""
    total, one, group = real(0.0, s.separation), real(1.0, s.separation), 0
    for n in range(s.crafts.shape[0]):
        s.reached[n] = 0
    for first in range(s.crafts.shape[0]):
        if s.reached[first] != 0 or not s.crafts[first].active:
            continue
        group += 1
        s.reached[first] = np.uint8(group)
        members, grown = 1, True
        while grown:
            grown = False
            for n in range(s.crafts.shape[0]):
                if s.reached[n] != 0 or not s.crafts[n].active:
                    continue
                for i in range(s.crafts.shape[0]):
                    if s.reached[i] == group and gap(s.crafts[n], s.crafts[i]) < LINKED:
                        s.reached[n] = np.uint8(group)
                        members += 1
                        grown = True
                        break
        total += one * np.float32(members * (members - 1))
    return total
