"""maze2d against its published definitions."""

import gymnasium
import numpy as np
import pytest
from scipy import stats

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Controls, Pictures, companion
from envsuite.core.language import Refusal
from envsuite.evaluation.rollout import expert_policy, play
from envsuite.mazes import layouts
from envsuite.mazes.legacy.experts import WaypointController
from envsuite.mazes.legacy.world import REFERENCE_SCORES, LegacyMazeWorld, reference_score


def started(n=4000, **options) -> Batch:
    batch = Batch(LegacyMazeWorld(**options), n, num_threads=1)
    batch.seed(range(n))
    batch.reset()
    return batch


@pytest.mark.parametrize("layout", sorted(layouts.D4RL))
def test_starts_are_uniform_over_the_free_cells(layout):
    states = started(layout=layout).states
    free = layouts.find(layouts.read(layouts.D4RL[layout]), "OG")
    near = np.rint(states["position"])
    names, counts = np.unique(near, axis=0, return_counts=True)
    np.testing.assert_array_equal(names, free)
    assert stats.chisquare(counts).pvalue > 1e-4
    noise = (states["position"] - near).ravel()
    assert stats.kstest(noise, stats.uniform(-0.1, 0.2).cdf).pvalue > 1e-4
    assert stats.kstest(states["velocity"].ravel(), stats.norm(0, 0.1).cdf).pvalue > 1e-4
    goal = layouts.find(layouts.read(layouts.D4RL[layout]), "G")[0]
    assert (states["goal"] == goal).all()


def test_random_goals_are_uniform_over_the_free_cells():
    goals = started(layout="umaze", goal="random").states["goal"]
    _, counts = np.unique(np.rint(goals), axis=0, return_counts=True)
    assert len(counts) == 7
    assert stats.chisquare(counts).pvalue > 1e-4
    assert stats.kstest((goals - np.rint(goals)).ravel(), stats.uniform(-0.1, 0.2).cdf).pvalue > 1e-4


@pytest.mark.parametrize("reward", ["sparse", "dense"])
def test_reward_is_of_the_place_after_the_step(reward):
    batch = started(200, layout="umaze", reward=reward)
    generator = np.random.default_rng(0)
    for _ in range(50):
        output = batch.step(generator.uniform(-1, 1, (200, 2)).astype(np.float32))
        distance = np.linalg.norm(batch.states["position"] - [1, 1], axis=1)
        expected = np.exp(-distance) if reward == "dense" else (distance <= 0.5).astype(float)
        np.testing.assert_allclose(output.rewards, expected, rtol=1e-14)
        np.testing.assert_allclose(output.info["distance"], distance, rtol=1e-14)
        np.testing.assert_array_equal(
            output.observations, np.concatenate([batch.states["position"], batch.states["velocity"]], axis=1)
        )
        assert not output.terminated.any()


@pytest.mark.parametrize(("layout", "published"), [("umaze", 140.6), ("medium", 154.4), ("large", 202.9)])
def test_planning_controller_scores_as_measured_on_the_original(layout, published):
    score = play(envsuite.card(f"MazeLegacy{layout.capitalize()}"), expert_policy, 1000).score("")
    low, high = REFERENCE_SCORES[layout, "sparse"]
    error = 100 * score.standard_error / (high - low)
    # how many episodes the other side's figures rest on is not stated; this takes a hundred
    assert abs(reference_score(score.mean, layout, "sparse") - published) < 4 * np.hypot(error, error * np.sqrt(10))


@pytest.mark.parametrize("layout", ["umaze", "medium", "large"])
def test_controller_that_keeps_its_plan_scores_the_published_maximum(layout):
    card = envsuite.card(f"MazeLegacy{layout.capitalize()}")
    slots, episodes = 100, 11
    batch = Batch(LegacyMazeWorld(layout=layout), slots, num_threads=1, horizon=card.horizon)
    batch.seed(range(slots))
    expert = WaypointController(batch.world, keep_plan=True)
    returns = []
    for _ in range(episodes):
        output = batch.reset()
        expert.reset(np.ones(slots, bool), np.arange(slots))
        total = np.zeros(slots)
        for _ in range(card.horizon):
            output = batch.step(expert.act(output.observations, batch.states))
            total += output.rewards
        returns.append(total)
    later = np.array(returns[1:])  # the first episode is planned for
    error = later.mean(axis=0).std() / np.sqrt(slots)
    # the published constant is itself the mean of some hundred episodes
    spread = later.std() / np.sqrt(100)
    assert abs(later.mean() - REFERENCE_SCORES[layout, "sparse"][1]) < 3.5 * np.hypot(error, spread)


def test_reference_score_is_the_published_normalisation():
    assert reference_score(161.86, "umaze", "sparse") == pytest.approx(100)
    assert reference_score(68.537689, "umaze", "dense") == pytest.approx(0)
    with pytest.raises(ValueError, match="giant"):
        reference_score(1.0, "giant", "sparse")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layout": "tiny"}, "tiny"),
        ({"layout": "###/#O#/###"}, "0 goal cells"),
        ({"layout": "###/#G/###"}, "different lengths"),
        ({"layout": "###/#X#/###"}, "'X'"),
        ({"layout": "#O#/#G#/###"}, "open at its edge"),
        ({"reward": "both"}, "both"),
        ({"goal": "none"}, "none"),
        ({"physics": "mj5"}, "mj5"),
    ],
)
def test_bad_options_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        LegacyMazeWorld(**options)


def test_describes_the_map():
    env = gymnasium.make("envsuite/MazeLegacyUmaze-v0").unwrapped
    env.reset(seed=0)
    rows = env.describe().splitlines()[:5]
    assert all(row[0] == row[-1] == "#" for row in rows)
    picture = "".join(rows)
    assert picture.count("P") == 1
    assert picture.count("G") <= 1
    assert isinstance(env.parse("[2, 0]"), Refusal)
    np.testing.assert_array_equal(env.parse("I push [0.5, -1]"), np.array([0.5, -1], np.float32))


@pytest.mark.parametrize(("key", "axis", "sign"), [("up", 0, -1), ("down", 0, 1), ("left", 1, -1), ("right", 1, 1)])
def test_arrow_keys_move_as_in_the_picture(key, axis, sign):
    action = companion(LegacyMazeWorld(), Controls).keys()[(key,)]
    assert action[axis] == sign
    assert action[1 - axis] == 0


def test_picture_shows_walls_goal_and_ball():
    world = LegacyMazeWorld(layout="umaze")
    batch = started(1, layout="umaze")
    batch.states["position"] = (2.8, 0.8)  # the middle of row 3, column 1
    frame = companion(world, Pictures).draw(batch.states[0], (500, 500))
    colors = {name: frame[y, x].astype(int) for name, (x, y) in {"ball": (150, 350), "wall": (50, 50)}.items()}
    assert colors["ball"][2] > colors["ball"][0] + 60
    assert np.ptp(colors["wall"]) < 40
    assert frame[150, 350].min() > 230  # a free cell
