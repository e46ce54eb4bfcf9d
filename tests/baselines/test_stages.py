"""Stages of a training: kept on the way, without changing it."""

import pytest

pytest.importorskip("torch")

from launch import run
from ppo import PPO, PPOConfig
from stages import SHARES, Watcher, stages

from envsuite.evaluation.runs import RunRecord

SHORT = {"total_steps": 16_384, "num_envs": 16, "num_steps": 32, "evaluations": 2, "episodes": 3, "threads": 1}


def test_stages_are_nearest_to_their_shares_and_change_nothing(tmp_path):
    config = PPOConfig(env_id="envsuite/InvertedPendulum-v0", learning_rate=1e-3, log_std=-0.5, **SHORT)
    watcher = Watcher(PPO, 16)
    found = stages(watcher, config, tmp_path / "watched")
    assert list(found) == [*SHARES, "expert"]
    first, last = 4.952, found["expert"][1]
    for name, share in SHARES.items():
        goal = first + share * (last - first)
        nearest = min(abs(value - goal) for _, value, _ in watcher.found)
        assert abs(found[name][1] - goal) <= nearest + 1.0  # the random policy's mean is measured anew
    plain = run(PPO, config, tmp_path / "plain")
    watched = next((tmp_path / "watched").rglob("run.json")).parent
    assert (watched / "policy.onnx").read_bytes() == (plain / "policy.onnx").read_bytes()
    assert RunRecord.load(watched).data["status"] == "finished"
    with pytest.raises(ValueError, match="expected a training from its beginning"):
        stages(Watcher(PPO, 16), config, tmp_path / "watched")
