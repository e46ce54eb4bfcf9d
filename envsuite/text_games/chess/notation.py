"""Positions and moves in writing: FEN, SAN and UCI.

FEN and SAN as in Edwards (1994), "Portable Game Notation specification and implementation guide". As most programs do,
FEN names the square of a capture in passing only where there is one.
"""

import re

import numpy as np

from envsuite.core.jit import records
from envsuite.text_games.chess.position import (
    BLACK,
    KING,
    LONG,
    MOST_MOVES,
    OFF,
    PAWN,
    ROOK,
    SHORT,
    WHITE,
    Position,
    attacked,
    can_move,
    clear,
    in_check,
    king_of,
    legal_moves,
    make,
    put,
)

LETTERS = ".PNBRQK"
"""Kinds of pieces; a pawn's letter is not written in SAN."""
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_SAN = re.compile(r"([KQRBN])?([a-h])?([1-8])?[x-]?([a-h])([1-8])(?:=?\(?([QRBNqrbn])\)?)?(?:[+#]|\+\+)?[!?]{0,2}")
_CASTLING = re.compile(r"([O0])-?\1(-?\1)?(?:[+#]|\+\+)?[!?]{0,2}")


def square_name(square: int) -> str:
    """A square as ``e4``.

    Args:
        square: ``16 * rank + file``.
    """
    return f"{'abcdefgh'[square & 7]}{(square >> 4) + 1}"


def square_of(name: str) -> int:
    """The square of a name such as ``e4``, which must be one."""
    return "abcdefgh".index(name[0]) + 16 * (int(name[1]) - 1)


def pack(here: int, there: int, promoted: int = 0) -> int:
    """A move as the kernels have it, see `envsuite.text_games.chess.position`."""
    return here | there << 7 | promoted << 14


def legal(position: np.void) -> list[int]:
    """The legal moves.

    Args:
        position: record of type `Position`.
    """
    moves = np.zeros(MOST_MOVES, np.int32)
    return moves[: legal_moves(_own(position), moves)].tolist()


def after(position: np.void, move: int) -> np.void:
    """The position after a legal move, as a new record."""
    copy = _own(position)
    make(copy, move)
    if copy["en_passant"] >= 0 and not can_take_in_passing(copy):
        copy["en_passant"] = -1
    return copy


def can_take_in_passing(position: np.void) -> bool:
    """Whether a legal move takes the pawn that has just skipped a square."""
    squares, aim = position["squares"], int(position["en_passant"])
    return any(move >> 7 & 127 == aim and abs(int(squares[move & 127])) == PAWN for move in legal(position))


def _own(position: np.void) -> np.void:
    """A copy that kernels may change."""
    copy = np.zeros(1, Position.dtype())
    copy[0] = position
    return records(copy)[0]


# FEN


def write_fen(position: np.void) -> str:
    """A position in Forsyth-Edwards notation.

    Args:
        position: record of type `Position`.
    """
    rows = []
    for rank in range(7, -1, -1):
        row = "".join(letter(int(position["squares"][16 * rank + file])) for file in range(8))
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), row))
    turn = "w" if position["turn"] == WHITE else "b"
    castling = "".join(one for k, one in enumerate("KQkq") if int(position["castling"]) >> k & 1) or "-"
    skipped = int(position["en_passant"])
    skipped_name = square_name(skipped) if skipped >= 0 else "-"
    return f"{'/'.join(rows)} {turn} {castling} {skipped_name} {int(position['halfmoves'])} {int(position['number'])}"


def letter(piece: int) -> str:
    """The letter of a piece in FEN, ``.`` for none."""
    return LETTERS[piece] if piece >= 0 else LETTERS[-piece].lower()


def read_fen(text: str) -> np.void:
    """Read a position in Forsyth-Edwards notation.

    Blanks between all characters, as LMRL-Gym has them, are taken too. The last two fields may be missing.

    Args:
        text: the notation.

    Returns:
        Record of type `Position`.

    Raises:
        ValueError: the text is no such notation, or no game can have the position; the message says why.
    """
    fields = ["".join(one.split()) for one in re.split(r"\s{3,}", text.strip())] if _spaced(text) else text.split()
    if not 4 <= len(fields) <= 6:
        raise ValueError(f"FEN {text[:100]!r} has {len(fields)} fields, expected 4 to 6")
    board, turn, castling, skipped, halfmoves, number = (*fields, *("0", "1")[len(fields) - 4 :])[:6]
    position = records(np.zeros(1, Position.dtype()))[0]
    clear(position)
    _read_board(board, position)
    if turn not in ("w", "b"):
        raise ValueError(f"FEN says {turn[:20]!r} for the side to move, expected w or b")
    position["turn"] = WHITE if turn == "w" else BLACK
    if not re.fullmatch(r"-|K?Q?k?q?", castling) or not castling:
        raise ValueError(f"FEN says {castling[:20]!r} for castling, expected some of KQkq or -")
    position["castling"] = sum(1 << k for k, one in enumerate("KQkq") if one in castling)
    for name, value, least, most in (("halfmoves", halfmoves, 0, 150), ("number", number, 1, 9999)):
        if not re.fullmatch(r"[0-9]{1,4}", value) or not least <= int(value) <= most:
            raise ValueError(f"FEN says {value[:20]!r} for {name}, expected a whole number from {least} to {most}")
        position[name] = int(value)
    _check(position)
    if skipped != "-":
        position["en_passant"] = _skipped(skipped, position)
        if not can_take_in_passing(position):
            position["en_passant"] = -1
    return position


def _spaced(text: str) -> bool:
    return bool(text.strip()) and all(len(one) == 1 for one in text.split())


def _read_board(board: str, position: np.void) -> None:
    rows = board.split("/")
    if len(rows) != 8:
        raise ValueError(f"FEN has {len(rows)} rows, expected 8")
    for rank, row in zip(range(7, -1, -1), rows, strict=True):
        if not re.fullmatch(r"[1-8PNBRQKpnbrqk]{1,8}", row):
            raise ValueError(f"FEN has a row {row[:20]!r}, expected letters of pieces and numbers of empty squares")
        filled = "".join("." * int(one) if one.isdecimal() else one for one in row)
        if len(filled) != 8:
            raise ValueError(f"FEN has a row {row!r} of {len(filled)} squares, expected 8")
        for file, one in enumerate(filled):
            kind = LETTERS.index(one.upper())
            put(position, 16 * rank + file, kind if one.isupper() else -kind)


def _check(position: np.void) -> None:
    """Refuse what no game can have, as far as kernels rely on it."""
    squares, side = position["squares"], int(position["turn"])
    for name, sign in (("White", 1), ("Black", -1)):
        pieces = squares[squares * sign > 0] * sign
        if (pieces == KING).sum() != 1:
            raise ValueError(f"{name} has {(pieces == KING).sum()} kings in the FEN, expected 1")
        if len(pieces) > 16 or (pieces == PAWN).sum() > 8:
            raise ValueError(f"{name} has {len(pieces)} pieces in the FEN, expected at most 16 with 8 pawns")
    if (abs(np.concatenate([squares[:8], squares[0x70:0x78]])) == PAWN).any():
        raise ValueError("a pawn stands on the first or last rank in the FEN")
    if attacked(position, king_of(position, -side), side):
        raise ValueError("the side that is not to move is in check in the FEN")
    for shift, home, sign in ((0, 0x04, 1), (2, 0x74, -1)):
        rights = int(position["castling"]) >> shift & 3
        for right, corner in ((SHORT, home + 3), (LONG, home - 4)):
            if rights & right and (squares[home] != sign * KING or squares[corner] != sign * ROOK):
                raise ValueError(f"the FEN allows castling without king and rook on {square_name(home)} and so on")


def _skipped(name: str, position: np.void) -> int:
    """The square that a pawn has skipped, which must lie behind a pawn of the side that has just moved."""
    side = int(position["turn"])
    if re.fullmatch("[a-h][36]", name):
        square = square_of(name)
        empty = all(position["squares"][one] == 0 for one in (square, square + 16 * side))
        if square >> 4 == (5 if side > 0 else 2) and empty and position["squares"][square - 16 * side] == -side * PAWN:
            return square
    raise ValueError(f"FEN says {name[:20]!r} for the square of a capture in passing, expected one behind a pawn or -")


# moves


def write_uci(move: int) -> str:
    """A move as its two squares and what a pawn becomes, ``e7e8q``."""
    promoted = LETTERS[move >> 14].lower() if move >> 14 else ""
    return square_name(move & 127) + square_name(move >> 7 & 127) + promoted


def write_san(position: np.void, move: int, moves: list[int] | None = None) -> str:
    """A legal move in standard algebraic notation, as short as is allowed.

    Args:
        position: record of type `Position`, before the move.
        move: the move.
        moves: the legal moves, where they are known.
    """
    squares, here, there = position["squares"], move & 127, move >> 7 & 127
    kind, name = abs(int(squares[here])), square_name(there)
    if kind == KING and abs(there - here) == 2:
        text = "O-O" if there > here else "O-O-O"
    elif kind == PAWN:
        promoted = f"={LETTERS[move >> 14]}" if move >> 14 else ""
        text = f"{square_name(here)[0]}x{name}" if (there - here) % 16 else name
        text += promoted
    else:
        known = legal(position) if moves is None else moves
        others = [
            one & 127
            for one in known
            if one >> 7 & 127 == there and one & 127 != here and squares[one & 127] == squares[here]
        ]
        text = LETTERS[kind] + _told_apart(here, others) + "x" * bool(squares[there]) + name
    then = after(position, move)
    if not in_check(then):
        return text
    return text + ("+" if can_move(then, np.zeros(MOST_MOVES, np.int32)) else "#")


def _told_apart(here: int, others: list[int]) -> str:
    """What is written of the square that a piece leaves, where others of its kind could go the same way."""
    name = square_name(here)
    if not others:
        return ""
    if all((one ^ here) & 7 for one in others):
        return name[0]
    return name if any(one >> 4 == here >> 4 for one in others) else name[1]


def read_move(text: str, position: np.void, moves: list[int]) -> list[int] | None:
    """Read a move in SAN, in UCI, or in long algebraic notation.

    Args:
        text: the whole text of the move, without blanks.
        position: record of type `Position`.
        moves: its legal moves.

    Returns:
        The legal moves that the text names, none or several where it is wrong; None where it is no move at all.
    """
    squares = position["squares"]
    if castling := _CASTLING.fullmatch(text):
        way = -2 if castling[2] else 2
        return [one for one in moves if abs(int(squares[one & 127])) == KING and (one >> 7 & 127) - (one & 127) == way]
    match = _SAN.fullmatch(text) or _SAN.fullmatch(text.lower())
    if match is None:
        return None
    kind, file, rank, to_file, to_rank, promoted = match.groups()
    there = square_of(to_file + to_rank)
    whole = file is not None and rank is not None
    found = []
    for one in moves:
        piece, here = abs(int(squares[one & 127])), square_name(one & 127)
        named = (piece == (LETTERS.index(kind) if kind else PAWN)) or (whole and kind is None)
        fits = (file is None or file == here[0]) and (rank is None or rank == here[1])
        becomes = promoted is None or one >> 14 == LETTERS.index(promoted.upper())
        # a pawn that takes is written with its file
        straight = kind is not None or file is not None or (one >> 7 ^ one) & 7 == 0
        if one >> 7 & 127 == there and named and fits and becomes and straight:
            found.append(one)
    return found


def queen_lines() -> list[tuple[int, int]]:
    """All pairs of squares that a queen or a knight joins on an empty board: 1,792."""
    found = []
    for here in range(128):
        for there in range(128):
            across, up = abs((here & 7) - (there & 7)), abs((here >> 4) - (there >> 4))
            joined = across == 0 or up == 0 or across == up or across * up == 2
            if here & OFF == 0 and there & OFF == 0 and here != there and joined:
                found.append((here, there))
    return found
