"""Extended position-based dynamics (Macklin et al. 2016) with one iteration in a substep (Macklin et al. 2019).

A substep of length h predicts positions, moves them along constraints, and takes velocities from what moved. A
constraint C with stiffness k has the compliance a = 1 / (k h²): its multiplier is -C / (sum of w |grad C|² + a), with
inverse masses w. Damping of a constraint with coefficient c adds the term of equation 26 of the 2016 paper.

Links of a row of points are met all at once: their multipliers solve a tridiagonal system. One after another, links
would pass a pull on by one point in a substep, and a long row would stretch. Pulled harder than about m l / h² (mass of
a point, length of a link), such a row shakes itself to pieces; springs that are met one by one never do.
"""

from envsuite.core import Record, field, fmath, kernel


class Chain(Record):
    """Room for `tensions`."""

    way = field(shape=("links", "axes"), meaning="unit vectors along links")
    pivot = field(shape="links")
    factor = field(shape="links")
    pull = field(unit="kg m", shape="links", meaning="multipliers")


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


@kernel
def tensions(x, light, count, rest, compliance, chain):
    """Multipliers of the links of a row of points, by elimination.

    Args:
        x: positions, m, (points, axes).
        light: inverse masses, 1/kg, (points,).
        count: of points, at least 2.
        rest: length of a link, m.
        compliance: of a link, 1 / (k h²), 1/kg; above 0.
        chain: record that is written: ``pull``, the multipliers, kg m; ``way``, unit vectors along links.
    """
    for j in range(count - 1):
        a, b, square = j, j + 1, 0.0
        for k in range(x.shape[1]):
            chain.way[j, k] = x[b, k] - x[a, k]
            square += chain.way[j, k] * chain.way[j, k]
        length = fmath.sqrt(square)
        scale, turn = (1.0 / length if length > 0.0 else 0.0), 0.0
        for k in range(x.shape[1]):
            chain.way[j, k] *= scale
            turn += chain.way[j, k] * chain.way[j - 1, k] if j > 0 else 0.0
        pivot, pull = light[a] + light[b] + compliance, rest - length
        if j > 0:
            beside = -light[a] * turn
            chain.factor[j] = beside / chain.pivot[j - 1]
            pivot -= beside * chain.factor[j]
            pull -= chain.factor[j] * chain.pull[j - 1]
        chain.pivot[j], chain.pull[j] = pivot, pull
    for back in range(count - 1):
        j = count - 2 - back
        chain.pull[j] /= chain.pivot[j]
        if back > 0:
            chain.pull[j] -= chain.factor[j + 1] * chain.pull[j + 1]


@kernel
def tighten(x, light, count, chain):
    """Move a row of points by the multipliers that `tensions` found."""
    for j in range(count - 1):
        a, b = j, j + 1
        for k in range(x.shape[1]):
            x[a, k] -= light[a] * chain.pull[j] * chain.way[j, k]
            x[b, k] += light[b] * chain.pull[j] * chain.way[j, k]


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
