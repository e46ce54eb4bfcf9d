"""Draws hands, words and the last split."""

from envsuite.core.canvas import Canvas, drawable
from envsuite.core.companions import Pictures
from envsuite.momarl.allocation import GOODS
from envsuite.momarl.letters import message_of
from envsuite.momarl.trust_split.params import HANDS, WORDS

SIDES = ((52, 104, 184), (206, 96, 44))


class TrustSplitPictures(Pictures):
    """Hands, words and the last split."""

    size = (480, 280)
    fps = 2

    def draw(self, state, size):
        """Draw hands, words and the last split."""
        width, height = size
        canvas = Canvas(width, height, (246, 246, 242))
        for n in range(2):
            x = width * (0.18 if n == 0 else 0.82)
            canvas.circle((x, 0.3 * height), 0.15 * height, SIDES[n])
            canvas.text((x, 0.3 * height), HANDS[int(state["hand"][n])], (255, 255, 255), 0.06 * height, "mm")
            said, letter = self._said(state, n), 0.06 * height
            box = (x - 0.16 * width, 0.5 * height, x + 0.16 * width, 0.64 * height)
            canvas.rectangle(box, (255, 255, 255) if said else (232, 232, 228), 0.03 * height)
            canvas.text((x, 0.57 * height), canvas.cut(said, 0.3 * width, letter), (60, 60, 60), letter, "mm")
            points = f"{float(state['total'][n]):.0f} points"
            canvas.text((x, 0.75 * height), points, SIDES[n], 0.08 * height, "mm")
        for k in range(GOODS):
            y = height * (0.1 + 0.07 * k)
            color = (206, 206, 200)
            if int(state["played"]):
                kept = [float(state["before"][n, 2]) for n in range(2)]
                color = SIDES[0] if k + 0.5 < kept[0] else (SIDES[1] if GOODS - k - 0.5 < kept[1] else color)
            canvas.circle((0.5 * width, y), 0.03 * height, color)
        rounds = int(self.world.params[0]["rounds"])
        share, words = int(state["played"]) / rounds, f"{int(state['played'])} of {rounds} rounds played"
        canvas.text((0.5 * width, 0.86 * height), words, (90, 90, 90), 0.05 * height, "mm")
        canvas.rectangle((0.1 * width, 0.9 * height, 0.9 * width, 0.94 * height), (222, 222, 216))
        if share:
            canvas.rectangle((0.1 * width, 0.9 * height, (0.1 + 0.8 * share) * width, 0.94 * height), (120, 130, 120))
        return canvas.to_array()

    def _said(self, state, agent: int) -> str:
        """The last word or message of an agent in this round."""
        if "letter" in state.dtype.names:
            return drawable(message_of(state["letter"][agent]))
        return f"{WORDS[int(state['word'][agent])]}!" if state["word"][agent] else ""
