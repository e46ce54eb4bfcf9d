"""Symmetric matrices between degrees of freedom: products, factors, solutions.

Between branches of a tree the mass matrix is zero, and eliminating from the leaves keeps it so (Featherstone, Rigid
Body Dynamics Algorithms, 2008, section 6.5). Such a matrix stands row by row as chains: each degree of freedom with
itself, then with those above it, the nearest first (`Model.dof_chain`). Constraints between branches fill the matrix;
then it is the upper half of a plain one, and a Cholesky factor serves.
"""

from envsuite.core import kernel, real
from envsuite.core.fmath import sqrt
from envsuite.rigid.abreast import subtract_multiple
from envsuite.rigid.lanes import LANES, add_multiple, divide
from envsuite.rigid.spatial import TINY


@kernel
def times_mass(m, w, x, result):
    """Mass matrix times vector."""
    for i in range(m.nv):
        own = x[i]
        total = w.mass_matrix[i, 0] * own
        for k in range(1, m.dof_count[i]):
            j, entry = m.dof_chain[i, k], w.mass_matrix[i, k]
            total += entry * x[j]
            result[j] += entry * own
        result[i] = total


@kernel
def copy_tree(m, a, target):
    """Copy a matrix of chains."""
    for i in range(m.nv):
        for k in range(m.dof_count[i]):
            target[i, k] = a[i, k]


@kernel
def spread_tree(m, a, target):
    """Write a matrix of chains as the upper half of a plain one."""
    for i in range(m.nv):
        for j in range(i, m.nv):
            target[i, j] = 0.0
    for i in range(m.nv):
        for k in range(m.dof_count[i]):
            target[m.dof_chain[i, k], i] = a[i, k]


@kernel
def factor_tree(m, a):
    """Replace a matrix of chains by its factors L' D L, in place."""
    for k in range(m.nv - 1, -1, -1):
        pivot, count = max(a[k, 0], TINY), m.dof_count[k]
        a[k, 0] = pivot
        for i in range(1, count):
            ratio, above = a[k, i] / pivot, a[m.dof_chain[k, i]]
            subtract_multiple(above, a[k], i, count, ratio)
            a[k, i] = ratio


@kernel
def solve_tree(m, a, x):
    """Solve with the factors of `factor_tree`, in place."""
    for i in range(m.nv - 1, -1, -1):
        own = x[i]
        for k in range(1, m.dof_count[i]):
            x[m.dof_chain[i, k]] -= a[i, k] * own
    for i in range(m.nv):
        total = x[i] / a[i, 0]
        for k in range(1, m.dof_count[i]):
            total -= a[i, k] * x[m.dof_chain[i, k]]
        x[i] = total


@kernel
def solve_tree_fourfold(m, a, x, y, z, u):
    """`solve_tree` for four vectors at once, whose operations do not wait for each other."""
    for i in range(m.nv - 1, -1, -1):
        x_own, y_own, z_own, u_own = x[i], y[i], z[i], u[i]
        if x_own == 0 and y_own == 0 and z_own == 0 and u_own == 0:
            continue
        for k in range(1, m.dof_count[i]):
            j, entry = m.dof_chain[i, k], a[i, k]
            x[j] -= entry * x_own
            y[j] -= entry * y_own
            z[j] -= entry * z_own
            u[j] -= entry * u_own
    for i in range(m.nv):
        pivot = a[i, 0]
        x_own, y_own, z_own, u_own = x[i] / pivot, y[i] / pivot, z[i] / pivot, u[i] / pivot
        for k in range(1, m.dof_count[i]):
            j, entry = m.dof_chain[i, k], a[i, k]
            x_own -= entry * x[j]
            y_own -= entry * y[j]
            z_own -= entry * z[j]
            u_own -= entry * u[j]
        x[i], y[i], z[i], u[i] = x_own, y_own, z_own, u_own


@kernel
def factor_full(a, n):
    """Replace a matrix by the transpose of its Cholesky factor, in place, upper half; rows have room for three more."""
    for k in range(n):
        pivot = sqrt(max(a[k, k], TINY))
        for i in range(k, n, LANES):
            divide(a[k], i, pivot)
        a[k, k] = pivot
        for j in range(k + 1, n):
            for i in range(j, n, LANES):
                add_multiple(a[j], i, a[k], i, -a[k, j])


@kernel
def solve_full(a, n, x):
    """Solve with the factor of `factor_full`, in place."""
    for k in range(n):
        x[k] /= a[k, k]
        for i in range(k + 1, n):
            x[i] -= a[k, i] * x[k]
    for k in range(n - 1, -1, -1):
        total = x[k]
        for i in range(n - 1, k, -1):
            total -= a[k, i] * x[i]
        x[k] = total / a[k, k]


@kernel(inline=True)
def product(a, b, n):
    """Product of two vectors."""
    total = real(0.0, a)
    for i in range(n):
        total += a[i] * b[i]
    return total
