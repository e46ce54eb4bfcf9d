"""Level 2: the policy itself plays the recorded episodes again, and then episodes with hidden seeds."""

import dataclasses
import math
import time
from typing import Any

import numpy as np

from envsuite.agents.distance import EXPLOITABILITY, Distance
from envsuite.agents.onnx import Interface
from envsuite.agents.policy import Policy
from envsuite.core.world import World
from envsuite.evaluation.protocol import distance_where, measured
from envsuite.evaluation.results import values_of
from envsuite.evaluation.rollout import Episodes, PolicyMaker, play, policy_maker
from envsuite.evaluation.tracks import Track
from envsuite.submissions.record import HiddenScore, RunScore
from envsuite.submissions.refusal import RefusedError
from envsuite.submissions.reported import Reported, Run, load_log, standard_error
from envsuite.submissions.sandbox import Network, Sandbox, SandboxPolicy

_ROUNDING = 1e-9  # between two machines' sums


def interface(run: Run) -> Interface:
    """What a run's policy file says of it.

    Raises:
        ValueError: it is not the description of a policy.
    """
    assert run.policy is not None
    return Interface.from_json(run.policy.with_suffix(".json").read_text(encoding="utf-8"))


def load_policy(run: Run, track: Track, sandbox: Sandbox) -> Network:
    """Load a run's network into a sandbox.

    Raises:
        RefusedError: it is not allowed, for another environment, or random where the results say deterministic.
    """
    assert run.policy is not None
    where = f"{run.result.policy}"
    try:
        described = interface(run)
        if described.env_id not in track.takes(run.task):
            raise ValueError(f"it is for {described.env_id!r:.80}, the task is on {' or '.join(track.takes(run.task))}")
        if described.random and run.result.deterministic:
            raise ValueError("it draws random numbers, but the track's policies act deterministically")
        return sandbox.load(run.policy.read_bytes(), described.to_json())
    except RefusedError as error:
        raise RefusedError(error.kind, f"{where}: {error.reason}") from error
    except ValueError as error:
        raise RefusedError("policy", f"{where}: {error}") from error


def player(run: Run, reported: Reported, sandbox: Sandbox | None) -> PolicyMaker:
    """How to make players of a run's policy.

    Args:
        run: with a policy, or of the registry's own.
        reported: its submission.
        sandbox: for a network, which is loaded into it.

    Raises:
        RefusedError: see `load_policy`.
    """
    if reported.built_in:
        return policy_maker(reported.built_in)
    assert sandbox is not None
    load_policy(run, reported.track, sandbox)
    return in_sandbox(sandbox)


def make_log(run: Run, maker: PolicyMaker, num_threads: int = 1) -> bytes:
    """Put the action log of a run in its place, as the policy plays the public seeds now.

    Args:
        run: whose `Run.log` names the place.
        maker: of its player.
        num_threads: threads that step the simulator.

    Returns:
        The file's content: that of the recorded log where policy, simulator and compression are as they were.

    Raises:
        RefusedError: the policy fails.
    """
    assert run.log is not None
    where = f"{run.task.name}, train seed {run.result.train_seed}"
    log = _played(run, maker, where, first_seed=run.task.first_seed, num_threads=num_threads, record=True).log
    assert log is not None
    log.save(run.log)
    return run.log.read_bytes()


def in_sandbox(sandbox: Sandbox) -> PolicyMaker:
    """How to make players of the network that was loaded last."""

    def maker(world: World, slots: int) -> Policy:
        return SandboxPolicy(sandbox, world, slots)

    return maker


def check_rerun(run: Run, track: Track, maker: PolicyMaker, seeds: np.ndarray, num_threads: int = 1) -> RunScore:
    """Check a run at level 2.

    Args:
        run: one that passed level 1, with its score in `Run.score`.
        track: that it is for.
        maker: of its player.
        seeds: (episodes,) hidden seeds.
        num_threads: threads that step the simulator.

    Returns:
        Its score, now at level 2.

    Raises:
        RefusedError: the policy fails, or does not play what was recorded.
    """
    started = time.perf_counter()
    where = f"{run.task.name}, train seed {run.result.train_seed}"
    _check_actions(run, maker, where, num_threads)
    played = _played(run, maker, where, seeds=seeds.tolist(), num_threads=num_threads)
    found = measured(run.task, track.metric, played, run.score.distance)
    values = values_of(track.metric, found["returns"], found["metrics"], run.score.distance)
    error = standard_error([float(value) for value in values])
    hidden = HiddenScore(
        episodes=run.task.episodes,
        score=found["score"],
        standard_error=error,
        normalised=found["normalised"],
        z=z_score(run.score.score, run.score.standard_error, found["score"], error),
        seconds=time.perf_counter() - started,
    )
    return dataclasses.replace(run.score, level=2, hidden=hidden)


def z_score(score: float, error: float, other: float, other_error: float) -> float:
    """(score - other) / root of the sum of squared standard errors.

    0 where the scores are equal; 1e9 with the sign of their difference where they differ without any error.
    """
    spread = math.hypot(error, other_error)
    if score == other:
        return 0.0
    return (score - other) / spread if spread > 0 else math.copysign(1e9, score - other)


def check_distance(run: Run, track: Track, maker: PolicyMaker) -> RunScore:
    """Compute a policy's distance from an equilibrium anew.

    Args:
        run: one that passed level 0.
        track: that it is for.
        maker: of its player.

    Returns:
        Its score with the distance as computed, which is also the score where the track says so.

    Raises:
        RefusedError: the submitted distance is another one, or the distance is the score and cannot be told.
    """
    where = f"{run.task.name}, train seed {run.result.train_seed}"
    try:
        found = distance_where(track.metric, run.task.card, maker)
    except ValueError as error:
        raise RefusedError("policy", f"{where}: {error}") from error
    if run.result.distance is not None:
        _compare(run.result.distance, found, where)
    score = dataclasses.replace(run.score, distance=found)
    if track.metric != EXPLOITABILITY or found is None:
        return score
    normalised = float(run.task.normalise(found.exploitability))
    return dataclasses.replace(score, score=found.exploitability, normalised=normalised)


def _compare(claimed: Distance, found: Distance | None, where: str) -> None:
    """Two distances are those of the same policy, up to rounding."""
    if found is None:
        raise RefusedError("arithmetic", f"{where}: distance is {claimed}, the policy has none that can be told")
    for name, theirs in dataclasses.asdict(claimed).items():
        ours = getattr(found, name)
        if not abs(theirs - ours) <= _ROUNDING * max(1.0, abs(ours)):
            raise RefusedError("arithmetic", f"{where}: distance.{name} is {theirs}, the policy gives {ours}")


def _check_actions(run: Run, maker: PolicyMaker, where: str, num_threads: int) -> None:
    """The policy plays the public seeds as recorded, action for action: the runner gives the same bits everywhere."""
    if run.log is None:
        return
    log = load_log(run.log)
    task = run.task
    mine = _played(run, maker, where, first_seed=task.first_seed, num_threads=num_threads, record=True).log
    assert mine is not None
    for k in range(task.episodes):
        theirs = log.actions[log.offsets[k] : log.offsets[k + 1]]
        own = mine.actions[mine.offsets[k] : mine.offsets[k + 1]]
        steps = min(len(theirs), len(own))
        differs = (theirs[:steps] != own[:steps]).reshape(steps, -1).any(axis=1)
        if differs.any() or len(theirs) != len(own):
            step = int(np.argmax(differs)) if differs.any() else steps
            raise RefusedError(
                "policy",
                f"{where}: episode {k} (seed {log.seeds[k]}), step {step}: the policy acts otherwise than recorded",
            )


def _played(run: Run, maker: PolicyMaker, where: str, **settings: Any) -> Episodes:
    try:
        return play(run.task.card, maker, run.task.episodes, others=run.task.others, **settings)
    except RefusedError as error:
        raise RefusedError(error.kind, f"{where}: {error.reason}") from error
    except (ValueError, TypeError) as error:  # actions that the environment refuses
        raise RefusedError("output", f"{where}: {error}") from error
