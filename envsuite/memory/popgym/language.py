"""The tasks in words: what one observation holds, and the rules."""

import numpy as np

from envsuite.core import Words
from envsuite.core.language import Refusal, parse_whole, said
from envsuite.memory.popgym.base import RANKS, SUITS
from envsuite.memory.popgym.recall import BACKWARDS, FIRST


class PopWords(Words):
    """A situation and the rules; what was told before is not told again."""

    def describe(self, state, agent=0):
        """What is observed now, and the rules."""
        before = ""
        if (self.world.params["previous"][0] >= 0) and state["last"] >= 0:
            before = f" Your last answer was {self.previous(state)}."
        return f"{self.situation(state)}{before} {self.instructions(state, agent)}"

    def situation(self, state: np.void) -> str:
        """What is observed.

        Args:
            state: the record.
        """
        raise NotImplementedError

    def previous(self, state: np.void) -> str:
        """The previous action in words.

        Args:
            state: the record, which holds one.
        """
        return self.world.action.names[int(state["last"])]


class NumberWords(PopWords):
    """Answers are whole numbers: those in the last brackets of the text, or its only ones."""

    def bounds(self) -> list[tuple[str, int, int]]:
        """What each number of an answer is, its least and its greatest value."""
        raise NotImplementedError

    def answers(self, state, agent=0):
        """All numbers, or pairs of them."""
        ranges = [range(low, high + 1) for _, low, high in self.bounds()]
        if len(ranges) == 1:
            return [str(one) for one in ranges[0]]
        return [f"{one} {two}" for one in ranges[0] for two in ranges[1]]

    def parse(self, text, state, agent=0):
        """Read the numbers."""
        bounds = self.bounds()
        found = parse_whole(text, bounds)
        if isinstance(found, Refusal):
            return found
        action = np.array([value - low for value, (_, low, _) in zip(found, bounds, strict=True)], np.int64)
        return int(action[0]) if len(bounds) == 1 else action


class GridWords(NumberWords):
    """Answers are a row and a column."""

    def bounds(self):
        """Rows and columns count from 1."""
        return [("row", 1, self.world.size), ("column", 1, self.world.size)]

    def previous(self, state):
        """Row and column."""
        row, column = divmod(int(state["last"]), self.world.size)
        return f"row {row + 1}, column {column + 1}"


class RecallWords(PopWords):
    """The suit of the card; answers are suits."""

    def situation(self, state):
        """The card, or that there is none."""
        if state["shown"] < 0:
            return "No card is shown; say the next suit backwards."
        told = f"The card is one of {SUITS[int(state['shown'])]}."
        if self.world.task != BACKWARDS:
            return told
        if state["dealt"] < self.world.cards:
            return f"{told} Watch; no answer counts yet."
        if self.world.params["blank"][0] >= 0:
            return f"{told} It is the last one in the first of these steps alone; say all suits backwards."
        return f"{told} It was the last one: now say all suits backwards."

    def instructions(self, state, agent=0):
        """What is to be said."""
        cards, k = self.world.cards, self.world.k
        if self.world.task == BACKWARDS:
            rule = f"Watch {cards} cards; then say their suits backwards, the last one first."
        elif self.world.task == FIRST:
            rule = f"Of {cards} cards one is shown after another. Say the suit of the first one, each time."
        else:
            ago = "the present card" if k == 1 else f"the card {k - 1} before the present one"
            rule = f"Of {cards} cards one is shown after another. Say the suit of {ago}; until there is one, say any."
        return f"{rule} A wrong answer costs what a right one pays. Answer with {', '.join(SUITS[:-1])} or {SUITS[-1]}."


class CountRecallWords(NumberWords):
    """The card and the question; answers are counts."""

    def bounds(self):
        """From none to all."""
        return [("the count", 0, len(self.world.action.names) - 1)]

    def situation(self, state):
        """Both."""
        names = self.world.names
        shown, query = names[int(state["shown"])], names[int(state["query"])]
        return f"Dealt: {shown}. How many of {query} were dealt so far?"

    def instructions(self, state, agent=0):
        """What is counted."""
        most = len(self.world.action.names) - 1
        return (
            f"Each step deals one of {self.world.cards} cards, then asks how many of a kind were dealt since the "
            "beginning, this card included. A wrong answer costs what a right one pays. "
            f"Answer with a number from 0 to {most}."
        )


class HigherLowerWords(PopWords):
    """The rank of the card; answers are higher and lower."""

    def situation(self, state):
        """The card."""
        return f"The card is {'an' if int(state['shown']) in (0, 7) else 'a'} {RANKS[int(state['shown'])]}."

    def instructions(self, state, agent=0):
        """What is guessed."""
        return (
            f"Of {self.world.cards} cards one is shown after another. Guess whether the next one is higher or lower; "
            "aces are low. A wrong guess costs what a right one pays, and equal cards count for nothing. "
            "Answer with higher or lower."
        )


class ConcentrationWords(NumberWords):
    """The cards that lie face up; answers are places."""

    def bounds(self):
        """Places count from 0, as actions do."""
        return [("the card", 0, self.world.cards - 1)]

    def previous(self, state):
        """Its number."""
        return str(int(state["last"]))

    def situation(self, state):
        """Which cards show what."""
        faces, down = state["face"][: self.world.cards], len(self.world.names)
        told = []
        for kind, name in enumerate(self.world.names):
            if (places := np.flatnonzero(faces == kind)).size:
                told.append(f"{name}: {', '.join(map(str, places))}")
        hidden = int((faces == down).sum())
        return f"Face up are {'; '.join(told) or 'none'}. {hidden} cards lie face down."

    def instructions(self, state, agent=0):
        """How pairs are found."""
        return (
            f"{self.world.cards} cards, numbered from 0, lie on the table. Turn over two, one by one: if they show the "
            "same they stay and pay, else they are turned back, which costs. Do not turn over a card that lies face "
            f"up. Answer with the number of a card, 0 to {self.world.cards - 1}."
        )


class BattleshipWords(GridWords):
    """Hit or miss; answers are cells."""

    def situation(self, state):
        """What the last shot did."""
        if state["last"] < 0:
            return "No shot has fallen."
        return "The last shot hit." if state["hit"] else "The last shot missed."

    def instructions(self, state, agent=0):
        """What is hidden, and what shots pay."""
        size = self.world.size
        return (
            f"Four ships of 2, 3, 3 and 4 cells in a row are hidden on a board of {size} x {size} cells. A shot at a "
            "new cell of a ship pays, every other one costs. Answer with row and column of a shot, each from 1 to "
            f"{size}, for example 3 5."
        )


class MineSweeperWords(GridWords):
    """The number of the last cell; answers are cells."""

    def situation(self, state):
        """How many mines are around."""
        if state["last"] < 0:
            return "No cell is open."
        many = int(state["shown"])
        return f"There {'is 1 mine' if many == 1 else f'are {many} mines'} in the last cell and the eight around it."

    def instructions(self, state, agent=0):
        """What is hidden, and what cells pay."""
        size, mines = self.world.size, self.world.mines
        return (
            f"{mines} mines are hidden on a board of {size} x {size} cells. A new cell without a mine pays, a cell "
            "that is open already costs, and a mine ends the game at the highest price. Answer with row and column of "
            f"a cell, each from 1 to {size}, for example 3 2."
        )


class BanditWords(NumberWords):
    """Whether the arm paid; answers are arms."""

    def bounds(self):
        """Arms count from 1."""
        return [("the arm", 1, self.world.arms)]

    def situation(self, state):
        """What the last pull brought."""
        if state["last"] < 0:
            return "No arm was pulled yet."
        return "The last arm paid." if state["payout"] else "The last arm did not pay."

    def instructions(self, state, agent=0):
        """What arms do."""
        return (
            f"There are {self.world.arms} arms. Each pays with a chance of its own, the same in all {self.world.steps} "
            "steps: a payout is worth 1 point, none costs 1. Answer with the number of an arm, 1 to "
            f"{self.world.arms}."
        )


class CartPoleWords(PopWords):
    """Two numbers; answers are left and right."""

    def situation(self, state):
        """Positions, or velocities."""
        first, second = (said(one, 3) for one in state["seen"])
        if self.world.params["moving" if int(state["clock"]["step"]) else "opening"][0]:
            return f"The cart moves at {first} m/s and the pole at {second} rad/s; to the right is positive."
        return f"The cart is {first} m to the right of the middle, the pole leans {second} rad to the right."

    def instructions(self, state, agent=0):
        """When it is over."""
        p, noise = self.world.params[0], self.world.noise
        blur = f" What you are told is off by noise with a standard deviation of {noise:g}." if noise else ""
        return (
            f"Push the cart to keep the pole up for {self.world.steps} steps of {float(p['dt']):g} s. It is over when "
            f"the pole leans more than {float(p['steep']):.3f} rad or the cart is more than {float(p['far']):g} m from "
            f"the middle.{blur} Answer with left or right."
        )


class PendulumWords(PopWords):
    """Cosine and sine; answers are torques."""

    def previous(self, state):
        """The torque."""
        return f"{said(state['torque'], 2)} N m"

    def situation(self, state):
        """Both numbers."""
        cosine, sine = (said(one, 3) for one in state["seen"])
        return f"The cosine of the angle from upright is {cosine}, its sine {sine} (positive to the left)."

    def instructions(self, state, agent=0):
        """What is to be done."""
        noise = self.world.noise
        blur = f" Both numbers are off by noise with a standard deviation of {noise:g}." if noise else ""
        return (
            "Swing the pendulum up and hold it there. Upright and at rest pays most; leaning, speed and torque cost."
            f"{blur} Answer with a torque from -2 to 2 N m, positive to the left (counter-clockwise), for example 1.5."
        )
