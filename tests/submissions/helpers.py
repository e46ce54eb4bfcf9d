"""A small track, training runs and a submission that everything else here starts from."""

import contextlib
import dataclasses
import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

import envsuite
from envsuite.agents.onnx import Action, Interface, mlp, save
from envsuite.core.files import write_atomic
from envsuite.core.world import make_world
from envsuite.evaluation.records import RunFolder
from envsuite.evaluation.results import read_results, write_results
from envsuite.evaluation.tracks import load_track
from envsuite.submissions.build import build_submission, seal
from envsuite.submissions.record import Verification
from envsuite.submissions.sandbox import Sandbox
from envsuite.submissions.season import Season, commitment
from envsuite.submissions.verify import Settings, verify

TASKS = {"hover": ("envsuite/QuadHoverGPD-v0", 4), "pair": ("envsuite/QuadMultiHover-v0", 3)}
"""Environment and number of episodes by task."""

SECRET = "5e" * 32
NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
"""When everything is verified: the season is open."""

META = {"authors": ["A. Author", "B. Author"], "date": "2026-11-01", "summary": "Networks with random weights."}
FOLDER = "20261101_probe"


def write_track(folder: Path, tasks=None) -> Path:
    lines = ['schema = 1\nname = "probes"\nversion = 1\ntitle = "Probes"\nsummary = "For tests."\n']
    for name, (env_id, episodes) in (tasks or TASKS).items():
        card = envsuite.card(env_id)
        anchors = {key: json_inline(getattr(card, source)) for key, source in (("low", "random"), ("high", "expert"))}
        lines.append(
            f'[[tasks]]\nname = "{name}"\nenv_id = "{card.id}"\nepisodes = {episodes}\nfirst_seed = 1_000_000_000\n'
            f'training_steps = 10_000\nbehaviour = "{card.behaviour}"\n'
            f"low = {anchors['low']}\nhigh = {anchors['high']}\n"
            "return_bounds = [-10_000.0, 10_000.0]\n"
        )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "probes.toml"
    path.write_text("".join(lines), encoding="utf-8")
    return path


def json_inline(score) -> str:
    return "{ " + ", ".join(f"{key} = {json.dumps(value)}" for key, value in dataclasses.asdict(score).items()) + " }"


def network(env_id: str, seed: int, *, scale: float = 1.0):
    """A small network with random weights that fits an environment, and its description."""
    card = envsuite.card(env_id)
    world = make_world(card.world, **card.options)
    generator = np.random.default_rng([seed, len(env_id)])
    inputs = int(np.prod(world.observation.shape))
    sizes = [inputs, 8, int(np.prod(world.action.shape))]
    # zero is the command to hover in these environments: small outputs make episodes that last
    weights = [generator.normal(size=(sizes[k + 1], sizes[k])) * size for k, size in enumerate((0.25, 1e-5 * scale))]
    model = mlp(
        weights,
        [np.zeros(len(one)) for one in weights],
        observation_shape=world.observation.shape,
        action_shape=world.action.shape,
    )
    return model, Interface(card.id, Action("clip", (-1.0,), (1.0,)))


def write_runs(folder: Path, seeds=(0, 1), tasks=None) -> Path:
    for env_id, _ in (tasks or TASKS).values():
        for seed in seeds:
            card = envsuite.card(env_id)
            run = RunFolder(folder, card.id, "ppo", {"seed": seed}, seed, card.behaviour)
            run.log(1000, mean_return=0.0)
            save(run.path / "policy.onnx", *network(env_id, seed))
            run.finish("finished")
    return folder


class Bench:
    """The small leaderboard: a track, a season, a submission, and a sandbox that all verifications share."""

    def __init__(self, root: Path):
        self.root = root
        self.track_file = write_track(root / "tracks")
        self.track = load_track(self.track_file)
        self.season = Season("autumn", "2026-01-01", "2026-12-31", commitment(SECRET), 2)
        self.runs = write_runs(root / "runs")
        self.submission = build_submission(
            [self.runs], self.track_file, "Probe", root / "submissions", meta={**META, "slug": "probe"}
        )
        self._sandbox: Sandbox | None = None

    @property
    def sandbox(self) -> Sandbox:
        if self._sandbox is None:
            self._sandbox = Sandbox()
        return self._sandbox

    def close(self) -> None:
        if self._sandbox is not None:
            self._sandbox.close()

    def copy(self, place: Path) -> Path:
        """A leaderboard of its own with a copy of the submission; the copy."""
        self.season.save(place / "seasons")
        target = place / "submissions" / "probes" / FOLDER
        shutil.copytree(self.submission, target)
        return target

    def settings(self, folder: Path, level: int, **changes) -> Settings:
        given = {"season": self.season, "secret": SECRET, "track": self.track, "now": NOW}
        given["sandbox"] = lambda: contextlib.nullcontext(self.sandbox)
        return Settings(folder.parents[2], level, **{**given, **changes})

    def verify(self, folder: Path, level: int = 1, **changes) -> Verification:
        return verify(folder, self.settings(folder, level, **changes))


def change_results(folder: Path, change, which=0) -> None:
    """Replace fields of one line of results."""
    results = read_results(folder)
    results[which] = dataclasses.replace(results[which], **change(results[which]))
    write_results(folder / "results.jsonl", results)
    seal(folder)


def change_text(folder: Path, name: str, *pairs: tuple[str, str], sealed: bool = True) -> None:
    """Replace texts in a file."""
    text = (folder / name).read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    write_atomic(folder / name, text)
    if sealed:
        seal(folder)


def change_log(folder: Path, change, which=0) -> None:
    """Replace arrays of an action log, without the checks of its class."""
    path = folder / read_results(folder)[which].actions
    with np.load(path, allow_pickle=False) as data:
        arrays = {name: data[name] for name in data.files}
    change(arrays)
    np.savez_compressed(path, **arrays)
    seal(folder)
