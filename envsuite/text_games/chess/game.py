"""A game of chess in progress: who has won, which positions have come before, and what White may do.

The draws are those that stop a game at once where nobody has to claim them: stalemate, too few pieces for any mate, the
same position for the third time, and fifty moves of both sides without a capture or a move of a pawn.
"""

import numpy as np

from envsuite.core import Block, Choice, Record, Vector, cut, field, kernel
from envsuite.text_games.chess.notation import pack, queen_lines, write_uci
from envsuite.text_games.chess.position import (
    BISHOP,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    Position,
    can_move,
    in_check,
    is_legal,
    legal_moves,
    make,
)

FIFTY = 100
"""Moves of both sides without progress after which a game is drawn."""
OPEN, MATE, STALEMATE, MATERIAL, REPETITION, FIFTY_MOVES = 0, 1, 2, 3, 4, 5
ENDINGS = ("", "checkmate", "stalemate", "insufficient material", "threefold repetition", "the fifty-move rule")
"""How games end, by the field ``ending``."""
_GOLDEN, _MIX1, _MIX2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFT1, _SHIFT2, _SHIFT3 = np.uint64(30), np.uint64(27), np.uint64(31)


class Game(Record):
    """The position, what came before it, and the result."""

    position = field(type=Position)
    history = field(
        type=np.uint64,
        shape=FIFTY + 1,
        meaning="digests of the positions since the last capture or move of a pawn, by the position's halfmoves",
    )
    last_from = field(type=np.int16, meaning="square that the last move left; -1 before the first")
    last_to = field(type=np.int16, meaning="square that it reached")
    own_move = field(
        type=np.int32, meaning="White's move of the last step, as kernels have moves; -1 if it was illegal"
    )
    reply = field(type=np.int32, meaning="Black's answer to it; -1 for none")
    refused = field(type=np.int32, meaning="actions of this episode that were no legal moves")
    result = field(type=np.int8, meaning="1 if White has won, -1 if Black has, else 0")
    ending = field(type=np.uint8, meaning="0 while the game goes on; then how it ended, see `game.ENDINGS`")


class Info(Record):
    """The metrics."""

    action_mask = field(type=np.int8, shape="choices", meaning="1 for a legal move; none when the game is over")
    success = field(type=np.bool_, meaning="White has won")
    drawn = field(type=np.bool_, meaning="the game ended without a winner")
    illegal_moves = field(type=np.int32, meaning="actions of this episode that were no legal moves")


@kernel
def mixed(number):
    """A digest of a number: the last steps of SplitMix64 (Steele, Lea and Flood 2014)."""
    word = np.uint64(number) * _GOLDEN
    word = (word ^ (word >> _SHIFT1)) * _MIX1
    word = (word ^ (word >> _SHIFT2)) * _MIX2
    return word ^ (word >> _SHIFT3)


@kernel
def digest(b):
    """A number for all that makes a position the same by the rules: pieces, turn, castling, capture in passing."""
    turn = 1 if b.turn > 0 else 0
    total = mixed(1 + turn + 2 * np.int64(b.castling) + 32 * (np.int64(b.en_passant) + 1))
    for row in range(0, 128, 16):
        for here in range(row, row + 8):
            piece = np.int64(b.squares[here])
            if piece != 0:
                total ^= mixed(100_000 + 128 * (piece + 8) + here)
    return total


@kernel
def begin(g):
    """Begin a game with its position, whatever came before."""
    for k in range(g.history.shape[0]):
        g.history[k] = np.uint64(0)
    if g.position.halfmoves <= FIFTY:
        g.history[g.position.halfmoves] = digest(g.position)
    g.last_from, g.last_to, g.own_move, g.reply = -1, -1, -1, -1
    g.refused, g.result, g.ending = 0, 0, OPEN


@kernel
def takes_in_passing(b, moves):
    """Whether a legal move takes the pawn that has just skipped a square."""
    for k in range(legal_moves(b, moves)):
        if np.int64(moves[k]) >> 7 & 127 == b.en_passant and abs(b.squares[moves[k] & 127]) == PAWN:
            return True
    return False


@kernel
def too_few(b):
    """Whether neither side could ever mate: bare kings, one minor piece, or bishops on squares of one colour."""
    minor, knights, light, dark = 0, 0, 0, 0
    for row in range(0, 128, 16):
        for here in range(row, row + 8):
            kind = abs(np.int64(b.squares[here]))
            if kind == 0 or kind == KING:
                continue
            if kind != KNIGHT and kind != BISHOP:
                return False
            minor += 1
            knights += kind == KNIGHT
            if (here + (here >> 4)) & 1:
                light += kind == BISHOP
            else:
                dark += kind == BISHOP
    return minor <= 1 or (knights == 0 and (light == 0 or dark == 0))


@kernel
def times_before(g, word):
    """How often a position with this digest has come since the last capture or move of a pawn, the last one left out.

    The position has the same side to move as the game's position.
    """
    times, last = 0, np.int64(g.position.halfmoves)
    for k in range(last - 4, -1, -2):
        times += g.history[k] == word
    return times


@kernel
def play(g, move, moves):
    """Make a legal move, and see whether the game is over; `moves` is room for candidates."""
    b = g.position
    g.last_from, g.last_to = move & 127, move >> 7 & 127
    make(b, move)
    if b.en_passant >= 0 and not takes_in_passing(b, moves):
        b.en_passant = -1
    word = digest(b)
    if b.halfmoves <= FIFTY:
        g.history[b.halfmoves] = word
    if not can_move(b, moves):
        if in_check(b):
            g.ending, g.result = MATE, -b.turn
        else:
            g.ending = STALEMATE
    elif too_few(b):
        g.ending = MATERIAL
    elif b.halfmoves >= FIFTY:
        g.ending = FIFTY_MOVES
    elif times_before(g, word) >= 2:
        g.ending = REPETITION


@kernel
def own_move(g, move, moves):
    """Make White's move if it is legal; whether it was. `moves` is room for candidates."""
    g.own_move, g.reply = -1, -1
    if not is_legal(g.position, move, moves):
        g.refused += 1
        return False
    g.own_move = move
    play(g, move, moves)
    return True


@kernel
def settle(s, p):
    """Reward of White's move and Black's answer, and whether the game is over; cuts episodes that are too long."""
    if s.game.ending != OPEN:
        return np.float64(s.game.result), True
    if s.clock.step >= p.longest:
        cut(s.clock)
    return (-1.0 if s.game.own_move < 0 else 0.0), False


# what White sees and does


def move_list() -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """All moves that White could make on some board.

    Returns:
        Their names in UCI, (1880,); the moves as kernels have them, int32 (1880,); and the index of a move by square
        of departure and of arrival (0 to 63) and kind of promotion (0, or 1 to 4 for knight to queen), int16
        (64, 64, 5), -1 where there is none.
    """
    moves = [pack(*one) for one in queen_lines()]
    for here, there in queen_lines():
        if here >> 4 == 6 and there >> 4 == 7 and abs((here & 7) - (there & 7)) < 2:
            moves += [pack(here, there, kind) for kind in range(KNIGHT, QUEEN + 1)]
    index = np.full((64, 64, 5), -1, np.int16)
    for k, move in enumerate(moves):
        index[narrow(move & 127), narrow(move >> 7 & 127), max(0, (move >> 14) - 1)] = k
    return tuple(map(write_uci, moves)), np.array(moves, np.int32), index


@kernel
def narrow(square):
    """A square as 0 to 63, row by row from a1."""
    return (square + (square & 7)) >> 1


NAMES, MOVES, INDEX = move_list()
CHOICES = len(NAMES)
ACTION = Choice(NAMES)
OBSERVATION = Vector(
    (
        Block(
            "board",
            12 * 64,
            0,
            1,
            "",
            "White's pawns, knights, bishops, rooks, queens, king, then Black's: 1 where they are, a1, b1 to h8",
        ),
        Block("castling", 4, 0, 1, "", "1 for a right to castle: White short, White long, Black short, Black long"),
        Block("en_passant", 8, 0, 1, "", "1 for the file on which White may take in passing"),
        Block("halfmoves", 1, 0, FIFTY, "", "moves of both since the last capture or move of a pawn"),
        Block("repeated", 1, 0, 2, "", "how often the position has come before"),
        Block("action_mask", CHOICES, 0, 1, "", "1 for a legal move"),
    ),
    dtype=np.int8,
)


@kernel
def see(g, p, o, info, w):
    """Write what White sees, and the metrics."""
    b = g.position
    for k in range(o.board.shape[0]):
        o.board[k] = 0
    for k in range(o.action_mask.shape[0]):
        o.action_mask[k] = 0
    for row in range(0, 128, 16):
        for here in range(row, row + 8):
            piece = np.int64(b.squares[here])
            if piece != 0:
                o.board[64 * (piece - 1 if piece > 0 else 5 - piece) + narrow(here)] = 1
    for k in range(4):
        o.castling[k] = np.int64(b.castling) >> k & 1
    for k in range(8):
        o.en_passant[k] = b.en_passant >= 0 and b.en_passant & 7 == k
    o.halfmoves = min(np.int64(b.halfmoves), FIFTY)
    o.repeated = min(times_before(g, g.history[min(np.int64(b.halfmoves), FIFTY)]), 2)
    if g.ending == OPEN:
        for k in range(legal_moves(b, w.moves[0])):
            o.action_mask[action_of(p, np.int64(w.moves[0, k]))] = 1
    for k in range(o.action_mask.shape[0]):
        info.action_mask[k] = o.action_mask[k]
    info.success, info.drawn = g.result > 0, g.ending > MATE
    info.illegal_moves = g.refused


@kernel
def action_of(p, move):
    """The action that is a move of White."""
    return np.int64(p.index[narrow(move & 127), narrow(move >> 7 & 127), max(0, (move >> 14) - 1)])
