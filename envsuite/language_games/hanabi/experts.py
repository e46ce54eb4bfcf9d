"""Players of Hanabi: they see what an observation says, and remember nothing."""

import numpy as np

from envsuite.core.jit import kernel
from envsuite.language_games.experts import TurnPlayers, Uniform, blocks, chosen
from envsuite.language_games.hanabi.world import NONE, copies

SELF, OTHER = 0, 1
UNSEEN = -2
"""A card that one holds and does not see."""
TRUST = 0.05
"""By how much cards of which a hint has named the color or the rank are liked better: hints are about cards to play."""
SURE, DARED = 0.9, 0.3
"""Liking from which a card is played, and from which it is worth a life where no hint helps."""
WORTH = 0.1
"""What a hint has to be worth: 1 is a card that fits and that the other will now play."""
KEPT, NEWS = 2, 0.001
"""With more tokens than these any news will do; a color or a rank that is excluded is worth so much."""


@kernel
def _single(bits):
    return bits & (bits - 1) == 0


@kernel
def _told(colors, ranks, count):
    """The card that hints have told of, `UNSEEN` where they leave several; `count` ranks."""
    if not (_single(colors) and _single(ranks)):
        return UNSEEN
    color, rank = 0, 0
    while colors >> (color + 1):
        color += 1
    while ranks >> (rank + 1):
        rank += 1
    return color * count + rank


@kernel
def _chance(view, player, place):
    """Chance that a player's card fits, by hints and by counting the cards that the player sees or was told of."""
    cards, colors, ranks, fireworks, discards = view
    all_ways, ways, count = 0, 0, len(discards) // len(fireworks)
    for card in range(len(discards)):
        color, rank = card // count, card % count
        if not (colors[player, place] >> color) & 1 or not (ranks[player, place] >> rank) & 1:
            continue
        left = copies(rank, count) - discards[card] - (fireworks[color] > rank) * 1
        for other in range(2):
            for k in range(cards.shape[1]):
                if cards[other, k] == NONE or (other == player and k == place):
                    continue
                seen = cards[other, k]
                if player == OTHER or other == SELF:
                    seen = _told(colors[other, k], ranks[other, k], count)
                left -= (seen == card) * 1
        all_ways += max(left, 0)
        ways += max(left, 0) * (fireworks[color] == rank)
    return ways / max(all_ways, 1)


@kernel
def _liked(view, player):
    """The card that a player would play first, and how much it is liked."""
    cards, colors, ranks = view[0], view[1], view[2]
    best, place = -1.0, 0
    for k in range(cards.shape[1]):
        if cards[player, k] == NONE:
            continue
        liking = _chance(view, player, k)
        if 0.0 < liking < 1.0 and (_single(colors[player, k]) or _single(ranks[player, k])):
            liking += TRUST
        if liking > best + 1e-9:
            best, place = liking, k
    return place, best


@kernel
def _planned(view):
    """1 if the other, by what it knows now, would next play a card that fits; else 0."""
    cards, fireworks, count = view[0], view[3], len(view[4]) // len(view[3])
    place, liking = _liked(view, OTHER)
    card = cards[OTHER, place]
    return 1.0 if liking >= SURE and fireworks[card // count] == card % count else 0.0


@kernel(arrays=True)
def _hint(view, legal):
    """The best hint, and what it is worth; -1 where none can be given."""
    cards, colors, ranks, fireworks, discards = view
    count, size, kinds = len(discards) // len(fireworks), cards.shape[1], len(fireworks)
    before = _planned(view)
    best, move = -np.inf, -1
    for hint in range(kinds + count):
        if not legal[2 * size + hint]:
            continue
        after_colors, after_ranks, news = colors.copy(), ranks.copy(), 0
        for k in range(size):
            card = cards[OTHER, k]
            if card == NONE:
                continue
            if hint < kinds:
                bit, bits = np.int64(1) << hint, after_colors
                yes = card // count == hint
            else:
                bit, bits = np.int64(1) << (hint - kinds), after_ranks
                yes = card % count == hint - kinds
            old = bits[OTHER, k]
            bits[OTHER, k] = bit if yes else old & ~bit
            left = old ^ bits[OTHER, k]
            while left:
                news += left & 1
                left >>= 1
        told = (cards, after_colors, after_ranks, fireworks, discards)
        gain = _planned(told) - before + NEWS * news
        if gain > best:
            best, move = gain, 2 * size + hint
    return move, best


@kernel
def _worst(view):
    """One's card that is least likely to fit."""
    cards = view[0]
    least, place = 2.0, 0
    for k in range(cards.shape[1]):
        if cards[SELF, k] != NONE:
            chance = _chance(view, SELF, k)
            if chance < least:
                least, place = chance, k
    return place


@kernel(arrays=True)
def _choose(cards, colors, ranks, fireworks, discards, numbers, legal, out):
    """The moves of many players: ``numbers`` are tokens, lives, cards in the deck and turns left of each."""
    size = cards.shape[2]
    for i in range(len(out)):
        view = (cards[i], colors[i], ranks[i], fireworks[i], discards[i])
        tokens, lives, deck, left = numbers[i, 0], numbers[i, 1], numbers[i, 2], numbers[i, 3]
        place, liking = _liked(view, SELF)
        hint, gain = _hint(view, legal[i])
        daring = lives > 1 or liking >= 1.0
        if deck == 0:
            hints = (left == 2 and gain > liking) or not daring
            plays = not hints
        else:
            hints = gain >= (WORTH if tokens <= KEPT else NEWS / 2)
            plays = liking >= SURE and daring
            if not hints and not plays:
                hints = True
        if plays and not hints:
            out[i] = size + place
        elif hint >= 0 and hints:
            out[i] = hint
        elif (lives > 1 and liking >= DARED) or not legal[i, :size].any():
            out[i] = size + place
        else:
            out[i] = _worst(view)


class Planner:
    """Plays what surely fits, and gives the hint that improves what the other will do most.

    Args:
        world: the game.
    """

    def __init__(self, world):
        self._world = world

    def __call__(self, observations):
        """Probabilities, (m, choices)."""
        seen, world = {k: v.astype(np.int64) for k, v in blocks(self._world, observations).items()}, self._world
        m, hand, cards = len(observations), world.hand, world.colors * world.ranks
        other = seen["other_hand"].reshape(m, hand, cards)
        held = np.where(other.any(axis=2), other.argmax(axis=2), NONE)
        hands = np.stack([np.where(seen["own_cards"] != 0, UNSEEN, NONE), held], axis=1)
        numbers = np.concatenate([seen[name] for name in ("information", "lives", "deck", "turns_left")], axis=1)
        moves = np.zeros(m, np.int64)
        colors, ranks = (self._bits(seen, m, what) for what in ("colors", "ranks"))
        _choose(hands, colors, ranks, seen["fireworks"], seen["discards"], numbers, seen["action_mask"] != 0, moves)
        return chosen(moves, len(world.action.names))

    def _bits(self, seen, m: int, what: str) -> np.ndarray:
        both = np.stack([seen[f"own_{what}"], seen[f"other_{what}"]], axis=1).reshape(m, 2, self._world.hand, -1)
        return both @ (1 << np.arange(both.shape[-1]))


class Newest:
    """Plays the newest card that the other's hint has just touched; else gives the first hint there is, or discards.

    Args:
        world: the game.
    """

    def __init__(self, world):
        self._world = world

    def __call__(self, observations):
        """Probabilities, (m, choices)."""
        seen, hand = blocks(self._world, observations), self._world.hand
        legal = seen["action_mask"] != 0
        touched = seen["own_touched"] != 0
        newest = hand - 1 - touched[:, ::-1].argmax(axis=1)
        hints = legal[:, 2 * hand :]
        quiet = np.where(hints.any(axis=1), 2 * hand + hints.argmax(axis=1), np.where(legal[:, 0], 0, hand))
        return chosen(np.where(touched.any(axis=1), hand + newest, quiet), legal.shape[1])


class HanabiPlayers(TurnPlayers):
    """From random to one that plans; none is best play."""

    reference = "planner"

    def policies(self):
        """Uniform, a rule, and a plan."""
        return {
            "uniform": lambda: Uniform(self.world),
            "rule": lambda: Newest(self.world),
            "planner": lambda: Planner(self.world),
        }
