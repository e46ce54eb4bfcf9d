"""Item gathering against published fronts, and its rules of collision and pick-up."""

import numpy as np
import pytest

from envsuite.momarl.item_gathering.kernel import ItemGatheringWorld
from envsuite.momarl.item_gathering.params import DEFAULT_MAP

from ..batches import begun, played

STAY, UP, DOWN, LEFT, RIGHT = range(5)
CORRIDOR = ((1, 0, 2, 0, 1), (0, 3, 0, 0, 0))


@pytest.mark.parametrize(
    ("steps", "front"),
    [
        (5, {(2, 1, 1)}),
        (6, {(1, 3, 1), (3, 2, 1)}),
        (7, {(1, 3, 1), (2, 2, 2), (3, 1, 2), (3, 2, 1)}),
        (8, {(2, 3, 2), (3, 2, 2), (3, 3, 1)}),
        (9, {(3, 3, 2)}),
        (10, {(3, 3, 2)}),
    ],
)
def test_front_of_the_default_map(steps, front):
    assert set(map(tuple, ItemGatheringWorld().known_front(steps).tolist())) == front


@pytest.mark.parametrize(
    ("agent", "front"),
    [(0, {(0, 2, 2), (1, 3, 1), (2, 1, 2), (3, 2, 1)}), (1, {(1, 3, 1), (2, 1, 2), (3, 2, 1)})],
)
def test_front_of_one_agent_alone(agent, front):
    alone = np.array(DEFAULT_MAP)
    alone[tuple(np.argwhere(alone == 1)[1 - agent])] = 0
    assert set(map(tuple, ItemGatheringWorld(initial_map=alone).known_front().tolist())) == front


@pytest.mark.parametrize("weights", [(1, 1, 1), (1, 0, 0), (0, 1, 0.1), (0, 0, 1)])
def test_plans_reach_the_front(weights):
    from envsuite.momarl.item_gathering.experts import Gatherers

    world = ItemGatheringWorld(num_timesteps=7, reward_mode="team")
    policy, batch, total = Gatherers(world, np.array(weights, float)), begun(world), 0
    for _ in range(7):
        output = batch.step(policy.act(batch.last.observations, batch.states))
        total = total + output.rewards[0, 0]
    assert batch.done.all()
    assert output.truncated.all()
    assert total @ weights == pytest.approx((world.known_front() @ weights).max())


def test_one_of_two_goes_back_by_chance():
    world = ItemGatheringWorld(initial_map=CORRIDOR)
    batch = begun(world, 400)
    output = played(batch, [RIGHT, LEFT], [RIGHT, LEFT])
    first = output.rewards[:, 0, 0]
    assert (first + output.rewards[:, 1, 0] == 1).all()
    assert first.mean() == pytest.approx(0.5, abs=0.1)
    places = batch.states["place"][..., 1]
    assert ((places == [2, 3]).all(axis=1) == (first == 1)).all()


def test_agents_may_swap_and_a_standing_agent_keeps_its_cell():
    world = ItemGatheringWorld(initial_map=((1, 1, 0, 0, 0), (0, 0, 2, 3, 0)))
    batch = begun(world)
    played(batch, [RIGHT, LEFT])
    np.testing.assert_array_equal(batch.states[0]["place"], [[0, 1], [0, 0]])
    played(batch, [LEFT, STAY])
    np.testing.assert_array_equal(batch.states[0]["place"], [[0, 1], [0, 0]])


def test_items_that_resist():
    world = ItemGatheringWorld(initial_map=CORRIDOR, pickup_probabilities=(0.25, 1.0))
    batch = begun(world, 2000)
    output = played(batch, [RIGHT, STAY], [RIGHT, STAY])
    assert output.rewards[:, 0, 0].mean() == pytest.approx(0.25, abs=0.04)
    observation = output.observations[output.rewards[:, 0, 0] == 0][0, 0]
    assert observation[1 + 2] == -1  # the agent hides the item under it
    assert (batch.states["items"][:, 0, 2] == 1).mean() == pytest.approx(0.75, abs=0.04)


def test_the_last_item_ends_the_episode_and_time_cuts_it_off():
    world = ItemGatheringWorld(initial_map=((1, 2, 0, 0, 0), (0, 0, 0, 0, 1)), num_timesteps=3)
    output = played(begun(world), [RIGHT, STAY])
    assert output.terminated.all()
    assert not output.truncated.any()
    output = played(begun(world), *[[STAY, STAY]] * 3)
    assert output.truncated.all()
    assert not output.terminated.any()


def test_teams_share_what_is_picked_up():
    world = ItemGatheringWorld(initial_map=CORRIDOR, reward_mode="team")
    output = played(begun(world), [DOWN, STAY], [RIGHT, STAY])
    np.testing.assert_array_equal(output.rewards[0], [[0, 1], [0, 1]])


@pytest.mark.parametrize("layout", ["shuffled", "drawn"])
def test_random_layouts_keep_all_items_inside(layout):
    batch = begun(ItemGatheringWorld(layout=layout), 50)
    items = batch.states["items"]
    for kind, count in ((1, 3), (2, 3), (3, 2)):
        assert ((items == kind).sum(axis=(1, 2)) == count).all()
    assert (items[:, 2:-2, 2:-2] > 0).sum() == 50 * 8
    assert len({one.tobytes() for one in items}) > 40


def test_refuses_maps():
    with pytest.raises(ValueError, match="agents"):
        ItemGatheringWorld(initial_map=((0, 2), (0, 3)))
    with pytest.raises(ValueError, match="consecutive"):
        ItemGatheringWorld(initial_map=((1, 2), (0, 4)))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("two kinds", [[4, 3], [3, 5], [2, 6]]),
        ("four kinds", [[3, 4, 0, 0], [3, 3, 1, 0], [3, 2, 0, 1], [2, 4, 1, 1], [2, 3, 2, 1], [1, 4, 2, 1]]),
    ],
)
def test_other_maps(name, expected):
    """Fronts of eight steps."""
    world = ItemGatheringWorld(initial_map=name, num_timesteps=8, reward_mode="team")
    assert world.known_front().tolist() == expected
    assert world.params[0]["items"].max() == len(expected[0])
    with pytest.raises(ValueError, match="expected one of 'default'"):
        ItemGatheringWorld(initial_map="five kinds")
