"""Hanabi in words."""

import re
from functools import cached_property

from envsuite.core.language import Refusal, RefusalKind
from envsuite.language_games.hanabi.world import COLORS, NONE, copies
from envsuite.language_games.language import SMALL, TurnWords, number_of
from envsuite.language_games.plain import PlainFields

_NUMBER = "|".join(SMALL[1:])
_CARD = re.compile(rf"\b(discard|play)[\s_]+(?:card[\s_]+)?(\d+|{_NUMBER})\b")
_TABLE = ("fireworks", "discards", "total", "information", "lives", "drawable", "turns_left")
_HANDS = ("hands", "colors", "ranks", "last_move", "touched", "shown")
_HINT = re.compile(rf"\bhint[\s_]+(?:(?:rank|color)[\s_]+)?(\d+|{_NUMBER}|[a-z]+)\b")


class HanabiWords(TurnWords):
    """The other's cards, what hints have told, the table; answers play, discard or hint."""

    def instructions(self, state, agent=0):
        """The rules, with the numbers of this game."""
        world, p = self.world, self.world.params[0]
        each = ", ".join(f"{copies(k, world.ranks)} of rank {k + 1}" for k in range(world.ranks))
        lost = "the points stay, but the game is over" if world.lost == "kept" else "all points are lost"
        return (
            f"Hanabi: two players lay fireworks together, one of each color ({', '.join(COLORS[: world.colors])}), in "
            f"order of rank from 1 to {world.ranks}. Of each color there are {each}. Each player holds up to "
            f"{world.hand} cards, sees the other's and not its own; card 1 is the oldest. In turn a player plays a "
            "card, discards one, or hints. A card that fits the firework of its color brings a point to both; one "
            f"that does not is out of play and costs one of {int(p['lives'])} lives. When no life is left {lost}. A "
            "hint costs a token and tells all of the other's cards of one color, or of one rank. A discard brings a "
            f"token back, and so does the last card of a firework; there are {int(p['information'])} at most, and with "
            "all of them nobody may discard. Who plays or discards draws a card. When the deck is empty each player "
            "has one more turn. Answer with one move in brackets: [play 1], [discard 2], "
            f"[hint {COLORS[0]}] or [hint 1]."
        )

    def situation(self, state, agent):
        """Table, hands and last moves."""
        other, cards, size = 1 - agent, self._cards, self.world.hand
        fireworks, discards, points, tokens, lives, deck, turns, *rest = self._fields(state)
        hands, colors, ranks, moves, touched, shown = rest
        fires = self._laid.get(fireworks) or self._fires(fireworks)
        gone = ", ".join([f"{n} x {card}" for n, card in zip(discards, cards, strict=True) if n]) or "nothing"
        left = f"Cards in the deck: {deck}." if deck else f"The deck is empty; moves left: {turns}."
        told = self._told
        known = [told.get(bits) or self._known(*bits) for bits in zip(colors, ranks, strict=True)]
        at = other * size
        theirs = "; ".join(
            [f"{cards[hands[k]]} (it knows: {known[k]})" for k in range(at, at + size) if hands[k] != NONE]
        )
        at = agent * size
        own = "; ".join([f"card {k + 1} {known[at + k]}" for k in range(size) if hands[at + k] != NONE])
        parts = [
            f"Fireworks: {fires} ({points:.0f} points). Tokens: {tokens}. Lives: {lives}. Out of play: {gone}. {left} "
            f"The other's cards: {theirs}. Your cards: {own}."
        ]
        for who in (agent, other):
            if moves[who] != NONE:
                parts.append(self._last(moves[who], touched[who], shown[who], who == agent))
        return " ".join(parts)

    def ending(self, state, agent):
        """The points."""
        who = "All lives are lost: both" if not state["lives"] else "Both"
        points = int(state["total"])
        return f"{who} have {points} {'point' if points == 1 else 'points'}"

    @cached_property
    def _fields(self) -> PlainFields:
        return PlainFields(self.world.state_dtype, *_TABLE, *_HANDS)

    @cached_property
    def _cards(self) -> list[str]:
        """All kinds of cards."""
        return [f"{color} {rank + 1}" for color in COLORS[: self.world.colors] for rank in range(self.world.ranks)]

    @cached_property
    def _laid(self) -> dict[tuple[int, ...], str]:
        """Fireworks in words, by their heights: a few thousand at most."""
        return {}

    def _fires(self, heights: tuple[int, ...]) -> str:
        told = ", ".join([f"{color} {height}" for color, height in zip(COLORS, heights, strict=False)])
        self._laid[heights] = told
        return told

    @cached_property
    def _told(self) -> dict[tuple[int, int], str]:
        """What is known of a card in words, by the bits of its possible colors and ranks: a few hundred."""
        return {}

    def _known(self, colors: int, ranks: int) -> str:
        world = self.world
        kinds = [name for k, name in enumerate(COLORS[: world.colors]) if colors >> k & 1]
        numbers = [str(k + 1) for k in range(world.ranks) if ranks >> k & 1]
        if len(kinds) == world.colors and len(numbers) == world.ranks:
            told = "unknown"
        else:
            told = f"{'/'.join(kinds) if len(kinds) < world.colors else 'any color'} " + (
                "/".join(numbers) if len(numbers) < world.ranks else "of any rank"
            )
        self._told[colors, ranks] = told
        return told

    @cached_property
    def _places(self) -> dict[int, str]:
        """Numbers of cards, by their bits."""
        return {}

    def _touched(self, bits: int) -> str:
        self._places[bits] = ", ".join([str(k + 1) for k in range(self.world.hand) if bits >> k & 1])
        return self._places[bits]

    def _last(self, move: int, touched: int, shown: int, own: bool) -> str:
        name = "You" if own else "The other"
        if touched:
            places = self._places.get(touched) or self._touched(touched)
            return f"{name} last said: {self._said[move][1:-1]} ({'its' if own else 'your'} cards {places} then)."
        return f"{name} last chose: {self._said[move][1:-1]}, which was {self._cards[shown]}."

    def say(self, move):
        """A move, as its name without lines."""
        return self.world.action.names[move].replace("_", " ")

    def read(self, text):
        """Cards and hints."""
        world, hand, found = self.world, self.world.hand, set()
        for what, number in _CARD.findall(text):
            place = number_of(number)
            if place is None or not 1 <= place <= hand:
                return Refusal(RefusalKind.OUT_OF_RANGE, f"there is no card {number[:20]}: cards are 1 to {hand}")
            found.add(place - 1 + (hand if what == "play" else 0))
        for name in _HINT.findall(text):
            rank = number_of(name)
            if (rank is not None and not 1 <= rank <= world.ranks) or (rank is None and name.isdecimal()):
                return Refusal(RefusalKind.OUT_OF_RANGE, f"there is no rank {name[:20]}: ranks are 1 to {world.ranks}")
            if rank is None and name not in COLORS[: world.colors]:
                wanted = ", ".join(COLORS[: world.colors])
                return Refusal(RefusalKind.UNKNOWN_NAME, f"there is no color {name[:20]!r}: colors are {wanted}")
            at = world.colors + rank - 1 if rank is not None else COLORS.index(name)
            found.add(2 * hand + at)
        return found
