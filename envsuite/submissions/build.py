"""Packs evaluations, or run folders, into a submission."""

import dataclasses
import hashlib
import shutil
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import envsuite
from envsuite.agents.onnx.decode import decode
from envsuite.evaluation.executors import ProcessExecutor, SerialExecutor, run_jobs
from envsuite.evaluation.jobs import make_jobs, merge
from envsuite.evaluation.policies import BUILT_IN, find_policies
from envsuite.evaluation.results import Result, read_results, write_results
from envsuite.evaluation.runs import find_runs
from envsuite.evaluation.tracks import Track, load_track
from envsuite.submissions.info import Submission, slug_of, to_toml
from envsuite.submissions.intake import SUMS, list_files, take_in, write_sums
from envsuite.submissions.reported import check_reported

_GIVEN = ("track", "track_version", "method", "suite_version", "train_seeds", "training_steps", "parameters", "schema")
"""Fields that follow from the results and cannot be stated."""


@dataclass(frozen=True)
class Evaluated:
    """Results and the folder that their paths are relative to."""

    folder: Path
    results: list[Result]


def build_submission(
    sources: Sequence[str | Path],
    track: str | Path,
    method: str,
    out: str | Path,
    *,
    meta: dict[str, Any] | None = None,
    workers: int = 1,
    progress: Callable[[str], None] = lambda text: None,
) -> Path:
    """Write a submission and check it at level 0.

    Args:
        sources: folders of evaluations (that of a method, with ``results.jsonl``), or run folders, folders or patterns
            of such, which are evaluated now; or ``"random"`` or ``"expert"``.
        track: name or path.
        method: name of the method.
        out: folder of submissions; the new one is ``<out>/<track>/<date>_<slug>``.
        meta: further fields of `Submission`.
        workers: processes that evaluate.
        progress: called with a text at each step.

    Returns:
        The new folder.

    Raises:
        ValueError: something is missing, inconsistent, or there already.
    """
    loaded = load_track(track)
    meta = dict(meta or {})
    readme = meta.pop("readme", None)
    for name in _GIVEN:
        if name in meta:
            raise ValueError(f"{name} follows from the results and cannot be stated")
    _info(loaded, method, [], meta, ())  # what is wrong there is told before anything is played
    with tempfile.TemporaryDirectory(prefix="envsuite-build-") as place:
        evaluated = _evaluated(sources, loaded, str(track), slug_of(method), Path(place), workers, progress)
        info = _info(loaded, method, evaluated, meta, sources)
        final = Path(out) / loaded.name / info.folder
        if final.exists():
            raise ValueError(f"{final} exists already; give another slug or date")
        final.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".building-", dir=final.parent) as beside:
            folder = Path(beside) / info.folder
            folder.mkdir()
            _pack(folder, info, evaluated, readme)
            with take_in(folder) as intake:
                check_reported(intake, loaded)
            folder.rename(final)
    return final


def read_meta(path: str | Path) -> dict[str, Any]:
    """Read a TOML file of fields for `build_submission`.

    Raises:
        ValueError: it is not TOML, or has a field that a submission has not.
    """
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not TOML: {error}") from error
    known = {one.name for one in dataclasses.fields(Submission)} - set(_GIVEN) | {"readme"}
    for name in table:
        if name not in known:
            raise ValueError(f"{path}: unknown field {name!r}, expected one of {', '.join(sorted(known))}")
    return table


def _evaluated(
    sources: Sequence[str | Path],
    track: Track,
    track_name: str,
    slug: str,
    place: Path,
    workers: int,
    progress: Callable[[str], None],
) -> list[Evaluated]:
    found, texts = [], []
    for source in sources:
        folder = _evaluation_folder(Path(source), slug)
        if folder is None:
            texts.append(str(source))
        else:
            found.append(Evaluated(folder, read_results(folder)))
    if texts:
        policies = [policy for text in texts for policy in find_policies(f"{slug}={text}")]
        jobs = make_jobs(track, track_name, policies)
        progress(f"evaluating {len(jobs)} policies")
        executor = SerialExecutor(place) if workers == 1 else ProcessExecutor(place, workers)
        failed = run_jobs(jobs, executor, place)
        if failed:
            raise ValueError("; ".join(f"{name}: {error}" for name, error in failed.items()))
        found.append(Evaluated(place / slug, merge(jobs, place)[slug]))
    return found


def _evaluation_folder(path: Path, slug: str) -> Path | None:
    """The folder of a method's evaluation; None for something else.

    Raises:
        ValueError: the folder holds evaluations of several methods.
    """
    if (path / "results.jsonl").is_file():
        return path
    methods = [one.parent for one in sorted(path.glob("*/results.jsonl"))] if path.is_dir() else []
    named = [one for one in methods if one.name == slug]
    if len(methods) > 1 and not named:
        raise ValueError(f"{path} holds evaluations of {[one.name for one in methods]}: name one of these folders")
    return (named or methods or [None])[0]


def _info(
    track: Track, method: str, evaluated: list[Evaluated], meta: dict[str, Any], sources: Sequence[str | Path]
) -> Submission:
    results = [result for one in evaluated for result in one.results]
    seeds = sorted({result.train_seed for result in results if result.train_seed is not None})
    steps: dict[str, int] = {}
    for result in results:
        if result.checkpoint is not None:
            steps[result.task] = max(steps.get(result.task, 0), result.checkpoint)
    parameters = 0
    for one in evaluated:
        for result in one.results:
            if result.policy:
                parameters = max(parameters, decode((one.folder / result.policy).read_bytes()).parameters)
    fields: dict[str, Any] = {
        "slug": slug_of(method),
        "date": datetime.now(UTC).date().isoformat(),
        "family": "model-free" if seeds else "scripted",
        "authors": ["anonymous"],
        "hyperparameters": "one set" if seeds else "none",
        **_training(sources),
        **meta,
        "track": track.name,
        "track_version": track.version,
        "method": method,
        "suite_version": envsuite.__version__,
        "train_seeds": seeds,
        "training_steps": {task.name: steps[task.name] for task in track.tasks if task.name in steps},
        "parameters": parameters,
    }
    return Submission.from_toml(to_toml(fields))  # as it will be read, so that it meets the same checks


def _training(sources: Sequence[str | Path]) -> dict[str, Any]:
    """Hours and machines of training, where sources are run folders."""
    hours, machines = 0.0, []
    for source in sources:
        if str(source) in BUILT_IN or _evaluation_folder(Path(source), ""):
            continue
        for run in find_runs(source, status="finished"):
            start, end = run.data.get("started"), run.data.get("ended")
            if isinstance(start, str) and isinstance(end, str):
                hours += (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds() / 3600
            machine = run.data.get("machine")
            if isinstance(machine, dict) and isinstance(machine.get("cpu"), str) and machine["cpu"] not in machines:
                machines.append(machine["cpu"])
    return {"wall_hours": round(hours, 4), "hardware": ", ".join(machines)[:200]} if hours else {}


def _pack(folder: Path, info: Submission, evaluated: list[Evaluated], readme: str | None) -> None:
    results = []
    for one in evaluated:
        for result in one.results:
            name = info.slug if result.train_seed is None else str(result.train_seed)
            actions = policy = None
            if result.actions:
                actions = f"actions/{result.task}-{name}.npz"
                _copy(one.folder / result.actions, folder / actions)
            if result.policy:
                policy = f"policy/{result.task}/{name}.onnx"
                _copy(one.folder / result.policy, folder / policy)
                _copy((one.folder / result.policy).with_suffix(".json"), (folder / policy).with_suffix(".json"))
            results.append(dataclasses.replace(result, actions=actions, policy=policy))
    write_results(folder / "results.jsonl", results)
    (folder / "submission.toml").write_text(info.to_toml(), encoding="utf-8")
    text = readme or f"# {info.method}\n\n{info.summary}\n"
    (folder / "README.md").write_text(text, encoding="utf-8")
    seal(folder)


def seal(folder: str | Path) -> None:
    """Write ``SHA256SUMS`` over all files of a submission."""
    folder = Path(folder)
    names = [name for name, _ in list_files(folder) if name not in (SUMS, "submission.sig")]
    sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
    (folder / SUMS).write_text(write_sums(sums), encoding="utf-8", newline="\n")


def _copy(source: Path, target: Path) -> None:
    if target.exists():
        raise ValueError(f"two results are for {target.parent.name}/{target.name}")
    if not source.is_file():
        raise ValueError(f"{source} is missing, which the results name")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
