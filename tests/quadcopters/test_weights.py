"""Weights of rewards: as registered, as given, and changed on the way."""

import numpy as np
import pytest

import envsuite
from envsuite.agents.random import RandomPolicy
from envsuite.core.batch import Batch
from envsuite.core.world import lead_shape, make_world
from envsuite.quadcopters.weights import read_weights

# each task with a weight that random play meets at once, and one that makes every step count alike
TASKS = {
    "QuadTakeoff": "position",
    "QuadTrackLissajous": "position",
    "QuadFlyThruGate": "progress",
    "QuadGateRaceL0": "progress",
    "QuadLanding": "approach",
    "QuadWaypointVel": "progress",
    "QuadReachVel": "velocity",
    "QuadLeaderFollower": "slot",
    "QuadFlock": "pace",
    "QuadDownwashFormation": "position",
    "QuadSwarmGoals": "distance",
}


def rewards_of(card_id: str, steps: int = 150, later=None, **options) -> tuple[np.ndarray, np.ndarray]:
    """Rewards and terminations (steps, 8) of random play; `later` are weights set half-way."""
    card = envsuite.card(card_id)
    world = make_world(card.world, **{**card.options, **options})
    batch = Batch(world, 8, horizon=card.horizon or 0)
    batch.seed(range(8))
    output = batch.reset()
    policy = RandomPolicy(world.action, lead_shape(world, 8))
    policy.reset(np.ones(8, np.bool_), np.arange(8))
    rewards, terminated = [], []
    for step in range(steps):
        if later is not None and step == steps // 2:
            world.set_reward_weights(later)
        output = batch.step(policy.act(output.observations, batch.states), batch.done)
        rewards.append(output.rewards.copy())
        terminated.append(output.terminated.copy())
    return np.array(rewards), np.array(terminated)


@pytest.mark.parametrize(("card_id", "name"), TASKS.items())
def test_a_part_counts_by_its_weight(card_id, name):
    card = envsuite.card(card_id)
    own = make_world(card.world, **card.options).reward_weights
    alone = {**dict.fromkeys(own, 0.0), name: own[name]}
    one, terminated = rewards_of(card_id, weights=alone)
    two, _ = rewards_of(card_id, weights={**alone, name: 2 * own[name]})
    assert one[~terminated].any()
    np.testing.assert_array_equal(two, 2 * one)
    assert not rewards_of(card_id, weights=dict.fromkeys(own, 0.0))[0].any()
    # all parts together are the registered reward
    parts = [rewards_of(card_id, weights={**dict.fromkeys(own, 0.0), one: own[one]})[0] for one in own]
    np.testing.assert_allclose(np.sum(parts, axis=0), rewards_of(card_id)[0], rtol=1e-4, atol=1e-5)


def test_weights_change_on_the_way():
    before, terminated = rewards_of("QuadTakeoff", weights={"crash": 3.0})
    after, _ = rewards_of("QuadTakeoff", weights={"crash": 3.0}, later={"crash": 7.0})
    early, late = terminated[:75], terminated[75:]
    assert early.any()
    assert late.any()
    assert (before[terminated] == -3).all()
    assert (after[:75][early] == -3).all()
    assert (after[75:][late] == -7).all()


def test_what_is_not_asked_for_costs_nothing():
    own, ended = rewards_of("QuadDisturbanceDR")
    alive, _ = rewards_of(
        "QuadDisturbanceDR", weights={"position": 0.0, "velocity": 0.0, "attitude": 0.0, "change": 0.0}
    )
    assert (alive[1:][~ended[1:]] == 1).sum() > 100
    assert (own <= alive).all()
    np.testing.assert_array_equal(own[ended], -10)


def test_a_lighter_cost_pays_more_when_thrown():
    heavy, ended = rewards_of("QuadThrowRecovery", 60)
    light, _ = rewards_of("QuadThrowRecovery", 60, weights={"position": 5.0})
    assert (light > heavy)[1:][~ended[1:]].mean() > 0.95
    assert (light[~ended] <= 2).all()


@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf")])
def test_weights_that_are_none_are_refused(value):
    with pytest.raises(ValueError, match=f"weight crash is {value}, expected a finite number >= 0"):
        read_weights({"crash": 1.0}, {"crash": value})
    with pytest.raises(ValueError, match="unknown weight 'speed', expected one of crash, gate"):
        read_weights({"crash": 1.0, "gate": 2.0}, {"speed": 1.0})
