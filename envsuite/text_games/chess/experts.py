"""The reference players: an engine that looks further ahead than Black's, and one that knows the tables."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.core.jit import kernel, records
from envsuite.text_games.chess.endgames import Room, quickest
from envsuite.text_games.chess.game import OPEN, action_of
from envsuite.text_games.chess.position import legal_moves
from envsuite.text_games.chess.search import Search, best_move
from envsuite.text_games.chess.world import mark_repetitions

DEPTH = 3
"""Moves that the reference player looks ahead."""


@kernel
def _look_ahead(states, params, depth, w, actions):
    p = params[0]
    for n in range(states.shape[0]):
        g = states[n].game
        actions[n] = 0
        if g.ending == OPEN:
            count = legal_moves(g.position, w.roots)
            mark_repetitions(g, w, count)
            actions[n] = action_of(p, best_move(g.position, w, count, depth)[0])


@kernel
def _look_up(states, params, w, actions):
    p = params[0]
    for n in range(states.shape[0]):
        g = states[n].game
        actions[n] = action_of(p, quickest(g.position, p.tables, w)) if g.ending == OPEN else 0


class Engine:
    """Alpha-beta search, as Black's, but deeper and without blunders.

    Args:
        world: a `ChessWorld`.
        depth: moves to look ahead.
    """

    def __init__(self, world, depth: int = DEPTH):
        self._params, self._depth = records(world.params), depth
        self._room = records(np.zeros(1, Search.dtype()))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The best moves, (n,)."""
        actions = np.zeros(len(states), np.int64)
        _look_ahead(records(states), self._params, self._depth, self._room[0], actions)
        return actions


class TablePlayer:
    """Mates as soon as can be.

    Args:
        world: a `ChessEndgamesWorld`.
    """

    def __init__(self, world):
        self._params, self._room = records(world.params), records(np.zeros(1, Room.dtype()))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The best moves, (n,)."""
        actions = np.zeros(len(states), np.int64)
        _look_up(records(states), self._params, self._room[0], actions)
        return actions


class ChessPlayers(Players):
    """The engine."""

    def expert(self):
        """Looks three moves ahead; see `experts.Engine`."""
        return Engine(self.world)


class ChessEndgamesPlayers(Players):
    """The player with the tables."""

    def expert(self):
        """Mates in as few moves as can be."""
        return TablePlayer(self.world)
