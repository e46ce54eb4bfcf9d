"""The evaluation protocol: one policy on one task gives one result and the record that proves it."""

import time
from collections.abc import Callable

import numpy as np

import envsuite
from envsuite.evaluation.episodes import EpisodeLog
from envsuite.evaluation.results import Result
from envsuite.evaluation.rollout import Episodes, PolicyMaker, one_number, play
from envsuite.evaluation.tracks import Task


def evaluate_task(
    task: Task,
    make_policy: PolicyMaker,
    *,
    metric: str = "return",
    deterministic: bool = True,
    train_seed: int | None = None,
    checkpoint: int | None = None,
    num_threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[Result, EpisodeLog]:
    """Play a task's episodes with a frozen policy.

    Args:
        task: what to play.
        make_policy: the player.
        metric: ``"return"``, or the name of a number or flag in the info of the last step.
        deterministic: whether the policy acts deterministically; recorded.
        train_seed: of the training run.
        checkpoint: training steps of the policy.
        num_threads: threads that step the simulator.
        progress: called with the number of episodes finished so far.

    Returns:
        The result, whose paths are left empty, and the record of all episodes.

    Raises:
        ValueError: the environment has no such metric, or a score that is not finite.
    """
    card = task.card
    started = time.perf_counter()
    played = play(
        card,
        make_policy,
        task.episodes,
        first_seed=task.first_seed,
        num_threads=num_threads,
        record=True,
        progress=progress,
    )
    wall = time.perf_counter() - started
    assert played.log is not None
    result = Result(
        task=task.name,
        env_id=task.env_id,
        options=dict(task.options),
        behaviour=card.behaviour,
        train_seed=train_seed,
        checkpoint=checkpoint,
        deterministic=deterministic,
        first_seed=task.first_seed,
        episodes=task.episodes,
        wall_seconds=wall,
        actions=None,
        policy=None,
        policy_sha256=None,
        suite_version=envsuite.__version__,
        **measured(task, metric, played),
    )
    return result, played.log


def measured(task: Task, metric: str, played: Episodes) -> dict:
    """The fields of a `Result` that follow from the episodes alone; verification computes them again.

    Args:
        task: what was played.
        metric: of the track.
        played: all episodes of the task.

    Raises:
        ValueError: the environment has no such metric, or a score that is not finite.
    """
    played = one_number(task.card, played)
    scores = played.returns if metric == "return" else played.metrics.get(metric)
    if scores is None or scores.ndim > 1:
        known = sorted(name for name, values in played.metrics.items() if values.ndim == 1)
        raise ValueError(f"{task.env_id} has no metric {metric!r}; it has 'return' and {known}")
    score = float(np.mean(scores, dtype=np.float64))
    if not np.isfinite(score):
        raise ValueError(f"{task.name}: the mean {metric} is {score}, expected a finite number")
    return {
        "mean_return": float(np.mean(played.returns)),
        "returns": played.returns.tolist(),
        "lengths": played.lengths.tolist(),
        "terminated": played.terminated.tolist(),
        "metrics": {name: _numbers(values) for name, values in played.metrics.items() if values.ndim == 1},
        "score": score,
        "normalised": float(task.normalise(score)),
    }


def _numbers(values: np.ndarray) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in values]
