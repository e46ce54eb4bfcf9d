"""Splitting games: payoffs by hand, draws, talk in numbers and in free text."""

import itertools

import numpy as np
import pytest

from envsuite.core.companions import Words, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.momarl.split.experts import Divider
from envsuite.momarl.split.kernel import SplitWorld
from envsuite.momarl.split.language import talker

from ..batches import begun, played

DEAL = {"values": "deal", "rule": "exact", "open_values": False, "messages": "text", "quota": 1, "rounds": 2}


def test_shares_in_proportion():
    """Of ten hats 10 p / max(10, p + q), times the value; the formula written out for every pair of proposals."""
    batch = begun(SplitWorld(rounds=1000))
    state = batch.states[0]
    for p, q in itertools.product(range(0, 11, 2), range(0, 11, 5)):
        value = state["value"].copy()
        output = played(batch, [[p, 0, 10], [q, 10, 10]])
        first = value[0] @ [10 * p / max(10, p + q), 0.0, 5.0]
        second = value[1] @ [10 * q / max(10, p + q), 10.0, 5.0]
        np.testing.assert_allclose(output.rewards[0], [first, second], rtol=1e-6)
        best = 10.0 * value.max(axis=0).sum()
        assert output.info["efficiency"][0, 0] == pytest.approx((first + second) / best, rel=1e-6)


def test_more_than_there_is_counts_as_all():
    one, other = begun(SplitWorld()), begun(SplitWorld())
    asked = played(one, [[20, 10, 0], [10, 10, 0]]).rewards
    np.testing.assert_array_equal(asked, played(other, [[10, 10, 0], [10, 10, 0]]).rewards)


@pytest.mark.parametrize("draw", ["ties", "exclusive", "uniform"])
def test_draws(draw):
    """Conditions hold in every round; shares of the cases that fulfil them are equal."""
    batch = begun(SplitWorld(values=draw, rounds=10**6), slots=4000)
    value = batch.states["value"]
    if draw == "uniform":
        assert value.min() == 1
        assert value.max() == 20
        counts = np.bincount(value.reshape(-1), minlength=21)[1:]
        assert np.abs(counts - counts.mean()).max() < 5 * np.sqrt(counts.mean())
        return
    assert set(np.unique(value)) == {1, 10}
    if draw == "exclusive":
        assert (value.sum(axis=1) == 11).all()
        return
    assert (value.sum(axis=2)[:, 0] == value.sum(axis=2)[:, 1]).all()
    cases = [
        pair for pair in itertools.product((1, 10), repeat=6) if sum(pair[:3]) == sum(pair[3:]) and pair[:3] != pair[3:]
    ]
    found, counts = np.unique(value.reshape(-1, 6), axis=0, return_counts=True)
    assert {tuple(one) for one in found.tolist()} == set(cases)
    assert np.abs(counts - 4000 / len(cases)).max() < 5 * np.sqrt(4000 / len(cases))


def test_deals():
    """All goods are worth ten to each, all are wanted, one by both; only proposals that fit bring anything."""
    batch = begun(SplitWorld(**DEAL), slots=500)
    goods, value = batch.states["goods"].copy(), batch.states["value"].copy()
    assert set(goods.sum(axis=1)) == {5, 6, 7}
    assert ((goods[:, None] * value).sum(axis=2) == 10).all()
    assert (value.max(axis=1) > 0).all()
    assert (value.min(axis=1) > 0).any(axis=1).all()
    talk = np.zeros((500, 2, 503), np.float32)
    for _ in range(2):
        batch.step(talk)
    first = goods // 2
    keep = np.zeros((500, 2, 503), np.float32)
    keep[:, 0, :3], keep[:, 1, :3] = first, goods - first
    keep[250:, 1, 0] -= 1
    spoiled = goods[250:, 0] - first[250:, 0] > 0
    keep[250:][~spoiled, 1, 0] = 0
    output = batch.step(keep)
    paid = (np.stack([first, goods - first], 1) * value).sum(axis=2)
    np.testing.assert_array_equal(output.rewards[:250], paid[:250])
    assert (output.info["agreed"][:250] == 1).all()
    assert not output.rewards[250:][spoiled].any()


def test_words_reach_the_other():
    """A message in any script is read back by the other alone in its own round, to the byte."""
    world = SplitWorld(**DEAL)
    batch = begun(world, seed=3)
    state = batch.states[0]
    speaker = talker(world, state)
    words = "Ich nehme die Hüte, du die Bücher – 好吗?"
    action = companion(world, Words).parse(f"say: {words}", state, speaker)
    assert companion(world, Words).parse(words, state, speaker).kind is RefusalKind.UNREADABLE
    joint = np.zeros((2, 503), np.float32)
    joint[speaker], joint[1 - speaker] = action, companion(world, Words).parse("say: not heard", state, 1 - speaker)
    output = played(batch, joint)
    assert f'The other said: "{words}"' in companion(world, Words).describe(batch.states[0], 1 - speaker)
    assert f'You said: "{words}"' in companion(world, Words).describe(batch.states[0], speaker)
    heard = output.observations[0, 1 - speaker, world.observation.offset("letter") :]
    assert bytes(heard.astype(np.uint8)).rstrip(b"\0").decode() == words
    assert not output.observations[0, speaker, world.observation.offset("letter") :].any()
    long = companion(world, Words).parse("Say: " + "é" * 400, batch.states[0], 1 - speaker)
    assert (long[3:] > 0).sum() == 500
    again = np.zeros((2, 503), np.float32)
    again[1 - speaker] = long
    played(batch, again)
    assert talker(world, batch.states[0]) is None
    proposal = companion(world, Words).parse("I keep [1, 0, 1].", batch.states[0], 0)
    assert proposal[:3].tolist() == [1, 0, 1]
    played(batch, np.stack([proposal, proposal]))
    assert "said" not in companion(world, Words).describe(batch.states[0], 0).split("In the last round")[1]


def test_claims():
    world = SplitWorld(kinds=1, values="uniform", open_values=False, messages="claims", quota=1)
    batch = begun(world, seed=1)
    speaker = talker(world, batch.states[0])
    output = played(batch, [[17], [17]])
    at = world.observation.offset("heard")
    assert output.observations[0, 1 - speaker, at] == 17
    assert output.observations[0, speaker, at] == -1
    assert "goods are worth: hats 17" in companion(world, Words).describe(batch.states[0], 1 - speaker)
    assert talker(world, batch.states[0]) == 1 - speaker
    played(batch, [[3], [3]])
    assert talker(world, batch.states[0]) is None
    hidden = world.observation.offset("other value")
    assert not output.observations[0, :, hidden].any()


@pytest.mark.parametrize("strategy", ["welfare", "greedy"])
def test_scripted_players(strategy):
    """Welfare takes all there is to have; greed ends in halves, the mean of both values instead of the greater one."""
    world = SplitWorld(rounds=50)
    batch = begun(world, slots=50)
    player, earned, best = Divider(world, strategy), 0.0, 0.0
    for _ in range(50):
        best += 10.0 * batch.states["value"].max(axis=1).sum()
        earned += batch.step(player.act(batch.last.observations, batch.states)).rewards.sum()
    assert earned / best == pytest.approx(1.0 if strategy == "welfare" else _halves(), rel=0.01)


def _halves():
    """Expected mean of both values over the expected greater one, over the cases of "ties"."""
    cases = [np.reshape(pair, (2, 3)) for pair in itertools.product((1, 10), repeat=6)]
    cases = [one for one in cases if one[0].sum() == one[1].sum() and (one[0] != one[1]).any()]
    return sum(one.mean(axis=0).sum() for one in cases) / sum(one.max(axis=0).sum() for one in cases)


def test_options_go_together():
    for options, words in (
        ({"quota": 1}, "expected 0 for messages 'none'"),
        ({"messages": "text"}, "expected 1 or more"),
        ({"kinds": 1}, "expected 2 or 3"),
    ):
        with pytest.raises(ValueError, match=words):
            SplitWorld(**options)


@pytest.mark.parametrize(
    ("text", "kind"),
    [("", "EMPTY"), ("all", "UNREADABLE"), ("[1, 2]", "WRONG_COUNT"), ("[1, 2, 21]", "OUT_OF_RANGE")],
)
def test_refusals(text, kind):
    world = SplitWorld()
    found = companion(world, Words).parse(text, begun(world).states[0], 0)
    assert isinstance(found, Refusal)
    assert found.kind is RefusalKind[kind]
