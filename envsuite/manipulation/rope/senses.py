"""What is seen of a rope, its grippers, and how fast it moves."""

from envsuite.core import fmath, kernel


@kernel
def see_rope(s, o, first):
    """Write the blocks that all rope tasks have; the gripper of index `first` comes first."""
    last = s.points - 1
    for k in range(2):
        i = 0 if (k + first) % 2 == 0 else last
        for j in range(2):
            o.grippers[2 * k + j] = s.position[i, j]
            o.grippers_velocity[2 * k + j] = s.velocity[i, j]
    for i in range(s.position.shape[0]):
        inside = i <= last
        o.rope_mask[i] = 1.0 if inside else 0.0
        for j in range(2):
            o.rope[2 * i + j] = s.position[i, j] if inside else 0.0
            o.rope_velocity[2 * i + j] = s.velocity[i, j] if inside else 0.0


@kernel
def change(s):
    """Squared change of the action since the last step, which is then forgotten."""
    total = 0.0
    for k in range(s.commands.shape[0]):
        for j in range(s.commands.shape[1]):
            moved = s.commands[k, j] - s.before[k, j]
            total += moved * moved
            s.before[k, j] = s.commands[k, j]
    return total


@kernel
def gap_of(s):
    """Distance between the grippers, m."""
    last = s.points - 1
    dx, dy = s.position[last, 0] - s.position[0, 0], s.position[last, 1] - s.position[0, 1]
    return fmath.sqrt(dx * dx + dy * dy)
