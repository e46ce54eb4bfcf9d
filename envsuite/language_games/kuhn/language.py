"""Kuhn poker in words."""

from envsuite.language_games.kuhn.world import CHECKED, CHECKED_BET, MOVES, NONE, WAS_BET
from envsuite.language_games.language import TurnWords, words_in

RANKS = ("jack", "queen", "king")
_LINES = {CHECKED: ("check",), WAS_BET: ("bet",), CHECKED_BET: ("check", "bet")}

RULES = (
    "Kuhn poker: there are three cards, jack, queen and king, the king the highest. Each player has put one chip into "
    "the pot and holds one card, which the other does not see. While nobody has bet, a player may [check] or [bet] "
    "one chip more. After a bet the other may [call], which costs one chip too, or [fold] and lose the pot. After two "
    "checks or a call the higher card wins the pot. Answer with one move in brackets."
)


class KuhnPokerWords(TurnWords):
    """One's own card and the moves so far."""

    def instructions(self, state, agent=0):
        """The rules."""
        return RULES

    def situation(self, state, agent):
        """The card, the moves of this hand, and the chips so far."""
        card = int(state["cards"][agent])
        held = "Your card has not been dealt yet." if card == NONE else f"Your card is the {RANKS[card]}."
        began = state["starter"] == agent
        names = ("You", "The other player") if began else ("The other player", "You")
        told = [f"{names[k % 2]}: {move}." for k, move in enumerate(_LINES.get(int(state["line"]), ()))]
        parts = [held]
        if self.world.rounds > 1:
            chips = float(state["total"]) * (1 if agent == 0 else -1)
            hand = min(self.world.rounds, self.world.rounds - int(state["left"]) + 1)
            parts.append(f"This is hand {hand} of {self.world.rounds}; you have won {chips:+.0f} chips so far.")
        return " ".join([*parts, *told])

    def read(self, text):
        """Names of moves."""
        return words_in(text, {name: k for k, name in enumerate(MOVES)})
