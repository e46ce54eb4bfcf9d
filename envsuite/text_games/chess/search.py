"""An engine: alpha-beta search to a fixed depth, then captures until the position is quiet.

The values of pieces and squares are this project's own. Nothing depends on time: a game is the same on all machines.
"""

import numpy as np

from envsuite.core import Record, field, kernel
from envsuite.text_games.chess.position import (
    BISHOP,
    KING,
    KNIGHT,
    MOST_MOVES,
    OFF,
    PAWN,
    QUEEN,
    ROOK,
    attacked,
    candidates,
    in_check,
    king_of,
    make,
    take_back,
)

DEEPEST = 24
"""Moves ahead at most, captures included."""
MATE = 30_000
"""Value of a mate at once, in hundredths of a pawn; later ones are worth less."""
_DECIDED = MATE - 1000
_HOPE = 150
"""A capture that would still leave the side worse off with this much on top is not tried."""
_WORTH = np.array([0, 100, 310, 325, 500, 950, 0])
_PHASE = np.array([0, 0, 1, 1, 2, 4, 0])
_ALL_PIECES = 24
"""Phase of a board with all pieces, two minor ones, a rook and a queen counting as in `_PHASE`."""


def _value_of_squares() -> np.ndarray:
    """Hundredths of a pawn that a white piece is worth on a square: (with all pieces or without, kind, square)."""
    table = np.zeros((2, 7, 128), np.int64)
    for square in range(128):
        if square & OFF:
            continue
        rank, file = square >> 4, square & 7
        middle = 7 - (abs(2 * rank - 7) + abs(2 * file - 7)) // 2  # 0 in the corners, 6 in the middle
        table[:, PAWN, square] = (2 * rank * rank - 2 - 6 * (rank == 1 and 2 < file < 5)) + 3 * min(file, 7 - file)
        table[1, PAWN, square] += 3 * rank * rank
        table[:, KNIGHT, square] = 9 * middle - 30
        table[:, BISHOP, square] = 5 * middle - 18 - 8 * (rank == 0)
        table[:, ROOK, square] = 18 * (rank == 6) + 3 * min(file, 7 - file) * (rank == 0)
        table[:, QUEEN, square] = 2 * middle - 6
        table[0, KING, square] = 14 * (file in (1, 2, 6)) * (rank == 0) - 16 * min(rank, 3) - 8 * (file in (3, 4))
        table[1, KING, square] = 10 * middle - 30
    return table


_SQUARES = _value_of_squares()


class Search(Record):
    """Room for a search: a row for each move ahead."""

    moves = field(type=np.int32, shape=(DEEPEST + 1, MOST_MOVES))
    ranks = field(type=np.int32, shape=(DEEPEST + 1, MOST_MOVES), meaning="those with the highest are tried first")
    count = field(type=np.int32, shape=DEEPEST + 1, meaning="moves of each row")
    tried = field(type=np.int32, shape=DEEPEST + 1, meaning="of them")
    found_legal = field(type=np.int32, shape=DEEPEST + 1, meaning="whether one of them was legal")
    left = field(type=np.int32, shape=DEEPEST + 1, meaning="moves to search ahead")
    checked = field(type=np.int32, shape=DEEPEST + 1, meaning="whether the side to move is in check")
    alpha = field(type=np.int32, shape=DEEPEST + 1, meaning="what the side to move has for sure")
    beta = field(type=np.int32, shape=DEEPEST + 1, meaning="more than this the other side does not allow")
    best = field(type=np.int32, shape=DEEPEST + 1, meaning="highest value so far")
    quiet = field(type=np.int32, shape=DEEPEST + 1, meaning="value without a move, where only captures are tried")
    old = field(type=np.int64, shape=DEEPEST + 1, meaning="to take the last move back")
    killers = field(type=np.int32, shape=(DEEPEST + 1, 2), meaning="quiet moves that were too good for the other side")
    roots = field(type=np.int32, shape=MOST_MOVES, meaning="legal moves, the best first")
    drawn = field(type=np.uint8, shape=MOST_MOVES, meaning="whether each of them makes a position come again")
    nodes = field(type=np.int64, meaning="positions looked at")


@kernel
def evaluate(b):
    """Value of a quiet position for the side to move, in hundredths of a pawn."""
    full, bare, phase, bishops, others, extra = 0, 0, 0, 0, 0, 0
    for row in range(0, 128, 16):
        for here in range(row, row + 8):
            piece = np.int64(b.squares[here])
            if piece == 0:
                continue
            side = 1 if piece > 0 else -1
            kind, seen = piece * side, (here if piece > 0 else here ^ 0x70)
            full += side * (_WORTH[kind] + _SQUARES[0, kind, seen])
            bare += side * (_WORTH[kind] + _SQUARES[1, kind, seen])
            phase += _PHASE[kind]
            if kind == BISHOP:
                bishops += 1 if piece > 0 else 256
            if kind != KING:
                others += 1 if piece > 0 else 256
    extra += 30 * ((bishops & 255 >= 2) * 1 - (bishops >> 8 >= 2) * 1)
    if (others & 255 == 0) != (others >> 8 == 0):
        extra += drive(b, 1 if others >> 8 == 0 else -1)
    phase = min(phase, _ALL_PIECES)
    side = np.int64(b.turn)  # before the division, so that both sides' values are rounded alike
    return side * (full * phase + bare * (_ALL_PIECES - phase)) // _ALL_PIECES + side * extra


@kernel
def drive(b, side):
    """For a side against a bare king: better the nearer that is to the edge, and the nearer the own king is to it."""
    mine, other = king_of(b, side), king_of(b, -side)
    edge = max(abs(2 * (other & 7) - 7), abs(2 * (other >> 4) - 7)) + abs(2 * (other & 7) - 7) // 2
    edge += abs(2 * (other >> 4) - 7) // 2
    apart = abs((mine & 7) - (other & 7)) + abs((mine >> 4) - (other >> 4))
    return side * (12 * edge - 10 * apart)


@kernel
def rank_moves(b, w, ply):
    """Say in which order to try the moves of a row: captures of much by little, promotions, killers."""
    for k in range(w.count[ply]):
        move = np.int64(w.moves[ply, k])
        here, there, promoted = move & 127, move >> 7 & 127, move >> 14
        taken, rank = abs(np.int64(b.squares[there])), 0
        if taken != 0:
            rank = 10_000 + 16 * _WORTH[taken] - abs(np.int64(b.squares[here]))
        elif move == w.killers[ply, 0] or move == w.killers[ply, 1]:
            rank = 5000
        else:
            side, kind = np.int64(b.turn), abs(np.int64(b.squares[here]))
            turned = 0 if side > 0 else 0x70
            rank = _SQUARES[0, kind, there ^ turned] - _SQUARES[0, kind, here ^ turned]
        w.ranks[ply, k] = rank + 8 * _WORTH[promoted]


@kernel
def next_move(w, ply):
    """The move of a row to try next, brought to its place among those tried."""
    at = np.int64(w.tried[ply])
    top = at
    for k in range(at + 1, w.count[ply]):
        if w.ranks[ply, k] > w.ranks[ply, top]:
            top = k
    move, rank = w.moves[ply, top], w.ranks[ply, top]
    w.moves[ply, top], w.ranks[ply, top] = w.moves[ply, at], w.ranks[ply, at]
    w.moves[ply, at], w.ranks[ply, at] = move, rank
    w.tried[ply] = at + 1
    return np.int64(move)


@kernel
def enter(b, w, ply):
    """Begin with a position; whether its value is known at once, and the value."""
    w.nodes += 1
    if b.halfmoves >= 100 or (ply == 1 and w.drawn[w.tried[0] - 1] != 0):
        return True, np.int64(0)
    w.checked[ply], w.tried[ply], w.found_legal[ply] = in_check(b), 0, 0
    if w.checked[ply] and w.left[ply] == 0 and ply < DEEPEST // 2:
        w.left[ply] = 1
    loud = w.left[ply] <= 0
    w.best[ply] = -MATE
    if loud:
        value = evaluate(b)
        if value >= w.beta[ply] or ply == DEEPEST:
            return True, np.int64(value)
        w.quiet[ply] = w.best[ply] = value
        w.alpha[ply] = max(value, np.int64(w.alpha[ply]))
    w.count[ply] = candidates(b, w.moves[ply], loud)
    rank_moves(b, w, ply)
    return False, np.int64(0)


@kernel
def settled(w, ply):
    """Value of a position all of whose moves have been tried."""
    if w.left[ply] > 0 and w.found_legal[ply] == 0:
        return np.int64(ply - MATE if w.checked[ply] else 0)
    return np.int64(w.best[ply])


@kernel
def is_hopeless(b, w, ply, move):
    """Whether a capture wins too little to be tried ("delta pruning"), or gives a piece for less that is protected."""
    here, there = move & 127, move >> 7 & 127
    taken = _WORTH[abs(np.int64(b.squares[there]))]
    if w.quiet[ply] + taken + _WORTH[move >> 14] + _HOPE <= w.alpha[ply]:
        return True
    dearer = taken + _HOPE < _WORTH[abs(np.int64(b.squares[here]))]
    return dearer and attacked(b, there, -np.int64(b.turn))


@kernel
def descend(b, w, ply):
    """Make the next legal move of a row; whether there is one."""
    while w.tried[ply] < w.count[ply]:
        move, side = next_move(w, ply), np.int64(b.turn)
        if w.left[ply] <= 0 and is_hopeless(b, w, ply, move):
            continue
        w.old[ply] = make(b, move)
        if not attacked(b, king_of(b, side), -side):
            w.found_legal[ply] = 1
            w.alpha[ply + 1], w.beta[ply + 1] = -w.beta[ply], -w.alpha[ply]
            w.left[ply + 1] = w.left[ply] - 1
            return True
        take_back(b, move, w.old[ply])
    return False


@kernel
def learn(b, w, ply, value):
    """Take the last move of a row back and keep what it was worth; whether the other side would not allow it."""
    move = np.int64(w.moves[ply, w.tried[ply] - 1])
    take_back(b, move, w.old[ply])
    if value > w.best[ply]:
        w.best[ply] = value
        if value > w.alpha[ply]:
            w.alpha[ply] = value
    if value < w.beta[ply]:
        return False
    if b.squares[move >> 7 & 127] == 0 and move != w.killers[ply, 0]:
        w.killers[ply, 1], w.killers[ply, 0] = w.killers[ply, 0], move
    return True


@kernel
def search(b, w, depth):
    """Search the moves of row 0, which are given with their ranks.

    Args:
        b: record of type `Position`; the same afterwards.
        w: record of type `Search`.
        depth: moves to look ahead, at least 1.

    Returns:
        Index in row 0 of the best move, and its value in hundredths of a pawn.
    """
    w.alpha[0], w.beta[0], w.best[0], w.left[0], w.tried[0] = -MATE, MATE, -MATE, depth, 0
    ply, best = 0, 0
    known, value = False, np.int64(0)
    while True:
        if known or not descend(b, w, ply):
            if not known:
                value = settled(w, ply)
            if ply == 0:
                return best, value
            ply -= 1
            value = -value
            if ply == 0 and value > w.best[0]:
                best = np.int64(w.tried[0]) - 1
            known = learn(b, w, ply, value)
            value = np.int64(w.best[ply])
        else:
            ply += 1
            known, value = enter(b, w, ply)


@kernel(apart=True)
def best_move(b, w, count, depth):
    """The best of the moves ``w.roots``, deeper and deeper; among equals the one that stands first.

    Args:
        b: record of type `Position`; the same afterwards.
        w: record of type `Search`, with `count` legal moves in ``roots`` and their marks in ``drawn``.
        count: of the moves, at least 1.
        depth: moves to look ahead, at least 1.

    Returns:
        The move, and its value in hundredths of a pawn.
    """
    w.nodes, value = 0, np.int64(0)
    for ply in range(DEEPEST + 1):
        w.killers[ply, 0], w.killers[ply, 1] = 0, 0
    for reach in range(1, depth + 1):
        w.count[0] = count
        for k in range(count):
            w.moves[0, k], w.ranks[0, k] = w.roots[k], -k
        best, value = search(b, w, reach)
        move, mark = w.roots[best], w.drawn[best]
        for k in range(best, 0, -1):
            w.roots[k], w.drawn[k] = w.roots[k - 1], w.drawn[k - 1]
        w.roots[0], w.drawn[0] = move, mark
        if abs(value) > _DECIDED:
            break
    return np.int64(w.roots[0]), value
