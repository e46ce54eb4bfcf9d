"""What holds for every task of a single drone."""

import dataclasses
import inspect
import re

import gymnasium
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import envsuite
from envsuite.core.companions import Pictures, Players, Words, companion
from envsuite.core.world import make_world
from envsuite.quadcopters.flying.settings import ACTS
from envsuite.quadcopters.flying.world import DroneWorld
from envsuite.quadcopters.params import VEHICLES, vehicle
from tests.quadcopters.tasks import rotations, started

TASKS = [
    card.id
    for card in envsuite.cards().values()
    if card.family == "quadcopters"
    and card.agents == 1
    and isinstance(world := make_world(card.world, **card.options), DroneWorld)
    and "act" in inspect.signature(type(world)).parameters
]


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize(
    ("options", "mention"),
    [
        ({"vehicle": "cf9"}, "unknown vehicle 'cf9'"),
        ({"model": "euler"}, "model is 'euler'"),
        ({"act": "jump"}, "act is 'jump'"),
        ({"precision": "float16"}, "precision is 'float16'"),
        ({"terms": {"luck": 1}}, "unknown term 'luck'"),
        ({"terms": {"delay": 9}}, "term delay is 9"),
    ],
)
def test_bad_options_are_named(name, options, mention):
    with pytest.raises(ValueError, match=mention):
        gymnasium.make(name, **options)


@pytest.mark.parametrize("name", TASKS)
def test_privileged_vector_is_the_truth(name):
    batch = started(name, 20, terms={"noise": (0.1, 0.1, 0.1, 0.1), "push_force": 0.05, "push_torque": 1e-4})
    for _ in range(3):
        output = batch.step(np.full((20, *batch.world.action.shape), 0.1, np.float32))
    craft, found = batch.states["craft"], output.info["privileged"]
    vehicle = batch.world.params[0]["flying"]["physics"]["vehicle"]
    # some tasks draw a vehicle for each episode
    own = batch.states["vehicle"][:, 0] if "vehicle" in batch.states.dtype.names else vehicle
    weight = np.broadcast_to(own["mass"] * own["gravity"], 20)[:, np.newaxis]
    np.testing.assert_allclose(found[:, 3:12], rotations(craft).reshape(-1, 9), atol=1e-5)
    np.testing.assert_allclose(found[:, 15:18], np.clip(craft["rates"], -200, 200), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(found[:, 18:21], craft["force"] / weight, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(found[:, 21:24], craft["torque"] / weight, rtol=1e-4, atol=1e-8)
    noise = output.observations[:, 3:12] - found[:, 3:12] if output.observations.shape[1] >= 22 else None
    assert noise is None or np.abs(noise).max() > 0.02


@pytest.mark.parametrize("name", TASKS)
def test_every_kind_of_action_flies(name):
    for act in ACTS:
        batch = started(name, 4, act=act)
        policy, output = companion(batch.world, Players).expert(), batch.last
        for _ in range(20):
            actions = policy.act(output.observations, batch.states)
            assert np.abs(actions).max() <= 1
            output = batch.step(actions, batch.done)
        assert np.isfinite(output.observations).all()
        assert output.observations.shape == (4, *batch.world.observation.shape)


@pytest.mark.parametrize("name", TASKS)
def test_a_vehicle_of_ones_own_and_double_precision(name):
    stock = make_world(envsuite.card(name).world, **envsuite.card(name).options)
    record = stock.params[0]["flying"]["physics"]["vehicle"]
    like = next(v for known, v in VEHICLES.items() if vehicle(known).tobytes() == record.tobytes())
    own = dataclasses.replace(like, mass=1.05 * like.mass)
    batch = started(name, 2, vehicle=own, precision="float64")
    assert batch.states["craft"]["position"].dtype == np.float64
    batch.step(np.zeros((2, *batch.world.action.shape), np.float32))


@pytest.mark.parametrize("name", TASKS)
def test_description_is_true(name):
    env = gymnasium.make(name).unwrapped
    env.reset(seed=3)
    state = env.batch.states[0]
    text = env.describe()
    for value in state["craft"]["position"]:
        assert f"{value + 0.0:.2f}".replace("-0.00", "0.00") in text
    w, x, y, z = (float(value) for value in state["craft"]["attitude"])
    yaw = np.degrees(Rotation.from_quat([x, y, z, w]).as_euler("ZYX")[0])
    assert f"{yaw:.1f}" in text
    away = env.world.goal(state) - state["craft"]["position"]
    assert f"{away[2] + 0.0:.2f}".replace("-0.00", "0.00") in text


@pytest.mark.parametrize("name", TASKS)
def test_terms_change_in_use(name):
    batch = started(name, 4)
    world, record = batch.world, batch.world.params[0]["flying"]
    before = record.copy()
    world.set_terms(noise=(0.1, 0.1, 0.1, 0.1), delay=2, push_force=0.05)
    assert record["noisy"]
    assert record["delay"] == 2
    fresh = make_world(
        envsuite.card(name).world,
        **{**envsuite.card(name).options, "terms": {"noise": (0.1,) * 4, "delay": 2, "push_force": 0.05}},
    )
    for field in record.dtype.names:
        np.testing.assert_array_equal(record[field], fresh.params[0]["flying"][field])
    batch.reset()
    assert batch.states["craft"]["push_force"].any()
    old = world.terms
    with pytest.raises(ValueError, match="term delay is 9"):
        world.set_terms(delay=9)
    with pytest.raises(ValueError, match="term 'motor_lag' cannot change"):
        world.set_terms(motor_lag=0.1)
    assert world.terms == old
    world.set_terms(noise=(0, 0, 0, 0), delay=0, push_force=0)
    for field in ("noisy", "delay", "push_force"):
        assert record[field] == before[field]


@pytest.mark.parametrize("name", TASKS)
def test_a_point_to_fly_to_is_an_answer(name):
    world = make_world(envsuite.card(name).world, **envsuite.card(name).options)
    batch = started(name, 1)
    batch.horizon = 0
    state = batch.states[0]
    assert "go to [x, y, z]" in companion(world, Words).describe(state)
    place = state["craft"]["position"] + [0.1, 0.1, 0.3]
    text = f"I climb: go to [{place[0]:.3f}, {place[1]:.3f}, {place[2]:.3f}]."
    for _ in range(2 * companion(world, Pictures).fps):
        output = batch.step(companion(world, Words).parse(text, batch.states[0])[np.newaxis])
        if output.terminated[0]:  # some tasks do not want to be left
            break
    away = np.linalg.norm(batch.states["craft"]["position"][0] - place)
    assert output.terminated[0] or away < 0.25
    for bad, mention in (("go to [1, 2]", "2 numbers"), ("fly to (1e9, 0, 0)", "1e\\+09 is outside")):
        refusal = companion(world, Words).parse(bad, state)
        assert re.search(mention, refusal.reason)
