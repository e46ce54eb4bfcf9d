"""Liar's dice in words."""

import re
from functools import cached_property

from envsuite.core.language import Refusal, RefusalKind
from envsuite.language_games.language import SMALL, TurnWords, number_of
from envsuite.language_games.liars_dice.world import FACES
from envsuite.language_games.plain import PlainFields

PLURALS = ("ones", "twos", "threes", "fours", "fives", "sixes")
_FACES = {name: k + 1 for k, name in enumerate(PLURALS)} | {name: k for k, name in enumerate(SMALL[1:7], 1)}
_COUNT, _FACE = "|".join(SMALL[1:]), "|".join(_FACES)
_BID = re.compile(rf"\b(?:bid_)?(\d+|{_COUNT})(?:_of_|\s*x\s*|\s+of\s+|\s+)(\d+|{_FACE})(?:'?s)?\b")


class LiarsDiceWords(TurnWords):
    """One's own dice and the bids; answers are higher bids, or doubts."""

    def instructions(self, state, agent=0):
        """The rules, with or without wild sixes."""
        wild = " Sixes count for every face." if self.world.wild else ""
        return (
            f"Liar's dice: each of two players has rolled dice ({self.world.dice} at the start) that the other does "
            "not see. In turn they bid how many of all dice show a face. Each bid has to be higher than the one "
            f"before: more dice of any face, or as many of a higher face.{wild} Instead of bidding a player may doubt "
            "the other's bid: if there are fewer dice than that, the bidder loses a die, else the doubter does. Who "
            "loses a die begins the next round, for which all dice are rolled again; who has none left has lost. "
            "Answer with a bid in brackets, for instance [2 fives], or with [liar]."
        )

    def situation(self, state, agent):
        """Dice and bids."""
        counts, left, bids = self._fields(state)
        own, other = left[agent], left[1 - agent]
        dice = [k + 1 for k in range(FACES) for _ in range(counts[FACES * agent + k])]
        shown = f"Your dice show {', '.join(map(str, dice))}." if dice else "You have no dice."
        told = [f"{'you' if who - 1 == agent else 'the other'}: {self.say(bid)}" for bid, who in enumerate(bids) if who]
        last = f"Bids: {', '.join(told)}." if told else "Nobody has bid yet."
        return f"{shown} You have {own}, the other has {other}. {last}"

    @cached_property
    def _fields(self) -> PlainFields:
        return PlainFields(self.world.state_dtype, "counts", "left", "bids")

    def say(self, move):
        """A number of dice and a face."""
        if move == len(self.world.action.names) - 1:
            return "liar"
        count, face = move // FACES + 1, move % FACES
        return f"{count} {PLURALS[face] if count > 1 else SMALL[face + 1]}"

    def read(self, text):
        """Bids and doubts."""
        found = {len(self.world.action.names) - 1} if re.search(r"\bliar\b", text) else set()
        for number, name in _BID.findall(text):
            count, face = number_of(number), _FACES.get(name, number_of(name))
            if not count or not face:
                continue
            if face > FACES or count > 2 * self.world.dice:
                reason = f"{count} times {face} is no bid: there are {2 * self.world.dice} dice with faces 1 to 6"
                return Refusal(RefusalKind.OUT_OF_RANGE, reason)
            found.add((count - 1) * FACES + face - 1)
        return found
