"""Words."""

import numpy as np

from envsuite.core.companions import Referee, Words, companion
from envsuite.momarl.boards import board_text, parse_move
from envsuite.momarl.samegame.kernel import grouped


class SameGameWords(Words):
    """What is said in `SameGameWorld`."""

    def describe(self, state, agent=0):
        """The board in characters."""
        turn = (
            "It is your turn"
            if companion(self.world, Referee).current_player(state) == agent
            else "It is another's turn"
        )
        world, p = self.world, self.world.params[0]
        pay = "everybody gets" if p["team"] else "you get"
        return (
            f"{board_text(state['board'], '.ABCDEFGHIJ')}\nLetters are tiles of a colour. Choose a tile with a "
            "neighbour of "
            "its colour above, below, left or right: its group of n vanishes, tiles above fall, empty columns "
            "close to "
            f"the left, and {pay} {'(n - 2)' if p['offset'] else 'n'} squared, for this colour. You are "
            f"{world.agents[agent]} of {len(world.agents)}. {turn}. Answer with row and column from the top left, "
            "such as "
            "r0c2."
        )

    def parse(self, text, state, agent=0):
        """Read a tile such as ``r0c2``, where it has a group and it is one's turn."""
        height, width = state["board"].shape
        turn = companion(self.world, Referee).current_player(state) == agent
        mask = [turn and grouped(state, i, j) for i in range(height) for j in range(width)]
        return parse_move(text, self.world.action, np.array(mask, np.int8))
