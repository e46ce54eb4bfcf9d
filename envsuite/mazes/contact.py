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

from envsuite.core import kernel

_NEWTON_STEPS = 8  # three contacts need at most four
_FREE = ((0.0, 0.0), 0.0, 0.0)


@kernel
def cell_at(grid, x, y):
    """Row and column of the cell that a place lies in."""
    across = math.floor((x - grid.x0) / grid.scale + 0.5)
    along = math.floor((y - grid.y0) / grid.scale + 0.5)
    return np.int64(grid.ix * across + grid.iy * along), np.int64(grid.jx * across + grid.jy * along)


@kernel
def apart(place, other):
    """Metres between two places, each (2,)."""
    x, y = place[0] - other[0], place[1] - other[1]
    return math.sqrt(x * x + y * y)


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
def _active(contact, x, y):
    """Whether an acceleration is less than a contact asks for."""
    (nx, ny), wanted, stiffness = contact
    return stiffness > 0.0 and nx * x + ny * y < wanted


@kernel
def _added(system, contact):
    """The equations of Newton's step, matrix and right side, with a contact in them."""
    (hxx, hxy, hyy, gx, gy), ((nx, ny), wanted, stiffness) = system, contact
    push = stiffness * wanted
    return (
        hxx + stiffness * nx * nx,
        hxy + stiffness * nx * ny,
        hyy + stiffness * ny * ny,
        gx + push * nx,
        gy + push * ny,
    )


@kernel
def _resolve(law, ax, ay, beside, ahead, corner):
    """The acceleration under three contacts, each with a normal, a wanted acceleration and a stiffness (0 for none)."""
    bx, by = ax, ay
    was = -1
    for _ in range(_NEWTON_STEPS):
        on0, on1, on2 = _active(beside, bx, by), _active(ahead, bx, by), _active(corner, bx, by)
        now = (1 if on0 else 0) + (2 if on1 else 0) + (4 if on2 else 0)
        if now == was:
            break
        was = now
        system = law.mass, 0.0, law.mass, law.mass * ax, law.mass * ay
        if on0:
            system = _added(system, beside)
        if on1:
            system = _added(system, ahead)
        if on2:
            system = _added(system, corner)
        hxx, hxy, hyy, gx, gy = system
        determinant = hxx * hyy - hxy * hxy
        bx = (hyy * gx - hxy * gy) / determinant
        by = (hxx * gy - hxy * gx) / determinant
    return bx, by


@kernel
def _touch(law, dx, dy, vx, vy):
    """Normal, wanted acceleration and stiffness of a contact, from the vector that leads from the wall to the ball."""
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0 or length >= law.radius + law.margin:
        return _FREE
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
        grid: record of type `envsuite.mazes.params.Grid`.
        law: record of type `envsuite.mazes.params.Law`.
        push_x: action in [-1, 1]; numbers rather than an array, whose counted references would cost a fifth of a step.
        push_y: likewise.
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
        beside, ahead, corner = _FREE, _FREE, _FREE
        if is_wall(walls, grid, i + side_x * grid.ix, j + side_x * grid.jx):
            beside = _touch(law, gap_x, 0.0, vx, vy)
        if is_wall(walls, grid, i + side_y * grid.iy, j + side_y * grid.jy):
            ahead = _touch(law, 0.0, gap_y, vx, vy)
        if is_wall(walls, grid, i + side_x * grid.ix + side_y * grid.iy, j + side_x * grid.jx + side_y * grid.jy):
            corner = _touch(law, gap_x, gap_y, vx, vy)
        if beside[2] > 0.0 or ahead[2] > 0.0 or corner[2] > 0.0:
            ax, ay = _resolve(law, ax, ay, beside, ahead, corner)
    change = law.dt * law.mass / (law.mass + law.dt * law.damping)
    vx += change * ax
    vy += change * ay
    body.velocity[0], body.velocity[1] = vx, vy
    body.position[0], body.position[1] = x + law.dt * vx, y + law.dt * vy
