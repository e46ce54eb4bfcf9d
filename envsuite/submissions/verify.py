"""Verifies submissions, level by level."""

import contextlib
import dataclasses
import hashlib
import json
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

import envsuite
from envsuite.agents.distance import EXPLOITABILITY
from envsuite.evaluation.tracks import Track, load_track
from envsuite.submissions.intake import SUMS, Intake, take_in
from envsuite.submissions.ledger import enter
from envsuite.submissions.names import alike, spelling
from envsuite.submissions.record import RunScore, Verification, load_all, z_limit
from envsuite.submissions.refusal import RefusedError
from envsuite.submissions.replayed import check_replayed
from envsuite.submissions.reported import Reported, check_logs, check_reported
from envsuite.submissions.rerun import check_distance, check_rerun, load_policy, make_log, player
from envsuite.submissions.sandbox import Sandbox
from envsuite.submissions.season import Season, hidden_seeds
from envsuite.submissions.signatures import check_signature


@dataclasses.dataclass(frozen=True)
class Settings:
    """How to verify.

    Attributes:
        leaderboard: folder with ``keys``, ``seasons`` and ``verified``.
        level: highest level to try, 0 to 2.
        season: whose hidden seeds are used; needed for level 2.
        secret: of that season, 64 hexadecimal digits, while it is not published.
        track: what the submission must be for; by default the track that it names.
        num_threads: threads that step the simulator.
        sandbox: makes the process that networks play in.
        progress: called with the number of checks of runs that are done, and that of all.
        now: UTC, decides whether the season is open; the clock's time by default.
    """

    leaderboard: Path = Path("leaderboard")
    level: int = 1
    season: Season | None = None
    secret: str | None = None
    track: Track | None = None
    num_threads: int = 1
    sandbox: Callable[[], AbstractContextManager[Sandbox]] = Sandbox
    progress: Callable[[int, int], None] = lambda done, total: None
    now: datetime | None = None


def verify(folder: str | Path, settings: Settings) -> Verification:
    """Verify a submission; nothing is written but the season's ledger.

    Args:
        folder: of the submission.
        settings: how.

    Raises:
        RefusedError: what is wrong with it.
        ValueError: the settings are incomplete.
    """
    if settings.level not in (0, 1, 2):
        raise ValueError(f"level is {settings.level}, expected 0, 1 or 2; level 3 is `envsuite leaderboard retrain`")
    if settings.level == 2 and settings.season is None:
        raise ValueError("level 2 needs a season")
    with take_in(folder) as intake:
        signed_by = check_signature(intake, settings.leaderboard / "keys")
        reported = check_reported(intake, settings.track)
        return _Verifier(settings, intake, reported, signed_by).result()


class _Verifier:
    """The course of one verification."""

    def __init__(self, settings: Settings, intake: Intake, reported: Reported, signed_by: str):
        self._settings, self._intake, self._reported, self._signed_by = settings, intake, reported, signed_by
        self._runs = reported.runs
        self._built_in = reported.built_in
        self._guards: list[str] = []
        self._other_bytes: list[str] = []
        self._alike = reported.alike
        self._networks = [""] * len(self._runs)
        self._seed_digest, self._entry, self._ledger_line = "", -1, ""
        self._next_level = ""
        self._done, self._total = 0, len(self._runs) * settings.level

    def result(self) -> Verification:
        started = time.perf_counter()
        settings, track, season = self._settings, self._reported.track, self._settings.season
        self._check_look()
        with contextlib.ExitStack() as stack:
            sandbox = None
            if any(run.policy for run in self._runs):
                sandbox = stack.enter_context(settings.sandbox())
                self._guards = sandbox.guards
                self._check_networks(sandbox)
            self._check_distances(sandbox)
            if settings.level >= 1:
                self._make_logs(sandbox)
                self._replay()
            level = min(run.score.level for run in self._runs)
            if settings.level == 2 and level == 1:
                self._rerun(sandbox)
        scores = [
            dataclasses.replace(run.score, network=network or None)
            for run, network in zip(self._runs, self._networks, strict=True)
        ]
        level = min(score.level for score in scores)
        again = level == 2 and season is not None
        return Verification(
            track=track.name,
            track_version=track.version,
            track_digest=track.digest,
            metric=track.metric,
            direction=track.direction,
            folder=self._intake.name,
            digest=self._intake.digest,
            info=self._reported.info,
            level=level,
            next_level=self._next_level,
            runs=scores,
            policies="onnx" if any(run.policy for run in self._runs) else self._built_in if again else "",
            flags=[*self._flags(scores), *self._copies()],
            season=season.name if again else "",
            commitment=season.commitment if again else "",
            seed_digest=self._seed_digest,
            ledger_entry=self._entry,
            ledger_line=self._ledger_line,
            guards=self._guards,
            signed_by=self._signed_by,
            suite_version=envsuite.__version__,
            verified=datetime.now(UTC).isoformat(timespec="seconds"),
            seconds=round(time.perf_counter() - started, 3),
        )

    def _check_networks(self, sandbox: Sandbox) -> None:
        """Every network is allowed, and the largest has as many weights as stated."""
        weights, stated = 0, self._reported.info.parameters
        for k, run in enumerate(self._runs):
            if run.policy:
                network = load_policy(run, self._reported.track, sandbox)
                self._networks[k], weights = network.digest, max(weights, network.parameters)
        if stated != weights:
            raise RefusedError("arithmetic", f"parameters are {stated}, the largest policy has {weights}")

    def _check_distances(self, sandbox: Sandbox | None) -> None:
        """Distances from an equilibrium are those of the policies."""
        for k, run in enumerate(self._runs):
            if run.policy or self._built_in:
                maker = player(run, self._reported, sandbox)
                self._runs[k] = dataclasses.replace(run, score=check_distance(run, self._reported.track, maker))
            elif self._reported.track.metric == EXPLOITABILITY:
                where = f"{run.task.name}, train seed {run.result.train_seed}"
                raise RefusedError("policy", f"{where}: no policy, whose {EXPLOITABILITY} is the score of the track")

    def _make_logs(self, sandbox: Sandbox | None) -> None:
        """Action logs that are not stored are made again by the policies."""
        for run in self._runs:
            if (name := run.result.actions) in self._intake.absent:
                maker = player(run, self._reported, sandbox)
                content = make_log(run, maker, self._settings.num_threads)
                if hashlib.sha256(content).hexdigest() != self._intake.sums[str(name)]:
                    self._other_bytes.append(str(name))
        self._alike = check_logs(self._runs)

    def _replay(self) -> None:
        without = [run for run in self._runs if run.log is None]
        if without:
            self._next_level = f"{len(without)} of {len(self._runs)} runs have no recorded actions"
        for k, run in enumerate(self._runs):
            if run.log is not None:
                score = check_replayed(run, self._reported.track, self._settings.num_threads)
                self._runs[k] = dataclasses.replace(run, score=score)
            self._count()

    def _rerun(self, sandbox: Sandbox | None) -> None:
        settings, track, season = self._settings, self._reported.track, self._settings.season
        assert season is not None
        without = [run for run in self._runs if run.policy is None]
        if without and not self._built_in:
            self._next_level = f"{len(without)} of {len(self._runs)} runs have no ONNX policy"
            return
        if track.season_commitment and track.season_commitment != season.commitment:
            raise ValueError(f"track {track.name} has committed to another season than {season.name}")
        if settings.track is None and not season.secret and track.version != load_track(track.name).version:
            raise RefusedError(
                "season", f"version {track.version} of the track {track.name} is over: {season.name} takes none"
            )
        key = season.key(settings.secret)
        self._seed_digest = self._intake.digest
        if season.schema > 1:
            self._seed_digest = scored_digest(self._reported, self._networks)
        self._entry, self._ledger_line = enter(
            season,
            settings.leaderboard,
            track=track.name,
            method=self._reported.info.method,
            digest=self._seed_digest,
            folder=self._intake.name,
            signed_by=self._signed_by,
            now=settings.now,
        )
        for k, run in enumerate(self._runs):
            maker = player(run, self._reported, sandbox)
            seeds = hidden_seeds(key, self._seed_digest, run.task.name, run.task.episodes)
            score = check_rerun(run, track, maker, seeds, settings.num_threads)
            self._runs[k] = dataclasses.replace(run, score=score)
            self._count()

    def _count(self) -> None:
        self._done += 1
        self._settings.progress(self._done, self._total)

    def _flags(self, scores: list[RunScore]) -> list[str]:
        flags = []
        if self._reported.info.statements.privileged_state or self._built_in == "expert":
            flags.append("the policy sees the simulator's state, not only observations")
        if self._other_bytes:
            flags.append(
                f"{len(self._other_bytes)} action logs, made again, have other bytes than {SUMS} says: packed by "
                f"another version of zlib, or not what was recorded; {self._other_bytes[0]} is the first"
            )
        if self._alike:
            flags.append(
                f"{self._alike[0]} made the same choices (one of {len(self._alike)} such pairs): there is one best "
                "way, or a run was given twice"
            )
        if self._settings.level >= 1 and not self._built_in and not all(run.policy for run in self._runs):
            flags.append("no network: its actions can have been searched for, and it has no rank")
        limit = z_limit(len(scores))
        for score in scores:
            if score.hidden and abs(score.hidden.z) > limit:
                flags.append(
                    f"{score.task}, train seed {score.train_seed}: submitted {score.score:.6g} and hidden "
                    f"{score.hidden.score:.6g} are {abs(score.hidden.z):.1f} standard errors apart"
                )
        return flags

    def _check_look(self) -> None:
        """No other method of the track has a name that looks like this one's and is written with other letters."""
        info = self._reported.info
        for other in load_all(self._settings.leaderboard, info.track):
            theirs = other.info.method
            if other.folder == self._intake.name:
                continue
            if alike(info.method, theirs) and spelling(info.method) != spelling(theirs):
                raise RefusedError(
                    "duplicate",
                    f"method is {info.method!a}, which looks like {theirs!a} of {other.folder}: expected a "
                    "name that readers can tell from it",
                )

    def _copies(self) -> list[str]:
        """Networks that another verified submission has, too, be it in files that differ."""
        flags = []
        for other in load_all(self._settings.leaderboard):
            if (other.track, other.folder) == (self._reported.track.name, self._intake.name):
                continue
            theirs = {run.policy_sha256 for run in other.runs} | {run.network for run in other.runs}
            shared = [
                network
                for run, network in zip(self._runs, self._networks, strict=True)
                if network and not run.task.choices and not theirs.isdisjoint((run.result.policy_sha256, network))
            ]
            if shared:
                flags.append(f"{len(shared)} of its policies are also those of {other.track}/{other.folder}")
        return flags


def scored_digest(reported: Reported, networks: list[str]) -> str:
    """SHA-256 (hexadecimal) of what is scored: the track and, by task, what plays; hidden seeds follow from it.

    Names, dates, free text, the numbers of training seeds, the order of files and how networks are written down make no
    difference.

    Args:
        reported: the submission.
        networks: `envsuite.agents.onnx.digest.network_digest` of each run; empty for the registry's own policies.
    """
    track = reported.track
    plays: dict[str, list[str]] = {task.name: [] for task in track.tasks}
    for run, network in zip(reported.runs, networks, strict=True):
        plays[run.task.name].append(network)
    scored = [
        track.name,
        track.version,
        reported.built_in,
        [[name, sorted(one)] for name, one in sorted(plays.items())],
    ]
    return hashlib.sha256(json.dumps(scored).encode()).hexdigest()
