"""A cloth of particles and springs, grippers that nothing holds up, and a rod."""

from envsuite.core import Record, field, fmath, kernel
from envsuite.manipulation.cloth.params import ABSENT, DT, FREE, PARTICLES, SPEED
from envsuite.manipulation.xpbd import grip_of, spring


class Work(Record):
    """Intermediate results of a substep."""

    start = field(shape=(PARTICLES, 3))
    lightness = field(shape=PARTICLES)


WORK = Work.dtype()


@kernel(inline=True)
def grasped(p, i):
    """Whether a gripper holds a particle."""
    return p.held and p.owner[i] > FREE


@kernel
def _weigh(p, w):
    """Inverse masses, 1/kg; those of held particles are 0."""
    for i in range(PARTICLES):
        w.lightness[i] = 0.0 if grasped(p, i) or p.owner[i] == ABSENT else p.count / p.mass


@kernel
def _predict(s, p, w, h):
    """Move freely: what grippers hold as commanded, the others as they fall."""
    x, v = s.position, s.velocity
    for k in range(s.grippers.shape[0]):
        for j in range(3):
            s.grippers[k, j] += h * SPEED * s.commands[k, j]
    for i in range(PARTICLES):
        holder = p.owner[i]
        for j in range(3):
            w.start[i, j] = x[i, j]
            if w.lightness[i] > 0.0:
                v[i, j] += h * p.gravity[j]
                x[i, j] += h * v[i, j]
            elif holder > FREE:
                x[i, j] += h * SPEED * s.commands[holder, j]


@kernel
def _pull(s, p, w, h, kind, rest):
    """Let the springs of a kind pull."""
    compliance, damping = 1.0 / (p.stiffness[kind] * h * h), p.damping / (p.stiffness[kind] * h)
    for e in range(p.kinds[kind], p.kinds[kind + 1]):
        i, j = p.springs[e, 0], p.springs[e, 1]
        spring(s.position, w.start, i, j, rest, compliance, damping, w.lightness[i], w.lightness[j])


@kernel
def _touch(s, p, w):
    """Keep out of the hanger, and slide along it with friction."""
    x, axis = s.position, (s.frame[0, 1], s.frame[1, 1], s.frame[2, 1])
    reach = p.half + p.thickness
    for i in range(PARTICLES):
        if w.lightness[i] > 0.0:
            rx, ry, rz = x[i, 0] - s.hanger[0], x[i, 1] - s.hanger[1], x[i, 2] - s.hanger[2]
            along = rx * axis[0] + ry * axis[1] + rz * axis[2]
            if abs(along) < reach:
                nx, ny, nz, depth = _way_out(p, rx, ry, rz, along, axis)
                if depth > 0.0:
                    dx, dy, dz = x[i, 0] - w.start[i, 0], x[i, 1] - w.start[i, 1], x[i, 2] - w.start[i, 2]
                    inward = dx * nx + dy * ny + dz * nz
                    dx, dy, dz = dx - inward * nx, dy - inward * ny, dz - inward * nz
                    back = grip_of(p.friction, depth, fmath.sqrt(dx * dx + dy * dy + dz * dz))
                    x[i, 0] += depth * nx - back * dx
                    x[i, 1] += depth * ny - back * dy
                    x[i, 2] += depth * nz - back * dz


@kernel(inline=True)
def _way_out(p, rx, ry, rz, along, axis):
    """Shortest way of a point, seen from the hanger's middle, out of what it may not enter: direction and length."""
    fx, fy, fz = rx - along * axis[0], ry - along * axis[1], rz - along * axis[2]
    far = fmath.sqrt(fx * fx + fy * fy + fz * fz)
    scale, sign = (1.0 / far if far > 0.0 else 0.0), (1.0 if along > 0.0 else -1.0)
    beside, beyond = far - p.radius, abs(along) - p.half
    if beside > 0.0 and beyond > 0.0:  # around the rim
        length = fmath.sqrt(beside * beside + beyond * beyond)
        out, up = beside / length * scale, beyond / length * sign
        depth = p.thickness - length
    elif beside > beyond:
        out, up, depth = scale, 0.0, p.thickness - beside
    else:
        out, up, depth = 0.0, sign, p.thickness - beyond
    return out * fx + up * axis[0], out * fy + up * axis[1], out * fz + up * axis[2], depth


@kernel
def substep(s, p, w, h, cell):
    """One substep of h seconds; `w` holds inverse masses."""
    _predict(s, p, w, h)
    _pull(s, p, w, h, 2, 2.0 * cell)
    _pull(s, p, w, h, 1, fmath.sqrt(2.0) * cell)
    _pull(s, p, w, h, 0, cell)
    _touch(s, p, w)
    keep = fmath.exp(-p.drag * h) / h
    for i in range(PARTICLES):
        scale = keep if w.lightness[i] > 0.0 else 1.0 / h
        for j in range(3):
            s.velocity[i, j] = (s.position[i, j] - w.start[i, j]) * scale


@kernel
def advance(s, p, w, cell):
    """One step of control."""
    h = DT / p.substeps
    _weigh(p, w)
    for _ in range(p.decimation * p.substeps):
        substep(s, p, w, h, cell)
