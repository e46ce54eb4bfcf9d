"""Leduc poker in words."""

from envsuite.language_games.language import TurnWords, words_in
from envsuite.language_games.leduc.world import MOVES, NONE, RAISE, ROUNDS

RANKS = ("jack", "queen", "king")

RULES = (
    "Leduc poker: there are six cards, two jacks, two queens and two kings. Each player has put one chip into the pot "
    "and holds one card, which the other does not see. There are two rounds of betting, and before the second a card "
    "is dealt for both. In a round there are at most two raises, of 2 chips each in the first round and 4 in the "
    "second. Where nothing is to be called, a player may [check] or [raise]; after a raise [call], [raise] if there "
    "was one only, or [fold] and lose the chips put in. At the end a pair with the card for both wins, else the "
    "higher card; equal ones share the pot. Answer with one move in brackets."
)


class LeducPokerWords(TurnWords):
    """The cards that one sees, the chips, and the moves so far."""

    def instructions(self, state, agent=0):
        """The rules."""
        return RULES

    def situation(self, state, agent):
        """Cards, chips and moves."""
        card, public = int(state["cards"][agent]), int(state["public"])
        parts = ["Your card has not been dealt yet." if card == NONE else f"Your card is a {RANKS[card]}."]
        if public != NONE:
            parts.append(f"The card for both is a {RANKS[public]}.")
        own, other = int(state["stakes"][agent]), int(state["stakes"][1 - agent])
        parts.append(f"You have put in {own} and the other {other} of the chips.")
        names = ("you", "the other") if state["starter"] == agent else ("the other", "you")
        for k in range(ROUNDS):
            moves = [MOVES[one - 1] for one in state["history"][k, : state["length"][k]].tolist()]
            if moves:
                told = ", ".join(f"{names[j % 2]}: {move}" for j, move in enumerate(moves))
                parts.append(f"Round {k + 1}: {told}.")
        return " ".join(parts)

    def read(self, text):
        """Names of moves; a bet is a raise."""
        return words_in(text, {name: k for k, name in enumerate(MOVES)} | {"bet": RAISE})
