"""Endgames of White's queen and rooks against a bare king, solved to the last move.

A table says in how many moves White, to move, mates against any defence. It is made by retrograde analysis (Ströhlein
1970): from the mates backwards, move by move. Boards are turned and mirrored so that Black's king stands in one of ten
squares; where that leaves two ways, White's pieces decide. Squares are 0 to 63 here, row by row from a1.
"""

import hashlib
from functools import lru_cache
from pathlib import Path

import numpy as np

from envsuite.core import Record, field, kernel
from envsuite.core.files import write_atomic
from envsuite.core.jit import records
from envsuite.core.kernel_cache import cache_roots
from envsuite.text_games.chess.position import QUEEN, ROOK

ENDGAMES = ("KQK", "KRK", "KQRK", "KRRK")
"""Names by the pieces of both sides."""
PIECES = {"KQK": (QUEEN, 0), "KRK": (ROOK, 0), "KQRK": (QUEEN, ROOK), "KRRK": (ROOK, ROOK)}
"""White's pieces besides the king."""
KINGS = 10
"""Squares of Black's king: a1, b1, c1, d1, b2, c2, d2, c3, d3, d4."""
THREE, FOUR = KINGS * 64 * 64, KINGS * 64**3
UNKNOWN, IMPOSSIBLE = 0, 255
"""What a table says besides moves: no mate is known; Black would be in check though White is to move, or pieces stand
on one square or kings side by side."""
LONGEST = 60
"""More moves than any of these mates takes."""
SHA256 = "5e4bd1c028c6586d9ec1754ad80f6f85fad479a4b783b8c11aaca6f4068c44a4"
"""Of the tables' bytes, which no version changes: they are what the rules make them."""

_PLACE = np.full(64, -1)
_PLACE[[0, 1, 2, 3, 9, 10, 11, 18, 19, 27]] = np.arange(KINGS)
_SQUARE = np.flatnonzero(_PLACE >= 0)
_ACROSS, _UP = np.array([-1, 0, 1, -1, 1, -1, 0, 1]), np.array([-1, -1, -1, 0, 0, 1, 1, 1])
"""Steps of a king; of these 1, 3, 4 and 6 are a rook's."""


class Tables(Record):
    """Moves to mate of all four endgames, see `index_of`."""

    kqk = field(type=np.uint8, shape=THREE)
    krk = field(type=np.uint8, shape=THREE)
    kqrk = field(type=np.uint8, shape=FOUR)
    krrk = field(type=np.uint8, shape=FOUR)


@kernel
def turned(square, way):
    """A square after mirroring the board: 1 left and right, 2 up and down, 4 along the diagonal from a1, in turn."""
    square ^= (7 if way & 1 else 0) ^ (56 if way & 2 else 0)
    return (square >> 3) | (square & 7) << 3 if way & 4 else square


@kernel
def way_of(black, white, first, second):
    """How a board is turned for its table, see `turned`."""
    way = (1 if black & 7 > 3 else 0) | (2 if black >> 3 > 3 else 0)
    for k in range(4):
        square = turned(black if k == 0 else white if k == 1 else first if k == 2 else second, way)
        if square >> 3 != square & 7:
            return way | (4 if square >> 3 > square & 7 else 0)
    return way


@kernel
def index_of(black, white, first, second, pieces):
    """Place of a board in its table.

    Args:
        black: square of Black's king.
        white: of White's king.
        first: of White's first piece.
        second: of the second; for one piece the same as `first`.
        pieces: 1 or 2.
    """
    way = way_of(black, white, first, second)
    place = (np.int64(_PLACE[turned(black, way)]) << 6 | turned(white, way)) << 6 | turned(first, way)
    return place if pieces == 1 else place << 6 | turned(second, way)


@kernel
def board_of(index, pieces):
    """Squares of a place: Black's king, White's king, the pieces."""
    second = index & 63
    index = index >> 6 if pieces == 2 else index
    first = index & 63
    return np.int64(_SQUARE[index >> 12]), index >> 6 & 63, first, (second if pieces == 2 else first)


@kernel
def beside(a, b):
    """Whether two squares touch, or are the same."""
    return abs((a & 7) - (b & 7)) <= 1 and abs((a >> 3) - (b >> 3)) <= 1


@kernel
def sees(kind, here, there, wall1, wall2):
    """Whether a queen or rook attacks a square, with two squares in which pieces may stand in the way."""
    across, up = (there & 7) - (here & 7), (there >> 3) - (here >> 3)
    if kind == 0 or here == there or not (across == 0 or up == 0 or (kind == QUEEN and abs(across) == abs(up))):
        return False
    step = 8 * ((up > 0) * 1 - (up < 0) * 1) + (across > 0) * 1 - (across < 0) * 1
    square = here + step
    while square != there:
        if square in (wall1, wall2):
            return False
        square += step
    return True


@kernel
def is_checked(black, white, first, second, kind1, kind2):
    """Whether Black's king is attacked by a piece."""
    return sees(kind1, first, black, white, second) or sees(kind2, second, black, white, first)


@kernel
def is_possible(black, white, first, second, kind1, kind2):
    """Whether a board can be there with White to move."""
    pieces = 1 if kind2 == 0 else 2
    apart = (
        first != white and first != black and (pieces == 1 or (second != white and second != black and second != first))
    )
    return apart and not beside(black, white) and not is_checked(black, white, first, second, kind1, kind2)


@kernel
def defence(black, white, first, second, kind1, kind2, table, after1, after2):
    """What Black, to move, holds out.

    Args:
        black: square of Black's king.
        white: of White's king.
        first: of White's first piece.
        second: of the second, see `index_of`.
        kind1: kind of the first piece.
        kind2: of the second; 0 for none.
        table: of this endgame, as far as it is known.
        after1: table of the endgame after the first piece has been taken; empty if that is a draw.
        after2: likewise, of the second.

    Returns:
        Moves to mate if every move loses for sure, 0 for a mate, -1 otherwise.
    """
    worst, moves, pieces = 0, 0, (1 if kind2 == 0 else 2)
    for k in range(8):
        file, rank = (black & 7) + _ACROSS[k], (black >> 3) + _UP[k]
        there = 8 * rank + file
        if file < 0 or file > 7 or rank < 0 or rank > 7 or beside(there, white):
            continue
        by1 = there != first and sees(kind1, first, there, white, second)
        by2 = pieces == 2 and there != second and sees(kind2, second, there, white, first)
        if by1 or by2:
            continue
        moves += 1
        if there == first:
            value = 0 if after1.shape[0] == 0 else np.int64(after1[index_of(there, white, second, second, 1)])
        elif pieces == 2 and there == second:
            value = 0 if after2.shape[0] == 0 else np.int64(after2[index_of(there, white, first, first, 1)])
        else:
            value = np.int64(table[index_of(there, white, first, second, pieces)])
        if value == UNKNOWN:
            return -1
        worst = max(worst, value)
    if moves == 0:
        return 0 if is_checked(black, white, first, second, kind1, kind2) else -1
    return worst


@kernel
def reach_back(table, losses, index, moves, kind1, kind2, after1, after2):
    """Note the boards from which White can go to a board that Black loses, and those of Black that lose by it.

    Args:
        table: for White to move, written.
        losses: for Black to move, written.
        index: of the board.
        moves: in which White mates from the boards before it.
        kind1: as in `defence`; so are `kind2`, `after1` and `after2`.
        kind2: of the second piece.
        after1: after the first piece has been taken.
        after2: after the second piece has been taken.
    """
    pieces = 1 if kind2 == 0 else 2
    black, white, first, second = board_of(index, pieces)
    for piece in range(pieces + 1):
        here = white if piece == 0 else first if piece == 1 else second
        kind = kind1 if piece == 1 else kind2
        for k in range(8):
            straight = k == 1 or k == 3 or k == 4 or k == 6
            file, rank = (here & 7) + _ACROSS[k], (here >> 3) + _UP[k]
            while file >= 0 and file < 8 and rank >= 0 and rank < 8 and (piece == 0 or straight or kind == QUEEN):
                there = 8 * rank + file
                if there in (black, white, first, second):
                    break
                before = there if piece == 0 else white
                one = there if piece == 1 else first
                two = one if pieces == 1 else (there if piece == 2 else second)
                found = index_of(black, before, one, two, pieces)
                if table[found] == UNKNOWN:
                    table[found] = moves
                    retreat(table, losses, found, kind1, kind2, after1, after2)
                if piece == 0:
                    break
                file, rank = file + _ACROSS[k], rank + _UP[k]


@kernel
def retreat(table, losses, index, kind1, kind2, after1, after2):
    """Note the boards of Black that lose now that a board is known; arguments as in `reach_back`."""
    pieces = 1 if kind2 == 0 else 2
    black, white, first, second = board_of(index, pieces)
    for k in range(8):
        file, rank = (black & 7) + _ACROSS[k], (black >> 3) + _UP[k]
        there = 8 * rank + file
        if file < 0 or file > 7 or rank < 0 or rank > 7 or beside(there, white):
            continue
        if there in (first, second):
            continue
        before = index_of(there, white, first, second, pieces)
        if losses[before] == IMPOSSIBLE:
            a, b, c, d = board_of(before, pieces)
            held = defence(a, b, c, d, kind1, kind2, table, after1, after2)
            if held >= 0:
                losses[before] = held


@kernel
def solve(table, losses, kind1, kind2, after1, after2):
    """Fill a table.

    Args:
        table: (n,) uint8, written: moves to mate, `UNKNOWN` where there is no mate, `IMPOSSIBLE`.
        losses: (n,) uint8, written: for boards with Black to move, moves to mate, `IMPOSSIBLE` where it holds out.
        kind1: kind of White's first piece.
        kind2: of the second; 0 for none.
        after1: table of the endgame that is left when the first piece is taken; empty if that is a draw.
        after2: likewise, of the second.
    """
    pieces = 1 if kind2 == 0 else 2
    for k in range(table.shape[0]):
        a, b, c, d = board_of(k, pieces)
        known = is_possible(a, b, c, d, kind1, kind2) and index_of(a, b, c, d, pieces) == k
        table[k], losses[k] = (UNKNOWN if known else IMPOSSIBLE), IMPOSSIBLE
    for k in range(table.shape[0]):
        a, b, c, d = board_of(k, pieces)
        apart = c != b and c != a and (pieces == 1 or (d != b and d != a and d != c))
        if apart and not beside(a, b) and index_of(a, b, c, d, pieces) == k:
            held = defence(a, b, c, d, kind1, kind2, table, after1, after2)
            if held >= 0:
                losses[k] = held
    for moves in range(LONGEST):
        for k in range(table.shape[0]):
            if losses[k] == moves:
                reach_back(table, losses, k, moves + 1, kind1, kind2, after1, after2)


@lru_cache(maxsize=1)
def tables() -> np.ndarray:
    """All four tables, (1,) of type `Tables`; made in some seconds when first asked for, then kept in the cache folder.

    The folder lies beside that of the compiled kernels; ``ENVSUITE_CACHE_DIR`` names another one.
    """
    files = [root.parent / "chess" / f"{SHA256[:16]}.tables" for root in cache_roots()]
    content = next(filter(None, map(_read, files)), None)
    if content is None:
        content = make_tables().tobytes()
        _keep(content, files)
    return records(np.frombuffer(content, Tables.dtype()))


def make_tables() -> np.ndarray:
    """Solve all four endgames, (1,) of type `Tables`."""
    made, none = np.zeros(1, Tables.dtype()), np.zeros(0, np.uint8)
    for name, (kind1, kind2) in PIECES.items():
        table = np.zeros(FOUR if kind2 else THREE, np.uint8)
        after = [made[0]["krk"].copy(), made[0]["kqk" if kind1 == QUEEN else "krk"].copy()] if kind2 else [none, none]
        solve(table, np.zeros_like(table), kind1, kind2, *after)
        made[0][name.lower()] = table
    return made


def _read(file: Path) -> bytes | None:
    """Tables from a file; None where there is none or it holds anything else."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    return content if hashlib.sha256(content).hexdigest() == SHA256 else None


def _keep(content: bytes, files: list[Path]) -> None:
    """Write tables into the first file that can be written; without one they are made again another time."""
    for file in files:
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomic(file, content)
            return
        except OSError:
            continue
