"""Negotiation by offers: the rules on one record, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Block, Choice, Record, Reward, batch_loops, field, kernel, rng
from envsuite.language_games.turns import (
    STARTERS,
    TurnParams,
    TurnState,
    TurnWorld,
    end,
    moves_now,
    open_game,
    pay,
    turn_layout,
)

KINDS = {2: ("wood", "gold"), 5: ("wheat", "wood", "sheep", "brick", "ore")}
STOCKS = {2: (10, 10), 5: (5, 25)}
"""Least and greatest number of each kind at the start: SPIRAL (arXiv 2506.24119), TextArena 0.7.4."""
WORTHS = {
    2: (((5, 15), (5, 15)), ((15, 5), (15, 5))),
    5: (((5, 8, 12, 20, 32), (6, 12, 18, 30, 40)),) * 2,
}
"""Least and greatest worth of each kind to each player; TextArena's are 5, 10, 15, 25, 40 +-20 %, from 5 to 40."""
ACCEPT, DENY, OFFERS = 0, 1, 2
"""The first moves; offers follow."""
NONE = -1


class Params(TurnParams):
    """The options that kernels know."""

    turns = field(type=np.int16, meaning="of a game")
    most = field(type=np.int16, meaning="of a kind in an offer")
    shared = field(type=np.uint8, meaning="whether both are paid what they gain, else who gains more wins")
    stock = field(type=np.int16, shape=2, meaning="least and greatest at the start")
    low = field(type=np.int16, shape=(2, "kinds"), meaning="least worth to each player")
    high = field(type=np.int16, shape=(2, "kinds"), meaning="greatest worth")
    given = field(type=np.int8, shape="offers", meaning="kind that each offer gives")
    gives = field(type=np.int8, shape="offers", meaning="of it")
    wanted = field(type=np.int8, shape="offers", meaning="kind that each offer wants")
    wants = field(type=np.int8, shape="offers", meaning="of it")


class State(TurnState):
    """Goods, what they are worth, and the offer on the table."""

    goods = field(type=np.int16, shape=(2, "kinds"), meaning="of each player")
    start = field(type=np.int16, shape=(2, "kinds"), meaning="what each player began with")
    worth = field(type=np.int16, shape=(2, "kinds"), meaning="of one of each kind, to each player")
    offer = field(type=np.int16, meaning="index of the offer that the player to move may accept; -1 for none")
    turns_left = field(type=np.int16, meaning="of both players together")
    trades = field(type=np.int16, meaning="made so far")
    answer = field(type=np.int8, shape=2, meaning="to each player's last offer: 1 accepted, 0 none, -1 refused")
    last_offer = field(type=np.int16, shape=2, meaning="of each player, -1 before the first")


class Info(Record):
    """The metrics of a negotiation."""

    action_mask = field(type=np.int8, shape="choices", meaning="1 for a legal move")
    moves = field(type=np.float32, meaning="made by both")
    gained = field(type=np.float32, meaning="by the player: worth of its goods, less what they were worth at the start")
    ahead = field(type=np.float32, meaning="1 has gained more than the other, 0 as much, -1 less")
    trades = field(type=np.float32, meaning="made so far")


@kernel
def gained(s, player):
    """How much more a player's goods are worth than at the start."""
    total = 0
    for k in range(s.goods.shape[1]):
        total += np.int64(s.worth[player, k]) * (np.int64(s.goods[player, k]) - np.int64(s.start[player, k]))
    return total


@kernel
def legal(s, p, move):
    """Deny or pass at any time; offer what one has; accept an offer where both have what changes hands."""
    mover = s.current_player
    if move == DENY:
        return True
    if move == ACCEPT:
        if s.offer == NONE:
            return False
        has = s.goods[mover, p.wanted[s.offer]] >= p.wants[s.offer]
        return has and s.goods[1 - mover, p.given[s.offer]] >= p.gives[s.offer]
    k = move - OFFERS
    return s.goods[mover, p.given[k]] >= p.gives[k]


@kernel
def swap(s, p, taker):
    """The offer's goods change hands."""
    giver, k = 1 - taker, s.offer
    s.goods[giver, p.given[k]] -= np.int16(p.gives[k])
    s.goods[taker, p.given[k]] += np.int16(p.gives[k])
    s.goods[taker, p.wanted[k]] -= np.int16(p.wants[k])
    s.goods[giver, p.wanted[k]] += np.int16(p.wants[k])
    s.trades += np.int16(1)


@kernel
def settle(s):
    """The game is over: who has gained more wins."""
    mine, theirs = gained(s, 0), gained(s, 1)
    end(s, 0 if mine > theirs else 1, 0 if mine == theirs else 1)


@kernel
def play(s, p, move):
    """A player's move; an offer that is not accepted at once is off the table."""
    mover = s.current_player
    if s.offer != NONE:
        s.answer[1 - mover] = 1 if move == ACCEPT else -1
    if move == ACCEPT:
        swap(s, p, mover)
    s.offer = NONE
    if move >= OFFERS:
        s.offer = move - OFFERS
        s.last_offer[mover], s.answer[mover] = s.offer, 0
    s.current_player = 1 - mover
    s.turns_left -= np.int16(1)
    if s.turns_left == 0:
        s.offer = NONE
        settle(s)


@kernel
def reset(s, p):
    """A new game: goods and what they are worth are drawn."""
    open_game(s, p)
    s.offer, s.turns_left, s.trades = NONE, p.turns, 0
    for player in range(2):
        s.answer[player], s.last_offer[player] = 0, NONE
        for k in range(s.goods.shape[1]):
            s.start[player, k] = p.stock[0] + rng.integers(s.rng, rng.DYNAMICS, p.stock[1] - p.stock[0] + 1)
            s.goods[player, k] = s.start[player, k]
            least = p.low[player, k]
            s.worth[player, k] = least + rng.integers(s.rng, rng.DYNAMICS, p.high[player, k] - least + 1)


@kernel
def step(s, p, actions, rewards):
    """The current player's move; an illegal one gives the game up. Whether the game is over."""
    s.gain = 0
    move, mine, theirs = actions[s.current_player], gained(s, 0), gained(s, 1)
    if legal(s, p, move):
        play(s, p, move)
    else:
        end(s, 1 - s.current_player, 1)
    if p.shared == 0:
        pay(s, rewards)
    else:
        s.gain = gained(s, 0) - mine
        s.total += s.gain
        rewards[0], rewards[1] = s.gain, gained(s, 1) - theirs
    return s.over != 0


@kernel
def allow(s, p, player, mask):
    """Write a player's legal moves; see `legal`. Offers that differ in what they want alone come one after another."""
    turn = moves_now(s, player)
    mask[ACCEPT], mask[DENY] = turn and legal(s, p, ACCEPT), turn
    for first in range(0, len(p.given), p.most):
        can = turn & (s.goods[player, p.given[first]] >= p.gives[first])
        for k in range(p.most):
            mask[OFFERS + first + k] = can


@kernel
def observe(s, p, o, info):
    """Write what both players know, and the metrics."""
    kinds = s.goods.shape[1]
    mine, theirs = gained(s, 0), gained(s, 1)
    lead = (mine > theirs) * 1 - (mine < theirs) * 1
    for player in range(2):
        turn = moves_now(s, player)
        o[player].first, o[player].to_move, o[player].turns_left = s.starter == player, turn, s.turns_left
        offer = s.offer if turn else NONE
        last = s.last_offer[player]
        for k in range(kinds):
            o[player].goods[k], o[player].start[k] = s.goods[player, k], s.start[player, k]
            o[player].worth[k] = s.worth[player, k]
            o[player].offered[k] = p.gives[offer] if offer != NONE and p.given[offer] == k else 0
            o[player].asked[k] = p.wants[offer] if offer != NONE and p.wanted[offer] == k else 0
            o[player].own_offered[k] = p.gives[last] if last != NONE and p.given[last] == k else 0
            o[player].own_asked[k] = p.wants[last] if last != NONE and p.wanted[last] == k else 0
        o[player].answer = s.answer[player]
        allow(s, p, player, o[player].action_mask)
        for k in range(len(p.given) + OFFERS):
            info[player].action_mask[k] = o[player].action_mask[k]
        info[player].moves, info[player].trades = s.clock.step, s.trades
        info[player].gained = mine if player == 0 else theirs
        info[player].ahead = lead if player == 0 else -lead


def offers_of(kinds: int, most: int) -> list[tuple[int, int, int, int]]:
    """All offers: number and kind given, number and kind wanted.

    Args:
        kinds: of goods.
        most: of a kind in an offer.
    """
    pairs = [(i, j) for i in range(kinds) for j in range(kinds) if i != j]
    amounts = range(1, most + 1)
    return [(gives, given, wants, wanted) for given, wanted in pairs for gives in amounts for wants in amounts]


class NegotiationWorld(TurnWorld):
    """Two players who value goods differently offer each other so many of one kind for so many of another.

    Args:
        kinds: of goods: 2 with fixed stocks and worths, 5 with drawn ones, each known to its player alone.
        most: of a kind in an offer.
        turns: of both players together.
        payoff: ``"outcome"``: who has gained more wins; ``"gain"``: both are paid what they gain in each trade.
        starter: see `envsuite.language_games.turns.TurnWorld`.
    """

    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        kinds: Literal[2, 5] = 2,
        most: Annotated[int, Between(1, 10)] = 10,
        turns: Annotated[int, Between(2, 100)] = 10,
        payoff: Literal["outcome", "gain"] = "outcome",
        starter: Literal["first", "second", "drawn"] = "first",
    ):
        super().__init__(starter=starter)
        self.kinds, self.most, self.turns, self.payoff = KINDS[kinds], most, turns, payoff
        self.offers = offers_of(kinds, most)
        sizes = {"kinds": kinds, "offers": len(self.offers)}
        shared = payoff == "gain"
        self.params = Params.make(sizes=sizes, starter=STARTERS.index(starter), turns=turns, most=most, shared=shared)
        for name, column in zip(("gives", "given", "wants", "wanted"), zip(*self.offers, strict=True), strict=True):
            self.params[name][0] = column
        self.params["stock"][0] = STOCKS[kinds]
        for player, (low, high) in enumerate(WORTHS[kinds]):
            self.params["low"][0, player], self.params["high"][0, player] = low, high
        if shared:
            largest = float(most * max(max(high) for _, high in WORTHS[kinds]))
            self.reward = Reward(low=np.array(-largest), high=np.array(largest))
        self.state_dtype, choices = State.dtype(kinds=kinds), OFFERS + len(self.offers)
        self.info_dtype = Info.dtype(choices=choices)
        self.action = Choice(
            (
                "accept",
                "deny",
                *(f"offer_{gives}_{self.kinds[i]}_for_{wants}_{self.kinds[j]}" for gives, i, wants, j in self.offers),
            )
        )
        there = 2 * STOCKS[kinds][1]
        self.observation = turn_layout(
            (
                Block("goods", kinds, 0, there, "", "that one has, of each kind"),
                Block("start", kinds, 0, there, "", "that one began with"),
                Block("worth", kinds, 0, 40, "", "of one of each kind, to oneself"),
                Block("offered", kinds, 0, most, "", "what the offer that one may accept gives; zeros for none"),
                Block("asked", kinds, 0, most, "", "what it asks for"),
                Block("own_offered", kinds, 0, most, "", "what one's own last offer gives"),
                Block("own_asked", kinds, 0, most, "", "what it asks for"),
                Block("answer", 1, -1, 1, "", "to one's last offer: 1 accepted, -1 refused, 0 not yet answered"),
                Block("turns_left", 1, 0, turns, "", "of both players together"),
            ),
            choices,
        )
