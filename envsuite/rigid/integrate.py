"""From a state to its accelerations, and to the next state (MuJoCo's mj_forward, mj_Euler, mj_RungeKutta)."""

from envsuite.core import kernel, real
from envsuite.core.fmath import sincos, sqrt
from envsuite.rigid.contact import find_contacts
from envsuite.rigid.forces import make_smooth_force, push
from envsuite.rigid.fours import anywhere, choose
from envsuite.rigid.kinematics import make_mass_matrix, place
from envsuite.rigid.layout import BALL, FREE, IMPLICIT_FAST, PGS, RK4
from envsuite.rigid.linear import copy_tree, factor_tree, solve_tree
from envsuite.rigid.newton import solve_newton
from envsuite.rigid.pgs import solve_pgs
from envsuite.rigid.rows import make_rows
from envsuite.rigid.spatial import TINY, multiply, normalise


@kernel(apart=True)
def forward(m, s, w):
    """All that follows from a state: frames, contacts, forces, accelerations.

    Args:
        m: `Model`.
        s: `Physics`.
        w: `Work`, which holds the results.
    """
    place(m, s, w)
    make_mass_matrix(m, w)
    make_smooth_force(m, s, w)
    constrain(m, s, w)


@kernel(apart=True)
def constrain(m, s, w):
    """What differs from instance to instance in kind, not only in numbers: the push, contacts, limits, their forces.

    Args:
        m: `Model`.
        s: `Physics`.
        w: `Work`, with frames, mass matrix and the other smooth forces.
    """
    if s.pushed > 0:
        push(m, s, w)
    find_contacts(m, s, w)
    make_rows(m, s, w)
    if w.nrow == 0:
        _unconstrained(m, w)
    elif m.solver == PGS:
        solve_pgs(m, s, w)
    else:
        solve_newton(m, s, w)


@kernel
def _unconstrained(m, w):
    copy_tree(m, w.mass_matrix, w.factor)
    for i in range(m.nv):
        w.qacc[i] = w.qfrc_smooth[i]
        w.qfrc_constraint[i] = 0.0
    factor_tree(m, w.factor)
    solve_tree(m, w.factor, w.qacc)


@kernel(apart=True)
def step(m, s, w):
    """Advance a state by one time step. The workspace is left as the last pass over the old state wrote it.

    Args:
        m: `Model`.
        s: `Physics`.
        w: `Work`.
    """
    forward(m, s, w)
    if m.integrator == RK4:
        begin_runge_kutta(m, s, w)
        for stage in range(1, 4):
            go_to_stage(m, s, w, stage)
            forward(m, s, w)
            add_stage(m, w, stage)
        end_runge_kutta(m, s, w)
    else:
        euler(m, s, w)
    for i in range(m.nv):
        s.qacc_warmstart[i] = w.qacc[i]


@kernel
def _most_damping(m, s):
    most = s.damping[0]
    for i in range(1, m.nv):
        most = max(most, s.damping[i])
    return most


@kernel
def euler(m, s, w):
    """Damping at the new velocity: (M + h B) a = all forces. With implicitfast servos damp as well."""
    damped = _most_damping(m, s) > 0
    if m.integrator == IMPLICIT_FAST or anywhere(damped):
        copy_tree(m, w.mass_matrix, w.factor)
        for i in range(m.nv):
            w.search[i] = w.qfrc_smooth[i] + w.qfrc_constraint[i]
            w.factor[i, 0] += m.timestep * s.damping[i]
        if m.integrator == IMPLICIT_FAST:
            for k in range(m.nu):
                d = m.actuator_dof[k]
                w.factor[d, 0] -= m.timestep * s.gear[k] * s.gear[k] * m.actuator_bias[k, 2]
        factor_tree(m, w.factor)
        solve_tree(m, w.factor, w.search)
        for i in range(m.nv):
            fast = w.search[i] if m.integrator == IMPLICIT_FAST else choose(damped, w.search[i], w.qacc[i])
            s.qvel[i] += m.timestep * fast
    else:
        for i in range(m.nv):
            s.qvel[i] += m.timestep * w.qacc[i]
    move(m, s.qpos, s.qvel, m.timestep, w.scratch)


@kernel
def begin_runge_kutta(m, s, w):
    """The classical method of fourth order: keep the state, whose accelerations have been computed."""
    for i in range(m.nq):
        w.qpos_0[i] = s.qpos[i]
    for i in range(m.nv):
        w.qvel_0[i] = s.qvel[i]
        w.qvel_sum[i] = s.qvel[i] / 6
        w.qacc_sum[i] = w.qacc[i] / 6
        w.qvel_stage[i] = s.qvel[i]


@kernel
def go_to_stage(m, s, w, stage):
    """Write the state of the second to fourth stage."""
    ahead = m.timestep if stage == 3 else 0.5 * m.timestep
    for i in range(m.nq):
        s.qpos[i] = w.qpos_0[i]
    move(m, s.qpos, w.qvel_stage, ahead, w.scratch)
    for i in range(m.nv):
        s.qvel[i] = w.qvel_0[i] + ahead * w.qacc[i]
        w.qvel_stage[i] = s.qvel[i]
        if m.solver != PGS:  # its result depends on where it starts; MuJoCo's stages start where the step did
            s.qacc_warmstart[i] = w.qacc[i]


@kernel
def add_stage(m, w, stage):
    """Add what a stage has found."""
    weight = 6 if stage == 3 else 3
    for i in range(m.nv):
        w.qvel_sum[i] += w.qvel_stage[i] / weight
        w.qacc_sum[i] += w.qacc[i] / weight


@kernel
def end_runge_kutta(m, s, w):
    """Write the state after the step."""
    h = m.timestep
    for i in range(m.nq):
        s.qpos[i] = w.qpos_0[i]
    for i in range(m.nv):
        s.qvel[i] = w.qvel_0[i] + h * w.qacc_sum[i]
    move(m, s.qpos, w.qvel_sum, h, w.scratch)


@kernel
def move(m, qpos, qvel, h, scratch):
    """Move positions by velocities; free and ball joints turn about axes of the body."""
    for j in range(m.njnt):
        a, d, kind = m.jnt_qposadr[j], m.jnt_dofadr[j], m.jnt_type[j]
        if kind == FREE:
            for k in range(3):
                qpos[a + k] += h * qvel[d + k]
            a, d = a + 3, d + 3
        if kind in (FREE, BALL):
            _turn(qpos[a : a + 4], qvel[d], qvel[d + 1], qvel[d + 2], h, scratch)
        else:
            qpos[a] += h * qvel[d]


@kernel
def _turn(q, x, y, z, h, scratch):
    speed = sqrt(x * x + y * y + z * z)
    still = speed < TINY
    sine, cosine = sincos(0.5 * h * speed)
    sine /= speed
    zero = real(0.0, q)
    scratch[0], scratch[1] = choose(still, real(1.0, q), cosine), choose(still, zero, sine * x)
    scratch[2], scratch[3] = choose(still, zero, sine * y), choose(still, zero, sine * z)
    q[0], q[1], q[2], q[3] = multiply(q[0], q[1], q[2], q[3], scratch)
    normalise(q)
