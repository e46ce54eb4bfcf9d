"""A run that was stopped goes on and ends with the same bits; what fails keeps the last good state."""

import json
import os
import signal
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")

from archer import ArCHer, ArCHerConfig  # noqa: E402
from dqn import DQN, DQNConfig  # noqa: E402
from drrn import DRRN, DRRNConfig  # noqa: E402
from ffm_ppo import FFMPPOConfig  # noqa: E402
from fictitious_selfplay import FictitiousSelfPlay, FictitiousSelfPlayConfig  # noqa: E402
from gtrxl_ppo import GTrXLPPOConfig  # noqa: E402
from launch import CHECKPOINT, run  # noqa: E402
from league import League, LeagueConfig  # noqa: E402
from lstm_ppo import LSTMPPOConfig  # noqa: E402
from mappo import MAPPO, MAPPOConfig  # noqa: E402
from mingru_ppo import MinGRUPPOConfig  # noqa: E402
from ppo import PPO, PPOConfig  # noqa: E402
from ppo_graph import PPOGraph, PPOGraphConfig  # noqa: E402
from pqn import PQN, PQNConfig  # noqa: E402
from psro import PSRO, PSROConfig  # noqa: E402
from recurrent_ppo import RecurrentPPO, RecurrentPPOConfig  # noqa: E402
from role_advantage import RoleAdvantage, RoleAdvantageConfig  # noqa: E402
from sac import SAC, SACConfig  # noqa: E402
from sac_her import SACHER, SACHERConfig  # noqa: E402
from selfplay import SelfPlay, SelfPlayConfig  # noqa: E402
from slots_ppo import SlotsPPOConfig  # noqa: E402
from td3 import TD3, TD3Config  # noqa: E402
from td3_her import TD3HER, TD3HERConfig  # noqa: E402
from text_ppo import TextPPO, TextPPOConfig  # noqa: E402
from token_grpo import TokenGRPO, TokenGRPOConfig  # noqa: E402
from token_ppo import TokenPPO, TokenPPOConfig  # noqa: E402

from envsuite.cards import baselines_folder  # noqa: E402
from envsuite.evaluation.runs import find_runs  # noqa: E402
from envsuite.scoring.loaders.folders import load_runs  # noqa: E402

from .worlds import small  # noqa: E402

COMMON = {"num_envs": 4, "total_steps": 480, "evaluations": 4, "episodes": 5, "threads": 1, "hidden": (16,)}
ON = {"num_steps": 10}
OFF = {"first_steps": 40, "batch_size": 16}
TOLD = {"hidden": (64, 64), "width": 8, "heads": 2, "layers": 1, "places": 512}
ALGORITHMS = {
    "ppo": (PPO, PPOConfig, "Locks", ON),
    "ppo_numbers": (PPO, PPOConfig, "Pendulum", ON | {"autoreset": "NextStep"}),
    "recurrent_ppo": (RecurrentPPO, RecurrentPPOConfig, "Recall", ON | {"units": 8}),
    "lstm_ppo": (RecurrentPPO, LSTMPPOConfig, "Recall", ON | {"units": 8}),
    "mingru_ppo": (RecurrentPPO, MinGRUPPOConfig, "Recall", ON | {"units": 8}),
    "ffm_ppo": (RecurrentPPO, FFMPPOConfig, "Recall", ON | {"units": 8, "traces": 4}),
    "slots_ppo": (RecurrentPPO, SlotsPPOConfig, "Recall", ON | {"units": 8, "slots": 4}),
    "gtrxl_ppo": (RecurrentPPO, GTrXLPPOConfig, "Recall", ON | {"units": 8, "past": 4}),
    "ppo_graph": (PPOGraph, PPOGraphConfig, "Reach", ON | {"hidden": (64, 64), "width": 8}),
    "text_ppo": (TextPPO, TextPPOConfig, "Errand", ON | {"hidden": (64, 64), "units": 8, "width": 8}),
    "mappo": (MAPPO, MAPPOConfig, "Trade", ON | {"weights": ((1.0, 0.0), (0.5, 0.5)), "sharing": False}),
    "selfplay": (SelfPlay, SelfPlayConfig, "Guess", ON | {"pool_every": 100}),
    "fictitious": (FictitiousSelfPlay, FictitiousSelfPlayConfig, "Guess", ON | {"admit_every": 100}),
    "psro": (PSRO, PSROConfig, "Guess", ON | {"round_steps": 120, "games": 4, "least_gain": -2.0}),
    "league": (League, LeagueConfig, "Guess", ON | {"copy_after": 40}),
    "pqn": (PQN, PQNConfig, "Pole", ON),
    "dqn": (DQN, DQNConfig, "Pole", OFF),
    "token_ppo": (TokenPPO, TokenPPOConfig, "Errand", TOLD | {"average": 0.1}),
    "token_grpo": (TokenGRPO, TokenGRPOConfig, "Errand", TOLD | {"group_size": 2, "kl": 0.1, "reference_every": 2}),
    "role_advantage": (RoleAdvantage, RoleAdvantageConfig, "Guess", TOLD),
    "archer": (ArCHer, ArCHerConfig, "Errand", TOLD | {"memory": 60, "critic_updates": 2, "critic_width": 8}),
    "drrn": (DRRN, DRRNConfig, "Errand", OFF | {"hidden": (128, 128), "width": 8}),
    "sac": (SAC, SACConfig, "Glider", OFF),
    "td3": (TD3, TD3Config, "Glider", OFF),
    "sac_her": (SACHER, SACHERConfig, "Reach", OFF | {"memory": 160, "returns": 2}),
    "td3_her": (TD3HER, TD3HERConfig, "Reach", OFF | {"goal_ends": True}),
}


def heed() -> None:
    """Let Ctrl-C reach a program, also where the tests run in the background, whose programs ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def events(folder) -> list[dict]:
    rows = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{key: value for key, value in row.items() if key not in ("wall", "training_time")} for row in rows]


class StoppedError(Exception):
    """Stands for a machine that goes down."""


def stop_after(steps: int):
    def progress(done: int) -> None:
        if done >= steps:
            raise StoppedError

    return progress


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_stopped_run_ends_with_the_same_bits(name, tmp_path):
    maker, settings, task, extra = ALGORITHMS[name]
    config = settings(env_id=small(task), **COMMON | extra)
    whole = run(maker, config, tmp_path / "whole")
    with pytest.raises(StoppedError):
        run(maker, config, tmp_path / "parts", stop_after(300))
    (part,) = (tmp_path / "parts").rglob("run.json")
    assert (part.parent / CHECKPOINT).is_file()
    with pytest.raises(StoppedError):  # once more, at another place
        run(maker, config, tmp_path / "parts", stop_after(400))
    resumed = run(maker, config, tmp_path / "parts")
    assert resumed == part.parent
    assert len(events(whole)) == 4
    assert events(resumed) == events(whole)
    assert (resumed / "episodes.jsonl").read_bytes() == (whole / "episodes.jsonl").read_bytes()
    policies = sorted(path.name for kind in ("onnx", "npz") for path in whole.glob(f"*.{kind}"))
    assert len(policies) == {"mappo": 2, "fictitious": 5, "psro": 4}.get(name, 1)
    for policy in policies:
        assert (resumed / policy).read_bytes() == (whole / policy).read_bytes()
    assert not (resumed / CHECKPOINT).exists()
    assert not list((tmp_path / "parts").rglob("*.lock"))
    before = (resumed / "run.json").read_bytes()
    assert run(maker, config, tmp_path / "parts", stop_after(0)) == resumed  # it is finished: nothing is trained
    assert (resumed / "run.json").read_bytes() == before


OLD_NAMES = {"obs_normaliser": "seen", "critic_normaliser": "criticised", "obs": "seen", "critic_obs": "criticised"}
OLD_NAMES |= {"next_obs": "next_seen", "next_critic_obs": "next_criticised", "done": "over", "was_done": "was_over"}


def with_old_names(state):
    """A checkpoint as earlier versions wrote it."""
    if isinstance(state, list):
        return [with_old_names(one) for one in state]
    if not isinstance(state, dict):
        return state
    found = {}
    for name, value in state.items():
        first, dot, rest = str(name).partition(".")
        found[OLD_NAMES[first] + dot + rest if first in OLD_NAMES else name] = with_old_names(value)
    return found


@pytest.mark.parametrize("name", ["ppo", "recurrent_ppo", "mappo", "selfplay", "dqn", "td3"])
def test_checkpoints_with_older_names_are_read(name, tmp_path):
    maker, settings, task, extra = ALGORITHMS[name]
    config = settings(env_id=small(task), **COMMON | extra)
    whole = run(maker, config, tmp_path / "whole")
    with pytest.raises(StoppedError):
        run(maker, config, tmp_path / "parts", stop_after(300))
    (checkpoint,) = tmp_path.rglob(CHECKPOINT)
    state = with_old_names(torch.load(checkpoint, weights_only=True))
    assert "seen" in str(state)
    assert "obs" not in str(state).replace("observations", "")
    torch.save(state, checkpoint)
    resumed = run(maker, config, tmp_path / "parts")
    assert (resumed / "policy.onnx").read_bytes() == (whole / "policy.onnx").read_bytes()


def test_the_curriculum_is_where_it_was(tmp_path):
    stages = ({"step": 100, "set_reward_weights": "target"}, {"step": 400, "set_reward_weights": "initial"})
    changes = {"num_envs": 4, "num_steps": 10, "total_steps": 360, "evaluations": 3, "episodes": 2, "stages": stages}
    config = PPOConfig.for_env("QuadHover", **changes, threads=1)
    whole = run(PPO, config, tmp_path / "whole")
    with pytest.raises(StoppedError):
        run(PPO, config, tmp_path / "parts", stop_after(280))
    trainer = PPO(config)
    (checkpoint,) = tmp_path.rglob(CHECKPOINT)
    trainer.restore(torch.load(checkpoint, weights_only=True))
    assert trainer.rows.env.world.params[0]["weights"]["position"] == 40.0
    resumed = run(PPO, config, tmp_path / "parts")
    assert (resumed / "policy.onnx").read_bytes() == (whole / "policy.onnx").read_bytes()


def test_a_loss_that_is_no_number_keeps_the_last_good_checkpoint(tmp_path, monkeypatch):
    config = PPOConfig(env_id=small("Pole"), **COMMON | ON)
    original = PPO.losses

    def losses(self, part):
        found = original(self, part)
        return found if self.steps < 320 else found | {"loss": found["loss"] * float("nan")}

    monkeypatch.setattr(PPO, "losses", losses)
    with pytest.raises(FloatingPointError, match=r"loss is nan at environment step 320"):
        run(PPO, config, tmp_path)
    (path,) = tmp_path.rglob(CHECKPOINT)
    state = torch.load(path, weights_only=True)
    assert state["steps"] == 240
    assert all(torch.isfinite(value).all() for value in state["agent"].values() if isinstance(value, torch.Tensor))
    record = json.loads((path.parent / "run.json").read_text())
    assert record["status"].startswith("failed: FloatingPointError: loss is nan at environment step 320")


def test_two_processes_do_not_train_the_same_run(tmp_path):
    from filelock import FileLock

    config = PPOConfig(env_id=small("Pole"), **COMMON | ON)
    with pytest.raises(StoppedError):
        run(PPO, config, tmp_path, stop_after(300))
    (path,) = tmp_path.rglob(CHECKPOINT)
    with FileLock(f"{path.parent}.lock"), pytest.raises(BlockingIOError, match="another process is training"):
        run(PPO, config, tmp_path)
    assert run(PPO, config, tmp_path) == path.parent


def test_checkpoints_hold_no_code(tmp_path):
    """They are read by PyTorch's loader of plain tensors, which refuses anything else."""
    import pickle

    class Evil:
        def __reduce__(self):
            return (print, ("executed",))

    config = PPOConfig(env_id=small("Pole"), **COMMON | ON)
    with pytest.raises(StoppedError):
        run(PPO, config, tmp_path, stop_after(300))
    (path,) = tmp_path.rglob(CHECKPOINT)
    torch.save({"agent": Evil()}, path)
    with pytest.raises(pickle.UnpicklingError):
        run(PPO, config, tmp_path)


SLOW_TRAINING = """
import sys, time
from launch import main
from ppo import PPO, PPOConfig

class Slow(PPO):
    def iterate(self):
        found = super().iterate()
        print("iteration", flush=True)
        time.sleep(0.2)
        return found

sys.argv[1:] = ["--env-id", "QuadHoverGPD", "--runs", sys.argv[1], "--num-envs", "4", "--num-steps", "10",
    "--total-steps", "400000", "--evaluations", "10000", "--episodes", "2"]
main(Slow, PPOConfig)
"""


@pytest.mark.parametrize(
    ("number", "status", "code", "said"),
    [
        (signal.SIGTERM, "stopped by SIGTERM", 143, ""),
        (signal.SIGINT, "stopped by Ctrl-C", 130, "stopped by Ctrl-C: the same command goes on"),
        (signal.SIGKILL, "running", -9, ""),
    ],
)
def test_who_stops_a_training_leaves_a_record_that_is_read(tmp_path, number, status, code, said):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(baselines_folder()), *sys.path])}
    command = [sys.executable, "-c", SLOW_TRAINING, str(tmp_path)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": heed}
    with subprocess.Popen(command, env=environment, text=True, **pipes) as training:
        for _ in range(3):
            assert training.stdout.readline() == "iteration\n"
        training.send_signal(number)
        _, error = training.communicate(timeout=60)
    assert training.returncode == code
    assert "Traceback" not in error
    assert said in error
    (record,) = find_runs(tmp_path)
    assert record.status == status
    with pytest.warns(UserWarning, match="it has no evaluation yet|its score is that of its last evaluation"):
        scores = load_runs(tmp_path)
    assert scores.final("ppo").shape == (1, 1)


def test_a_run_that_waits_goes_on_with_the_same_bits(tmp_path):
    config = PPOConfig(env_id=small("Locks"), **COMMON, **ON)
    whole = find_runs(run(PPO, config, tmp_path / "whole"))[0]
    for until, steps in ((0.1, 1), (0.1, 1), (0.5, 2)):
        (record,) = find_runs(run(PPO, config, tmp_path / "parts", until=until, sweep="s/x"))
        assert record.status == "stopped to be gone on with"
        assert len(record.metrics()) == steps
        assert record.data["sweep"] == "s/x"
        assert record.policy is None
    (record,) = find_runs(run(PPO, config, tmp_path / "parts"))
    assert record.status == "finished"
    assert [event["mean_return"] for event in record.metrics()] == [event["mean_return"] for event in whole.metrics()]
    assert (record.path / "policy.onnx").read_bytes() == (whole.path / "policy.onnx").read_bytes()
