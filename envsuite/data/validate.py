"""Checks a dataset: that it is what its manifest says, that its numbers are possible, and that the simulator agrees."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from gymnasium import spaces

import envsuite
from envsuite.core.actions import ActionChecker
from envsuite.core.world import World, make_world
from envsuite.data.collect import Plan, collect
from envsuite.data.columns import blocks, hash_array
from envsuite.data.dataset import Dataset
from envsuite.data.spaces import leaves

_EPISODES = 256  # replayed at once; bounds memory
_BYTES = 1 << 26


@dataclass(frozen=True)
class Fault:
    """Something that is wrong with a dataset.

    Attributes:
        check: ``"hash"``, ``"flags"``, ``"finite"``, ``"range"``, ``"duplicate"``, ``"seed"`` or ``"replay"``.
        column: name of the column.
        episode: index of the episode; -1 where it is no single one's.
        step: index in the episode; -1 for the episode as a whole or its final observation.
        message: what is wrong.
    """

    check: str
    column: str
    episode: int
    step: int
    message: str

    def __str__(self) -> str:
        where = f" of episode {self.episode}" if self.episode >= 0 else ""
        when = f", step {self.step}" if self.step >= 0 else ""
        return f"{self.check}: {self.column}{where}{when}: {self.message}"


CHECKS = ("hash", "flags", "finite", "range", "duplicate", "seed", "replay")


def verify(
    data: Dataset,
    *,
    replay: float = 1.0,
    seed: int = 0,
    checks: tuple[str, ...] = CHECKS,
    progress: Callable[[str], None] | None = None,
) -> list[Fault]:
    """Check a dataset.

    Args:
        data: what to check, whole.
        replay: share of the episodes that are played again in the simulator, bit for bit; at least one, unless 0.
        seed: of the choice of those episodes.
        checks: which.
        progress: called with the name of each check when it begins.

    Returns:
        The first fault of each check; nothing where all is right. Data that come from elsewhere cannot be played
        again: that check is then left out.

    Raises:
        ValueError: a check that there is none of, or a share out of range.
    """
    if unknown := set(checks) - set(CHECKS):
        raise ValueError(f"there is no check {sorted(unknown)[0]!r}, expected some of {CHECKS}")
    if not 0 <= replay <= 1:
        raise ValueError(f"the share to replay is {replay}, expected a number from 0 to 1")
    found = []
    for name in CHECKS:
        if name not in checks:
            continue
        if progress:
            progress(name)
        faults = _replayed(data, replay, seed) if name == "replay" else _FUNCTIONS[name](data)
        if (fault := next(faults, None)) is not None:
            found.append(fault)
    return found


def can_replay(data: Dataset) -> bool:
    """Whether the environment is at hand with the behaviour that the data are of, and seeds are known."""
    source = data.manifest.source
    card = envsuite.cards().get(source.id)
    return bool(card and card.behaviour == source.behaviour and (data.columns["seeds"] >= 0).all())


def _at(data: Dataset, row: int) -> tuple[int, int]:
    episode = int(np.searchsorted(data.columns["offsets"], row, "right")) - 1
    return episode, row - int(data.columns["offsets"][episode])


def _pieces(column: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    row = column.dtype.itemsize * int(np.prod(column.shape[1:]))
    return ((piece.start, column[piece]) for piece in blocks(len(column), row, _BYTES))


def _fault(data: Dataset, check: str, name: str, row: int, message: str) -> Fault:
    if data.manifest.per_step(name):
        return Fault(check, name, *_at(data, row), message)
    return Fault(check, name, row, -1, message)


def _hashes(data: Dataset) -> Iterator[Fault]:
    for name, told in data.manifest.columns.items():
        if (found := hash_array(data.columns[name])) != told.hash:
            yield Fault("hash", name, -1, -1, f"its hash is {found}, the manifest says {told.hash}")
    if (found := data.manifest.content_hash()) != data.manifest.hash:
        yield Fault("hash", "manifest", -1, -1, f"its hash is {found}, it says {data.manifest.hash}")


def _flags(data: Dataset) -> Iterator[Fault]:
    """Flags stand at the ends of episodes, one of the two; an agent's flag, once up, stays up."""
    terminated, truncated = data.columns["terminated"], data.columns["truncated"]
    offsets, several = data.columns["offsets"], bool(data.manifest.agents)
    both = (terminated & truncated).reshape(len(terminated), -1).any(axis=1)
    if both.any():
        yield _fault(data, "flags", "terminated", int(both.argmax()), "terminated and truncated at once")
    ended = terminated | truncated
    over = ended.all(axis=1) if several else ended
    last = np.zeros(len(over), np.bool_)
    last[offsets[1:] - 1] = True
    if (wrong := over & ~last).any():
        yield _fault(data, "flags", "terminated", int(wrong.argmax()), "the episode is over, but goes on")
    if (wrong := ~over & last).any():
        yield _fault(
            data, "flags", "truncated", int(wrong.argmax()), "the last step is neither terminated nor truncated"
        )
    if several and len(ended) > 1:
        falls = (ended[:-1] & ~ended[1:]).any(axis=1) & ~last[:-1]
        if falls.any():
            yield _fault(data, "flags", "terminated", int(falls.argmax()) + 1, "an agent that has ended goes on")
    horizon = data.manifest.source.horizon
    if horizon and (wrong := np.diff(offsets) > horizon).any():
        length = int(np.diff(offsets)[wrong.argmax()])
        yield Fault("flags", "offsets", int(wrong.argmax()), -1, f"{length} steps, more than the limit of {horizon}")


def _finite(data: Dataset) -> Iterator[Fault]:
    for name, column in data.columns.items():
        if column.dtype.kind != "f" or name.startswith(("infos", "reset_infos")):
            continue
        for start, rows in _pieces(column):
            wrong = ~np.isfinite(rows).reshape(len(rows), -1).all(axis=1)
            if wrong.any():
                yield _fault(data, "finite", name, start + int(wrong.argmax()), "nan or infinite")


def _ranges(data: Dataset) -> Iterator[Fault]:
    for prefix, space in (
        ("actions", data.action_space),
        ("observations", data.observation_space),
        ("final_observations", data.observation_space),
    ):
        for name, leaf in leaves(space, prefix).items():
            bounds = _bounds(leaf)
            if bounds is None:
                continue
            for start, rows in _pieces(data.columns[name]):
                wrong = ((rows < bounds[0]) | (rows > bounds[1])).reshape(len(rows), -1).any(axis=1)
                if wrong.any():
                    row = int(wrong.argmax())
                    yield _fault(data, "range", name, start + row, f"{rows[row]!s:.80} is outside its space")


def _bounds(space: spaces.Space) -> tuple[np.ndarray, np.ndarray] | None:
    match space:
        case spaces.Box():
            return space.low, space.high
        case spaces.Discrete():
            return np.asarray(space.start), np.asarray(space.start + space.n - 1)
        case spaces.MultiDiscrete():
            return space.start, space.start + space.nvec - 1
        case spaces.MultiBinary():
            return np.zeros(space.shape, np.int8), np.ones(space.shape, np.int8)
    return None


def _duplicates(data: Dataset) -> Iterator[Fault]:
    """Two episodes with the same observations and actions."""
    names = [name for name in data.columns if name.partition(".")[0] in ("observations", "actions")]
    seen: dict[tuple[str, ...], int] = {}
    offsets = data.columns["offsets"]
    for episode in range(len(offsets) - 1):
        rows = slice(int(offsets[episode]), int(offsets[episode + 1]))
        print_ = tuple(hash_array(data.columns[name][rows]) for name in names)
        if (other := seen.setdefault(print_, episode)) != episode:
            yield Fault("duplicate", "observations", episode, -1, f"the same as episode {other}")


def _seeds(data: Dataset) -> Iterator[Fault]:
    """No evaluation seeds among the data, so that policies are not tested on what they were trained on."""
    from envsuite.evaluation.rollout import EVALUATION_SEED

    seeds = data.columns["seeds"]
    if data.manifest.source.behaviour and (wrong := seeds >= EVALUATION_SEED).any():
        episode = int(wrong.argmax())
        yield Fault("seed", "seeds", episode, -1, f"{seeds[episode]} is a seed that is kept for evaluation")


class _Recorded:
    """Plays the actions of a dataset; a slot's seed is the index of its episode."""

    def __init__(self, data: Dataset, world: World, slots: int):
        self._actions, self._offsets = data.columns["actions"], data.columns["offsets"]
        self._time = np.zeros(slots, np.int64)
        self._episode = np.zeros(slots, np.int64)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        self._episode[mask] = seeds[mask]
        self._time[mask] = 0

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        rows = self._offsets[self._episode] + self._time
        self._time += 1
        return self._actions[np.minimum(rows, self._offsets[self._episode + 1] - 1)]  # beyond it, lengths differ


def _replayed(data: Dataset, share: float, seed: int) -> Iterator[Fault]:
    """Play episodes again from their seeds and actions, and compare every column bit for bit."""
    count = data.manifest.episodes
    if share == 0 or not can_replay(data):
        return
    source = data.manifest.source
    card = replace(envsuite.card(source.id), options=source.options)
    world = make_world(card.world, **card.options)
    generator = np.random.Generator(np.random.Philox(seed))
    chosen = np.sort(generator.permutation(count)[: max(1, round(share * count))])
    if (fault := _impossible(data, world)) is not None:
        yield fault
        return
    infos = tuple(name.removeprefix("infos.") for name in data.columns if name.startswith("infos."))
    known = set(world.info_dtype.names or ())
    infos = tuple(name for name in infos if name in known)
    for start in range(0, len(chosen), _EPISODES):
        some = chosen[start : start + _EPISODES]
        plan = Plan(data.columns["seeds"][some], source.horizon or 0, _EPISODES, source.observation, infos, some)
        found = collect(world, lambda world, slots: _Recorded(data, world, slots), plan)
        yield from _compare(data, some, found)


def _impossible(data: Dataset, world: World) -> Fault | None:
    """The first action that the environment cannot have taken."""
    actions = data.columns["actions"]
    for start, rows in _pieces(actions):
        check = ActionChecker(world.action, rows.shape[:1], "refuse" if world.action.out_of_range != "pass" else "pass")
        if world.agents:
            check = ActionChecker(world.action, rows.shape[:2], "refuse")
        try:
            check(rows)
        except ValueError as error:
            low, high = world.action.low, world.action.high
            fine = np.isfinite(rows) & (rows >= low) & (rows <= high)
            row = int((~fine.reshape(len(rows), -1).all(axis=1)).argmax())
            return _fault(data, "replay", "actions", start + row, str(error))
    return None


def _compare(data: Dataset, some: np.ndarray, found: dict[str, np.ndarray]) -> Iterator[Fault]:
    """Faults of these episodes, the first one of the first episode that departs first."""
    offsets = data.columns["offsets"]
    for k, episode in enumerate(some):
        mine = slice(int(offsets[episode]), int(offsets[episode + 1]))
        theirs = slice(int(found["offsets"][k]), int(found["offsets"][k + 1]))
        shorter = min(mine.stop - mine.start, theirs.stop - theirs.start)
        first: tuple[int, str] | None = None
        for name, column in found.items():
            if not data.manifest.per_step(name) or name == "actions":
                continue
            a, b = data.columns[name][mine][:shorter], column[theirs][:shorter]
            differs = _differs(a, b)
            if differs.any() and (first is None or int(differs.argmax()) < first[0]):
                first = int(differs.argmax()), name
        if first:
            step, name = first
            row = mine.start + step, theirs.start + step
            message = f"the simulator gives {found[name][row[1]]!s:.80}, recorded is {data.columns[name][row[0]]!s:.80}"
            yield Fault("replay", name, int(episode), step, message)
        if mine.stop - mine.start != theirs.stop - theirs.start:
            message = f"the simulator takes {theirs.stop - theirs.start} steps, recorded are {mine.stop - mine.start}"
            yield Fault("replay", "offsets", int(episode), -1, message)
        for name, column in found.items():
            known = data.columns.get(name)
            if (
                name.startswith("final_observations")
                and known is not None
                and _differs(known[[episode]], column[[k]])[0]
            ):
                yield Fault("replay", name, int(episode), -1, "the simulator gives another final observation")


def _differs(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(n,) bool, rows whose bits are not the same; texts of equal content are."""
    if a.dtype.kind == "S":
        return (a != b).reshape(len(a), -1).any(axis=1)
    if a.dtype != b.dtype or a.shape != b.shape:
        return np.ones(len(a), np.bool_)
    kind = np.dtype(f"u{a.dtype.itemsize}")
    pair = [np.ascontiguousarray(one).view(kind).reshape(len(a), -1) for one in (a, b)]
    return (pair[0] != pair[1]).any(axis=1)


_FUNCTIONS: dict[str, Callable[[Dataset], Iterator[Fault]]] = {
    "hash": _hashes,
    "flags": _flags,
    "finite": _finite,
    "range": _ranges,
    "duplicate": _duplicates,
    "seed": _seeds,
}
