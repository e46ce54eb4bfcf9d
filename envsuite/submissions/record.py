"""What verification found: one JSON file for each accepted submission, beside the submissions and never inside them.

``leaderboard/verified/<track>/<folder of the submission>.json`` holds a `Verification`. It is all that a site needs;
the submission's files, at ``leaderboard/submissions/<track>/<folder>/``, are only linked to. Texts in
`Verification.info` come from strangers and must be escaped.
"""

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from statistics import NormalDist

from envsuite.agents.distance import Distance
from envsuite.core.files import write_atomic
from envsuite.evaluation.schema import parse
from envsuite.submissions.info import Submission

SCHEMA = 1

LEVELS = ("reported", "replayed", "re-run", "re-trained")
"""Names of the levels 0 to 3."""


def z_limit(tests: int) -> float:
    """Submitted and hidden-seed scores further apart than this many standard errors are flagged.

    Three for one run; for many runs, as far as makes one flag among all of them as improbable (Bonferroni 1936).

    Args:
        tests: runs that are compared, at least 1.
    """
    normal = NormalDist()
    return -normal.inv_cdf(normal.cdf(-3.0) / tests)


@dataclass(frozen=True)
class HiddenScore:
    """The same policy on hidden seeds.

    Attributes:
        episodes: how many.
        score: mean of the track's metric.
        standard_error: of that mean, over episodes; 0 for a single episode.
        normalised: the score where the anchors are 0 and 1.
        z: (submitted - hidden) / root of the sum of squared standard errors; positive where the submitted score is
            higher; 0 where both are equal.
        seconds: that it took.
    """

    episodes: int
    score: float
    standard_error: float
    normalised: float
    z: float
    seconds: float


@dataclass(frozen=True)
class RunScore:
    """One training run on one task; recomputed from episodes, never taken from the submission's aggregates.

    Attributes:
        task: name in the track.
        train_seed: None for policies without training.
        checkpoint: training steps of the policy; None without training.
        level: highest level that this run passed, 0 to 2.
        episodes: on the public evaluation seeds.
        mean_return: on the public seeds.
        mean_length: steps, likewise.
        score: mean of the track's metric, likewise.
        standard_error: of the score, over episodes; 0 for a single episode.
        normalised: the score where the anchors are 0 and 1.
        hidden: the same on hidden seeds; None below level 2.
        steps: environment steps replayed; 0 at level 0.
        actions: path of the action log in the submission's folder; None without one.
        policy: path of the ONNX file, likewise.
        policy_sha256: of that file.
        network: `envsuite.agents.onnx.digest.network_digest` of it; None without one.
        distance: of the policy from an equilibrium, computed from the policy, never taken from the submission; None
            without a policy, and where it is not known.
    """

    task: str
    train_seed: int | None
    checkpoint: int | None
    level: int
    episodes: int
    mean_return: float
    mean_length: float
    score: float
    standard_error: float
    normalised: float
    hidden: HiddenScore | None = None
    steps: int = 0
    actions: str | None = None
    policy: str | None = None
    policy_sha256: str | None = None
    network: str | None = None
    distance: Distance | None = None

    @property
    def published(self) -> float:
        """The score to show: of hidden seeds where there is one."""
        return self.hidden.score if self.hidden else self.score

    @property
    def published_normalised(self) -> float:
        """The same where the anchors are 0 and 1."""
        return self.hidden.normalised if self.hidden else self.normalised


@dataclass(frozen=True)
class Retrained:
    """New training runs by a maintainer, on one task.

    Attributes:
        task: name in the track.
        seeds: new training seeds.
        scores: of those runs, on the public evaluation seeds.
        difference: mean of the submitted runs' scores minus that of the new ones.
        low: lower end of the 95 % interval of the difference, see `envsuite.scoring.difference`.
        high: upper end.
    """

    task: str
    seeds: list[int]
    scores: list[float]
    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class Verification:
    """An accepted submission.

    Attributes:
        track: name of the track.
        track_version: of it.
        track_digest: SHA-256 of the track's content, `envsuite.evaluation.tracks.Track.digest`.
        metric: what scores are means of.
        direction: ``"maximize"`` or ``"minimize"``; normalised scores are higher for better policies either way.
        folder: name of the submission's folder, ``<YYYYMMDD>_<slug>``.
        digest: SHA-256 of the submission's ``SHA256SUMS``, which covers all its files.
        info: the content of ``submission.toml``: method, authors, addresses, budget, statements. Strangers' texts.
        level: 0 reported, 1 replayed, 2 re-run on hidden seeds, 3 re-trained: the lowest of all runs.
        next_level: why the level is not higher; empty where nothing more was tried than asked for.
        runs: one for each task and training run, in the order of tasks and seeds.
        policies: ``"onnx"``; ``"random"`` or ``"expert"`` where the registry's own policy was run; ``""`` where none.
        flags: what readers should know: large z, privileged state, a policy that another submission has, too.
        season: whose hidden seeds were used; empty below level 2.
        commitment: SHA-256 of that season's secret.
        seed_digest: that the hidden seeds follow from, `envsuite.submissions.verify.scored_digest`; in the founding
            season the digest of all files. Empty below level 2.
        ledger_entry: line of the season's ledger, counted from 0; -1 below level 2.
        ledger_line: SHA-256 of that line; empty below level 2.
        guards: what kept the policy in, see `envsuite.submissions.jail`; empty where no policy of strangers ran.
        signed_by: id of the key in ``leaderboard/keys``; empty without signature.
        retrained: of level 3.
        suite_version: of the verifier.
        verified: UTC time, ISO 8601.
        seconds: that verification took.
        schema: of this file.
    """

    track: str
    track_version: int
    track_digest: str
    metric: str
    direction: str
    folder: str
    digest: str
    info: Submission
    level: int
    next_level: str
    runs: list[RunScore]
    policies: str
    flags: list[str] = field(default_factory=list)
    season: str = ""
    commitment: str = ""
    seed_digest: str = ""
    ledger_entry: int = -1
    ledger_line: str = ""
    guards: list[str] = field(default_factory=list)
    signed_by: str = ""
    retrained: list[Retrained] = field(default_factory=list)
    suite_version: str = ""
    verified: str = ""
    seconds: float = 0.0
    schema: int = SCHEMA

    @property
    def level_name(self) -> str:
        """One of `LEVELS`."""
        return LEVELS[self.level]

    @property
    def mean_normalised(self) -> float:
        """Mean over tasks of the mean over runs of the published normalised scores: a number for sorting and logs."""
        tasks = dict.fromkeys(run.task for run in self.runs)
        means = []
        for task in tasks:
            values = [run.published_normalised for run in self.runs if run.task == task]
            means.append(sum(values) / len(values))
        return sum(means) / len(means)

    def path(self, leaderboard: Path) -> Path:
        """Where it lies in a leaderboard's folder."""
        return leaderboard / "verified" / self.track / f"{self.folder}.json"

    def why_not_over(self, known: "Verification") -> str:
        """Why it may not take the place of a record that is there; empty if it may.

        Args:
            known: the record that is there.
        """
        if self.level < known.level:
            return f"it is at level {known.level} ({known.level_name}), this one at {self.level} ({self.level_name})"
        if self.level == known.level and self.season != known.season:
            return f"its hidden scores are of the season {known.season}, these of {self.season}"
        return ""

    def save(self, leaderboard: str | Path) -> Path:
        """Write it to its place in a leaderboard's folder; the path.

        Raises:
            ValueError: there is a record that says more; it stays.
        """
        path = self.path(Path(leaderboard))
        if path.is_file() and (reason := self.why_not_over(Verification.load(path))):
            raise ValueError(f"{path} stays as it is: {reason}")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, json.dumps(dataclasses.asdict(self), indent=1, allow_nan=False) + "\n")
        return path

    @classmethod
    def load(cls, path: str | Path) -> "Verification":
        """Read a file.

        Raises:
            ValueError: it is none; the message names the key.
        """
        path = Path(path)
        try:
            table = json.loads(path.read_text(encoding="utf-8"))
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
            raise ValueError(f"{path} is not JSON: {error}") from error
        return parse(table, cls, path.name)


def load_all(leaderboard: str | Path, track: str | None = None) -> list[Verification]:
    """All verified submissions of a leaderboard's folder, in the order of tracks and folders.

    Args:
        leaderboard: the folder.
        track: only of this track.

    Raises:
        ValueError: a file is no verification.
    """
    pattern = f"{track or '*'}/*.json"
    return [Verification.load(path) for path in sorted((Path(leaderboard) / "verified").glob(pattern))]
