"""Who plays: with a perfect memory, and without any."""

import numpy as np

from envsuite.core import Players, kernel, rng
from envsuite.memory.experts import KernelPlayer
from envsuite.memory.memory_gym.dodging import MEMORY, dodge, rush
from envsuite.memory.memory_gym.endless_path import COLUMNS
from envsuite.memory.memory_gym.mortar import AHEAD, OFFSETS
from envsuite.memory.memory_gym.path import CELLS, NEIGHBOURS, SIDE

# how often players without memory go on; the best of a few shares
OBEY, ONWARD, AHEAD_ALONG = 0.2, 0.9, 0.7


@kernel
def steer(facing, right, down):
    """Go on where that leads nearer, else turn; for an agent that turns and goes.

    Args:
        facing: 0 north, 1 west, 2 south, 3 east.
        right: columns to go.
        down: rows to go.
    """
    found = 0
    for turn, action in ((0, 3), (1, 1), (3, 2), (2, 1)):
        x, y = AHEAD[(facing + turn) % 4]
        if found == 0 and (x * right > 0 or y * down > 0):
            found = action
    return found


@kernel
def carry_out(states, params, memory, streams, actions):
    """Go to the tile where the commands lead, which are all known once they were shown."""
    p = params[0]
    for i in range(states.shape[0]):
        s = states[i]
        right, down = s.target_x - s.x, s.target_y - s.y
        if p.endless:
            half = p.side // 2
            right, down = (right + half) % p.side - half, (down + half) % p.side - half
        actions[i] = 0 if s.left > 0 else steer(s.facing, right, down)


@kernel
def stay(states, params, memory, streams, actions):
    """Wait; a fifth of the commands say so. Where all are told, go now and then where the first one says."""
    for i in range(states.shape[0]):
        s = states[i]
        actions[i] = 0
        if params[0].told and not s.burning:
            right, down = OFFSETS[s.command[0]]
            actions[i] = steer(s.facing, right, down)
            if actions[i] == 3 and rng.uniform(streams[i], rng.AGENT, 0.0, 1.0) >= OBEY:
                actions[i] = 0


@kernel
def march(states, params, memory, streams, actions):
    """Go straight on, and turn now and then."""
    for i in range(states.shape[0]):
        g = streams[i]
        onward = rng.uniform(g, rng.AGENT, 0.0, 1.0) < ONWARD
        actions[i] = 3 if onward else 1 + rng.integers(g, rng.AGENT, 2)


@kernel
def drift(states, params, memory, streams, actions):
    """Go right, or else on in the column, away from the part of the path that is seen there."""
    for i in range(states.shape[0]):
        s, g = states[i], streams[i]
        from_row = np.int64(s.y) if s.off else np.int64(s.enters[s.x])
        if rng.uniform(g, rng.AGENT, 0.0, 1.0) < AHEAD_ALONG:
            actions[i] = 1
        elif from_row != s.y:
            actions[i] = 2 if from_row > s.y else 3
        else:
            actions[i] = 2 + rng.integers(g, rng.AGENT, 2)


@kernel
def index_of(kept, cell):
    """Where a cell is on the part of the path that is known; -1 if it is not."""
    for k in range(kept.length):
        if kept.path[k] == cell:
            return k
    return -1


@kernel
def guess(kept, cell):
    """A neighbour of a cell of which nothing is known, the furthest from the side where the path began; -1 for none."""
    best, away = -1, -1
    start = np.int64(kept.path[0])
    for k in range(len(NEIGHBOURS)):
        x, y = cell // SIDE + NEIGHBOURS[k][0], cell % SIDE + NEIGHBOURS[k][1]
        if 0 <= x < SIDE and 0 <= y < SIDE and not kept.known[x * SIDE + y]:
            # at a corner the path may have begun on either side
            across = abs(x - start // SIDE) if start // SIDE % (SIDE - 1) == 0 else 0
            along = abs(y - start % SIDE) if start % SIDE % (SIDE - 1) == 0 else 0
            if max(across, along) > away:
                best, away = x * SIDE + y, max(across, along)
    return best


@kernel
def explore(states, params, memory, streams, actions):
    """Walk to the end of the part of the path that is known, and try the cells beside it."""
    for i in range(states.shape[0]):
        s, kept = states[i], memory[i]
        cell = s.x * SIDE + s.y
        kept.known[cell] = 1
        actions[i] = 0
        if s.off:
            continue
        at = index_of(kept, cell)
        if at < 0:
            kept.path[kept.length] = cell
            at, kept.length = np.int64(kept.length), kept.length + 1
        there = np.int64(kept.path[at + 1]) if at + 1 < kept.length else guess(kept, cell)
        if there >= 0:
            actions[i] = steer(s.facing, there // SIDE - s.x, there % SIDE - s.y)


@kernel
def follow(states, params, memory, streams, actions):
    """Walk to the column that was reached, then try right, and only then up and down."""
    for i in range(states.shape[0]):
        s, kept = states[i], memory[i]
        actions[i] = 0
        if s.off:
            kept.came = 0
            continue
        if s.x > kept.x:
            kept.leaves[kept.x], kept.came = kept.y, 0
        kept.x, kept.y = s.x, s.y
        if s.x < s.furthest:
            actions[i] = 1 if kept.leaves[s.x] == s.y else (2 if kept.leaves[s.x] < s.y else 3)
            continue
        for action, x, y in ((1, 1, 0), (2, 0, -1), (3, 0, 1)):
            inside = 0 <= s.y + y < SIDE
            if actions[i] == 0 and inside and kept.came != 5 - action and s.fallen[s.x + x] & (1 << (s.y + y)) == 0:
                actions[i] = action
        if actions[i] > 1:
            kept.came = actions[i]


class MortarMayhemPlayers(Players):
    """A perfect memory, and none."""

    def expert(self):
        """See `carry_out`."""
        return KernelPlayer(self.world, carry_out)

    def collector(self, name):
        """``"memoryless"``: see `stay`."""
        return KernelPlayer(self.world, stay) if name == "memoryless" else super().collector(name)


class MysteryPathPlayers(Players):
    """A perfect memory, and none."""

    def expert(self):
        """See `explore`."""
        fields = [("known", np.uint8, (CELLS,)), ("path", np.int16, (CELLS,)), ("length", np.int32)]
        return KernelPlayer(self.world, explore, np.dtype(fields))

    def collector(self, name):
        """``"memoryless"``: see `march`."""
        return KernelPlayer(self.world, march) if name == "memoryless" else super().collector(name)


class EndlessMysteryPathPlayers(Players):
    """A perfect memory, and none."""

    def expert(self):
        """See `follow`."""
        fields = [("leaves", np.int8, (COLUMNS,)), ("x", np.int32), ("y", np.int32), ("came", np.int32)]
        return KernelPlayer(self.world, follow, np.dtype(fields))

    def collector(self, name):
        """``"memoryless"``: see `drift`."""
        return KernelPlayer(self.world, drift) if name == "memoryless" else super().collector(name)


class SearingSpotlightsPlayers(Players):
    """A perfect memory, and none."""

    def expert(self):
        """See `dodging.dodge`."""
        return KernelPlayer(self.world, dodge, MEMORY)

    def collector(self, name):
        """``"memoryless"``: see `dodging.rush`."""
        return KernelPlayer(self.world, rush) if name == "memoryless" else super().collector(name)
