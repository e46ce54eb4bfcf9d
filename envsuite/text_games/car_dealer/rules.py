"""What buyers pay and say, as functions of numbers; `envsuite.text_games.car_dealer.world` keeps the talk."""

import numpy as np

from envsuite.core import fmath, kernel
from envsuite.text_games.car_dealer.catalogue import BASE, DISCOUNTS, EXTRA, FEATURES, PERCENT

MOST = 15
"""Turns of the seller at most: the longest patience, and one turn won back by an apology."""
REPLIES = (
    "nothing",
    "greet",
    "state wish",
    "tell needs",
    "tell budget",
    "keep budget",
    "ask feature",
    "ask price",
    "counter",
    "complain",
    "threaten",
    "accept",
    "reject",
)
(NOTHING, HELLO, WISH, NEEDS, BUDGET, SECRET, ASK_FEATURE, ASK_PRICE, COUNTER, COMPLAIN, THREATEN, ACCEPT, REJECT) = (
    range(len(REPLIES))
)
SHARE, REVENUE, SALE = range(3)
MATCH, MISMATCH = 0.015, 0.08
"""What a wanted feature adds to a buyer's reservation price, and what a brand or type that is not wanted takes off, as
shares of the list price."""
FIRST_OFFER, CONCESSION, DISCOUNTED = 0.80, 0.20, 0.95
VALUES = 21
"""How a buyer values cars: 0.85 to 1.05 of the list price, in steps of 0.01."""


@kernel
def msrp(brand, kind, features):
    """The list price of a car, dollars."""
    total = BASE[brand] * PERCENT[kind] // 100
    for k in range(8):
        if (features >> k) & 1:
            total += EXTRA[k]
    return total


@kernel
def bits(number):
    """How many bits are set."""
    count = 0
    for k in range(8):
        count += (number >> k) & 1
    return count


@kernel
def worth(value, matched, missed):
    """What a car is worth to a buyer, as a share of its list price.

    Args:
        value: of the buyer, see `State`.
        matched: wanted features that the car has.
        missed: how many of brand and type are not the wanted ones.
    """
    return 0.85 + 0.01 * value + MATCH * matched - MISMATCH * missed


@kernel
def concession(turn, patience, toughness):
    """Share of the reservation price that the buyer offers in a turn."""
    part = min(np.float64(turn) / np.float64(patience), 1.0)
    grown = part * part if toughness > 1.5 else (fmath.sqrt(part) if toughness < 0.75 else part)
    return FIRST_OFFER + CONCESSION * grown


@kernel
def missing_feature(wanted, mentioned):
    """A wanted feature that was not mentioned; -1 for none."""
    for k in range(len(FEATURES)):
        if (wanted >> k) & 1 and not (mentioned >> k) & 1:
            return k
    return -1


@kernel
def bargain(price, most, listed, strategy, turn, patience, toughness):
    """The reply to a price: the buyer's act, and dollars.

    Args:
        price: the seller's, dollars.
        most: the reservation price of the car, dollars.
        listed: its list price, dollars.
        strategy: of the buyer, who has heard enough of features.
        turn: of the seller, this one counted.
        patience: of the buyer.
        toughness: of the buyer.
    """
    fits = strategy != DISCOUNTS or price <= DISCOUNTED * listed
    # a hundredth of a cent, so that rounding decides nothing
    if fits and price <= most * concession(turn + 1, patience, toughness) + 1e-4:
        return ACCEPT, np.int64(price)
    counter = np.int64(most * concession(turn, patience, toughness)) // 100 * 100
    if strategy == DISCOUNTS:
        counter = min(counter, np.int64(DISCOUNTED * listed) // 100 * 100)
        if not fits:
            return COMPLAIN, counter
    return COUNTER, counter


@kernel
def heard_enough(wanted, mentioned):
    """Whether a buyer who seeks features has heard of half of those that are wanted."""
    return 2 * bits(np.int64(wanted) & np.int64(mentioned)) >= bits(np.int64(wanted))


@kernel
def impatient(reply, amount, turn, patience):
    """What a reply that is no sale becomes when patience is spent, or nearly so."""
    if turn >= patience or turn >= MOST:
        return REJECT, np.int64(0)
    if turn == patience - 1 and reply in (COUNTER, COMPLAIN, ASK_PRICE):
        return THREATEN, (amount if reply != ASK_PRICE else np.int64(0))
    return reply, amount


@kernel
def earned(mode, price, budget, listed):
    """The reward of a sale; amounts in dollars."""
    if mode == REVENUE:
        return np.float64(price) / 1000.0
    return np.float64(price) / (0.5 * (np.float64(budget) + np.float64(listed)))


@kernel
def forgone(mode, budget, wished):
    """The reward of no sale.

    Args:
        mode: of reward.
        budget: dollars.
        wished: list price of the car that was wanted, which nobody can talk up or down, dollars.
    """
    return -(np.float64(budget) - np.float64(wished)) / np.float64(wished) if mode == SHARE else 0.0
