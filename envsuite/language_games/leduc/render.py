"""Leduc poker in pictures."""

from envsuite.language_games.leduc.world import MOVES, NONE, ROUNDS
from envsuite.language_games.render import LIGHT, READABLE, TurnPictures, bottom, card, chips, may_see

RANKS = "JQK"
_LETTERS = "kcr"
"""Check is a knock."""


class LeducPokerPictures(TurnPictures):
    """Two cards, the card for both, chips, and the moves; in small ones k for a check, c for a call, r for a raise."""

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
            made = [one - 1 for one in state["history"][k].tolist() if one]
            words = height >= READABLE
            told = " ".join(MOVES[one] for one in made) if words else "".join(_LETTERS[one] for one in made)
            size = (0.045 if words else 0.1) * height
            canvas.text((0.03 * width, (0.4 + 0.12 * k) * height), told or "-", LIGHT, size, "lm")
