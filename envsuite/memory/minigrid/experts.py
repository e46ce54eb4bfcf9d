"""Who plays: with a memory of the first object, and without any."""

import numpy as np

from envsuite.core import Players, kernel, rng
from envsuite.memory.experts import KernelPlayer
from envsuite.memory.minigrid.world import EMPTY, FORWARD, KEY, VIEW, place_of

LEFT, RIGHT, LOOK = 0, 1, 0.9
"""Turns, and how often the player without memory looks back, where the other end may be in view."""


@kernel
def seen_at(s, column, row):
    """What is seen in a cell of the grid; 0 if it is not in view."""
    for i in range(VIEW):
        for j in range(VIEW):
            a, b = place_of(s, i, j)
            if a == column and b == row:
                return s.sight[i, j]
    return np.uint8(0)


@kernel
def turn_to(s, direction):
    """Forward if one faces a direction, else the shorter turn."""
    turns = (direction - s.direction) % 4
    if turns == 0:
        return FORWARD
    return 0 if turns == 3 else 1


@kernel
def remember(states, params, memory, streams, actions):
    """Walk west until the first object is seen, then east, then to its like."""
    for i in range(states.shape[0]):
        s, kept, middle = states[i], memory[i], params[0].side // 2
        first, upper = seen_at(s, 1, middle - 1), seen_at(s, s.end, middle - 2)
        if first >= KEY:
            kept.first = first
        if upper >= KEY:
            kept.upper = upper
        if kept.first == 0:
            actions[i] = turn_to(s, 2)
        elif s.column < s.end:
            actions[i] = turn_to(s, 0)
        else:
            actions[i] = turn_to(s, 3 if kept.upper == kept.first else 1)


@kernel
def forget(states, params, memory, streams, actions):
    """Walk east; between the two objects look back, and turn to the like of the one that is seen far away.

    Who sees none there looks elsewhere after a while: which way one faces tells what was tried.
    """
    own, last = VIEW // 2, VIEW - 1
    share = LOOK if params[0].shortest < VIEW else 0.0
    for i in range(states.shape[0]):
        sight = states[i].sight
        facing = states[i].direction
        ahead = sight[own, last - 2] >= KEY
        if facing == 0:
            actions[i] = FORWARD if sight[own, last - 1] == EMPTY else LEFT
        elif facing == 1:
            actions[i] = FORWARD if ahead else LEFT
        elif facing == 3:
            looks = rng.uniform(streams[i], rng.AGENT, 0.0, 1.0) < share
            actions[i] = (LEFT if looks else FORWARD) if ahead else RIGHT
        else:
            far = np.uint8(0)
            for k in range(VIEW):
                for ahead_by in range(2, VIEW):
                    far = max(far, sight[k, last - ahead_by])
            # facing west the upper object is on the right
            actions[i] = RIGHT if far >= KEY and sight[own + 2, last] == far else LEFT


class MiniGridMemoryPlayers(Players):
    """A perfect memory, and none."""

    def expert(self):
        """See `remember`."""
        return KernelPlayer(self.world, remember, np.dtype([("first", np.uint8), ("upper", np.uint8)]))

    def collector(self, name):
        """``"memoryless"``: see `forget`."""
        return KernelPlayer(self.world, forget) if name == "memoryless" else super().collector(name)
