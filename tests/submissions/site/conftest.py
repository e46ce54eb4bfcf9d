"""A leaderboard with a few verified submissions, one of them with hostile texts that slipped through."""

import dataclasses
import hashlib
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")
pytest.importorskip("msgspec")

from envsuite.evaluation.protocol import evaluate_task
from envsuite.evaluation.rollout import policy_maker
from envsuite.evaluation.tracks import Track, load_track
from envsuite.submissions.build import seal
from envsuite.submissions.info import Submission
from envsuite.submissions.record import HiddenScore, RunScore, Verification, load_all
from envsuite.submissions.site import build

HOSTILE = "<script>window.injected=1</script>\"'><img src=x onerror=window.injected=1>{{7*7}}"


def hostile(submission: Submission) -> Submission:
    """Texts that a submission's own checks refuse, for the pages' own defence."""
    for name in ("method", "summary", "hardware", "licence", "contact", "pretraining_data"):
        object.__setattr__(submission, name, HOSTILE)
    object.__setattr__(submission, "authors", [HOSTILE])
    object.__setattr__(submission, "paper", 'https://example.org/?a="><script>window.injected=1</script>')
    return submission


def submission(track: Track, method: str, slug: str, *, seeds: int, family: str = "model-free") -> Submission:
    return Submission(
        track=track.name,
        track_version=track.version,
        method=method,
        slug=slug,
        date="2026-11-02",
        family=family,
        authors=["A. Author"],
        suite_version="0.1",
        train_seeds=list(range(seeds)),
        training_steps={task.name: 1_000_000 for task in track.tasks} if seeds else {},
        wall_hours=0.5 if seeds else 0.0,
        open_weights=True,
    )


def verification(track: Track, info: Submission, level: int, center: float, logged: dict[str, str]) -> Verification:
    generator = np.random.default_rng(len(info.method))
    runs = []
    for task in track.tasks:
        for seed in info.train_seeds or [None]:
            normalised = center + 0.05 * generator.standard_normal()
            score = task.low.mean + normalised * (task.high.mean - task.low.mean)
            spread = task.high.mean - task.low.mean
            hidden = HiddenScore(100, score, 0.01 * spread, normalised, 0.3, 1.0) if level >= 2 else None
            path = logged.get(task.name)
            runs.append(
                RunScore(
                    task.name,
                    seed,
                    1_000_000,
                    level,
                    100,
                    score,
                    100.0,
                    score,
                    0.01 * spread,
                    normalised,
                    hidden,
                    500,
                    path,
                )
            )
    return Verification(
        track.name,
        track.version,
        track.digest,
        track.metric,
        track.direction,
        info.folder,
        "",
        info,
        level,
        "" if level >= 2 else "no policy was submitted",
        runs,
        "onnx" if level >= 2 else "",
        verified="2026-11-03T10:00:00+00:00",
    )


@pytest.fixture(scope="session")
def track() -> Track:
    found = load_track("quadcopters")
    return dataclasses.replace(found, tasks=found.tasks[:2])


@pytest.fixture(scope="session")
def leaderboard(track: Track, tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("leaderboard")
    cases = [
        (submission(track, "Expert", "expert", seeds=0, family="scripted"), 2, 1.0),
        (submission(track, "Good", "good", seeds=6), 2, 0.9),
        (submission(track, "Better", "better", seeds=6), 1, 0.95),
        (submission(track, "Boaster", "boaster", seeds=6), 0, 3.0),
        (submission(track, "Harmless", "harmless", seeds=6, family="other"), 2, 0.1),
    ]
    for info, level, center in cases:
        folder = root / "submissions" / track.name / info.folder
        (folder / "actions").mkdir(parents=True)
        (folder / "submission.toml").write_text(info.to_toml())
        (folder / "results.jsonl").write_text("{}\n")
        (folder / "README.md").write_text("No words.\n")
        logged = {}
        for task in track.tasks if info.slug in ("expert", "harmless") else ():
            short = dataclasses.replace(task, episodes=3)
            _, log = evaluate_task(short, policy_maker("expert" if info.slug == "expert" else "random"))
            logged[task.name] = f"actions/{task.name}.npz"
            log.save(folder / logged[task.name])
        seal(folder)
        found = verification(track, info, level, center, logged)
        digest = hashlib.sha256((folder / "SHA256SUMS").read_bytes()).hexdigest()
        dataclasses.replace(found, digest=digest).save(root)
    return root


@pytest.fixture(scope="session")
def site(leaderboard: Path, track: Track, tmp_path_factory) -> Path:
    records = load_all(leaderboard)
    for record in records:
        if record.info.slug == "harmless":
            object.__setattr__(record, "flags", [HOSTILE])
            hostile(record.info)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("envsuite.submissions.site.writer.load_all", lambda folder: records)
        return build(leaderboard, tmp_path_factory.mktemp("public") / "site", [track]).parent
