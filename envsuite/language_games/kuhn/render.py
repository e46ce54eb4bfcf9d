"""Kuhn poker in pictures."""

from envsuite.language_games.kuhn.world import CHECKED, CHECKED_BET, NONE, WAS_BET
from envsuite.language_games.render import LIGHT, TurnPictures, bottom, card, chips, may_see

RANKS = "JQK"


class KuhnPokerPictures(TurnPictures):
    """Two cards, the chips in front of them, and the moves of this hand."""

    def paint(self, canvas, state, viewer):
        """Draw both sides."""
        width, height, near = canvas.width, canvas.height, bottom(viewer)
        line = int(state["line"])
        better = int(state["starter"]) if line == WAS_BET else 1 - int(state["starter"])
        for player in (0, 1):
            top = 0.6 if player == near else 0.04
            rank = int(state["cards"][player])
            shown = RANKS[rank] if rank != NONE and may_see(viewer, player) else None
            card(canvas, (0.4 * width, top * height, 0.6 * width, (top + 0.3) * height), shown)
            staked = 1 + (line in (WAS_BET, CHECKED_BET) and player == better)
            chips(canvas, (0.5 * width, (0.53 if player == near else 0.41) * height), staked, 0.045 * height, player)
            if player == state["starter"]:
                canvas.circle((0.7 * width, (top + 0.15) * height), 0.03 * height, LIGHT)
            elif line in (CHECKED, CHECKED_BET):
                canvas.text((0.2 * width, 0.47 * height), "check", LIGHT, 0.08 * height, "mm")
