"""Nim: the rules on one record, and the world."""

from typing import Literal

import numpy as np

from envsuite.core import Block, Choice, batch_loops, field, kernel
from envsuite.language_games.turns import (
    STARTERS,
    Info,
    TurnParams,
    TurnState,
    TurnWorld,
    end,
    metrics,
    moves_now,
    open_game,
    pay,
    turn_layout,
)

HEAPS, LARGEST = 8, 20
"""Heaps, and things in a heap, at most."""


class Params(TurnParams):
    """The options that kernels know."""

    sizes = field(type=np.int8, shape="heaps", meaning="of the heaps at the start")
    heap = field(type=np.int8, shape="moves", meaning="from which each move takes")
    count = field(type=np.int8, shape="moves", meaning="of what it takes")


class State(TurnState):
    """The heaps."""

    heaps = field(type=np.int8, shape="heaps", meaning="things in each heap")


@kernel
def legal(s, p, move):
    """Whether the heap has as many."""
    return 0 <= move < p.heap.shape[0] and p.count[move] <= s.heaps[p.heap[move]]


@kernel
def play(s, p, move):
    """Take from a heap; who takes the last thing wins."""
    mover = s.current_player
    s.heaps[p.heap[move]] -= p.count[move]
    left = 0
    for k in range(s.heaps.shape[0]):
        left += s.heaps[k]
    if left == 0:
        end(s, mover, 1)
    s.current_player = 1 - mover


@kernel
def reset(s, p):
    """A new game."""
    open_game(s, p)
    for k in range(s.heaps.shape[0]):
        s.heaps[k] = p.sizes[k]


@kernel
def step(s, p, actions, rewards):
    """The current player's move; an illegal one loses. Whether the game is over."""
    move = actions[s.current_player]
    if legal(s, p, move):
        play(s, p, move)
    else:
        end(s, 1 - s.current_player, 1)
    pay(s, rewards)
    return s.over != 0


@kernel
def observe(s, p, o, info):
    """Write what both players see, and the metrics."""
    for player in range(2):
        turn = moves_now(s, player)
        o[player].over, o[player].first, o[player].to_move = s.over, s.starter == player, turn
        for k in range(s.heaps.shape[0]):
            o[player].heaps[k] = s.heaps[k]
        for k in range(p.heap.shape[0]):
            can = turn and legal(s, p, k)
            o[player].action_mask[k], info[player].action_mask[k] = can, can
        metrics(s, player, info[player])


class NimWorld(TurnWorld):
    """Two players take things from heaps in turn, as many as they like from one; who takes the last wins.

    Args:
        heaps: things in each heap at the start.
        starter: see `envsuite.language_games.turns.TurnWorld`.
    """

    loops = batch_loops(reset, step, observe)

    def __init__(self, *, heaps: tuple[int, ...] = (3, 4, 5), starter: Literal["first", "second", "drawn"] = "first"):
        super().__init__(starter=starter)
        self.heaps = _checked(heaps)
        moves = [(heap, count) for heap, size in enumerate(self.heaps) for count in range(1, size + 1)]
        self.params = Params.make(
            sizes={"heaps": len(self.heaps), "moves": len(moves)},
            starter=STARTERS.index(starter),
            **{"heap": [heap for heap, _ in moves], "count": [count for _, count in moves]},
        )
        self.params["sizes"][0] = self.heaps
        self.state_dtype = State.dtype(heaps=len(self.heaps))
        self.info_dtype = Info.dtype(choices=len(moves))
        self.action = Choice(tuple(f"take_{count}_from_{heap + 1}" for heap, count in moves))
        heaps_seen = Block("heaps", len(self.heaps), 0, self.heaps, "", "things in each heap")
        over = Block("over", 1, 0, 1, "", "1 once the game has ended")
        self.observation = turn_layout((heaps_seen, over), len(moves))


def _checked(heaps) -> tuple[int, ...]:
    """The sizes of heaps, as whole numbers.

    Raises:
        ValueError: no list of 2 to 8 whole numbers from 1 to 20.
    """
    listed = heaps if isinstance(heaps, tuple | list) else ()
    whole = [one for one in listed if isinstance(one, int | np.integer) and not isinstance(one, bool)]
    if not 2 <= len(listed) <= HEAPS or len(whole) < len(listed) or not all(1 <= one <= LARGEST for one in whole):
        raise ValueError(f"heaps is {heaps!r}, expected 2 to {HEAPS} whole numbers from 1 to {LARGEST}")
    return tuple(int(one) for one in whole)
