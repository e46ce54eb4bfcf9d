"""Prisms of many shapes: geometry and motion in closed form, rewards against their formulas, holes that hold."""

import math
from typing import Any

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.core.companions import Pictures, Players, Words, companion
from envsuite.manipulation.graphs import graph_of
from envsuite.manipulation.shapes.outlines import (
    EXTRA,
    INSERTED,
    OUTLINES,
    RADIUS,
    SHAPES,
    THICKNESS,
    TRAINING,
    area,
    centroid,
    dense,
    inside,
    moments,
    shifted,
)
from envsuite.manipulation.shapes.tasks import GRASPS, ROD, TASKS
from envsuite.manipulation.shapes.world import ShapesWorld

KEPT = 1 - 10 * 0.01  # what a linear damping of 10/s leaves of a speed in 10 ms
STEP = 0.04


def _batch(count: int, seed: int = 0, horizon: int = 100, **options) -> Any:
    batch = Batch(ShapesWorld(**options), count, num_threads=1, horizon=horizon)
    batch.seed(np.arange(seed, seed + count))
    batch.reset()
    return batch


def _step(batch: Any, action) -> np.ndarray:
    """The same action for all; rewards."""
    lead = batch.last.observations.shape[:-1]
    given = np.broadcast_to(np.asarray(action, np.float32), (*lead, batch.world.action.shape[0]))
    return np.array(batch.step(np.ascontiguousarray(given), batch.done).rewards)


def _matrix(turn: np.ndarray) -> np.ndarray:
    """(n, 3, 3) rotations of quaternions (n, 4), by their action on the axes."""
    w, v = turn[:, :1, None], turn[:, None, 1:]
    eye = np.eye(3)[None]
    cross = np.cross(v, eye)
    return np.swapaxes(eye + 2 * (w * cross + np.cross(v, cross)), 1, 2)


def _yaw(turn: np.ndarray) -> np.ndarray:
    return 2 * np.arctan2(turn[:, 3], turn[:, 0])


@pytest.mark.parametrize("name", OUTLINES)
def test_outlines_are_centred_polygons_of_one_size(name):
    outline = OUTLINES[name]
    assert area(outline) > 0
    assert np.abs(centroid(outline)).max() < 1e-12
    assert np.linalg.norm(outline, axis=1).max() == pytest.approx(RADIUS)


@pytest.mark.parametrize("name", OUTLINES)
def test_moments_are_those_of_a_fine_grid(name):
    outline, axis = OUTLINES[name], (np.arange(600) + 0.5) / 600 * 2 * RADIUS - RADIUS
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    x, y = grid[inside(outline, grid)].T
    assert len(x) * (axis[1] - axis[0]) ** 2 == pytest.approx(area(outline), rel=6e-3)
    assert moments(outline) == pytest.approx((np.mean(x * x), np.mean(y * y), np.mean(x * y)), rel=1e-2, abs=3e-6)


def test_a_shifted_square_is_larger_on_all_sides():
    square = np.array([(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)])
    assert np.allclose(shifted(square, 0.25), 1.25 * square)
    assert np.allclose(dense(square, 2)[1], (0.0, 1.0))


def test_splits_share_no_shape():
    shapes = {split: set(ShapesWorld(shapes=split).shapes) for split in ("training", "held_out", "extra")}
    assert shapes["training"] == set(TRAINING)
    assert shapes["training"] | shapes["held_out"] == set(SHAPES)
    assert shapes["training"] & shapes["held_out"] == set()
    assert shapes["extra"] == set(EXTRA)
    assert ShapesWorld(task="insertion").shapes == INSERTED == tuple(one for one in SHAPES if one not in "AE")


def test_each_episode_draws_a_shape():
    drawn = _batch(400).states["level"]
    assert np.bincount(drawn, minlength=10).min() > 20


@pytest.mark.parametrize("task", ["sliding", "insertion"])
def test_a_rod_moves_and_turns_the_prism_as_its_formula_says(task):
    """omega = 20 (p x u_t)_z / |p|^2 with u_t the part of u across p; the prism turns about the rod."""
    batch = _batch(16, task=task)
    before = batch.states.copy()
    velocity, turning = np.array([0.3, -0.6, 0.5 if task == "insertion" else 0.0]), np.array([0.01, -0.02, 0.03])
    _step(batch, [*velocity, *turning])
    after, p = batch.states, before["hands"][:, 0].copy()
    angle = _yaw(before["turn"])
    for _ in range(16):
        square = (p**2).sum(axis=1, keepdims=True)
        across = turning - (p @ turning)[:, None] / square * p
        omega = KEPT * 20 * np.cross(p, across)[:, 2] / square[:, 0]
        angle, p = angle + omega * STEP / 16, p + KEPT * velocity * STEP / 16
    assert np.allclose(np.sin(angle - _yaw(after["turn"])), 0, atol=2e-3)
    moved = after["hands"][:, 0] - before["hands"][:, 0]
    assert np.allclose(moved, KEPT * velocity * STEP, atol=2e-3)  # but for the arc in a step of physics
    offset = np.einsum("nij,j->ni", _matrix(after["turn"]), ROD)
    assert np.allclose(after["place"] + offset, after["hands"][:, 0], atol=1e-12)


def test_a_command_along_z_does_nothing_in_a_plane():
    batch = _batch(4, task="sliding")
    before = batch.states.copy()
    _step(batch, [0, 0, 1, 0, 0, 1])
    assert np.array_equal(batch.states["place"], before["place"])
    assert np.array_equal(batch.states["turn"], before["turn"])


def test_grippers_have_the_velocities_commanded_where_these_keep_their_distance():
    batch = _batch(16, task="insertion-two")
    line = batch.states["hands"][:, 1] - batch.states["hands"][:, 0]
    assert np.allclose(np.linalg.norm(line, axis=1), 0.1)
    axes = _matrix(batch.states["turn"])
    grasps = batch.states["place"][:, None] + np.einsum("nij,kj->nki", axes, GRASPS)
    assert np.allclose(grasps, batch.states["hands"], atol=1e-12)
    common, apart = np.array([0.2, -0.1, 0.3]), np.cross(line, [0.3, 0.5, -0.2])
    commands = np.concatenate([common - apart, common + apart], axis=1)
    start = batch.states["hands"].copy()
    batch.step(commands.astype(np.float32), batch.done)
    moved = (batch.states["hands"] - start).mean(axis=1)
    assert np.allclose(moved, KEPT * common * STEP, atol=1e-4)
    turned = batch.states["hands"][:, 1] - batch.states["hands"][:, 0]
    angle = np.arccos(np.clip((turned * line).sum(axis=1) / 0.01, -1, 1))
    expected = KEPT * 2 * np.linalg.norm(apart, axis=1) / 0.1 * STEP
    assert np.allclose(angle, expected, rtol=0.03)


def test_a_pushed_prism_slows_as_its_damping_says():
    """Implicit Euler with damping d m: speeds fall by 1 / (1 + d h) in each step of physics."""
    batch = _batch(10, task="pushing", outlines=SHAPES)
    body = batch.states["body"]
    body["qpos"][:, 3:5] = 5.0  # the rod is far away
    body["qvel"][:, :3] = (0.8, -0.4, 3.0)
    _step(batch, [0, 0, 0])
    left = (1 + 10 * 0.0025) ** -16
    assert np.allclose(batch.states["speed"][:, :2], np.array([0.8, -0.4]) * left, rtol=1e-9)
    assert np.allclose(batch.states["spin"][:, 2], 3.0 * left, rtol=1e-9)


def test_a_rod_against_the_middle_pushes_at_its_own_speed():
    batch = _batch(1, task="pushing", outlines=["rectangle"])
    body = batch.states["body"]
    body["qpos"][:, :3] = (0.0, 0.0, 0.0)
    reach = -OUTLINES["rectangle"][:, 0].min()
    body["qpos"][:, 3:5] = (-reach - 0.026, 0.0)
    for _ in range(8):
        _step(batch, [0.5, 0, 0])
    state = batch.states[0]
    assert state["speed"][0] == pytest.approx(KEPT * 0.5, rel=5e-3)  # still settling
    assert state["angle"] == pytest.approx(abs(_yaw(state["goal_turn"][None])[0]), abs=0.05)  # it hardly turns
    gap = state["place"][0] - reach - (state["hands"][0, 0] + 0.025)
    assert abs(gap) < 0.002  # contacts are soft


@pytest.mark.parametrize("name", [*INSERTED, "L", "rectangle"])
def test_a_hole_takes_its_prism_only_if_it_is_turned_right(name):
    batch = _batch(2, task="insertion", outlines=[name])
    body, goal = batch.states["body"], _yaw(batch.states["goal_turn"])
    body["qpos"][:, :3] = (0.0, 0.0, 0.25 + THICKNESS + 0.02)
    body["qpos"][:, 3] = goal + np.array([0.0, math.pi / 11])
    _step(batch, np.zeros(6))
    for _ in range(10):
        _step(batch, [0, 0, -0.5, 0, 0, 0])
    heights = batch.states["place"][:, 2] - 0.25
    assert heights[0] == pytest.approx(-0.005, abs=0.002)  # on the hole's floor
    assert batch.states["success"].tolist() == [True, False]
    assert heights[1] > THICKNESS - 0.004  # on the block
    assert (batch.states["body"]["overflow"] == 0).all()


@pytest.mark.parametrize("task", TASKS)
def test_rewards_are_those_of_the_original(task):
    """Section 2.5 of its rules, from what is seen of the state; the last steps count more."""
    horizon = 8
    batch = _batch(12, task=task, horizon=horizon)
    batch.world.params["horizon"] = horizon
    draw, before = np.random.default_rng(1), 0.0
    for step in range(1, horizon + 1):
        action = draw.uniform(-1, 1, batch.world.action.shape[0]).astype(np.float32)
        rewards, s = _step(batch, action), batch.states
        d = np.linalg.norm(s["place"] - s["goal"], axis=1)
        cosine = np.abs((s["turn"] * s["goal_turn"]).sum(axis=1))
        th = 2 * np.arccos(np.minimum(cosine, 1))
        rate = ((action - before) ** 2).sum()
        before = action
        late = step > horizon - (5 if "pushing" in task else 2)
        if task == "sliding":
            w = 5 if late else 1
            speed = np.linalg.norm(s["hand_speeds"][:, 0], axis=1) + np.linalg.norm(s["spin"], axis=1)
            expected = -0.8 * (w * d + 0.5 * w * th) - 0.1 * speed - 0.002 * rate
        elif task == "insertion":
            w = 5 if late else 1
            expected = -0.8 * (w * d + 0.5 * w * th + 0.5 * np.abs(s["place"][:, 2] - s["goal"][:, 2]))
        elif task == "insertion-two":
            w, turned = (5, 7.5) if late else (1, 1)
            expected = -0.8 * (w * d + 0.1 * turned * th)
        else:
            w, hands = 10 if late else 1, s["hands"][:, : batch.world.task.actuators, :2]
            away = np.linalg.norm(hands - s["place"][:, None, :2], axis=2).mean(axis=1)
            expected = -0.8 * (w * d + 0.1 * w * th) - 0.2 * away
        assert np.allclose(rewards, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("task", ["pushing-two", "insertion-two"])
def test_a_team_plays_the_same_game(task):
    one, team = _batch(6, task=task), _batch(6, task=task, team=True)
    draw = np.random.default_rng(0)
    for _ in range(5):
        action = draw.uniform(-1, 1, (6, 2, 3)).astype(np.float32)
        alone, together = one.step(action.reshape(6, 6), one.done), team.step(action, team.done)
        assert np.array_equal(np.repeat(alone.rewards[:, None], 2, axis=1), together.rewards)
        assert np.array_equal(alone.observations, together.observations[:, 0])
    mine, other = team.last.observations[:, 0], team.last.observations[:, 1]
    assert np.array_equal(mine[:, :3], other[:, 3:6])
    assert np.array_equal(mine[:, 12:], other[:, 12:])


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("resolution", ["low", "high"])
def test_observations_are_graphs(task, resolution):
    batch = _batch(5, task=task, resolution=resolution)
    graph = graph_of(batch.world, batch.last.observations)
    count = batch.world.params["count"][batch.states["level"]]
    assert np.array_equal(graph.mask["object"].sum(axis=1), count)
    assert graph.position["actuator"].shape == (5, batch.world.task.actuators, 3)
    rim = {"low": 1, "high": 3}[resolution] * (2 if task == "insertion-two" else 1)
    corners = np.array([len(batch.world.outlines[name]) for name in batch.world.shapes])
    assert np.array_equal(count, rim * corners[batch.states["level"]])
    axes = _matrix(batch.states["turn"])
    for i in range(5):
        own = (graph.position["object"][i, : count[i]] - batch.states["place"][i]) @ axes[i]
        assert np.linalg.norm(own[:, :2], axis=1).max() == pytest.approx(RADIUS, rel=1e-5)
    edges = graph.edge_mask["object", "to", "object"].sum(axis=1)
    assert np.array_equal(edges, 3 * count)
    flat = graph.flatten()
    assert len(flat.x_dict["object"]) == count.sum()
    assert flat.edge_index_dict["object", "to", "actuator"].shape == (2, count.sum() * batch.world.task.actuators)


def test_noise_moves_observed_points_alone():
    clean, noisy = _batch(50, task="sliding"), _batch(50, task="sliding", noise=0.01)
    seen = clean.world.observation.offset("points")
    difference = noisy.last.observations - clean.last.observations
    points = 3 * int(clean.world.params["room"][0])
    there = clean.last.observations[:, seen : seen + points] != 0
    assert np.std(difference[:, seen : seen + points][there]) == pytest.approx(0.01, rel=0.1)
    assert (difference[:, :seen] == 0).all()


@pytest.mark.parametrize("task", TASKS)
def test_episodes_begin_where_the_original_begins_them(task):
    states, chosen = _batch(500, seed=7, task=task).states, TASKS[task]
    away = states["place"] - states["goal"]
    if task == "insertion-two":
        middle = (np.array(chosen.low) + chosen.high) / 2 - chosen.goal
        most = np.linalg.norm(np.array(chosen.high) - chosen.goal)
        assert np.linalg.norm(away, axis=1).max() <= most + 1e-9
        axes = _matrix(states["goal_turn"])
        assert np.allclose(axes[:, :, 2], _matrix(states["turn"])[:, :, 2], atol=1e-12)  # both lean the same way
        assert ((away * axes[:, :, 2]).sum(axis=1) > middle[0] - 0.26).all()  # before the mouth of the hole
        assert (axes[:, 2, 2] > -1e-9).all()  # which looks up or sideways
    else:
        for k in range(3):
            low, high = chosen.low[k], chosen.high[k]
            assert (states["place"][:, k] >= low).all()
            assert (states["place"][:, k] <= high).all()
            assert np.ptp(states["place"][:, k]) >= 0.9 * (high - low)
    assert np.ptp(_yaw(states["goal_turn"])) > 3


@pytest.mark.parametrize(("task", "least"), [("sliding", 1.0), ("insertion", 1.0), ("insertion-two", 1.0)])
def test_reference_players_succeed(task, least):
    assert _success(task, 16) >= least


@pytest.mark.slow
@pytest.mark.parametrize("task", ["pushing", "pushing-two"])
def test_reference_pushers_succeed(task):
    assert _success(task, 24) >= 0.8


def _success(task: str, count: int) -> float:
    batch = _batch(count, seed=100, task=task)
    player = companion(batch.world, Players).expert()
    player.reset(np.ones(count, np.bool_), np.arange(count))
    for _ in range(99):
        batch.step(player.act(batch.last.observations, batch.states), batch.done)
    return float(batch.states["success"].mean())


@pytest.mark.parametrize("task", TASKS)
def test_pictures_and_words_tell_of_the_prism(task):
    batch = _batch(1, task=task)
    name = batch.world.shapes[batch.states["level"][0]]
    assert f"The {name} is at" in companion(batch.world, Words).describe(batch.states[0])
    pictures = companion(batch.world, Pictures)
    blue = (pictures.draw(batch.states[0], (320, 320)).astype(int) @ (-1, 0, 1) > 80).sum()
    assert blue > 40


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"outlines": ["plus", "circle"]}, r"outline is 'circle', expected one of plus, pentagon"),
        ({"outlines": "plus"}, r"outlines is 'plus', expected names such as"),
        ({"outlines": []}, r"outlines is \[\], expected names such as"),
        (
            {"outlines": {"line": [(0, 0), (1, 0)]}},
            r"'line' has corners of shape \(2, 2\), expected \(3 to 12, 2\)",
        ),
        ({"outlines": {"bow": [(0, 0), (1, 1), (1, 0), (0, 1)]}}, r"shape 'bow' has edges that cross"),
        (
            {"outlines": {"hook": [(0, 0), (0, 1), (1, 0)]}},
            r"'hook' has an area of -0.5, expected .* anticlockwise",
        ),
        ({"outlines": {"far": [(0, 0), (1, math.inf), (0, 1)]}}, r"shape 'far' has the corner .* not finite"),
        ({"outlines": {"two": [(0, 0), (1, 0), (1, 0), (0, 1)]}}, r"shape 'two' has two corners in a row"),
        ({"task": "insertion", "outlines": ["V"]}, r"shape 'V' has a notch too narrow for a hole"),
        ({"task": "sliding", "team": True}, r"team is True, expected False for 'sliding'"),
        ({"noise": -1.0}, r"noise is -1.0"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        ShapesWorld(**options)


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_a_million_random_steps_stay_finite(task):
    batch, draw = _batch(500, task=task), np.random.default_rng(0)
    for _ in range(2000):
        action = draw.uniform(-1, 1, (500, *batch.world.action.shape)).astype(np.float32)
        out = batch.step(action, batch.done)
        assert np.isfinite(out.rewards).all()
        assert np.isfinite(out.observations).all()
    assert (batch.states["body"]["overflow"] == 0).all()
