"""Negotiation beside a slow reference: trades, ends, closed forms, players who never lose, secrets, words."""

import dataclasses

import numpy as np
import pytest

import envsuite
from envsuite.core.companions import Pictures, Players, Words, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.core.world import make_world, observe
from envsuite.evaluation.rollout import play, random_policy
from envsuite.language_games.negotiation.world import ACCEPT, DENY, OFFERS, NegotiationWorld
from envsuite.language_games.solving.perfect import backward_induction
from envsuite.language_games.solving.tree import unfold
from envsuite.language_games.solving.values import exploitability, profile_of

from ..batches import begun
from .common import at_random, played

FIVE = {"kinds": 5, "most": 5}


class Market:
    """The rules once more, with goods in dictionaries and moves as texts."""

    def __init__(self, state, world):
        self.kinds, self.left, self.table = world.kinds, world.turns, None
        self.goods = [dict(zip(world.kinds, row.tolist(), strict=True)) for row in state["goods"]]
        self.worth = [dict(zip(world.kinds, row.tolist(), strict=True)) for row in state["worth"]]
        self.start = [self.value(0), self.value(1)]
        self.mover = int(state["current_player"])

    def value(self, player):
        """Of a player's goods."""
        return sum(self.goods[player][kind] * self.worth[player][kind] for kind in self.kinds)

    def gains(self):
        """Of both."""
        return [self.value(player) - self.start[player] for player in (0, 1)]

    def legal(self, name):
        """Whether a move may be made."""
        if name == "deny":
            return True
        if name == "accept":
            if self.table is None:
                return False
            count, kind = self.table[1]
            return self.goods[self.mover][kind] >= count
        _, count, kind, *_ = name.split("_")
        return self.goods[self.mover][kind] >= int(count)

    def move(self, name):
        """Make it; whether the game is over."""
        if name == "accept":
            (gives, given), (wants, wanted) = self.table
            for player, sign in ((self.mover, 1), (1 - self.mover, -1)):
                self.goods[player][given] += sign * gives
                self.goods[player][wanted] -= sign * wants
        self.table = None
        if name.startswith("offer"):
            _, gives, given, _, wants, wanted = name.split("_")
            self.table = (int(gives), given), (int(wants), wanted)
        self.mover, self.left = 1 - self.mover, self.left - 1
        return self.left == 0


@pytest.mark.parametrize("payoff", ["outcome", "gain"])
@pytest.mark.parametrize("options", [{}, FIVE, {"most": 3, "turns": 30}])
def test_whole_games_are_those_of_a_slow_reference(options, payoff):
    """Goods, legal moves, rewards and ends after every move; goods change hands and are neither made nor lost."""
    world, draw = NegotiationWorld(**options, payoff=payoff, starter="drawn"), np.random.default_rng(0)
    batch, names = begun(world, 24, 5), world.action.names
    markets = [Market(state, world) for state in batch.states]
    there, trades = batch.states["goods"].sum(axis=1), 0
    for turn in range(world.turns):
        masks, actions = batch.last.info["action_mask"], np.zeros(24, np.int64)
        for i, market in enumerate(markets):
            legal = [market.legal(name) for name in names]
            np.testing.assert_array_equal(masks[i, market.mover] != 0, legal)
            assert not masks[i, 1 - market.mover].any()
            takes = legal[ACCEPT] and draw.random() < 0.5
            actions[i] = ACCEPT if takes else draw.choice(np.flatnonzero(legal))
            trades += int(actions[i] == ACCEPT)
        before = [market.gains() for market in markets]
        over = [market.move(names[action]) for market, action in zip(markets, actions, strict=True)]
        output = batch.step(np.repeat(actions[:, np.newaxis], 2, axis=1))
        assert over == [turn == world.turns - 1] * 24 == output.terminated[:, 0].tolist()
        for i, market in enumerate(markets):
            assert batch.states["goods"][i].tolist() == [list(goods.values()) for goods in market.goods]
            gains = market.gains()
            np.testing.assert_array_equal(output.info["gained"][i], gains)
            paid = np.subtract(gains, before[i]) if payoff == "gain" else [0, 0]
            if payoff == "outcome" and over[i]:
                paid = np.sign([gains[0] - gains[1], gains[1] - gains[0]])
            np.testing.assert_array_equal(output.rewards[i], paid)
        assert (batch.states["goods"] >= 0).all()
        np.testing.assert_array_equal(batch.states["goods"].sum(axis=1), there)
    assert trades > 50
    np.testing.assert_array_equal(batch.states["trades"].sum(), trades)


def test_gains_of_wood_for_gold():
    """Who gives w wood for g gold gains 15g - 5w, the other 15w - 5g; both together at most 200, by a full swap."""
    world = NegotiationWorld(payoff="gain")
    wood = [k for k, (_, given, *_) in enumerate(world.offers) if given == 0]
    batch = begun(world, len(wood))
    batch.step(np.repeat(np.array(wood)[:, np.newaxis] + OFFERS, 2, axis=1))
    gains = batch.step(np.full((len(wood), 2), ACCEPT)).rewards
    w, g = np.array([(gives, wants) for gives, _, wants, _ in world.offers])[wood].T
    np.testing.assert_array_equal(gains, np.stack([15 * g - 5 * w, 15 * w - 5 * g], axis=1))
    np.testing.assert_array_equal(gains[:, 0] - gains[:, 1], 20 * (g - w))
    assert gains.sum(axis=1).max() == 200
    assert (w[gains.sum(axis=1).argmax()], g[gains.sum(axis=1).argmax()]) == (10, 10)


def test_offers_that_are_not_accepted_at_once_are_off():
    batch = begun(NegotiationWorld())
    played(batch, "offer_2_wood_for_1_gold", "offer_9_gold_for_1_wood", "deny")
    assert batch.states["offer"][0] == -1
    assert not batch.last.info["action_mask"][0, 1, ACCEPT]
    assert batch.states["answer"][0].tolist() == [-1, -1]
    played(batch, "deny", "offer_1_wood_for_1_gold")
    assert not batch.last.info["action_mask"][0, 0, ACCEPT]  # one's own offer
    played(batch, "accept")
    assert batch.states["answer"][0].tolist() == [1, -1]
    assert batch.states["goods"][0].tolist() == [[9, 11], [11, 9]]


def test_nobody_pays_what_it_does_not_have():
    batch = begun(NegotiationWorld())
    played(batch, "offer_10_wood_for_1_gold", "accept", "deny")
    masks, names = batch.last.info["action_mask"][0, 1], batch.world.action.names
    assert batch.states["goods"][0].tolist() == [[0, 11], [20, 9]]
    assert masks[names.index("offer_9_gold_for_1_wood")]
    assert not masks[names.index("offer_10_gold_for_1_wood")]
    output = played(batch, "offer_9_gold_for_1_wood")  # the other has no wood left
    assert not output.info["action_mask"][0, 0, ACCEPT]
    output = played(batch, "accept")
    assert output.terminated.all()
    np.testing.assert_array_equal(output.rewards[0], (-1, 1))


def test_what_is_drawn():
    """Stocks of 5 to 25 and worths within a fifth of 5, 10, 15, 25 and 40, from 5 to 40, all equally often."""
    states = begun(NegotiationWorld(**FIVE), 4000).states
    np.testing.assert_array_equal(np.unique(states["start"]), np.arange(5, 26))
    for k, (low, high) in enumerate(((5, 6), (8, 12), (12, 18), (20, 30), (32, 40))):
        values, counts = np.unique(states["worth"][:, :, k], return_counts=True)
        np.testing.assert_array_equal(values, np.arange(low, high + 1))
        np.testing.assert_allclose(counts / 8000, 1 / len(values), atol=4 * (0.25 / 8000) ** 0.5)
    assert abs(np.corrcoef(states["worth"][:, 0, 4], states["worth"][:, 1, 4])[0, 1]) < 0.07


def test_the_game_is_worth_nothing():
    """By backward induction of a small game; a player who trades securely cannot be exploited, a random one can."""
    world = NegotiationWorld(most=2, turns=4)
    tree = unfold(world)
    assert backward_induction(tree).value == 0
    secure = profile_of(tree, companion(world, Players).policy("secure"))
    assert exploitability(tree, secure) == 0
    assert exploitability(tree, tree.uniform) > 0.4
    for name in ("generous", "welfare"):
        assert exploitability(tree, profile_of(tree, companion(world, Players).policy(name))) > 0.9


def collector(name):
    return lambda world, slots: companion(world, Players).collector(name)


@pytest.mark.parametrize("name", ["NegotiationTwo", "NegotiationFive"])
def test_secure_players_never_lose(name):
    """Against players of every manner and random ones; stronger ones lose less."""
    card, means = envsuite.card(name), {}
    for other in ("uniform", "generous", "welfare", "fair", "greedy", "secure"):
        games = play(card, collector("secure"), 200, against=collector(other))
        assert games.returns.min() >= 0
        means[other] = games.returns.mean()
    assert means["secure"] == 0
    assert means["uniform"] > 0.85
    assert 0.3 < means["greedy"] < means["generous"]
    harder = play(card, collector("greedy"), 300, against=collector("generous")).returns
    assert harder.mean() > 3 * harder.std() / 300**0.5


def test_welfare_makes_most_for_both():
    card = dataclasses.replace(envsuite.card("NegotiationTwo"), options={"payoff": "gain"})
    found = play(card, collector("welfare"), 20)
    np.testing.assert_array_equal(found.returns, 200)
    assert abs(play(card, random_policy, 400).returns.mean()) < 10


@pytest.mark.parametrize("name", ["NegotiationTwo", "NegotiationFive"])
def test_players_make_legal_moves(name):
    card = envsuite.card(name)
    for payoff in ("outcome", "gain"):
        world = make_world(card.world, **card.options | {"payoff": payoff})
        for one in companion(world, Players).policies():
            player, batch = companion(world, Players).collector(one), begun(world, 24)
            player.reset(np.ones(24, np.bool_), np.arange(24))
            for _ in range(world.turns):
                mover, masks = batch.states["current_player"].copy(), batch.last.info["action_mask"].copy()
                actions, rows = player.act(batch.last.observations, batch.states), np.arange(24)
                assert masks[rows, mover, actions[rows, mover]].all()
                batch.step(actions)


@pytest.mark.parametrize("payoff", ["outcome", "gain"])
def test_goods_and_worths_of_the_other_show_nowhere(payoff):
    """Through a whole game of five kinds: observation, text and pictures of the first player are the same."""
    world = NegotiationWorld(**FIVE, payoff=payoff)
    batch, twin = begun(world), begun(world)
    words, pictures, draw = companion(world, Words), companion(world, Pictures), np.random.default_rng(4)
    for field in ("goods", "start"):
        twin.states[field][0, 1] += 3
    twin.states["worth"][0, 1] = np.where(
        twin.states["worth"][0, 1] == (5, 8, 12, 20, 32), (6, 9, 13, 21, 33), (5, 8, 12, 20, 32)
    )
    for _ in range(world.turns):
        one, two = batch.states[0], twin.states[0]
        np.testing.assert_array_equal(observe(world, one)[0], observe(world, two)[0])
        assert (observe(world, one)[1] != observe(world, two)[1]).any()
        assert words.describe(one, 0) == words.describe(two, 0)
        np.testing.assert_array_equal(*(pictures.seen_by(state, (420, 300), 0) for state in (one, two)))
        seen = np.zeros((2, 2, 84, 84, 3), np.uint8)
        pictures.draw_many(np.concatenate([batch.states, twin.states]), "pixels", seen)
        np.testing.assert_array_equal(seen[0, 0], seen[1, 0])
        assert (seen[0, 1] != seen[1, 1]).any()
        actions = (
            np.full((1, 2), ACCEPT) if batch.last.info["action_mask"][0, :, ACCEPT].any() else at_random(batch, draw)
        )
        if batch.step(actions).terminated.all():
            break
        twin.step(actions)


@pytest.mark.parametrize("options", [{}, FIVE])
def test_every_legal_move_can_be_said(options):
    world = NegotiationWorld(**options)
    batch, words, draw = begun(world), companion(world, Words), np.random.default_rng(2)
    for _ in range(world.turns):
        mover, state = int(batch.states["current_player"][0]), batch.states[0]
        legal = np.flatnonzero(batch.last.info["action_mask"][0, mover])
        for move in [*legal[:3], *draw.choice(legal, 25)]:
            said = words.say(int(move))
            assert words.parse(f"I am poor. [{said}] Please.", state, mover) == move
            assert words.parse(world.action.names[move].upper(), state, mover) == move
            assert isinstance(words.parse(f"[{said}]", state, 1 - mover), Refusal)
        assert "Legal moves: " in words.describe(state, mover)
        batch.step(at_random(batch, draw))
    assert "The game is over. " in words.describe(batch.states[0], 0)


def test_other_ways_to_offer():
    world = NegotiationWorld()
    state, words = begun(world).states[0], companion(world, Words)
    for text in ("[Offer: 2 Wood -> 3 Gold]", "[offer 2 wood for 3 gold]", "offer: two wood => three gold"):
        assert world.action.names[words.parse(text, state, 0)] == "offer_2_wood_for_3_gold"
    for text in ("[pass]", "No. [Reject]", "refuse", "deny"):
        assert words.parse(text, state, 0) == DENY


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", RefusalKind.EMPTY),
        ("[accept]", RefusalKind.ILLEGAL),
        ("[hello]", RefusalKind.UNKNOWN_NAME),
        ("[offer: 2 sheep -> 1 gold]", RefusalKind.UNKNOWN_NAME),
        ("[offer: 0 wood -> 1 gold]", RefusalKind.OUT_OF_RANGE),
        ("[offer: 11 wood -> 1 gold]", RefusalKind.OUT_OF_RANGE),
        (f"[offer: 1 wood -> {'9' * 5000} gold]", RefusalKind.OUT_OF_RANGE),
        ("[offer: wood]", RefusalKind.UNREADABLE),
        ("[offer: 2 wood -> 1 wood]", RefusalKind.UNREADABLE),
        ("[offer: 2 wood, 1 gold -> 3 gold]", RefusalKind.UNREADABLE),
        ("[offer: 2 wood -> 1 gold, 1 wood]", RefusalKind.UNREADABLE),
        ("[accept or deny]", RefusalKind.AMBIGUOUS),
    ],
)
def test_refusals(text, kind):
    refusal = companion(NegotiationWorld(), Words).parse(text, begun(NegotiationWorld()).states[0], 0)
    assert isinstance(refusal, Refusal)
    assert refusal.kind == kind
    assert "legal moves" in refusal.reason
    assert len(refusal.reason) < 600


def test_nothing_that_is_said_raises():
    """Random words of the game, and a very long answer: an answer is a legal move or a refusal."""
    batch, words, draw = begun(NegotiationWorld()), companion(NegotiationWorld(), Words), np.random.default_rng(0)
    parts = [
        "offer",
        ":",
        "1",
        "3",
        "two",
        "99",
        "-1",
        "wood",
        "gold",
        "sheep",
        "->",
        "for",
        ",",
        "and",
        "accept",
        "[",
        "]",
        "²",
    ]
    read = 0
    texts = [" ".join(draw.choice(parts, draw.integers(1, 9))) for _ in range(2000)]
    near = [("1", "3", "two", "99"), ("wood", "gold", "ore"), ("->", "for"), ("1", "ten"), ("wood", "gold", "[")]
    texts += [" ".join(["offer", *(draw.choice(one) for one in near)]) for _ in range(300)]
    for text in [*texts, "offer: " + "1 wood, " * 4000, "offer " * 4000, "offer: 1 " + "a" * 30_000]:
        found = words.parse(text, batch.states[0], 0)
        if not isinstance(found, Refusal):
            assert batch.last.info["action_mask"][0, 0, found]
            read += 1
    assert read > 5


@pytest.mark.parametrize(
    ("options", "message"),
    [({"kinds": 3}, "kinds"), ({"most": 11}, "most"), ({"turns": 1}, "turns"), ({"payoff": "win"}, "payoff")],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        make_world("envsuite.language_games.negotiation.world:NegotiationWorld", **options)
