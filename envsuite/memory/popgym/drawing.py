"""Cards and boards, for all pictures here."""

from colorsys import hsv_to_rgb

import numpy as np

from envsuite.core.canvas import Canvas

FELT, PAPER, BACK, TRIM = (38, 92, 76), (252, 251, 246), (66, 98, 162), (124, 152, 206)
RED, BLACK, WHITE, FAINT, GOLD = (200, 42, 46), (32, 36, 42), (242, 247, 244), (140, 180, 164), (246, 200, 76)
RANK_COLORS = tuple(tuple(round(170 * one) for one in hsv_to_rgb(k / 13, 0.9, 1.0)) for k in range(13))
"""So that ranks can be told apart where letters are too small to be read."""
SUIT_COLORS = (BLACK, RED, BLACK, RED)
LETTERS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

_TURN = np.linspace(0, 2 * np.pi, 41)[:-1]
_HEART = np.stack(  # a well-known curve: (16 sin^3, 13 cos - 5 cos 2 - 2 cos 3 - cos 4)
    [
        np.sin(_TURN) ** 3,
        -(13 * np.cos(_TURN) - 5 * np.cos(2 * _TURN) - 2 * np.cos(3 * _TURN) - np.cos(4 * _TURN)) / 16,
    ],
    axis=1,
)
_DIAMOND = np.array([(0.0, -1.0), (0.75, 0.0), (0.0, 1.0), (-0.75, 0.0)])
_FOOT = np.array([(0.0, 0.05), (0.38, 1.05), (-0.38, 1.05)])

Box = tuple[float, float, float, float]


def suit_mark(canvas: Canvas, middle: tuple[float, float], radius: float, suit: int) -> None:
    """Draw a spade, diamond, club or heart.

    Args:
        canvas: to draw on.
        middle: pixels.
        radius: pixels.
        suit: as in `envsuite.memory.popgym.base.SUITS`.
    """
    at, color = np.asarray(middle), SUIT_COLORS[suit]
    if suit == 1:
        canvas.polygon(at + radius * _DIAMOND, color)
    elif suit == 3:
        canvas.polygon(at + radius * _HEART, color)
    else:
        canvas.polygon(at + radius * _FOOT, color)
        if suit == 0:
            canvas.polygon(at + radius * (_HEART * (1.0, -0.95) - (0.0, 0.1)), color)
        else:
            for x, y in ((0.0, -0.5), (-0.52, 0.22), (0.52, 0.22)):
                canvas.circle((at[0] + radius * x, at[1] + radius * y), 0.48 * radius, color)


def card(canvas: Canvas, box: Box, kinds: int, kind: int, edge: tuple[int, int, int] | None = None) -> None:
    """Draw a card that shows its colour, its suit or its rank.

    Args:
        canvas: to draw on.
        box: left, top, right, bottom, pixels.
        kinds: 2 for colours, 4 for suits, 13 for ranks.
        kind: of the card; -1 for one that lies face down.
        edge: colour of a frame, or none.
    """
    left, top, right, bottom = box
    wide, tall = right - left, bottom - top
    middle = ((left + right) / 2, (top + bottom) / 2)
    if edge is not None:
        grow = 0.07 * wide
        canvas.rectangle((left - grow, top - grow, right + grow, bottom + grow), edge, 0.14 * wide)
    canvas.rectangle(box, PAPER, 0.1 * wide)
    if kind < 0:
        inner = (left + 0.08 * wide, top + 0.06 * tall, right - 0.08 * wide, bottom - 0.06 * tall)
        canvas.rectangle(inner, BACK, 0.06 * wide)
        canvas.polygon(np.asarray(middle) + 0.28 * wide * _DIAMOND, None, TRIM, 0.04 * wide)
    elif kinds == 2:
        inner = (left + 0.2 * wide, top + 0.2 * tall, right - 0.2 * wide, bottom - 0.2 * tall)
        canvas.rectangle(inner, (BLACK, RED)[kind], 0.1 * wide)
    elif kinds == 4:
        suit_mark(canvas, middle, 0.3 * wide, kind)
    else:
        canvas.text(middle, LETTERS[kind], RANK_COLORS[kind], 0.52 * tall, "mm")


def stack(canvas: Canvas, box: Box) -> None:
    """Draw a pile of cards that lie face down."""
    left, top, right, bottom = box
    shift = 0.03 * (right - left)
    for k in (3, 2, 1, 0):
        card(canvas, (left + k * shift, top - k * shift, right + k * shift, bottom - k * shift), 4, -1)


def table(cards: int, size: tuple[int, int]) -> list[Box]:
    """Boxes of cards on a table, in rows of 13.

    Args:
        cards: number.
        size: (width, height) of the picture, pixels.
    """
    width, height = size
    rows = -(-cards // 13)
    across, down = 0.96 * width / 13, 0.86 * height / rows
    wide = min(0.88 * across, 0.66 * down)
    tall = wide / 0.72
    boxes = []
    for k in range(cards):
        x, y = 0.02 * width + (k % 13 + 0.5) * across, 0.11 * height + (k // 13 + 0.5) * down
        boxes.append((x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2))
    return boxes


def board(size: tuple[int, int]) -> tuple[float, float, float]:
    """Left, top and side of a square board, pixels.

    Args:
        size: (width, height) of the picture, pixels.
    """
    width, height = size
    side = 0.84 * height
    return (width - side) / 2, 0.13 * height, side


def cell(size: tuple[int, int], cells: int, index: int) -> Box:
    """Box of a cell of a board, pixels.

    Args:
        size: (width, height) of the picture, pixels.
        cells: rows and columns.
        index: of the cell, row by row.
    """
    left, top, side = board(size)
    row, column, step = *divmod(index, cells), side / cells
    gap = 0.04 * step
    return (
        left + column * step + gap,
        top + row * step + gap,
        left + (column + 1) * step - gap,
        top + (row + 1) * step - gap,
    )


def middle_of(box: Box) -> tuple[float, float]:
    """Where its diagonals meet."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def title(canvas: Canvas, text: str, color: tuple[int, int, int] = WHITE) -> None:
    """Write a line at the top, which stays the same in an episode."""
    letters = 0.055 * canvas.height
    letters *= min(1.0, 0.96 * canvas.width / canvas.text_width(text, letters))
    canvas.text((canvas.width / 2, 0.055 * canvas.height), text, color, letters, "mm")


def arrow(canvas: Canvas, start: tuple[float, float], length: float, color: tuple[int, int, int]) -> None:
    """Draw an arrow to the right, or to the left where the length is negative; pixels."""
    x, y = start
    thick, tip = 0.018 * canvas.height, np.copysign(min(abs(length), 0.04 * canvas.height), length)
    canvas.line([(x, y), (x + length - tip, y)], color, thick)
    wing = 1.6 * thick
    canvas.polygon([(x + length - tip, y - wing), (x + length - tip, y + wing), (x + length, y)], color)
