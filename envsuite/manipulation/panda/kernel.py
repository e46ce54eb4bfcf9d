"""One step of the arm: joints are sent somewhere, physics runs, and the reward is paid."""

from envsuite.core import kernel
from envsuite.manipulation.panda.arm import aim
from envsuite.manipulation.panda.goals import judge, pay
from envsuite.manipulation.panda.scenes import ARM, FORCES, JOINTS, LAG, OPEN, SHARE
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
def drive(s, p, w):
    """Write the motors' torques for the next step of physics, from the inertias that the last pass has found.

    Joints are brought to the speeds at which they reach their targets within some `LAG`, and the arm is held against
    gravity. Where that is too much for one motor of the arm, all of them speed up less, so that the hand stays on its
    way.
    """
    body, m, force = s.body, w.physics.mass_matrix, w.force
    gain = SHARE / p.model.timestep
    for j in range(JOINTS):
        force[j] = 0.0
        w.faster[j] = gain * ((s.target[j] - body.qpos[j]) / LAG - body.qvel[j])
    for j in range(ARM):
        for k in range(p.model.dof_count[j]):
            i = p.model.dof_chain[j, k]
            force[j] += m[j, k] * w.faster[i]
            if i != j:
                force[i] += m[j, k] * w.faster[j]
    share = 1.0
    for j in range(ARM):
        held = w.physics.qfrc_bias[j]
        left = max(FORCES[j] - held if force[j] > 0.0 else FORCES[j] + held, 0.0)
        if abs(force[j]) > left:
            share = min(share, left / abs(force[j]))
    for j in range(ARM):
        body.ctrl[j] = share * force[j] + w.physics.qfrc_bias[j]
    for j in range(ARM, JOINTS):
        push = m[j, 0] * w.faster[j] + w.physics.qfrc_bias[j]
        body.ctrl[j] = min(max(push, -FORCES[j]), FORCES[j])


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
