"""The buyer outside a game: by the rules, and played by a language model."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from envsuite.agents.chat.client import Endpoint
from envsuite.core.jit import records
from envsuite.core.language import Refusal
from envsuite.text_games.car_dealer.catalogue import BRANDS, PERSONALITIES, STRATEGIES, TYPES, VERSION
from envsuite.text_games.car_dealer.language import action_of, seller_text, talk
from envsuite.text_games.car_dealer.phrases import article, dollars, listed
from envsuite.text_games.car_dealer.rules import ACCEPT, REJECT
from envsuite.text_games.car_dealer.world import LONGEST, CarDealerWorld, step
from envsuite.text_games.oracle.english import LONGEST as MOST_CHARACTERS
from envsuite.text_games.oracle.model import ModelOracle
from envsuite.text_games.oracle.reply import OracleReply

ROLE = "You play the buyer in a talk with a car dealer. This is you:"
HOW = (
    "Never say what is in this description, but for your wishes when you are asked. Each turn of the talk is one of "
    "the dealer's; answer it in one or two sentences, in your manner. Haggle, and pay no more than the car is worth "
    "to you. End with a line in brackets: [Decision: Accept. Buy price: $20,000.] if you buy, with the price that the "
    "dealer has named last, [Decision: Reject.] if you leave, and [Decision: None.] if the talk goes on."
)
_DECISION = re.compile(
    r"\[\s*decision:\s*(?P<word>accept|reject|none)\b[^\]]*?(?:price:\s*\$?\s*(?P<price>[\d,]{1,12}))?[^\]\d]*\]",
    re.IGNORECASE,
)


def profile(state: np.void) -> str:
    """A buyer in words.

    Args:
        state: a record of `envsuite.text_games.car_dealer.world`.
    """
    brand, kind = BRANDS[int(state["brand"])], TYPES[int(state["kind"])]
    strategy = {
        "discounts": "you buy for at most 95 % of the list price",
        "features": "you want to hear of half of the features you wish for before you talk of prices",
        "impatient": f"you leave after two turns of more than {LONGEST} words",
    }[STRATEGIES[int(state["strategy"])]]
    return (
        f"your manner is {PERSONALITIES[int(state['personality'])]}; you want {article(brand)} ({kind}) with "
        f"{listed(int(state['wanted']))}; you have {dollars(int(state['budget']))}; such a car is worth "
        f"{85 + int(state['value'])} % of its list price to you, 1.5 % more for each wanted feature, 8 % less for "
        f"another brand, and as much for another type; {strategy}; you leave after {int(state['patience'])} turns"
    )


def decision(text: str) -> tuple[int, int] | None:
    """What a buyer has decided: the act and the price in dollars; None while the talk goes on.

    A list price in the text counts for nothing: the catalogue's is the one that rewards are made of.

    Args:
        text: of a buyer, with a line of decision or without.
    """
    found = list(_DECISION.finditer(text))
    word = found[-1]["word"].lower() if found else "none"
    if word == "accept" and found[-1]["price"]:
        return ACCEPT, int(found[-1]["price"].replace(",", ""))
    return (REJECT, 0) if word == "reject" else None


def from_model(text: str, secret: int, turn: int) -> str:
    """The reply of a language model on one line; empty where it accepts without a price.

    Args:
        text: of the model.
        secret: counts for nothing.
        turn: counts for nothing.
    """
    text = " ".join(text.split())[:MOST_CHARACTERS]
    accepts = any(one["word"].lower() == "accept" for one in _DECISION.finditer(text))
    return "" if accepts and decision(text) is None else text


class RulesBuyer:
    """Buyers who reply by the rules of the world.

    Args:
        buyers: records of `envsuite.text_games.car_dealer.world` at the start of their episodes.
    """

    version = VERSION

    def __init__(self, buyers: np.ndarray):
        self._buyers, self._params = records(np.array(buyers)), CarDealerWorld().params[0]

    def answer(self, secret: int, question: str, turn: int = 0, history: Sequence[tuple[str, str]] = ()) -> OracleReply:
        """Reply to a turn of the seller; what cannot be read as one gets an empty reply, and costs none.

        Args:
            secret: index of the buyer.
            question: what the seller says.
            turn: counts for nothing.
            history: turns of the seller before, and what was replied.

        Raises:
            ValueError: there is no such buyer, or the talk has ended before.
        """
        if not 0 <= secret < len(self._buyers):
            raise ValueError(f"secret is {secret}, expected an index from 0 to {len(self._buyers) - 1}")
        state, over = self._buyers[secret : secret + 1].copy(), False
        for text in (*(said for said, _ in history), question):
            if over:
                raise ValueError(f"history has {len(history)} turns, expected none after the buyer has decided")
            action = action_of(text, state[0])
            if not isinstance(action, Refusal):
                over = bool(step(state[0], self._params, action)[1])
        if isinstance(action, Refusal):
            return OracleReply("", "", 0.0, None, self.version)
        count = int(state["turn"][0])
        understood = seller_text(state["said"][0, count - 1].tolist())
        return OracleReply(talk(state[0])[-1][1], understood, 1.0, tuple(action.tolist()), self.version)


def model_buyer(buyers: np.ndarray, cache: Path, endpoint: Endpoint | None = None, *, model: str = "") -> ModelOracle:
    """Buyers who are played by a language model, and by `RulesBuyer` where it does not answer.

    Args:
        buyers: see `RulesBuyer`.
        cache: see `ModelOracle`.
        endpoint: likewise.
        model: likewise.
    """
    return ModelOracle(
        RulesBuyer(buyers),
        [profile(one) for one in buyers],
        cache,
        endpoint,
        model=model,
        role=ROLE,
        how=HOW,
        normalise=from_model,
        remember=True,
    )
