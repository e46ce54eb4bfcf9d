"""Rules by hand-played games, secrets that stay hidden, words, refusals, bad options."""

import pickle

import numpy as np
import pettingzoo
import pytest

import envsuite
from envsuite.core.companions import Controls, Pictures, Players, Words, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.core.world import make_world, observe
from envsuite.language_games.kuhn.world import KuhnPokerWorld
from envsuite.language_games.leduc.world import LeducPokerWorld
from envsuite.language_games.liars_dice.world import LiarsDiceWorld
from envsuite.language_games.nim.world import NimWorld
from envsuite.language_games.pig.world import PigWorld
from envsuite.language_games.tictactoe.world import TicTacToeWorld

from ..batches import begun
from .common import WORLDS, at_random, played


def dealt(world, cards, **fields):
    """A batch of one slot with these cards."""
    batch = begun(world)
    batch.states["cards"] = cards
    for name, value in fields.items():
        batch.states[name] = value
    return batch


@pytest.mark.parametrize(
    ("moves", "gain"),
    [
        (("check", "check"), 1),
        (("bet", "fold"), 1),
        (("bet", "call"), 2),
        (("check", "bet", "fold"), -1),
        (("check", "bet", "call"), 2),
    ],
)
@pytest.mark.parametrize(("cards", "higher"), [((2, 0), 0), ((1, 2), 1)])
def test_every_line_of_kuhn_poker(moves, gain, cards, higher):
    """A showdown is worth the ante and the bet, a fold the ante alone."""
    batch = dealt(KuhnPokerWorld(), cards)
    output = played(batch, *moves)
    folded = moves[-1] == "fold"
    expected = gain if folded or higher == 0 else -gain
    np.testing.assert_array_equal(output.rewards[0], (expected, -expected))
    assert output.terminated.all()


def test_rounds_of_kuhn_poker_begin_in_turn():
    batch = begun(KuhnPokerWorld(rounds=3))
    starters, totals = [], np.zeros(2)
    for hand in range(3):
        starters.append(int(batch.states["current_player"][0]))
        output = played(batch, "bet", "fold")
        totals += output.rewards[0]
        assert output.terminated.all() == (hand == 2)
    assert starters == [0, 1, 0]
    np.testing.assert_array_equal(totals, (1, -1))


@pytest.mark.parametrize(
    ("cards", "public", "moves", "gain"),
    [
        ((0, 2), 0, ("check", "check", "check", "check"), 1),
        ((1, 2), 0, ("check", "check", "raise", "raise", "call"), -9),
        ((1, 1), 2, ("raise", "call", "raise", "call"), 0),
        ((2, 1), 2, ("raise", "raise", "call", "raise", "raise", "call"), 13),
        ((2, 1), 1, ("raise", "raise", "fold"), -3),
        ((2, 1), 1, ("raise", "raise", "call", "check", "raise", "fold"), -5),
    ],
)
def test_games_of_leduc_poker(cards, public, moves, gain):
    batch = dealt(LeducPokerWorld(), cards)
    for move in moves:
        output = played(batch, move)
        if batch.states["public"][0] != -1:
            batch.states["public"] = public
    np.testing.assert_array_equal(output.rewards[0], (gain, -gain))
    assert output.terminated.all()


def test_only_two_raises_in_a_round():
    batch = dealt(LeducPokerWorld(), (0, 1))
    output = played(batch, "raise", "raise")
    np.testing.assert_array_equal(output.info["action_mask"][0], [[0, 1, 0, 1], [0] * 4])
    output = played(batch, "call")
    np.testing.assert_array_equal(output.info["action_mask"][0], [[1, 0, 1, 0], [0] * 4])


def test_cards_come_from_one_deck():
    """Frequencies of 6,000 deals against those of six cards without return."""
    batch = begun(LeducPokerWorld(), 6000)
    cards = batch.states["cards"]
    same = (cards[:, 0] == cards[:, 1]).mean()
    assert same == pytest.approx(1 / 5, abs=4 * (0.2 * 0.8 / 6000) ** 0.5)
    np.testing.assert_allclose(np.bincount(cards[:, 0]) / 6000, 1 / 3, atol=0.025)
    kuhn = begun(KuhnPokerWorld(), 6000).states["cards"]
    counts = np.bincount(3 * kuhn[:, 0] + kuhn[:, 1], minlength=9).reshape(3, 3) / 6000
    np.testing.assert_allclose(counts, (1 - np.eye(3)) / 6, atol=0.02)


def test_a_game_of_tic_tac_toe():
    batch = begun(TicTacToeWorld())
    output = played(batch, "cell_0", "cell_3", "cell_1", "cell_4", "cell_2")
    np.testing.assert_array_equal(output.rewards[0], (1, -1))
    assert output.terminated.all()
    batch = begun(TicTacToeWorld())
    output = played(batch, *(f"cell_{k}" for k in (0, 1, 2, 4, 3, 5, 7, 6, 8)))
    np.testing.assert_array_equal(output.rewards[0], (0, 0))
    assert output.terminated.all()


def test_a_game_of_nim():
    batch = begun(NimWorld(heaps=(1, 2)))
    output = played(batch, "take_1_from_2", "take_1_from_1", "take_1_from_2")
    np.testing.assert_array_equal(output.rewards[0], (1, -1))
    assert output.terminated.all()


def test_turns_of_pig():
    """Points of a turn are what was rolled, are lost with a 1, and are kept by holding."""
    batch = begun(PigWorld(target=30), 200)
    for _ in range(60):
        before = batch.states.copy()
        output = batch.step(np.repeat((before["turn"] >= 8)[:, np.newaxis].astype(np.int64), 2, axis=1))
        going, now = before["over"] == 0, batch.states
        rolled, mover = (before["turn"] < 8) & going, before["current_player"]
        one = rolled & (now["rolled"] == 1)
        assert (now["turn"][one] == 0).all()
        assert (now["current_player"][one] == 1 - mover[one]).all()
        other = rolled & ~one
        assert (now["turn"][other] == before["turn"][other] + now["rolled"][other]).all()
        held, rows = ~rolled & going, np.arange(200)
        expected = before["scores"][rows, mover] + before["turn"]
        assert (now["scores"][rows, mover][held] == expected[held]).all()
        assert (now["over"][held] == (expected >= 30)[held]).all()
        if now["over"].all():
            break
        keep = now["over"] == 0
        assert not output.terminated[keep].any()


def rolled(world, counts, **fields):
    """A batch of one slot with these dice."""
    batch = begun(world)
    batch.states["counts"] = counts
    for name, value in fields.items():
        batch.states[name] = value
    return batch


@pytest.mark.parametrize(
    ("bid", "wild", "holds"),
    [
        ("bid_1_of_3", False, True),
        ("bid_2_of_3", False, False),
        ("bid_2_of_3", True, True),
        ("bid_1_of_6", True, True),
        ("bid_2_of_6", True, False),
        ("bid_1_of_5", False, False),
    ],
)
def test_doubts_in_liars_dice(bid, wild, holds):
    """The first player has a 3, the second a 6."""
    batch = rolled(LiarsDiceWorld(wild=wild), [[[0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1]]])
    output = played(batch, bid, "liar")
    np.testing.assert_array_equal(output.rewards[0], (1, -1) if holds else (-1, 1))
    assert output.terminated.all()


def test_who_loses_a_die_begins_the_next_round():
    batch = rolled(LiarsDiceWorld(dice=2), [[[2, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0]]])
    output = played(batch, "bid_4_of_1", "liar")
    assert not output.terminated.any()
    assert batch.states["left"][0].tolist() == [2, 1]
    assert batch.states["current_player"][0] == 1
    assert batch.states["counts"][0].sum(axis=1).tolist() == [2, 1]
    mask = output.info["action_mask"][0, 1]
    assert mask[:18].all()
    assert not mask[18:].any()


def test_bids_have_to_rise():
    batch = begun(LiarsDiceWorld())
    output = played(batch, "bid_1_of_5")
    legal = [batch.world.action.names[k] for k in np.flatnonzero(output.info["action_mask"][0, 1])]
    assert legal == ["bid_1_of_6", *(f"bid_2_of_{k}" for k in range(1, 7)), "liar"]


@pytest.mark.parametrize(
    ("world", "first", "gain"),
    [
        (TicTacToeWorld(), ("cell_0", "cell_0"), 1),
        (KuhnPokerWorld(), ("fold",), -1),
        (LeducPokerWorld(), ("raise", "check"), 1),
        (NimWorld(), ("take_3_from_1", "take_1_from_1"), 1),
        (PigWorld(), ("hold",), -1),
        (LiarsDiceWorld(), ("liar",), -1),
    ],
)
def test_illegal_moves_give_up(world, first, gain):
    output = played(begun(world), *first)
    np.testing.assert_array_equal(output.rewards[0], (gain, -gain))
    assert output.terminated.all()


@pytest.mark.parametrize("world", WORLDS)
def test_gains_add_up_to_nothing_and_games_end(world):
    batch, draw = begun(world(starter="drawn"), 64), np.random.default_rng(0)
    assert set(batch.states["starter"]) == {0, 1}
    totals, over = np.zeros((64, 2)), np.zeros(64, np.bool_)
    for _ in range(400):
        masks = batch.last.info["action_mask"].sum(axis=2)
        going = batch.states["over"] == 0
        rows = np.arange(64)
        assert (masks[rows, batch.states["current_player"]][going] > 0).all()
        assert (masks[rows, 1 - batch.states["current_player"]] == 0).all()
        output = batch.step(at_random(batch, draw))
        totals[~over] += output.rewards[~over]
        over |= output.terminated[:, 0]
        if over.all():
            break
    assert over.all()
    np.testing.assert_array_equal(totals.sum(axis=1), 0)


def hidden_pairs(world):
    """States of one game that differ in what the second player hides, and in nothing else."""
    batch = begun(world)
    other = batch.states.copy()
    if isinstance(world, LiarsDiceWorld):
        other["counts"][0, 1] = np.roll(other["counts"][0, 1], 1)
    else:
        own, held = batch.states["cards"][0].tolist()
        other["cards"][0, 1] = next(rank for rank in range(3) if rank not in (own, held))
    return batch, other


@pytest.mark.parametrize("world", [KuhnPokerWorld(), KuhnPokerWorld(rounds=3), LeducPokerWorld(), LiarsDiceWorld()])
def test_what_the_other_hides_shows_nowhere(world):
    """Through a whole game: observation, text, frame and pixels of the first player are the same."""
    batch, other = hidden_pairs(world)
    words, pictures = companion(world, Words), companion(world, Pictures)
    twin = begun(world)
    twin.states[:] = other
    draw = np.random.default_rng(1)
    for _ in range(20):
        one, two = batch.states[0], twin.states[0]
        np.testing.assert_array_equal(observe(world, one)[0], observe(world, two)[0])
        assert words.describe(one, 0) == words.describe(two, 0)
        np.testing.assert_array_equal(*(pictures.seen_by(state, (420, 300), 0) for state in (one, two)))
        seen = np.zeros((2, 2, 84, 84, 3), np.uint8)
        pictures.draw_many(np.concatenate([batch.states, twin.states]), "pixels", seen)
        np.testing.assert_array_equal(seen[0, 0], seen[1, 0])
        assert (seen[0, 1] != seen[1, 1]).any()
        actions = at_random(batch, draw)
        if batch.step(actions).terminated.all():
            break
        twin.step(actions)
        if isinstance(world, KuhnPokerWorld) and world.rounds > 1:
            break  # a new hand hides other cards


@pytest.mark.parametrize("world", WORLDS)
def test_every_legal_move_can_be_said(world):
    batch, words, draw = begun(world()), companion(world(), Words), np.random.default_rng(2)
    for _ in range(12):
        mover = int(batch.states["current_player"][0])
        for move in np.flatnonzero(batch.last.info["action_mask"][0, mover]):
            said = words.say(int(move))
            assert words.parse(f"[{said}]", batch.states[0], mover) == move
            assert words.parse(f"I think so. [{said}]", batch.states[0], mover) == move
            assert words.parse(said.upper(), batch.states[0], mover) == move
            assert f"[{said}]" in words.describe(batch.states[0], mover) or len(said) > 5
        assert isinstance(words.parse(f"[{said}]", batch.states[0], 1 - mover), Refusal)
        if batch.step(at_random(batch, draw)).terminated.all():
            break


@pytest.mark.parametrize(
    ("world", "text", "kind"),
    [
        (TicTacToeWorld(), "  ", RefusalKind.EMPTY),
        (TicTacToeWorld(), "[9]", RefusalKind.OUT_OF_RANGE),
        (TicTacToeWorld(), f"[{'9' * 5000}]", RefusalKind.OUT_OF_RANGE),
        (TicTacToeWorld(), "[centre]", RefusalKind.UNKNOWN_NAME),
        (TicTacToeWorld(), "4 or 5", RefusalKind.AMBIGUOUS),
        (KuhnPokerWorld(), "[fold]", RefusalKind.ILLEGAL),
        (KuhnPokerWorld(), "[pass]", RefusalKind.UNKNOWN_NAME),
        (KuhnPokerWorld(), "check, then call", RefusalKind.AMBIGUOUS),
        (LeducPokerWorld(), "[call]", RefusalKind.ILLEGAL),
        (NimWorld(), "[take 9 from heap 1]", RefusalKind.OUT_OF_RANGE),
        (NimWorld(), "[take 0 from heap 1]", RefusalKind.OUT_OF_RANGE),
        (NimWorld(), "[take two from 9]", RefusalKind.OUT_OF_RANGE),
        (NimWorld(), "[all]", RefusalKind.UNKNOWN_NAME),
        (PigWorld(), "[hold]", RefusalKind.ILLEGAL),
        (LiarsDiceWorld(), "[liar]", RefusalKind.ILLEGAL),
        (LiarsDiceWorld(), "[3 fives]", RefusalKind.OUT_OF_RANGE),
        (LiarsDiceWorld(), "[2 sevens]", RefusalKind.UNKNOWN_NAME),
        (LiarsDiceWorld(), "[1 9]", RefusalKind.OUT_OF_RANGE),
    ],
)
def test_refusals(world, text, kind):
    batch = begun(world)
    refusal = companion(world, Words).parse(text, batch.states[0], 0)
    assert isinstance(refusal, Refusal)
    assert refusal.kind == kind
    assert "legal moves" in refusal.reason
    assert len(refusal.reason) < 600


def test_other_ways_to_say_a_bid():
    batch, words = begun(LiarsDiceWorld()), companion(LiarsDiceWorld(), Words)
    for text in ("[2 fives]", "two 5s", "I bid [2 x 5]", "two of five", "bid_2_of_5"):
        assert batch.world.action.names[words.parse(text, batch.states[0], 0)] == "bid_2_of_5"


def test_texts_tell_what_is_known():
    batch = dealt(LeducPokerWorld(), (2, 0))
    played(batch, "raise", "call")
    batch.states["public"] = 1
    text = companion(batch.world, Words).describe(batch.states[0], 0)
    for part in (
        "Your card is a king",
        "card for both is a queen",
        "You have put in 3 and the other 3",
        "you: raise, the other: call",
    ):
        assert part in text
    assert "jack." not in text.split("\n")[1]
    batch = begun(KuhnPokerWorld())
    played(batch, "check")
    assert "You: check." in companion(batch.world, Words).describe(batch.states[0], 0)
    assert "The other player: check." in companion(batch.world, Words).describe(batch.states[0], 1)


@pytest.mark.parametrize(
    ("world", "options", "message"),
    [
        (NimWorld, {"heaps": ()}, "heaps is \\(\\), expected 2 to 8 whole numbers from 1 to 20"),
        (NimWorld, {"heaps": (3, 0)}, "expected 2 to 8 whole numbers"),
        (NimWorld, {"heaps": (3, True)}, "expected 2 to 8 whole numbers"),
        (NimWorld, {"heaps": (2.5, 1)}, "expected 2 to 8 whole numbers"),
        (NimWorld, {"heaps": "345"}, "expected 2 to 8 whole numbers"),
        (PigWorld, {"target": 1}, "target is 1"),
        (KuhnPokerWorld, {"rounds": 0}, "rounds is 0"),
        (KuhnPokerWorld, {"starter": "player_0"}, "starter is 'player_0', expected one of 'first', 'second', 'drawn'"),
        (LiarsDiceWorld, {"dice": 7}, "dice is 7"),
    ],
)
def test_bad_options(world, options, message):
    with pytest.raises(ValueError, match=message):
        world(**options)


def test_the_aec_view_takes_turns():
    env = pettingzoo.make("aec", "envsuite/TicTacToe-v0", starter="first")
    env.reset(seed=0)
    moves, totals = iter((0, 3, 1, 4, 2)), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        env.step(None if terminated or truncated else next(moves))
    assert totals == {"player_0": 1.0, "player_1": -1.0}


def test_pickled_words_tell_what_is_legal_now():
    words = companion(TicTacToeWorld(), Words)
    batch = begun(TicTacToeWorld())
    words.describe(batch.states[0], 0)
    again = pickle.loads(pickle.dumps(words))
    for move in ("4", "0"):
        mover = int(batch.states["current_player"][0])
        assert again.describe(batch.states[0], mover) == words.describe(batch.states[0], mover)
        assert f"[{move}]" in again.answers(batch.states[0], mover)
        played(batch, f"cell_{move}")


@pytest.mark.parametrize("world", WORLDS)
def test_players_make_legal_moves(world):
    made = world(starter="drawn")
    for name in list(companion(made, Players).policies())[:2]:
        player, batch = companion(made, Players).collector(name), begun(made, 32)
        player.reset(np.ones(32, np.bool_), np.arange(32))
        for _ in range(30):
            going = batch.states["over"] == 0
            mover, masks = batch.states["current_player"], batch.last.info["action_mask"].copy()
            actions, rows = player.act(batch.last.observations, batch.states), np.arange(32)
            assert masks[rows, mover, actions[rows, mover]][going].all()
            batch.step(actions)


def test_players_have_draws_of_their_own():
    """Two mixed players at one table, and a random one, are told the same seeds and must not move alike."""
    world, slots = KuhnPokerWorld(), 4000
    batch, player = begun(world, slots), companion(world, Players).collector("uniform")
    player.reset(np.ones(slots, np.bool_), np.arange(slots))
    first = player.act(batch.last.observations, batch.states)[:, 0] == 1
    batch.step(np.repeat(np.where(first, 1, 0)[:, np.newaxis], 2, axis=1))
    again = companion(world, Players).collector("uniform")
    again.reset(np.ones(slots, np.bool_), np.arange(slots))
    again.act(batch.last.observations, batch.states)
    second = again.act(batch.last.observations, batch.states)[:, 1]
    active = np.isin(second, (1, 2))
    assert abs(np.corrcoef(first, active)[0, 1]) < 4 / slots**0.5


def test_views_and_keys():
    world = make_world("envsuite.language_games.kuhn.world:KuhnPokerWorld", view="open")
    pictures, states = companion(world, Pictures), begun(world).states
    shown = {view: pictures.seen_by(states[0], (420, 300), k) for k, view in enumerate(pictures.views)}
    np.testing.assert_array_equal(pictures.draw(states[0], (420, 300)), shown["open"])
    assert (shown["player_0"] != shown["player_1"]).any()
    with pytest.raises(ValueError, match="expected one of player_0, player_1, open"):
        make_world("envsuite.language_games.kuhn.world:KuhnPokerWorld", view="all")
    assert sorted(companion(LiarsDiceWorld(), Controls).keys().values()) == list(range(13))


@pytest.mark.parametrize("env_id", [card.id for card in envsuite.cards().values() if card.family == "language_games"])
def test_games_that_were_told_are_pickled(env_id):
    env = envsuite.parallel_env(env_id)
    env.reset(seed=1)
    told = [env.describe(agent) for agent in env.agents]
    again = pickle.loads(pickle.dumps(env))
    assert [again.describe(agent) for agent in again.agents] == told
