"""Endgames: mate a bare king with a queen, a rook, both, or two rooks, against perfect defence."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Record, Reward, StateRecord, World, batch_loops, field, kernel, rng
from envsuite.core.jit import records
from envsuite.text_games.chess.game import (
    ACTION,
    CHOICES,
    INDEX,
    MOVES,
    OBSERVATION,
    OPEN,
    Game,
    begin,
    mixed,
    own_move,
    play,
    see,
    settle,
)
from envsuite.text_games.chess.position import (
    KING,
    MOST_MOVES,
    QUEEN,
    ROOK,
    clear,
    in_check,
    legal_moves,
    make,
    put,
    take_back,
)
from envsuite.text_games.chess.tablebase import ENDGAMES, Tables, index_of, is_possible, tables

EXAMINED = 645
"""Positions of the examination, as many as in LMRL-Gym."""
_SHARE = np.uint64(16)
"""One in so many positions is never trained on."""
_DRAWN = 1000
"""In the place of moves to mate where there is no mate."""
_EXAMINER = 645


class Params(Record):
    """The options that kernels know."""

    epsilon = field(meaning="probability that a move of Black is a random one")
    longest = field(type=np.int32, meaning="actions of an episode at most")
    first = field(type=np.int32, meaning="index of the first endgame that is played")
    endgames = field(type=np.int32, meaning="how many are played")
    examined = field(type=np.uint8, meaning="episodes begin with positions of the examination")
    exam = field(type=np.int16, shape=(EXAMINED, 5), meaning="endgame, squares of Black's king and White's pieces")
    moves = field(type=np.int32, shape=CHOICES, meaning="the move of each action, as kernels have moves")
    index = field(type=np.int16, shape=(64, 64, 5), meaning="the action of each move")
    tables = field(type=Tables, meaning="moves to mate")


class State(StateRecord):
    """A game, and the seed, which says which position of the examination comes."""

    seed = field(type=np.int64, meaning="the user's")
    game = field(type=Game)


class Info(Record):
    """The metrics."""

    mate_in = field(type=np.int32, meaning="moves to mate against any defence; 0 when the game is over")
    action_mask = field(type=np.int8, shape="choices", meaning="1 for a legal move; none when the game is over")
    success = field(type=np.bool_, meaning="White has won")
    drawn = field(type=np.bool_, meaning="the game ended without a winner")
    illegal_moves = field(type=np.int32, meaning="actions of this episode that were no legal moves")


class Room(Record):
    """Lists of moves."""

    moves = field(type=np.int32, shape=(2, MOST_MOVES))
    kept = field(type=np.int32, shape=MOST_MOVES, meaning="the best of them")


@kernel
def wide(square):
    """A square of 0 to 63 as positions have it."""
    return square + (square & 0x38)


@kernel
def kinds(endgame):
    """Kinds of White's pieces, the second 0 where there is none; in the order of `tablebase.ENDGAMES`."""
    return (QUEEN if endgame & 1 == 0 else ROOK), (0 if endgame < 2 else ROOK)


@kernel
def lookup(t, endgame, black, white, first, second):
    """Moves to mate of a board with White to move.

    Args:
        t: record of type `Tables`.
        endgame: index of the endgame.
        black: squares as in `tablebase`; so are the others.
        white: of White's king.
        first: of the first piece.
        second: of the second; for one piece the same.
    """
    place = index_of(black, white, first, second, 1 if endgame < 2 else 2)
    if endgame < 2:
        return np.int64(t.kqk[place] if endgame == 0 else t.krk[place])
    return np.int64(t.kqrk[place] if endgame == 2 else t.krrk[place])


@kernel
def moves_to_mate(b, t):
    """Moves to mate of a position with White to move; `_DRAWN` without pieces that could."""
    black = white = first = second = -1
    queens, rooks = 0, 0
    for row in range(0, 128, 16):
        for here in range(row, row + 8):
            piece, place = np.int64(b.squares[here]), (here + (here & 7)) >> 1
            if piece == -KING:
                black = place
            elif piece == KING:
                white = place
            elif piece == QUEEN:
                queens += 1
                first, second = place, first
            elif piece == ROOK:
                rooks += 1
                if first < 0:
                    first = place
                else:
                    second = place
    if queens + rooks == 0:
        return np.int64(_DRAWN)
    endgame = (0 if queens else 1) + (2 if queens + rooks == 2 else 0)
    return lookup(t, endgame, black, white, first, second if second >= 0 else first)


@kernel
def held_out(endgame, black, white, first, second):
    """Whether a board, or one that is the same when turned or mirrored, is kept for the examination."""
    pieces = 1 if endgame < 2 else 2
    place = index_of(black, white, first, second, pieces)
    if endgame == 3:
        place = min(place, index_of(black, white, second, first, pieces))
    return mixed(4 * place + endgame) % _SHARE == np.uint64(0)


@kernel
def draw_board(stream, purpose, endgame, examined):
    """Draw a board uniformly among those that can be there with White to move, of one part of all."""
    kind1, kind2 = kinds(endgame)
    while True:
        black, white = rng.integers(stream, purpose, 64), rng.integers(stream, purpose, 64)
        first = rng.integers(stream, purpose, 64)
        second = rng.integers(stream, purpose, 64) if kind2 else first
        possible = is_possible(black, white, first, second, kind1, kind2)
        if possible and held_out(endgame, black, white, first, second) == examined:
            return black, white, first, second


@kernel
def examination(stream, first, count, exam, places):
    """Draw different boards, none of which is another one turned or mirrored.

    Args:
        stream: record of type `rng.STREAM`.
        first: index of the first endgame.
        count: of endgames.
        exam: (n, 5), written: endgame and squares.
        places: (n,) int64, written: what tells them apart.
    """
    k = 0
    while k < exam.shape[0]:
        endgame = first + rng.integers(stream, rng.RESET, count)
        black, white, one, two = draw_board(stream, rng.RESET, endgame, True)
        pieces = 1 if endgame < 2 else 2
        place = index_of(black, white, one, two, pieces)
        place = min(place, index_of(black, white, two, one, pieces)) if endgame == 3 else place
        places[k], new = 4 * place + endgame, True
        for j in range(k):
            new = new and places[j] != places[k]
        if new:
            exam[k, 0], exam[k, 1], exam[k, 2], exam[k, 3], exam[k, 4] = endgame, black, white, one, two
            k += 1


@kernel
def reset(s, p):
    """A board of the examination, one after the other, or one by chance that is not held out."""
    if p.examined:
        k = (s.seed + np.int64(s.rng.episode) - 1) % EXAMINED
        endgame = np.int64(p.exam[k, 0])
        black, white, first, second = p.exam[k, 1], p.exam[k, 2], p.exam[k, 3], p.exam[k, 4]
        arrange(s.game.position, endgame, np.int64(black), np.int64(white), np.int64(first), np.int64(second))
    else:
        endgame = p.first + rng.integers(s.rng, rng.RESET, p.endgames)
        black, white, first, second = draw_board(s.rng, rng.RESET, endgame, False)
        arrange(s.game.position, endgame, black, white, first, second)
    begin(s.game)


@kernel
def arrange(b, endgame, black, white, first, second):
    """Put the pieces on the board."""
    kind1, kind2 = kinds(endgame)
    clear(b)
    put(b, wide(black), -KING)
    put(b, wide(white), KING)
    put(b, wide(first), kind1)
    if kind2:
        put(b, wide(second), kind2)


@kernel
def defend(s, p, w):
    """Black's move: the one that holds out longest, by chance among equals; or any."""
    b, kept, longest = s.game.position, 0, -1
    count = legal_moves(b, w.moves[0])
    if p.epsilon > 0 and rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0) < p.epsilon:
        return np.int64(w.moves[0, rng.integers(s.rng, rng.DYNAMICS, count)])
    for k in range(count):
        move = np.int64(w.moves[0, k])
        old = make(b, move)
        value = moves_to_mate(b, p.tables)
        take_back(b, move, old)
        if value > longest:
            longest, kept = value, 0
        if value == longest:
            w.kept[kept] = move
            kept += 1
    return np.int64(w.kept[rng.integers(s.rng, rng.DYNAMICS, kept)])


@kernel
def hardest_reply(b, t, moves):
    """Moves to mate after Black's best answer: 0 if it is mated, `_DRAWN` if it can draw; `moves` is room."""
    longest = 0
    count = legal_moves(b, moves)
    if count == 0:
        return np.int64(0 if in_check(b) else _DRAWN)
    for k in range(count):
        move = np.int64(moves[k])
        old = make(b, move)
        longest = max(longest, moves_to_mate(b, t))
        take_back(b, move, old)
    return np.int64(longest)


@kernel
def quickest(b, t, w):
    """White's move that mates soonest, the first of several; `w` is a record of type `Room`."""
    best, least = np.int64(0), _DRAWN + 1
    for k in range(legal_moves(b, w.moves[0])):
        move = np.int64(w.moves[0, k])
        old = make(b, move)
        value = hardest_reply(b, t, w.moves[1])
        take_back(b, move, old)
        if value < least:
            best, least = move, value
    return best


@kernel
def step(s, p, action, w):
    """White's move and Black's answer; an illegal move costs 1. Reward and whether the game is over."""
    g = s.game
    if own_move(g, np.int64(p.moves[action]), w.moves[0]) and g.ending == OPEN:
        g.reply = defend(s, p, w)
        play(g, np.int64(g.reply), w.moves[0])
    return settle(s, p)


@kernel
def observe(s, p, o, info, w):
    """Write what White sees."""
    see(s.game, p, o, info, w)
    info.mate_in = moves_to_mate(s.game.position, p.tables) if s.game.ending == OPEN else 0


class ChessEndgamesWorld(World):
    """Mate a bare king, which defends itself as well as can be.

    Args:
        endgame: pieces of White and of Black; ``"all"`` draws one of the four each time.
        split: ``"train"`` draws positions uniformly among all but one in sixteen; ``"evaluation"`` plays 645 of those,
            one after the other by the seed.
        epsilon: probability that a move of Black is a random one.
        max_moves: actions of an episode at most (``gymnasium.make`` wants ``max_episode_steps`` of as many for more
            than the default).
    """

    loops = batch_loops(reset, step, observe, work=Room.dtype())
    reward = Reward(low=np.array(-1.0), high=np.array(1.0))
    action = ACTION
    observation = OBSERVATION
    info_dtype = Info.dtype(choices=CHOICES)
    state_dtype = State.dtype()

    def __init__(
        self,
        *,
        endgame: Literal["all", "KQK", "KRK", "KQRK", "KRRK"] = "all",
        split: Literal["train", "evaluation"] = "train",
        epsilon: Annotated[float, Between(0.0, 1.0)] = 0.0,
        max_moves: Annotated[int, Between(1, 100_000)] = 400,
    ):
        first, count = (0, len(ENDGAMES)) if endgame == "all" else (ENDGAMES.index(endgame), 1)
        exam = np.zeros((EXAMINED, 5), np.int16)
        if split == "evaluation":
            stream = records(np.zeros(1, rng.STREAM))
            stream["key"] = rng.seed_key(_EXAMINER)
            examination(stream[0], first, count, exam, np.zeros(EXAMINED, np.int64))
        self.params = Params.make(
            epsilon=epsilon,
            longest=max_moves,
            first=first,
            endgames=count,
            examined=split == "evaluation",
            exam=exam,
            moves=MOVES,
            index=INDEX,
            tables=tables()[0],
        )
