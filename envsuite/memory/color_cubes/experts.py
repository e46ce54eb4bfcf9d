"""Who plays: with a memory of what was shown, and without any."""

import numpy as np

from envsuite.core import Players, kernel, rng
from envsuite.core.jit import records
from envsuite.memory.color_cubes.world import ALL, NOTHING, STEPS, TOUCH


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
def remember_batch(states, params, beliefs, actions):
    """Write the action of every slot."""
    p = params[0]
    for i in range(states.shape[0]):
        notice(states[i], p.cubes, beliefs[i])
        actions[i] = approach(states[i], p.side, beliefs[i, 1:], beliefs[i, 0])


class Rememberer:
    """Knows the target and the places of all cubes from what was shown, and goes the shortest way.

    Of the records it reads only what observations show. Every jump is shown, so a perfect memory knows all.

    Args:
        world: a `envsuite.memory.color_cubes.world.ColorCubesWorld`.
    """

    def __init__(self, world):
        self._params, self._cubes = records(world.params), int(world.params[0]["cubes"])
        self._beliefs = np.zeros((0, 1 + self._cubes), np.int64)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Make room; each episode begins with all shown."""
        if len(self._beliefs) != len(mask):
            self._beliefs = np.zeros((len(mask), 1 + self._cubes), np.int64)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The action, int64 (n,)."""
        actions = np.zeros(len(states), np.int64)
        remember_batch(records(states), self._params, self._beliefs, actions)
        return actions


@kernel
def forget_batch(states, params, streams, share, actions):
    """Write the action of every slot."""
    p = params[0]
    for i in range(states.shape[0]):
        s, g = states[i], streams[i]
        if s.begins:
            actions[i] = approach(s, p.side, s.cell, s.target)
        elif rng.uniform(g, rng.AGENT, 0.0, 1.0) < share:
            actions[i] = TOUCH
        else:
            actions[i] = 1 + rng.integers(g, rng.AGENT, 4)


class Forgetter:
    """Does what is best while the target is shown; else it wanders, and touches now and then.

    Args:
        world: a `envsuite.memory.color_cubes.world.ColorCubesWorld`.
        share: of steps of wandering in which it touches.
    """

    def __init__(self, world, share: float = 0.05):
        self._params, self._share = records(world.params), share
        self._streams = records(np.zeros(0, rng.STREAM))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Start each masked slot's stream from its seed."""
        if len(self._streams) != len(mask):
            self._streams = records(np.zeros(len(mask), rng.STREAM))
        rng.begin(self._streams, seeds, mask)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The action, int64 (n,)."""
        actions = np.zeros(len(states), np.int64)
        forget_batch(records(states), self._params, self._streams, self._share, actions)
        return actions


class ColorCubesPlayers(Players):
    """A perfect memory, and none."""

    def expert(self):
        """See `Rememberer`."""
        return Rememberer(self.world)

    def collector(self, name):
        """``"memoryless"``: see `Forgetter`."""
        return Forgetter(self.world) if name == "memoryless" else super().collector(name)
