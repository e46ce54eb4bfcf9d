"""Car dealing: the buyer's rules on one record."""

from typing import Literal

import numpy as np

from envsuite.core import Block, Choices, Record, Reward, StateRecord, Vector, World, batch_loops, field, kernel, rng
from envsuite.text_games.car_dealer.catalogue import (
    BRANDS,
    BUDGETS,
    FEATURES,
    IMPATIENT,
    IMPATIENT_PATIENCE,
    PATIENCE,
    PERSONALITIES,
    PRICES,
    RULES,
    SEEKS,
    STEP,
    STRATEGIES,
    TOUGHNESS,
    TYPES,
)
from envsuite.text_games.car_dealer.rules import (
    ACCEPT,
    ASK_FEATURE,
    ASK_PRICE,
    BUDGET,
    COMPLAIN,
    COUNTER,
    MOST,
    NEEDS,
    REJECT,
    REPLIES,
    SECRET,
    THREATEN,
    VALUES,
    WISH,
    bargain,
    bits,
    earned,
    forgone,
    heard_enough,
    impatient,
    missing_feature,
    msrp,
    worth,
)

ACTS = ("greet", "ask needs", "ask budget", "talk", "offer", "apologise", "insult", "end")
GREET, ASK_NEEDS, ASK_BUDGET, TALK, OFFER, APOLOGISE, INSULT, END = range(len(ACTS))
LENGTHS = ("short", "long")
LONGEST = 40
"""Words of a turn from which on it is long, if there are more."""


class Params(Record):
    """The options that kernels know."""

    mode = field(type=np.int8, meaning="0 share, 1 revenue, 2 sale")


class State(StateRecord):
    """The buyer, what was said, and how it ended."""

    personality = field(type=np.int8, meaning="index")
    strategy = field(type=np.int8, meaning="0 wants discounts, 1 wants features, 2 is impatient")
    brand = field(type=np.int8, meaning="wanted")
    kind = field(type=np.int8, meaning="wanted type")
    wanted = field(type=np.int32, meaning="wanted features, bits")
    budget = field(type=np.int64, meaning="dollars")
    value = field(
        type=np.int8, meaning="what cars are worth to the buyer: 0.85 of the list price and this many hundredths"
    )
    patience = field(type=np.int32, meaning="turns of the seller that the buyer stays for")
    turn = field(type=np.int32, meaning="turns of the seller")
    said = field(
        type=np.int16, shape=(MOST, 6), meaning="of each turn: act, brand, type, features as bits, price in steps, long"
    )
    replies = field(
        type=np.int32, shape=(MOST, 2), meaning="of each turn: the buyer's act, and dollars or the index of a feature"
    )
    told = field(type=np.uint8, meaning="the wish was told")
    told_features = field(type=np.int32, meaning="wanted features that were told, bits")
    told_budget = field(type=np.uint8, meaning="the budget was told")
    mentioned = field(type=np.int32, meaning="features that the seller has mentioned, bits")
    discount = field(type=np.uint8, meaning="a price below the list price was offered")
    long_turns = field(type=np.int32, meaning="long turns of the seller")
    soothed = field(type=np.uint8, meaning="an apology has won a turn back")
    price = field(type=np.int64, meaning="of a sale, dollars; 0 for none")
    listed = field(type=np.int64, meaning="list price of the car that was sold, dollars")


class Info(Record):
    """The metrics."""

    price = field(type=np.float64, meaning="of a sale, dollars")
    success = field(type=np.bool_, meaning="sold")
    oracle_version = field(type=np.int32, meaning="of the rules that answer, `RULES`")
    oracle_intent = field(type=np.int32, meaning="the seller's last act, an index into `ACTS`, -1 before the first")
    oracle_confidence = field(type=np.float64, meaning="1 once something was said, else 0")


@kernel
def reservation(s, brand, kind, features):
    """The most that the buyer pays for a car, dollars."""
    matched = bits(np.int64(s.wanted) & features)
    missed = np.int64(brand != s.brand) + np.int64(kind != s.kind)
    return min(np.float64(s.budget), msrp(brand, kind, features) * worth(s.value, matched, missed))


@kernel
def draw_patience(s):
    """Turns that the buyer stays for."""
    least, most = PATIENCE[s.personality, 0], PATIENCE[s.personality, 1]
    if s.strategy == IMPATIENT:
        least, most = IMPATIENT_PATIENCE[0], IMPATIENT_PATIENCE[1]
    s.patience = least + rng.integers(s.rng, rng.RESET, most - least + 1)


@kernel
def reset(s):
    """Draw the buyer; nothing is said."""
    s.personality = rng.integers(s.rng, rng.RESET, len(PERSONALITIES))
    s.strategy = rng.integers(s.rng, rng.RESET, len(STRATEGIES))
    s.brand = rng.integers(s.rng, rng.RESET, len(BRANDS))
    s.kind = rng.integers(s.rng, rng.RESET, len(TYPES))
    count, s.wanted = 1 + rng.integers(s.rng, rng.RESET, 4), 0
    while bits(np.int64(s.wanted)) < count:
        s.wanted = np.int64(s.wanted) | (1 << rng.integers(s.rng, rng.RESET, len(FEATURES)))
    s.budget = BUDGETS[rng.integers(s.rng, rng.RESET, len(BUDGETS))]
    s.value = rng.integers(s.rng, rng.RESET, VALUES)
    draw_patience(s)
    s.turn, s.told, s.told_features, s.told_budget, s.mentioned = 0, 0, 0, 0, 0
    s.discount, s.long_turns, s.soothed, s.price, s.listed = 0, 0, 0, 0, 0
    for k in range(MOST):
        for j in range(6):
            s.said[k, j] = 0
        s.replies[k, 0], s.replies[k, 1] = 0, 0


@kernel
def weigh(s, brand, kind, features, price):
    """The buyer's reply to an offer: its act, and dollars or a feature."""
    listed, most = msrp(brand, kind, features), reservation(s, brand, kind, features)
    if price < listed:
        s.discount = 1
    if s.strategy == SEEKS and not heard_enough(s.wanted, s.mentioned):
        return ASK_FEATURE, missing_feature(s.wanted, s.mentioned)
    reply, amount = bargain(price, most, listed, s.strategy, s.turn, s.patience, TOUGHNESS[s.personality])
    if reply == ACCEPT:
        s.price, s.listed = price, listed
    return reply, amount


@kernel
def chat(s, act):
    """The buyer's reply to what is no offer."""
    if act == ASK_NEEDS:
        s.told, s.told_features = 1, s.wanted
        return NEEDS, np.int64(0)
    if act == ASK_BUDGET:
        if TOUGHNESS[s.personality] > 1.5:
            return SECRET, np.int64(0)
        s.told_budget = 1
        return BUDGET, np.int64(s.budget)
    if s.told == 0:
        s.told = 1
        return WISH, np.int64(0)
    return ASK_PRICE, np.int64(0)


@kernel
def converse(s, action):
    """A turn of the seller and the buyer's reply."""
    act, brand, kind, price = np.int64(action[0]), np.int64(action[1]), np.int64(action[2]), np.int64(action[3])
    features = 0
    for k in range(len(FEATURES)):
        features |= np.int64(action[5 + k]) << k
    row = s.said[s.turn]
    row[0], row[1], row[2], row[3], row[4], row[5] = act, brand, kind, features, price, action[4]
    s.turn += np.int32(1)
    s.long_turns += np.int32(action[4])
    if act in (TALK, OFFER):
        s.mentioned = np.int64(s.mentioned) | features
    if act == INSULT:
        s.patience -= np.int32(2)
    if act == APOLOGISE and s.soothed == 0:
        s.soothed = 1
        s.patience += np.int32(1)
    if act == END or (s.strategy == IMPATIENT and s.long_turns >= 2):
        return REJECT, np.int64(0)
    reply, amount = weigh(s, brand, kind, features, price * STEP) if act == OFFER else chat(s, act)
    if reply == ASK_FEATURE:
        s.told_features = np.int64(s.told_features) | (np.int64(1) << amount)
    if reply == ACCEPT:
        return reply, amount
    return impatient(reply, amount, s.turn, s.patience)


@kernel
def outcome(s, p):
    """The reward of an ended episode."""
    if s.price == 0:
        return forgone(p.mode, s.budget, msrp(np.int64(s.brand), np.int64(s.kind), np.int64(s.wanted)))
    return earned(p.mode, s.price, s.budget, s.listed)


@kernel
def step(s, p, action):
    """A turn. Reward, and whether the buyer has decided."""
    reply, amount = converse(s, action)
    s.replies[s.turn - 1, 0], s.replies[s.turn - 1, 1] = reply, amount
    over = reply in (ACCEPT, REJECT)
    return (outcome(s, p) if over else 0.0), over


@kernel
def observe(s, o, info):
    """Write what the seller can know."""
    for k in range(len(PERSONALITIES)):
        o.tone[k] = s.turn > 0 and s.personality == k
    for k in range(len(BRANDS)):
        o.brand[k] = s.told != 0 and s.brand == k
    for k in range(len(TYPES)):
        o.kind[k] = s.told != 0 and s.kind == k
    for k in range(len(FEATURES)):
        o.wanted[k] = (s.told_features >> k) & 1
        o.mentioned[k] = (s.mentioned >> k) & 1
    o.budget = np.float32(s.budget) / np.float32(1e5) if s.told_budget else 0.0
    o.turn = np.float32(s.turn)
    o.soothed, o.long_turns = s.soothed, min(s.long_turns, 2)
    for k in range(len(REPLIES)):
        o.reply[k] = s.turn > 0 and s.replies[s.turn - 1, 0] == k
    o.reply_amount, o.offered, o.listed = 0.0, 0.0, 0.0
    if s.turn > 0:
        last = s.said[s.turn - 1]
        if s.replies[s.turn - 1, 0] in (COUNTER, COMPLAIN, THREATEN, ACCEPT):
            o.reply_amount = np.float32(s.replies[s.turn - 1, 1]) / np.float32(1e5)
        if last[0] == OFFER:
            o.offered = np.float32(np.int64(last[4]) * STEP) / np.float32(1e5)
            o.listed = np.float32(msrp(np.int64(last[1]), np.int64(last[2]), np.int64(last[3]))) / np.float32(1e5)
    info.price, info.success = np.float64(s.price), s.price > 0
    info.oracle_version, info.oracle_intent, info.oracle_confidence = RULES, -1, 0.0
    if s.turn > 0:
        info.oracle_intent, info.oracle_confidence = s.said[s.turn - 1, 0], 1.0


HEADS = (
    ("act", ACTS),
    ("brand", tuple(BRANDS)),
    ("type", TYPES),
    ("price", ("none", *(str(STEP * k) for k in range(1, PRICES + 1)))),
    ("length", LENGTHS),
    *((name, ("no", "yes")) for name in FEATURES),
)


class CarDealerWorld(World):
    """Sell a car for much money to a buyer whose budget, patience and wishes are hidden.

    Args:
        reward: ``"share"``: of a sale its price over the mean of budget and list price, without one what is lost, the
            budget over the list price of the car that was wanted, less 1, negative; ``"revenue"``: a thousandth of the
            price, without a sale 0; ``"sale"``: as ``"share"``, but 0 without a sale.
    """

    loops = batch_loops(reset, step, observe)
    info_dtype = Info.dtype()
    state_dtype = State.dtype()
    action = Choices(HEADS)
    observation = Vector(
        (
            Block("tone", len(PERSONALITIES), 0, 1, "", "1 for the buyer's personality, which can be heard"),
            Block("brand", len(BRANDS), 0, 1, "", "1 for the wanted brand, once told"),
            Block("kind", len(TYPES), 0, 1, "", "1 for the wanted type, once told"),
            Block("wanted", len(FEATURES), 0, 1, "", "1 for wanted features that were told"),
            Block("mentioned", len(FEATURES), 0, 1, "", "1 for features that the seller has mentioned"),
            Block("budget", 1, 0, 1, "1e5 USD", "the budget, 0 until it is told"),
            Block("turn", 1, 0, MOST, "", "turns of the seller"),
            Block("soothed", 1, 0, 1, "", "1 once an apology has won a turn"),
            Block("long_turns", 1, 0, 2, "", "long turns of the seller, 2 for more"),
            Block("reply", len(REPLIES), 0, 1, "", "1 for the act of the buyer's last reply"),
            Block("reply_amount", 1, 0, 2, "1e5 USD", "the price that the buyer named in it"),
            Block("offered", 1, 0, 2, "1e5 USD", "the seller's last price, if the last turn was an offer"),
            Block("listed", 1, 0, 2, "1e5 USD", "the list price of that car"),
        ),
        dtype=np.float32,
    )

    def __init__(self, *, reward: Literal["share", "revenue", "sale"] = "share"):
        self.params = Params.make(mode=("share", "revenue", "sale").index(reward))
        low, high = {"share": (-3.0, 2.0), "revenue": (0.0, 160.0), "sale": (0.0, 2.0)}[reward]
        self.reward = Reward(low=np.array(low), high=np.array(high))
