"""Level 0: what a submission says is complete, consistent and possible, and its aggregates follow from its episodes."""

import hashlib
import math
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from envsuite.evaluation.episodes import INTERVAL, EpisodeLog
from envsuite.evaluation.policies import BUILT_IN
from envsuite.evaluation.records import plain
from envsuite.evaluation.results import Result, read_results
from envsuite.evaluation.rollout import EVALUATION_SEED
from envsuite.evaluation.tracks import Task, Track, load_track
from envsuite.submissions.info import Submission
from envsuite.submissions.intake import SUMS, Intake
from envsuite.submissions.memory import limited
from envsuite.submissions.record import RunScore
from envsuite.submissions.refusal import RefusedError

_LOG_BYTES = 1 << 28  # unpacked size of an action log, and below of all
_ALL_LOG_BYTES = 1 << 32
_ROUNDING = 1e-9  # relative, between two ways to add up


@dataclass(frozen=True)
class Run:
    """One line of results with what belongs to it.

    Attributes:
        task: of the track.
        result: as submitted.
        log: path of the recorded episodes in the private copy, where they are put if the policy has to make them
            again; None without.
        policy: path of the ONNX file in the private copy; None without.
        score: recomputed.
    """

    task: Task
    result: Result
    log: Path | None
    policy: Path | None
    score: RunScore


@dataclass(frozen=True)
class Reported:
    """A submission that passed level 0, its runs in the order of tasks and training seeds.

    Attributes:
        intake: its files.
        info: what it says of itself.
        track: what it is for.
        runs: one for each task and training seed.
        alike: see `check_logs`.
    """

    intake: Intake
    info: Submission
    track: Track
    runs: list[Run]
    alike: list[str]

    @property
    def built_in(self) -> str:
        """Name of the registry's own policy that it was played by; empty for any other."""
        own = any(run.policy for run in self.runs) or self.info.train_seeds
        return self.info.method if not own and self.info.method in BUILT_IN else ""


def check_reported(intake: Intake, track: Track | None = None) -> Reported:
    """Check a submission at level 0.

    Args:
        intake: its files.
        track: what it must be for; by default the track that it names.

    Raises:
        RefusedError: what is wrong with it.
    """
    try:
        info = Submission.from_toml((intake.root / "submission.toml").read_text(encoding="utf-8"))
        track = track or load_track(info.track, info.track_version)
    except ValueError as error:
        raise RefusedError("schema", str(error)) from error
    _check_info(info, track, intake.name)
    for task in track.tasks:
        _ = task.card  # loads libraries, which the limit of memory is not for
    with limited():
        return _reported(intake, info, track)


def _reported(intake: Intake, info: Submission, track: Track) -> Reported:
    try:
        results = read_results(intake.root / "results.jsonl")
    except ValueError as error:
        raise RefusedError("schema", str(error)) from error
    tasks = {task.name: k for k, task in enumerate(track.tasks)}
    for result in results:
        if result.task not in tasks:
            raise RefusedError("schema", f"results.jsonl: the track {track.name} has no task {result.task!r:.60}")
    _check_runs(info, track, results)
    ordered = sorted(results, key=lambda result: (tasks[result.task], result.train_seed or 0))
    runs = [_check_run(intake, track, result) for result in ordered]
    _check_files(intake, runs)
    reported = Reported(intake, info, track, runs, check_logs(runs))
    for run in runs:
        if run.result.actions in intake.absent and not (run.policy or reported.built_in):
            raise RefusedError(
                "files", f"{run.result.actions} is in {SUMS} and missing, and no policy can make it again"
            )
    return reported


def _check_info(info: Submission, track: Track, folder: str) -> None:
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()  # where it is already another day
    if info.date > tomorrow:
        raise RefusedError("plausibility", f"date is {info.date}, which is yet to come")
    for name, found, wanted in (
        ("track", info.track, track.name),
        ("track_version", info.track_version, track.version),
        ("folder", folder, info.folder),
    ):
        if found != wanted:
            raise RefusedError("schema", f"{name} is {found!r:.80}, expected {wanted!r}")
    if info.statements.evaluation_seeds_in_training or info.statements.multiple_attempts:
        raise RefusedError("plausibility", "by its own statement it used evaluation seeds or repeated episodes")
    if not info.train_seeds and info.family not in ("scripted", "planning", "language-model", "other"):
        raise RefusedError("plausibility", f"train_seeds are missing: a {info.family} method has training runs")
    for seed in info.train_seeds:
        if not 0 <= seed < EVALUATION_SEED:
            raise RefusedError("plausibility", f"train seed {seed}: seeds from {EVALUATION_SEED} on are for evaluation")


def _check_runs(info: Submission, track: Track, results: list[Result]) -> None:
    """Every task of the track has one line for each training seed, or one line in all without training."""
    wanted = Counter(info.train_seeds or [None])
    for task in track.tasks:
        found = Counter(result.train_seed for result in results if result.task == task.name)
        for seed, count in found.items():
            if count > 1:
                raise RefusedError(
                    "duplicate",
                    f"{task.name}: {count} lines have the train seed {seed}; a run is one training, not one episode",
                )
        if found != wanted:
            odd = sorted((wanted - found) + (found - wanted), key=str)
            raise RefusedError("schema", f"{task.name}: train seeds differ from train_seeds by {odd[:5]}")
    trained: dict[str, int] = {}
    for result in results:
        if result.checkpoint is not None:
            trained[result.task] = max(trained.get(result.task, 0), result.checkpoint)
    if trained != info.training_steps:
        raise RefusedError("arithmetic", f"training_steps are {info.training_steps}, the results have {trained}")


def _check_run(intake: Intake, track: Track, result: Result) -> Run:
    task = track.task(result.task)
    where = f"{result.task}, train seed {result.train_seed}"
    _check_protocol(task, track, result, where)
    score = _recomputed(task, track, result, where)
    log = policy = None
    if result.actions is not None:
        if result.actions not in intake.sums or not result.actions.endswith(".npz"):
            raise RefusedError("schema", f"{where}: actions is {result.actions!r:.80}, no file of the submission")
        log = intake.root / result.actions
    if result.policy is not None:
        if result.policy not in intake.sums or not result.policy.endswith(".onnx"):
            raise RefusedError(
                "schema", f"{where}: policy is {result.policy!r:.80}, which is no file of the submission"
            )
        if intake.sums[result.policy] != result.policy_sha256:
            raise RefusedError("arithmetic", f"{where}: policy_sha256 is not that of {result.policy}")
        if task.choices and result.policy_sha256 not in task.choices:
            raise RefusedError("policy", f"{where}: {result.policy} is none of the {len(task.choices)} to choose from")
        policy = intake.root / result.policy
    elif task.choices:
        raise RefusedError("policy", f"{where}: no policy, expected one of the {len(task.choices)} to choose from")
    elif result.policy_sha256 is not None:
        raise RefusedError("schema", f"{where}: policy_sha256 without a policy")
    return Run(task, result, log, policy, score)


def _check_protocol(task: Task, track: Track, result: Result, where: str) -> None:
    """What the track prescribes, and what the environment permits."""
    for name, wanted in (
        ("env_id", task.env_id),
        ("options", task.options),
        ("behaviour", task.behaviour),
        ("episodes", task.episodes),
        ("first_seed", task.first_seed),
        ("deterministic", track.deterministic),
    ):
        if (found := getattr(result, name)) != wanted:
            raise RefusedError("schema", f"{where}: {name} is {found!r:.80}, expected {wanted!r}")
    if (result.checkpoint is None) != (result.train_seed is None):
        raise RefusedError("schema", f"{where}: checkpoint is {result.checkpoint}, expected steps exactly with a seed")
    least = 0 if task.dataset else 1  # what was learned from a dataset takes no steps
    if result.checkpoint is not None and not least <= result.checkpoint <= task.training_steps:
        raise RefusedError(
            "plausibility", f"{where}: checkpoint is {result.checkpoint}, the track allows {task.training_steps} steps"
        )
    horizon, early = task.card.horizon, "varying limit" in task.card.tags
    assert horizon is not None
    low, high = task.return_bounds
    for k, (value, length, ended) in enumerate(zip(result.returns, result.lengths, result.terminated, strict=True)):
        if not (math.isfinite(value) and low <= value <= high):
            raise RefusedError("plausibility", f"{where}, episode {k}: return {value}, possible are {low} to {high}")
        if not 1 <= length <= horizon or (not ended and length != horizon and not early):
            raise RefusedError(
                "plausibility", f"{where}, episode {k}: {length} steps, {'' if ended else 'not '}terminated"
            )
    if not 0 <= result.wall_seconds < 1e9:
        raise RefusedError("plausibility", f"{where}: wall_seconds is {result.wall_seconds}")


def _recomputed(task: Task, track: Track, result: Result, where: str) -> RunScore:
    """Aggregates from the values of episodes; submitted ones that differ are refused."""
    values = result.values(track.metric)
    if values is None or any(value is None or not math.isfinite(value) for value in values):
        raise RefusedError("schema", f"{where}: the metric {track.metric!r} is missing or not finite")
    numbers = [float(value) for value in values if value is not None]
    count = result.episodes
    score, mean_return = math.fsum(numbers) / len(numbers), math.fsum(result.returns) / count
    normalised = float(task.normalise(score))
    scale = max(1.0, *(abs(value) for value in numbers), *(abs(value) for value in result.returns))
    for name, wanted in (("score", score), ("mean_return", mean_return), ("normalised", normalised)):
        if not abs(getattr(result, name) - wanted) <= _ROUNDING * scale:
            raise RefusedError("arithmetic", f"{where}: {name} is {getattr(result, name)}, its parts give {wanted}")
    return RunScore(
        task=task.name,
        train_seed=result.train_seed,
        checkpoint=result.checkpoint,
        level=0,
        episodes=count,
        mean_return=mean_return,
        mean_length=sum(result.lengths) / count,
        score=score,
        standard_error=standard_error(numbers),
        normalised=normalised,
        actions=result.actions,
        policy=result.policy,
        policy_sha256=result.policy_sha256,
    )


def standard_error(values: list[float]) -> float:
    """Standard error of a mean; 0 for a single value."""
    count = len(values)
    if count < 2:
        return 0.0
    mean = math.fsum(values) / count
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (count - 1) / count)


def load_log(path: Path) -> EpisodeLog:
    """Read an action log.

    Raises:
        RefusedError: it is none, or too large.
    """
    try:
        with limited():
            return EpisodeLog.load(path, max_bytes=_LOG_BYTES)
    except RefusedError:
        raise
    except ValueError as error:
        raise RefusedError("schema", str(error).replace(str(path), f"actions/{path.name}")) from error


def _check_log(task: Task, result: Result, log: EpisodeLog, where: str) -> None:
    """The log is that of the line of results."""
    card = task.card
    seeds = np.arange(task.episodes) + task.first_seed
    for name, same in (
        ("env_id", log.env_id == card.id),
        ("options", log.options == plain(card.options)),
        ("behaviour", log.behaviour == card.behaviour),
        ("seeds", np.array_equal(log.seeds, seeds)),
        ("lengths", log.lengths.tolist() == result.lengths),
        ("terminated", log.terminated.tolist() == result.terminated),
    ):
        if not same:
            raise RefusedError("schema", f"{where}: the {name} of {result.actions} are not those of the results")
    if log.interval != INTERVAL:
        raise RefusedError(
            "schema", f"{where}: {result.actions} has a digest every {log.interval} steps, expected {INTERVAL}"
        )


def _check_files(intake: Intake, runs: list[Run]) -> None:
    """Every file is used, once."""
    used = Counter(path for run in runs for path in (run.result.actions, run.result.policy) if path)
    for path, count in used.items():
        if count > 1:
            raise RefusedError("duplicate", f"{path} is used by {count} lines of results")
    policies = {path.removesuffix(".onnx") + ".json" for path in used if path.endswith(".onnx")}
    for path in intake.sums:
        if path.startswith(("actions/", "policy/")) and path not in used and path not in policies:
            raise RefusedError("files", f"{path} belongs to no line of results")
    for path in sorted(policies):
        if path not in intake.sums:
            raise RefusedError("files", f"{path} is missing, which says how to play the policy")


def check_logs(runs: list[Run]) -> list[str]:
    """Logs are those of their lines, and different training runs do not have the same policy or the same actions.

    Two trainings never come to the same numbers; they may come to the same choices, where one way is best.

    Args:
        runs: of one submission; logs that are absent are left out.

    Returns:
        Which runs made the same choices as an earlier one.

    Raises:
        RefusedError: what is wrong with them.
    """
    seen: dict[tuple[str, str, str], int | None] = {}
    alike, total = [], 0
    for run in runs:
        marks, chosen = [("policy", run.result.policy_sha256)], False
        if run.log is not None and run.log.is_file():
            log = load_log(run.log)
            total += log.actions.nbytes + log.rewards.nbytes
            if total > _ALL_LOG_BYTES:
                raise RefusedError("files", f"the action logs unpack to more than {_ALL_LOG_BYTES} bytes")
            _check_log(run.task, run.result, log, f"{run.task.name}, train seed {run.result.train_seed}")
            marks.append(("actions", hashlib.sha256(np.ascontiguousarray(log.actions).tobytes()).hexdigest()))
            chosen = log.actions.dtype.kind != "f"
        for what, mark in marks:
            if mark is None or run.task.choices:  # several runs may choose the same
                continue
            key = (run.task.name, what, mark)
            if key not in seen:
                seen[key] = run.result.train_seed
                continue
            pair = f"{run.task.name}: the runs with train seeds {seen[key]} and {run.result.train_seed}"
            if what == "policy" or not chosen:
                raise RefusedError("duplicate", f"{pair} have the same {what}; they are one run given twice")
            alike.append(pair)
    return alike
