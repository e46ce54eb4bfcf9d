"""Extended position-based dynamics (Macklin, Müller, Chentanez 2016) with one iteration a substep (Macklin et al. 2019).

A substep of length h predicts positions, moves them along constraints, and takes velocities from what moved. A
constraint C with stiffness k has the compliance a = 1 / (k h²): its multiplier is -C / (sum of w |grad C|² + a), with
inverse masses w. Damping of a constraint with coefficient c adds the term of equation 26 of the 2016 paper.
"""

from envsuite.core import fmath, kernel


@kernel(inline=True)
def spring(x, start, i, j, rest, compliance, damping, wi, wj):
    """Move two points of space towards their distance at rest.

    Args:
        x: positions, m, (points, 3), written.
        start: those at the beginning of the substep, (points, 3).
        i: index of one point.
        j: of the other.
        rest: distance at rest, m.
        compliance: 1 / (k h²) for a stiffness of k N/m and a substep of h s, 1/kg.
        damping: c / (k h) for a damping of c N s/m.
        wi: inverse mass of the one, 1/kg.
        wj: of the other; not both 0.
    """
    dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
    square = dx * dx + dy * dy + dz * dz
    if square > 0.0:
        length = fmath.sqrt(square)
        scale = 1.0 / length
        dx, dy, dz = dx * scale, dy * scale, dz * scale
        moved = dx * (x[j, 0] - start[j, 0] - x[i, 0] + start[i, 0])
        moved += dy * (x[j, 1] - start[j, 1] - x[i, 1] + start[i, 1])
        moved += dz * (x[j, 2] - start[j, 2] - x[i, 2] + start[i, 2])
        pull = (length - rest + damping * moved) / ((1.0 + damping) * (wi + wj) + compliance)
        a, b = wi * pull, wj * pull
        x[i, 0] += a * dx
        x[i, 1] += a * dy
        x[i, 2] += a * dz
        x[j, 0] -= b * dx
        x[j, 1] -= b * dy
        x[j, 2] -= b * dz


@kernel(inline=True)
def grip_of(friction, depth, slid):
    """Share of a point's slide along a surface that friction takes back, by Coulomb's law on displacements.

    Args:
        friction: coefficient.
        depth: how deep the point was inside, m.
        slid: length of its slide in this substep, m.
    """
    if slid <= friction * depth:
        return 1.0
    return friction * depth / slid
