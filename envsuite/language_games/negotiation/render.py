"""Negotiation in pictures."""

from envsuite.core.canvas import Canvas
from envsuite.language_games.negotiation.world import NONE, gained
from envsuite.language_games.render import INK, LIGHT, PLAYERS, SHADE, TurnPictures, bottom, may_see

HUES = {
    "wheat": (236, 208, 96),
    "wood": (150, 106, 62),
    "sheep": (226, 226, 216),
    "brick": (196, 84, 60),
    "ore": (128, 138, 158),
    "gold": (244, 190, 40),
}


class NegotiationPictures(TurnPictures):
    """One's goods in squares with their number above and what one is worth below; the offer between the players."""

    def paint(self, canvas, state, viewer):
        """Draw goods and the offer."""
        width, height, near = canvas.width, canvas.height, bottom(viewer)
        open_stock = len(self.world.kinds) == 2  # nothing is hidden there
        for player in (0, 1):
            top = 0.6 if player == near else 0.05
            seen = may_see(viewer, player)
            step = 0.76 * width / len(self.world.kinds)
            for k, name in enumerate(self.world.kinds):
                x, y, side = (k + 0.5) * step, top * height, min(0.86 * step, 0.26 * height)
                canvas.rectangle((x - side / 2, y, x + side / 2, y + 0.28 * height), HUES[name], 0.1 * side)
                count = str(int(state["goods"][player, k])) if seen or open_stock else "?"
                canvas.text((x, y + 0.1 * height), count, INK, min(0.14 * height, 0.75 * side), "mm")
                worth = str(int(state["worth"][player, k])) if seen or open_stock else "?"
                canvas.text((x, y + 0.22 * height), f"x {worth}", INK, min(0.085 * height, 0.45 * side), "mm")
            gain = f"{int(gained(state, player)):+d}" if seen or open_stock else "?"
            canvas.text((0.88 * width, (top + 0.14) * height), gain, PLAYERS[player], 0.12 * height, "mm")
        self._offer(canvas, int(state["offer"]), 1 - int(state["current_player"]))
        gap = 0.9 * width / self.world.turns
        for k in range(self.world.turns):
            done = k >= int(state["turns_left"])
            canvas.circle(
                (0.05 * width + (k + 0.5) * gap, 0.565 * height),
                min(0.3 * gap, 0.012 * height),
                SHADE if done else LIGHT,
            )

    def ending(self, state):
        """Who has won, where somebody can."""
        return super().ending(state) if self.world.payoff == "outcome" else "over"

    def _offer(self, canvas: Canvas, offer: int, giver: int) -> None:
        """What is given, an arrow in the giver's color, and what is wanted."""
        width, y, side = canvas.width, 0.45 * canvas.height, 0.15 * canvas.height
        if offer == NONE:
            return
        gives, given, wants, wanted = self.world.offers[offer]
        for x, count, kind in ((0.32, gives, given), (0.68, wants, wanted)):
            box = (x * width - side / 2, y - side / 2, x * width + side / 2, y + side / 2)
            canvas.rectangle(box, HUES[self.world.kinds[kind]], 0.1 * side)
            canvas.text((x * width, y), str(count), INK, 0.72 * side, "mm")
        canvas.line([(0.43 * width, y), (0.57 * width, y)], PLAYERS[giver], 0.03 * canvas.height)
        tip = [(0.56 * width, y - 0.3 * side), (0.6 * width, y), (0.56 * width, y + 0.3 * side)]
        canvas.polygon(tip, PLAYERS[giver])
