"""The point mass between walls: MuJoCo's motion of a frictionless ball on two damped slides, in closed form.

Per step of length h, with mass M, damping c and force F (MuJoCo documentation, Computation, "Constraint model"):

1. a0 = (F - c v) / M, the acceleration without contacts.
2. A wall whose nearest point lies at distance L in direction n from the ball is in contact if rho = L - radius - margin
   is negative. Its impedance delta rises with |rho| from 0.9 to 0.95 over one millimetre.
3. It asks for the acceleration a* = -B (n.v) - K delta rho along n, and yields with the softness
   R = (1 - delta) / delta / weight.
4. The acceleration a minimises M |a - a0|^2 + sum over contacts of max(0, a* - n.a)^2 / R, a convex function of two
   variables whose pieces are quadratic; Newton's method finds it exactly.
5. v' = v + h M a / (M + h c) (Euler with implicit damping), q' = q + h v'.
"""

import math

import numpy as np

from envsuite.core.jit import kernel

_NEWTON_STEPS = 8  # three contacts need at most four
_NO_CONTACT = ((0.0, 0.0), 0.0, 0.0)  # normal, wanted acceleration, stiffness


@kernel
def cell_at(grid, x, y):
    """Row and column of the cell that a place lies in."""
    across = math.floor((x - grid.x0) / grid.scale + 0.5)
    along = math.floor((y - grid.y0) / grid.scale + 0.5)
    return np.int64(grid.ix * across + grid.iy * along), np.int64(grid.jx * across + grid.jy * along)


@kernel
def is_wall(walls, grid, i, j):
    """Whether a cell is a wall; everything outside the maze is."""
    if i < 0 or j < 0 or i >= grid.rows or j >= grid.columns:
        return True
    return walls[i, j] != 0


@kernel
def _press(law, nx, ny, length, vx, vy):
    """Acceleration that a contact asks for, and its stiffness 1/R."""
    residual = length - law.radius - law.margin
    s = min(-residual / law.impedance_width, 1.0)
    rise = 2.0 * s * s if s < 0.5 else 1.0 - 2.0 * (1.0 - s) * (1.0 - s)
    impedance = law.impedance_low + (law.impedance_high - law.impedance_low) * rise
    wanted = -law.contact_damping * (nx * vx + ny * vy) - law.stiffness * impedance * residual
    return wanted, impedance / ((1.0 - impedance) * law.inverse_weight)


@kernel
def _resolve(law, ax, ay, first, second, third):
    """The acceleration under three contacts as `_touch` gives them."""
    n0, w0, k0 = first
    n1, w1, k1 = second
    n2, w2, k2 = third
    bx, by = ax, ay
    was = -1
    for _ in range(_NEWTON_STEPS):
        on0 = k0 > 0.0 and n0[0] * bx + n0[1] * by < w0
        on1 = k1 > 0.0 and n1[0] * bx + n1[1] * by < w1
        on2 = k2 > 0.0 and n2[0] * bx + n2[1] * by < w2
        now = (1 if on0 else 0) + (2 if on1 else 0) + (4 if on2 else 0)
        if now == was:
            break
        was = now
        hxx, hxy, hyy, gx, gy = law.mass, 0.0, law.mass, law.mass * ax, law.mass * ay
        if on0:
            hxx, hxy, hyy = hxx + k0 * n0[0] * n0[0], hxy + k0 * n0[0] * n0[1], hyy + k0 * n0[1] * n0[1]
            gx, gy = gx + k0 * w0 * n0[0], gy + k0 * w0 * n0[1]
        if on1:
            hxx, hxy, hyy = hxx + k1 * n1[0] * n1[0], hxy + k1 * n1[0] * n1[1], hyy + k1 * n1[1] * n1[1]
            gx, gy = gx + k1 * w1 * n1[0], gy + k1 * w1 * n1[1]
        if on2:
            hxx, hxy, hyy = hxx + k2 * n2[0] * n2[0], hxy + k2 * n2[0] * n2[1], hyy + k2 * n2[1] * n2[1]
            gx, gy = gx + k2 * w2 * n2[0], gy + k2 * w2 * n2[1]
        determinant = hxx * hyy - hxy * hxy
        bx = (hyy * gx - hxy * gy) / determinant
        by = (hxx * gy - hxy * gx) / determinant
    return bx, by


@kernel
def _touch(law, dx, dy, vx, vy):
    """Normal, wanted acceleration and stiffness (0 for none) of a contact.

    (dx, dy) leads from the wall to the ball.
    """
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0 or length >= law.radius + law.margin:
        return _NO_CONTACT
    nx, ny = dx / length, dy / length
    wanted, stiffness = _press(law, nx, ny, length, vx, vy)
    return (nx, ny), wanted, stiffness


@kernel
def advance(body, walls, grid, law, push_x, push_y):
    """Move a point mass for one time step.

    A ball within a free cell can touch the wall beside it along x, the one along y, and the one between them.

    Args:
        body: record with `position` (m) and `velocity` (m/s), float64 of shape (2,).
        walls: (rows, columns) uint8.
        grid: record of type `GRID`.
        law: record of type `LAW`.
        push_x: action in [-1, 1].
        push_y: action in [-1, 1].
    """
    x, y = body.position[0], body.position[1]
    vx = min(max(body.velocity[0], -law.speed_limit), law.speed_limit)
    vy = min(max(body.velocity[1], -law.speed_limit), law.speed_limit)
    ax = (law.force * push_x - law.damping * vx) / law.mass
    ay = (law.force * push_y - law.damping * vy) / law.mass
    half = 0.5 * grid.scale
    across = math.floor((x - grid.x0) / grid.scale + 0.5)
    along = math.floor((y - grid.y0) / grid.scale + 0.5)
    u, v = x - (grid.x0 + grid.scale * across), y - (grid.y0 + grid.scale * along)
    reach = half - law.radius - law.margin
    if abs(u) > reach or abs(v) > reach:
        i, j = np.int64(grid.ix * across + grid.iy * along), np.int64(grid.jx * across + grid.jy * along)
        side_x, side_y = (1 if u > 0.0 else -1), (1 if v > 0.0 else -1)
        # distance to the border of the cell, negative towards the ball's side
        gap_x, gap_y = side_x * (abs(u) - half), side_y * (abs(v) - half)
        along_x, along_y, corner = _NO_CONTACT, _NO_CONTACT, _NO_CONTACT
        if is_wall(walls, grid, i + side_x * grid.ix, j + side_x * grid.jx):
            along_x = _touch(law, gap_x, 0.0, vx, vy)
        if is_wall(walls, grid, i + side_y * grid.iy, j + side_y * grid.jy):
            along_y = _touch(law, 0.0, gap_y, vx, vy)
        if is_wall(walls, grid, i + side_x * grid.ix + side_y * grid.iy, j + side_x * grid.jx + side_y * grid.jy):
            corner = _touch(law, gap_x, gap_y, vx, vy)
        if along_x[2] > 0.0 or along_y[2] > 0.0 or corner[2] > 0.0:
            ax, ay = _resolve(law, ax, ay, along_x, along_y, corner)
    change = law.dt * law.mass / (law.mass + law.dt * law.damping)
    vx += change * ax
    vy += change * ay
    body.velocity[0], body.velocity[1] = vx, vy
    body.position[0], body.position[1] = x + law.dt * vx, y + law.dt * vy
