"""Scripted players of Trust-and-Split."""

import re

import numpy as np

from envsuite.core.companions import Players
from envsuite.momarl.allocation import GOODS
from envsuite.momarl.letters import LETTERS, letter_of, message_of
from envsuite.momarl.trust_split.params import HANDS, WORDS
from envsuite.momarl.world import both_of

STRATEGIES = ("cooperate", "defect", "fair", "tit-for-tat")


class Splitter:
    """Says its hand truly; then keeps all (defect), half (fair), or all or nothing by the hands (cooperate).

    It believes what it hears; a cooperator that has heard no hand keeps half. ``"tit-for-tat"`` cooperates, but keeps
    all in the round after one in which it had the upper hand and the other wanted coins.

    Args:
        strategy: one of `STRATEGIES`.
        other: that of the second agent; the same by default.

    Raises:
        ValueError: unknown strategy.
    """

    def __init__(self, strategy: str, other: str | None = None):
        self._strategies = both_of("strategy", strategy, other, STRATEGIES)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Words, or proposals, of both agents."""
        hand = observations[:, :, :3].argmax(axis=2)
        keep = self._keep(hand, observations[:, :, 3:7].argmax(axis=2) - 1, states)
        splitting = observations[:, :, 8] > 0
        return np.where(splitting, len(WORDS) + keep, hand + 1).astype(np.int64)

    def _keep(self, hand: np.ndarray, heard: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Coins to keep, (n, 2), by the own hand and the one that the other has named, -1 for none."""
        upper = (hand - heard) % 3 == 1
        keep = np.where(heard < 0, GOODS // 2, np.where(upper, GOODS, 0))
        for agent, strategy in enumerate(self._strategies):
            fixed = {"defect": GOODS, "fair": GOODS // 2}.get(strategy)
            if fixed is not None:
                keep[:, agent] = fixed
            elif strategy == "tit-for-tat":
                wanted = states["before"][:, 1 - agent, 1] > 0
                keep[(states["before"][:, agent, 0] > 0) & wanted, agent] = GOODS
        return keep


class Talker(Splitter):
    """The same in free text: names its hand, and takes the only hand that the other's message names for its own.

    Args:
        strategy: see `Splitter`.
        other: likewise.
    """

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Messages, or proposals, of both agents."""
        hand = states["hand"].astype(np.int64)
        heard = np.array([[_named(message_of(letter)) for letter in both[::-1]] for both in states["letter"]])
        actions = np.zeros((len(states), 2, 1 + LETTERS), np.float32)
        splitting = observations[:, :, 4] > 0
        actions[:, :, 0] = np.where(splitting, self._keep(hand, heard, states), 0)
        messages = np.stack([letter_of(f"My hand is {name}.") for name in HANDS])
        actions[:, :, 1:] = np.where(splitting[..., np.newaxis], 0, messages[hand])
        return actions


def _named(message: str) -> int:
    found = [k for k, name in enumerate(HANDS) if re.search(rf"\b{name}\b", message, re.IGNORECASE)]
    return found[0] if len(found) == 1 else -1


class TrustSplitPlayers(Players):
    """Agents that tell their hands and split."""

    def expert(self):
        """Both tell the truth and leave the coins to who values them; see `experts.Splitter`."""
        return Splitter("cooperate")


class TalkingTrustSplitPlayers(TrustSplitPlayers):
    """The same in free text."""

    def expert(self):
        """Both tell the truth and leave the coins to who values them; see `experts.Talker`."""
        return Talker("cooperate")
