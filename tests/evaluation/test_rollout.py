"""Episodes by protocol: right counts, right seeds, whatever the batch."""

import numpy as np
import pytest

import envsuite
from envsuite.agents.random import RandomPolicy
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import EVALUATION_SEED, Versus, expert_policy, play, random_policy

CARD = envsuite.card("QuadHover")


@pytest.mark.parametrize("slots", [1, 7, 19, 20, 500])
def test_every_seed_is_played_once_and_results_do_not_depend_on_the_batch(slots):
    whole = play(CARD, random_policy, 20, record=True)
    np.testing.assert_array_equal(whole.seeds, np.arange(20) + EVALUATION_SEED)
    parts = play(CARD, random_policy, 20, slots=slots, num_threads=2, record=True)
    for name in ("seeds", "returns", "lengths", "terminated", "truncated"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(parts, name))
    for name, values in whole.metrics.items():
        np.testing.assert_array_equal(values, parts.metrics[name])
    for name in ("actions", "rewards", "digests", "offsets", "digest_offsets"):
        np.testing.assert_array_equal(getattr(whole.log, name), getattr(parts.log, name))


def test_long_episodes_are_not_left_out():
    # of two slots, the first E episodes to finish would be nearly all from the slot with the shorter ones
    by_itself = np.concatenate([play(CARD, random_policy, 1, first_seed=70 + k).lengths for k in range(12)])
    assert by_itself.max() > 1.5 * by_itself.min()
    np.testing.assert_array_equal(play(CARD, random_policy, 12, first_seed=70, slots=2).lengths, by_itself)


def test_seeds_may_be_given_one_by_one():
    seeds = [7, 2**62 + 1, 7, 10**9 + 3]
    played = play(CARD, random_policy, 4, seeds=seeds, slots=3)
    assert played.seeds.tolist() == seeds
    assert played.returns[0] == played.returns[2]
    assert played.returns[3] == play(CARD, random_policy, 4).returns[3]
    with pytest.raises(ValueError, match="3 seeds are given, expected 4"):
        play(CARD, random_policy, 4, seeds=seeds[:3])


class Counter:
    """Remembers how many steps it has played in each slot since it was last reset, as a recurrent policy does."""

    def __init__(self, slots):
        self.memory = np.full(slots, 10**6)

    def reset(self, mask, seeds):
        self.memory[mask] = 0

    def act(self, observations, states):
        self.memory += 1
        return np.repeat(np.minimum(self.memory, 40)[:, None] / 40.0, 4, axis=1)


def test_memory_is_reset_for_every_episode():
    runs = [play(CARD, lambda world, slots: Counter(slots), 9, slots=slots) for slots in (9, 4, 1)]
    for run in runs[1:]:
        np.testing.assert_array_equal(run.returns, runs[0].returns)


def test_flags_tell_how_episodes_ended():
    long = play(CARD, expert_policy, 40)
    assert (long.terminated != long.truncated).all()
    np.testing.assert_array_equal(long.truncated, long.lengths == CARD.horizon)
    assert long.terminated.any()


def test_an_episode_equals_one_played_by_hand():
    import gymnasium

    whole = play(CARD, random_policy, 3, first_seed=50)
    for k in range(3):
        env = gymnasium.make(CARD.id)
        observation, _ = env.reset(seed=50 + k)
        world = make_world(CARD.world, **CARD.options)
        policy = RandomPolicy(world.action, (1,))
        policy.reset(np.ones(1, bool), np.array([50 + k]))
        total, steps, over = 0.0, 0, False
        while not over:
            action = policy.act(observation[np.newaxis], None)[0]
            observation, reward, terminated, truncated, info = env.step(action)
            total, steps, over = total + reward, steps + 1, terminated or truncated
        assert steps == whole.lengths[k]
        assert total == pytest.approx(whole.returns[k], rel=1e-6)
        assert terminated == whole.terminated[k]
        assert info["distance"] == whole.metrics["distance"][k]


def test_actions_are_checked_as_in_the_environment():
    class Wild:
        def reset(self, mask, seeds):
            pass

        def act(self, observations, states):
            return np.full((len(states), 4), self.value)

    wild, tame = Wild(), Wild()
    wild.value, tame.value = 7.0, 1.0
    results = [play(CARD, lambda world, slots, policy=policy: policy, 3).returns for policy in (wild, tame)]
    np.testing.assert_array_equal(*results)
    wild.value = np.nan
    with pytest.raises(ValueError, match="nan"):
        play(CARD, lambda world, slots: wild, 3)


def test_standard_error_is_of_the_mean():
    episodes = play(CARD, random_policy, 50)
    score = episodes.score("random")
    assert score.standard_error == pytest.approx(np.std(episodes.returns, ddof=1) / np.sqrt(50))
    assert (score.episodes, score.policy) == (50, "random")


def test_no_episodes_are_refused():
    with pytest.raises(ValueError, match="episodes is 0"):
        play(CARD, random_policy, 0)


def test_a_policy_plays_both_sides_against_another():
    """In the prisoner's dilemma T = 5, R = 3, P = 1, S = 0 a round; the defector's return is its own on either side."""

    class Fixed:
        def __init__(self, choice, slots):
            self._actions = np.full((slots, 2), choice)

        def reset(self, mask, seeds):
            pass

        def act(self, observations, states):
            return self._actions

    def player(choice):
        return lambda world, slots: Fixed(choice, slots)

    card = envsuite.card("IteratedPrisoners")
    defects = play(card, player(1), 5, against=player(0))
    rounds = defects.lengths[0]
    assert defects.returns == pytest.approx(np.full(5, 5.0 * rounds))
    assert defects.metrics["win_share"].tolist() == [1.0] * 5
    assert defects.metrics["cooperated"].tolist() == [0.0] * 5
    assert defects.metrics["other_cooperated"].tolist() == [1.0] * 5
    trusts = play(card, player(0), 5, against=player(1))
    assert trusts.metrics["win_share"].tolist() == [0.0] * 5
    even = play(card, player(0), 3, against=player(0))
    assert even.metrics["win_share"].tolist() == [0.5] * 3
    with pytest.raises(ValueError, match="1 agents and 1 objectives, expected 2 agents"):
        play(CARD, random_policy, 1, against=random_policy)


def test_sides_go_by_the_seed():
    class Constant:
        def __init__(self, value):
            self.value = value

        def reset(self, mask, seeds):
            pass

        def act(self, observations, states):
            return np.full((3, 2), self.value)

    players = Versus(Constant(1), Constant(2))
    players.reset(np.ones(3, np.bool_), np.array([10, 11, 12]))
    assert players.act(None, None).tolist() == [[1, 2], [2, 1], [1, 2]]
