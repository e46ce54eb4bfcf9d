"""Negotiation in words."""

import re
from functools import cached_property

from envsuite.core.language import Refusal, RefusalKind
from envsuite.language_games.language import SMALL, TurnWords, number_of
from envsuite.language_games.negotiation.world import ACCEPT, DENY, NONE, OFFERS, STOCKS, WORTHS, gained
from envsuite.language_games.plain import PlainFields

_NUMBER = "|".join(SMALL)
_SIDE = rf"((?:\d+|{_NUMBER})\s+[a-z]+(?:(?:\s*,\s*|\s+and\s+|\s+)(?:\d+|{_NUMBER})\s+[a-z]+)*)"
_OFFER = re.compile(rf"\boffer\b\s*:?\s*{_SIDE}\s*(?:->|=>|\bfor\b)\s*{_SIDE}")
_PART = re.compile(rf"\b(\d+|{_NUMBER})\s+([a-z]+)")
_FIELDS = ("goods", "worth", "start", "last_offer", "answer", "offer", "current_player", "turns_left")
_ANSWERS = {1: "was accepted", 0: "has not been answered", -1: "was denied"}
_WORDS = {"accept": ACCEPT, "deny": DENY, "refuse": DENY, "reject": DENY, "pass": DENY}


class NegotiationWords(TurnWords):
    """One's goods and what they are worth; answers accept, deny or offer."""

    def instructions(self, state, agent=0):
        """The rules, and what a player may know of the other."""
        world, kinds = self.world, len(self.world.kinds)
        low, high = WORTHS[kinds][1 - agent]
        ranges = [str(a) if a == b else f"{a} to {b}" for a, b in zip(low, high, strict=True)]
        worth = ", ".join(f"{name} {one}" for name, one in zip(world.kinds, ranges, strict=True))
        least, most = STOCKS[kinds]
        stock = f"each has {least}" if least == most else f"each has {least} to {most}, drawn at random,"
        paid = (
            "Who then has gained more wins"
            if world.payoff == "outcome"
            else "Each player is paid what it gains by a trade when it is made"
        )
        return (
            f"Negotiation: two players trade goods of these kinds: {', '.join(world.kinds)}. At the start {stock} of "
            "each kind. They value them differently. In turn a player offers goods of one kind for goods of another, "
            "or accepts the offer that the other has just made, or denies it. An offer that is not accepted at once is "
            "off. "
            f"After {world.turns} turns, of both together, the game is over. {paid}: the gain is what one's goods are "
            "worth to oneself, less what those of the start were. To the other the kinds are worth, each: "
            f"{worth}. Answer with one move in brackets: [accept], [deny], which without an offer passes, or for "
            f"instance [offer: 2 {world.kinds[0]} -> 1 {world.kinds[1]}], which gives 2 and gets 1; numbers are 1 to "
            f"{world.most}."
        )

    def situation(self, state, agent):
        """Goods, the offer on the table, and what became of one's own."""
        goods, worth, start, last, answers, offer, player, left = self._fields(state)
        kinds = self.world.kinds
        mine = slice(agent * len(kinds), (agent + 1) * len(kinds))
        rows = [*zip(kinds, goods[mine], worth[mine], start[mine], strict=True)]
        have = ", ".join([f"{count} {name} (worth {value} each)" for name, count, value, _ in rows])
        gain = sum([value * (count - first) for _, count, value, first in rows])
        parts = [f"You have {have}. So far you have gained {gain:+d}."]
        if last[agent] != NONE:
            parts.append(f"Your last offer, {self._sides(last[agent])}, {_ANSWERS[answers[agent]]}.")
        if offer != NONE and player == agent:
            gives, given, wants, wanted = self.world.offers[offer]
            parts.append(f"The other offers you {gives} {kinds[given]} and wants {wants} {kinds[wanted]} for it.")
        parts.append(f"Turns left: {left}.")
        return " ".join(parts)

    def ending(self, state, agent):
        """Who has won, and one's gain."""
        gain = f"your gain is {int(gained(state, agent)):+d}"
        return f"{super().ending(state, agent)}; {gain}" if self.world.payoff == "outcome" else gain.capitalize()

    @cached_property
    def _fields(self) -> PlainFields:
        return PlainFields(self.world.state_dtype, *_FIELDS)

    @cached_property
    def _room(self) -> str:
        """What offers look like."""
        offer = f"[offer: n kind -> n kind] with n from 1 to {self.world.most}, what you have for what you want"
        return f"{offer}; kinds: {', '.join(self.world.kinds)}"

    def _sides(self, offer: int) -> str:
        gives, given, wants, wanted = self.world.offers[offer]
        return f"{gives} {self.world.kinds[given]} -> {wants} {self.world.kinds[wanted]}"

    def say(self, move):
        """Accept, deny, or an offer."""
        return ("accept", "deny")[move] if move < OFFERS else f"offer: {self._sides(move - OFFERS)}"

    def _listed(self, moves):
        shown = ", ".join([self._said[move] for move in moves[:OFFERS].tolist() if move < OFFERS])
        return shown if moves[-1] < OFFERS else f"{shown}, {self._room}"

    def read(self, text):
        """Acts and offers."""
        plain = text.replace("_", " ")
        found = {_WORDS[word] for word in re.findall(r"[a-z]+", plain) if word in _WORDS}
        for sides in _OFFER.findall(plain):
            parts = [[(number_of(count), name) for count, name in _PART.findall(side)] for side in sides]
            refused = self._refused(parts)
            if refused is not None:
                return refused
            (gives, given), (wants, wanted) = (side[0] for side in parts)
            one = (gives, self.world.kinds.index(given), wants, self.world.kinds.index(wanted))
            found.add(OFFERS + self.world.offers.index(one))
        if not found and re.search(r"\boffer\b", plain):
            example = self.say(OFFERS)
            return Refusal(RefusalKind.UNREADABLE, f"the offer cannot be read, expected for instance [{example}]")
        return found

    def _refused(self, parts) -> Refusal | None:
        """Why an offer of these numbers and kinds cannot be made at all."""
        kinds, most = self.world.kinds, self.world.most
        for count, name in (*parts[0], *parts[1]):
            if name not in kinds:
                return Refusal(RefusalKind.UNKNOWN_NAME, f"there is no {name[:20]!r}: kinds are {', '.join(kinds)}")
            if count is None or not 1 <= count <= most:
                shown = "a number" if count is None else count
                return Refusal(RefusalKind.OUT_OF_RANGE, f"{shown} of {name} is not among 1 to {most}")
        if len(parts[0]) != 1 or len(parts[1]) != 1 or parts[0][0][1] == parts[1][0][1]:
            return Refusal(RefusalKind.UNREADABLE, "an offer gives one kind for one other kind")
        return None
