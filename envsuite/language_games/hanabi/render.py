"""Hanabi in pictures."""

from envsuite.language_games.hanabi.world import NONE
from envsuite.language_games.render import BACK, INK, LIGHT, OPEN, PAPER, RED, SHADE, TurnPictures, bottom

HUES = ((222, 74, 66), (240, 196, 48), (86, 178, 88), (244, 244, 240), (84, 130, 222))
"""Of the colors in order."""
_DARK = (24, 58, 47)


class HanabiPictures(TurnPictures):
    """Both hands, one's own from behind with what hints have told of it; fireworks, tokens, lives and the deck."""

    def paint(self, canvas, state, viewer):
        """Draw hands and table."""
        near = bottom(viewer)
        for player in (0, 1):
            self._hand(canvas, state, player, 0.63 if player == near else 0.03, viewer == OPEN or player != viewer)
        self._table(canvas, state)

    def _hand(self, canvas, state, player, top, seen):
        """Cards, oldest at the left, with dots for the colors and digits for the ranks that hints leave."""
        size = self.world.hand
        across = canvas.width / size
        wide = min(0.8 * across, 0.2 * canvas.height)
        touched = int(state["touched"][1 - player])
        for k in range(size):
            card = int(state["hands"][player, k])
            if card == NONE:
                continue
            left, y, low = (k + 0.5) * across - wide / 2, top * canvas.height, (top + 0.29) * canvas.height
            if touched >> k & 1:
                rim = 0.09 * wide
                canvas.rectangle((left - rim, y - rim, left + wide + rim, low + rim), LIGHT, 0.12 * wide)
            canvas.rectangle((left, y, left + wide, low), HUES[card // self.world.ranks] if seen else BACK, 0.1 * wide)
            middle = (y + 0.36 * (low - y), left + wide / 2)
            if seen:
                canvas.text((middle[1], middle[0]), str(card % self.world.ranks + 1), INK, 0.55 * (low - y), "mm")
            self._known(canvas, state, player, k, (left, y + 0.66 * (low - y), left + wide, low))

    def _known(self, canvas, state, player, place, box):
        """A strip below a card with what its owner knows."""
        left, top, right, low = box
        canvas.rectangle((left, top, right, low), _DARK, 0.08 * (right - left))
        for names, bits, y in (
            (self.world.colors, int(state["colors"][player, place]), top + 0.27 * (low - top)),
            (self.world.ranks, int(state["ranks"][player, place]), top + 0.72 * (low - top)),
        ):
            step = (right - left) / names
            for k in range(names):
                if not bits >> k & 1:
                    continue
                x = left + (k + 0.5) * step
                if y < (top + low) / 2:
                    canvas.circle((x, y), min(0.2 * (low - top), 0.42 * step), HUES[k])
                else:
                    canvas.text((x, y), str(k + 1), PAPER, 0.46 * (low - top), "mm")

    def _table(self, canvas, state):
        """Fireworks in the middle above what is out of play; lives and tokens at the left, the deck at the right."""
        width, height, colors = canvas.width, canvas.height, self.world.colors
        step = min(0.48 * width / colors, 0.2 * height)
        for k in range(colors):
            x, done = 0.5 * width + (k - (colors - 1) / 2) * step, int(state["fireworks"][k])
            box = (x - 0.4 * step, 0.38 * height, x + 0.4 * step, 0.58 * height)
            canvas.rectangle(box, HUES[k] if done else _DARK, 0.08 * step)
            canvas.text((x, 0.48 * height), str(done), INK if done else HUES[k], 0.13 * height, "mm")
            gone = state["discards"][k * self.world.ranks : (k + 1) * self.world.ranks]
            lost = "".join(str(rank + 1) * int(count) for rank, count in enumerate(gone))
            canvas.text((x, 0.605 * height), lost, HUES[k], min(0.05 * height, 1.6 * step / max(1, len(lost))), "mm")
        for count, color, y in ((int(state["lives"]), RED, 0.43), (int(state["information"]), HUES[4], 0.53)):
            gap = min(0.22 * width / max(1, count), 0.07 * height)
            for k in range(count):
                canvas.circle((0.03 * width + (k + 0.5) * gap, y * height), 0.36 * gap, color)
        deck = int(state["drawable"])
        canvas.rectangle(
            (0.84 * width, 0.4 * height, 0.94 * width, 0.56 * height), BACK if deck else SHADE, 0.01 * width
        )
        canvas.text((0.89 * width, 0.48 * height), str(deck), PAPER, 0.1 * height, "mm")

    def ending(self, state):
        """The points."""
        return f"{int(state['total'])} points, {'no lives left' if not state['lives'] else 'over'}"
