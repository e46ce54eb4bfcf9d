"""Draws guess my city: the dialogue as a chat."""

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.text_games.guess_city.catalogue import questions, values
from envsuite.text_games.guess_city.knowledge import cities
from envsuite.text_games.guess_city.language import dialogue
from envsuite.text_games.guess_city.world import MOST

PAPER, INK, FAINT, ASKED, TOLD, SIDE = (
    (246, 245, 240),
    (38, 40, 46),
    (110, 114, 122),
    (206, 224, 246),
    (255, 255, 255),
    (228, 233, 240),
)
YES, NO = (52, 140, 84), (192, 66, 60)
SHOWN = 7
"""Questions of the dialogue that a picture shows."""


class GuessMyCityPictures(Pictures):
    """A chat, with what is known beside it."""

    size = (720, 520)
    fps = 1

    def draw(self, state, size):
        """Draw the last questions with their answers, and all that is known."""
        width, height = size
        canvas = Canvas(width, height, PAPER)
        count, edge = int(state["count"]), 0.66 * width
        canvas.text((0.02 * width, 0.02 * height), "Guess my city", INK, 0.05 * height)
        canvas.text((edge - 0.02 * width, 0.03 * height), f"{count} of {MOST}", FAINT, 0.04 * height, "rt")
        told = dialogue(state, int(self.world.params[0]["reveal"]))
        row, tall = 0.82 * height / SHOWN, 0.033 * height
        first = max(0, len(told) - SHOWN)
        for k, (question, answer) in enumerate(told[first:]):
            top = 0.11 * height + k * row
            for j, (text, left, fill) in enumerate(
                ((f"{first + k + 1}. {question}", 0.02, ASKED), (answer, 0.06, TOLD))
            ):
                box = (left * width, top + 0.46 * j * row, (left + 0.57) * width, top + (0.42 + 0.46 * j) * row)
                canvas.rectangle(box, fill, 0.1 * row)
                cut = canvas.cut(text, 0.55 * width, tall)
                canvas.text((box[0] + 0.01 * width, (box[1] + box[3]) / 2), cut, INK, tall, "lm")
        canvas.rectangle((edge, 0, width, height), SIDE)
        canvas.text((edge + 0.015 * width, 0.03 * height), "Known so far", INK, 0.042 * height)
        for k, (line, color) in enumerate(self._known(state)[-17:]):
            cut = canvas.cut(line, width - edge - 0.03 * width, tall)
            canvas.text((edge + 0.015 * width, (0.12 + 0.05 * k) * height), cut, color, tall)
        if state["won"] or count >= MOST:
            name = cities()[int(state["secret"])].name
            text = f"Right: {name}" if state["won"] else f"No question left. It was: {name}"
            canvas.text((0.02 * width, 0.965 * height), text, YES if state["won"] else NO, 0.045 * height, "lm")
        return canvas.to_array()

    def _known(self, state) -> list[tuple[str, tuple[int, int, int]]]:
        """What was told, in few words."""
        count, lines = int(state["count"]), []
        for place, code in zip(state["asked"][:count].tolist(), state["told"][:count].tolist(), strict=True):
            one = questions()[place]
            if code and one.kind == "open":
                lines.append((f"{one.topic}: {values()[one.topic][code - 1]}", INK))
            elif code:
                lines.append((f"{'+' if code > 0 else '-'} {one.name}", YES if code > 0 else NO))
        return lines
