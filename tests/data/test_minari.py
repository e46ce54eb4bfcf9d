"""Minari: what is exported opens there, and comes back with the same hash."""

import json

import gymnasium
import numpy as np
import pytest

minari = pytest.importorskip("minari")

from minari.data_collector import EpisodeBuffer  # noqa: E402

from envsuite.data import generate, verify  # noqa: E402
from envsuite.data.formats.minari import export_minari, import_minari  # noqa: E402
from tests.data.conftest import recipe  # noqa: E402
from tests.data.test_sampling import goals_data  # noqa: E402

KINDS = [
    ("quad-hover/mixed-v0", "state", ("distance", "peak_after_100")),
    ("quad-multi-hover/mixed-v0", "state", ("distance",)),
    ("quad-hover/mixed-v0", "text", ()),
    ("quad-multi-hover/mixed-v0", "text", ()),
    ("quad-hover/random-v0", "pixels", ()),
]


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))


@pytest.mark.parametrize(("name", "observation", "infos"), KINDS)
def test_there_and_back(tmp_path, name, observation, infos):
    some = recipe(name, observation=observation, infos=infos, episodes=4)
    data = generate(some, tmp_path / "store")
    export_minari(data)
    theirs = minari.load_dataset(some.id)
    assert theirs.total_episodes == 4
    assert theirs.total_steps == len(data)
    assert theirs.observation_space == data.observation_space
    for mine, episode in zip(data.episodes(), theirs.iterate_episodes(), strict=True):
        rewards = mine.rewards.sum(axis=1) if data.manifest.agents else mine.rewards
        np.testing.assert_array_equal(episode.rewards, rewards)
        assert episode.terminations[-1] or episode.truncations[-1]
        assert not (episode.terminations | episode.truncations)[:-1].any()
        if observation == "state":
            np.testing.assert_array_equal(episode.observations[:-1], mine.observations)
            np.testing.assert_array_equal(episode.observations[-1], mine.final_observation)
            assert episode.observations.dtype == np.float32
        np.testing.assert_array_equal(episode.actions, mine.actions)
    back = import_minari(some.id, tmp_path / "back")
    assert back.manifest == data.manifest
    assert verify(back) == []


@pytest.mark.parametrize("name", ["quad-hover/mixed-v0", "quad-multi-hover/mixed-v0"])
def test_the_recovered_environment_replays_the_data(tmp_path, name):
    some = recipe(name, episodes=3)
    data = generate(some, tmp_path / "store")
    export_minari(data)
    theirs = minari.load_dataset(some.id)
    env = theirs.recover_environment()
    metadata = list(theirs.storage.get_episode_metadata(range(3)))
    for episode, attributes in zip(theirs.iterate_episodes(), metadata, strict=True):
        observation, _ = env.reset(seed=attributes["seed"])
        for t, action in enumerate(episode.actions):
            np.testing.assert_array_equal(observation, episode.observations[t])
            observation, reward, terminated, truncated, _ = env.step(action)
            assert reward == episode.rewards[t]
            assert (terminated, truncated) == (episode.terminations[t], episode.truncations[t])
        np.testing.assert_array_equal(observation, episode.observations[-1])
    env.close()


def test_dictionaries_come_back(tmp_path):
    data = goals_data()
    export_minari(data)
    back = import_minari("line-v0", tmp_path)
    assert back.manifest.hash == data.manifest.hash
    assert import_minari("line-v0", tmp_path, new_id="other/line-v1").manifest.hash == data.manifest.hash


def test_a_choice_of_episodes_is_a_dataset_of_its_own(tmp_path, made):
    export_minari(made.choose(np.array([4, 1])))
    back = import_minari(made.manifest.id, tmp_path)
    assert back.manifest.hash != made.manifest.hash
    np.testing.assert_array_equal(back.returns, made.returns[[4, 1]])
    assert back.columns["seeds"].tolist() == made.columns["seeds"][[4, 1]].tolist()


def test_nothing_is_overwritten(made):
    export_minari(made)
    with pytest.raises(FileExistsError, match="delete it first"):
        export_minari(made)


@pytest.mark.filterwarnings("ignore::UserWarning")  # what Minari recommends to its users
@pytest.mark.parametrize("data_format", ["hdf5", "arrow"])
def test_data_that_minari_collected_come_in(tmp_path, data_format):
    env = gymnasium.make("CartPole-v1")
    expected, buffers = [], []
    for seed in range(5):
        observation, _ = env.reset(seed=seed)
        env.action_space.seed(seed)
        rows, actions, flags = [observation], [], []
        while not flags or not (any(flags[-1]) or (seed == 3 and len(rows) == 4)):
            actions.append(env.action_space.sample())
            observation, _, *flag, _ = env.step(actions[-1])
            rows.append(observation)
            flags.append(flag)
        expected.append(np.array(rows))
        terminations, truncations = zip(*flags, strict=True)
        infos = {"time": np.arange(len(rows)), "words": ["a"] * len(rows)} if data_format == "hdf5" else None
        buffers.append(
            EpisodeBuffer(
                seed=seed,
                observations=np.array(rows),
                actions=np.array(actions),
                rewards=[1.0] * len(actions),
                terminations=list(terminations),
                truncations=list(truncations),
                infos=infos,
            )
        )
    minari.create_dataset_from_buffers(
        "cart/random-v3",
        buffers,
        env=env,
        data_format=data_format,
        description="Random. Cart pole.",
        code_permalink="x",
        author="a",
        author_email="b",
        algorithm_name="r",
    )
    data = import_minari("cart/random-v3", tmp_path)
    assert data.manifest.source.id == "CartPole-v1"
    assert data.columns["seeds"].tolist() == list(range(5))
    for episode, rows in zip(data.episodes(), expected, strict=True):
        np.testing.assert_array_equal(episode.observations, rows[:-1])
        np.testing.assert_array_equal(episode.final_observation, rows[-1])
    assert data.episode(3).truncated.tolist() == [False, False, True]
    assert data.episode(2).terminated[-1]
    assert verify(data) == []
    assert json.dumps(data.manifest.about.origin)
    if data_format == "hdf5":
        assert data.columns["infos.time"][:2].tolist() == [1, 2]
        assert data.columns["reset_infos.time"].tolist() == [0] * 5
        assert data.manifest.about.origin["left_out"] == ["infos.words"]
    assert data.manifest.about.origin["marked_truncated"] == 1
    assert data.manifest.about.title == "Random"


def test_unknown_datasets_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="no Minari dataset nobody/nothing-v0"):
        import_minari("nobody/nothing-v0", tmp_path)
