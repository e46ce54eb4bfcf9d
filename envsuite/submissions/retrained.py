"""Level 3: a maintainer trains anew with a baseline of this repository and compares.

The command is made from the name of a baseline, the track and new seeds; no text of a submission becomes part of it.
"""

import dataclasses
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from envsuite.evaluation import scripts
from envsuite.evaluation.policies import source_of
from envsuite.evaluation.protocol import evaluate_task
from envsuite.evaluation.rollout import policy_maker
from envsuite.evaluation.runs import find_runs
from envsuite.evaluation.tracks import Task, Track
from envsuite.scoring import difference, mean
from envsuite.submissions.intake import take_in
from envsuite.submissions.record import Retrained, Verification
from envsuite.submissions.reported import check_reported
from envsuite.submissions.rerun import interface


def new_seeds(verification: Verification, count: int) -> list[int]:
    """Training seeds that the submission does not have; they follow from its line of the ledger.

    The line holds the time of the evaluation and the lines before it, which submitters cannot choose.
    """
    return scripts.new_seeds(count, set(verification.info.train_seeds), "retrain", verification.ledger_line)


def retrain(
    verification: Verification,
    track: Track,
    *,
    folder: Path,
    baselines: Path,
    runs: Path,
    seeds: int = 3,
    tasks: list[str] | None = None,
    train: Callable[[list[str]], None] | None = None,
) -> Verification:
    """Train anew on each task and compare with the submitted runs.

    Args:
        verification: at level 2.
        track: its track.
        folder: of the submission, whose policies say on which id each task's were trained.
        baselines: folder of this repository's baselines.
        runs: where run folders go.
        seeds: new training runs a task, at least 3.
        tasks: only these; level 3 needs all.
        train: does a command; by default as a process whose output is shown.

    Returns:
        The verification with `Verification.retrained`, at level 3 if the interval of each task's difference contains 0
        and all tasks were trained, else with a flag that says which does not.

    Raises:
        ValueError: not at level 2, another folder than the verified one, no baseline of this repository, or too few
            runs.
    """
    if verification.level < 2:
        raise ValueError(f"{verification.folder} is at level {verification.level}, level 2 comes before re-training")
    if seeds < 3:
        raise ValueError(f"seeds is {seeds}, expected at least 3")
    chosen = [track.task(name) for name in tasks] if tasks else list(track.tasks)
    fresh, ids = new_seeds(verification, seeds), _trained_on(folder, track, verification.digest)
    found = []
    for task in chosen:
        env_id = ids.get(task.name, task.env_id)
        for seed in fresh:
            command = scripts.training_command(baselines, verification.info.baseline, env_id, seed, runs, task.dataset)
            (train or scripts.train)(command)
        found.append(_compared(verification, track, task, env_id, fresh, runs))
    apart = [one.task for one in found if not one.low <= 0.0 <= one.high]
    complete = len({task.name for task in chosen}) == len(track.tasks)
    flags = [*verification.flags, *(f"{name}: new training runs differ from the submitted ones" for name in apart)]
    level = 3 if complete and not apart else verification.level
    return dataclasses.replace(verification, level=level, retrained=found, flags=flags)


def _trained_on(folder: Path, track: Track, digest: str) -> dict[str, str]:
    """The one id on which the policies of a submission were trained, by task."""
    with take_in(folder) as intake:
        if intake.digest != digest:
            raise ValueError(f"{folder} has the digest {intake.digest}, expected the verified {digest}")
        found: dict[str, str] = {}
        for run in check_reported(intake, track).runs:
            env_id = interface(run).env_id if run.policy else run.task.env_id
            if found.setdefault(run.task.name, env_id) != env_id:
                both = f"{found[run.task.name]} and {env_id}"
                raise ValueError(f"{run.task.name}: its policies were trained on {both}, expected one id")
        return found


def _compared(
    verification: Verification, track: Track, task: Task, env_id: str, seeds: list[int], runs: Path
) -> Retrained:
    submitted = [run.score for run in verification.runs if run.task == task.name]
    if len(submitted) < 2:
        raise ValueError(f"{task.name}: {len(submitted)} submitted run, which has no spread to compare with")
    finished = find_runs(runs, env_id, verification.info.baseline, "finished")
    by_seed = {run.seed: run for run in finished if task.dataset in ("", run.dataset)}
    scores = []
    for seed in seeds:
        if seed not in by_seed:
            raise ValueError(f"{task.name}: training with seed {seed} has left no finished run in {runs}")
        policy = source_of(by_seed[seed], verification.info.baseline).on(task)
        if policy is None:
            raise ValueError(f"{task.name}: {by_seed[seed].path} kept no policies while it played")
        if policy.checkpoint is None or policy.checkpoint > task.training_steps:
            raise ValueError(
                f"{task.name}: the run took {policy.checkpoint} steps, the track allows {task.training_steps}"
            )
        result, _ = evaluate_task(task, policy_maker(policy.spec), metric=track.metric)
        scores.append(result.score)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of few runs; their number is part of the record
        gap = difference(np.array(submitted)[:, np.newaxis], np.array(scores)[:, np.newaxis], mean)
    return Retrained(task.name, seeds, scores, float(gap.value), float(gap.low), float(gap.high))
