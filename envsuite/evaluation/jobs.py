"""Evaluations as jobs: each is known by a digest of all that its result depends on, and writes a file of its own."""

import dataclasses
import hashlib
import json
import os
import re
import secrets
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import envsuite
from envsuite.core.files import write_atomic
from envsuite.evaluation.policies import PolicySource, policy_digest
from envsuite.evaluation.protocol import evaluate_task
from envsuite.evaluation.results import Result, write_results
from envsuite.evaluation.rollout import policy_maker
from envsuite.evaluation.runs import RunRecord
from envsuite.evaluation.tracks import Task, Track, load_track


def derived_seed(*parts: Any) -> int:
    """A seed from names and numbers: the first 63 bits of the SHA-256 of their JSON form.

    It depends on nothing else, so the runs of a sweep have the same seeds for any number of workers and any order:
    ``derived_seed(sweep id, configuration, index)``.

    Args:
        *parts: plain data.
    """
    text = json.dumps(parts, sort_keys=True, allow_nan=False)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


class Work(Protocol):
    """A job of any kind: known by a key, done once, with a result in a place of its own."""

    @property
    def key(self) -> str:
        """Of all that the result depends on."""
        ...

    @property
    def name(self) -> str:
        """For people."""
        ...

    @property
    def label(self) -> str:
        """For people, where jobs of several groups are told of."""
        ...

    def done(self, folder: Path) -> bool:
        """Whether the whole result is there."""
        ...

    def run(self, folder: Path) -> None:
        """Do it; doing it twice, even at the same time, leaves one result."""
        ...


@dataclass(frozen=True)
class Job:
    """One policy on one task.

    Attributes:
        track: name or absolute path of the track.
        track_digest: of its content.
        task: name of the task.
        method: see `PolicySource`, as are the next four.
        policy: see `PolicySource.spec`.
        policy_digest: see `PolicySource.digest`.
        train_seed: see `PolicySource`.
        checkpoint: see `PolicySource`.
        first_seed: of the episodes.
        episodes: how many.
        suite_version: of envsuite.
    """

    track: str
    track_digest: str
    task: str
    method: str
    policy: str
    policy_digest: str
    train_seed: int | None
    checkpoint: int | None
    first_seed: int
    episodes: int
    suite_version: str

    def __post_init__(self):
        if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", self.method):
            raise ValueError(
                f"the method's name is {self.method!r}, expected letters, digits and _ . - (--policy NAME=...)"
            )

    @property
    def key(self) -> str:
        """SHA-256 (hexadecimal) of all that the result depends on, and not of where files lie."""
        parts = dataclasses.asdict(self)
        del parts["track"], parts["policy"]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def name(self) -> str:
        """For people and for file names."""
        return f"{self.task}-{self.method if self.train_seed is None else self.train_seed}"

    def shard(self, folder: Path) -> Path:
        """The folder of everything that comes out of the job; ``result.json`` is written last."""
        return folder / self.method / "shards" / self.key

    def done(self, folder: Path) -> bool:
        """Whether all that comes out of the job is in its shard."""
        return (self.shard(folder) / "result.json").is_file()

    @property
    def label(self) -> str:
        """The name with its method."""
        return f"{self.method}/{self.name}"

    def run(self, folder: Path) -> None:
        """Play the task's episodes, and leave the result in a file of its own.

        The shard's result is renamed into place last, so that it exists exactly when everything it refers to does.

        Args:
            folder: of the evaluation.

        Raises:
            ValueError: the track, the policy or envsuite is not what it was when the job was made, or does not fit.
        """
        if self.suite_version != envsuite.__version__:
            raise ValueError(f"{self.name} was made for envsuite {self.suite_version}, this is {envsuite.__version__}")
        track = load_track(self.track)
        if track.digest != self.track_digest:
            raise ValueError(f"the track {self.track} has changed since {self.name} was made")
        file = _policy_file(self)
        if file and policy_digest(file) != self.policy_digest:
            raise ValueError(f"the policy {file} has changed since {self.name} was made")
        shard = self.shard(folder)
        shard.mkdir(parents=True, exist_ok=True)
        result, log = evaluate_task(
            track.task(self.task),
            policy_maker(self.policy),
            metric=track.metric,
            deterministic=track.deterministic,
            train_seed=self.train_seed,
            checkpoint=self.checkpoint,
        )
        log.save(shard / "actions.npz")
        result = dataclasses.replace(result, actions=f"actions/{self.name}.npz")
        if file and file.suffix == ".onnx":
            content = file.read_bytes()
            write_atomic(shard / "policy.onnx", content)
            if file.with_suffix(".json").is_file():
                write_atomic(shard / "policy.json", file.with_suffix(".json").read_bytes())
            place = f"policy/{self.task}/{self.method if self.train_seed is None else self.train_seed}.onnx"
            result = dataclasses.replace(result, policy=place, policy_sha256=hashlib.sha256(content).hexdigest())
        write_atomic(shard / "result.json", result.to_json() + "\n")


def make_jobs(track: Track, name_or_path: str, policies: Iterable[PolicySource]) -> list[Job]:
    """The jobs of an evaluation, in the order of methods, tasks and training seeds.

    Args:
        track: what to evaluate on.
        name_or_path: where it came from.
        policies: what to evaluate; each on the tasks that it is for. A method's policies of other ids that a task takes
            play it only where the method has none of the task's own id.

    Raises:
        ValueError: a policy is for no task of the track, or two have the same name on one task.
    """
    where = str(Path(name_or_path).resolve()) if name_or_path.endswith(".toml") else name_or_path
    jobs: dict[tuple[str, str], Job] = {}
    policies = list(policies)
    ours = {(policy.method, policy.env_id) for policy in policies}
    for policy in policies:
        fitting = [task for task in track.tasks if policy.env_id in (None, *track.takes(task))]
        if not fitting:
            raise ValueError(f"{policy.spec} is for {policy.env_id}, which is not in the track {track.name}")
        fitting = [
            task for task in fitting if policy.env_id in (None, task.env_id) or (policy.method, task.env_id) not in ours
        ]
        chosen = [(task, one) for task in fitting if (one := policy.on(task))]
        if not fitting:
            warnings.warn(
                f"{policy.spec} is left out: {policy.method} has policies of the tasks' own ids", stacklevel=2
            )
        elif not chosen:
            wanted = sorted({task.dataset for task in fitting})
            kept = "kept no policies while it played" if policy.dataset in wanted else f"began with {policy.dataset}"
            expected = f"expected a run that began with {' or '.join(wanted)} and kept such policies"
            raise ValueError(f"{policy.spec} {kept}, {expected}")
        for task, one in chosen:
            job = _job(track, where, task, one)
            other = jobs.setdefault((job.method, job.name), job)
            if other is not job:
                raise ValueError(
                    f"{other.policy} and {job.policy} are both {job.name} of {job.method}: name them apart"
                )
    order = {task.name: k for k, task in enumerate(track.tasks)}
    methods = list(dict.fromkeys(job.method for job in jobs.values()))
    return sorted(
        jobs.values(), key=lambda job: (methods.index(job.method), order[job.task], job.train_seed or 0, job.name)
    )


def _job(track: Track, where: str, task: Task, policy: PolicySource) -> Job:
    return Job(
        track=where,
        track_digest=track.digest,
        task=task.name,
        method=policy.method,
        policy=policy.spec,
        policy_digest=policy.digest,
        train_seed=policy.train_seed,
        checkpoint=policy.checkpoint,
        first_seed=task.first_seed,
        episodes=task.episodes,
        suite_version=envsuite.__version__,
    )


def run_job(job: Work, folder: str | Path) -> str:
    """Do a job, unless it is done already; what executors call, in whatever process.

    Args:
        job: what to do.
        folder: where its result goes.

    Returns:
        The job's key.

    Raises:
        ValueError: the job is not what it was when it was made, or does not fit.
    """
    if not job.done(Path(folder)):
        job.run(Path(folder))
    return job.key


def merge(jobs: Iterable[Job], folder: str | Path) -> dict[str, list[Result]]:
    """Put the shards of every method whose jobs are all done together: one line of results a job, each job once.

    ``results.jsonl`` is written last; action logs and policies, which it names, are links to the shards where the file
    system has links, copies elsewhere.

    Args:
        jobs: all of the evaluation, in order.
        folder: of the evaluation.

    Returns:
        Results by method; methods that are not complete are left out.
    """
    folder = Path(folder)
    methods: dict[str, list[Job]] = {}
    for job in jobs:
        methods.setdefault(job.method, []).append(job)
    found = {}
    for method, parts in methods.items():
        if all(job.done(folder) for job in parts):
            found[method] = [_collect(job, folder) for job in parts]
            write_results(folder / method / "results.jsonl", found[method])
    return found


def _collect(job: Job, folder: Path) -> Result:
    """Read a job's result, and bring its files to where the result says that they are."""
    shard, home = job.shard(folder), folder / job.method
    result = Result.from_json((shard / "result.json").read_text(encoding="utf-8"), job.name)
    if result.actions:
        _link(shard / "actions.npz", home / result.actions)
    if result.policy:
        _link(shard / "policy.onnx", home / result.policy)
        if (shard / "policy.json").is_file():
            _link(shard / "policy.json", (home / result.policy).with_suffix(".json"))
    return result


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_file() and target.samefile(source):
        return
    partial = target.with_name(f"{target.name}.{secrets.token_hex(4)}.partial")
    try:
        os.link(source, partial)
    except OSError:
        write_atomic(target, source.read_bytes())
    else:
        os.replace(partial, target)


def _policy_file(job: Job) -> Path | None:
    path = Path(job.policy)
    if path.is_dir():
        return RunRecord.load(path).policy
    return path if path.is_file() else None
