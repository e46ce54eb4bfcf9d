"""Leduc poker in pictures."""

from envsuite.language_games.leduc.world import NONE, ROUNDS
from envsuite.language_games.render import LIGHT, TurnPictures, bottom, card, chips, may_see

RANKS = "JQK"
_LETTERS = " kcr"
"""Check is a knock."""


class LeducPokerPictures(TurnPictures):
    """Two cards, the card for both, chips, and the moves: k for a check, c for a call, r for a raise."""

    def paint(self, canvas, state, viewer):
        """Draw both sides and the middle."""
        width, height, near = canvas.width, canvas.height, bottom(viewer)
        for player in (0, 1):
            top = 0.64 if player == near else 0.03
            rank = int(state["cards"][player])
            shown = RANKS[rank] if rank != NONE and may_see(viewer, player) else None
            card(canvas, (0.42 * width, top * height, 0.58 * width, (top + 0.25) * height), shown)
            y = (0.67 if player == near else 0.06) * height
            for k in range(int(state["stakes"][player])):
                place = ((0.68 + 0.06 * (k % 5)) * width, y + 0.09 * (k // 5) * height)
                chips(canvas, place, 1, 0.032 * height, player)
            if player == state["starter"]:
                canvas.circle((0.34 * width, (top + 0.12) * height), 0.03 * height, LIGHT)
        public = int(state["public"])
        if public != NONE:
            card(canvas, (0.42 * width, 0.335 * height, 0.58 * width, 0.585 * height), RANKS[public])
        for k in range(ROUNDS):
            told = "".join(_LETTERS[one] for one in state["history"][k].tolist()).strip()
            canvas.text((0.06 * width, (0.4 + 0.12 * k) * height), told or "-", LIGHT, 0.1 * height, "lm")
