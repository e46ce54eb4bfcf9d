"""Car dealing: the buyer against a second reading of the rules, the sellers, and the reader of what they say."""

import itertools
import math

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Players, Words, companion
from envsuite.core.jit import records
from envsuite.core.language import Refusal, RefusalKind
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import play, random_policy
from envsuite.text_games.car_dealer.catalogue import (
    BRANDS,
    BUDGETS,
    FEATURES,
    PATIENCE,
    PERSONALITIES,
    STEP,
    TOUGHNESS,
    TYPES,
    VERSION,
    list_price,
)
from envsuite.text_games.car_dealer.experts import COLLECTORS, offer
from envsuite.text_games.car_dealer.phrases import ACTS as PHRASES
from envsuite.text_games.car_dealer.phrases import MANNERS, spoken
from envsuite.text_games.car_dealer.planning import Plan, Wish, answer, limit, prior
from envsuite.text_games.car_dealer.reading import Turn, amounts, read_turn
from envsuite.text_games.car_dealer.rules import REPLIES, heard_enough
from envsuite.text_games.car_dealer.world import ACTS, HEADS, CarDealerWorld, converse, outcome

CARD = "CarDealer"


def begun(world, slots: int = 1) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(slots))
    batch.reset()
    return batch


def facing(world=None, **buyer) -> Batch:
    """A batch of one slot with a buyer: polite, wants a Ford sedan with a sunroof, has 50,000 dollars, and unless
    told otherwise time."""
    batch = begun(world or CarDealerWorld())
    usual = {
        "personality": 3,
        "strategy": 2,
        "brand": 2,
        "kind": 1,
        "wanted": 1 << 6,
        "budget": 50_000,
        "value": 15,
        "patience": 10,
    }
    for name, value in (usual | buyer).items():
        batch.states[name] = value
    return batch


def turn(act: str, brand: int = 2, kind: int = 1, features: int = 0, price: int = 0, long: int = 0) -> np.ndarray:
    """An action."""
    action = offer(brand, kind, features, price)
    action[0], action[4] = ACTS.index(act), long
    return action


def said(batch: Batch, *turns: np.ndarray) -> tuple[str, int, float, bool]:
    """The buyer's last reply to some turns, its amount, the reward, and whether it is over."""
    for action in turns:
        output = batch.step(action[None])
    reply, amount = batch.states["replies"][0, batch.states["turn"][0] - 1]
    return REPLIES[reply], int(amount), float(output.rewards[0]), bool(output.terminated[0])


class Buyer:
    """The rules of the README once more, in plain words of Python."""

    def __init__(self, state: np.void):
        self.tough = float(TOUGHNESS[state["personality"]])
        self.strategy = ("discounts", "features", "impatient")[int(state["strategy"])]
        self.wish = int(state["brand"]), int(state["kind"])
        self.wanted = {k for k in range(8) if int(state["wanted"]) >> k & 1}
        self.budget, self.value, self.patience = (
            int(state["budget"]),
            0.85 + 0.01 * int(state["value"]),
            int(state["patience"]),
        )
        self.turn = self.long = 0
        self.told = self.discount = self.soothed = False
        self.heard: set[int] = set()

    def concession(self, turn: int) -> float:
        exponent = {0.5: 0.5, 1.0: 1.0, 2.0: 2.0}[self.tough]
        return 0.8 + 0.2 * min(turn / self.patience, 1.0) ** exponent

    def reply(self, action: np.ndarray) -> tuple[str, int]:
        act, brand, kind, steps, long = (int(one) for one in action[:5])
        features = {k for k in range(8) if action[5 + k]}
        self.turn += 1
        self.long += long
        name = ACTS[act]
        if name in ("talk", "offer"):
            self.heard |= features
        if name == "insult":
            self.patience -= 2
        if name == "apologise" and not self.soothed:
            self.soothed, self.patience = True, self.patience + 1
        if name == "end" or (self.strategy == "impatient" and self.long >= 2):
            return "reject", 0
        found, amount = self.weigh(brand, kind, features, steps * STEP) if name == "offer" else self.chat(name)
        if found == "accept":
            return found, amount
        if self.turn >= self.patience or self.turn >= 15:
            return "reject", 0
        if self.turn == self.patience - 1 and found in ("counter", "complain", "ask price"):
            return "threaten", amount if found != "ask price" else 0
        return found, amount

    def chat(self, name: str) -> tuple[str, int]:
        if name == "ask needs":
            self.told = True
            return "tell needs", 0
        if name == "ask budget":
            return ("keep budget", 0) if self.tough == 2.0 else ("tell budget", self.budget)
        first, self.told = not self.told, True
        return ("state wish", 0) if first else ("ask price", 0)

    def weigh(self, brand: int, kind: int, features: set[int], price: int) -> tuple[str, int]:
        listed = list_price(brand, kind, sum(1 << k for k in features))
        missed = (brand != self.wish[0]) + (kind != self.wish[1])
        most = min(self.budget, listed * (self.value + 0.015 * len(features & self.wanted) - 0.08 * missed))
        self.discount |= price < listed
        if self.strategy == "features" and len(self.heard & self.wanted) < len(self.wanted) / 2:
            return "ask feature", min(self.wanted - self.heard)
        fits = self.strategy != "discounts" or (self.discount and price <= 0.95 * listed)
        if fits and price <= most * self.concession(self.turn + 1) + 1e-4:
            return "accept", price
        counter = math.floor(most * self.concession(self.turn)) // 100 * 100
        if self.strategy == "discounts":
            counter = min(counter, math.floor(0.95 * listed) // 100 * 100)
        return ("complain" if not fits else "counter"), counter


def test_buyers_reply_as_a_second_reading_of_the_rules_has_it():
    slots, draw = 200, np.random.default_rng(0)
    batch = begun(CarDealerWorld(), slots)
    buyers = [Buyer(state) for state in batch.states]
    sizes = [len(names) for _, names in HEADS]
    over, seen = np.zeros(slots, bool), set()
    for _ in range(15):
        actions = np.stack([draw.integers(0, size, slots) for size in sizes], axis=1)
        actions[:, 4] = draw.random(slots) < 0.15
        actions[draw.random(slots) < 0.6, 0] = ACTS.index("offer")
        wished = draw.random(slots) < 0.7
        actions[wished, 1], actions[wished, 2] = batch.states["brand"][wished], batch.states["kind"][wished]
        actions[:, 3] = draw.integers(15, 140, slots)
        output = batch.step(actions, np.zeros(slots, bool))
        for k in np.flatnonzero(~over):
            reply, amount = buyers[k].reply(actions[k])
            state = batch.states[k]
            assert (REPLIES[state["replies"][state["turn"] - 1, 0]], state["replies"][state["turn"] - 1, 1]) == (
                reply,
                amount,
            )
            assert output.terminated[k] == (reply in ("accept", "reject"))
            seen.add(reply)
        over |= output.terminated
        batch.states["clock"]["done"] = 0
        batch.states["turn"][over] = 0
    assert over.all()
    assert seen == set(REPLIES) - {"nothing", "greet"}


def test_list_prices_are_those_of_the_tables():
    assert list_price(2, 1, 0) == 27_000
    assert list_price(2, 1, 1 << 6) == 28_100
    assert list_price(11, 0, 255) == 80_000 * 1.6 + 400 + 900 + 600 + 1500 + 1200 + 700 + 1100 + 300
    assert (len(BRANDS), len(TYPES), len(FEATURES), len(PERSONALITIES), len(BUDGETS)) == (13, 6, 8, 10, 5)


def test_buyers_are_drawn_as_they_should():
    states = begun(CarDealerWorld(), 20_000).states
    for name, count in (("personality", 10), ("strategy", 3), ("brand", 13), ("kind", 6), ("value", 21)):
        expected = 20_000 / count
        assert (np.abs(np.bincount(states[name], minlength=count) - expected) < 5 * np.sqrt(expected)).all(), name
    wanted = np.array([int(one).bit_count() for one in states["wanted"]])
    assert (np.abs(np.bincount(wanted, minlength=5)[1:] - 5000) < 5 * np.sqrt(5000)).all()
    impatient = states["strategy"] == 2
    assert set(states["patience"][impatient].tolist()) == {4, 5, 6}
    for k, (least, most) in enumerate(PATIENCE):
        assert set(states["patience"][~impatient & (states["personality"] == k)].tolist()) == set(
            range(least, most + 1)
        )


def test_rewards_are_what_the_formulas_say():
    price, listed = 25_000, 28_100
    for mode, expected in (
        ("share", price / (0.5 * (50_000 + listed))),
        ("revenue", 25.0),
        ("sale", price / (0.5 * (50_000 + listed))),
    ):
        batch = facing(CarDealerWorld(reward=mode))
        reply, amount, reward, over = said(batch, turn("offer", features=1 << 6, price=price))
        assert (reply, amount, over) == ("accept", price, True)
        assert reward == pytest.approx(expected, rel=1e-6)
    for mode, expected in (("share", -(50_000 - listed) / listed), ("revenue", 0.0), ("sale", 0.0)):
        reply, _, reward, over = said(facing(CarDealerWorld(reward=mode)), turn("end"))
        assert (reply, over) == ("reject", True)
        assert reward == pytest.approx(expected, rel=1e-6)


def test_no_talk_changes_what_a_lost_sale_costs():
    """In the original the list price in the reward is what was said last, which sellers can talk up or down."""
    rewards = {
        said(facing(), turn("ask needs"), turn("offer", brand, kind, features, 160_000), turn("end"))[2]
        for brand in (4, 11) for kind in (0, 1) for features in (0, 255)
    }  # fmt: skip
    assert len(rewards) == 1


def test_discount_lovers_want_a_discount():
    batch = facing(strategy=0, value=20)
    assert said(batch, turn("offer", price=27_000))[0] == "complain"
    assert said(batch, turn("offer", price=25_500))[:2] == ("accept", 25_500)


def test_feature_seekers_want_to_hear_of_half_of_their_features():
    batch = facing(strategy=1, wanted=0b1110, value=20)
    assert said(batch, turn("offer", price=20_000))[:2] == ("ask feature", 1)
    assert said(batch, turn("talk", features=0b10), turn("offer", price=20_000))[:2] == ("ask feature", 2)
    assert said(batch, turn("talk", features=0b100), turn("offer", price=20_000))[0] == "accept"


def test_the_impatient_leave_after_two_long_turns_and_nobody_else():
    long = turn("talk", long=1)
    assert said(facing(strategy=2), long, long)[0] == "reject"
    assert said(facing(strategy=0), long, long)[0] == "ask price"


def test_patience_ends_sooner_after_insults_and_later_after_an_apology():
    def turns(*first: np.ndarray) -> int:
        batch, count = facing(patience=6), 0
        waits = iter([*first, *[turn("greet")] * 20])
        while True:
            count += 1
            if said(batch, next(waits))[3]:
                return count

    assert (turns(), turns(turn("insult")), turns(turn("apologise")), turns(turn("apologise"), turn("apologise"))) == (
        6,
        4,
        7,
        7,
    )


def test_prices_rise_to_what_a_buyer_pays_at_most():
    batch = facing(value=15, patience=5)
    offers = [said(batch, turn("offer", price=100_000)) for _ in range(5)]
    assert [one[1] for one in offers[:4]] == sorted(one[1] for one in offers[:4])
    assert [one[0] for one in offers] == ["counter", "counter", "counter", "threaten", "reject"]
    batch = facing(value=15, patience=5)
    assert said(batch, *[turn("offer", price=100_000)] * 3, turn("offer", price=27_000))[0] == "accept", (
        "1.00 of the list price in the end"
    )


def test_infos_tell_what_the_buyer_understood():
    batch = facing()
    infos = [batch.last.info.copy()]
    for name in ("ask needs", "talk", "insult"):
        said(batch, turn(name))
        infos.append(batch.last.info.copy())
    assert [one["oracle_intent"][0] for one in infos] == [-1, *(ACTS.index(k) for k in ("ask needs", "talk", "insult"))]
    assert [one["oracle_confidence"][0] for one in infos] == [0.0, 1.0, 1.0, 1.0]
    assert {f"car-dealer-rules-{one['oracle_version'][0]}" for one in infos} == {VERSION}


def test_an_episode_leaves_nothing_behind():
    batch, fresh = (begun(CarDealerWorld(), 64) for _ in range(2))
    policy = random_policy(batch.world, 64)
    policy.reset(np.ones(64, bool), np.arange(64))
    for _ in range(30):
        batch.step(policy.act(batch.last.observations, batch.states), batch.done)
    batch.seed(range(64))
    batch.reset()
    assert batch.states.tobytes() == fresh.states.tobytes()


def returns(batch: Batch, policy) -> np.ndarray:
    """Of one episode in each slot of a batch, which stands at the start."""
    count = len(batch.states)
    policy.reset(np.ones(count, bool), np.arange(count))
    total, over = np.zeros(count), np.zeros(count, bool)
    while not over.all():
        output = batch.step(policy.act(batch.last.observations, batch.states), np.zeros(count, bool))
        total += np.where(over, 0.0, output.rewards)
        over |= output.terminated
        batch.states["clock"]["done"] = 0
        batch.states["turn"][over] = 0
    return total


def bounds(batch: Batch) -> np.ndarray:
    """What a seller gets who knows the buyer."""
    found = []
    for state in batch.states:
        wish = Wish(*(int(state[name]) for name in ("brand", "kind", "wanted", "personality")))
        one = np.array([[int(state[name]) for name in ("budget", "value", "strategy", "patience")]])
        found.append(Plan(wish, one, np.ones(1), int(batch.world.params[0]["mode"])).bound)
    return np.array(found)


@pytest.mark.parametrize("mode", ["share", "revenue", "sale"])
def test_the_optimal_seller_loses_nothing_to_one_who_knows_the_buyer(mode):
    """No seller at all can have more, so it is optimal; the plan says the same of the mean over all buyers."""
    batch = begun(CarDealerWorld(reward=mode), 12)
    bound = bounds(batch)
    for state in batch.states:
        wish = Wish(*(int(state[name]) for name in ("brand", "kind", "wanted", "personality")))
        hidden, weights = prior(wish.personality)
        assert weights.sum() == pytest.approx(1)
        plan = Plan(wish, hidden, weights, int(batch.world.params[0]["mode"]))
        value = plan.search(np.arange(len(hidden)), 1, 0)[0]
        assert value == pytest.approx(plan.bound, rel=1e-4)
        assert value <= plan.bound + 1e-9
    assert returns(batch, companion(batch.world, Players).expert()) == pytest.approx(bound, rel=1e-3)


def test_the_optimal_seller_plays_from_observations_and_recovers():
    """Hidden values change nothing, and after a turn that it did not choose it goes on to sell."""
    batch = begun(CarDealerWorld(), 6)
    players = companion(batch.world, Players)
    one, other = players.expert(), players.expert()
    for policy in (one, other):
        policy.reset(np.ones(6, bool), np.arange(6))
    for _ in range(4):
        actions = one.act(batch.last.observations, batch.states)
        assert (actions == other.act(batch.last.observations, np.zeros_like(batch.states))).all()
        batch.step(actions, np.zeros(6, bool))
    batch = facing(personality=3, patience=12)
    policy = players.expert()
    policy.reset(np.ones(1, bool), np.zeros(1, int))
    for k in range(12):
        action = policy.act(batch.last.observations, batch.states)
        output = batch.step(turn("greet")[None] if k in (0, 3) else action)
        if output.terminated[0]:
            break
    assert output.rewards[0] > 0.9


def test_sellers_come_in_their_order():
    batch = begun(make_world(envsuite.card(CARD).world), 200)
    bound, players = bounds(batch), companion(batch.world, Players)
    for name in COLLECTORS:
        batch.seed(range(200))
        batch.reset()
        simple = returns(batch, players.collector(name))
        assert (simple <= bound + 1e-6).all()
        assert simple.mean() < bound.mean() - 0.15, name


def test_plans_know_what_buyers_reply():
    """The same offers to the same buyers, in a plan and in the world."""
    slots, draw = 300, np.random.default_rng(1)
    batch = begun(CarDealerWorld(), slots)
    batch.step(np.stack([turn("ask needs")] * slots))
    heard, over = np.zeros(slots, np.int64), batch.states["turn"] >= batch.states["patience"]
    for _ in range(14):
        cars = np.stack([draw.integers(0, size, slots) for size in (13, 6, 256)], axis=1)
        wished = draw.random(slots) < 0.5
        cars[wished, 0], cars[wished, 1] = batch.states["brand"][wished], batch.states["kind"][wished]
        prices = draw.integers(10, 200, slots) * STEP
        before = batch.states.copy()
        output = batch.step(
            np.stack([offer(*car, price) for car, price in zip(cars.tolist(), prices.tolist(), strict=True)]),
            np.zeros(slots, bool),
        )
        for k in np.flatnonzero(~over):
            state = before[k]
            wish = np.array([state[name] for name in ("brand", "kind", "wanted", "personality")], np.int64)
            one = np.array([state[name] for name in ("budget", "value", "strategy", "patience")], np.int64)
            offered = np.array([*cars[k], prices[k]], np.int64)
            now = int(state["turn"]) + 1
            replied = answer(offered, one, wish, int(heard[k]), now)
            assert replied == tuple(batch.states["replies"][k, now - 1])
            heard[k] |= cars[k, 2]
            if one[2] != 1 or heard_enough(int(wish[2]), int(heard[k])):
                assert (replied[0] == REPLIES.index("accept")) == (prices[k] <= limit(offered, one, wish, now))
        over |= output.terminated
        batch.states["clock"]["done"] = 0
        batch.states["turn"][over] = 0
    assert over.all()


CARS = np.array([(2, 1, 1 << 6, 0), (4, 1, 0, 0), (11, 0, 1 << 6, 0)])
"""The one that is wanted, a cheap one and a dear one."""


def worth_of(hidden: list[tuple[int, ...]], moves: list[np.ndarray]) -> float:
    """The best mean reward over buyers, by trying every move in every situation, played by the world's own rules.

    Two situations are one if turn, patience and what was heard are the same for the same buyers: what was said before
    changes no reply.
    """
    batch = facing()
    batch.step(turn("ask needs")[None])
    start, params, memory = batch.states.copy(), batch.world.params[0], {}

    def best(records_: tuple[bytes, ...], who: tuple[int, ...]) -> float:
        states = [np.frombuffer(one, start.dtype).copy() for one in records_]
        names = ("turn", "patience", "mentioned", "soothed", "long_turns", "told_budget")
        key = who, tuple(int(state[name][0]) for state in states for name in names)
        if key not in memory:
            memory[key] = max(after(move, records_, who) for move in moves)
        return memory[key]

    def after(move: np.ndarray, records_: tuple[bytes, ...], who: tuple[int, ...]) -> float:
        total, stay = 0.0, {}
        for one, name in zip(records_, who, strict=True):
            state = records(np.frombuffer(one, start.dtype).copy())
            reply = converse(state[0], move)
            if REPLIES[reply[0]] in ("accept", "reject"):
                total += outcome(state[0], params)
            else:
                stay.setdefault(reply, []).append((state.tobytes(), name))
        return total + sum(best(*zip(*group, strict=True)) for group in stay.values())

    first = []
    for budget, value, strategy, patience in hidden:
        state = start.copy()
        state["budget"], state["value"], state["strategy"], state["patience"] = budget, value, strategy, patience
        state["personality"] = 0
        first.append(state.tobytes())
    return best(tuple(first), tuple(range(len(hidden)))) / len(hidden)


OFFERS = [offer(*car[:3].tolist(), price) for car in CARS for price in (*range(6_000, 52_001, 500), 160_000)]
OTHERS = [turn(act, features=1 << 6, long=long) for act in ACTS if act != "offer" for long in (0, 1)]


@pytest.mark.parametrize(
    ("hidden", "moves", "certain"),
    [
        ([(budget, value, 2, 2) for budget in (10_000, 30_000, 50_000) for value in (0, 20)], OFFERS + OTHERS, False),
        ([(budget, value, s, 3) for budget in (30_000, 50_000) for value in (0, 20) for s in (0, 1)], OFFERS, True),
        ([(budget, 10, s, n) for budget in (10_000, 30_000) for s in (0, 2) for n in (2, 3)], OFFERS, False),
        ([(50_000, value, 1, n) for value in (0, 12) for n in (2, 4)], OFFERS, False),
        ([(budget, value, 0, 4) for budget in (30_000, 50_000) for value in (2, 20)], OFFERS, True),
    ],
)
def test_the_search_is_exact_where_everything_can_be_tried(hidden, moves, certain):
    """Three cars, a few buyers and turns; in most of these cases not all can be learnt in time."""
    buyers = np.array(hidden, np.int64)
    asking = CARS + np.array([0, 0, 0, 160_000])
    plan = Plan(Wish(2, 1, 1 << 6, 0), buyers, np.full(len(buyers), 1 / len(buyers)),
                cars=CARS, asking=asking, width=0, crowd=0)  # fmt: skip
    value = plan.search(np.arange(len(buyers)), 1, 0)[0]
    assert value == pytest.approx(worth_of(hidden, moves), abs=1e-9)
    assert (value > plan.bound - 1e-9) == certain


def test_the_bound_is_the_best_of_all_sales():
    """By trying every price of every car, all features counted."""
    for mode in ("share", "revenue"):
        batch = begun(CarDealerWorld(reward=mode), 8)
        for state, bound in zip(batch.states, bounds(batch), strict=True):
            buyer = Buyer(state)
            wished = list_price(*buyer.wish, int(state["wanted"]))
            best = -(buyer.budget - wished) / wished if mode == "share" else 0.0
            for brand, kind, features in itertools.product(range(13), range(6), range(256)):
                listed = list_price(brand, kind, features)
                missed = (brand != buyer.wish[0]) + (kind != buyer.wish[1])
                matched = (features & int(state["wanted"])).bit_count()
                most = min(buyer.budget, listed * (buyer.value + 0.015 * matched - 0.08 * missed))
                most = min(most, 0.95 * listed) if buyer.strategy == "discounts" else most
                price = math.floor((most + 1e-4) / STEP) * STEP
                best = max(best, price / (0.5 * (buyer.budget + listed)) if mode == "share" else price / 1000)
            assert bound == pytest.approx(best)


def test_buyers_speak_in_several_ways_and_always_the_same_way():
    assert set(MANNERS) == set(PERSONALITIES)
    assert min(len(set(ways)) for ways in (*MANNERS.values(), *PHRASES.values())) >= 5
    buyer = {"personality": 0, "brand": 2, "kind": 1, "wanted": 3}
    for act in PHRASES:
        for personality in range(10):
            texts = [spoken(buyer | {"personality": personality}, act, 5 if act == 6 else 12_000, k) for k in range(40)]
            assert len(set(texts)) >= 5
            assert texts == [
                spoken(buyer | {"personality": personality}, act, 5 if act == 6 else 12_000, k) for k in range(40)
            ]
            for text in texts:
                assert "{" not in text
                assert not any(bad in text for bad in ("..  ", "?.", "!.", ".!", ".,", "  "))


def test_descriptions_hold_the_talk_and_hide_the_budget():
    batch = facing(budget=70_000)
    said(batch, turn("greet"), turn("offer", features=1 << 6, price=100_000))
    told = companion(batch.world, Words).describe(batch.states[0])
    assert "Seller: I offer a Ford (sedan) with sunroof, list price $28,100, for $100,000." in told
    assert "$70,000" not in told
    said(batch, turn("ask budget"))
    assert "$70,000" in companion(batch.world, Words).describe(batch.states[0])
    said(batch, turn("offer", features=1 << 6, price=20_000))
    told = companion(batch.world, Words).describe(batch.states[0])
    assert "[Decision: Accept. MSRP: $28,100. Buy price: $20,000.]" in told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello and welcome!", Turn(0, 2, 1, 0, 0, False)),
        ("What kind of car are you looking for?", Turn(1, 2, 1, 0, 0, False)),
        ("And what is your budget?", Turn(2, 2, 1, 0, 0, False)),
        ("This one has heated seats and a sunroof.", Turn(3, 2, 1, 0b1000100, 0, False)),
        ("I can give you this Lexus SUV for $45,250.", Turn(4, 1, 5, 64, 45_500, False)),
        ("How about 45k?", Turn(4, 2, 1, 64, 45_000, False)),
        ("Twenty-five thousand dollars, with leather.", Turn(4, 2, 1, 8, 25_000, False)),
        ("You get 10% off.", Turn(4, 2, 1, 64, 25_500, False)),
        ("I take $2,000 off the price.", Turn(4, 2, 1, 64, 26_000, False)),
        ("It was $30,000, now it is $28,000", Turn(4, 2, 1, 64, 28_000, False)),
        ("I am sorry to hear that.", Turn(5, 2, 1, 0, 0, False)),
        ("You are an idiot.", Turn(6, 2, 1, 0, 0, False)),
        ("Goodbye.", Turn(7, 2, 1, 0, 0, False)),
        ("Hello " + "there " * 41, Turn(0, 2, 1, 0, 0, True)),
    ],
)
def test_turns_are_read(text, expected):
    assert read_turn(text, 2, 1, 64) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", RefusalKind.EMPTY),
        ("...", RefusalKind.UNREADABLE),
        ("It rains in Spain.", RefusalKind.UNREADABLE),
        ("Only $400 a month!", RefusalKind.ILLEGAL),
        ("For $900,000 it is yours.", RefusalKind.OUT_OF_RANGE),
        ("\x00", RefusalKind.UNREADABLE),
        ("$" + "9" * 12 + " now", RefusalKind.OUT_OF_RANGE),
        ("$" + "9" * 1500, RefusalKind.OUT_OF_RANGE),
        ("9" * 200_000, RefusalKind.UNREADABLE),
    ],
)
def test_what_is_no_turn_is_refused(text, kind):
    found = read_turn(text, 2, 1, 64)
    assert isinstance(found, Refusal)
    assert found.kind == kind


def test_amounts_are_read():
    assert amounts("$12,345 or 12k or twelve thousand or 30,000") == [12_345, 12_000, 30_000, 12_000]
    assert amounts("2 doors, 4 wheels") == []


def test_random_sellers_sell_seldom():
    played = play(envsuite.card(CARD), random_policy, 1000, first_seed=0)
    assert played.metrics["success"].mean() < 0.15
    with pytest.raises(ValueError, match="reward is 'profit', expected one of 'share', 'revenue', 'sale'"):
        CarDealerWorld(reward="profit")
