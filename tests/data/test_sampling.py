"""Samplers against loops over single steps."""

import dataclasses

import numpy as np
import pytest

from envsuite.data import generate
from envsuite.data.dataset import in_memory
from envsuite.data.manifest import Manifest, Source
from tests.data.conftest import recipe

LENGTHS = (4, 1, 7, 3)


def goals_data():
    """Episodes on a line: the position is 100 times the episode plus the step; the goal is a place of its own."""
    offsets = np.concatenate([[0], np.cumsum(LENGTHS)])
    position = np.concatenate([100 * k + np.arange(n) for k, n in enumerate(LENGTHS)]).astype(np.float32)[:, None]
    final = np.array([[100 * k + n] for k, n in enumerate(LENGTHS)], np.float32)
    terminated, truncated = np.zeros(15, np.bool_), np.zeros(15, np.bool_)
    terminated[[3, 11]], truncated[[4, 14]] = True, True
    box = {"type": "Box", "dtype": "float32", "shape": [1], "low": "-inf", "high": "inf"}
    space = {"type": "Dict", "spaces": {"achieved_goal": box, "desired_goal": box}}
    action = {"type": "Box", "dtype": "float64", "shape": [2], "low": -1, "high": 1}
    columns = {
        "observations.achieved_goal": position,
        "observations.desired_goal": np.full((15, 1), 9, np.float32),
        "final_observations.achieved_goal": final,
        "final_observations.desired_goal": np.full((4, 1), 9, np.float32),
        "actions": np.arange(30.0).reshape(15, 2) / 30,
        "rewards": np.arange(1, 16, dtype=np.float32) ** 2,
        "terminated": terminated,
        "truncated": truncated,
        "offsets": offsets,
        "seeds": np.arange(4),
    }
    return in_memory(Manifest(1, "line-v0", "", Source("x/Line-v0"), space, action, 4, 15, {}), columns)


@pytest.fixture(params=["whole", "some", "multi"])
def data(request, made, tmp_path):
    if request.param == "multi":
        return generate(recipe("quad-multi-hover/mixed-v0", episodes=4), tmp_path)
    return made if request.param == "whole" else made.choose(np.array([4, 0, 3]))


def rng(seed=0):
    return np.random.Generator(np.random.Philox(seed))


def steps_of(data):
    """(episode, step) of every number, by counting."""
    return [(k, t) for k in range(data.episodes_count) for t in range(int(data.lengths[k]))]


def test_transitions_are_those_of_the_episodes(data):
    places = steps_of(data)
    assert len(places) == len(data)
    index = np.concatenate([[0, len(data) - 1], data.draw(300, rng())])
    batch = data.take(index)
    for b, number in enumerate(index):
        k, t = places[number]
        episode = data.episode(k)
        np.testing.assert_array_equal(batch.observations[b], episode.observations[t])
        np.testing.assert_array_equal(batch.actions[b], episode.actions[t])
        np.testing.assert_array_equal(batch.rewards[b], episode.rewards[t])
        after = episode.observations[t + 1] if t + 1 < len(episode) else episode.final_observation
        np.testing.assert_array_equal(batch.next_observations[b], after)
        np.testing.assert_array_equal(batch.terminated[b], episode.terminated[t])
        np.testing.assert_array_equal(batch.truncated[b], episode.truncated[t])
        np.testing.assert_array_equal(batch.discounts[b], 1 - episode.terminated[t].astype(np.float32))


@pytest.mark.parametrize("n", [1, 3, 50])
def test_nstep_returns_are_discounted_sums(data, n):
    places = steps_of(data)
    generator = rng(1)
    batch = data.nstep(200, n, 0.9, generator)
    index = data.draw(200, rng(1))
    for b, number in enumerate(index):
        k, t = places[number]
        episode = data.episode(k)
        m = min(n, len(episode) - t)
        expected = sum(0.9**i * episode.rewards[t + i].astype(np.float64) for i in range(m))
        np.testing.assert_allclose(batch.rewards[b], expected, rtol=1e-6)
        after = episode.observations[t + m] if t + m < len(episode) else episode.final_observation
        np.testing.assert_array_equal(batch.next_observations[b], after)
        gone = episode.terminated[t + m - 1]
        np.testing.assert_allclose(batch.discounts[b], np.where(gone, 0, 0.9**m), rtol=1e-6)
        np.testing.assert_array_equal(batch.terminated[b], gone)
    with pytest.raises(ValueError, match="n is 0"):
        data.nstep(1, 0, 0.9, generator)


@pytest.mark.parametrize("length", [1, 20, 600])
def test_windows_are_pieces_of_episodes(data, length):
    places = steps_of(data)
    found = data.windows(60, length, rng(2))
    for b, number in enumerate(data.draw(60, rng(2))):
        k, t = places[number]
        episode = data.episode(k)
        m = min(length, len(episode) - t)
        assert found.mask[b].tolist() == [True] * m + [False] * (length - m)
        np.testing.assert_array_equal(found.observations[b, :m], episode.observations[t : t + m])
        np.testing.assert_array_equal(found.actions[b, :m], episode.actions[t : t + m])
        np.testing.assert_array_equal(found.timesteps[b, :m], np.arange(t, t + m))
        togo = episode.rewards[t:].astype(np.float64)[::-1].cumsum(axis=0)[::-1][:m]
        np.testing.assert_allclose(found.returns_to_go[b, :m], togo, rtol=1e-5, atol=1e-3)
        for array in (found.observations, found.actions, found.rewards, found.returns_to_go, found.terminated):
            assert not array[b, m:].any()
    with pytest.raises(ValueError, match="window is 0"):
        data.windows(1, 0, rng())


def test_draws_are_uniform_over_steps_and_depend_on_the_generator_alone(data):
    counts = np.bincount(data.draw(40 * len(data), rng(3)), minlength=len(data))
    assert counts.min() > 5
    assert counts.max() < 100
    np.testing.assert_array_equal(data.batch(9, rng(4)).index, data.batch(9, rng(4)).index)


def test_nested_observations_are_dictionaries():
    data = goals_data()
    batch = data.take(np.arange(15))
    ends = {3: 4, 4: 101, 11: 207, 14: 303}
    expected = [ends.get(k, batch.observations["achieved_goal"][k, 0] + 1) for k in range(15)]
    assert batch.next_observations["achieved_goal"][:, 0].tolist() == expected
    assert set(batch.next_observations) == {"achieved_goal", "desired_goal"}
    assert data.episode(2).final_observation["achieved_goal"].tolist() == [207]
    assert data.returns.tolist() == [1 + 4 + 9 + 16, 25, sum(k**2 for k in range(6, 13)), 13**2 + 14**2 + 15**2]


def test_goals_are_drawn_by_their_shares():
    data = goals_data()
    size = 60_000
    found = data.goals(current=0.2, future=0.5, gamma=0.8).batch(size, rng(5))
    at = found.transitions.next_observations["achieved_goal"][:, 0]
    goal = found.goals[:, 0]
    episode = (found.transitions.index[:, None] >= data.columns["offsets"][1:]).sum(axis=1)
    reach = 100 * episode + np.array(LENGTHS)[episode]  # the final position
    assert ((goal >= 1) & (goal <= 303)).all()
    # a state that follows the first step of episode 2, by hand: current 0.2, later states geometric, cut at the end,
    # and each of the 15 states of any episode with the same probability
    first = found.transitions.index == 5
    shares = {201 + k: 0.5 * 0.2 * 0.8**k for k in range(6)} | {207: 0.5 * 0.8**6}
    expected = {position: share + 0.3 / 15 for position, share in shares.items()}
    expected[201] += 0.2
    for position, share in expected.items():
        measured = (goal[first] == position).mean()
        assert measured == pytest.approx(share, abs=4 * (share / first.sum()) ** 0.5), position
    np.testing.assert_array_equal(found.rewards, np.where(goal == at, 0, -1))
    np.testing.assert_array_equal(found.masks, np.where(goal == at, 0, 1))
    ahead = found.actor_goals[:, 0]
    assert ((ahead >= at) & (ahead <= reach)).all()
    counts = np.bincount(ahead[first].astype(int), minlength=208)[201:208] / first.sum()
    assert counts == pytest.approx(np.full(7, 1 / 7), abs=0.02)


def test_goal_settings():
    data = goals_data()
    sparse = data.goals(reward="sparse", current=1.0, future=0.0).batch(50, rng())
    assert (sparse.rewards == 1).all()
    assert (sparse.masks == 0).all()
    near = data.goals(tolerance=1.0, current=0.0, future=1.0, geometric=False).batch(3000, rng())
    gap = near.goals[:, 0] - near.transitions.next_observations["achieved_goal"][:, 0]
    assert ((near.masks == 0) == (gap <= 1)).all()
    stitched = data.goals(actor_random=1.0).batch(500, rng())
    assert len(np.unique(stitched.actor_goals // 100)) == 4
    for wrong in ({"current": 0.9}, {"gamma": 1.0}, {"key": "observations.nothing"}, {"reward": "x"}):
        with pytest.raises(ValueError, match=r"shares|gamma|no observation column|reward"):
            data.goals(**wrong)


def test_normalised_observations_have_mean_0_and_deviation_1(data):
    scaled = data.normalise(epsilon=0.0)
    whole = np.concatenate([np.asarray(one.observations, np.float64) for one in data.episodes()])
    mean, std = whole.mean(axis=0), whole.std(axis=0)
    batch, plain = scaled.batch(100, rng(6)), data.batch(100, rng(6))
    live = std > 1e-6
    for name in ("observations", "next_observations"):
        expected = (getattr(plain, name)[:, live] - mean[live]) / std[live]
        np.testing.assert_allclose(getattr(batch, name)[:, live], expected, rtol=1e-3, atol=1e-4)
    assert batch.observations.dtype == plain.observations.dtype
    np.testing.assert_array_equal(batch.actions, plain.actions)
    np.testing.assert_array_equal(
        scaled.episode(0).observations, scaled.take(np.arange(scaled.lengths[0])).observations
    )
    assert data.normalise().scales["observations"][1].min() >= 1e-3


def test_filters_and_splits(made):
    best = made.top(0.5)
    assert sorted(best.returns) == sorted(made.returns)[3:]
    assert made.top(1e-9).returns.tolist() == [made.returns.max()]
    long = made.filter(lambda data: data.lengths > 100)
    assert (long.lengths > 100).all()
    assert long.filter(lambda data: data.returns > 0).episodes_count <= long.episodes_count
    train, rest = made.split(0.34, seed=3)
    assert sorted([*train.chosen, *rest.chosen]) == list(range(6))
    assert len(rest.chosen) == 2
    assert train.split(0.25)[0].episodes_count == 3
    np.testing.assert_array_equal(made.split(0.34, seed=3)[0].chosen, train.chosen)
    assert len({tuple(made.split(0.34, seed=seed)[1].chosen) for seed in range(40)}) > 8
    for wrong in (lambda: made.top(0), lambda: made.split(1), lambda: made.filter(lambda data: data.returns > 1e9)):
        with pytest.raises(ValueError, match=r"fraction|cannot split|no episode"):
            wrong()


def test_returns_are_normalised_by_anchors(made):
    anchors = made.manifest.about.anchors["calibrated"]
    expected = 100 * (made.returns - anchors.low.mean) / (anchors.high.mean - anchors.low.mean)
    np.testing.assert_allclose(made.normalised_returns(), expected)
    np.testing.assert_allclose(made.returns, [one.rewards.sum(dtype=np.float64) for one in made.episodes()])
    with pytest.raises(ValueError, match="no anchors 'legacy'"):
        made.normalised_returns("legacy")


def test_vector_rewards():
    plain = goals_data()
    rewards = np.stack([plain.columns["rewards"], -plain.columns["rewards"]], axis=1)
    manifest = dataclasses.replace(plain.manifest, objectives=["one", "two"])
    data = in_memory(manifest, plain.columns | {"rewards": rewards})
    assert data.returns.shape == (4, 2)
    batch = data.nstep(50, 3, 0.5, rng())
    np.testing.assert_allclose(batch.rewards[:, 0], -batch.rewards[:, 1])
    np.testing.assert_allclose(batch.rewards[:, 0], plain.nstep(50, 3, 0.5, rng()).rewards)
    assert data.windows(5, 3, rng()).returns_to_go.shape == (5, 3, 2)
    with pytest.raises(ValueError, match="vector rewards"):
        data.top(0.5)


def test_torch_gathers_the_same(data):
    torch = pytest.importorskip("torch")
    for some in (data, data.normalise()):
        index = some.draw(200, rng(7))
        tensors, arrays = some.to_torch().take(torch.from_numpy(index)), some.take(index)
        for name in ("observations", "actions", "rewards", "next_observations", "terminated", "truncated", "discounts"):
            np.testing.assert_array_equal(getattr(tensors, name).numpy(), getattr(arrays, name))
    resident = data.to_torch()
    a, b = (resident.batch(50, torch.Generator().manual_seed(1)) for _ in range(2))
    assert torch.equal(a.observations, b.observations)
    assert len(resident) == len(data)


def test_torch_has_dictionaries_and_refuses_texts(tmp_path):
    torch = pytest.importorskip("torch")
    batch = goals_data().to_torch().take(torch.tensor([3, 4]))
    assert batch.next_observations["achieved_goal"].tolist() == [[4.0], [101.0]]
    texts = generate(recipe(observation="text", episodes=1), tmp_path)
    assert texts.batch(3, rng()).observations.dtype.kind == "S"
    with pytest.raises(ValueError, match="holds texts"):
        texts.to_torch()


def test_other_processes_open_the_files(made):
    import pickle

    part = made.choose(np.array([4, 1])).normalise()
    sent = pickle.dumps(part)
    assert len(sent) < 20_000 < made.manifest.nbytes
    there = pickle.loads(sent)
    np.testing.assert_array_equal(there.batch(50, rng()).observations, part.batch(50, rng()).observations)
    plain = goals_data()
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(plain)).columns["rewards"], plain.columns["rewards"])
