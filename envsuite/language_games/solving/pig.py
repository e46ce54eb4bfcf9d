"""Pig, exactly: best play, what two players are worth, and best answers, by value iteration (Neller and Presser, 2004).

Players are arrays of probabilities to hold, by one's own safe points, the other's, and those of the turn: (target,
target, 2 target). Who has twice the target in one turn counts as holding.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from envsuite.core.jit import kernel

FACES = 6
_TOLERANCE = 1e-14
_STEPS = 100


@kernel
def _turn(own, other, target, hold, best, lost, after, line, slope):
    """Chance to win of the player to move, for each number of points of the turn, and how it grows with `lost`.

    Args:
        own: its safe points.
        other: of the other.
        target: points that win.
        hold: (target, target, K) its probabilities to hold.
        best: whether it takes the better move instead, and writes it into `hold`.
        lost: its chance to win when the other is to move and nothing has been won.
        after: (target, target) the same after holding, by its points and the other's.
        line: (K + 7,) written.
        slope: likewise.
    """
    longest = hold.shape[2]
    for k in range(longest - 1, -1, -1):
        held = 1.0 if own + k >= target else after[own + k, other]
        rolled, grows = lost, 1.0
        for face in range(2, FACES + 1):
            more = k + face < longest
            rolled += line[k + face] if more else 1.0
            grows += slope[k + face] if more else 0.0
        rolled, grows = rolled / FACES, grows / FACES
        if best:
            hold[own, other, k] = 1.0 if k > 0 and held >= rolled else 0.0
        chance = 0.0 if k == 0 else hold[own, other, k]
        line[k] = chance * held + (1.0 - chance) * rolled
        slope[k] = (1.0 - chance) * grows


@kernel(arrays=True)
def _play(target, hold, rival, best, both, mine, theirs):
    """Chances of the first player to win at a new turn of its own, and of the other: (target, target).

    Args:
        target: points that win.
        hold: of the first player, written where it takes the better move.
        rival: of the other.
        best: whether the first player takes the better move.
        both: whether the other does, too.
        mine: (target, target) by the first player's points and the other's, written.
        theirs: likewise.
    """
    line, slope = np.zeros(hold.shape[2] + FACES + 1), np.zeros(hold.shape[2] + FACES + 1)
    rivals = np.zeros((target, target))  # of the other to win when the first is to move, by its points and the first's
    for total in range(2 * target - 2, -1, -1):
        for own in range(max(0, total - target + 1), min(target, total + 1)):
            other = total - own
            # The chances at a new turn of either follow from each other: linearly as long as the moves stay the same,
            # so that Newton's steps end as soon as they do.
            first, second = 0.5, 0.5
            for _ in range(_STEPS):
                before, behind = first, second
                _turn(own, other, target, hold, best, second, theirs, line, slope)
                f, df = line[0], slope[0]
                _turn(other, own, target, rival, both, 1.0 - first, rivals, line, slope)
                g, dg = line[0], slope[0]
                first = (f + df * (1.0 - g - dg * before - behind)) / (1.0 - df * dg)
                second = 1.0 - g - dg * (before - first)
                if abs(first - before) < _TOLERANCE and abs(second - behind) < _TOLERANCE:
                    break
            mine[own, other], theirs[own, other] = first, second
            rivals[other, own] = 1.0 - first


def check_target(target: Any) -> int:
    """A number of points that wins.

    Raises:
        ValueError: no whole number from 2 to 200.
    """
    if not isinstance(target, int | np.integer) or isinstance(target, bool) or not 2 <= target <= 200:
        raise ValueError(f"target is {target!r}, expected a whole number from 2 to 200")
    return int(target)


def check_player(hold: Any, target: int) -> np.ndarray:
    """A player's probabilities to hold.

    Raises:
        ValueError: another shape, or numbers that are no probabilities.
    """
    found = np.array(hold, np.float64)
    shape = (target, target, 2 * target)
    if found.shape != shape or not ((found >= 0) & (found <= 1)).all():
        raise ValueError(f"hold has the shape {found.shape}, expected {shape} probabilities from 0 to 1")
    return found


def best_play(target: int = 100) -> tuple[float, np.ndarray]:
    """Solve the game.

    Args:
        target: points that win.

    Returns:
        The chance of who begins to win, and when to hold: (target, target, 2 target).
    """
    target = check_target(target)
    hold, rival, mine, theirs = _tables(target)
    _play(target, hold, rival, True, True, mine, theirs)
    return float(mine[0, 0]), hold


def chance_to_win(first: Any, second: Any, target: int = 100) -> float:
    """Chance of who begins to win against another.

    Args:
        first: (target, target, 2 target) probabilities to hold of who begins.
        second: of the other.
        target: points that win.
    """
    target = check_target(target)
    _, _, mine, theirs = _tables(target)
    _play(target, check_player(first, target), check_player(second, target), False, False, mine, theirs)
    return float(mine[0, 0])


def exploitability(hold: Any, target: int = 100) -> float:
    """How much best answers gain over a player, half of NashConv, where winning is 1 and losing -1.

    Args:
        hold: (target, target, 2 target) its probabilities to hold.
        target: points that win.
    """
    target = check_target(target)
    answer, _, mine, theirs = _tables(target)
    _play(target, answer, check_player(hold, target), True, False, mine, theirs)
    return float((2 * mine[0, 0] - 1 + 2 * theirs[0, 0] - 1) / 2)


def _tables(target: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    shape = (target, target, 2 * target)
    return np.zeros(shape), np.zeros(shape), np.zeros((target, target)), np.zeros((target, target))


def hold_at(points: int, target: int = 100) -> np.ndarray:
    """The player that holds at a number of points, or when that wins: (target, target, 2 target).

    Args:
        points: of the turn.
        target: that wins.
    """
    target = check_target(target)
    turn = np.arange(2 * target)
    enough = (turn >= points) | (np.arange(target)[:, np.newaxis] + turn >= target)
    return np.repeat(enough[:, np.newaxis, :], target, axis=1).astype(np.float64)


def player_of(policy: Callable[[np.ndarray], Any], target: int = 100) -> np.ndarray:
    """The array of a policy: (target, target, 2 target).

    Args:
        policy: observations (m, 7) of players to move, as `envsuite.language_games.pig.world` has them, to
            probabilities (m, 2) to roll and to hold.
        target: points that win.
    """
    target = check_target(target)
    own, other, turn = np.indices((target, target, 2 * target)).reshape(3, -1)
    one = np.ones(len(own), np.int64)
    seen = np.stack([own, other, turn, 0 * one, one, one, turn > 0], axis=1).astype(np.int16)
    hold = np.asarray(policy(seen), np.float64)[:, 1].reshape(target, target, 2 * target)
    return check_player(hold, target)
