"""Pig in words."""

from envsuite.language_games.language import TurnWords, words_in
from envsuite.language_games.pig.world import MOVES


class PigWords(TurnWords):
    """The points; answers are to roll or to hold."""

    def instructions(self, state, agent=0):
        """The rules, with the points that win."""
        return (
            "Pig: two players roll a die in turn, as often as they dare. 2 to 6 are added to the points of the turn; "
            "a 1 loses them and ends the turn. Who holds keeps the points of the turn and ends it. The first to hold "
            f"{self.world.target} points or more wins. Answer with [roll] or [hold]; a turn begins with a roll."
        )

    def situation(self, state, agent):
        """Points of both, and of the turn."""
        own, other = int(state["scores"][agent]), int(state["scores"][1 - agent])
        rolled = f" The last roll was a {int(state['rolled'])}." if state["rolled"] else ""
        turn = int(state["turn"])
        return f"You have {own} points, the other has {other}.{rolled} This turn has {turn} points so far."

    def read(self, text):
        """Names of moves."""
        return words_in(text, {name: k for k, name in enumerate(MOVES)})
