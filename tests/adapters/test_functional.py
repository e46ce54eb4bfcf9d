"""Gymnasium's functional view: states that are passed around, futures, ends."""

import numpy as np
import pytest
from gymnasium.experimental.functional import FuncEnv

from envsuite.adapters.functional import WorldFuncEnv
from tests.baselines.worlds import small


def test_futures_of_one_state_are_alike_until_actions_differ():
    env = WorldFuncEnv(small("Pole", 12))
    assert isinstance(env, FuncEnv)
    state = env.transition(env.initial(3), 1)
    futures = env.transition(state.take([0] * 4), [0, 0, 1, 1])
    assert futures.records[0] == futures.records[1]
    np.testing.assert_array_equal(futures.observations[2], env.transition(state, [1]).observations[0])
    assert (futures.observations[0] != futures.observations[2]).any()
    assert futures.take(slice(2, None)).records.shape == (2,)


def test_ended_instances_stay_and_earn_nothing():
    env = WorldFuncEnv(small("Pole", 12))
    state, steps = env.initial([0, 1]), 0
    while not (state.terminated | state.truncated).all():
        before, state, steps = state, env.transition(state, [0, 1]), steps + 1
        over = before.terminated | before.truncated
        np.testing.assert_array_equal(state.records[over], before.records[over])
        np.testing.assert_array_equal(env.reward(before, None, state), np.where(over, 0.0, 1.0))
    assert steps <= 12
    np.testing.assert_array_equal(env.terminal(state), state.terminated)
    after = env.transition(state, [0, 1])
    for one, two in zip(after[:2], state[:2], strict=True):
        np.testing.assert_array_equal(one, two)
    assert env.transition_info(state, None, after).keys() == env.state_info(state).keys() == {"mark"}


def test_seeds_generators_and_pictures():
    env = WorldFuncEnv(small("Pole"))
    drawn = [env.initial(np.random.default_rng(4)).observations for _ in range(2)]
    np.testing.assert_array_equal(*drawn)
    np.testing.assert_array_equal(env.initial([5, 6]).observations[1], env.initial(6).observations[0])
    _, picture = env.render_image(env.initial(0), env.render_init())
    assert picture.shape == (360, 480, 3)
    with pytest.raises(ValueError, match="action 7"):
        env.transition(env.initial(0), 7)
    assert env.observation_space.contains(env.observation(env.initial(0))[0])
