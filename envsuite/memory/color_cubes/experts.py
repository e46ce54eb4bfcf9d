"""Who plays: with a memory of what was shown, and without any."""

import numpy as np

from envsuite.core import Players, kernel, rng
from envsuite.memory.color_cubes.world import ALL, NOTHING, STEPS, TOUCH
from envsuite.memory.experts import KernelPlayer

TOUCHES = 0.05
"""Share of the steps of wandering in which the player without memory touches: more of them cost more than they earn."""


@kernel
def notice(s, cubes, belief):
    """Bring a belief, the target and the cell of each cube, up to date with what a record shows.

    Where places alone are shown, the cube whose place is empty now has jumped to the place that was empty before.
    """
    if s.begins:
        belief[0] = s.target
    if s.shown == ALL:
        for k in range(cubes):
            belief[1 + k] = s.cell[k]
    elif s.shown != NOTHING:
        for k in range(cubes):
            stays = False
            for j in range(cubes):
                stays = stays or s.cell[j] == belief[1 + k]
            if not stays:
                for j in range(cubes):
                    known = False
                    for i in range(cubes):
                        known = known or s.cell[j] == belief[1 + i]
                    if not known:
                        belief[1 + k] = s.cell[j]
                        return


@kernel
def approach(s, size, cells, target):
    """The next move on a shortest way to touch a cube.

    Args:
        s: the record.
        size: of the grid.
        cells: of the cubes.
        target: the cube.
    """
    down, right = cells[target] // size - s.row, cells[target] % size - s.column
    here = s.row * size + s.column
    other = False
    for k in range(cells.shape[0]):
        other = other or (k != target and cells[k] == here)
    ahead = down == STEPS[s.facing, 0] and right == STEPS[s.facing, 1]
    if (down == 0 and right == 0) or (ahead and not other):
        return TOUCH
    # the longer way last, since its end need not be entered
    if down != 0 and (right == 0 or abs(down) <= abs(right)):
        return 1 if down < 0 else 2
    return 3 if right < 0 else 4


@kernel
def remember(states, params, memory, streams, actions):
    """Know all from what was shown, and go the shortest way; every jump is shown, so nothing stays unknown."""
    p = params[0]
    for i in range(states.shape[0]):
        belief = memory[i].belief
        notice(states[i], p.cubes, belief)
        actions[i] = approach(states[i], p.side, belief[1:], belief[0])


@kernel
def forget(states, params, memory, streams, actions):
    """Do what is best while the target is shown; else wander, and touch now and then."""
    p = params[0]
    for i in range(states.shape[0]):
        s, g = states[i], streams[i]
        if s.begins:
            actions[i] = approach(s, p.side, s.cell, s.target)
        elif rng.uniform(g, rng.AGENT, 0.0, 1.0) < TOUCHES:
            actions[i] = TOUCH
        else:
            actions[i] = 1 + rng.integers(g, rng.AGENT, 4)


class ColorCubesPlayers(Players):
    """A perfect memory, and none."""

    def expert(self):
        """See `remember`."""
        cubes = int(self.world.params[0]["cubes"])
        return KernelPlayer(self.world, remember, np.dtype([("belief", np.int64, (1 + cubes,))]))

    def collector(self, name):
        """``"memoryless"``: see `forget`."""
        return KernelPlayer(self.world, forget) if name == "memoryless" else super().collector(name)
