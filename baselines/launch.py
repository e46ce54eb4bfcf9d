"""Runs with a folder: records, checkpoints that a later call goes on from, the command line."""

import argparse
import dataclasses
import io
import json
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from config import Config
from filelock import FileLock, Timeout
from progress import sentences, told
from trainer import Trainer

import envsuite
from envsuite.agents.onnx import save
from envsuite.core.files import write_atomic
from envsuite.evaluation.records import RunFolder
from envsuite.evaluation.rollout import EVALUATION_SEED, Episodes
from envsuite.evaluation.runs import RunRecord
from envsuite.scoring import episode_interval

CHECKPOINT = "checkpoint.pt"
"""The last good state of a run that is not finished."""
WAITS = "stopped to be gone on with"
"""Status of a run that has come as far as it was to."""
PATIENCE = 5.0
"""Seconds in which a process that was killed is gone, and its lock with it."""


class _FarEnoughError(Exception):
    """The run has come as far as it was to."""


def run(
    make_trainer: type[Trainer],
    config: Config,
    root: str | Path,
    progress: Callable[[int], None] = lambda steps: None,
    *,
    until: float = 1.0,
    sweep: str | None = None,
) -> Path:
    """Train with a run folder; the record says so when the run fails.

    A run that finished before, with the same settings in the same environment, is not repeated. One that was stopped
    goes on from its last checkpoint and ends with the same bits as if it had not been.

    Args:
        make_trainer: the algorithm.
        config: its settings.
        root: folder of all runs.
        progress: called with the steps done.
        until: share of the run; the first evaluation after it stops the run, to be gone on with.
        sweep: id of the sweep that the run belongs to.

    Returns:
        The run folder, with ``policy.onnx`` in it if the run is finished.

    Raises:
        BlockingIOError: another process is at this very run.
    """
    card = envsuite.card(config.env_id)
    settings = dataclasses.asdict(config)
    identity = (root, config.env_id, config.algorithm, settings, config.seed)
    before = RunFolder.find(*identity)
    if before is not None:
        record = RunRecord.load(before).data
        if record["env_behaviour"] != card.behaviour:
            before = None
        elif record["status"] == "finished":
            return before
        elif not (before / CHECKPOINT).is_file():
            before = None
    trainer = make_trainer(config)
    with _alone(before):
        if before is not None:
            trainer.restore(torch.load(before / CHECKPOINT, weights_only=True))
            folder = RunFolder.reopen(before, step=trainer.steps)
        else:
            seeds = (EVALUATION_SEED, config.episodes)
            folder = RunFolder(*identity, card.behaviour, options=config.env_options, eval_seeds=seeds, sweep=sweep)
        with _alone(folder.path if before is None else None):
            _train(trainer, folder, progress, until * config.total_steps)
    return folder.path


@contextmanager
def _alone(path: Path | None) -> Generator[None]:
    """Holds a run's lock, which goes with the process."""
    if path is None:
        yield
        return
    lock = FileLock(path.with_name(path.name + ".lock"))
    try:
        lock.acquire(timeout=PATIENCE)
    except Timeout:
        raise BlockingIOError(f"another process is training {path}") from None
    try:
        yield
    finally:
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)


def _train(trainer: Trainer, folder: RunFolder, progress: Callable[[int], None], until: float) -> None:
    def log(step: int, episodes: Episodes, **numbers: float) -> None:
        folder.log(step, **numbers)
        folder.log_episodes(step, episodes)

    def far_enough() -> bool:
        return trainer.steps >= until and not trainer.finished()

    def checkpoint(state: dict[str, Any]) -> None:
        content = io.BytesIO()
        torch.save(state, content)
        write_atomic(folder.path / CHECKPOINT, content.getvalue())
        if far_enough():
            raise _FarEnoughError

    with folder:
        try:
            if far_enough():
                raise _FarEnoughError
            _, episodes = trainer.train(log, progress, checkpoint)
        except _FarEnoughError:
            folder.finish(WAITS)
            return
        for name, policy in trainer.policies().items():
            save(folder.path / f"{name}.onnx", policy.program.model, policy.interface)
        for name, content in trainer.files().items():
            write_atomic(folder.path / name, content)
        write_atomic(folder.path / "policy.md", policy_card(trainer, episodes))
    (folder.path / CHECKPOINT).unlink(missing_ok=True)
    folder.finish("finished", mean_return=float(episodes.returns.mean()), episodes=len(episodes.returns))


def policy_card(trainer: Trainer, episodes: Episodes) -> str:
    """What a policy is, for people who come upon its file: Markdown.

    Args:
        trainer: at the end of its run.
        episodes: the last evaluation.
    """
    config, policies = trainer.config, trainer.policies()
    card, returns = envsuite.card(config.env_id), episode_interval(episodes.returns)
    lines = [
        f"# {config.algorithm} on {card.id}\n",
        f"{card.summary}\n",
        f"- trained: {trainer.steps:,} {trainer.unit}s, training seed {config.seed}, {trainer.training_time:.0f} s",
        f"- environment: behaviour {card.behaviour or 'not recorded'}, training options {config.env_options or 'none'}",
        f"- mean return of {len(episodes.returns)} evaluation episodes: {returns.value:.4g} "
        f"[{returns.low:.4g}, {returns.high:.4g}] (95 % interval over episodes of this one training run)",
    ]
    for name, score in (("random", card.random), ("reference", card.expert)):
        lines += [f"- mean return of the {name} policy: {score.mean:.4g}"] if score else []
    for name, policy in policies.items():
        shape, kind = policy.observation_shape, policy.interface.action.kind
        memory = ", ".join(f"{one.input} {one.shape}" for one in policy.interface.states) or "none"
        lines.append(
            f"- `{name}.onnx`: observations {shape}, action {kind}, memory {memory}, described in `{name}.json`"
        )
    if policies:
        lines.append(f"\n`envsuite play {card.id} --policy policy.onnx` shows it, `envsuite evaluate` scores it.\n")
    return "\n".join(lines)


def share(text: str) -> float:
    """A number above 0, at most 1."""
    if not 0 < (value := float(text)) <= 1:
        raise ValueError
    return value


RESUMES = "the same command goes on from the last checkpoint, where there is one"


def main(make_trainer: type[Trainer], settings: type[Config]) -> None:
    """Command line: every setting is an option, lists and tables as JSON."""
    parser = argparse.ArgumentParser(
        usage="%(prog)s [--SETTING VALUE ...]; --help lists the settings",
        description=f"Train {settings.algorithm.upper()}.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--runs", default="runs", help="folder of run records")
    parser.add_argument(
        "--until", type=share, default=1.0, help="stop after this share of the run; the same command goes on"
    )
    parser.add_argument("--sweep", help="id of the sweep that the run belongs to")
    parser.add_argument("--check", action="store_true", help="only say what is wrong with the settings")
    parser.add_argument("--env-id", default=settings.env_id)
    for option in dataclasses.fields(settings):
        if option.name == "env_id":
            continue
        flag = f"--{option.name.replace('_', '-')}"
        if option.type is bool:
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=argparse.SUPPRESS)
        else:
            kind = option.type if option.type in (int, float, str) else json.loads
            parser.add_argument(flag, type=kind, default=argparse.SUPPRESS)
    given = vars(parser.parse_args())
    root, env_id = given.pop("runs"), given.pop("env_id")
    check, chosen = given.pop("check"), {name: given.pop(name) for name in ("until", "sweep")}
    try:
        held_out = envsuite.card(env_id).trained_on if env_id or settings.env_id else ""  # datasets tell theirs
    except KeyError as error:
        parser.error(error.args[0])
    with sentences(RESUMES):
        config = settings.for_env(env_id, **given)
        if held_out and not config.env_options:
            print(f"{config.env_id} is for tests: policies are meant to learn on {held_out}", file=sys.stderr)
        if check:
            return
        with told(config.total_steps) as progress:
            path = run(make_trainer, config, root, progress, **chosen)
    print(f"run folder: {path}")
