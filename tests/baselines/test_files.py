"""What a run leaves can be played, scored and read."""

import json

import pytest
from click.testing import CliRunner
from PIL import Image

torch = pytest.importorskip("torch")

from dqn import DQN, DQNConfig  # noqa: E402
from launch import run  # noqa: E402
from ppo import PPO, PPOConfig  # noqa: E402
from recurrent_ppo import RecurrentPPO, RecurrentPPOConfig  # noqa: E402
from sac import SAC, SACConfig  # noqa: E402

from envsuite.cli import main  # noqa: E402

from .worlds import small  # noqa: E402

SETTINGS = {"num_envs": 4, "total_steps": 400, "evaluations": 1, "episodes": 20, "threads": 1, "hidden": (16,)}
ON, OFF = {"num_steps": 10}, {"first_steps": 100, "batch_size": 16}
CASES = {
    "choice": (PPO, PPOConfig, "Pole", ON),
    "drawn": (PPO, PPOConfig, "Pole", ON | {"sampled": True}),
    "masked": (PPO, PPOConfig, "Locks", ON),
    "pixels": (PPO, PPOConfig, "Look", ON | {"env_options": {"obs_type": "pixels"}, "total_steps": 40}),
    "memory": (RecurrentPPO, RecurrentPPOConfig, "Recall", ON | {"units": 8}),
    "numbers": (SAC, SACConfig, "Pendulum", OFF),
    "values": (DQN, DQNConfig, "Pole", OFF),
}


@pytest.mark.parametrize("name", CASES)
def test_evaluate_and_play_take_the_run_folder(name, tmp_path):
    maker, settings, task, extra = CASES[name]
    env_id = small(task)
    folder = run(maker, settings(env_id=env_id, **SETTINGS | extra), tmp_path)
    recorded = json.loads((folder / "run.json").read_text())["results"]["mean_return"]
    result = CliRunner().invoke(main, ["evaluate", env_id, "--policy", str(folder), "--episodes", "20", "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["return"]["value"] == pytest.approx(recorded)
    film = tmp_path / "film.gif"
    policy = str(folder / "policy.onnx")
    result = CliRunner().invoke(main, ["play", env_id, "--policy", policy, "--record", str(film)])
    assert result.exit_code == 0, result.output
    with Image.open(film) as picture:
        assert picture.n_frames > 1
    text = (folder / "policy.md").read_text()
    assert f"mean return of 20 evaluation episodes: {recorded:.4g} [" in text
    assert ("memory hidden_0 (8,)" in text) == (name == "memory")


def test_a_policy_for_something_else_is_refused(tmp_path):
    folder = run(PPO, PPOConfig(env_id=small("Pole"), **SETTINGS | ON), tmp_path)
    result = CliRunner().invoke(main, ["evaluate", small("Locks"), "--policy", str(folder), "--episodes", "2"])
    assert result.exit_code == 1
    assert "maps (4,) to (2,) numbers, the environment needs (10,) to (5,)" in result.output
    pixels = {"env_options": {"obs_type": "pixels"}, "total_steps": 40}
    folder = run(PPO, PPOConfig(env_id=small("Look"), **SETTINGS | ON | pixels), tmp_path)
    result = CliRunner().invoke(main, ["evaluate", small("Pendulum"), "--policy", str(folder), "--episodes", "2"])
    assert result.exit_code == 1
