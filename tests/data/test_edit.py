"""Datasets from datasets, their statistics and cards."""

import dataclasses

import numpy as np
import pytest

from envsuite.data import edit, generate, load, verify
from envsuite.data.card import card, figure, write_card
from envsuite.data.statistics import statistics
from tests.data.conftest import recipe
from tests.data.test_sampling import goals_data

OTHER = "quad-hover/random-v0"


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    return generate(recipe(OTHER, episodes=5), tmp_path_factory.mktemp("other"))


def same_episode(a, b):
    np.testing.assert_array_equal(a.observations, b.observations)
    np.testing.assert_array_equal(a.actions, b.actions)
    np.testing.assert_array_equal(a.rewards, b.rewards)
    np.testing.assert_array_equal(a.final_observation, b.final_observation)
    assert a.seed == b.seed
    assert a.terminated.tolist() == b.terminated.tolist()


def test_merged_data_are_the_episodes_of_all(made, other, tmp_path):
    data = edit.merge([made, other], "all/merged-v0", tmp_path)
    assert data.manifest.episodes == 11
    for mine, theirs in zip(data.episodes(), [*made.episodes(), *other.episodes()], strict=True):
        same_episode(mine, theirs)
    labels = [data.manifest.policies[k] for k in data.columns["policies"]]
    expected = [made.manifest.policies[k] for k in made.columns["policies"]] + ["random"] * 5
    assert labels == expected
    assert data.manifest.policies.count("random") == 1
    assert data.manifest.about.origin["parts"][1] == {"id": other.manifest.id, "hash": other.manifest.hash}
    assert verify(data) == []
    assert edit.merge([made, other], "other/name-v3", tmp_path).manifest.hash == data.manifest.hash


def test_data_of_other_environments_are_not_merged(made, tmp_path):
    other = generate(recipe("quad-hover-gpd/random-v0"), tmp_path)
    with pytest.raises(ValueError, match="do not have the same source"):
        edit.merge([made, other], "all/merged-v0", tmp_path)
    infos = generate(recipe(infos=("distance",)), tmp_path)
    with pytest.raises(ValueError, match=r"has the column infos\.distance"):
        edit.merge([made, infos], "all/merged-v0", tmp_path)


def test_texts_of_other_widths_are_merged(tmp_path):
    parts = [generate(recipe(observation="text", episodes=n), tmp_path / f"{n}") for n in (1, 2)]
    data = edit.merge(parts, "all/texts-v0", tmp_path)
    for mine, theirs in zip(data.episodes(), [one for part in parts for one in part.episodes()], strict=True):
        same_episode(mine, theirs)


def test_splits_hold_every_episode_once(made, tmp_path):
    train, validation = edit.split(made, 0.3, seed=1, root=tmp_path)
    assert train.manifest.id == "quad-hover/mixed-small-train-v0"
    assert validation.manifest.id == "quad-hover/mixed-small-validation-v0"
    seeds = [*train.columns["seeds"], *validation.columns["seeds"]]
    assert sorted(seeds) == sorted(made.columns["seeds"])
    assert validation.manifest.episodes == 2


def test_subsamples_are_episodes_of_the_whole(made, tmp_path):
    data = edit.subsample(made, 3, "some/sub-v0", seed=2, root=tmp_path)
    by_seed = {episode.seed: episode for episode in made.episodes()}
    assert len({episode.seed for episode in data.episodes()}) == 3
    for episode in data.episodes():
        same_episode(episode, by_seed[episode.seed])
    drawn = {tuple(edit.draw_episodes(made, 3, seed).chosen) for seed in range(60)}
    assert len(drawn) > 12
    with pytest.raises(ValueError, match="has 6 episodes, 7 were asked for"):
        edit.subsample(made, 7, "some/sub-v0", root=tmp_path)


def test_mixtures_have_their_shares(made, other, tmp_path):
    steps = int(len(other) * 1.2)
    data = edit.mix([(made, 1.0), (other, 3.0)], steps, "half/half-v0", seed=5, root=tmp_path)
    seeds = set(other.columns["seeds"])
    mine = [seed in seeds for seed in data.columns["seeds"]]
    share = data.lengths[mine].sum()
    assert share >= 0.75 * steps
    assert share - data.lengths[mine].max() < 0.75 * steps
    with pytest.raises(ValueError, match=r"steps, .* were asked for"):
        edit.mix([(made, 1.0), (other, 1.0)], 10**6, "half/half-v0", root=tmp_path)
    with pytest.raises(ValueError, match="expected numbers above 0"):
        edit.mix([(made, 0.0), (other, 1.0)], 10, "half/half-v0", root=tmp_path)


def test_rewards_are_relabelled(made, tmp_path):
    data = edit.relabel(made, edit.affine(2.0, -1.0), "new/rewards-v0", {}, tmp_path)
    np.testing.assert_allclose(data.columns["rewards"], made.columns["rewards"] * 2.0 - 1.0, rtol=1e-6)
    np.testing.assert_array_equal(data.columns["observations"], made.columns["observations"])
    infos = generate(recipe(infos=("distance",)), tmp_path)
    data = edit.relabel(infos, edit.from_info("distance"), "new/rewards-v0", {}, tmp_path)
    np.testing.assert_array_equal(data.columns["rewards"], infos.columns["infos.distance"])
    with pytest.raises(ValueError, match="has no info 'x'"):
        edit.relabel(made, edit.from_info("x"), "new/rewards-v0", {}, tmp_path)


def test_goals_are_relabelled(tmp_path):
    whole = goals_data()
    goal = np.array([203.0])
    data = edit.relabel(whole, edit.reaching(goal, 1.5), "new/goals-v0", {}, tmp_path, goal=goal)
    after = np.array([1, 2, 3, 4, 101, 201, 202, 203, 204, 205, 206, 207, 301, 302, 303])
    assert data.columns["rewards"].tolist() == (abs(after - 203) <= 1.5).astype(float).tolist()
    assert (data.columns["observations.desired_goal"] == 203).all()
    assert (data.columns["final_observations.desired_goal"] == 203).all()
    dense = edit.relabel(whole, edit.reaching(goal, 0, dense=True), "new/goals-v0", {}, tmp_path)
    np.testing.assert_allclose(dense.columns["rewards"], np.exp(-abs(after - 203.0)).astype(np.float32))
    with pytest.raises(ValueError, match="the goal has shape"):
        edit.relabel(whole, edit.reaching(np.zeros(3), 1), "new/goals-v0", {}, tmp_path)


def test_differences_are_named(made, other, tmp_path):
    assert edit.difference(made, made) == []
    changed = edit.relabel(made, edit.affine(2.0), "new/rewards-v0", {}, tmp_path)
    (line,) = edit.difference(made, changed)
    assert line.startswith("column rewards: ")
    row = int(np.flatnonzero(made.columns["rewards"])[0])
    assert f"the first is row {row}:" in line
    lines = edit.difference(made, other)
    assert any(line.startswith("episodes: 6 | 5") for line in lines)
    assert any(line.startswith("column observations: <f4") for line in lines)


def test_statistics_are_those_of_the_arrays(made):
    found = statistics(made)
    assert found["returns"]["mean"] == pytest.approx(made.returns.mean())
    assert found["returns"]["quantiles"]["0.5"] == pytest.approx(np.median(made.returns))
    assert found["lengths"]["max"] == made.lengths.max()
    assert found["terminated"] + found["truncated"] == 6
    assert found["normalised"]["calibrated"]["std"] == pytest.approx(made.normalised_returns().std())
    assert sum(one["episodes"] for one in found["policies"].values()) == 6
    dimension = found["columns"]["observations"]
    whole = made.columns["observations"].astype(np.float64)
    np.testing.assert_allclose(dimension["mean"], whole.mean(axis=0))
    np.testing.assert_allclose(dimension["std"], whole.std(axis=0), atol=1e-9)
    np.testing.assert_array_equal(dimension["low"], whole.min(axis=0))
    np.testing.assert_array_equal(dimension["high"], whole.max(axis=0))
    part = statistics(made.choose(np.array([1, 5])))
    rows = np.concatenate([made.episode(1).observations, made.episode(5).observations]).astype(np.float64)
    np.testing.assert_allclose(part["columns"]["observations"]["std"], rows.std(axis=0), atol=1e-9)


def test_statistics_of_large_observations_are_of_all_together(tmp_path):
    data = generate(recipe(observation="pixels", episodes=1), tmp_path)
    found = statistics(data)["columns"]["observations"]
    assert found["mean"] == pytest.approx(data.columns["observations"].mean())
    assert found["std"] == pytest.approx(data.columns["observations"].std())
    assert figure(data)[:4] == b"\x89PNG"


def test_cards_say_what_is_in_the_data(made, tmp_path):
    page = write_card(made, tmp_path)
    text = page.read_text()
    for part in (made.manifest.hash, f"| return | 6 | {made.returns.mean():,.1f} |", "| calibrated | low | -185.824 "):
        assert part in text
    assert "envsuite datasets generate quad-hover/mixed-v0 --small" in text
    picture = (tmp_path / "quad-hover-mixed-small-v0.png").read_bytes()
    assert picture[:4] == b"\x89PNG"
    assert picture == figure(made)
    vector = dataclasses.replace(made.manifest, about=dataclasses.replace(made.manifest.about, anchors={}))
    assert "Anchors" not in card(type(made)(vector, made.columns))


def test_what_is_made_is_in_the_store(made, tmp_path):
    made_too = edit.merge([made], "all/merged-v0", tmp_path)
    assert load("all/merged-v0", tmp_path, check=True).manifest == made_too.manifest
    assert made_too.manifest.hash == made.manifest.hash  # the same content under another name
