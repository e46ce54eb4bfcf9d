"""The reference players: an engine that looks further ahead than Black's, and one that knows the tables."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.core.jit import kernel, records
from envsuite.core.layout import mask_of
from envsuite.text_games.chess.endgames import Room, quickest
from envsuite.text_games.chess.game import OPEN, action_of
from envsuite.text_games.chess.position import legal_moves
from envsuite.text_games.chess.search import Search, best_move
from envsuite.text_games.chess.world import mark_repetitions

DEPTH = 3
"""Moves that the reference player looks ahead."""
BLUNDERS = (0.0, 0.23)
ENDGAME_BLUNDERS = (0.405, 0.405)
"""How often amateurs move at random: chosen so that lengths and returns are near those of LMRL-Gym's data."""


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


class Amateur:
    """Moves at random now and then, in each episode with a probability drawn for it, and else as another player does.

    Args:
        world: a `ChessWorld` or `ChessEndgamesWorld`.
        player: who makes the other moves.
        blunders: lowest and highest probability of a random move.
    """

    def __init__(self, world, player: "Engine | TablePlayer", blunders: tuple[float, float]):
        self._mask = mask_of(world.observation, world.action)
        self._player, self._blunders = player, blunders
        self._streams: dict[int, np.random.Generator] = {}
        self._rates: dict[int, float] = {}

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Draw anew how often each masked slot blunders."""
        for slot in np.flatnonzero(mask).tolist():
            self._streams[slot] = np.random.default_rng(int(seeds[slot]))
            self._rates[slot] = self._streams[slot].uniform(*self._blunders)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The moves, (n,)."""
        actions = self._player.act(observations, states)
        for slot in range(len(actions)):
            legal = np.flatnonzero(observations[slot, self._mask])
            if self._streams[slot].random() < self._rates[slot] and len(legal):
                actions[slot] = self._streams[slot].choice(legal)
        return actions


class ChessPlayers(Players):
    """The engine, and the player of LMRL-Gym's data."""

    def expert(self):
        """Looks three moves ahead; see `experts.Engine`."""
        return Engine(self.world)

    def collector(self, name):
        """``"amateur"``: the engine with random moves in between, up to one in four; see `Amateur`."""
        if name != "amateur":
            return super().collector(name)
        return Amateur(self.world, Engine(self.world), BLUNDERS)


class ChessEndgamesPlayers(Players):
    """The player with the tables, and the player of LMRL-Gym's data."""

    def expert(self):
        """Mates in as few moves as can be."""
        return TablePlayer(self.world)

    def collector(self, name):
        """``"amateur"``: random in two moves of five; see `Amateur`."""
        if name != "amateur":
            return super().collector(name)
        return Amateur(self.world, TablePlayer(self.world), ENDGAME_BLUNDERS)
