"""The solver on random problems, beside the cost as it is defined."""

from dataclasses import dataclass

import numpy as np
import pytest

from envsuite.core import kernel
from envsuite.core.jit import records
from envsuite.rigid.groups import CONE, EQUALITY, FRICTION, ONE_SIDED
from envsuite.rigid.layout import CLASSES, ELLIPTIC, Model, Physics, Work
from envsuite.rigid.newton import solve_newton

SIZES = CLASSES["medium"].sizes
MOST_ROWS = 30


@kernel
def solve(model, physics, work):
    """Solve what stands in the workspace."""
    solve_newton(model[0], physics[0], work[0])


@dataclass
class Group:
    """Rows of one kind, with all that their cost depends on."""

    kind: int
    jac: np.ndarray  # (rows, dofs)
    aref: np.ndarray
    r: np.ndarray
    bound: float = 0.0
    friction: np.ndarray | None = None
    mu: float = 0.0


class Problem:
    """A tree of up to twelve degrees of freedom, and up to thirty rows on it."""

    def __init__(self, seed: int):
        self.rng = rng = np.random.default_rng(seed)
        self.n = n = int(rng.integers(2, 13))
        self.model, self.physics, self.work = (
            records(np.zeros(1, one.dtype(np.float64, **SIZES))) for one in (Model, Physics, Work)
        )
        m, w = self.model[0], self.work[0]
        m["nv"], m["iterations"], m["cone"], m["scale"] = n, 100, ELLIPTIC, 1 / n
        self.chains: list[list[int]] = []
        for i in range(n):
            parent = int(rng.integers(max(-1, i - 3), i)) if rng.random() < 0.9 else -1
            self.chains.append([i, *(self.chains[parent] if parent >= 0 else ())])
            m["dof_parentid"][i], m["dof_count"][i] = parent, len(self.chains[i])
            m["dof_chain"][i, : len(self.chains[i])] = self.chains[i]
        lower = np.zeros((n, n))
        for i, chain in enumerate(self.chains):
            lower[i, chain] = rng.normal(size=len(chain)) * 0.5
            lower[i, i] = 1
        self.mass = lower.T @ np.diag(rng.uniform(0.2, 3, n)) @ lower
        for i, chain in enumerate(self.chains):
            w["mass_matrix"][i, : len(chain)] = self.mass[i, chain]
        self.force = rng.normal(size=n) * 10
        w["qfrc_smooth"][:n] = self.force
        self.groups: list[Group] = []
        while int(w["nrow"]) < MOST_ROWS and rng.random() < 0.9:
            self._add(m, w)

    def _add(self, m, w) -> None:
        rng, g, first = self.rng, int(w["ngroup"]), int(w["nrow"])
        kind = int(rng.choice([EQUALITY, FRICTION, ONE_SIDED, CONE]))
        rows = {EQUALITY: 3, FRICTION: 1, ONE_SIDED: int(rng.choice([1, 4])), CONE: int(rng.choice([3, 4, 6]))}[kind]
        if first + rows > MOST_ROWS:
            return
        dofs = list(self.chains[int(rng.integers(self.n))])
        if kind == FRICTION:
            dofs = dofs[:1]
        elif rng.random() < 0.3:
            other = self.chains[int(rng.integers(self.n))]
            w["coupled"] |= not set(other) <= set(dofs) and not set(dofs) <= set(other)
            dofs = sorted({*dofs, *other}, reverse=True)
        group = Group(kind, np.zeros((rows, self.n)), rng.normal(size=rows) * 5, rng.uniform(0.01, 2, rows))
        group.jac[:, dofs] = rng.normal(size=(rows, len(dofs)))
        if kind == FRICTION:
            group.bound = rng.uniform(0.1, 3)
        if kind == CONE:
            group.friction = rng.uniform(0.2, 1.5, rows - 1)
            side = group.r[0] / rng.uniform(0.5, 3)
            group.r[1:] = side * group.friction[0] ** 2 / group.friction**2
            group.mu = group.friction[0] * np.sqrt(side / group.r[0])
            m["pair_friction"][g, : rows - 1], m["pair_mixed"][g] = group.friction, 1
            group.friction[1] = group.friction[0]  # both tangents slide alike
            group.r[2] = group.r[1]
            w["con_pair"][g], w["con_sliding"][g], w["con_mu"][g] = g, group.friction[0], group.mu
        self.groups.append(group)
        place = slice(first, first + rows)
        w["jac"][place, : len(dofs)] = group.jac[:, dofs]
        w["jac"][place, len(dofs) :] = 1e3  # anything: it lies behind the end
        w["efc_aref"][place], w["efc_r"][place], w["efc_d"][place] = group.aref, group.r, 1 / group.r
        w["efc_bound"][place] = group.bound
        w["grp_row"][g], w["grp_rows"][g], w["grp_kind"][g], w["grp_con"][g] = first, rows, kind, g
        w["grp_dofs"][g], w["grp_dof"][g, : len(dofs)] = len(dofs), dofs
        w["nrow"], w["ngroup"] = first + rows, g + 1

    def solved(self, start: np.ndarray) -> np.ndarray:
        self.physics["qacc_warmstart"][0, : self.n] = start
        solve(self.model, self.physics, self.work)
        return self.work["qacc"][0, : self.n].copy()

    def cost(self, a: np.ndarray) -> tuple[float, np.ndarray]:
        """Cost and its gradient."""
        off = a - np.linalg.solve(self.mass, self.force)
        total, gradient = 0.5 * off @ self.mass @ off, self.mass @ off
        for group in self.groups:
            value, slopes = _row_cost(group, group.jac @ a - group.aref)
            total += value
            gradient = gradient + group.jac.T @ slopes
        return total, gradient


def _row_cost(group: Group, x: np.ndarray) -> tuple[float, np.ndarray]:
    """Cost of a group's rows at these residuals, and its slopes."""
    d = 1 / group.r
    if group.kind == FRICTION and abs(x[0]) > group.r[0] * group.bound:
        return group.bound * abs(x[0]) - 0.5 * group.r[0] * group.bound**2, group.bound * np.sign(x)
    if group.kind == ONE_SIDED:
        x = np.minimum(x, 0)
    if group.kind != CONE:
        return 0.5 * float(d @ x**2), d * x
    scale = np.array([group.mu, *group.friction])
    u = x * scale
    n, t = u[0], np.linalg.norm(u[1:])
    if n >= group.mu * t:
        return 0.0, np.zeros(len(x))
    if group.mu * n + t <= 0:
        return 0.5 * float(d @ x**2), d * x
    weight, gap = d[0] / (group.mu**2 * (1 + group.mu**2)), n - group.mu * t
    slopes = weight * gap * np.array([1, *(-group.mu * u[1:] / t)]) * scale
    return 0.5 * weight * gap**2, slopes


@pytest.mark.parametrize("block", range(5))
def test_random_problems_are_solved_to_the_end(block):
    kinds = set()
    for seed in range(100 * block, 100 * block + 100):
        problem = Problem(seed)
        kinds |= {(group.kind, bool(problem.work["coupled"][0])) for group in problem.groups}
        a = problem.solved(np.zeros(problem.n))
        least, gradient = problem.cost(a)
        scale = np.abs(problem.force).max() + sum(
            np.abs(one.jac.T @ (one.aref / one.r)).max() for one in problem.groups
        )
        assert np.abs(gradient).max() < 1e-9 * scale, seed
        for _ in range(20):
            way = problem.rng.normal(size=(5, problem.n)) * 10.0 ** problem.rng.uniform(-4, 0)
            assert all(problem.cost(a + one)[0] >= least - 1e-12 * abs(least) for one in way), seed
        again = problem.solved(problem.rng.normal(size=problem.n) * 100)
        np.testing.assert_allclose(again, a, rtol=0, atol=1e-9 * max(1, np.abs(a).max()))
    assert len(kinds) == 8
