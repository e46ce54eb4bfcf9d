"""Grippers as one player or as a team: the same rules, with actions and observations dealt out.

A world states its rules for all grippers at once, on commands that its record holds as ``commands`` (grippers, size).
One player gives them in a row; of a team each member gives its own, all are paid the same, and each sees its own
gripper first.
"""

from envsuite.core import kernel


@kernel
def take(s, action):
    """Take the commands of all grippers from one player's action, (grippers * size,)."""
    size = s.commands.shape[1]
    for k in range(s.commands.shape[0]):
        for j in range(size):
            s.commands[k, j] = action[size * k + j]


@kernel
def take_each(s, actions):
    """Take the command of each gripper from its own action, (grippers, size)."""
    for k in range(s.commands.shape[0]):
        for j in range(s.commands.shape[1]):
            s.commands[k, j] = actions[k, j]


@kernel
def share(reward, rewards):
    """Pay everybody the same."""
    for k in range(rewards.shape[0]):
        rewards[k] = reward


def members(count: int) -> tuple[str, ...]:
    """Names of a team's agents.

    Args:
        count: of grippers.
    """
    return tuple(f"gripper_{k}" for k in range(count))
