"""Which policies are meant: built-in names, run folders, or files, each with the training run that it comes from."""

import hashlib
import json
import warnings
from dataclasses import dataclass, replace
from pathlib import Path

from envsuite.evaluation.frozen import find_frozen
from envsuite.evaluation.runs import RunRecord, find_runs
from envsuite.evaluation.tracks import Task

BUILT_IN = ("random", "expert")


@dataclass(frozen=True)
class PolicySource:
    """One policy to evaluate.

    Attributes:
        method: name of the method that it belongs to.
        spec: what `envsuite.evaluation.rollout.policy_maker` takes.
        digest: SHA-256 (hexadecimal) of the policy's files; the name of a built-in policy.
        env_id: the environment that it is for; None for any.
        train_seed: of the training run; None without one.
        checkpoint: its training steps; None without training, or unknown.
        dataset: id of what was learned from; None for others.
        earlier: policies that a run kept while it played after a dataset, of fewer training steps.
    """

    method: str
    spec: str
    digest: str
    env_id: str | None = None
    train_seed: int | None = None
    checkpoint: int | None = None
    dataset: str | None = None
    earlier: tuple["PolicySource", ...] = ()

    def on(self, task: Task) -> "PolicySource | None":
        """The policy to play a task with; None if the task is not for it.

        Tasks with a dataset are for built-in policies and policy files, and for runs that began with that dataset: of
        these, the last policy that had not played more steps than the task allows. Where policies are chosen among
        given ones, it is the run's last.

        Raises:
            ValueError: all of a run's policies had played more.
        """
        if not task.dataset or self.checkpoint is None:
            return self
        if self.dataset != task.dataset or not (self.earlier or task.choices):
            return None
        if task.choices:
            return self
        fitting = [one for one in (*self.earlier, self) if (one.checkpoint or 0) <= task.training_steps]
        if not fitting:
            raise ValueError(f"{self.spec} kept no policy of at most {task.training_steps} steps, as {task.name} has")
        return fitting[-1]

    @property
    def name(self) -> str:
        """What tells it from others of its method: the training seed, or the method."""
        return self.method if self.train_seed is None else str(self.train_seed)


def find_policies(text: str) -> list[PolicySource]:
    """Read one ``--policy`` argument: ``[NAME=]WHAT``.

    Args:
        text: ``random``, ``expert``, a frozen policy's name, a policy file, a run folder, or a folder or glob pattern
            of run folders. The name of the method stands before an equals sign; by default it is the built-in name, the
            algorithm of the frozen policy or the run folders, or the file's name.

    Returns:
        The policies; of run folders those of finished runs, with a warning for each other one.

    Raises:
        ValueError: nothing is found; runs of several algorithms, or two of one environment and training seed.
    """
    method, equals, what = text.partition("=")
    if not equals or "/" in method or "*" in method:
        method, what = "", text
    if what in BUILT_IN:
        return [PolicySource(method or what, what, what)]
    if frozen := find_frozen(what):
        frozen.check()
        algorithm = frozen.name.partition("/")[0]
        digest = policy_digest(frozen.path, frozen.interface_path)
        return [PolicySource(method or algorithm, frozen.name, digest, frozen.env_id, frozen.seed, frozen.steps)]
    path = Path(what)
    if path.is_file() and path.name != "run.json":
        return [_from_file(path, method)]
    try:
        runs = find_runs(what)
    except FileNotFoundError as error:
        raise ValueError(
            f"policy {what!r} is neither one of {sorted(BUILT_IN)} nor a file, a folder or a pattern"
        ) from error
    return _from_runs(runs, what, method)


def policy_digest(path: Path, interface: Path | None = None) -> str:
    """SHA-256 (hexadecimal) over a policy file and the file that says how to play it.

    Args:
        path: the policy file.
        interface: the other; by default the ``.json`` file beside it.
    """
    total, interface = hashlib.sha256(path.read_bytes()), interface or path.with_suffix(".json")
    if interface.is_file():
        total.update(interface.read_bytes())
    return total.hexdigest()


def _from_file(path: Path, method: str) -> PolicySource:
    env_id = None
    if path.with_suffix(".json").is_file():
        try:
            description = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{path.with_suffix('.json')} is not JSON: {error}") from error
        env_id = description.get("env_id") if isinstance(description, dict) else None
    return PolicySource(method or path.stem, str(path.resolve()), policy_digest(path), env_id)


def _from_runs(runs: list[RunRecord], what: str, method: str) -> list[PolicySource]:
    found: dict[tuple[str, str, int], RunRecord] = {}
    for run in runs:
        if run.status != "finished" or run.policy is None:
            warnings.warn(f"{run.path} is left out: status {run.status!r}, policy {run.policy}", stacklevel=3)
            continue
        other = found.setdefault((run.env_id, run.dataset, run.seed), run)
        if other is not run:
            raise ValueError(
                f"two runs have the training seed {run.seed} on {run.env_id}: {other.path} and {run.path}; "
                "seeds stand for independent runs, so name the ones to take"
            )
    if not found:
        raise ValueError(f"policy {what!r} holds no finished run with a policy ({len(runs)} runs in all)")
    algorithms = sorted({run.algorithm for run in found.values()})
    if len(algorithms) > 1:
        raise ValueError(f"policy {what!r} holds runs of several algorithms, {algorithms}: give a --policy for each")
    return [source_of(run, method or algorithms[0]) for run in found.values()]


def source_of(run: RunRecord, method: str) -> PolicySource:
    """The policy of a finished run.

    Raises:
        ValueError: the run has none.
    """
    if run.policy is None:
        raise ValueError(f"{run.path} holds no policy")
    digest = policy_digest(run.policy)
    where = str(run.path.resolve())
    last = PolicySource(method, where, digest, run.env_id, run.seed, run.steps, run.dataset or None)
    earlier = tuple(
        replace(last, spec=str(path.resolve()), digest=policy_digest(path), checkpoint=steps)
        for steps, path in run.earlier.items()
    )
    return replace(last, earlier=earlier)
