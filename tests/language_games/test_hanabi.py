"""Hanabi beside OpenSpiel and a slow reference; published numbers of random play, secrets, words, players."""

import itertools
from collections import Counter
from functools import cache

import numpy as np
import pytest

import envsuite
from envsuite.core.companions import Pictures, Players, Words, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.core.world import observe
from envsuite.evaluation.rollout import play, random_policy
from envsuite.language_games.hanabi.world import COLORS, HanabiWorld

from ..batches import begun
from .common import at_random

SIMPLE = {"colors": 3, "ranks": 2, "hand": 5, "information": 8}
GAMES = (
    {},
    SIMPLE,
    {"colors": 5, "ranks": 5, "hand": 5, "information": 8},
    {"colors": 2, "ranks": 3, "hand": 4, "information": 1, "lives": 1},
    {"colors": 2, "ranks": 5, "hand": 6, "information": 2},
    {"colors": 4, "ranks": 1, "hand": 6, "information": 3, "lives": 2},
)


def sorted_deck(world):
    """All cards."""
    ranks = world.ranks
    return [
        color * ranks + rank
        for color in range(world.colors)
        for rank in range(ranks)
        for _ in range(3 if rank == 0 else 1 if rank == ranks - 1 else 2)
    ]


class Told:
    """Games whose cards are drawn in the order of decks, and not by chance."""

    def __init__(self, world, decks):
        self.batch = begun(world, len(decks))
        self.batch.world.params["draws"] = 0
        self.batch.reset()
        self.decks, self.drawn = [list(deck) for deck in decks], np.zeros(len(decks), np.int64)
        self._draw(np.zeros(len(decks), np.int64))

    def _draw(self, actions):
        """Step, and draw until nothing is due; slots that wait get outcomes too, on a copy that is put back."""
        while (self.batch.states["chance"] > 0).any():
            due = self.batch.states["chance"] > 0
            kept, last = self.batch.states.copy(), self.batch.last
            told = np.zeros((len(self.decks), 2), np.int64)
            for i in np.flatnonzero(due):
                rest = sorted(self.decks[i][self.drawn[i] :])
                told[i] = rest.index(self.decks[i][self.drawn[i]])
            output = self.batch.step(told)
            self.drawn += due
            self.batch.states[~due] = kept[~due]
            for part in ("observations", "rewards", "terminated"):
                getattr(output, part)[~due] = getattr(last, part)[~due]
            output.info[~due] = last.info[~due]

    def step(self, actions):
        """Moves of all slots; rewards of both players, (n, 2)."""
        rewards = self.batch.step(np.repeat(np.asarray(actions)[:, np.newaxis], 2, axis=1)).rewards.copy()
        self._draw(actions)
        return rewards


class Table:
    """The rules once more, with cards as pairs and knowledge as sets."""

    def __init__(self, world, deck, lost="zero"):
        self.world, self.lost, ranks = world, lost, world.ranks
        cards = [divmod(card, ranks) for card in deck]
        every = {(c, r) for c in range(world.colors) for r in range(ranks)}
        self.hands = [[[card, set(every)] for card in cards[k * world.hand : (k + 1) * world.hand]] for k in (0, 1)]
        self.deck = cards[2 * world.hand :]
        self.piles, self.out, self.mover = Counter(), Counter(), 0
        self.tokens, self.lives = (int(world.params[0][name]) for name in ("information", "lives"))
        self.most, self.last_moves, self.over, self.points = self.tokens, None if self.deck else 2, False, 0

    def legal(self):
        """Names of moves."""
        mine, theirs = self.hands[self.mover], self.hands[1 - self.mover]
        found = {f"play_{k + 1}" for k in range(len(mine))}
        if self.tokens < self.most:
            found |= {f"discard_{k + 1}" for k in range(len(mine))}
        if self.tokens:
            found |= {f"hint_{COLORS[color]}" for (color, _), _ in theirs} | {f"hint_{r + 1}" for (_, r), _ in theirs}
        return set() if self.over else found

    def move(self, name):
        """Points that the move brings."""
        assert name in self.legal()
        what, about = name.split("_")
        before, closing = self.points, self.last_moves is not None
        if what == "hint":
            self.tokens -= 1
            for card, known in self.hands[1 - self.mover]:
                at = 0 if about in COLORS else 1
                value = COLORS.index(about) if about in COLORS else int(about) - 1
                known -= {one for one in known if (one[at] == value) != (card[at] == value)}
        else:
            (color, rank), _ = self.hands[self.mover].pop(int(about) - 1)
            if what == "play" and self.piles[color] == rank:
                self.piles[color] += 1
                self.points += 1
                self.tokens = min(self.most, self.tokens + (rank == self.world.ranks - 1))
            else:
                self.out[color, rank] += 1
                self.tokens, self.lives = self.tokens + (what == "discard"), self.lives - (what == "play")
        if closing:
            self.last_moves -= 1
        self.mover = 1 - self.mover
        if not self.lives and self.lost == "zero":
            self.points = 0
        complete = self.points == self.world.colors * self.world.ranks
        self.over = not self.lives or complete or self.last_moves == 0
        if what != "hint" and self.deck and not self.over:
            every = {(c, r) for c in range(self.world.colors) for r in range(self.world.ranks)}
            self.hands[1 - self.mover].append([self.deck.pop(0), every])
            self.last_moves = None if self.deck else 2
        return self.points - before


def check_table(table, state, world):
    """Whether a record says what the reference says."""
    assert state["information"] == table.tokens
    assert state["lives"] == table.lives
    assert state["total"] == table.points
    assert state["drawable"] == len(table.deck)
    assert bool(state["over"]) == table.over
    for player, hand in enumerate(table.hands):
        held = [card for card in state["hands"][player].tolist() if card >= 0]
        assert held == [color * world.ranks + rank for (color, rank), _ in hand]
        for k, (_, known) in enumerate(hand):
            colors, ranks = int(state["colors"][player, k]), int(state["ranks"][player, k])
            left = {
                (c, r) for c in range(world.colors) for r in range(world.ranks) if colors >> c & 1 and ranks >> r & 1
            }
            assert left == known
    for card, count in enumerate(state["discards"].tolist()):
        assert count == table.out[divmod(card, world.ranks)]


@pytest.mark.parametrize("lost", ["zero", "kept"])
@pytest.mark.parametrize("options", GAMES)
def test_whole_games_are_those_of_a_slow_reference(options, lost):
    """Cards, tokens, knowledge, legal moves, rewards and ends after every move; and no card is lost or doubled."""
    world, draw = HanabiWorld(**options, lost=lost), np.random.default_rng(0)
    decks = [draw.permutation(sorted_deck(world)) for _ in range(30)]
    told = Told(world, decks)
    tables = [Table(world, deck, lost) for deck in decks]
    names, lowest = world.action.names, 0.0
    while not all(table.over for table in tables):
        actions = np.zeros(len(decks), np.int64)
        for i, table in enumerate(tables):
            if not table.over:
                mask = told.batch.last.info["action_mask"][i]
                assert {names[k] for k in np.flatnonzero(mask[table.mover])} == table.legal()
                assert not mask[1 - table.mover].any()
                actions[i] = draw.choice(np.flatnonzero(mask[table.mover]))
        kept = told.batch.states.copy()
        rewards = told.step(actions)
        for i, table in enumerate(tables):
            if table.over:
                told.batch.states[i] = kept[i]
                continue
            assert (rewards[i] == table.move(names[actions[i]])).all()
            lowest = min(lowest, rewards[i].min())
            state = told.batch.states[i]
            check_table(table, state, world)
            held = [card for card in state["hands"].ravel().tolist() if card >= 0]
            laid = [c * world.ranks + r for c, done in enumerate(state["fireworks"].tolist()) for r in range(done)]
            rest = [card for card, n in enumerate(state["deck"] + state["discards"]) for _ in range(n)]
            assert sorted(held + laid + rest) == sorted_deck(world)
    if lost == "kept":
        assert lowest == 0
    elif options.get("lives", 3) == 1:
        assert lowest < 0


@pytest.mark.parametrize("options", GAMES[:4])
def test_whole_games_are_those_of_openspiel(options):
    """Legal moves, rewards and ends of games with the same decks; a hand's cards move up there too."""
    spiel = pytest.importorskip("pyspiel")
    world, draw = HanabiWorld(**options), np.random.default_rng(1)
    tokens, lives = (int(world.params[0][name]) for name in ("information", "lives"))
    game = spiel.load_game(
        f"hanabi(players=2,colors={world.colors},ranks={world.ranks},hand_size={world.hand},"
        f"max_information_tokens={tokens},max_life_tokens={lives})"
    )
    decks = [draw.permutation(sorted_deck(world)) for _ in range(100)]
    told, ended = Told(world, decks), np.zeros(100, np.bool_)
    theirs, drawn = [game.new_initial_state() for _ in decks], [0] * len(decks)
    moves = 0
    while not ended.all():
        actions = np.zeros(len(decks), np.int64)
        for i, state in enumerate(theirs):
            while state.is_chance_node():
                state.apply_action(int(decks[i][drawn[i]]))
                drawn[i] += 1
            if not ended[i]:
                mask = told.batch.last.info["action_mask"][i, state.current_player()]
                assert np.flatnonzero(mask).tolist() == sorted(state.legal_actions())
                actions[i] = draw.choice(np.flatnonzero(mask))
        kept = told.batch.states.copy()
        rewards = told.step(actions)
        for i, state in enumerate(theirs):
            if ended[i]:
                told.batch.states[i] = kept[i]
                continue
            state.apply_action(int(actions[i]))
            assert rewards[i].tolist() == state.rewards()
            moves += 1
            while state.is_chance_node():
                state.apply_action(int(decks[i][drawn[i]]))
                drawn[i] += 1
            ended[i] = state.is_terminal()
            assert bool(told.batch.states["over"][i]) == ended[i]
            assert told.batch.states["total"][i] == state.returns()[0]
    assert moves > 300


@pytest.mark.parametrize(("name", "points", "moves"), [("MiniHanabi", 1.44, 5.45), ("SimpleHanabi", 1.59, 5.36)])
def test_random_play(name, points, moves):
    """The numbers are those of OpenSpiel 2.0.2, of 3,000 games each."""
    found = play(envsuite.card(name), random_policy, 10_000)
    assert found.metrics["points"].mean() == pytest.approx(points, abs=0.05)
    assert found.lengths.mean() == pytest.approx(moves, abs=0.12)
    np.testing.assert_array_equal(found.returns, 2 * found.metrics["points"])
    assert (found.metrics["lives"] == 0).mean() < 0.01
    assert not found.truncated.any()
    if name == "MiniHanabi":
        theirs = np.array([320, 1305, 1134, 232, 9])
        ours = np.bincount(found.metrics["points"].astype(int), minlength=5)
        both = np.stack([ours, theirs]).astype(float)
        expected = both.sum(axis=1, keepdims=True) * both.sum(axis=0) / both.sum()
        assert ((both - expected) ** 2 / expected).sum() < 18.5  # chi-square of 4, one in a thousand


def first_hands(world, count, seed=0):
    """Decks without return."""
    draw = np.random.default_rng(seed)
    return [draw.permutation(sorted_deck(world)) for _ in range(count)]


def most_points(table):
    """What two who see all cards can reach from here, by trying everything."""
    best, goal = table.points, min(4, table.world.colors * table.world.ranks)

    def search(hands, mover, piles, deck, last, tokens, points):
        nonlocal best
        best = max(best, points)
        if last == 0 or best == goal:
            return
        later = None if last is None else last - 1
        mine = hands[mover]
        for k, (color, rank) in enumerate(mine):
            if piles[color] == rank:
                grown = (*piles[:color], rank + 1, *piles[color + 1 :])
                hand = mine[:k] + mine[k + 1 :] + deck[:1]
                after = 2 if last is None and len(deck) == 1 else later
                pair = (hand, hands[1]) if mover == 0 else (hands[0], hand)
                search(pair, 1 - mover, grown, deck[1:], after, tokens, points + 1)
        if tokens:
            search(hands, 1 - mover, piles, deck, later, tokens - 1, points)

    hands = tuple(tuple(card for card, _ in hand) for hand in table.hands)
    search(hands, 0, (0,) * table.world.colors, tuple(table.deck), None, table.tokens, 0)
    return best


@pytest.mark.parametrize("options", [{}, SIMPLE])
def test_open_cards_would_bring_four_points(options):
    """Two cards are in the deck and two moves follow the last: four cards can be played, and nearly always fit."""
    world = HanabiWorld(**options)
    assert all(most_points(Table(world, deck)) == 4 for deck in first_hands(world, 60))


@cache
def points_of(name):
    """Of a player in each of the 1,120 deals of Mini Hanabi, and the moves of each game."""
    world = HanabiWorld()
    decks = sorted(set(itertools.permutations(sorted_deck(world))))
    told, policy = Told(world, decks), companion(world, Players).policy(name)
    moves, points = np.zeros(len(decks), np.int64), np.zeros(len(decks))
    while True:
        going = (told.batch.states["over"] == 0) & (moves >= 0)
        if not going.any():
            return points, moves
        movers, rows = told.batch.states["current_player"], np.flatnonzero(going)
        actions, kept = np.zeros(len(decks), np.int64), told.batch.states.copy()
        actions[rows] = policy(told.batch.last.observations[rows, movers[rows]]).argmax(axis=1)
        legal = told.batch.last.info["action_mask"][rows, movers[rows], actions[rows]]
        assert legal.all()
        told.step(actions)
        told.batch.states[~going] = kept[~going]
        moves += going
        points = told.batch.states["total"].astype(np.float64)


def test_players_in_all_deals():
    """Exact means over the 1,120 deals, the same for every run; no game is longer than the limit says."""
    planner, moves = points_of("planner")
    rule, _ = points_of("rule")
    assert len(planner) == 1120
    assert planner.mean() == pytest.approx(3830 / 1120, abs=1e-9)
    assert 1.7 < rule.mean() < 1.8
    world = HanabiWorld()
    longest = int(world.params[0]["information"]) + 2 * (len(sorted_deck(world)) - 2 * world.hand) + 1
    assert moves.max() <= longest == envsuite.card("MiniHanabi").horizon - 1


def test_the_planner_nearly_always_reaches_four_points_with_eight_hints():
    found = play(envsuite.card("SimpleHanabi"), lambda world, slots: companion(world, Players).expert(), 500)
    assert found.metrics["points"].mean() > 3.93
    assert found.metrics["points"].max() == 4


@pytest.mark.parametrize("options", [{}, SIMPLE, GAMES[2]])
def test_ones_own_cards_show_nowhere(options):
    """Cards of one's own hand are exchanged with the deck's: observation, text and pictures stay."""
    world = HanabiWorld(**options)
    batch, draw = begun(world, 1, 4), np.random.default_rng(3)
    words, pictures = companion(world, Words), companion(world, Pictures)
    compared = 0
    for _ in range(12):
        one, two = batch.states[0].copy(), batch.states[0].copy()
        for k, card in enumerate(two["hands"][0].tolist()):
            there = [c for c in np.flatnonzero(two["deck"]).tolist() if c != card]
            if card >= 0 and there:
                two["hands"][0, k] = there[0]
                two["deck"][there[0]] -= 1
                two["deck"][card] += 1
        if (one["hands"] != two["hands"]).any() and one["current_player"] == 0:
            compared += 1
            np.testing.assert_array_equal(observe(world, one)[0], observe(world, two)[0])
            assert (observe(world, one)[1] != observe(world, two)[1]).any()
            assert words.describe(one, 0) == words.describe(two, 0)
            assert words.describe(one, 1) != words.describe(two, 1)
            np.testing.assert_array_equal(*(pictures.seen_by(state, (420, 300), 0) for state in (one, two)))
            seen = np.zeros((2, 2, 84, 84, 3), np.uint8)
            pictures.draw_many(np.stack([one, two]), "pixels", seen)
            np.testing.assert_array_equal(seen[0, 0], seen[1, 0])
            assert (seen[0, 1] != seen[1, 1]).any()
        if batch.step(at_random(batch, draw)).terminated.all():
            break
    assert compared


@pytest.mark.parametrize("options", GAMES)
def test_every_legal_move_can_be_said(options):
    world = HanabiWorld(**options)
    batch, words, draw = begun(world), companion(world, Words), np.random.default_rng(2)
    for _ in range(20):
        mover = int(batch.states["current_player"][0])
        for move in np.flatnonzero(batch.last.info["action_mask"][0, mover]):
            said = words.say(int(move))
            assert words.parse(f"Hm. [{said}]", batch.states[0], mover) == move
            assert words.parse(world.action.names[move].upper(), batch.states[0], mover) == move
            assert f"[{said}]" in words.describe(batch.states[0], mover)
        assert isinstance(words.parse(f"[{said}]", batch.states[0], 1 - mover), Refusal)
        if batch.step(at_random(batch, draw)).terminated.all():
            assert "The game is over" in words.describe(batch.states[0], 0)
            break


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", RefusalKind.EMPTY),
        ("[discard 1]", RefusalKind.ILLEGAL),
        ("[play 4]", RefusalKind.OUT_OF_RANGE),
        ("[play 0]", RefusalKind.OUT_OF_RANGE),
        (f"[play {'9' * 5000}]", RefusalKind.OUT_OF_RANGE),
        ("[hint 3]", RefusalKind.OUT_OF_RANGE),
        (f"[hint {'9' * 5000}]", RefusalKind.OUT_OF_RANGE),
        ("[hint blue]", RefusalKind.UNKNOWN_NAME),
        ("[hint]", RefusalKind.UNKNOWN_NAME),
        ("[play 1 or play 2]", RefusalKind.AMBIGUOUS),
    ],
)
def test_refusals(text, kind):
    refusal = companion(HanabiWorld(), Words).parse(text, begun(HanabiWorld()).states[0], 0)
    assert isinstance(refusal, Refusal)
    assert refusal.kind == kind
    assert "legal moves" in refusal.reason
    assert len(refusal.reason) < 600


def test_nothing_that_is_said_raises():
    """Random words of the game: an answer is a legal move or a refusal."""
    batch, words, draw = begun(HanabiWorld()), companion(HanabiWorld(), Words), np.random.default_rng(0)
    parts = (
        "play",
        "discard",
        "hint",
        "card",
        "rank",
        "1",
        "2",
        "three",
        "99",
        "-1",
        "red",
        "blue",
        "[",
        "]",
        "_",
        "²",
    )
    read = 0
    for _ in range(2000):
        text = " ".join(draw.choice(parts, draw.integers(1, 6)))
        found = words.parse(text, batch.states[0], 0)
        if not isinstance(found, Refusal):
            assert batch.last.info["action_mask"][0, 0, found]
            read += 1
    assert read > 50


def test_illegal_moves_lose_all_lives():
    for lost, left in (("zero", 0), ("kept", 1)):
        told = Told(HanabiWorld(lost=lost), [(0, 0, 0, 2, 2, 2, 1, 3)])
        names = told.batch.world.action.names
        assert told.step([names.index("play_1")]).tolist() == [[1, 1]]
        assert told.step([names.index("discard_1")]).tolist() == [[left - 1, left - 1]]
        assert told.batch.states["over"][0]
        assert told.batch.last.info["lives"][0].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hand": 5}, "hand is 5, expected at most 4: there are 8 cards"),
        ({"colors": 6}, "colors"),
        ({"colors": 1}, "colors"),
        ({"ranks": 0}, "ranks"),
        ({"lives": 0}, "lives"),
        ({"information": -1}, "information"),
        ({"lost": "half"}, "lost"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        envsuite.core.world.make_world("envsuite.language_games.hanabi.world:HanabiWorld", **options)
