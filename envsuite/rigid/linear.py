"""Symmetric matrices between degrees of freedom: products, factors, solutions.

Between branches of a tree the mass matrix is zero, and eliminating from the leaves keeps it so (Featherstone, Rigid
Body Dynamics Algorithms, 2008, section 6.5). Constraints between branches fill the matrix; then a plain Cholesky
factor serves.
"""

from envsuite.core import kernel, real
from envsuite.core.fmath import sqrt
from envsuite.rigid.spatial import TINY


@kernel
def times_mass(m, w, x, result):
    """Mass matrix times vector."""
    for i in range(m.nv):
        total = w.mass_matrix[i, i] * x[i]
        j = m.dof_parentid[i]
        while j >= 0:
            total += w.mass_matrix[i, j] * x[j]
            result[j] += w.mass_matrix[i, j] * x[i]
            j = m.dof_parentid[j]
        result[i] = total


@kernel
def copy_tree(m, a, target):
    """Copy a matrix that is zero between branches, lower half."""
    for i in range(m.nv):
        target[i, i] = a[i, i]
        j = m.dof_parentid[i]
        while j >= 0:
            target[i, j] = a[i, j]
            j = m.dof_parentid[j]


@kernel
def factor_tree(m, a):
    """Replace a matrix that is zero between branches by its factors L' D L, in place, lower half."""
    for k in range(m.nv - 1, -1, -1):
        pivot = max(a[k, k], TINY)
        a[k, k] = pivot
        i = m.dof_parentid[k]
        while i >= 0:
            ratio = a[k, i] / pivot
            j = i
            while j >= 0:
                a[i, j] -= ratio * a[k, j]
                j = m.dof_parentid[j]
            a[k, i] = ratio
            i = m.dof_parentid[i]


@kernel
def solve_tree(m, a, x):
    """Solve with the factors of `factor_tree`, in place."""
    for i in range(m.nv - 1, -1, -1):
        j = m.dof_parentid[i]
        while j >= 0:
            x[j] -= a[i, j] * x[i]
            j = m.dof_parentid[j]
    for i in range(m.nv):
        total = x[i] / a[i, i]
        j = m.dof_parentid[i]
        while j >= 0:
            total -= a[i, j] * x[j]
            j = m.dof_parentid[j]
        x[i] = total


@kernel
def factor_full(a, n):
    """Replace a matrix by its Cholesky factor, in place, lower half."""
    for i in range(n):
        for j in range(i):
            total = a[i, j]
            for k in range(j):
                total -= a[i, k] * a[j, k]
            a[i, j] = total / a[j, j]
        total = a[i, i]
        for k in range(i):
            total -= a[i, k] * a[i, k]
        a[i, i] = sqrt(max(total, TINY))


@kernel
def solve_full(a, n, x):
    """Solve with the factor of `factor_full`, in place."""
    for i in range(n):
        total = x[i]
        for k in range(i):
            total -= a[i, k] * x[k]
        x[i] = total / a[i, i]
    for i in range(n - 1, -1, -1):
        x[i] /= a[i, i]
        for k in range(i):
            x[k] -= a[i, k] * x[i]


@kernel
def product(a, b, n):
    """Product of two vectors."""
    total = real(0.0, a)
    for i in range(n):
        total += a[i] * b[i]
    return total
