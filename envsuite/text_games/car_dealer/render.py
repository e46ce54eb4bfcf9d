"""Draws car dealing: the talk as a chat, and what is known of the buyer."""

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.text_games.car_dealer.catalogue import BRANDS, FEATURES, PERSONALITIES, TYPES
from envsuite.text_games.car_dealer.language import talk
from envsuite.text_games.car_dealer.phrases import dollars
from envsuite.text_games.car_dealer.rules import MOST

PAPER, INK, FAINT, SELLER, BUYER, SIDE = (
    (246, 245, 240),
    (38, 40, 46),
    (110, 114, 122),
    (206, 224, 246),
    (255, 255, 255),
    (228, 233, 240),
)
SOLD, LOST = (52, 140, 84), (192, 66, 60)
SHOWN = 7
"""Bubbles that a picture shows."""


def wrapped(canvas: Canvas, text: str, width: float, tall: float, lines: int) -> list[str]:
    """A text in lines; what does not fit is cut.

    Args:
        canvas: measures letters.
        text: any.
        width: of a line, pixels.
        tall: of letters, pixels.
        lines: at most.
    """
    found = [""]
    for word in text.split():
        longer = f"{found[-1]} {word}".strip()
        if canvas.text_width(longer, tall) <= width or not found[-1]:
            found[-1] = longer
        else:
            found.append(word)
    if len(found) > lines:
        found = [*found[: lines - 1], " ".join(found[lines - 1 :])]
    return [canvas.cut(line, width, tall) for line in found]


class CarDealerPictures(Pictures):
    """A chat, with what is known of the buyer beside it."""

    size = (720, 520)
    fps = 1

    def draw(self, state, size):
        """Draw the last bubbles and the buyer."""
        width, height = size
        canvas = Canvas(width, height, PAPER)
        edge, tall = 0.7 * width, 0.031 * height
        canvas.text((0.02 * width, 0.02 * height), "Car dealer", INK, 0.05 * height)
        count = f"turn {int(state['turn'])} of at most {MOST}"
        canvas.text((edge - 0.02 * width, 0.03 * height), count, FAINT, 0.035 * height, "rt")
        row = 0.88 * height / SHOWN
        for k, (who, text) in enumerate(talk(state)[-SHOWN:]):
            top, left = 0.1 * height + k * row, (0.08 if who == "Seller" else 0.02) * width
            box = (left, top, left + 0.6 * width, top + 0.92 * row)
            canvas.rectangle(box, SELLER if who == "Seller" else BUYER, 0.1 * row)
            for j, line in enumerate(wrapped(canvas, f"{who}: {text}", 0.58 * width, tall, 3)):
                canvas.text((left + 0.01 * width, top + (0.18 + 0.28 * j) * row), line, INK, tall, "lm")
        self._buyer(canvas, state, edge)
        return canvas.to_array()

    def _buyer(self, canvas: Canvas, state, edge: float) -> None:
        """What was told of the buyer, and how it ended."""
        width, height = canvas.width, canvas.height
        canvas.rectangle((edge, 0, width, height), SIDE)
        told = bool(state["told"])
        lines = [
            ("The buyer", INK),
            (f"sounds {PERSONALITIES[int(state['personality'])]}" if state["turn"] else "has said hello", FAINT),
            (f"wants: {BRANDS[int(state['brand'])]}, {TYPES[int(state['kind'])]}" if told else "wants: ?", INK),
            (f"budget: {dollars(int(state['budget']))}" if state["told_budget"] else "budget: ?", INK),
            ("", INK),
            ("Features", INK),
        ]
        for k, name in enumerate(FEATURES):
            wanted, mentioned = int(state["told_features"]) >> k & 1, int(state["mentioned"]) >> k & 1
            mark = ("* " if wanted else "") + name + (" (mentioned)" if mentioned else "")
            lines.append((mark, INK if wanted else FAINT))
        lines.append(("* wanted" if state["told_features"] else "", FAINT))
        for k, (text, color) in enumerate(lines):
            cut = canvas.cut(text, width - edge - 0.03 * width, 0.034 * height)
            canvas.text((edge + 0.015 * width, (0.03 + 0.052 * k) * height), cut, color, 0.034 * height)
        if state["clock"]["done"]:
            sold = int(state["price"])
            text = f"Sold for {dollars(sold)}" if sold else "No sale"
            canvas.text((edge + 0.015 * width, 0.93 * height), text, SOLD if sold else LOST, 0.045 * height, "lm")
