"""Social dilemmas: payoffs of strategies against each other, in closed form, and the flow of talk."""

import itertools

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.core.companions import Referee, Words, companion
from envsuite.core.language import Refusal
from envsuite.momarl.letters import message_of
from envsuite.momarl.prisoners.experts import Fixed
from envsuite.momarl.prisoners.world import PrisonersWorld
from envsuite.momarl.trust_split.experts import Splitter, Talker
from envsuite.momarl.trust_split.kernel import TrustSplitWorld
from envsuite.momarl.trust_split.language import talker
from envsuite.momarl.trust_split.talk import TalkingTrustSplitWorld

from ..batches import begun, played


def totals(world, policy, slots, steps):
    """Each agent's total reward in every slot."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(slots))
    output = batch.reset()
    policy.reset(np.ones(slots, bool), np.arange(slots))
    found = np.zeros((slots, 2))
    for _ in range(steps):
        output = batch.step(policy.act(output.observations, batch.states))
        found += output.rewards
    assert output.terminated.all()
    return found


class Both:
    """One strategy a player."""

    def __init__(self, *players):
        self.players = players

    def reset(self, mask, seeds):
        for player in self.players:
            player.reset(mask, seeds)

    def act(self, observations, states):
        first, second = (player.act(observations, states) for player in self.players)
        return np.column_stack([first[:, 0], second[:, 1]])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("cooperate", "cooperate", (30, 30)),
        ("defect", "defect", (10, 10)),
        ("cooperate", "defect", (0, 50)),
        ("tit-for-tat", "defect", (9, 14)),
        ("tit-for-tat", "tit-for-tat", (30, 30)),
        ("grim", "defect", (9, 14)),
    ],
)
def test_prisoners_payoffs(first, second, expected):
    policy = Both(Fixed(first), Fixed(second))
    np.testing.assert_array_equal(totals(PrisonersWorld(), policy, 2, 10), [expected] * 2)


def test_defecting_is_the_equilibrium_of_the_stage():
    pay = PrisonersWorld().params[0]["pay"]
    assert (pay[1] > pay[0]).all()
    assert (PrisonersWorld().known_equilibrium() == 1).all()
    with pytest.raises(ValueError, match="temptation"):
        PrisonersWorld(temptation=2.0)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("cooperate", "cooperate", (50, 50)),
        ("cooperate", "defect", (25, 52.5)),
        ("defect", "defect", (27.5, 27.5)),
        ("fair", "fair", (27.5, 27.5)),
        ("fair", "defect", (55 / 3, 110 / 3)),
        ("fair", "cooperate", (80 / 3, 100 / 3)),
        ("tit-for-tat", "cooperate", (50, 50)),
        # it defects in the half of the rounds that follow one with the upper hand
        ("tit-for-tat", "defect", ((25 + 9 * 26.25) / 10, (52.5 + 9 * 40) / 10)),
    ],
)
def test_splits_pay_as_computed(first, second, expected):
    """Expected payoffs of a round, half of it with the upper hand."""
    found = totals(TrustSplitWorld(), Splitter(first, second), 3000, 30) / 10
    error = found.std(axis=0) / np.sqrt(3000)
    assert (abs(found.mean(axis=0) - expected) <= 4 * error + 1e-5).all()


@pytest.mark.parametrize(("strategy", "upper", "lower"), [("cooperate", 10, 0), ("fair", 5, 5), ("defect", 10, 10)])
def test_metrics_tell_what_winners_and_losers_keep(strategy, upper, lower):
    batch, policy = begun(TrustSplitWorld(), 4), Splitter(strategy)
    output = batch.last
    for _ in range(3):
        output = batch.step(policy.act(output.observations, batch.states))
    assert (output.info["kept_upper"] == upper).all()
    assert (output.info["kept_lower"] == lower).all()


def test_keeping_all_is_never_worse():
    """For every proposal of the other and either value."""
    for other in range(11):
        shares = [10 * mine / max(10, mine + other) for mine in range(11)]
        assert max(shares) == shares[10]


def test_agents_talk_in_turn_and_hear_each_other():
    world = TrustSplitWorld(rounds=2)
    batch = begun(world)
    first = int(batch.states[0]["first"])
    assert companion(world, Referee).current_player(batch.states[0]) == first
    output = played(batch, [2, 2])
    assert output.observations[0, 1 - first, 3 + 2] == 1
    assert output.observations[0, first, 3] == 1
    assert companion(world, Referee).current_player(batch.states[0]) == 1 - first
    output = played(batch, [0, 0])
    assert companion(world, Referee).current_player(batch.states[0]) is None
    assert (output.observations[0, :, 8] == 1).all()
    assert isinstance(companion(world, Words).parse("rock", batch.states[0], 0), Refusal)
    assert companion(world, Words).parse("I keep 4 coins", batch.states[0], 0) == 8
    assert (output.info["action_mask"][0] == [0] * 4 + [1] * 11).all()
    output = played(batch, [14, 9])
    assert int(batch.states[0]["first"]) == 1 - first
    np.testing.assert_allclose(batch.states[0]["before"][:, 2], (20 / 3, 10 / 3), rtol=1e-6)
    assert sorted(output.rewards[0] / batch.states[0]["before"][:, 2]) == pytest.approx([1, 10])


def test_hands_differ_and_roles_are_fair():
    batch = begun(TrustSplitWorld(), 3000)
    hands = batch.states["hand"]
    assert (hands[:, 0] != hands[:, 1]).all()
    counts = np.bincount(3 * hands[:, 0] + hands[:, 1], minlength=9)
    np.testing.assert_allclose(counts[counts > 0] / 3000, 1 / 6, atol=0.03)
    assert batch.states["first"].mean() == pytest.approx(0.5, abs=0.04)


def test_alternating_roles():
    batch = begun(TrustSplitWorld(alternating=True, quota=0), 20)
    upper = []
    for _ in range(4):
        upper.append(batch.last.info["upper"][:, 0].copy())
        played(batch, [9, 9])
    for one, other in itertools.pairwise(upper):
        assert (one != other).all()


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("cooperate", "cooperate", 100), ("cooperate", "defect", 77.5), ("fair", "cooperate", 60)],
)
def test_free_talk_pays_as_words_do(first, second, expected):
    """The same strategies in free text: both agents' points of a round, sums of the closed forms above."""
    found = totals(TalkingTrustSplitWorld(), Talker(first, second), 100, 30).sum(axis=1) / 10
    error = found.std() / np.sqrt(100)
    assert abs(found.mean() - expected) <= 4 * error + 1e-4


def test_free_talk():
    """Whoever is to speak is heard, to the last byte; messages go with the round; unclear ones name no hand."""
    world = TalkingTrustSplitWorld(rounds=2)
    batch = begun(world)
    state = batch.states[0]
    first = talker(world, state)
    assert "What you answer now is not heard".lower() in companion(world, Words).describe(state, 1 - first).lower()
    said = companion(world, Words).parse('Hm. say: Rock für dich, "paper" für mich', state, first)
    idle = companion(world, Words).parse("say: not heard", state, 1 - first)
    both = [said, idle] if first == 0 else [idle, said]
    output = played(batch, both)
    heard = output.observations[0, 1 - first, 10:].astype(np.uint8)
    assert message_of(heard) == 'Rock für dich, "paper" für mich'
    assert not output.observations[0, first, 10:].any()
    assert message_of(heard) in companion(world, Words).describe(state, 1 - first)
    assert talker(world, state) == 1 - first
    answer = companion(world, Words).parse("[4]", state, 0)
    assert isinstance(answer, Refusal)
    played(batch, [companion(world, Words).parse("say: ok", state, n) for n in range(2)])
    assert talker(world, state) is None
    assert Talker("cooperate").act(batch.last.observations, batch.states)[0, 1 - first, 0] == 5  # two hands named
    played(
        batch, [companion(world, Words).parse("I keep [10]", state, 0), companion(world, Words).parse("[5]", state, 1)]
    )
    np.testing.assert_allclose(state["before"][:, 2], (20 / 3, 10 / 3), rtol=1e-6)
    assert not state["letter"].any()
    assert (
        companion(world, Words)
        .parse("say: " + "ä" * 300, state, talker(world, state))[1:]
        .astype(np.uint8)
        .tobytes()
        .decode()
        == "ä" * 250
    )
    assert isinstance(companion(world, Words).parse("[11]", state, 0), Refusal)


def test_equal_seeds_give_equal_draws():
    batch = Batch(TrustSplitWorld(), 4)
    batch.seed([7] * 4)
    batch.reset()
    for _ in range(9):
        played(batch, [1, 14])
    assert (batch.states["hand"] == batch.states["hand"][0]).all()
