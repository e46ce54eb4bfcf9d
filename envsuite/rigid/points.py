"""How a contact is written down, and the two simplest pairs, to which most others come down."""

from envsuite.core import kernel
from envsuite.core.fmath import sqrt
from envsuite.rigid.spatial import TINY


@kernel
def clear_tangent(w):
    """Leave the second axis of the next contact to the rule."""
    w.new_tangent[0] = w.new_tangent[1] = w.new_tangent[2] = 0.0


@kernel
def add_contact(m, s, w, pair, dist):
    """Store the contact that ``new_pos``, ``new_normal``, ``new_tangent`` describe, or count it if there is no room."""
    c = w.ncon
    if c >= w.con_dist.shape[0]:
        s.overflow += 1
        return
    w.ncon = c + 1
    w.con_dist[c], w.con_pair[c] = dist, pair
    f, n, t = w.con_frame[c], w.new_normal, w.new_tangent
    length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
    for k in range(3):
        w.con_pos[c, k] = w.new_pos[k]
        f[k] = n[k] / length
        f[3 + k] = t[k]
    if t[0] * t[0] + t[1] * t[1] + t[2] * t[2] < 0.25:  # none given, or lost
        upright = f[1] <= -0.5 or f[1] >= 0.5
        f[3], f[4], f[5] = 0.0, 0.0 if upright else 1.0, 1.0 if upright else 0.0
    along = f[0] * f[3] + f[1] * f[4] + f[2] * f[5]
    for k in range(3):
        f[3 + k] -= along * f[k]
    length = sqrt(f[3] * f[3] + f[4] * f[4] + f[5] * f[5])
    if length < TINY:  # the tangent that was given is the normal
        f[3], f[4], f[5] = 1.0, 0.0, 0.0
    else:
        for k in range(3):
            f[3 + k] /= length
    f[6] = f[1] * f[5] - f[2] * f[4]
    f[7] = f[2] * f[3] - f[0] * f[5]
    f[8] = f[0] * f[4] - f[1] * f[3]


@kernel
def ball_on_plane(m, s, w, pair, point, centre, radius):
    """A sphere against the plane through a point with the normal ``new_normal``."""
    n = w.new_normal
    dist = (centre[0] - point[0]) * n[0] + (centre[1] - point[1]) * n[1] + (centre[2] - point[2]) * n[2] - radius
    if dist <= m.pair_margin[pair]:
        for k in range(3):
            w.new_pos[k] = centre[k] - n[k] * (radius + 0.5 * dist)
        add_contact(m, s, w, pair, dist)


@kernel
def between_spheres(m, s, w, pair, a, ra, b, rb):
    """Two spheres; where they have one centre, the normal is across the axes of both geoms."""
    n = w.new_normal
    for k in range(3):
        n[k] = b[k] - a[k]
    square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2]
    reach = m.pair_margin[pair] + ra + rb
    if square > reach * reach:
        return
    length = sqrt(square)
    dist = length - ra - rb
    if length < TINY:
        _across_axes(m, w, pair)
    else:
        for k in range(3):
            n[k] /= length
    for k in range(3):
        w.new_pos[k] = a[k] + n[k] * (ra + 0.5 * dist)
    add_contact(m, s, w, pair, dist)


@kernel
def _across_axes(m, w, pair):
    n, r, t = w.new_normal, w.geom_xmat[m.pair_geom1[pair]], w.geom_xmat[m.pair_geom2[pair]]
    n[0], n[1], n[2] = r[5] * t[8] - r[8] * t[5], r[8] * t[2] - r[2] * t[8], r[2] * t[5] - r[5] * t[2]
    length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
    if length < TINY:
        n[0], n[1], n[2] = 1.0, 0.0, 0.0
    else:
        for k in range(3):
            n[k] /= length
