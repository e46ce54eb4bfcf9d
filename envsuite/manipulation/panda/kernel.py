"""One step of the arm: joints are sent somewhere, physics runs, and the reward is paid."""

from envsuite.core import kernel
from envsuite.manipulation.panda.arm import AHEAD, aim
from envsuite.manipulation.panda.goals import judge, pay
from envsuite.manipulation.panda.scenes import ARM, FORCES, JOINTS, LAG, OPEN, SHARE, SWEEPS
from envsuite.manipulation.panda.senses import look
from envsuite.rigid.forces import make_smooth_force
from envsuite.rigid.integrate import step as advance
from envsuite.rigid.kinematics import make_mass_matrix, place


@kernel
def turn_joints(s, p, action):
    """Say where the joints go, from where they are."""
    for j in range(ARM):
        s.target[j] = s.body.qpos[j] + p.stride * action[j]


@kernel
def shift_hand(s, p, w, action, heading):
    """Say where the hand goes, from where it is and not from where it was sent, as panda-gym does.

    Args:
        s: the state.
        p: the constants.
        w: the workspace.
        action: its first three numbers are the way, in strides.
        heading: as `envsuite.manipulation.panda.arm.aim` takes it.
    """
    hand = s.sight.hand
    x = hand[0] + p.stride * action[0]
    y = hand[1] + p.stride * action[1]
    z = hand[2] + p.stride * action[2]
    aim(w.chain, s.body.qpos, (x, y, max(z, 0.0)), heading, s.target)


@kernel
def part_fingers(s, opening):
    """Say how far apart the fingers go, m."""
    s.target[ARM] = s.target[ARM + 1] = min(max(0.5 * opening, 0.0), OPEN)


@kernel
def send(s, p, w, action):
    """Say where joints and fingers go."""
    moves = ARM
    if p.by_joints != 0:
        turn_joints(s, p, action)
    else:
        moves = 3
        shift_hand(s, p, w, action, AHEAD)
    part_fingers(s, s.sight.opening + p.pinch * action[moves] if p.grips != 0 else 0.0)


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
def run(s, p, w):
    """Let physics run while the motors take the joints to where they were sent."""
    place(p.model, s.body, w.physics)
    make_mass_matrix(p.model, w.physics)
    make_smooth_force(p.model, s.body, w.physics)
    for _ in range(p.frame_skip):
        drive(s, p, w)
        advance(p.model, s.body, w.physics)


@kernel
def step(s, p, w, action):
    """Move, look, and end where the goal is met."""
    send(s, p, w, action)
    run(s, p, w)
    look(s, p, w)
    s.is_success = judge(s, p)[1]
    s.success_once = s.success_once or s.is_success
    return pay(s, p), s.is_success
