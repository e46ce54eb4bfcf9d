"""Chess: the agent has White, an engine inside the world has Black."""

from typing import Annotated

import numpy as np

from envsuite.core import Between, Record, Reward, StateRecord, World, batch_loops, field, kernel, rng
from envsuite.text_games.chess.game import (
    ACTION,
    CHOICES,
    INDEX,
    MOVES,
    OBSERVATION,
    OPEN,
    Game,
    Info,
    begin,
    digest,
    own_move,
    play,
    see,
    settle,
    times_before,
)
from envsuite.text_games.chess.position import legal_moves, make, set_up, take_back
from envsuite.text_games.chess.search import Search, best_move


class Params(Record):
    """The options that kernels know."""

    longest = field(type=np.int32, meaning="actions of an episode at most")
    depth = field(type=np.int32, meaning="moves that Black looks ahead; 0: it plays at random")
    blunders = field(meaning="probability that a move of Black is a random one")
    moves = field(type=np.int32, shape=CHOICES, meaning="the move of each action, as kernels have moves")
    index = field(type=np.int16, shape=(64, 64, 5), meaning="the action of each move")


class State(StateRecord):
    """A game."""

    game = field(type=Game)


@kernel
def reset(s):
    """The usual position."""
    set_up(s.game.position)
    begin(s.game)


@kernel
def answer(s, p, w):
    """Black's move."""
    g = s.game
    count = legal_moves(g.position, w.roots)
    if p.depth == 0 or (p.blunders > 0 and rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0) < p.blunders):
        return np.int64(w.roots[rng.integers(s.rng, rng.DYNAMICS, count)])
    for k in range(count - 1, 0, -1):
        j = rng.integers(s.rng, rng.DYNAMICS, k + 1)
        w.roots[k], w.roots[j] = w.roots[j], w.roots[k]
    mark_repetitions(g, w, count)
    return best_move(g.position, w, count, p.depth)[0]


@kernel
def mark_repetitions(g, w, count):
    """Mark the moves that bring a position again: engines that are ahead avoid them."""
    for k in range(count):
        move = np.int64(w.roots[k])
        old = make(g.position, move)
        w.drawn[k] = times_before(g, digest(g.position)) > 0
        take_back(g.position, move, old)


@kernel
def step(s, p, action, w):
    """White's move and Black's answer; an illegal move costs 1. Reward and whether the game is over."""
    g, move = s.game, np.int64(p.moves[action])
    if own_move(g, move, w.moves[0]) and g.ending == OPEN:
        g.reply = answer(s, p, w)
        play(g, np.int64(g.reply), w.moves[0])
    return settle(s, p)


@kernel
def observe(s, p, o, info, w):
    """Write what White sees."""
    see(s.game, p, o, info, w)


class ChessWorld(World):
    """Play White against an engine that looks a few moves ahead and now and then moves at random.

    Args:
        opponent_depth: moves of both sides that Black looks ahead before it only follows captures; 0 for random moves.
        blunder_probability: that a move of Black is a random one.
        max_moves: actions of an episode at most (``gymnasium.make`` wants ``max_episode_steps`` of as many for more
            than the default).
    """

    loops = batch_loops(reset, step, observe, work=Search.dtype())
    reward = Reward(low=np.array(-1.0), high=np.array(1.0))
    action = ACTION
    observation = OBSERVATION
    info_dtype = Info.dtype(choices=CHOICES)
    state_dtype = State.dtype()

    def __init__(
        self,
        *,
        opponent_depth: Annotated[int, Between(0, 6)] = 2,
        blunder_probability: Annotated[float, Between(0.0, 1.0)] = 0.1,
        max_moves: Annotated[int, Between(1, 100_000)] = 400,
    ):
        self.params = Params.make(
            longest=max_moves, depth=opponent_depth, blunders=blunder_probability, moves=MOVES, index=INDEX
        )
