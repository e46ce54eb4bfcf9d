"""Tracks: frozen lists of tasks with their seeds, budgets and anchors, by which methods are compared."""

import dataclasses
import difflib
import hashlib
import json
import math
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import envsuite
from envsuite.cards import EnvCard, datasets_with, tracks_folder
from envsuite.evaluation.rollout import PolicyMaker, named_player, policy_maker, random_policy
from envsuite.evaluation.schema import parse
from envsuite.scoring import Estimate, rating_against

SCHEMA = 1
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Anchor:
    """A measured score that normalisation starts from or ends at.

    Attributes:
        mean: of the track's metric over episodes.
        standard_error: of that mean.
        episodes: how many were run.
        policy: what played.
    """

    mean: float
    standard_error: float
    episodes: int
    policy: str


@dataclass(frozen=True)
class Task:
    """One environment with options, as a track evaluates it.

    Attributes:
        name: of lower-case letters, digits and hyphens, unique in the track.
        env_id: registered id.
        episodes: how many are played.
        first_seed: episode ``i`` has the seed ``first_seed + i``.
        training_steps: environment steps that training may use.
        behaviour: behaviour hash of the environment.
        low: anchor of the normalised score 0.
        high: anchor of the normalised score 1.
        options: options of the environment.
        return_bounds: (lowest, highest) return that the rules of the environment permit.
        rating: of the frozen opponent that it is played against, on the scale of Elo. Either all tasks of a track have
            one, or none; those that have one are won or lost: the normalised score is the share of points.
        dataset: id of what a method may learn from before its `training_steps`; empty for none. Of a training run the
            last policy counts that had not played more.
        choices: SHA-256 (hexadecimal) of the policy files that a method chooses one of, by that dataset alone; empty
            where it makes its own. The `training_steps` are then updates.
        opponent: who sits on the other seats of a game of rivals: one of the game's own players by its name, a frozen
            policy such as ``"selfplay/Pig-v0"``, or empty for uniformly random players.
    """

    name: str
    env_id: str
    episodes: int
    first_seed: int
    training_steps: int
    behaviour: str
    low: Anchor
    high: Anchor
    options: dict[str, Any] = field(default_factory=dict)
    return_bounds: tuple[float, float] = (-math.inf, math.inf)
    rating: float | None = None
    opponent: str = ""
    dataset: str = ""
    choices: tuple[str, ...] = ()

    @property
    def others(self) -> PolicyMaker:
        """Who sits on the other seats of a game of rivals."""
        if "/" in self.opponent:
            return policy_maker(self.opponent)
        return named_player(self.opponent) if self.opponent else random_policy

    @property
    def card(self) -> EnvCard:
        """The environment's card with this task's options."""
        card = envsuite.card(self.env_id)
        return dataclasses.replace(card, options={**card.options, **self.options})

    def normalise(self, score):
        """Scores on the scale on which the anchors are 0 and 1.

        Args:
            score: a number or an array; higher is better where ``high`` is above ``low``, lower where it is below.
        """
        return (score - self.low.mean) / (self.high.mean - self.low.mean)


@dataclass(frozen=True)
class Track:
    """A versioned comparison.

    Attributes:
        schema: of the file.
        name: of the file.
        version: raised whenever scores stop being comparable.
        title: for people.
        summary: one or two sentences.
        tasks: what is evaluated.
        metric: ``"return"``; ``"exploitability"``, the policy's distance from an equilibrium, which no episode tells;
            or the name of a number or flag in the info of the last step.
        direction: whether more of the metric is better; anchors are on the metric's own scale, so that normalised
            scores are higher for better policies either way.
        deterministic: policies act deterministically.
        season_commitment: SHA-256 (hexadecimal) of the season's secret; empty without hidden seeds.
        accepts: other registered ids whose policies are evaluated on its tasks, such as the game of two in which they
            were trained by self-play.
    """

    schema: int
    name: str
    version: int
    title: str
    summary: str
    tasks: tuple[Task, ...]
    metric: str = "return"
    direction: Literal["maximize", "minimize"] = "maximize"
    deterministic: bool = True
    season_commitment: str = ""
    accepts: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of everything in the track, hexadecimal."""
        table = dataclasses.asdict(self)
        newer = [(task, key) for task in table["tasks"] for key in ("rating", "opponent", "dataset", "choices")]
        for part, key in (*newer, (table, "accepts")):
            if part[key] in (None, (), ""):
                del part[key]  # tracks without have the digest from before there were any
        plain = json.dumps(table, sort_keys=True)
        return hashlib.sha256(plain.encode()).hexdigest()

    @property
    def rated(self) -> bool:
        """Whether its opponents have ratings."""
        return self.tasks[0].rating is not None

    @property
    def ladders(self) -> dict[str, tuple[Task, ...]]:
        """Tasks of a `rated` track by environment: ratings of one game say nothing of another. Empty for others."""
        found: dict[str, tuple[Task, ...]] = {}
        for task in self.tasks if self.rated else ():
            found[task.env_id] = (*found.get(task.env_id, ()), task)
        return found

    def takes(self, task: Task) -> tuple[str, ...]:
        """Ids whose policies play a task: its own, that which it holds something out from, and `accepts`."""
        trained_on = envsuite.card(task.env_id).trained_on
        return (task.env_id, *((trained_on,) if trained_on else ()), *self.accepts)

    def rate(self, env_id: str, shares: Estimate) -> Estimate:
        """The rating that a mean share of points over all tasks of a ladder comes to.

        Shares are drawn towards 1/2 by a game a task, so that ratings stay finite for who wins or loses all.

        Args:
            env_id: one of `ladders`.
            shares: mean normalised score over its tasks, with its interval.
        """
        tasks = self.ladders[env_id]
        ratings = [task.rating for task in tasks if task.rating is not None]
        games = sum(task.episodes for task in tasks) / len(tasks)

        def rated(share: float) -> float:
            return rating_against((games * min(max(share, 0.0), 1.0) + 0.5) / (games + 1), ratings)

        ends = {"value": rated(shares.value), "low": rated(shares.low), "high": rated(shares.high)}
        return dataclasses.replace(shares, **ends)

    def task(self, name: str) -> Task:
        """The task of that name.

        Raises:
            ValueError: there is none.
        """
        for task in self.tasks:
            if task.name == name:
                return task
        raise ValueError(f"track {self.name} has no task {name!r}; its tasks are {[task.name for task in self.tasks]}")


def tracks() -> list[str]:
    """Names of the tracks that come with the package, sorted."""
    return sorted(path.stem for path in tracks_folder().glob("*.toml"))


def load_track(name_or_path: str | Path, version: int = 0) -> Track:
    """Read a track.

    Args:
        name_or_path: one of `tracks`, or the path of a ``.toml`` file.
        version: of it; 0 for the present one. Former ones are ``former/NAME-VERSION.toml`` beside it.

    Raises:
        ValueError: there is no such track, or something in it is wrong; the message names the key.
    """
    path = Path(name_or_path)
    if path.suffix != ".toml":
        path = tracks_folder() / f"{name_or_path}.toml"
    if not path.is_file():
        near = difflib.get_close_matches(str(name_or_path), tracks(), n=1, cutoff=0.3)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {tracks()}"
        raise ValueError(f"there is no track {str(name_or_path)!r}; {hint}")
    track = _read(path, path.stem)
    if version in (0, track.version):
        return track
    former = path.parent / "former" / f"{path.stem}-{version}.toml"
    if not former.is_file():
        raise ValueError(f"the track {path.stem} has version {track.version} and no version {version}")
    return _read(former, path.stem)


def _read(path: Path, name: str) -> Track:
    """Read and check a track of that name."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not TOML: {error}") from error
    where = f"track {path.name}"
    track = parse(table, Track, where)
    _check_track(track, name, where)
    for task in track.tasks:
        _check_task(task, track.direction, f"{where}: task {task.name!r}")
    return track


def _check_track(track: Track, stem: str, where: str) -> None:
    names = [task.name for task in track.tasks]
    bad = next((name for name in names if not _NAME.fullmatch(name) or names.count(name) > 1), None)
    expected = {
        "schema": (track.schema == SCHEMA, track.schema, str(SCHEMA)),
        "name": (track.name == stem and bool(_NAME.fullmatch(stem)), track.name, f"{stem!r} of [a-z0-9-], as the file"),
        "version": (track.version >= 1, track.version, "at least 1"),
        "tasks": (bool(names), names, "at least one"),
        "tasks.rating": (
            len({task.rating is None for task in track.tasks}) < 2,
            [task.rating for task in track.tasks],
            "a rating of the opponent for all tasks, or none",
        ),
        "tasks.name": (bad is None, bad, "different names of [a-z0-9-]"),
        "accepts": (set(track.accepts) <= set(envsuite.cards()), track.accepts, "registered ids"),
        "season_commitment": (
            re.fullmatch(r"([0-9a-f]{64})?", track.season_commitment) is not None,
            track.season_commitment,
            "64 hexadecimal digits",
        ),
    }
    _require(expected, where)


def _check_task(task: Task, direction: str, where: str) -> None:
    cards = envsuite.cards()
    if task.env_id not in cards:
        raise ValueError(f"{where}: env_id is {task.env_id!r}, which is not registered; `envsuite list` shows all")
    card = cards[task.env_id]
    better = task.high.mean > task.low.mean if direction == "maximize" else task.high.mean < task.low.mean
    anchors = [task.low.mean, task.high.mean, task.low.standard_error, task.high.standard_error]
    finite = all(math.isfinite(number) for number in anchors)
    expected = {
        "episodes": (task.episodes >= 1, task.episodes, "at least 1"),
        "first_seed": (0 <= task.first_seed < 2**63 - task.episodes, task.first_seed, "in [0, 2^63)"),
        "training_steps": (task.training_steps >= 1, task.training_steps, "at least 1"),
        "behaviour": (task.behaviour == card.behaviour, task.behaviour, f"{card.behaviour!r}, as the environment has"),
        "low, high": (finite and better, anchors[:2], f"finite anchors of which high is better ({direction})"),
        "rating": (
            task.rating is None
            or (math.isfinite(task.rating) and task.return_bounds == (task.low.mean, task.high.mean)),
            task.rating,
            "a number, with anchors at the return_bounds, so that the normalised score is the share of points",
        ),
        "dataset": (
            task.dataset in ("", *datasets_with(task.env_id)),
            task.dataset,
            f"one of {', '.join(datasets_with(task.env_id))}",
        ),
        "choices": (
            len(set(task.choices)) != 1
            and (bool(task.dataset) or not task.choices)
            and all(re.fullmatch("[0-9a-f]{64}", one) for one in task.choices),
            task.choices,
            "none, or with a dataset two digests of 64 hexadecimal digits or more",
        ),
        "return_bounds": (task.return_bounds[0] < task.return_bounds[1], task.return_bounds, "lowest below highest"),
    }
    if card.horizon is None:
        raise ValueError(f"{where}: {task.env_id} has no length limit, so episodes might never end")
    _require(expected, where)


def _require(expected: dict[str, tuple[bool, Any, str]], where: str) -> None:
    for key, (fine, found, wanted) in expected.items():
        if not fine:
            raise ValueError(f"{where}: {key} is {found!r}, expected {wanted}")
