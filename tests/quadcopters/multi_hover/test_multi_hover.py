import gymnasium
import numpy as np
import pettingzoo
import pytest

import envsuite  # noqa: F401
from envsuite.cards import EnvCard
from envsuite.core.batch import Batch
from envsuite.core.companions import Words, companion
from envsuite.core.parallel import WorldParallelEnv
from envsuite.core.world import ended_agents
from envsuite.evaluation.rollout import expert_policy, play
from envsuite.quadcopters.hover_gpd.kernel import QuadHoverGPD
from envsuite.quadcopters.multi_hover import env as factories
from envsuite.quadcopters.multi_hover.cards import CARDS
from envsuite.quadcopters.multi_hover.kernel import QuadMultiHover

ARM = 0.0397


def start(seed=0, **options):
    batch = Batch(QuadMultiHover(**options), 1, horizon=242)
    batch.seed([seed])
    batch.reset()
    return batch


def drones_of(batch):
    return batch.states[0]["drones"]


def hold(batch):
    """A step of hovering rotor speeds."""
    return batch.step(np.zeros((1, len(batch.world.agents), *batch.world.action.shape), np.float32))


@pytest.mark.parametrize("count", [2, 3, 16])
def test_places_and_targets_of_the_original(count):
    batch = start(num_drones=count, compat="gpd")
    spawn = np.array([(4 * ARM * i, 4 * ARM * i, 0.1125) for i in range(count)])
    np.testing.assert_allclose(drones_of(batch)["position"], spawn, atol=1e-15)
    targets = spawn + [(0, 0, 1 / (i + 1)) for i in range(count)]
    np.testing.assert_allclose(batch.world.params[0]["target"], targets, atol=1e-15)


@pytest.mark.parametrize("compat", [None, "gpd"])
def test_each_drone_gets_its_own_reward(compat):
    batch = start(num_drones=3, compat=compat, precision="float64", act="one_d_rpm")
    generator = np.random.default_rng(1)
    total = np.zeros(3)
    for _ in range(20):
        output = batch.step(generator.uniform(-1, 1, (1, 3, 1)).astype(np.float32))
        error = np.linalg.norm(drones_of(batch)["position"] - batch.world.params[0]["target"], axis=1)
        np.testing.assert_allclose(output.rewards[0], np.maximum(0, 2 - error**4), rtol=1e-12)
        np.testing.assert_allclose(output.info["distance"][0], error, rtol=1e-6)
        total += output.rewards[0]
    np.testing.assert_allclose(output.info["normalised_return"][0], total / 484, rtol=1e-6)


def test_joint_reward_is_the_originals_sum():
    env = gymnasium.make(CARDS[0].id, compat="gpd").unwrapped
    assert env.observation_space.shape == (2, 72)
    assert env.action_space == gymnasium.spaces.Box(-1, 1, (2, 4), np.float32)
    env.reset(seed=0)
    reward = env.step(np.zeros((2, 4), np.float32))[1]
    assert reward == pytest.approx((2 - 1) + (2 - 0.5**4), abs=1e-9)


def test_far_drones_fly_like_single_ones():
    """Without downwash the drones do not know of each other."""
    multi = start(num_drones=2, compat="gpd", act="rpm")
    single = Batch(QuadHoverGPD(compat="gpd", act="rpm"), 1)
    single.seed([0])
    single.reset()
    generator = np.random.default_rng(2)
    for _ in range(40):
        action = (0.3 + 0.02 * generator.uniform(-1, 1, (1, 1, 4))).astype(np.float32)
        multi.step(np.repeat(action, 2, axis=1))
        single.step(action)
    a, b = drones_of(multi), single.states[0]["drones"]
    np.testing.assert_array_equal(a["position"][0], b["position"][0])
    np.testing.assert_array_equal(a["attitude"][1], b["attitude"][0])


def test_the_original_ends_for_all_at_once():
    batch = start(compat="gpd")
    drones_of(batch)["position"] = batch.world.params[0]["target"]
    output = hold(batch)
    assert output.terminated.all()
    assert not output.truncated.any()
    batch = start(compat="gpd")
    drones_of(batch)["position"][1] = (2.1, 0, 1)
    output = hold(batch)
    assert output.truncated.all()
    assert not output.terminated.any()
    assert output.rewards[0, 0] > 0.9  # a crash costs nothing there


def test_the_originals_far_drones_start_beyond_its_limits():
    assert hold(start(num_drones=16, compat="gpd")).truncated.all()
    assert not hold(start(num_drones=16)).terminated.any()


def test_a_crash_takes_out_one_drone_for_the_rest_of_the_episode():
    batch = start(num_drones=3, physics="pyb_dw")
    drones_of(batch)["position"][1] = (0.16, 0.16, 2.1)
    output = hold(batch)
    np.testing.assert_array_equal(output.terminated[0], (False, True, False))
    assert output.rewards[0, 1] == 0
    assert output.rewards[0, [0, 2]].min() > 0
    np.testing.assert_array_equal(output.info["crashed"][0], (False, True, False))
    assert not output.info["collided"].any()
    resting = drones_of(batch)["position"][1].copy()
    for _ in range(5):
        output = hold(batch)
        np.testing.assert_array_equal(output.terminated[0], (False, True, False))
        assert output.rewards[0, 1] == 0
    np.testing.assert_array_equal(drones_of(batch)["position"][1], resting)
    np.testing.assert_array_equal(ended_agents(batch.world, batch.states[0]), (False, True, False))
    assert not batch.done[0]


def test_drones_that_touch_crash_together():
    """Spheres of the hull's radius, 6 cm."""
    for distance, collide in ((0.125, False), (0.115, True)):
        batch = start(num_drones=3, precision="float64")
        drones_of(batch)["position"][:] = ((0, 0, 1), (distance, 0, 1), (0.5, 0.5, 0.5))
        output = hold(batch)
        np.testing.assert_array_equal(output.terminated[0], (collide, collide, False))
        np.testing.assert_array_equal(output.info["collided"][0], (collide, collide, False))
        assert output.info["min_separation"][0, 0] == pytest.approx(distance, abs=1e-6)
    assert hold(batch).info["min_separation"][0, 2] == pytest.approx(0.115, abs=1e-6)  # it remembers the least


def test_when_all_are_out_the_episode_is_over():
    batch = start()
    drones_of(batch)["position"][:] = ((0, 0, 1), (0.05, 0, 1))
    output = hold(batch)
    assert output.terminated.all()
    assert batch.done[0]
    output = batch.step(np.zeros((1, 2, 4), np.float32), batch.done)
    assert not output.terminated.any()
    assert (output.rewards == 0).all()
    assert drones_of(batch)["active"].all()


def test_time_runs_out_for_those_still_flying():
    batch = start(num_drones=2)
    drones_of(batch)["position"][1] = (0, 0, 3)
    for _ in range(242):
        output = hold(batch)
    np.testing.assert_array_equal(output.terminated[0], (False, True))
    np.testing.assert_array_equal(output.truncated[0], (True, False))


def test_downwash_pushes_down_the_drone_below():
    """Half a metre above, the original gives 0.30 N, more than the weight; repaired it is half the weight."""
    for compat, push in (("gpd", 0.3034), (None, 0.5 * 0.027 * 9.8)):
        sinking = []
        for physics in ("pyb", "pyb_dw"):
            batch = start(physics=physics, compat=compat, precision="float64")
            drones_of(batch)["position"][:] = ((0, 0, 0.5), (0, 0, 1.0))
            hold(batch)
            sinking.append(drones_of(batch)["velocity"][:, 2].copy())
        fall = (sinking[0] - sinking[1]) * 30
        assert fall[0] == pytest.approx(push / 0.027, rel=0.05)
        assert fall[1] == 0


def test_each_drone_sees_its_target_and_its_nearest_neighbour():
    batch = start(num_drones=3)
    places = np.array(((0, 0, 1), (0.3, 0, 1), (0.3, 0.2, 0.9)), np.float32)
    drones_of(batch)["position"][:] = places
    output = hold(batch)
    seen = output.observations[0]
    places, speeds = drones_of(batch)["position"], drones_of(batch)["velocity"]
    np.testing.assert_allclose(seen[:, 12:15], batch.world.params[0]["target"] - places, atol=1e-6)
    for n, nearest in ((0, 1), (1, 2), (2, 1)):
        np.testing.assert_allclose(seen[n, 15:18], places[nearest] - places[n], atol=1e-6)
        np.testing.assert_allclose(seen[n, 18:21], speeds[nearest] - speeds[n], atol=1e-6)
    drones_of(batch)["position"][1:] = ((0, 0, 5), (0, 1, 5))
    hold(batch)
    alone = hold(batch).observations[0]
    np.testing.assert_array_equal(alone[0, 15:21], 0)


def test_starts_are_spread_but_never_touch():
    batch = Batch(QuadMultiHover(num_drones=3), 500)
    batch.seed(range(500))
    output = batch.reset()
    spawn = batch.world.params[0]["spawn"]
    offsets = batch.states["drones"]["position"] - spawn
    assert 0.019 < np.abs(offsets[..., :2]).max() <= 0.02
    assert 0.049 < np.abs(offsets[..., 2]).max() <= 0.05 + 1e-6
    assert output.info["min_separation"].min() > 0.16
    assert len(np.unique(offsets[..., 0])) > 1400  # every drone draws its own


@pytest.mark.parametrize(
    ("options", "least"),
    [
        ({"compat": "gpd", "act": "one_d_rpm"}, 949.5),  # the returns at which the original stops training
        ({"compat": "gpd", "act": "rpm"}, 920.0),
        ({}, 920.0),
        ({"act": "pid"}, 920.0),
        ({"num_drones": 16}, 16 * 470.0),
        ({"num_drones": 3, "act": "pid", "physics": "pyb_gnd_drag_dw"}, 3 * 460.0),
    ],
)
def test_the_expert_reaches_what_the_original_trains_for(options, least):
    card = EnvCard(**{**CARDS[0].__dict__, "options": options})
    episodes = play(card, expert_policy, 10)
    assert episodes.returns.min() > least
    assert not episodes.metrics["crashed"].any()


def test_position_actions_count_from_home():
    """In the original they are absolute, so that far drones cannot reach their targets."""
    for compat, x in ((None, 15 * 4 * ARM), ("gpd", 0.0)):
        batch = start(num_drones=16, act="pid", compat=compat)
        np.testing.assert_allclose(drones_of(batch)["home"][15], (x, x), rtol=1e-6)


def test_pettingzoo_factories():
    env = factories.parallel_env(num_drones=3, act="one_d_rpm")
    assert isinstance(env, WorldParallelEnv)
    assert env.max_cycles == 242
    observations, _ = env.reset(seed=0)
    assert list(observations) == ["drone_0", "drone_1", "drone_2"]
    assert {o.shape for o in observations.values()} == {(12 + 9 + 15,)}
    aec = factories.env()
    aec.reset(seed=0)
    assert aec.agent_selection == "drone_0"
    assert pettingzoo.make("parallel", CARDS[0].id).possible_agents == ["drone_0", "drone_1"]


def test_says_what_it_sees():
    batch = start(num_drones=3)
    text = companion(batch.world, Words).describe(batch.states[0], 1)
    assert "You are drone_1" in text
    assert "drone_0 is" in text
    assert "drone_2 is" in text
    np.testing.assert_array_equal(
        companion(batch.world, Words).parse("[0.1, 0.2, 0.3, 0.4]", batch.states[0]), np.float32([0.1, 0.2, 0.3, 0.4])
    )


@pytest.mark.parametrize("count", [1, 17, 0, -2, 2.5, True, "2"])
def test_the_number_of_drones_is_checked(count):
    with pytest.raises(ValueError, match=rf"num_drones is {count!r}, expected a whole number from 2 to 16"):
        QuadMultiHover(num_drones=count)
