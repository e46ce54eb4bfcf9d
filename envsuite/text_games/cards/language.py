"""The card tasks in words."""

import re

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import Refusal, RefusalKind
from envsuite.text_games.cards.blackjack import total
from envsuite.text_games.cards.deck import card_name
from envsuite.text_games.cards.formulas import REFUSED
from envsuite.text_games.cards.points import MARKS

# a sign counts where it is no hyphen or bracket of the prose around it
_SYMBOL = re.compile(r"(?<![\w.])\d+(?!\w|\.\d)|(?<!\w)[-+*/()=](?!\w)")
_STATED = re.compile(r"\baction\W{0,3}:(.*)", re.IGNORECASE)


def formula_text(state: np.void) -> str:
    """The formula so far, with a blank as ``_``; empty before the first symbol.

    Args:
        state: a record of `envsuite.text_games.cards.points`.
    """
    symbols = state["formula"][: int(state["written"])].tolist()
    return " ".join("_" if one == REFUSED else MARKS.get(one, str(one)) for one in symbols)


class NumberLineWords(Words):
    """Both places; answers are directions."""

    def describe(self, state, agent=0):
        """Both places, and the rules."""
        here = f"You are at {int(state['place'])}, and your target is {int(state['target'])}."
        return f"{here} {self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        last = int(self.world.params[0]["last"])
        return (
            f"The numbers 0 to {last} stand in a line, 0 at the left. Each step takes you to the number at the left "
            "or at the right; at an end of the line you stay where you are. The target pays 1, and each step that "
            "brings you no nearer costs 1. Answer with left or right."
        )


class PointsWords(Words):
    """Cards and formula; answers are symbols."""

    def describe(self, state, agent=0):
        """Cards, what they count, the formula, which numbers are left, and the rules."""
        face = int(self.world.params[0]["face"])
        cards = [
            f"{card_name(int(rank), int(suit))} ({min(int(rank), face)})"
            for rank, suit in zip(state["ranks"], state["suits"], strict=True)
        ]
        left = ", ".join(map(str, self._left(state))) or "none"
        return (
            f"Your cards, with what they count: {', '.join(cards)}. "
            f"Formula so far: {formula_text(state) or 'nothing'}. Numbers left: {left}. "
            f"{self.instructions(state, agent)}"
        )

    def instructions(self, state, agent=0):
        """The rules."""
        p = self.world.params[0]
        count, target = len(state["ranks"]), int(p["target"])
        unsolvable = "" if count == 2 else " If there is no such formula, = at once loses least."
        side = " Numbers side by side are read as one number, ** as a power." if p["compat"] else ""
        return (
            f"Write a formula, one symbol a step, that comes to {target} and uses the number of each of the {count} "
            "cards once. With = it is judged: 10 points if it is right, -1 if not. A formula of more than "
            f"{int(p['longest'])} symbols is ended with -1.{side}{unsolvable} Answer with one symbol: a number that is "
            f"left, or one of {' '.join(name for name in self.world.action.names if not name.isdecimal())}"
        )

    def parse(self, text, state, agent=0):
        """Read one symbol: after the word action, or the only one in the answer."""
        names = self.world.action.names
        if not text.strip():
            return Refusal(RefusalKind.EMPTY, f"the answer is empty; answer with one of: {' '.join(names)}")
        answer = [text, *_STATED.findall(text)][-1].strip(" \t\n\"'`{},")
        found = [answer] if answer in names else _SYMBOL.findall(answer)
        if not found:
            return Refusal(RefusalKind.UNREADABLE, f"no symbol found; answer with one of: {' '.join(names)}")
        if len(found) > 1:
            shown = " ".join(found[:20])
            return Refusal(RefusalKind.AMBIGUOUS, f"the answer holds several symbols ({shown}); write one a step")
        if found[0] not in names:
            shown = found[0][:20]
            return Refusal(
                RefusalKind.UNKNOWN_NAME, f"{shown} is no symbol here; answer with one of: {' '.join(names)}"
            )
        if found[0].isdecimal() and int(found[0]) not in self._left(state):
            left = ", ".join(map(str, self._left(state))) or "none"
            return Refusal(RefusalKind.ILLEGAL, f"{found[0]} is no number that is left; numbers left: {left}")
        return names.index(found[0])

    def _left(self, state: np.void) -> list[int]:
        face = int(self.world.params[0]["face"])
        return [min(int(rank), face) for rank, used in zip(state["ranks"], state["used"], strict=True) if not used]


class BlackjackWords(Words):
    """Both hands; answers are stick or hit."""

    def describe(self, state, agent=0):
        """The player's hand, what is open of the dealer's, and the rules."""
        mine, theirs = (hand(state, owner) for owner in ("", "dealer_"))
        points, usable = total(state["ranks"], state["held"])
        soft = ", an ace counting 11" if usable else ""
        shown = f"The dealer shows the {theirs[0]}."
        if len(theirs) > 1:
            other = int(total(state["dealer_ranks"], state["dealer_held"])[0])
            shown = f"The dealer has {', '.join(theirs)}: {other} points."
        return f"You have {', '.join(mine)}: {int(points)} points{soft}. {shown} {self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        p = self.world.params[0]
        extra = " An ace and a ten win 1.5." if p["natural"] else ""
        extra = " An ace and a ten win against all but the same." if p["sab"] else extra
        return (
            "Get more points than the dealer, but no more than 21: with more you lose at once. Jack, queen and king "
            "count 10, an ace 11, or 1 where 11 would be too much. Hit for another card; stick, and the dealer draws "
            f"up to 17 points or more. You win 1, lose 1, or get nothing if both are equal.{extra} Cards come from so "
            "many decks that what you have seen does not matter. Answer with stick or hit."
        )


def hand(state: np.void, owner: str) -> list[str]:
    """Cards of a hand of blackjack in words.

    Args:
        state: a record of `envsuite.text_games.cards.blackjack`.
        owner: beginning of its fields: ``""`` for the player, ``"dealer_"``.
    """
    count = int(state[f"{owner}held"])
    pairs = zip(state[f"{owner}ranks"][:count], state[f"{owner}suits"][:count], strict=True)
    return [card_name(int(rank), int(suit)) for rank, suit in pairs]
