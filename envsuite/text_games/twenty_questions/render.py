"""Draws twenty questions: the dialogue, and what is known."""

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.text_games.twenty_questions.catalogue import questions
from envsuite.text_games.twenty_questions.knowledge import things
from envsuite.text_games.twenty_questions.language import dialogue
from envsuite.text_games.twenty_questions.reader import PLAIN
from envsuite.text_games.twenty_questions.world import MOST

PAPER, INK, FAINT, BUBBLE, SIDE = (246, 245, 240), (38, 40, 46), (128, 132, 140), (255, 255, 255), (228, 233, 240)
YES, NO, UNSURE, GOLD = (52, 140, 84), (192, 66, 60), (140, 144, 152), (176, 128, 20)
_COLORS = {"Yes.": YES, "No.": NO, "I am not sure.": UNSURE}
_WORDS = {"Yes.": "Yes", "No.": "No", "I am not sure.": "?"}
SHOWN = 12
"""Questions of the dialogue that a picture shows."""


class TwentyQuestionsPictures(Pictures):
    """A chat, with what is known beside it."""

    size = (640, 480)
    fps = 1

    def draw(self, state, size):
        """Draw the last questions with their answers, and all that was affirmed."""
        width, height = size
        canvas = Canvas(width, height, PAPER)
        count, edge, row = int(state["count"]), 0.68 * width, 0.068 * height
        canvas.text((0.03 * width, 0.03 * height), "Twenty Questions", INK, 0.055 * height)
        canvas.text((edge - 0.03 * width, 0.035 * height), f"{count} of {MOST}", FAINT, 0.045 * height, "rt")
        lines = dialogue(state)
        first = max(0, len(lines) - SHOWN)
        for k, (question, answer) in enumerate(lines[first:]):
            top = 0.13 * height + k * row
            canvas.rectangle((0.03 * width, top, 0.55 * width, top + 0.85 * row), BUBBLE, 0.2 * row)
            text = canvas.cut(f"{first + k + 1}. {question}", 0.5 * width, 0.5 * row)
            canvas.text((0.04 * width, top + 0.43 * row), text, INK, 0.5 * row, "lm")
            canvas.rectangle((0.565 * width, top, 0.65 * width, top + 0.85 * row), _COLORS[answer], 0.3 * row)
            canvas.text((0.6075 * width, top + 0.43 * row), _WORDS[answer], BUBBLE, 0.5 * row, "mm")
        self._known(canvas, state, edge, row)
        end = ""
        if state["won"]:
            end, color = f"Right: {things()[int(state['secret'])].name}", YES
        elif count >= MOST:
            end, color = f"No question left. It was: {things()[int(state['secret'])].name}", NO
        if end:
            canvas.text((0.03 * width, 0.955 * height), end, color, 0.05 * height, "lm")
        return canvas.to_array()

    def _known(self, canvas: Canvas, state, edge: float, row: float) -> None:
        """What was affirmed and denied, the latest first."""
        width, height = canvas.width, canvas.height
        canvas.rectangle((edge, 0, width, height), SIDE)
        canvas.text((edge + 0.02 * width, 0.035 * height), "Known so far", INK, 0.045 * height)
        count = int(state["count"])
        told = [
            (questions()[first].name, answer)
            for (first, form, _), answer in zip(
                state["asked"][:count].tolist(), state["answers"][:count].tolist(), strict=True
            )
            if form == PLAIN and answer
        ]
        for k, (name, answer) in enumerate([*reversed(told)][:SHOWN]):
            top = 0.13 * height + (k + 0.43) * row
            canvas.text(
                (edge + 0.02 * width, top), "+" if answer > 0 else "-", YES if answer > 0 else NO, 0.6 * row, "lm"
            )
            text = canvas.cut(name, width - edge - 0.08 * width, 0.5 * row)
            canvas.text((edge + 0.055 * width, top), text, INK if answer > 0 else FAINT, 0.5 * row, "lm")
