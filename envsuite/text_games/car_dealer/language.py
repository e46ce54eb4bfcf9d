"""Car dealing in words: the talk so far, and the reader of what the seller says."""

import re

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import Refusal
from envsuite.text_games.car_dealer.catalogue import BRANDS, FEATURES, STEP, TYPES
from envsuite.text_games.car_dealer.phrases import article, dollars, listed, spoken
from envsuite.text_games.car_dealer.reading import read_turn
from envsuite.text_games.car_dealer.rules import ACCEPT, HELLO, REJECT, msrp
from envsuite.text_games.car_dealer.world import (
    APOLOGISE,
    ASK_BUDGET,
    ASK_NEEDS,
    END,
    GREET,
    HEADS,
    INSULT,
    LONGEST,
    OFFER,
    TALK,
)

_SAID = {
    GREET: "Welcome!",
    ASK_NEEDS: "What kind of car are you looking for?",
    ASK_BUDGET: "What is your budget?",
    APOLOGISE: "I am sorry.",
    INSULT: "You are a fool.",
    END: "Goodbye.",
}
_LONG = " (in many words)"


def buyer_of(state: np.void) -> dict[str, int]:
    """What `envsuite.text_games.car_dealer.phrases.spoken` wants to know of a record."""
    return {name: int(state[name]) for name in ("personality", "brand", "kind", "wanted")}


def seller_text(said: list[int]) -> str:
    """A turn of the seller in words.

    Args:
        said: of the state record: act, brand, type, features as bits, price in steps, long.
    """
    act, brand, kind, features, price, long = said
    extras = f" with {listed(features)}" if features else ""
    if act == OFFER:
        listed_at, wanted = dollars(int(msrp(brand, kind, features))), dollars(price * STEP)
        text = f"I offer {article(BRANDS[brand])} ({TYPES[kind]}){extras}, list price {listed_at}, for {wanted}."
    elif act == TALK:
        text = f"Let me tell you about {article(BRANDS[brand])} ({TYPES[kind]}){extras}."
    else:
        text = _SAID[act]
    return text + (_LONG if long else "")


def talk(state: np.void) -> list[tuple[str, str]]:
    """Who said what so far, the buyer's closing line included.

    Args:
        state: a record of `envsuite.text_games.car_dealer.world`.
    """
    buyer, lines = buyer_of(state), [("Buyer", spoken(buyer_of(state), HELLO, 0, 0))]
    for turn in range(int(state["turn"])):
        lines.append(("Seller", seller_text(state["said"][turn].tolist())))
        act, amount = state["replies"][turn].tolist()
        text = spoken(buyer, act, amount, turn + 1)
        if act == ACCEPT:
            text += f" [Decision: Accept. MSRP: {dollars(int(state['listed']))}. Buy price: {dollars(amount)}.]"
        elif act == REJECT:
            text += " [Decision: Reject.]"
        lines.append(("Buyer", text))
    return lines


def talked_about(state: np.void) -> tuple[int, int, int]:
    """Brand, type and features of the car that the talk is about: the last one that the seller named, else the wish."""
    for turn in range(int(state["turn"]) - 1, -1, -1):
        act, brand, kind, features = state["said"][turn].tolist()[:4]
        if act in (OFFER, TALK):
            return brand, kind, features
    if state["told"]:
        return int(state["brand"]), int(state["kind"]), int(state["told_features"])
    return 0, 0, 0


class CarDealerWords(Words):
    """The talk; answers are what the seller says, in free words."""

    def describe(self, state, agent=0):
        """The rules and the talk."""
        lines = "\n".join(f"{who}: {text}" for who, text in talk(state))
        return f"{self.instructions(state, agent)}\n\n{lines}\n\nWhat do you say?"

    def instructions(self, state, agent=0):
        """The rules."""
        brands, kinds, features = ", ".join(BRANDS), ", ".join(TYPES), ", ".join(FEATURES)
        return (
            "You sell cars. Sell one for as much as you can to a buyer whose budget, patience and wishes you do "
            "not know. "
            f"You have every brand ({brands}) in every type ({kinds}), with any of these features: {features}. "
            "Each car has a list price (MSRP), which you cannot change. The buyer pays less for a brand or type "
            "that is not wanted, "
            "more for wanted features, offers more with every turn, and leaves when patience is spent. Some "
            "want a discount, some "
            f"want to hear about features, some dislike turns of more than {LONGEST} words. Greet, ask what the "
            f"buyer needs, ask for the budget, talk "
            "about a car and its features, make an offer (name the car and one price, or a discount in "
            "percent), apologise, or "
            f"say goodbye. Prices count in steps of {STEP} dollars. Answer with what you say to the buyer."
        )

    def parse(self, text, state, agent=0):
        """Read a turn in free words, or by the names of choices."""
        return action_of(text, state)


def action_of(text: str, state: np.void) -> np.ndarray | Refusal:
    """A turn of the seller in free words, or by the names of choices, as an action.

    Args:
        text: what was said.
        state: a record of `envsuite.text_games.car_dealer.world`; decides which car is talked about.
    """
    named = _by_names(text)
    if named is not None:
        return named
    found = read_turn(text, *talked_about(state))
    if isinstance(found, Refusal):
        return found
    bits = [found.features >> k & 1 for k in range(len(FEATURES))]
    return np.array([found.act, found.brand, found.kind, found.price // STEP, found.long, *bits], np.int64)


def _by_names(text: str) -> np.ndarray | None:
    """Choices by name, such as ``act: offer, brand: Ford, ...``; None where a text has another form."""
    parts = [part.split(":") for part in text.split(",")]
    if len(parts) != len(HEADS) or any(len(part) != 2 for part in parts):
        return None
    found = []
    for (name, names), (head, choice) in zip(HEADS, parts, strict=True):
        known = {one.lower(): k for k, one in enumerate(names)}
        chosen = re.sub(r"\s+", " ", choice.strip().lower())
        if head.strip().lower() != name.lower() or chosen not in known:
            return None
        found.append(known[chosen])
    return np.array(found, np.int64)
