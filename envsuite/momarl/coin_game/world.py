"""The coin game, from Lerer and Peysakhovich (2017), arXiv 1707.01068, and LOLA, arXiv 1709.04326."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choice,
    Record,
    StateRecord,
    Vector,
    Words,
    World,
    batch_loops,
    field,
    kernel,
    rng,
)

OWNERS = ("red", "blue")
COIN, LOSS = 1.0, -2.0  # what a coin is worth to who takes it, and to its owner where the other takes it
MOVES = ((-1, 0), (1, 0), (0, -1), (0, 1))  # rows down, columns to the right


class Params(Record):
    """The options."""

    steps = field(type=np.uint32, meaning="of an episode")
    drawn = field(type=np.uint8, meaning="whether each coin's owner is drawn")


class State(StateRecord):
    """The torus."""

    place = field(type=np.uint8, shape=(2, 2), meaning="row and column of each agent")
    coin = field(type=np.uint8, shape=2, meaning="its row and column")
    owner = field(type=np.uint8, meaning="of the coin")
    taken = field(type=np.uint16, shape=(2, 2), meaning="by agent: own coins, coins of the other")
    grid = field(type=np.uint8, shape=("size", "size"), meaning="scratch: where a new coin cannot lie")


class Info(Record):
    """The metrics of this episode."""

    own = field(meaning="own coins taken")
    others = field(meaning="coins of the other taken")
    kind = field(meaning="share of own ones, 1 before any is taken")


@kernel
def toss(s, purpose):
    """Lay the coin on a cell, each as likely, on which nobody stands."""
    size = s.grid.shape[0]
    free = size * size
    for i in range(size):
        for j in range(size):
            s.grid[i, j] = 0
    for n in range(2):
        row, column = s.place[n, 0], s.place[n, 1]
        free -= 1 - np.int64(s.grid[row, column])
        s.grid[row, column] = 1
    left = rng.integers(s.rng, purpose, free)
    for i in range(size):
        for j in range(size):
            if s.grid[i, j] == 0:
                if left == 0:
                    s.coin[0], s.coin[1] = i, j
                left -= 1


@kernel
def reset(s):
    """Agents on two different cells, a coin of either on a third."""
    size = s.grid.shape[0]
    first = rng.integers(s.rng, rng.RESET, size * size)
    other = (first + 1 + rng.integers(s.rng, rng.RESET, size * size - 1)) % (size * size)
    s.place[0, 0], s.place[0, 1] = first // size, first % size
    s.place[1, 0], s.place[1, 1] = other // size, other % size
    s.owner = rng.integers(s.rng, rng.RESET, 2)
    toss(s, rng.RESET)
    for n in range(2):
        s.taken[n, 0], s.taken[n, 1] = 0, 0


@kernel
def step(s, p, actions, rewards):
    """Both move at once; whoever comes to the coin takes it, both if both do."""
    size, found = s.grid.shape[0], False
    for n in range(2):
        action = np.int64(actions[n])
        down = 1 if action == 1 else (-1 if action == 0 else 0)
        right = 1 if action == 3 else (-1 if action == 2 else 0)
        row, column = (np.int64(s.place[n, 0]) + down + size) % size, (np.int64(s.place[n, 1]) + right + size) % size
        s.place[n, 0], s.place[n, 1] = row, column
        if row == s.coin[0] and column == s.coin[1]:
            found = True
            rewards[n] += COIN
            s.taken[n, 0 if s.owner == n else 1] += 1
            if s.owner != n:
                rewards[1 - n] += LOSS
    if found:
        s.owner = rng.integers(s.rng, rng.DYNAMICS, 2) if p.drawn != 0 else (1 - s.owner)
        toss(s, rng.DYNAMICS)
    return s.clock.step >= p.steps


@kernel
def cell(place, n, size):
    """Number of the cell on which an agent stands, row by row."""
    return np.int64(place[n, 0]) * size + np.int64(place[n, 1])


@kernel
def observe(s, o, info):
    """Write what both agents see, and the metrics."""
    size = s.grid.shape[0]
    for n in range(2):
        seen = o[n]
        for k in range(size * size):
            seen.self[k], seen.other[k], seen.own_coin[k], seen.other_coin[k] = 0.0, 0.0, 0.0, 0.0
        seen.self[cell(s.place, n, size)] = 1.0
        seen.other[cell(s.place, 1 - n, size)] = 1.0
        coin = np.int64(s.coin[0]) * size + np.int64(s.coin[1])
        if s.owner == n:
            seen.own_coin[coin] = 1.0
        else:
            seen.other_coin[coin] = 1.0
        own, others = np.float32(s.taken[n, 0]), np.float32(s.taken[n, 1])
        info[n].own, info[n].others = own, others
        info[n].kind = own / (own + others) if own + others > 0 else 1.0


class CoinGameWorld(World):
    """Two agents on a torus take coins; a coin of the other costs it twice what it brings.

    Args:
        size: rows and columns.
        steps: of an episode.
        colors: ``"alternate"``: coins belong to both in turn; ``"random"``: to either by chance.
    """

    info_dtype = Info.dtype(np.float32)
    action = Choice(("up", "down", "left", "right"))
    agents = ("player_0", "player_1")
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        size: Annotated[int, Between(2, 15)] = 3,
        steps: Annotated[int, Between(1, 10_000)] = 50,
        colors: Literal["alternate", "random"] = "alternate",
    ):
        self.params = Params.make(steps=steps, drawn=colors == "random")
        self.state_dtype = State.dtype(size=size)
        cells = size * size
        self.observation = Vector(
            (
                Block("self", cells, 0, 1, "", "1 where one is, row by row"),
                Block("other", cells, 0, 1, "", "1 where the other is"),
                Block("own coin", cells, 0, 1, "", "1 where the coin is, if it is one's own"),
                Block("other coin", cells, 0, 1, "", "1 where the coin is, if it is the other's"),
            )
        )


class CoinGameWords(Words):
    """The grid in words; answers are directions."""

    def describe(self, state, agent=0):
        """The rules, and where everything is."""
        size = state["grid"].shape[0]

        def cell(place) -> str:
            return f"row {int(place[0]) + 1}, column {int(place[1]) + 1}"

        mine, theirs = state["taken"][agent], state["taken"][1 - agent]
        return (
            f"Step {int(state['clock']['step']) + 1} of {int(self.world.params[0]['steps'])}. You are {OWNERS[agent]} "
            f"on a grid of {size} rows and {size} columns whose edges are joined, at {cell(state['place'][agent])}; "
            f"{OWNERS[1 - agent]} is at {cell(state['place'][1 - agent])}. A coin of {OWNERS[int(state['owner'])]} is "
            f"at {cell(state['coin'])}. Whoever comes to a coin takes it for {COIN:g} point; if it is the other's, the "
            f"other gets {LOSS:g}. So far you took {int(mine[0])} own coins and {int(mine[1])} of the other, who took "
            f"{int(theirs[0])} own and {int(theirs[1])} of yours. Both move at once. Answer up, down, left or right."
        )
