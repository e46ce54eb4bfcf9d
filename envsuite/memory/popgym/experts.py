"""Who plays: with a perfect memory of what was seen, and as well as is known without any.

A record holds all that was shown; of it, the players with memory look only at that.
"""

from collections.abc import Callable
from functools import cached_property
from math import comb
from typing import ClassVar

import numpy as np

from envsuite.core import Players, fmath, kernel
from envsuite.core.jit import records
from envsuite.memory.experts import KernelPlayer
from envsuite.memory.popgym import boards
from envsuite.memory.popgym.balance import Balancer
from envsuite.memory.popgym.battleship import SHIPS
from envsuite.memory.popgym.pairs import flip_batch
from envsuite.memory.popgym.recall import FIRST, KEPT, PREVIOUS
from envsuite.memory.popgym.swing import Swinger

Rule = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Ruled:
    """Plays by a function of observations (n, *O) and records (n,).

    Args:
        rule: gives the actions.
    """

    def __init__(self, rule: Rule):
        self._rule = rule

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The actions, (n, *A)."""
        return self._rule(observations, states)


class PopPlayers(Players):
    """A player with memory and one without.

    Attributes:
        follows: whether the player without memory goes on from its previous action, which it has to observe.
    """

    follows: ClassVar[bool] = False

    def expert(self):
        """Remembers everything."""
        return Ruled(self.remember)

    def collector(self, name):
        """``"memoryless"``: the best player that looks at one observation alone, as far as is known."""
        if name != "memoryless":
            return super().collector(name)
        if self.follows and self.world.params["previous"][0] < 0:
            raise ValueError("previous_action is False; the player without memory goes on from its previous action")
        return Ruled(self.forget)

    def remember(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions of the player with memory.

        Args:
            observations: (n, *O).
            states: (n,) records.
        """
        raise NotImplementedError

    def forget(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions of the player without memory.

        Args:
            observations: (n, *O).
            states: (n,) records, not looked at.
        """
        raise NotImplementedError


class RecallPlayers(PopPlayers):
    """The suit that was shown; without memory, what is likeliest beside the present card."""

    def remember(self, observations, states):
        """The right answer."""
        if self.world.task == FIRST:
            return states["first"].astype(np.int64)
        back = self.world.k if self.world.task == PREVIOUS else 1 + states["recited"]
        at = (states["dealt"] - back) % KEPT
        return states["seen"][np.arange(len(states)), at].astype(np.int64)

    def forget(self, observations, states):
        """The suit that is seen where it may be the one; else another one, of which more cards are left."""
        seen = observations[:, :4].argmax(axis=1)
        other = self.world.task == PREVIOUS and self.world.k > 1
        return (seen + 1) % 4 if other else seen


class CountRecallPlayers(PopPlayers):
    """Counts; without memory, the two likeliest counts."""

    @cached_property
    def _likeliest(self) -> np.ndarray:
        kinds, cards = len(self.world.names), self.world.cards
        each = cards // kinds
        chances = np.zeros((2, each + 1))
        for others in range(cards - 1):  # dealt before the present card
            for count in range(each + 1):
                if others >= count and cards - 1 - each >= others - count:
                    chances[0, count] += (
                        comb(each, count) * comb(cards - 1 - each, others - count) / comb(cards - 1, others)
                    )
                if others >= count - 1 >= 0 and cards - each >= others - count + 1:
                    chances[1, count] += (
                        comb(each - 1, count - 1) * comb(cards - each, others - count + 1) / comb(cards - 1, others)
                    )
        return chances.argmax(axis=1)

    def remember(self, observations, states):
        """The count."""
        each = self.world.cards // len(self.world.names)
        return (each - states["left"][np.arange(len(states)), states["query"]]).astype(np.int64)

    def forget(self, observations, states):
        """One count where the card is of the kind asked for, and one where it is not."""
        kinds = len(self.world.names)
        same = observations[:, :kinds].argmax(axis=1) == observations[:, kinds : 2 * kinds].argmax(axis=1)
        return self._likeliest[same.astype(np.int64)]


class HigherLowerPlayers(PopPlayers):
    """Counts cards, which no player can better; without memory, high cards are followed by lower ones."""

    def remember(self, observations, states):
        """Higher where more higher cards than lower ones are left."""
        left, rank = states["left"].astype(np.int64), states["shown"].astype(np.int64)
        gap = np.sign(np.arange(13) - rank[:, None])
        return ((left * gap).sum(axis=1) < 0).astype(np.int64)

    def forget(self, observations, states):
        """Higher up to the seven."""
        return (observations[:, :13].argmax(axis=1) > 6).astype(np.int64)


class ConcentrationPlayers(PopPlayers):
    """Takes known pairs and looks at new cards; without memory, tries the last card with one after another."""

    follows = True

    def expert(self):
        """Remembers every card."""
        return KernelPlayer(self.world, flip_batch, np.dtype([("known", np.uint8, (self.world.cards,))]))

    def forget(self, observations, states):
        """The card of a pair that just failed, with the next one that lies face down; else the next one."""
        n, slots = self.world.cards, np.arange(len(observations))
        faces = observations[:, : n * (len(self.world.names) + 1)].reshape(len(observations), -1, n)
        last = states["last"].astype(np.int64)  # as the observation holds it
        down = (faces[:, -1] != 0) & (np.arange(n) != last[:, None])
        shown = faces[:, :-1].sum(axis=2)
        kind = np.where(last >= 0, faces[slots, :-1, last].argmax(axis=1), 0)
        failed = (last >= 0) & (shown.sum(axis=1) % 2 == 0) & (shown[slots, kind] % 2 == 1)
        after = (np.arange(n) - last[:, None] - 1) % n
        nearest = np.where(down, after, n).argmin(axis=1)
        return np.where(failed, last, nearest)


def swept(observations: np.ndarray, size: int, lead: int, offsets: np.ndarray) -> np.ndarray:
    """The cell that lies so many behind the previous one, counted row by row and round again; at first the first one.

    Args:
        observations: (n, *O), with row and column of the previous action at the end.
        size: rows and columns of the board.
        lead: numbers before the row.
        offsets: (n,).

    Returns:
        (n, 2).
    """
    row, column = observations[:, lead : lead + size], observations[:, lead + size : lead + 2 * size]
    cell = (row.argmax(axis=1) * size + column.argmax(axis=1) + offsets) % (size * size)
    cell = np.where(row.any(axis=1), cell, 0)
    return np.stack([cell // size, cell % size], axis=1)


class BattleshipPlayers(PopPlayers):
    """Shoots where most places of ships are; without memory, at one cell after another."""

    follows = True

    def remember(self, observations, states):
        """The cell for which most speaks."""
        actions, odds = np.zeros((len(states), 2), np.int64), np.zeros(states["ship"].shape[1])
        boards.shoot_batch(records(states), self.world.size, np.array(SHIPS), odds, actions)
        return actions

    def forget(self, observations, states):
        """The next cell, row by row."""
        return swept(observations, self.world.size, 1, np.ones(len(observations), np.int64))


class MineSweeperPlayers(PopPlayers):
    """Knows the exact chance of a mine in each cell; without memory, goes on by fixed ways."""

    follows = True
    STRIDES = {4: (1, 2), 6: (1, 4), 8: (8, 41)}
    """By the size of the board: cells to go on after a number of 0, and after others. The best of several hundred."""

    def remember(self, observations, states):
        """The cell with the lowest chance."""
        cells, actions = states["mine"].shape[1], np.zeros((len(states), 2), np.int64)
        odds, scratch, ways = np.zeros(cells), tuple(np.zeros((5, cells), np.int64)), np.zeros((2, cells + 1))
        boards.sweep_batch(records(states), self.world.size, self.world.mines, odds, scratch, ways, actions)
        return actions

    def forget(self, observations, states):
        """Not far after a 0, which has no mines around it."""
        near, far = self.STRIDES.get(self.world.size, (1, 2))
        values = int(self.world.params["values"][0])
        return swept(observations, self.world.size, values, np.where(observations[:, 0] != 0, near, far))


@kernel
def boost(share):
    """How many standard deviations an arm's unknown worth adds to its mean.

    Brezzi and Lai (2002), Optimal learning and experimentation in bandit problems.

    Args:
        share: variance of what is believed, over that of a payout and the discount rate.
    """
    if share <= 0.2:
        return fmath.sqrt(share / 2)
    if share <= 1:
        return 0.49 - 0.11 / fmath.sqrt(share)
    if share <= 5:
        return 0.63 - 0.26 / fmath.sqrt(share)
    if share <= 15:
        return 0.77 - 0.58 / fmath.sqrt(share)
    log = fmath.log(share)
    return fmath.sqrt(2 * log - fmath.log(log) - fmath.log(16 * np.pi))


@kernel
def pull_batch(states, arms, steps, actions):
    """The arm with the highest index: an approximation of Gittins', whose mean horizon is half of the steps left."""
    for i in range(states.shape[0]):
        s, most = states[i], -1.0
        half = 0.5 * max(steps - np.int64(s.clock.step), 1)
        for k in range(arms):
            pulls = np.int64(s.pulls[k])
            mean = (1.0 + s.wins[k]) / (2.0 + pulls)
            index = mean + fmath.sqrt(mean * (1.0 - mean) / (3.0 + pulls)) * boost(half / (3.0 + pulls))
            if index > most:
                actions[i], most = k, index


class BanditPlayers(PopPlayers):
    """Takes the arm of the highest index; without memory, stays with an arm as long as it pays."""

    follows = True

    def remember(self, observations, states):
        """See `pull_batch`."""
        actions = np.zeros(len(states), np.int64)
        pull_batch(records(states), self.world.arms, self.world.steps, actions)
        return actions

    def forget(self, observations, states):
        """The same arm after a payout, else the next one."""
        arms = observations[:, 1 : 1 + self.world.arms]
        return np.where(observations[:, 0] > 0, arms.argmax(axis=1), (arms.argmax(axis=1) + 1) % self.world.arms)


class CartPolePlayers(PopPlayers):
    """Filters what is seen; without memory, pushes by the sign of a sum of both numbers."""

    def expert(self):
        """A Kalman filter with a linear rule."""
        return Balancer(self.world)

    def forget(self, observations, states):
        """The best of 240 directions."""
        turn = 1.4722 if self.world.hide == "positions" else 1.7351 if self.world.noise else 1.9454
        across, around = observations[:, 0], observations[:, 1]
        return (across * fmath.cos(turn) + around * fmath.sin(turn) > 0).astype(np.int64)


class PendulumPlayers(PopPlayers):
    """Knows the speed from observations; without memory, leans against the fall."""

    def expert(self):
        """Value iteration, on the speed that observations tell."""
        return Swinger(self.world)

    def forget(self, observations, states):
        """A torque against the sine."""
        return np.clip(-15 * observations[:, 1:2], -2, 2).astype(np.float32)
