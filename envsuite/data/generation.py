"""Generates datasets: jobs that play some episodes each, on any executor, and one pass that puts them together.

The result is the same, bit for bit, for any number of workers, slots and episodes a job. Finished jobs are kept until
the dataset is whole, so that an interrupted generation goes on where it was.
"""

import contextlib
import dataclasses
import hashlib
import json
import math
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import numpy as np
from gymnasium.vector.utils import batch_space

import envsuite
from envsuite.cards import EnvCard
from envsuite.core.files import write_atomic
from envsuite.core.frontend import sensed_space, text_space
from envsuite.core.world import World, make_world
from envsuite.data.collect import SLOTS, Plan, collect
from envsuite.data.columns import Spec, blocks
from envsuite.data.dataset import Dataset, load
from envsuite.data.manifest import SCHEMA, About, Manifest, Source
from envsuite.data.recipes import Recipe
from envsuite.data.spaces import space_to_json
from envsuite.data.store import default_root, flat_name, locked, write_into
from envsuite.evaluation.executors import Executor, SerialExecutor, run_jobs
from envsuite.evaluation.jobs import Work
from envsuite.evaluation.records import plain

_JOB_BYTES = 1 << 26
"""Size that the columns of one job are to have, at most and more or less."""
_JOB_STEPS = 1 << 16
"""Steps that a job is to have, at least and more or less, where episodes are so short that it has more than 1024."""


@dataclass(frozen=True)
class Job:
    """Some episodes of a recipe.

    Attributes:
        recipe: the whole recipe.
        first: number of the first episode.
        count: how many.
        slots: episodes played at once, at most.
        suite_version: of envsuite.
    """

    recipe: Recipe
    first: int
    count: int
    slots: int = SLOTS
    suite_version: str = envsuite.__version__

    @property
    def key(self) -> str:
        """SHA-256 (hexadecimal) of all that the columns depend on."""
        parts = [self.recipe.digest, self.first, self.count, self.suite_version]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.recipe.id} episodes {self.first} to {self.first + self.count - 1}"

    @property
    def label(self) -> str:
        """For people."""
        return self.name

    def done(self, folder: Path) -> bool:
        """Whether the columns are there."""
        return (folder / f"{self.key}.json").is_file()

    def run(self, folder: Path) -> None:
        """Play the episodes and write their columns: all in one file, then the table of what lies where in it.

        Raises:
            ValueError: the environment or a policy is not what the recipe says.
        """
        if self.suite_version != envsuite.__version__:
            raise ValueError(f"{self.name} was made for envsuite {self.suite_version}, this is {envsuite.__version__}")
        folder.mkdir(parents=True, exist_ok=True)
        columns = play_episodes(self.recipe, self.first, self.count, self.slots)
        partial = folder / f"{self.key}.{secrets.token_hex(4)}.partial"
        table, place = {}, 0
        try:
            with partial.open("xb") as file:
                for name, column in columns.items():
                    file.write(np.ascontiguousarray(column).reshape(-1).view(np.uint8).data)
                    table[name] = [column.dtype.str, list(column.shape), place]
                    place += column.nbytes
            os.replace(partial, folder / f"{self.key}.bin")
        finally:
            partial.unlink(missing_ok=True)
        write_atomic(folder / f"{self.key}.json", json.dumps(table))


def play_episodes(recipe: Recipe, first: int, count: int, slots: int = SLOTS) -> dict[str, np.ndarray]:
    """The columns of some episodes, in memory.

    Args:
        recipe: what is played.
        first: number of the first episode.
        count: how many.
        slots: episodes played at once, at most.
    """
    card = recipe.card
    world = make_world(card.world, **card.options)
    which = recipe.components(first, count)
    parts, order = [], []
    for index in np.unique(which):
        mine = np.flatnonzero(which == index)
        plan = Plan(recipe.first_seed + first + mine, card.horizon or 0, slots, recipe.observation, recipe.infos)
        parts.append(collect(world, recipe.policy(int(index)), plan))
        order.append(mine)
    columns = parts[0] if len(parts) == 1 else _interleaved(parts, np.argsort(np.concatenate(order)))
    columns["policies"] = which.astype(np.int64)
    return columns


def _interleaved(parts: list[dict[str, np.ndarray]], order: np.ndarray) -> dict[str, np.ndarray]:
    """Episodes of several parts in another order."""
    lengths = np.concatenate([np.diff(part.pop("offsets")) for part in parts])
    starts = np.cumsum(lengths) - lengths
    offsets = np.concatenate([[0], np.cumsum(lengths[order])])
    rows = np.arange(offsets[-1]) + np.repeat(starts[order] - offsets[:-1], lengths[order])
    found = {"offsets": offsets}
    for name in list(parts[0]):
        whole = np.concatenate([part.pop(name) for part in parts])
        found[name] = whole[rows if Manifest.per_step(name) else order]
    return found


def describe(recipe: Recipe, card: EnvCard, world: World) -> Manifest:
    """The manifest of a recipe's dataset, without columns."""
    observation, action = world.observation.space(), world.action.space()
    several = len(world.agents)
    if several:
        observation, action = batch_space(observation, several), batch_space(action, several)
    if recipe.observation == "pixels":
        observation = sensed_space(world, "pixels")
    if recipe.observation == "text":
        observation = text_space(several)
    origin = {"recipe": plain({k: v for k, v in dataclasses.asdict(recipe).items() if k not in ("folder", "small")})}
    versions = {name: version(name) for name in ("numpy", "numba", "gymnasium")}
    return Manifest(
        SCHEMA,
        recipe.id,
        "",
        Source(card.id, plain(card.options), card.behaviour, card.horizon, recipe.observation),
        space_to_json(observation),
        space_to_json(action),
        0,
        0,
        {},
        [one.label for one in recipe.policies],
        list(world.agents),
        list(world.reward.objectives),
        About(
            recipe.title,
            recipe.summary,
            recipe.tier,
            recipe.licence,
            recipe.citation,
            recipe.anchors,
            origin,
            {"envsuite": envsuite.__version__, **versions},
        ),
    )


@dataclass
class _Progress:
    """Counts what is done, in transitions or episodes, for a progress bar."""

    report: Callable[[int, int], None] | None
    total: int
    done: int = field(default=0)

    def add(self, count: int) -> None:
        self.done = min(self.total, self.done + count)
        if self.report:
            self.report(self.done, self.total)


def generate(
    recipe: Recipe,
    root: str | Path | None = None,
    *,
    executor: Callable[[Path], Executor] = SerialExecutor,
    episodes_a_job: int | None = None,
    slots: int = SLOTS,
    progress: Callable[[int, int], None] | None = None,
    force: bool = False,
) -> Dataset:
    """Generate a dataset, unless it is there.

    Args:
        recipe: what from.
        root: of the store.
        executor: makes what runs the jobs, for a folder: `envsuite.evaluation.executors.SerialExecutor`, or for
            instance ``lambda folder: ProcessExecutor(folder, 4)``.
        episodes_a_job: changes nothing but the memory that a worker needs; by default some 64 MB of columns.
        slots: episodes that a worker plays at once; changes nothing but speed.
        progress: called with what is done and what there is to do, in transitions or else in episodes.
        force: generate it even if it is there.

    Returns:
        The dataset, loaded.

    Raises:
        ValueError: the environment or a policy is not what the recipe says, or what came out has another hash.
        RuntimeError: jobs failed; those that did not are kept.
    """
    card = recipe.card
    world = make_world(card.world, **card.options)
    if unknown := set(recipe.infos) - set(world.info_dtype.names or ()):
        raise ValueError(f"{recipe.id}: {card.id} has no info {sorted(unknown)[0]!r}, but {world.info_dtype.names}")
    base = Path(root) if root else default_root()
    with locked(recipe.id, base) as folder:
        if not force and (found := _present(recipe, folder)):
            return found
        desk = base / ".work" / flat_name(recipe.id)
        work = desk / f"{recipe.digest[:24]}-{episodes_a_job or 'auto'}"
        longest = card.horizon or 1

        def size(mean: float) -> int:
            return episodes_a_job or _episodes_a_job(recipe, world, mean)

        with contextlib.closing(executor(work)) as workers:
            jobs = _play(recipe, longest, size, slots, work, workers, progress)
        shards = [_Shard(job, work) for job in jobs]
        specs, pieces, counts = _assembly(recipe, shards)
        manifest = dataclasses.replace(describe(recipe, card, world), episodes=counts[0], steps=counts[1])
        write_into(folder, manifest, specs, pieces, expected=recipe.hash)
        shutil.rmtree(desk, ignore_errors=True)
        return load(folder)


def _present(recipe: Recipe, folder: Path) -> Dataset | None:
    try:
        found = load(folder)
    except (FileNotFoundError, ValueError):
        return None
    made = found.manifest.about.origin.get("recipe")
    same = isinstance(made, dict) and made == describe(recipe, recipe.card, _world(recipe)).about.origin["recipe"]
    return found if (found.manifest.hash == recipe.hash if recipe.hash else same) else None


def _world(recipe: Recipe) -> World:
    return make_world(recipe.card.world, **recipe.card.options)


def _episodes_a_job(recipe: Recipe, world: World, length: float) -> int:
    """How many episodes of some length make a job: many short ones, lest most slots wait for the last."""
    lead = max(1, len(world.agents))
    row = lead * (world.observation.low.nbytes + world.action.low.nbytes + 8)
    row = {"state": row, "pixels": 84 * 84 * 3, "text": 1024 * lead}[recipe.observation]
    return int(max(1, min(max(1024, _JOB_STEPS / length), _JOB_BYTES / (row * length))))


def _play(
    recipe: Recipe,
    longest: int,
    episodes_a_job: Callable[[float], int],
    slots: int,
    work: Path,
    executor: Executor,
    progress: Callable[[int, int], None] | None,
) -> list[Job]:
    """Have all jobs done that the dataset needs."""
    in_steps = recipe.transitions is not None
    goal = recipe.transitions if recipe.transitions is not None else recipe.episodes
    assert goal is not None
    counter = _Progress(progress, goal)
    jobs: list[Job] = []
    steps = 0

    def told(job: Job) -> None:
        counter.add(_Shard(job, work).steps if in_steps else job.count)

    while (steps if in_steps else sum(job.count for job in jobs)) < goal:
        first = sum(job.count for job in jobs)
        if in_steps:  # no episode is longer than the horizon; from the second round on, their mean length is known
            mean = max(1, steps / first) if jobs else longest
            wanted = math.ceil((goal - steps) / mean)
        else:
            mean, wanted = longest, goal - first
        size = episodes_a_job(mean)
        counts = [size] * math.ceil(wanted / size)
        if not in_steps:
            counts[-1] = wanted - size * (len(counts) - 1)
        more = [Job(recipe, first + sum(counts[:k]), count, slots) for k, count in enumerate(counts)]
        if failed := run_jobs(more, _StaysOpen(executor), work, told):
            lines = [f"{name}: {error}" for name, error in list(failed.items())[:5]]
            raise RuntimeError("\n".join([f"{len(failed)} of {len(more)} jobs failed; others are kept", *lines]))
        jobs += more
        steps += sum(_Shard(job, work).steps for job in more)
    return jobs


class _Shard:
    """The columns that a job has written."""

    def __init__(self, job: Job, folder: Path):
        self._file = folder / f"{job.key}.bin"
        self._table = json.loads((folder / f"{job.key}.json").read_text(encoding="utf-8"))
        self.episodes = job.count
        self.steps = int(self._table["rewards"][1][0])

    @property
    def specs(self) -> dict[str, Spec]:
        """Types and shapes of the columns."""
        return {name: (np.dtype(dtype), tuple(shape)) for name, (dtype, shape, _) in self._table.items()}

    def open(self, name: str) -> np.ndarray:
        dtype, shape, place = self._table[name]
        return np.memmap(self._file, dtype, "r", place, tuple(shape)).view(np.ndarray)


class _StaysOpen:
    """An executor for several rounds of jobs."""

    def __init__(self, inner: Executor):
        self._inner = inner

    def submit(self, job: Work) -> Future[str]:
        """See `envsuite.evaluation.executors.Executor`."""
        return self._inner.submit(job)

    def close(self) -> None:
        """Nothing: whoever made the inner executor closes it."""


def _assembly(
    recipe: Recipe, shards: list[_Shard]
) -> tuple[dict[str, Spec], Iterator[dict[str, np.ndarray]], tuple[int, int]]:
    """How shards become one dataset: column types, pieces, and the numbers of episodes and steps."""
    lengths = np.concatenate([np.diff(shard.open("offsets")) for shard in shards])
    count = recipe.episodes
    if count is None:
        assert recipe.transitions is not None
        count = int(np.searchsorted(np.cumsum(lengths), recipe.transitions)) + 1
    offsets = np.concatenate([[0], np.cumsum(lengths[:count])])
    steps = int(offsets[-1])
    parts, left = [], count
    for shard in shards:
        if left <= 0:
            break
        taken = min(left, shard.episodes)
        parts.append((shard, taken, int(shard.open("offsets")[taken])))
        left -= taken
    specs: dict[str, Spec] = {"offsets": (np.dtype("<i8"), offsets.shape)}
    for name, (dtype, shape) in shards[0].specs.items():
        if name != "offsets":
            rows = steps if Manifest.per_step(name) else count
            if dtype.kind == "S":
                dtype = np.dtype(f"S{max(_width(part, name) for part in parts)}")
            specs[name] = (dtype, (rows, *shape[1:]))

    def pieces() -> Iterator[dict[str, np.ndarray]]:
        yield {"offsets": offsets}
        for part in parts:
            for name, (dtype, shape) in specs.items():
                if name != "offsets":
                    for rows in _cuts(part, name):
                        yield {name: rows.astype(dtype, copy=False).reshape(-1, *shape[1:])}

    return specs, pieces(), (count, steps)


def _cuts(part: tuple[_Shard, int, int], name: str) -> Iterator[np.ndarray]:
    shard, episodes, steps = part
    array = shard.open(name)
    row = array.dtype.itemsize * math.prod(array.shape[1:])
    return (array[rows] for rows in blocks(steps if Manifest.per_step(name) else episodes, row))


def _width(part: tuple[_Shard, int, int], name: str) -> int:
    """Length of the longest text, at least 1."""
    return max(1, *(int(np.strings.str_len(rows).max()) for rows in _cuts(part, name)))
