"""Hanabi: the rules on one record, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Block, Choice, Record, Reward, batch_loops, field, kernel, rng
from envsuite.language_games.turns import STARTERS, TurnParams, TurnState, TurnWorld, moves_now, open_game, turn_layout

COLORS = ("red", "yellow", "green", "white", "blue")
COPIES_OF_ONE, COPIES, COPIES_OF_HIGHEST = 3, 2, 1
LAST_TURNS = 2
"""Moves after the last card has been drawn: one for each player."""
NONE = -1


class Params(TurnParams):
    """The options that kernels know."""

    information = field(type=np.int8, meaning="tokens at the start, and at most")
    lives = field(type=np.int8, meaning="at the start")
    keeps = field(type=np.uint8, meaning="whether points stay when all lives are lost")


class State(TurnState):
    """Cards, tokens, and what hints have told."""

    hands = field(type=np.int8, shape=(2, "hand"), meaning="color * ranks + rank, oldest first; -1 for no card")
    colors = field(type=np.int8, shape=(2, "hand"), meaning="bits of the colors that hints leave to each card")
    ranks = field(type=np.int8, shape=(2, "hand"), meaning="bits of the ranks likewise")
    fireworks = field(type=np.int8, shape="colors", meaning="cards in each color's firework")
    deck = field(type=np.int8, shape="cards", meaning="cards of each color and rank to be drawn")
    discards = field(type=np.int8, shape="cards", meaning="that are out of play, failed ones included")
    drawable = field(type=np.int8, meaning="cards in the deck")
    information = field(type=np.int8, meaning="tokens")
    lives = field(type=np.int8)
    turns_left = field(type=np.int8, meaning="moves to come once the deck is empty")
    last_move = field(type=np.int8, shape=2, meaning="of each player, -1 before the first")
    touched = field(type=np.int16, shape=2, meaning="bits of the cards that the last move, a hint, was about")
    shown = field(type=np.int8, shape=2, meaning="the card that the last move played or discarded; -1 after a hint")


class Info(Record):
    """The metrics of a game that both win or lose."""

    action_mask = field(type=np.int8, shape="choices", meaning="1 for a legal move")
    moves = field(type=np.float32, meaning="made by both")
    points = field(type=np.float32, meaning="of both together, once")
    lives = field(type=np.float32, meaning="left")


@kernel
def copies(rank, ranks):
    """Cards of a color and rank; a lone rank has as many as the first."""
    return COPIES_OF_ONE if rank == 0 else COPIES_OF_HIGHEST if rank == ranks - 1 else COPIES


@kernel
def due(s):
    """Whose hand has room for the card that is drawn next; 2 if nobody's, or if there is none."""
    size = s.hands.shape[1]
    if s.drawable > 0:
        for player in range(2):
            if s.hands[player, size - 1] == NONE:
                return player
    return 2


@kernel
def begin(s, p):
    """Full tokens, an empty table; the first card is due."""
    ranks = len(s.deck) // len(s.fireworks)
    s.information, s.lives, s.turns_left, s.drawable = p.information, p.lives, LAST_TURNS, 0
    for k in range(len(s.fireworks)):
        s.fireworks[k] = 0
    for k in range(len(s.deck)):
        s.deck[k], s.discards[k] = copies(k % ranks, ranks), 0
        s.drawable += s.deck[k]
    for player in range(2):
        s.last_move[player], s.touched[player], s.shown[player] = NONE, 0, NONE
        for k in range(s.hands.shape[1]):
            s.hands[player, k], s.colors[player, k], s.ranks[player, k] = NONE, 0, 0
    s.chance = s.drawable


@kernel
def fall(s, outcome):
    """Draw one of the cards that are left, in order of color and rank; the first player's hand is filled first."""
    left, card = np.int64(outcome), 0
    for k in range(len(s.deck)):
        if 0 <= left < s.deck[k]:
            card = k
        left -= s.deck[k]
    player, place, colors = due(s), 0, len(s.fireworks)
    while s.hands[player, place] != NONE:
        place += 1
    s.hands[player, place] = card
    s.colors[player, place] = 2**colors - 1
    s.ranks[player, place] = 2 ** (len(s.deck) // colors) - 1
    s.deck[card] -= np.int8(1)
    s.drawable -= np.int8(1)
    s.chance = s.drawable if due(s) < 2 else 0


@kernel
def touches(s, player, move):
    """Bits of the other's cards that a hint is about."""
    size, colors = s.hands.shape[1], len(s.fireworks)
    ranks, found = len(s.deck) // colors, 0
    hint = np.int64(move) - 2 * size
    for k in range(size):
        card = np.int64(s.hands[1 - player, k])
        if card != NONE and (card // ranks == hint if hint < colors else card % ranks == hint - colors):
            found |= 1 << k
    return found


@kernel
def legal(s, p, move):
    """Play at any time, discard where a token is missing, hint with a token at what there is."""
    size, player = s.hands.shape[1], s.current_player
    if move < size:
        return s.information < p.information and s.hands[player, move] != NONE
    if move < 2 * size:
        return s.hands[player, move - size] != NONE
    return s.information > 0 and touches(s, player, move) != 0


@kernel
def hint(s, player, move):
    """Tell the other which of its cards have a color or a rank, and so which do not."""
    size, colors, other = s.hands.shape[1], len(s.fireworks), 1 - player
    told, found = np.int64(move) - 2 * size, touches(s, player, move)
    for k in range(size):
        if s.hands[other, k] != NONE:
            yes = (found >> k) & 1
            if told < colors:
                s.colors[other, k] &= np.int8(1 << told if yes else ~(1 << told))
            else:
                s.ranks[other, k] &= np.int8(1 << (told - colors) if yes else ~(1 << (told - colors)))
    s.information -= np.int8(1)
    s.touched[player], s.shown[player] = found, NONE


@kernel
def take(s, player, place):
    """Take a card out of a hand; younger ones move up."""
    card, size = s.hands[player, place], s.hands.shape[1]
    for k in range(place, size - 1):
        s.hands[player, k] = s.hands[player, k + 1]
        s.colors[player, k], s.ranks[player, k] = s.colors[player, k + 1], s.ranks[player, k + 1]
    s.hands[player, size - 1], s.colors[player, size - 1], s.ranks[player, size - 1] = NONE, 0, 0
    s.touched[player], s.shown[player] = 0, card
    return np.int64(card)


@kernel
def lose(s, p):
    """All lives are lost."""
    s.lives, s.over = 0, 1
    if p.keeps == 0:
        s.gain = 0 - s.total


@kernel
def play(s, p, move):
    """A player's move."""
    size, mover = s.hands.shape[1], s.current_player
    ranks = len(s.deck) // len(s.fireworks)
    if s.drawable == 0:
        s.turns_left -= np.int8(1)
    s.last_move[mover] = move
    if move >= 2 * size:
        hint(s, mover, move)
    elif move < size:
        s.discards[take(s, mover, move)] += np.int8(1)
        s.information += np.int8(1)
    else:
        card = take(s, mover, move - size)
        if s.fireworks[card // ranks] == card % ranks:
            s.fireworks[card // ranks] += np.int8(1)
            s.gain = 1
            if card % ranks == ranks - 1 and s.information < p.information:
                s.information += np.int8(1)
        else:
            s.discards[card] += np.int8(1)
            s.lives -= np.int8(1)
    s.current_player = 1 - mover
    if s.lives == 0:
        lose(s, p)
    elif s.total + s.gain == len(s.deck) or s.turns_left == 0:
        s.over = 1
    elif due(s) < 2:
        s.chance = s.drawable


@kernel
def draw(s, p):
    """Draw what is due."""
    while p.draws != 0 and s.chance > 0:
        fall(s, rng.integers(s.rng, rng.DYNAMICS, s.chance))


@kernel
def reset(s, p):
    """A new game."""
    open_game(s, p)
    begin(s, p)
    draw(s, p)


@kernel
def step(s, p, actions, rewards):
    """The current player's move; an illegal one loses all lives. Whether the game is over."""
    s.gain = 0
    if s.chance > 0:
        fall(s, actions[0])
    else:
        move = actions[s.current_player]
        if legal(s, p, move):
            play(s, p, move)
        else:
            lose(s, p)
    draw(s, p)
    s.total += s.gain
    rewards[0], rewards[1] = s.gain, s.gain
    return s.over != 0


@kernel
def hintable(s, player):
    """Bits of the hints that are about some card of the other."""
    colors, found = len(s.fireworks), 0
    ranks = len(s.deck) // colors
    for k in range(s.hands.shape[1]):
        card = np.int64(s.hands[1 - player, k])
        if card != NONE:
            found |= 1 << (card // ranks) | 1 << (colors + card % ranks)
    return found


@kernel
def allow(s, p, player, mask):
    """Write a player's legal moves; see `legal`."""
    size, turn = s.hands.shape[1], moves_now(s, player)
    hints = hintable(s, player) if turn and s.information > 0 else 0
    spare = s.information < p.information
    for k in range(size):
        held = turn & (s.hands[player, k] != NONE)
        mask[k], mask[size + k] = held & spare, held
    for k in range(len(mask) - 2 * size):
        mask[2 * size + k] = (hints >> k) & 1


@kernel
def observe(s, p, o, info):
    """Write what both players know, and the metrics."""
    size, colors, cards = s.hands.shape[1], len(s.fireworks), len(s.deck)
    ranks = cards // colors
    for player in range(2):
        other = 1 - player
        o[player].first, o[player].to_move = s.starter == player, moves_now(s, player)
        for k in range(size):
            card = s.hands[other, k]
            for j in range(cards):
                o[player].other_hand[k * cards + j] = card == j
            mine, theirs = s.colors[player, k], s.colors[other, k]
            for j in range(colors):
                o[player].own_colors[k * colors + j] = (mine >> j) & 1
                o[player].other_colors[k * colors + j] = (theirs >> j) & 1
            mine, theirs = s.ranks[player, k], s.ranks[other, k]
            for j in range(ranks):
                o[player].own_ranks[k * ranks + j] = (mine >> j) & 1
                o[player].other_ranks[k * ranks + j] = (theirs >> j) & 1
            o[player].own_cards[k] = s.hands[player, k] != NONE
            o[player].own_touched[k] = (s.touched[other] >> k) & 1
            o[player].other_touched[k] = (s.touched[player] >> k) & 1
        for j in range(colors):
            o[player].fireworks[j] = s.fireworks[j]
        for j in range(cards):
            o[player].discards[j] = s.discards[j]
        for j in range(cards):
            o[player].own_shown[j] = s.shown[player] == j
        for j in range(cards):
            o[player].other_shown[j] = s.shown[other] == j
        o[player].information, o[player].lives, o[player].deck = s.information, s.lives, s.drawable
        o[player].turns_left = s.turns_left
        for k in range(2 * size + colors + ranks):
            o[player].own_move[k] = s.last_move[player] == k
        for k in range(2 * size + colors + ranks):
            o[player].other_move[k] = s.last_move[other] == k
        allow(s, p, player, o[player].action_mask)
        for k in range(2 * size + colors + ranks):
            info[player].action_mask[k] = o[player].action_mask[k]
        info[player].moves, info[player].points, info[player].lives = s.clock.step, s.total, s.lives


class HanabiWorld(TurnWorld):
    """Two players who see each other's cards and not their own lay fireworks in order of rank together.

    Args:
        colors: number of colors.
        ranks: number of ranks.
        hand: cards of each player.
        information: tokens at the start, and at most.
        lives: failed cards that end the game.
        lost: what all lives lost leave of the points: ``"zero"`` or ``"kept"``.
        starter: see `envsuite.language_games.turns.TurnWorld`.

    Raises:
        ValueError: there are too few cards for two hands.
    """

    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        colors: Annotated[int, Between(2, len(COLORS))] = 2,
        ranks: Annotated[int, Between(1, 5)] = 2,
        hand: Annotated[int, Between(2, 8)] = 3,
        information: Annotated[int, Between(1, 20)] = 3,
        lives: Annotated[int, Between(1, 20)] = 3,
        lost: Literal["zero", "kept"] = "zero",
        starter: Literal["first", "second", "drawn"] = "first",
    ):
        super().__init__(starter=starter)
        self.colors, self.ranks, self.hand, self.lost = colors, ranks, hand, lost
        deck = colors * sum(copies(rank, ranks) for rank in range(ranks))
        if deck < 2 * hand:
            raise ValueError(f"hand is {hand}, expected at most {deck // 2}: there are {deck} cards for two players")
        cards, choices = colors * ranks, 2 * hand + colors + ranks
        self.params = Params.make(
            starter=STARTERS.index(starter), information=information, lives=lives, keeps=lost == "kept"
        )
        self.reward = Reward(low=np.array(1.0 - cards), high=np.array(1.0))
        self.state_dtype = State.dtype(hand=hand, colors=colors, cards=cards)
        self.info_dtype = Info.dtype(choices=choices)
        self.action = Choice(
            (
                *(f"{what}_{k + 1}" for what in ("discard", "play") for k in range(hand)),
                *(f"hint_{name}" for name in COLORS[:colors]),
                *(f"hint_{k + 1}" for k in range(ranks)),
            )
        )
        self.observation = turn_layout(
            (
                Block("other_hand", hand * cards, 0, 1, "", "for each of the other's cards, 1 for what it is"),
                Block("own_cards", hand, 0, 1, "", "1 where one holds a card, oldest first"),
                Block("own_colors", hand * colors, 0, 1, "", "for each of one's cards, 1 for colors left by hints"),
                Block("own_ranks", hand * ranks, 0, 1, "", "ranks likewise"),
                Block("other_colors", hand * colors, 0, 1, "", "what hints have left to the other's cards"),
                Block("other_ranks", hand * ranks, 0, 1, "", "ranks likewise"),
                Block("fireworks", colors, 0, ranks, "", "cards in each firework"),
                Block("discards", cards, 0, COPIES_OF_ONE, "", "of each color and rank, failed ones included"),
                Block("information", 1, 0, information, "", "tokens"),
                Block("lives", 1, 0, lives, "", "left"),
                Block("deck", 1, 0, deck, "", "cards to be drawn"),
                Block("turns_left", 1, 0, LAST_TURNS, "", "moves to come once the deck is empty"),
                Block("own_move", choices, 0, 1, "", "1 for one's last move"),
                Block("own_touched", hand, 0, 1, "", "1 for one's cards that the other's last move, a hint, was about"),
                Block("own_shown", cards, 0, 1, "", "1 for what one has played or discarded in it"),
                Block("other_move", choices, 0, 1, "", "1 for the other's last move"),
                Block("other_touched", hand, 0, 1, "", "1 for the other's cards that one's hint was about"),
                Block("other_shown", cards, 0, 1, "", "1 for what the other has played or discarded"),
            ),
            choices,
        )
