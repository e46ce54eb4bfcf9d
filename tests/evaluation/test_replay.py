"""Replays: they verify, they notice every tampering, and hostile files are refused."""

import pickle

import numpy as np
import pytest

import envsuite
from envsuite.evaluation.replay import Replay, record, verify
from envsuite.evaluation.rollout import random_policy

CARD = envsuite.card("QuadHover")


@pytest.fixture(scope="module")
def replay():
    return record(CARD, random_policy, 4)


def change(replay, **fields):
    return Replay(**{**replay.__dict__, **fields})


def test_survives_the_disk(replay, tmp_path):
    replay.save(tmp_path / "one.npz")
    again = Replay.load(tmp_path / "one.npz")
    assert verify(again, CARD) is None
    assert list(tmp_path.iterdir()) == [tmp_path / "one.npz"]


def test_notices_a_changed_action(replay):
    actions = replay.actions.copy()
    actions[5, 2] += 0.25 if actions[5, 2] < 0 else -0.25
    assert verify(change(replay, actions=actions), CARD).startswith("step 5:")


def test_notices_a_changed_reward_seed_or_digest(replay):
    rewards = replay.rewards.copy()
    rewards[3] = np.nextafter(rewards[3], np.float32(100))
    assert verify(change(replay, rewards=rewards), CARD).startswith("step 3: the reward")
    assert verify(change(replay, seed=5), CARD).startswith("step 0:")
    digests = (*replay.digests[:2], "0" * 32, *replay.digests[3:])
    assert verify(change(replay, digests=digests), CARD) == "step 2: the state differs"


def test_notices_a_cut_or_padded_episode(replay):
    cut = change(replay, actions=replay.actions[:-1], rewards=replay.rewards[:-1], digests=replay.digests[:-1])
    assert "does not end" in verify(cut, CARD)
    actions = np.concatenate([replay.actions, replay.actions[-1:]])
    rewards = np.concatenate([replay.rewards, replay.rewards[-1:]])
    long = change(replay, actions=actions, rewards=rewards, digests=(*replay.digests, replay.digests[-1]))
    assert "had ended already" in verify(long, CARD)
    assert "different lengths" in verify(change(replay, rewards=replay.rewards[:-1]), CARD)


def test_notices_another_environment(replay):
    assert "not of" in verify(replay, envsuite.card("QuadHoverGPD"))


def test_refuses_nan_actions(replay):
    actions = replay.actions.copy()
    actions[1, 0] = np.nan
    assert "nan" in verify(change(replay, actions=actions), CARD)


@pytest.mark.parametrize("content", [b"", b"not a zip", pickle.dumps([1, 2])])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is not a replay"):
        Replay.load(path)


def test_pickled_objects_are_never_loaded(tmp_path):
    path = tmp_path / "bad.npz"
    np.savez(path, header=np.array([{"format": 1}], dtype=object), actions=0, rewards=0, digests=0)
    with pytest.raises(ValueError, match="is not a replay"):
        Replay.load(path)


def test_missing_files_are_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        Replay.load(tmp_path / "none.npz")
