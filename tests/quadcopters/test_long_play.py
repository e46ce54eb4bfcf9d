"""A million random steps of every environment of the family stay finite and inside their spaces."""

import numpy as np
import pytest

import envsuite
from envsuite.agents.random import RandomPolicy
from envsuite.core.world import lead_shape
from envsuite.testing.traces import batch_env

SLOTS, STEPS = 2000, 500


@pytest.mark.parametrize("env_id", [card.id for card in envsuite.cards().values() if card.family == "quadcopters"])
def test_a_million_random_steps(env_id):
    slots = SLOTS // envsuite.card(env_id).agents  # the million counts each drone's steps
    env = batch_env(envsuite.card(env_id), slots, copy=False)
    policy = RandomPolicy(env.world.action, lead_shape(env.world, slots))
    policy.reset(np.ones(slots, bool), np.arange(slots))
    observations, _ = env.reset(seed=0)
    low, high = env.world.observation.low, env.world.observation.high
    for _ in range(STEPS):
        observations, rewards, _, _, infos = env.step(policy.act(observations, env.batch.states))
        assert np.isfinite(rewards).all()
        assert (observations >= low).all()
        assert (observations <= high).all()
    for name in env.world.info_dtype.names:
        assert np.isfinite(infos[name]).all() or name == "separation", name
