"""PPO in one file: it stands alone, means the same as the other one, and learns as well."""

import ast
import dataclasses
import inspect
import sys
from collections.abc import Callable

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import learning  # noqa: E402
import ppo_single_file as single  # noqa: E402
from ppo import PPO, PPOConfig  # noqa: E402

import envsuite  # noqa: E402
from envsuite.agents.onnx import load  # noqa: E402
from envsuite.evaluation.rollout import onnx_player, play  # noqa: E402
from envsuite.evaluation.runs import RunRecord  # noqa: E402
from envsuite.scoring import difference, mean  # noqa: E402

from .worlds import small  # noqa: E402

QUICK = {"num_envs": 4, "num_steps": 8, "total_steps": 256, "evaluations": 2, "episodes": 5, "threads": 1}


def test_it_stands_alone_and_is_short():
    source = inspect.getsource(single)
    assert len(source.splitlines()) <= 350
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in imports if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} - sys.stdlib_module_names == {
        *("envsuite", "gymnasium", "numpy", "torch")
    }


def test_settings_are_those_of_the_other_ppo():
    other = {field.name: field.default for field in dataclasses.fields(PPOConfig)}
    for field in dataclasses.fields(single.Config):
        assert field.default == other[field.name], field.name


def test_advantages_are_those_of_the_other_ppo():
    """Where an episode ends, this one finds its last observation in the next row, the other is given its value."""
    generator = torch.Generator().manual_seed(0)
    reward, value = torch.randn(12, 5, generator=generator), torch.randn(13, 5, generator=generator)
    terminated, truncated = (torch.rand(2, 12, 5, generator=generator) < 0.15).unbind(0)
    done = terminated | truncated
    found = single.gae({"reward": reward, "terminated": terminated, "done": done}, value, 0.9, 0.8)
    bootstrap = torch.where(terminated, 0.0, value[1:])
    expected = learning.gae(reward, value[:-1], done, bootstrap, value[-1], 0.9, 0.8)
    torch.testing.assert_close(found, expected)
    assert (terminated & ~truncated).any()
    assert (truncated & ~terminated).any()


@pytest.mark.parametrize("env_id", ["CartPole-v1", "envsuite/QuadHover-v0"])
def test_the_command_leaves_a_record_and_a_policy_that_plays_as_it_did(env_id, tmp_path, monkeypatch, capsys):
    options = [f"--{name.replace('_', '-')}={value}" for name, value in QUICK.items()]
    monkeypatch.setattr(sys, "argv", ["ppo_single_file.py", "--env-id", env_id, "--runs", str(tmp_path), *options])
    single.main()
    (path,) = tmp_path.rglob("run.json")
    record = RunRecord.load(path)
    assert (record.status, record.algorithm, record.env_id) == ("finished", "ppo_single_file", env_id)
    assert [event["step"] for event in record.metrics()] == [128, 256]
    assert str(path.parent) in capsys.readouterr().out
    policy = load(path.parent)
    if env_id in envsuite.cards():
        again = play(envsuite.card(env_id), onnx_player(policy), QUICK["episodes"])
        assert again.returns.mean() == pytest.approx(record.data["results"]["mean_return"], rel=1e-3)
    else:
        assert policy.act(np.zeros((3, 4), np.float32), np.zeros(3)).shape == (3,)


def test_what_it_cannot_do_is_refused():
    with pytest.raises(ValueError, match="expected Box, or Discrete"):
        single.train(single.Config(env_id=small("Locks"), **QUICK))
    with pytest.raises(ValueError, match="by a mask"):
        single.train(single.Config(env_id="envsuite/Bulwark-L1-v0", **QUICK))


SEEDS = range(5)  # so few get Welch intervals
TASKS = {
    # settings, limit of an episode; margins of the final return and of the mean along the curve
    "Pole": ({"total_steps": 16_384}, 200, 15.0, 20.0),
    "Glider": ({"total_steps": 12_288, "scale_rewards": False, "value": 1.0}, 0, 3.0, 40.0),
}
PLAIN = {"num_envs": 8, "num_steps": 32, "epochs": 6, "learning_rate": 1e-3, "gamma": 0.98, "threads": 1}
PLAIN |= {"evaluations": 8, "episodes": 40}


def curves(train: Callable[[dict, Callable], object], settings: dict, first_seed: int) -> np.ndarray:
    """(seeds, evaluations) mean returns."""
    table: list[list[float]] = []
    for seed in SEEDS:
        table.append([])
        train(
            {**settings, "seed": first_seed + 1000 * seed},
            lambda *_, **numbers: table[-1].append(numbers["mean_return"]),
        )
    return np.array(table)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:one task with 5 runs")
@pytest.mark.parametrize("task", TASKS)
def test_learning_curves_are_statistically_the_same(task):
    """With equal settings and other seeds: final returns, and means along the curve."""
    changes, limit, *margins = TASKS[task]
    settings = {**PLAIN, **changes, "env_id": small(task, limit)}
    ours = curves(lambda given, log: PPO(PPOConfig(**given)).train(log), settings, 0)
    alone = curves(lambda given, log: single.train(single.Config(**given), log), settings, 500)
    assert ours.shape == alone.shape == (len(SEEDS), 8)
    parts = {"final": (alone[:, -1:], ours[:, -1:]), "mean": (alone.mean(1)[:, None], ours.mean(1)[:, None])}
    for (name, pair), margin in zip(parts.items(), margins, strict=True):
        found = difference(*pair, mean, confidence=0.99)
        print(f"{task}, {name}: {pair[0].mean():.1f}, {pair[1].mean():.1f}, difference {found}")
        assert found.low <= 0.0 <= found.high, name
        assert abs(found.value) <= margin, name


def test_numbers_that_cannot_be_meant_are_refused(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["ppo_single_file.py", "--total-steps", "-4"])
    with pytest.raises(SystemExit, match="2"):
        single.main()
    assert "total_steps is -4, expected at least 1" in capsys.readouterr().err
