"""What can be inferred on a board: where ships may lie, and where mines cannot."""

import numpy as np

from envsuite.core import kernel

HIT = 30.0
"""How many times as likely a place of a ship counts for each hit it explains."""


@kernel
def ship_odds(shot, ship, size, ships, odds):
    """How much speaks for each cell: places of ships that were not missed there, more so where they explain hits.

    Args:
        shot: (size^2,) 1 where a shot fell.
        ship: (size^2,) not 0 for a ship; looked at where a shot fell.
        size: rows and columns of the board.
        ships: cells of each ship.
        odds: (size^2,) float64, written.
    """
    for k in range(size * size):
        odds[k] = 0.0
    for n in range(ships.shape[0]):
        cells = ships[n]
        along = size - cells + 1
        for way in range(2 * size * along):
            across, line, first = way % 2, way // 2 // along, way // 2 % along
            start = first * size + line if across else line * size + first
            stride = size if across else 1
            weight = 1.0
            for k in range(cells):
                cell = start + k * stride
                if shot[cell] != 0:
                    weight = weight * HIT if ship[cell] != 0 else 0.0
            for k in range(cells):
                cell = start + k * stride
                if shot[cell] == 0:
                    odds[cell] += weight


@kernel
def choose(total, few):
    """Ways to choose so many of a total."""
    ways = 1.0
    for k in range(few):
        ways = ways * (total - k) / (k + 1)
    return ways if 0 <= few <= total else 0.0


@kernel
def mine_odds(opened, number, size, mines, odds, edge, place, value, need, hidden, ways):
    """The chance of a mine in each closed cell, exactly: over all ways in which the mines can lie.

    Cells next to an opened one are tried one after another; the others count by how many ways there are for them.

    Args:
        opened: (size^2,) 1 for opened cells, none of them a mine.
        number: (size^2,) mines in and around a cell; looked at where it is open.
        size: rows and columns of the board.
        mines: on the board.
        odds: (size^2,) float64, written; 2 for opened cells.
        edge: (size^2,) int64, scratch, as `place`, `value`, `need` and `hidden`.
        place: scratch.
        value: scratch.
        need: scratch.
        hidden: scratch.
        ways: (2, size^2 + 1) float64, scratch.
    """
    cells, count, rest = size * size, 0, 0
    for k in range(cells):
        odds[k], place[k] = 2.0 if opened[k] else 0.0, -1
        need[k], hidden[k] = number[k], 0
    for k in range(cells):
        if opened[k] != 0:
            continue
        near = False
        for i in range(max(k // size - 1, 0), min(k // size + 2, size)):
            for j in range(max(k % size - 1, 0), min(k % size + 2, size)):
                if opened[i * size + j] != 0:
                    near = True
                    hidden[i * size + j] += 1
        if near:
            edge[count], place[k] = k, count
            count += 1
        else:
            rest += 1
    for n in range(count + 1):
        ways[0, n], ways[1, n] = 0.0, 0.0
    total, outside, depth, used = 0.0, 0.0, 0, 0
    if count > 0:
        value[0] = -1
    while depth >= 0:
        if depth == count:
            weight = choose(rest, mines - used)
            total += weight
            if rest > 0:
                outside += weight * (mines - used) / rest
            for n in range(count):
                if value[n] == 1:
                    ways[0, n] += weight
            depth -= 1
            continue
        k = edge[depth]
        if value[depth] >= 0:  # take back
            used -= value[depth]
            for i in range(max(k // size - 1, 0), min(k // size + 2, size)):
                for j in range(max(k % size - 1, 0), min(k % size + 2, size)):
                    if opened[i * size + j] != 0:
                        need[i * size + j] += value[depth]
                        hidden[i * size + j] += 1
        value[depth] += 1
        if value[depth] > 1:
            depth -= 1
            continue
        fits = True
        used += value[depth]
        for i in range(max(k // size - 1, 0), min(k // size + 2, size)):
            for j in range(max(k % size - 1, 0), min(k % size + 2, size)):
                cell = i * size + j
                if opened[cell] != 0:
                    need[cell] -= value[depth]
                    hidden[cell] -= 1
                    fits = fits and 0 <= need[cell] <= hidden[cell]
        if fits and used <= mines:
            depth += 1
            if depth < count:
                value[depth] = -1
    for k in range(cells):
        if opened[k] == 0 and total > 0.0:
            odds[k] = ways[0, place[k]] / total if place[k] >= 0 else outside / total


@kernel
def surely_free(opened, number, size):
    """A closed cell next to an opened one that counts no mines; -1 if there is none."""
    for k in range(size * size):
        if opened[k] != 0 and number[k] == 0:
            for i in range(max(k // size - 1, 0), min(k // size + 2, size)):
                for j in range(max(k % size - 1, 0), min(k % size + 2, size)):
                    if opened[i * size + j] == 0:
                        return i * size + j
    return -1


@kernel
def shoot_batch(states, size, ships, odds, actions):
    """Shoot where most speaks for a ship."""
    for n in range(states.shape[0]):
        s = states[n]
        ship_odds(s.shot, s.ship, size, ships, odds)
        best = np.argmax(odds[: size * size])
        actions[n, 0], actions[n, 1] = best // size, best % size


@kernel
def closed_around(opened, size, k):
    """Closed cells in and around one."""
    closed = 0
    for i in range(max(k // size - 1, 0), min(k // size + 2, size)):
        for j in range(max(k % size - 1, 0), min(k % size + 2, size)):
            closed += opened[i * size + j] == 0
    return closed


@kernel
def sweep_batch(states, size, mines, odds, scratch, ways, actions):
    """Open a cell that is free for sure, else the likeliest one, or none any more where that risks too much.

    Of equal risks it takes the cell with the fewest closed ones around it, whose number tells most. It stops, by
    opening an open cell again until time is over, where that costs less than to go on if all went well afterwards.
    """
    cells = size * size - mines
    edge, place, value, need, hidden = scratch
    for n in range(states.shape[0]):
        s = states[n]
        best = surely_free(s.open, s.number, size)
        if best < 0:
            mine_odds(s.open, s.number, size, mines, odds, edge, place, value, need, hidden, ways)
            best, least = 0, 9.0
            for k in range(size * size):
                value_here = odds[k] + 1e-9 * closed_around(s.open, size, k)
                if value_here < least:
                    best, least = k, value_here
            risk, left = odds[best], cells - np.int64(s.clock.step)
            gain = (1.0 - risk) * left / cells - risk * (0.5 + 1.0 / cells)
            if s.opened > 0 and gain < -0.5 * left / (cells - 2):
                best = np.int64(s.last)
        actions[n, 0], actions[n, 1] = best // size, best % size
