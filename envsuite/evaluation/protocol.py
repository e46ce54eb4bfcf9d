"""The evaluation protocol: one policy on one task gives one result and the record that proves it."""

import time
from collections.abc import Callable

import numpy as np

import envsuite
from envsuite.agents.distance import EXPLOITABILITY, Distance
from envsuite.cards import EnvCard
from envsuite.core.companions import Referee, companion, companion_class
from envsuite.core.world import make_world, world_class
from envsuite.evaluation.episodes import EpisodeLog
from envsuite.evaluation.results import Result, values_of
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
        metric: ``"return"``, ``"exploitability"``, or the name of a number or flag in the info of the last step.
        deterministic: whether the policy acts deterministically; recorded.
        train_seed: of the training run.
        checkpoint: training steps of the policy.
        num_threads: threads that step the simulator.
        progress: called with the number of episodes finished so far.

    Returns:
        The result, whose paths are left empty, and the record of all episodes.

    Raises:
        ValueError: the environment has no such metric, a score that is not finite, or a policy without a distance
            from an equilibrium where that is the score.
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
        others=task.others,
    )
    wall = time.perf_counter() - started
    assert played.log is not None
    distance = distance_where(metric, card, make_policy)
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
        distance=distance,
        **measured(task, metric, played, distance),
    )
    return result, played.log


def distance_from_equilibrium(card: EnvCard, make_policy: PolicyMaker) -> Distance | None:
    """How far a policy is from an equilibrium; None in environments whose referee cannot tell.

    Args:
        card: of the environment.
        make_policy: the player.

    Raises:
        ValueError: it cannot be told for this policy, or with these options, and why.
    """
    if companion_class(world_class(card.world), Referee).distance is Referee.distance:
        return None  # before worlds and policies are made, which may take long
    world = make_world(card.world, **card.options)
    return companion(world, Referee).distance(make_policy(world, 1))


def distance_where(metric: str, card: EnvCard, make_policy: PolicyMaker) -> Distance | None:
    """The same for a track, which has to know it only where it is the score.

    Args:
        metric: of the track.
        card: of the environment.
        make_policy: the player.

    Raises:
        ValueError: it is the score, and cannot be told.
    """
    try:
        found = distance_from_equilibrium(card, make_policy)
    except ValueError:
        if metric == EXPLOITABILITY:
            raise
        return None
    if found is None and metric == EXPLOITABILITY:
        raise ValueError(f"{card.id} has no {EXPLOITABILITY}, expected a game that is small enough to be unfolded")
    return found


def measured(task: Task, metric: str, played: Episodes, distance: Distance | None = None) -> dict:
    """The fields of a `Result` that follow from episodes and distance; verification computes them again.

    Args:
        task: what was played.
        metric: of the track.
        played: all episodes of the task.
        distance: of the policy.

    Raises:
        ValueError: the environment has no such metric, or a score that is not finite.
    """
    played = one_number(task.card, played)
    scores = values_of(metric, played.returns, played.metrics, distance)
    if scores is None or np.ndim(scores) > 1:
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
