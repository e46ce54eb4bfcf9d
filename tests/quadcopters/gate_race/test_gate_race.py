"""The race."""

import gymnasium
import numpy as np
import pytest

from envsuite.quadcopters.flying import gates
from envsuite.quadcopters.gate_race.params import GATES, POLES, check_layout
from tests.quadcopters.tasks import fly_expert, rotations, started

L0, L2, L3, RINGS = "QuadGateRaceL0", "QuadGateRaceL2", "QuadGateRaceL3", "QuadGateRaceRings"


def test_crossings_are_those_of_geometry():
    """Random segments against a solution with vectors."""
    generator = np.random.default_rng(0)
    kinds = set()
    for _ in range(3000):
        center, yaw = generator.uniform(-1, 1, 3), generator.uniform(-np.pi, np.pi)
        start, end = center + generator.uniform(-0.8, 0.8, (2, 3))
        along, left = np.array([np.cos(yaw), np.sin(yaw), 0]), np.array([-np.sin(yaw), np.cos(yaw), 0])
        before, after = (start - center) @ along, (end - center) @ along
        expected = gates.NONE
        if (before < 0) != (after < 0):
            hit = start + before / (before - after) * (end - start) - center
            y, z = abs(hit @ left), abs(hit[2])
            expected = gates.BESIDE
            if y < 0.14 and z < 0.2:
                expected = gates.INSIDE if after >= 0 else gates.BESIDE
            elif y < 0.42 and z < 0.48:
                expected = gates.FRAME
        assert gates.cross(center, yaw, 0.14, 0.2, 0.28, start, end) == expected
        if (before < 0) != (after < 0):
            away = np.hypot(y, z)
            ring = gates.FRAME if 0.3 <= away < 0.4 else gates.BESIDE
            if away < 0.3:
                ring = gates.INSIDE if after >= 0 else gates.BESIDE
            assert gates.cross_ring(center, yaw, 0.3, 0.1, start, end) == ring
        kinds.add(expected)
    assert kinds == {gates.NONE, gates.INSIDE, gates.FRAME, gates.BESIDE}


def test_the_course_is_the_competitions():
    states = started(L0, 3).states
    np.testing.assert_allclose(states["gates"][1], GATES, rtol=1e-6)
    np.testing.assert_allclose(states["poles"][2], POLES)
    np.testing.assert_allclose(states["craft"]["position"], np.tile([-1.5, 0.75, 0.0125], (3, 1)), rtol=1e-6)


def test_levels_randomise_what_they_say():
    states = started(L2, 3000).states
    vehicle, craft = states["vehicle"][:, 0], states["craft"]
    assert 0.0048 < np.abs(vehicle["mass"] - 0.04338).max() <= 0.0050001
    assert 0.9e-6 < np.abs(vehicle["inertia"] - [25e-6, 28e-6, 49e-6]).max() <= 1.0001e-6
    np.testing.assert_allclose(vehicle["effect"][:, 0, 0] * vehicle["mass"], 1, rtol=1e-5)
    assert 0.095 < np.abs(craft["position"][:, :2] - [-1.5, 0.75]).max() <= 0.1001
    moved = np.abs(states["gates"] - states["known"]).reshape(-1, 4)
    assert (moved.max(axis=0) <= np.array([0.15, 0.15, 0.1, 0.2]) + 1e-5).all()
    assert (moved.max(axis=0) > 0.95 * np.array([0.15, 0.15, 0.1, 0.2])).all()
    np.testing.assert_allclose(states["known"], np.tile(GATES, (3000, 1, 1)), rtol=1e-6)


def test_random_courses_can_be_flown():
    states = started(L3, 500).states
    places = states["known"].astype(np.float64)
    assert np.abs(places[:, :, 0]).max() <= 2.5
    assert np.abs(places[:, :, 1]).max() <= 1.5
    for i in range(4):
        for j in range(i):
            assert np.linalg.norm(places[:, i, :2] - places[:, j, :2], axis=1).min() >= 1.2
    for course in places[:50]:
        check_layout(course)
    rings = started(RINGS, 500).states["gates"].astype(np.float64)
    assert np.abs(rings[:, :, :2]).max() <= 8
    legs = np.linalg.norm(np.diff(rings[:, :, :3], axis=1), axis=2)
    assert np.mean((legs > 4) & (legs < 9)) > 0.99
    towards = np.diff(rings[:, :, :2], axis=1)
    facing = np.stack([np.cos(rings[:, 1:, 3]), np.sin(rings[:, 1:, 3])], axis=-1)
    assert ((towards * facing).sum(axis=-1) > 0).all()


def place(batch, position, velocity, following=0):
    """Put all drones somewhere, airborne."""
    states = batch.states
    states["craft"]["position"], states["craft"]["velocity"] = position, velocity
    states["airborne"], states["next"] = True, following
    states["gap"] = np.linalg.norm(np.asarray(position) - states["gates"][:, following, :3], axis=1)


HOVER = np.array([2 * 0.04338 * 9.81 / 0.8 - 1, 0, 0, 0], np.float32)


@pytest.mark.parametrize(
    ("offset", "sign", "passes", "hits"),
    [
        ((0.0, 0.0), 1, True, False),
        ((0.13, -0.13), 1, True, False),
        ((0.16, 0.0), 1, False, True),
        ((0.0, 0.4), 1, False, True),
        ((0.5, 0.0), 1, False, False),
        ((0.0, 0.0), -1, False, False),
    ],
)
def test_passing_and_hitting(offset, sign, passes, hits):
    x, y, z, yaw = GATES[0]
    along, left = np.array([np.cos(yaw), np.sin(yaw), 0]), np.array([-np.sin(yaw), np.cos(yaw), 0])
    batch = started(L0, 1)
    start = np.array([x, y, z]) - sign * 0.02 * along + offset[0] * left + [0, 0, offset[1]]
    place(batch, start, sign * 4.0 * along)
    output = batch.step(HOVER[np.newaxis])
    assert output.info["gates_passed"][0] == passes
    assert output.terminated[0] == output.info["crashed"][0] == hits
    if hits:
        assert output.rewards[0] == -5
    elif passes:
        now = batch.states["craft"]["position"][0]
        gain = np.linalg.norm(start - [x, y, z]) - np.linalg.norm(now - [x, y, z])
        assert output.rewards[0] == pytest.approx(2 + gain - 1e-4 * HOVER[0] ** 2, abs=1e-5)


def test_soft_frames_and_poles_cost_but_do_not_end():
    x, y, z, yaw = GATES[0]
    along, left = np.array([np.cos(yaw), np.sin(yaw), 0]), np.array([-np.sin(yaw), np.cos(yaw), 0])
    batch = started(L0, 3, collisions="soft", weights={"crash": 0.7})
    frame = np.array([x, y, z]) - 0.02 * along + 0.3 * left
    place(batch, np.array([frame, (0.09, 0.75, 1.0), (3.1, 0, 1)]), np.array([4.0 * along, (-3.0, 0, 0), (0, 0, 0)]))
    gap = batch.states["gap"].copy()
    output = batch.step(np.repeat(HOVER[np.newaxis], 3, 0))
    assert output.terminated.tolist() == [False, False, True]
    gain = gap - np.linalg.norm(batch.states["craft"]["position"] - batch.states["gates"][:, 0, :3], axis=1)
    np.testing.assert_allclose(output.rewards[:2], gain[:2] - 0.7 - 1e-4 * HOVER[0] ** 2, atol=1e-5)
    assert batch.step(np.repeat(HOVER[np.newaxis], 3, 0)).rewards[1] > -0.1  # the same touch goes on
    batch.world.set_collisions("hard")
    place(batch, np.array([frame] * 3), 4.0 * along)
    assert batch.step(np.repeat(HOVER[np.newaxis], 3, 0)).terminated[0]


@pytest.mark.parametrize(
    ("place_at", "way"),
    [  # in the gate's frame; the half-opening that counts is 0.2 m less the hull
        (lambda o, e: (-1.0, 0.5, 0.2), lambda o, e: np.sqrt(1.29)),  # before it: straight
        (
            lambda o, e: (-0.2, 0.8, 0.0),
            lambda o, e: 2 * o + np.hypot(2 * o - 0.2, 0.8),
        ),  # beside: by a point before it
        (lambda o, e: (0.5, 0.0, 0.1), lambda o, e: 2 * o + np.hypot(e, 2 * o) + np.hypot(0.5, e - 0.1)),  # over it
        (
            lambda o, e: (0.5, -0.2, 0),
            lambda o, e: 2 * o + np.hypot(e, 2 * o) + np.hypot(0.5, e - 0.2),
        ),  # past its side
    ],
)
def test_progress_around_a_gate(place_at, way):
    batch = started(L0, 1, progress="around")
    p = batch.world.params[0]
    opening, hull = 0.2 - float(p["hull"]), float(p["hull"])
    edge = 0.36 + hull + 0.1
    x, y, z, yaw = GATES[0]
    a = place_at(opening, edge)
    place(
        batch, (x + np.cos(yaw) * a[0] - np.sin(yaw) * a[1], y + np.sin(yaw) * a[0] + np.cos(yaw) * a[1], z + a[2]), 0
    )
    batch.step(np.array([[-1, 0, 0, 0]], np.float32))
    moved = float(np.linalg.norm(batch.states["craft"]["velocity"][0])) * 0.01
    assert batch.states["gap"][0] == pytest.approx(way(opening, edge), abs=moved + 1e-5)


@pytest.mark.parametrize(
    ("position", "crash"),
    [
        ((0.06, 0.75, 1.0), True),  # 6 cm from the axis of a pole
        ((0.1, 0.75, 1.0), False),
        ((0.06, 0.75, 1.6), False),  # above it
        ((3.1, 0, 1), True),
        ((0, -3.1, 1), True),
        ((0, 0, 2.6), True),
        ((0.5, -1.4, 0.012), True),  # the floor
    ],
)
def test_crashes(position, crash):
    batch = started(L0, 1)
    place(batch, position, (0, 0, -0.2))
    output = batch.step(np.array([[-1, 0, 0, 0]], np.float32))
    assert output.terminated[0] == crash


def test_the_last_gate_ends_the_race():
    x, y, z, _ = GATES[3]
    batch = started(L0, 1)
    place(batch, (x - 0.02, y, z), (4.0, 0, 0), following=3)
    output = batch.step(HOVER[np.newaxis])
    assert output.terminated[0]
    assert output.info["is_success"][0]
    assert output.rewards[0] == pytest.approx(12, abs=0.05)
    assert output.info["lap_time"][0] == pytest.approx(0.01)


def test_reward_and_observation():
    batch = started(L0, 4)
    generator, last = np.random.default_rng(0), np.zeros((4, 4))
    gap = batch.states["gap"].copy()
    for _ in range(20):
        actions = generator.uniform([0.1, -0.1, -0.1, -0.1], [0.6, 0.1, 0.1, 0.1], (4, 4)).astype(np.float32)
        output = batch.step(actions)
        now = np.linalg.norm(batch.states["craft"]["position"] - GATES[0][:3], axis=1)
        asked = np.linalg.norm(actions[:, 1:] * [10, 10, 6], axis=1)
        expected = gap - now - 2e-4 * asked - 1e-4 * np.sum((actions - last) ** 2, axis=1)
        np.testing.assert_allclose(output.rewards, expected, atol=2e-6)
        gap, last = now, actions
    craft, found = batch.states["craft"], output.observations
    turns = rotations(craft)
    np.testing.assert_allclose(found[:, :3], np.einsum("nij,ni->nj", turns, craft["velocity"]), atol=1e-5)
    np.testing.assert_allclose(found[:, 3:12], turns.reshape(-1, 9), atol=1e-5)
    np.testing.assert_array_equal(found[:, 15:19], actions)
    for gate in range(2):
        x, y, z, yaw = GATES[gate]
        points = gates.corners((x, y, z), yaw, 0.2, 0.2)
        seen = np.einsum("nij,nki->nkj", turns, points - craft["position"][:, np.newaxis])
        np.testing.assert_allclose(found[:, 19 + 12 * gate : 31 + 12 * gate], seen.reshape(4, 12), atol=1e-5)
    relative = np.array(POLES) - craft["position"][:, np.newaxis, :2]
    np.testing.assert_allclose(found[:, 43:51], relative.reshape(4, 8), atol=1e-5)


def test_gates_out_of_place_are_seen_from_nearby():
    batch = started(L2, 50)
    assert (batch.states["known"] != batch.states["gates"]).any()
    batch.states["craft"]["position"] = batch.states["gates"][:, 1, :3] + [0.5, 0, 0]
    batch.step(np.tile(HOVER, (50, 1)))
    np.testing.assert_array_equal(batch.states["known"][:, 1], batch.states["gates"][:, 1])
    assert (batch.states["known"][:, 2] != batch.states["gates"][:, 2]).any()


def test_expert_finishes_the_fixed_course():
    batch = started(L0, 1)
    ends = []

    def watch(batch, output):
        if output.terminated[0]:
            ends.append((bool(output.info["is_success"][0]), float(output.info["lap_time"][0])))

    fly_expert(batch, 1300, watch)
    assert ends
    assert ends[0][0]
    assert 5 < ends[0][1] < 15


@pytest.mark.parametrize(("name", "opening", "origin"), [(L0, 0.2, (-1.5, 0.75, 0.5)), (RINGS, 1.0, (0.0, 0.0, 1.5))])
def test_episodes_can_begin_on_the_way_to_any_gate(name, opening, origin):
    batch = started(name, 400, starts="anywhere")
    states, plain = batch.states, started(name, 400).states
    at_start = np.array(
        [(a == b).all() for a, b in zip(states["craft"]["position"], plain["craft"]["position"], strict=True)]
    )
    assert 0.15 < at_start.mean() < 0.35  # a quarter
    assert (states["next"][at_start] == 0).all()
    gates_there = states["gates"].shape[1]
    first = np.bincount(states["next"][~at_start], minlength=gates_there) / (~at_start).sum()
    np.testing.assert_allclose(first, 1 / gates_there, atol=4 * np.sqrt(1 / gates_there / 250))
    lead = 2 * (opening - float(batch.world.params[0]["hull"]))
    for state in states[~at_start]:
        gate = state["gates"][int(state["next"])]
        heading = np.array([np.cos(gate[3]), np.sin(gate[3]), 0.0])
        begin, end = np.array(origin), gate[:3] - lead * heading
        if state["next"]:
            last = state["gates"][int(state["next"]) - 1]
            begin = last[:3] + lead * np.array([np.cos(last[3]), np.sin(last[3]), 0.0])
        way, off = end - begin, state["craft"]["position"] - begin
        share = np.clip(off @ way / (way @ way), 0, 1)
        assert np.linalg.norm(off - share * way) < np.sqrt(3) * lead / 4 + 1e-5
        assert state["gap"] == pytest.approx(np.linalg.norm(state["craft"]["position"] - gate[:3]), abs=1e-5)


@pytest.mark.parametrize(
    ("options", "mention"),
    [
        ({"course": "L9"}, "course is 'L9', expected one of 'L0'"),
        ({"layout": []}, "layout has the shape"),
        ({"layout": [[0, 0, 1]]}, r"layout has the shape \(1, 3\)"),
        ({"layout": [[0, 0, 0.2, 0]]}, "gate 0 at height 0.2 m cannot be flown"),
        ({"layout": [[2.9, 0, 1, 0]]}, "gate 0 .* too near to the end of the field"),
        ({"layout": [[0, 0, 1, 0], [0.3, 0, 1, 0]]}, "gates 0 and 1 cannot be flown: 0.30 m apart"),
        ({"layout": [[0, 0, 1, np.nan]]}, "expected finite numbers"),
        ({"course": "L3", "layout": [[0, 0, 1, 0]]}, "'L3' is random and takes no layout"),
        ({"starts": "gates"}, "starts is 'gates', expected one of 'start', 'anywhere'"),
        ({"progress": "back"}, "progress is 'back', expected one of 'straight', 'around'"),
        ({"collisions": "none"}, "collisions is 'none', expected one of 'hard', 'soft'"),
        ({"vehicle": "hb", "terms": {"motor_lag": 0.05}}, "does not fit through openings"),
    ],
)
def test_bad_courses_are_refused(options, mention):
    with pytest.raises(ValueError, match=mention):
        gymnasium.make("envsuite/QuadGateRaceL0-v0", **options)
