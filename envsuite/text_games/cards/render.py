"""Draws the card tasks: a number line, cards on a table, a keypad."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.text_games.cards.blackjack import total
from envsuite.text_games.cards.deck import RANK_NAMES
from envsuite.text_games.cards.language import formula_text

FELT, PAPER, USED, RED, BLACK = (44, 98, 74), (252, 251, 247), (158, 178, 166), (196, 40, 44), (34, 36, 40)
WHITE, FAINT = (244, 248, 245), (122, 160, 142)
_CORNERS = tuple(name if name.isdecimal() else name[0].upper() for name in RANK_NAMES)
_TURN = np.linspace(0, 2 * np.pi, 33)[:-1]
# the usual curve of a heart: x = 16 sin^3 t, y = 13 cos t - 5 cos 2t - 2 cos 3t - cos 4t
_HEART = (
    np.stack(
        [
            16 * np.sin(_TURN) ** 3,
            -(13 * np.cos(_TURN) - 5 * np.cos(2 * _TURN) - 2 * np.cos(3 * _TURN) - np.cos(4 * _TURN)),
        ],
        1,
    )
    / 17.0
)
_DIAMOND = np.array([(0.0, -1.0), (0.72, 0.0), (0.0, 1.0), (-0.72, 0.0)])
_STEM = np.array([(0.0, 0.1), (0.34, 1.0), (-0.34, 1.0)])


def draw_suit(canvas: Canvas, center: tuple[float, float], radius: float, suit: int, color) -> None:
    """Draw the mark of a suit.

    Args:
        canvas: to draw on.
        center: pixels.
        radius: pixels from the centre to the top.
        suit: as in `envsuite.text_games.cards.deck`.
        color: of the mark.
    """
    middle = np.asarray(center, np.float64)
    if suit == 0:
        for x, y in ((0.0, -0.52), (-0.5, 0.22), (0.5, 0.22)):
            canvas.circle(tuple(middle + radius * np.array([x, y])), 0.47 * radius, color)
    else:
        outline = {1: _DIAMOND, 2: _HEART, 3: -_HEART * (1.0, 0.9)}[suit]
        canvas.polygon(middle + radius * outline, color)
    if suit in (0, 3):
        canvas.polygon(middle + radius * _STEM, color)


def draw_card(
    canvas: Canvas, box: tuple[float, float, float, float], rank: int, suit: int, *, used: bool = False
) -> None:
    """Draw a card with its rank in the corner and its suit in the middle.

    Args:
        canvas: to draw on.
        box: left, top, right, bottom, pixels.
        rank: 1 (ace) to 13 (king); 0 for a card that lies face down.
        suit: as in `draw_suit`.
        used: it is spent, and drawn pale.
    """
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    canvas.rectangle(box, USED if used else PAPER, 0.09 * width)
    if rank == 0:
        inner = (left + 0.08 * width, top + 0.06 * height, right - 0.08 * width, bottom - 0.06 * height)
        canvas.rectangle(inner, (84, 112, 170), 0.05 * width)
        return
    color = RED if suit in (1, 2) else BLACK
    canvas.text((left + 0.09 * width, top + 0.07 * height), _CORNERS[rank - 1], color, 0.3 * height)
    draw_suit(canvas, (left + 0.58 * width, top + 0.66 * height), 0.23 * height, suit, color)


def row_of_cards(
    width: float, count: int, left: float, top: float, height: float
) -> list[tuple[float, float, float, float]]:
    """Boxes of cards side by side, which overlap where there is no room.

    Args:
        width: of the row, pixels.
        count: number of cards.
        left: of the row, pixels.
        top: of the row, pixels.
        height: of a card, pixels.
    """
    wide = 0.7 * height
    pitch = min(1.12 * wide, (width - wide) / max(1, count - 1))
    return [(left + k * pitch, top, left + k * pitch + wide, top + height) for k in range(count)]


def keypad(choices: int, size: tuple[int, int]) -> list[tuple[float, float, float, float]]:
    """Boxes of the keys at the bottom of a picture of the points games, in two rows.

    Args:
        choices: number of keys.
        size: (width, height) of the picture, pixels.
    """
    width, height = size
    columns = (choices + 1) // 2
    cell, tall = 0.94 * width / columns, 0.12 * height
    return [
        (
            0.03 * width + k % columns * cell + 0.05 * cell,
            (0.73 + 0.13 * (k // columns)) * height,
            0.03 * width + (k % columns + 1) * cell - 0.05 * cell,
            (0.73 + 0.13 * (k // columns)) * height + tall,
        )
        for k in range(choices)
    ]


class NumberLinePictures(Pictures):
    """The line with a walker and a flag."""

    size = (420, 240)
    fps = 3

    def draw(self, state, size):
        """Draw the numbers, the walker and the target."""
        width, height = size
        canvas = Canvas(width, height, (247, 247, 243))
        last, line = int(self.world.params[0]["last"]), 0.66 * height
        x = np.linspace(0.1 * width, 0.9 * width, last + 1)
        gap, thick = float(x[1] - x[0]), 0.012 * height
        canvas.line([(x[0], line), (x[-1], line)], (90, 94, 100), 1.5 * thick)
        for k, at in enumerate(x):
            canvas.line([(at, line - 0.04 * height), (at, line + 0.04 * height)], (90, 94, 100), 1.5 * thick)
            if k % max(1, -(-last // 20)) == 0:
                canvas.text((at, line + 0.15 * height), str(k), (60, 62, 66), min(0.13 * height, 0.9 * gap), "mm")
        pole, top = float(x[int(state["target"])]), 0.16 * height
        canvas.line([(pole, line), (pole, top)], RED, 2 * thick)
        canvas.polygon([(pole, top), (pole + 0.11 * width, top + 0.07 * height), (pole, top + 0.14 * height)], RED)
        radius = min(0.08 * height, 0.34 * gap)
        canvas.circle((float(x[int(state["place"])]), line - radius), radius, (44, 98, 190), (20, 50, 110), thick)
        return canvas.to_array()


class PointsPictures(Pictures):
    """Cards, the formula, and the symbols to choose from."""

    size = (480, 360)
    fps = 2

    def draw(self, state, size):
        """Draw cards, formula and keypad; what may not be written is faint."""
        width, height = size
        p, names, count = self.world.params[0], self.world.action.names, len(state["ranks"])
        canvas = Canvas(width, height, FELT)
        canvas.text((0.04 * width, 0.04 * height), f"Make {int(p['target'])}", WHITE, 0.075 * height)
        if state["solved"]:
            canvas.text((0.96 * width, 0.04 * height), "right", (246, 214, 92), 0.075 * height, "rt")
        boxes = row_of_cards(0.92 * width, count, 0.04 * width, 0.16 * height, 0.33 * height)
        for box, rank, suit, used in zip(boxes, state["ranks"], state["suits"], state["used"], strict=True):
            draw_card(canvas, box, int(rank), int(suit), used=bool(used))
        canvas.rectangle((0.04 * width, 0.54 * height, 0.96 * width, 0.69 * height), (32, 74, 56), 0.02 * height)
        text, tall = formula_text(state), 0.1 * height
        tall = min(tall, tall * 0.88 * width / max(1.0, canvas.text_width(text, tall)))
        canvas.text((0.06 * width, 0.615 * height), text, WHITE, tall, "lm")
        left = np.minimum(state["ranks"], p["face"])[state["used"] == 0]
        for name, box in zip(names, keypad(len(names), size), strict=True):
            allowed = not name.isdecimal() or int(name) in left
            canvas.rectangle(box, (66, 128, 100) if allowed else (50, 104, 80), 0.02 * height)
            middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
            canvas.text(middle, name, WHITE if allowed else FAINT, 0.075 * height, "mm")
        return canvas.to_array()


class BlackjackPictures(Pictures):
    """Both hands on the table."""

    size = (480, 360)
    fps = 1

    def draw(self, state, size):
        """Draw both hands; the dealer's second card lies face down until the player sticks."""
        width, height = size
        canvas = Canvas(width, height, FELT)
        for title, owner, top in (("Dealer", "dealer_", 0.03), ("You", "", 0.52)):
            count = int(state[f"{owner}held"])
            ranks, suits = (state[f"{owner}{name}"][:count].tolist() for name in ("ranks", "suits"))
            points = int(total(state[f"{owner}ranks"], count)[0])
            if owner and count == 1:
                ranks, suits = [*ranks, 0], [*suits, 0]
            canvas.text((0.04 * width, top * height), f"{title}: {points} points", WHITE, 0.07 * height)
            boxes = row_of_cards(0.92 * width, len(ranks), 0.04 * width, (top + 0.1) * height, 0.34 * height)
            for box, rank, suit in zip(boxes, ranks, suits, strict=True):
                draw_card(canvas, box, int(rank), int(suit))
        if state["clock"]["done"]:
            result = float(state["result"])
            word, color = (
                ("won", (246, 214, 92)) if result > 0 else ("lost", (240, 150, 140)) if result < 0 else ("draw", WHITE)
            )
            canvas.text((0.96 * width, 0.03 * height), word, color, 0.08 * height, "rt")
        return canvas.to_array()
