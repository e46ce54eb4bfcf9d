"""Resets, rewards and success of the rope tasks, told by the sheet's formulas in NumPy."""

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.core.companions import Players, Words, companion
from envsuite.core.world import make_world
from envsuite.manipulation.rope.levels import letter_w

CLOSING = "envsuite.manipulation.rope.closing:RopeClosingWorld"
SHAPING = "envsuite.manipulation.rope.shaping:RopeShapingWorld"


def begun(path, count=200, horizon=200, **options):
    world = make_world(path, **options)
    batch = Batch(world, count, horizon=horizon)
    batch.seed(range(count))
    return world, batch, batch.reset()


def angle(a, b):
    return np.arccos(np.clip((a * b).sum(-1) / (np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)), -1, 1))


def descriptor(points):
    segments, line = np.diff(points, axis=0), points[-1] - points[0]
    around = points - (points[0] + points[-1]) / 2
    parts = [
        angle(segments[:-1], segments[1:]), angle(segments, line[np.newaxis]), around.ravel(),
        np.linalg.norm(around, axis=1),
    ]  # fmt: skip
    return np.concatenate(parts)


def test_closing_begins_as_the_original():
    _, batch, _ = begun(CLOSING)
    s = batch.states
    x, center = s["position"], s["center"]
    assert np.allclose(np.linalg.norm(np.diff(x, axis=1), axis=2), 0.1)
    assert np.allclose(np.linalg.norm(x[:, -1] - x[:, 0], axis=1), 3.9)
    assert (np.abs(center - (2, 3)) <= 0.5).all()
    assert (np.ptp(center, axis=0) > 0.9).all()
    middle = (x[:, 0] + x[:, -1]) / 2 - (2, 3)
    assert np.allclose(np.linalg.norm(middle, axis=1), np.hypot(0.05, 3))
    side = np.arctan2(middle[:, 1], middle[:, 0]) - np.arctan2(-3, -0.05)
    tilt = np.arctan2(*(x[:, -1] - x[:, 0]).T[::-1]) - side
    tilt = (tilt + np.pi) % (2 * np.pi) - np.pi
    assert np.abs(tilt).max() <= np.pi / 4
    assert np.ptp(tilt) > 1.4
    assert np.ptp(side) > 5.5
    assert (s["radius"] == 0.4).all()


def test_closing_pays_by_the_sheet():
    _, batch, _ = begun(CLOSING, 4)
    rng, before = np.random.default_rng(0), np.zeros((4, 6))
    for step in range(1, 201):
        actions = rng.uniform(-1, 1, (4, 6)).astype(np.float32)
        output = batch.step(actions)
        taken = actions.astype(float)
        s = batch.states
        gap = np.linalg.norm(s["position"][:, -1] - s["position"][:, 0], axis=1)
        distance = np.linalg.norm(s["position"].mean(axis=1) - s["center"], axis=1)
        speed = np.linalg.norm(s["velocity"], axis=2).mean(axis=1)
        expected = -0.8 * distance - 0.01 * speed - 0.001 * ((taken - before) ** 2).sum(axis=1)
        expected = expected - 2 * gap * (step > 180)
        before = taken
        assert np.allclose(output.rewards, expected, atol=1e-5)
        terms = sum(output.info[name] for name in ("distance_term", "gap_term", "speed_term", "rate_term"))
        assert np.allclose(terms, expected)
        assert np.allclose(output.info["distance"], distance)
        assert np.allclose(output.info["gap"], gap)
    assert output.truncated.all()
    assert not output.terminated.any()


def ring(state, center, radius=0.6, gap=0.1):
    """Put the rope around a place."""
    turn = np.linspace(gap / radius / 2, 2 * np.pi - gap / radius / 2, 40)
    state["position"] = center + radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    state["velocity"] = 0.0


@pytest.mark.parametrize(("away", "gap", "success"), [(0.0, 0.1, True), (0.0, 0.6, False), (1.5, 0.1, False)])
def test_closing_succeeds_with_the_cylinder_inside_and_a_small_gap(away, gap, success):
    _, batch, _ = begun(CLOSING, 1)
    ring(batch.states[0], batch.states[0]["center"] + (away, 0.0), gap=gap)
    output = batch.step(np.zeros((1, 6), np.float32))
    assert output.info["success"][0] == success
    assert output.info["success_once"][0] == success


def test_success_once_stays():
    _, batch, _ = begun(CLOSING, 1)
    ring(batch.states[0], batch.states[0]["center"])
    batch.step(np.zeros((1, 6), np.float32))
    for _ in range(15):
        output = batch.step(np.array([[1, 1, 0, 1, -1, 0]], np.float32))
    assert not output.info["success"][0]
    assert output.info["success_once"][0]


def test_shaping_begins_as_the_original():
    _, batch, _ = begun(SHAPING)
    s = batch.states
    x, target = s["position"], s["target"]
    assert np.allclose(x.mean(axis=1), (3.95, 0.0))
    assert np.allclose(np.linalg.norm(x[:, -1] - x[:, 0], axis=1), 7.9)
    turn = np.arctan2(*(target[:, 79] - target[:, 0]).T[::-1])
    assert np.abs(turn).max() <= np.pi / 2
    assert np.ptp(turn) > 2.9
    lean = np.arctan2(*(x[:, -1] - x[:, 0]).T[::-1]) - turn
    lean = (lean + np.pi) % (2 * np.pi) - np.pi
    assert np.allclose(lean, s["lean"])
    assert (np.abs(lean) >= np.pi / 4).all()
    assert (np.abs(lean) <= np.pi / 2).all()
    assert 60 < (lean > 0).sum() < 140


def test_shaping_pays_by_the_sheet():
    _, batch, _ = begun(SHAPING, 3)
    rng, before = np.random.default_rng(0), np.zeros((3, 6))
    for step in range(1, 201):
        actions = rng.uniform(-1, 1, (3, 6)).astype(np.float32)
        output = batch.step(actions)
        for k, s in enumerate(batch.states):
            error = ((descriptor(s["position"]) - descriptor(s["target"])) ** 2).mean()
            expected = -error * (5 if step > 190 else 1) - 1e-4 * ((actions[k] - before[k]).astype(float) ** 2).sum()
            assert output.rewards[k] == pytest.approx(expected, rel=1e-5)
            assert output.info["error"][k] == pytest.approx(error)
            assert output.info["share"][k] == pytest.approx(error / s["first_error"])
        before = actions
    assert output.truncated.all()


def test_a_rope_on_its_target_is_a_success():
    _, batch, _ = begun(SHAPING, 1)
    s = batch.states[0]
    s["position"] = s["target"] + (5.0, -2.0)
    output = batch.step(np.zeros((1, 6), np.float32))
    assert output.info["success"][0]
    assert output.info["share"][0] < 0.01


def test_the_letter_has_two_valleys_and_equal_links():
    points = letter_w()
    links = np.linalg.norm(np.diff(points, axis=0), axis=1)
    assert links.sum() == pytest.approx(1.0)
    assert np.abs(links / links.mean() - 1).max() < 1e-3
    assert np.allclose(points[0] + points[-1], 0)
    rising = np.sign(np.diff(points[:, 1]))
    assert [int(one) for one in rising[np.flatnonzero(np.diff(rising, prepend=0))]] == [-1, 1, -1, 1]


def test_the_letter_is_the_stated_curve():
    t = np.linspace(0, 1, 20_001)
    y = 0.36 * np.cos(4 * np.pi * t) - 0.12 * np.sin(np.pi * t) ** 2
    curve = np.stack([t + 0.05 * y, y], axis=1)
    curve -= (curve[0] + curve[-1]) / 2
    points = letter_w() * (curve[-1, 0] - curve[0, 0]) / (letter_w()[-1, 0] - letter_w()[0, 0])
    assert points.shape == (80, 2)
    gaps = np.linalg.norm(points[:, np.newaxis] - curve, axis=2)
    assert gaps.min(axis=1).max() < 2e-4
    assert (np.diff(gaps.argmin(axis=1)) > 0).all()


def test_the_originals_target_is_longer_than_the_rope():
    _, batch, _ = begun(SHAPING, 1, compat="hepi")
    links = np.linalg.norm(np.diff(batch.states[0]["target"], axis=0), axis=1)
    assert links.sum() == pytest.approx(10.0, rel=1e-6)
    _, batch, _ = begun(SHAPING, 1)
    assert np.linalg.norm(np.diff(batch.states[0]["target"], axis=0), axis=1).sum() == pytest.approx(7.9, rel=1e-6)


@pytest.mark.parametrize(("path", "lengths"), [(CLOSING, ((34, 40), (30, 33))), (SHAPING, ((60, 80), (40, 59)))])
def test_shapes_are_drawn_from_ranges_that_do_not_meet(path, lengths):
    for shapes, (low, high) in zip(("training", "held_out"), lengths, strict=True):
        world, batch, output = begun(path, 200, shapes=shapes)
        points = batch.states["points"]
        assert points.min() == low
        assert points.max() == high
        mask = world.observation.offset("rope mask")
        assert np.array_equal(output.observations[:, mask : mask + high].sum(axis=1), points)
        place = world.observation.offset("rope")
        beyond = output.observations[:, place : place + 2 * high].reshape(200, high, 2)[points < high][:, -1]
        assert (beyond == 0).all()


def test_cylinders_are_drawn_too():
    _, batch, _ = begun(CLOSING, 300, shapes="held_out")
    assert batch.states["radius"].min() < 0.21
    assert 0.29 < batch.states["radius"].max() <= 0.3
    _, batch, _ = begun(CLOSING, 300, shapes="training")
    assert 0.3 <= batch.states["radius"].min() < 0.31


@pytest.mark.parametrize("path", [CLOSING, SHAPING])
@pytest.mark.parametrize("shapes", ["training", "held_out"])
def test_reference_players_know_other_shapes(path, shapes):
    world, batch, output = begun(path, 100, shapes=shapes)
    player = companion(world, Players).expert()
    for _ in range(200):
        output = batch.step(player.act(output.observations, batch.states))
    assert output.info["success"].mean() > (0.9 if path == CLOSING else 0.7)
    if path == SHAPING:
        assert np.quantile(output.info["share"], 0.95) < 0.08


@pytest.mark.parametrize("path", [CLOSING, SHAPING])
def test_a_team_does_what_one_player_does(path):
    _, single, first = begun(path, 3)
    many, team, seen = begun(path, 3, team=True)
    assert many.agents == ("gripper_0", "gripper_1")
    assert np.array_equal(seen.observations[:, 0], first.observations)
    swapped = seen.observations[:, 1]
    assert np.array_equal(swapped[:, [0, 1, 2, 3]], first.observations[:, [2, 3, 0, 1]])
    assert np.array_equal(swapped[:, 8:], first.observations[:, 8:])
    for _ in range(20):
        actions = np.random.default_rng(1).uniform(-1, 1, (3, 2, 3)).astype(np.float32)
        a, b = single.step(actions.reshape(3, 6)), team.step(actions)
        assert np.array_equal(b.rewards, np.repeat(a.rewards[:, np.newaxis], 2, axis=1))
        assert np.array_equal(b.observations[:, 0], a.observations)
    assert np.array_equal(single.states["position"], team.states["position"])


def test_bad_options_are_named():
    with pytest.raises(ValueError, match="shapes is 'round', expected one of 'fixed', 'training', 'held_out'"):
        make_world(CLOSING, shapes="round")
    with pytest.raises(ValueError, match="team is 1, expected True or False"):
        make_world(SHAPING, team=1)
    with pytest.raises(ValueError, match="expected 'fixed' where compat is 'hepi'"):
        make_world(SHAPING, shapes="training", compat="hepi")
    with pytest.raises(TypeError, match="no option 'links'"):
        make_world(CLOSING, links=0)


def test_words_tell_places():
    world, batch, _ = begun(CLOSING, 1)
    told = companion(world, Words).describe(batch.states[0])
    x, y = batch.states[0]["center"]
    assert f"({x:.2f}, {y:.2f})" in told
    assert "3.90 m apart" in told
    team = make_world(SHAPING, team=True)
    batch = Batch(team, 1, horizon=200)
    batch.seed([0])
    batch.reset()
    assert "You are gripper 2" in companion(team, Words).describe(batch.states[0], 1)
