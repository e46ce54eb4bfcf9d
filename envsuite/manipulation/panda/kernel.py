"""One step of the arm: joints are sent somewhere, physics runs, and the reward is paid."""

from envsuite.core import kernel
from envsuite.manipulation.panda.arm import aim
from envsuite.manipulation.panda.goals import judge, pay
from envsuite.manipulation.panda.scenes import ARM, FORCES, JOINTS, LAG, OPEN, SHARE, SWEEPS
from envsuite.manipulation.panda.senses import look
from envsuite.rigid.forces import make_smooth_force
from envsuite.rigid.integrate import step as advance
from envsuite.rigid.kinematics import make_mass_matrix, place


@kernel
def send(s, p, w, action):
    """Say where the joints go, from where they are and not from where they were sent, as panda-gym does."""
    q, sight = s.body.qpos, s.sight
    moves = ARM
    if p.by_joints != 0:
        for j in range(ARM):
            s.target[j] = q[j] + p.stride * action[j]
    else:
        moves = 3
        x = sight.hand[0] + p.stride * action[0]
        y = sight.hand[1] + p.stride * action[1]
        z = sight.hand[2] + p.stride * action[2]
        aim(w.chain, q, (x, y, max(z, 0.0)), s.target)
    half = 0.0
    if p.grips != 0:
        half = 0.5 * (sight.opening + p.pinch * action[moves])
    s.target[ARM] = s.target[ARM + 1] = min(max(half, 0.0), OPEN)


@kernel
def _torque(m, faster, j, own):
    """Torque of a joint of the arm for accelerations of all; that of its own may be left out."""
    total = own * m[j, 0] * faster[j]
    for k in range(j):
        total += m[j, j - k] * faster[k]
    for k in range(j + 1, ARM):
        total += m[k, k - j] * faster[k]
    return total


@kernel
def drive(s, p, w):
    """Write the motors' torques for the next step of physics, from the inertias that the last pass has found.

    Joints are brought to the speeds at which they reach their targets within some `LAG`, and the arm is held against
    gravity. A joint whose motor is too weak for that speeds up as much as it can, and the others go by that.
    """
    body, m, bias = s.body, w.physics.mass_matrix, w.physics.qfrc_bias
    gain, weak = SHARE / p.model.timestep, False
    for j in range(JOINTS):
        w.wanted[j] = w.faster[j] = gain * ((s.target[j] - body.qpos[j]) / LAG - body.qvel[j])
    for j in range(ARM):
        weak = weak or abs(_torque(m, w.faster, j, 1.0) + bias[j]) > FORCES[j]
    for _ in range(SWEEPS if weak else 0):
        for j in range(ARM):
            others = _torque(m, w.faster, j, 0.0) + bias[j]
            low, high = (-FORCES[j] - others) / m[j, 0], (FORCES[j] - others) / m[j, 0]
            w.faster[j] = min(max(w.wanted[j], low), high)
    for j in range(JOINTS):
        force = _torque(m, w.faster, j, 1.0) if j < ARM else m[j, 0] * w.faster[j]
        body.ctrl[j] = min(max(force + bias[j], -FORCES[j]), FORCES[j])


@kernel
def move(s, p, w, action):
    """Send the joints somewhere and let physics run."""
    send(s, p, w, action)
    place(p.model, s.body, w.physics)
    make_mass_matrix(p.model, w.physics)
    make_smooth_force(p.model, s.body, w.physics)
    for _ in range(p.frame_skip):
        drive(s, p, w)
        advance(p.model, s.body, w.physics)
    look(s, p, w)


@kernel
def step(s, p, w, action):
    """Move, look, and end where the goal is met."""
    move(s, p, w, action)
    s.is_success = judge(s, p)[1]
    s.success_once = s.success_once or s.is_success
    return pay(s, p), s.is_success
