"""The combination lock in words."""

import re

import numpy as np

from envsuite.core import Words
from envsuite.mazes.lock.world import DEAD, SYMBOLS


class LockWords(Words):
    """Where one is, as the observation tells it too; answers are a symbol, or a preference for each."""

    def describe(self, state, agent=0):
        """Lane and door, and the rules."""
        p, lane, door = self.world.params[0], int(state["lane"]), int(state["door"])
        place = "in a lane that leads nowhere" if lane == DEAD else f"in lane {'AB'[lane]}"
        told = f"You are {place} and have passed {door} of {int(p['doors'])} doors."
        if int(state["symbol"]) >= 0:
            told += f" The last symbol was {int(state['symbol'])}."
        return f"{told}\n{self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        p = self.world.params[0]
        return (
            f"A corridor has {int(p['doors'])} doors in a row and two lanes, A and B. In each lane one symbol from 0 "
            f"to {SYMBOLS - 1} opens the next door; which one stays the same from game to game. The right symbol leads "
            "on, in lane A or B by chance; any other leads for good into a lane without a goal, and sometimes pays "
            f"{float(p['decoy']):g}. The last door pays 1. Answer with a symbol, or with {SYMBOLS} preferences from 0 "
            "to 1 in brackets, of which the greatest is likeliest to be taken."
        )

    def answers(self, state, agent=0):
        """The symbols."""
        return tuple(map(str, range(SYMBOLS)))

    def parse(self, text, state, agent=0):
        """A symbol alone becomes the preference for it."""
        if re.fullmatch(rf"\s*[0-{SYMBOLS - 1}]\s*", text):
            return np.eye(SYMBOLS, dtype=np.float32)[int(text)]
        return super().parse(text, state, agent)
