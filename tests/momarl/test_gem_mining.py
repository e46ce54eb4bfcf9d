"""Gem mining: expectation against frequencies, the exact front against all joint actions."""

import itertools

import numpy as np
import pytest

from envsuite.core.companions import Words, companion
from envsuite.core.language import Refusal
from envsuite.momarl.gem_mining.experts import known_front
from envsuite.momarl.gem_mining.kernel import GemMiningWorld

from ..batches import begun, played

SMALL = {"num_agents": 5, "num_objectives": 2, "instance_seed": 3}


def expectation(world, actions):
    """Expected gems, from the definition."""
    p = world.params[0]
    total = np.zeros(len(world.reward.objectives))
    for mine, chances in enumerate(p["chance"]):
        sent = sum(int(p["workers"][i]) for i, action in enumerate(actions) if i + action == mine)
        if sent:
            total += np.minimum(0.9, chances * 1.03 ** (sent - int(p["first"])))
    return total


def test_front_is_that_of_all_joint_actions():
    world = GemMiningWorld(**SMALL)
    everything = itertools.product(*(range(int(k)) for k in world.params[0]["reach"]))
    points = np.array([expectation(world, one) for one in everything])
    dominated = [((points >= one).all(axis=1) & (points > one).any(axis=1)).any() for one in points]
    best = np.unique(points[~np.array(dominated)].round(12), axis=0)
    front, actions = known_front(world.params[0])
    np.testing.assert_allclose(np.unique(front.round(12), axis=0), best, atol=1e-11)
    np.testing.assert_allclose([expectation(world, one) for one in actions], front, atol=1e-12)


@pytest.mark.parametrize("compat", [None, "momaland-0.2"])
def test_gems_come_as_often_as_expected(compat):
    world = GemMiningWorld(**SMALL, compat=compat)
    batch = begun(world, 4000)
    actions = [0, 1, 0, 1, 0]
    output = played(batch, actions)
    assert (output.rewards == output.rewards[:, :1]).all()
    found, expected = output.rewards[:, 0].mean(axis=0), expectation(world, actions)
    error = output.rewards[:, 0].std(axis=0) / np.sqrt(4000)
    assert (abs(found - expected) < 4 * error).all()
    assert output.terminated.all()
    if compat:
        assert (expected > expectation(GemMiningWorld(**SMALL), actions)).any()


def test_instances_keep_their_bounds():
    for seed in range(20):
        p = GemMiningWorld(num_objectives=3, instance_seed=seed).params[0]
        assert ((p["reach"] >= 2) & (p["reach"] <= 4) & (p["workers"] >= 1) & (p["workers"] <= 5)).all()
        assert (p["chance"] >= 0.01).all()
        assert (p["chance"].sum(axis=1) <= 0.5 + 1e-12).all()


def test_workers_sent_too_far_stay_at_home():
    world = GemMiningWorld(**SMALL)
    far = int(np.argmin(world.params[0]["reach"]))
    actions = np.zeros(5, np.int64)
    actions[far] = 3
    batch = begun(world)
    played(batch, actions)
    assert batch.states[0]["target"][far] == -1
    assert isinstance(companion(world, Words).parse("m3", batch.states[0], far), Refusal)
