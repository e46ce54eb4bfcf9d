"""Positions and moves of chess: what attacks what, which moves there are, making and taking them back.

Squares are numbered ``16 * rank + file`` with a1 = 0, so that a sum of a square and a step is off the board exactly if
it has a bit of `OFF`. Pieces are 1 to 6 for pawn, knight, bishop, rook, queen and king, black ones negative. A move is
one number: ``from + 128 * to + 16384 * promoted``, where promoted is a kind of piece or 0; castling is the king's move
of two squares.
"""

import numpy as np

from envsuite.core import Record, field, kernel

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = 1, 2, 3, 4, 5, 6
WHITE, BLACK = 1, -1
OFF = 0x88
SHORT, LONG = 1, 2
"""Rights to castle of White; those of Black are four times as much."""
MOST_MOVES = 256
"""Room for the moves of a position. The most that a position of a game can have are 218 (Petrović 1964)."""

_KNIGHT = np.array([-33, -31, -18, -14, 14, 18, 31, 33])
_LINES = np.array([-16, -1, 1, 16, -17, -15, 15, 17])
"""Steps of a rook, then those of a bishop."""
_KEEPS = np.full(128, 15)
"""Rights to castle that are left when a piece leaves or reaches a square."""
_KEEPS[[0x04, 0x00, 0x07]] = 12, 13, 14
_KEEPS[[0x74, 0x70, 0x77]] = 3, 7, 11


class Position(Record):
    """What is on the board, and what the rules need to know besides."""

    squares = field(type=np.int8, shape=128, meaning="kinds of pieces, black ones negative; 16 * rank + file")
    turn = field(type=np.int8, meaning="1 if White is to move, -1 if Black is")
    castling = field(type=np.uint8, meaning="1, 2, 4, 8: White short, White long, Black short, Black long")
    en_passant = field(type=np.int16, meaning="square that a pawn has just skipped and a pawn may take; -1 for none")
    halfmoves = field(type=np.int16, meaning="moves of both since the last capture or move of a pawn")
    number = field(type=np.int16, meaning="number of the move, 1 at the beginning")
    kings = field(type=np.int16, shape=2, meaning="squares of the kings, White's first")


@kernel
def king_of(b, side):
    """Square of a side's king."""
    return np.int64(b.kings[0 if side > 0 else 1])


@kernel
def attacked(b, square, by):
    """Whether pieces of a side attack a square."""
    for step in range(15, 18, 2):
        there = square - by * step
        if there & OFF == 0 and b.squares[there] == by * PAWN:
            return True
    for k in range(8):
        there = square + _KNIGHT[k]
        if there & OFF == 0 and b.squares[there] == by * KNIGHT:
            return True
    for k in range(8):
        step = _LINES[k]
        there, near = square + step, True
        while there & OFF == 0:
            piece = np.int64(b.squares[there]) * by
            if piece != 0:
                straight = ROOK if k < 4 else BISHOP
                if piece in (QUEEN, straight) or (near and piece == KING):
                    return True
                break
            there += step
            near = False
    return False


@kernel
def in_check(b):
    """Whether the side to move is in check."""
    side = np.int64(b.turn)
    return attacked(b, king_of(b, side), -side)


@kernel
def add(moves, count, move):
    """Put a move on a list; returns the new length. A full list, which no game can have, stays as it is."""
    if count < moves.shape[0]:
        moves[count] = move
        return count + 1
    return count


@kernel
def add_pawn(moves, count, here, there, side):
    """Put a pawn's move on a list, or its four promotions, the queen first."""
    if there >> 4 == (7 if side > 0 else 0):
        for k in range(4):
            count = add(moves, count, here | there << 7 | (QUEEN - k) << 14)
        return count
    return add(moves, count, here | there << 7)


@kernel
def add_moves_of_pawn(b, moves, count, here, side, loud):
    """Moves of one pawn."""
    there = here + 16 * side
    if b.squares[there] == 0:
        if not loud or there >> 4 == (7 if side > 0 else 0):
            count = add_pawn(moves, count, here, there, side)
        if not loud and here >> 4 == (1 if side > 0 else 6) and b.squares[there + 16 * side] == 0:
            count = add(moves, count, here | (there + 16 * side) << 7)
    for aside in range(-1, 2, 2):
        there = here + 16 * side + aside
        if there & OFF == 0 and (np.int64(b.squares[there]) * side < 0 or there == b.en_passant):
            count = add_pawn(moves, count, here, there, side)
    return count


@kernel
def add_castling(b, moves, count, side):
    """Castling where it is allowed: the way is free, and the king passes no attacked square."""
    rights = np.int64(b.castling) >> (0 if side > 0 else 2)
    home = 0x04 if side > 0 else 0x74
    if rights & 3 == 0 or attacked(b, home, -side):
        return count
    free = b.squares[home + 1] == 0 and b.squares[home + 2] == 0
    if rights & SHORT and free and not attacked(b, home + 1, -side):
        count = add(moves, count, home | (home + 2) << 7)
    free = b.squares[home - 1] == 0 and b.squares[home - 2] == 0 and b.squares[home - 3] == 0
    if rights & LONG and free and not attacked(b, home - 1, -side):
        count = add(moves, count, home | (home - 2) << 7)
    return count


@kernel(apart=True)
def candidates(b, moves, loud):
    """List moves by how pieces move; some may leave the king in check.

    Args:
        b: record of type `Position`.
        moves: (m,) int32, written.
        loud: only captures and promotions.

    Returns:
        Their number.
    """
    side, count = np.int64(b.turn), 0
    for row in range(0, 128, 16):
        for here in range(row, row + 8):
            piece = np.int64(b.squares[here]) * side
            if piece <= 0:
                continue
            if piece == PAWN:
                count = add_moves_of_pawn(b, moves, count, here, side, loud)
                continue
            first, last = (4 if piece == BISHOP else 0), (4 if piece == ROOK else 8)
            for k in range(first, last):
                step = _KNIGHT[k] if piece == KNIGHT else _LINES[k]
                there = here + step
                while there & OFF == 0:
                    other = np.int64(b.squares[there]) * side
                    if other < 0 or (other == 0 and not loud):
                        count = add(moves, count, here | there << 7)
                    if other != 0 or piece in (KNIGHT, KING):
                        break
                    there += step
    return count if loud else add_castling(b, moves, count, side)


@kernel
def make(b, move):
    """Make a move; returns what `take_back` needs."""
    here, there, promoted = move & 127, move >> 7 & 127, move >> 14
    side, piece, taken = np.int64(b.turn), np.int64(b.squares[here]), np.int64(b.squares[there])
    old = (taken + 8) | np.int64(b.castling) << 4 | (np.int64(b.en_passant) + 1) << 8 | np.int64(b.halfmoves) << 17
    b.squares[here], b.squares[there] = 0, (promoted * side if promoted > 0 else piece)
    b.halfmoves = 0 if taken != 0 or piece == side * PAWN else b.halfmoves + 1
    skipped = -1
    if piece == side * PAWN:
        if there == b.en_passant:
            b.squares[there - 16 * side] = 0
            old |= 1 << 16
        if there - here == 32 * side:
            for aside in range(-1, 2, 2):
                if (there + aside) & OFF == 0 and b.squares[there + aside] == -side * PAWN:
                    skipped = here + 16 * side
    elif piece == side * KING:
        b.kings[0 if side > 0 else 1] = there
        if there - here == 2:
            b.squares[there + 1], b.squares[there - 1] = 0, ROOK * side
        elif here - there == 2:
            b.squares[there - 2], b.squares[there + 1] = 0, ROOK * side
    b.castling = np.int64(b.castling) & _KEEPS[here] & _KEEPS[there]
    b.en_passant = skipped
    b.number += side < 0
    b.turn = -side
    return old


@kernel
def take_back(b, move, old):
    """Undo `make`."""
    here, there, promoted = move & 127, move >> 7 & 127, move >> 14
    side = -np.int64(b.turn)
    piece = side * PAWN if promoted > 0 else np.int64(b.squares[there])
    b.squares[here], b.squares[there] = piece, (old & 15) - 8
    b.castling, b.en_passant, b.halfmoves = old >> 4 & 15, (old >> 8 & 255) - 1, old >> 17
    if old >> 16 & 1:
        b.squares[there - 16 * side] = -side * PAWN
    if piece == side * KING:
        b.kings[0 if side > 0 else 1] = here
        if there - here == 2:
            b.squares[there + 1], b.squares[there - 1] = ROOK * side, 0
        elif here - there == 2:
            b.squares[there - 2], b.squares[there + 1] = ROOK * side, 0
    b.number -= side < 0
    b.turn = side


@kernel
def is_safe(b, move, checked):
    """Whether a candidate leaves the king out of check; only moves that may matter to it are tried.

    Args:
        b: record of type `Position`.
        move: one of `candidates`.
        checked: the king is in check.
    """
    side, here = np.int64(b.turn), move & 127
    king = king_of(b, side)
    if not checked and here != king:
        across, up = (here & 7) - (king & 7), (here >> 4) - (king >> 4)
        if across != 0 and up != 0 and abs(across) != abs(up) and move >> 7 & 127 != b.en_passant:
            return True
    old = make(b, move)
    safe = not attacked(b, king_of(b, side), -side)
    take_back(b, move, old)
    return safe


@kernel
def legal_moves(b, moves):
    """List the legal moves.

    Args:
        b: record of type `Position`.
        moves: (`MOST_MOVES`,) int32, written.

    Returns:
        Their number.
    """
    checked, count = in_check(b), 0
    for k in range(candidates(b, moves, False)):
        if is_safe(b, moves[k], checked):
            moves[count] = moves[k]
            count += 1
    return count


@kernel
def can_move(b, moves):
    """Whether there is a legal move; `moves` is room for candidates."""
    checked, k, count = in_check(b), 0, candidates(b, moves, False)
    while k < count and not is_safe(b, moves[k], checked):
        k += 1
    return k < count


@kernel
def is_legal(b, move, moves):
    """Whether a move is legal; `moves` is room for candidates."""
    for k in range(candidates(b, moves, False)):
        if moves[k] == move:
            return is_safe(b, move, in_check(b))
    return False


@kernel
def clear(b):
    """An empty board with White to move."""
    for k in range(128):
        b.squares[k] = 0
    b.turn, b.castling, b.en_passant, b.halfmoves, b.number = WHITE, 0, -1, 0, 1
    b.kings[0], b.kings[1] = -1, -1


@kernel
def put(b, square, piece):
    """Put a piece on a square."""
    b.squares[square] = piece
    if abs(piece) == KING:
        b.kings[0 if piece > 0 else 1] = square


@kernel
def set_up(b):
    """The position in which games begin."""
    clear(b)
    for file in range(8):
        kind = (ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK)[file]
        put(b, file, kind)
        put(b, 16 + file, PAWN)
        put(b, 0x60 + file, -PAWN)
        put(b, 0x70 + file, -kind)
    b.castling = 15
