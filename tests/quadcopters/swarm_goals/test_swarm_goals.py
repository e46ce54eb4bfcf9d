"""The swarm task and its scenarios."""

import gymnasium
import numpy as np
import pytest

from envsuite.quadcopters.swarm_goals.formations import FORMATIONS, formation
from envsuite.quadcopters.swarm_goals.params import AMONG_COLUMNS, SCENARIOS, scenarios_of
from tests.quadcopters.tasks import fly_expert, rotations, started

NAME = "QuadSwarmGoals"


def watched_goals(scenario, steps, count=6, **options):
    """Goals after every step, (steps + 1, n, drones, 3), and the batch."""
    batch = started(NAME, count, scenario=scenario, precision="float64", **options)
    hover = np.full((count, len(batch.world.agents), 4), 0.334, np.float32)
    goals = [batch.states["goals"].copy()]
    for _ in range(steps):
        batch.step(hover)
        goals.append(batch.states["goals"].copy())
    return np.array(goals), batch


@pytest.mark.parametrize("name", FORMATIONS)
@pytest.mark.parametrize("count", [2, 7, 8, 20])
def test_formations_are_one_apart(name, count):
    points, offsets = formation(name, count)
    places = points + offsets
    gaps = np.linalg.norm(places[:, np.newaxis] - places, axis=2) + 100 * np.eye(count)
    assert gaps.min() == pytest.approx(1, abs=1e-9)
    if count <= 8:
        assert not offsets.any()
        np.testing.assert_allclose(places.mean(axis=0), 0, atol=1e-9) if name != "sphere" else None
    if name.endswith("horizontal"):
        assert len(np.unique(places[:, 2].round(9))) == (3 if count == 20 and name.startswith("circle") else 1)
    if name.endswith("_xz"):
        assert not points[:, 1].any()


@pytest.mark.parametrize("scenario", ["static_same_goal", "static_diff_goal"])
def test_static_goals(scenario):
    goals, batch = watched_goals(scenario, 30, 40)
    assert (goals == goals[0]).all()
    gaps = np.linalg.norm(goals[0][:, :, np.newaxis] - goals[0][:, np.newaxis], axis=3) + 100 * np.eye(8)
    if scenario == "static_same_goal":
        np.testing.assert_allclose(goals[0], np.tile([0.0, 0, 2], (40, 8, 1)), atol=1e-12)
    else:
        assert (gaps.min(axis=(1, 2)) >= 0.25 - 1e-6).all()
        assert (gaps.min(axis=(1, 2)) <= 0.5 + 1e-6).all()
        assert len(np.unique(batch.states["formation"])) == len(FORMATIONS)


@pytest.mark.parametrize("scenario", ["dynamic_same_goal", "dynamic_diff_goal", "swap_goals", "swarm_vs_swarm"])
def test_goals_change_every_four_to_six_seconds(scenario):
    goals, batch = watched_goals(scenario, 1250)
    for i in range(goals.shape[1]):
        changes = np.flatnonzero((goals[1:, i] != goals[:-1, i]).any(axis=(1, 2))) + 1
        period = int(batch.states["period"][i])
        assert 400 <= period <= 600
        assert set(changes) <= set(range(period, 1251, period))
        assert len(changes) >= 1
        before, after = goals[period - 1, i], goals[period, i]
        if scenario == "swap_goals":
            key = np.lexsort(before.round(9).T), np.lexsort(after.round(9).T)
            np.testing.assert_allclose(before[key[0]], after[key[1]], atol=1e-9)
        if scenario == "swarm_vs_swarm":
            np.testing.assert_allclose(goals[2 * period, i, :4].mean(axis=0), goals[0, i, :4].mean(axis=0), atol=0.3)
            assert np.linalg.norm(after[:4].mean(axis=0) - before[4:].mean(axis=0)) < 0.3
        assert (after[:, 2] >= 0.25 - 1e-9).all()


def test_swelling():
    goals, batch = watched_goals("dynamic_formations", 800)
    spacing = np.linalg.norm(goals[:, :, 0] - goals[:, :, 1], axis=2)
    sizes = np.abs(np.diff(goals, axis=0)).max(axis=(0, 2, 3))
    assert (sizes > 0).all()
    assert spacing.max() < 8
    # every goal moves along one line through the centre, while the layers stay
    for i in range(goals.shape[1]):
        steps = np.diff(goals[:, i], axis=0)
        free = goals[1:, i, :, 2] > 0.25 + 1e-9
        for n in range(8):
            moves = steps[:, n][free[:, n] & (np.linalg.norm(steps[:, n], axis=1) > 1e-12)]
            assert np.linalg.matrix_rank(moves, tol=1e-6) <= 1
    assert (np.abs(batch.states["speed"]) >= 0.1).all()
    assert (np.abs(batch.states["speed"]) <= 0.3).all()


def test_lissajous_is_the_sum_of_its_curve():
    goals, _ = watched_goals("ep_lissajous3D", 300, 2)
    t = np.arange(1, 301) / 100
    moves = np.column_stack([0.03 * np.sin(t), 0.01 * np.sin(2 * t + 90), 0.01 * np.cos(2 * t + 90)])
    expected = np.array([-2.0, 0, 2]) + np.cumsum(moves, axis=0)
    for n in range(8):
        np.testing.assert_allclose(goals[1:, 0, n], expected, atol=1e-6)


def test_bezier_curves_stay_in_the_room_and_join():
    goals, _ = watched_goals("ep_rand_bezier", 1100)
    assert (goals == goals[:, :, :1]).all()
    assert (np.abs(goals[..., :2]) <= 4.5 + 1e-9).all()
    assert goals[..., 2].min() >= 0.5 - 1e-9
    steps = np.linalg.norm(np.diff(goals[:, :, 0], axis=0), axis=2)
    assert steps.max() < 0.06  # two metres a control point at most, in five seconds: no jumps
    third = np.diff(goals[1:501, :, 0], n=3, axis=0)
    np.testing.assert_allclose(third, 0, atol=1e-9)  # quadratic within a curve


def test_run_away_sends_two_drones_to_others_goals():
    goals, _ = watched_goals("run_away", 320)
    for i in range(goals.shape[1]):
        changes = np.flatnonzero((goals[1:, i] != goals[:-1, i]).any(axis=(1, 2))) + 1
        assert set(changes) <= {100, 200, 300}
        assert (goals[:, i, 2:] == goals[0, i, 2:]).all()
        for step in changes:
            for n in range(2):
                assert (goals[step, i, n] == goals[step - 1, i]).all(axis=1).any() or n == 1


@pytest.mark.parametrize("scenario", AMONG_COLUMNS)
def test_columns_starts_and_goals_have_cells_of_their_own(scenario):
    batch = started(NAME, 50, scenario=scenario, precision="float64")
    s = batch.states
    cells = np.round(s["columns"] + 3.5)
    np.testing.assert_allclose(s["columns"] + 3.5, cells, atol=1e-5)
    assert ((cells >= 0) & (cells <= 7)).all()
    for i in range(50):
        assert len(np.unique(cells[i], axis=0)) == 12
    starts = s["crafts"]["position"][..., :2]
    away = np.linalg.norm(starts[:, :, np.newaxis] - s["columns"][:, np.newaxis], axis=3)
    assert away.min() > 0.9
    if scenario == "o_random":
        away = np.linalg.norm(s["goals"][:, :, np.newaxis, :2] - s["columns"][:, np.newaxis], axis=3)
        assert away.min() > 0.9
        assert len(np.unique(s["goals"][0], axis=0)) == 8
    found = batch.last.observations[:, 0, 54:]
    grid = np.array([(x, y) for x in (-0.1, 0, 0.1) for y in (-0.1, 0, 0.1)])
    expected = np.linalg.norm((starts[:, 0, None] + grid)[:, :, None] - s["columns"][:, None], axis=3).min(axis=2) - 0.3
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_mixes_draw_every_scenario():
    assert set(started(NAME, 300, precision="float64").states["scenario"]) == set(range(len(SCENARIOS)))
    assert len(set(started(NAME, 200, scenario="o_mix", precision="float64").states["scenario"])) == 5
    assert scenarios_of("mix", 1)[0] == [0, 1, 2, 6, 7]


@pytest.mark.parametrize("compat", [None, "quadswarm"])
def test_reward_and_observation(compat):
    batch = started(NAME, 30, scenario="static_same_goal", precision="float64", compat=compat)
    generator = np.random.default_rng(0)
    floored = 0
    for _ in range(140):
        actions = generator.uniform(-1, 0.7, (30, 8, 4)).astype(np.float32)
        output = batch.step(actions)
        s = batch.states
        crafts = s["crafts"]
        x = crafts["position"]
        distance = np.linalg.norm(x - s["goals"], axis=2)
        lean = np.where(crafts["contact"], 2, -rotations(crafts.reshape(-1))[:, 2, 2].reshape(30, 8))
        effort = np.linalg.norm(actions.astype(np.float64), axis=2)
        cost = distance + 0.05 * effort + lean + 0.1 * np.linalg.norm(crafts["rates"], axis=2)
        gaps = np.linalg.norm(x[:, :, None] - x[:, None], axis=3) + 9 * np.eye(8)
        near = np.maximum(1 - gaps / 0.2, 0).sum(axis=2)
        expected = -cost / (200 if compat else 100) - 5 * s["hit"] - 0.1 * near
        np.testing.assert_allclose(output.rewards, expected, atol=1e-5)
        floored += crafts["contact"].sum()
    assert floored > 0
    assert not output.terminated.any()
    found = output.observations
    np.testing.assert_allclose(found[..., :3], np.clip(x - s["goals"], -20, 20), atol=1e-5)
    nearest = np.argmin(gaps, axis=2)
    other = np.take_along_axis(x, nearest[..., None], axis=1)
    np.testing.assert_allclose(found[..., 18:21], other - x, atol=1e-5)


def test_walls_ceiling_and_crashes():
    batch = started(NAME, 2, scenario="static_same_goal", contact="crash", precision="float64")
    crafts = batch.states["crafts"]
    crafts["position"][:, 0], crafts["velocity"][:, 0] = (4.95, 0, 9.93), (3, 0, 3)
    crafts["position"][:, 1:] = [(0.5 * n - 2, 0, 2) for n in range(7)]
    crafts["position"][:, 2] = crafts["position"][:, 1] + [0.05, 0, 0]
    output = batch.step(np.full((2, 8, 4), 0.334, np.float32))
    hull = 1.5 * np.hypot(0.028, 0.028)
    np.testing.assert_allclose(crafts["position"][:, 0, [0, 2]], [[5 - hull, 10 - hull]] * 2, rtol=1e-5)
    assert not crafts["velocity"][:, 0, [0, 2]].any()
    assert output.terminated.tolist() == [[False, True, True, *[False] * 5]] * 2
    assert output.info["crashed"].tolist() == [[False, True, True, *[False] * 5]] * 2
    later = batch.step(np.full((2, 8, 4), 0.334, np.float32))
    assert (later.rewards[:, 1:3] == 0).all()
    assert (later.rewards[:, 3:] != 0).all()
    assert not later.observations[:, 0, 48:].any()  # five are left to see


def test_collisions_count_after_the_grace_period():
    batch = started(NAME, 1, scenario="static_same_goal", precision="float64")
    crafts, hover = batch.states["crafts"], np.full((1, 8, 4), 0.334, np.float32)
    for step in range(1, 160):
        crafts["position"][0] = [(0.5 * n, 0, 2) for n in range(8)]
        if step in (50, 155):
            crafts["position"][0, 1] = (0.05, 0, 2)
        output = batch.step(hover)
        assert output.info["collided"][0, :2].all() == (step in (50, 155))
        assert output.info["collisions"][0].tolist() == [float(step >= 155)] * 2 + [0.0] * 6


def test_rates_stay_bounded_however_often_drones_bounce():
    batch, row = started(NAME, 2, scenario="static_same_goal"), np.arange(8)[:, np.newaxis]
    crafts, hover, highest = batch.states["crafts"], np.full((2, 8, 4), 0.334, np.float32), 0.0
    for _ in range(60):
        crafts["position"] = (0, 0, 2) + row * (0.01, 0, 0)
        crafts["velocity"] = row * (-0.5, 0, 0)
        assert np.isfinite(batch.step(hover).observations).all()
        highest = max(highest, np.abs(crafts["rates"]).max())
    assert 30 < highest <= 40


def test_cost_of_collisions_changes_in_use():
    batch = started(NAME, 1, scenario="static_same_goal", precision="float64")
    crafts, hover, rewards = batch.states["crafts"], np.full((1, 8, 4), 0.334, np.float32), []
    for cost in (0.0, 3.0):
        batch.world.set_reward_weights({"collision": cost, "proximity": 2 * cost})
        for near in (0.5, 0.05):
            crafts["position"][0] = [(0.5 * n, 0, 2) for n in range(8)]
            crafts["position"][0, 1] = (near, 0, 2)
            rewards.append(float(batch.step(hover).rewards[0, 0]))
    assert rewards[1] == pytest.approx(rewards[0], abs=0.01)
    assert rewards[3] == pytest.approx(rewards[2] - 3 - 0.06 * 0.75, abs=0.01)


def test_expert_brings_drones_together_without_touching():
    batch = started(NAME, 10, scenario="static_diff_goal")
    info = fly_expert(batch, 900).info
    assert info["collisions"].sum() == 0
    assert info["is_success"].mean() > 0.9


@pytest.mark.parametrize(
    ("options", "mention"),
    [
        ({"num_drones": 0}, "num_drones is 0, expected a whole number from 1 to 64"),
        ({"num_drones": 2.5}, "num_drones is 2.5"),
        ({"num_drones": 65}, "num_drones is 65"),
        ({"scenario": "party"}, "scenario is 'party'"),
        ({"scenario": "swarm_vs_swarm", "num_drones": 1}, "needs at least 2"),
        ({"contact": "hug"}, "contact is 'hug'"),
        ({"weights": {"collision": -1.0}}, "weight collision is -1.0"),
        ({"compat": "gpd"}, "compat is 'gpd'"),
        ({"vehicle": "cf9"}, "unknown vehicle 'cf9'"),
    ],
)
def test_bad_options_are_named(options, mention):
    with pytest.raises(ValueError, match=mention):
        gymnasium.make("envsuite/QuadSwarmGoals-v0", **options)
