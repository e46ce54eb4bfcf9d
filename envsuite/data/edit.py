"""New datasets from old ones: episodes chosen, put together, mixed, and rewarded anew; streamed from store to store."""

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from envsuite.core import fmath
from envsuite.data.columns import Spec, blocks
from envsuite.data.dataset import Dataset, load
from envsuite.data.manifest import Manifest
from envsuite.data.store import write_dataset

Rewards = Callable[[Dataset, np.ndarray], np.ndarray]
"""Rewards of steps of a dataset, given by their numbers (B,): (B, [a,] [k])."""


def write_episodes(
    parts: Sequence[Dataset],
    new_id: str,
    origin: dict[str, Any],
    root: str | Path | None = None,
    *,
    rewards: Rewards | None = None,
    goal: np.ndarray | None = None,
) -> Dataset:
    """Write the chosen episodes of some datasets as one.

    Args:
        parts: of the same environment and with the same columns, in order.
        new_id: of the result.
        origin: how it came to be, for its manifest.
        root: of the store.
        rewards: instead of those of the data, in the same type.
        goal: instead of the desired goals of the data.

    Raises:
        ValueError: the parts do not fit together; the message says in what.
    """
    first = parts[0].manifest
    for part in parts[1:]:
        _check_same(first, part.manifest)
    episodes = sum(part.episodes_count for part in parts)
    steps = sum(len(part) for part in parts)
    specs: dict[str, Spec] = {}
    for name, column in first.columns.items():
        dtype = np.result_type(*(np.dtype(part.manifest.columns[name].dtype) for part in parts))
        rows = {"offsets": episodes + 1}.get(name, steps if Manifest.per_step(name) else episodes)
        specs[name] = dtype, (rows, *column.shape[1:])
    policies = list(dict.fromkeys(one for part in parts for one in part.manifest.policies))
    about = dataclasses.replace(
        first.about,
        title=f"{new_id}: {origin.get('operation', 'made')} from {', '.join(part.manifest.id for part in parts)}",
        tier=first.about.tier if len({part.manifest.about.tier for part in parts}) == 1 else "mixed",
        origin={**origin, "parts": [{"id": p.manifest.id, "hash": p.manifest.hash} for p in parts]},
    )
    manifest = dataclasses.replace(
        first, id=new_id, hash="", episodes=episodes, steps=steps, columns={}, policies=policies, about=about
    )
    write_dataset(manifest, specs, _pieces(parts, specs, policies, rewards, goal), root)
    return load(new_id, root)


def _check_same(first: Manifest, other: Manifest) -> None:
    for name in ("source", "observation_space", "action_space", "agents", "objectives"):
        mine, theirs = getattr(first, name), getattr(other, name)
        if mine != theirs:
            raise ValueError(f"{first.id} and {other.id} do not have the same {name}: {mine!s:.80} and {theirs!s:.80}")
    if odd := sorted(set(first.columns) ^ set(other.columns)):
        raise ValueError(f"only one of {first.id} and {other.id} has the column {odd[0]}")


def _pieces(
    parts: Sequence[Dataset],
    specs: dict[str, Spec],
    policies: list[str],
    rewards: Rewards | None,
    goal: np.ndarray | None,
) -> Iterator[dict[str, np.ndarray]]:
    lengths = np.concatenate([part.lengths for part in parts])
    yield {"offsets": np.concatenate([[0], np.cumsum(lengths)])}
    for part in parts:
        numbers = np.array([policies.index(one) for one in part.manifest.policies], np.int64)
        for name, (dtype, shape) in specs.items():
            row = dtype.itemsize * int(np.prod(shape[1:]))
            if name == "offsets":
                continue
            if not Manifest.per_step(name):
                values = part.columns[name][part.chosen]
                values = numbers[values] if name == "policies" and len(numbers) else values
                if goal is not None and name.endswith("observations.desired_goal"):
                    values = np.broadcast_to(goal, values.shape)
                yield {name: values.astype(dtype, copy=False)}
                continue
            for piece in blocks(len(part), row):
                index = np.arange(piece.start, piece.stop)
                values = part.columns[name][part.rows(index)[0]]
                if goal is not None and name.endswith("observations.desired_goal"):
                    values = np.broadcast_to(goal, values.shape)
                if rewards is not None and name == "rewards":
                    values = _checked(rewards(part, index), values)
                yield {name: values.astype(dtype, copy=False)}


def _checked(given: np.ndarray, like: np.ndarray) -> np.ndarray:
    found = np.asarray(given)
    if found.shape != like.shape or not np.isfinite(found).all():
        raise ValueError(f"new rewards have shape {found.shape} and must be finite, expected {like.shape}")
    return found.astype(like.dtype)


def merge(parts: Sequence[Dataset], new_id: str, root: str | Path | None = None) -> Dataset:
    """All episodes of some datasets, one dataset after another."""
    return write_episodes(parts, new_id, {"operation": "merged"}, root)


def split(data: Dataset, validation: float, seed: int = 0, root: str | Path | None = None) -> tuple[Dataset, Dataset]:
    """A dataset as two, ``NAME-train-vN`` and ``NAME-validation-vN``; see `Dataset.split`."""
    name, _, version = data.manifest.id.rpartition("-")
    made = []
    for part, what in zip(data.split(validation, seed), ("train", "validation"), strict=True):
        origin = {"operation": "split", "validation": validation, "seed": seed}
        made.append(write_episodes([part], f"{name}-{what}-{version}", origin, root))
    return made[0], made[1]


def draw_episodes(data: Dataset, count: int, seed: int = 0) -> Dataset:
    """Episodes drawn without replacement, in their order.

    Raises:
        ValueError: there are not as many.
    """
    if not 1 <= count <= data.episodes_count:
        raise ValueError(f"{data.manifest.id} has {data.episodes_count} episodes, {count} were asked for")
    order = np.random.Generator(np.random.Philox(seed)).permutation(data.episodes_count)
    return data.choose(np.sort(order[:count]))


def subsample(data: Dataset, count: int, new_id: str, seed: int = 0, root: str | Path | None = None) -> Dataset:
    """Some episodes of a dataset, drawn without replacement."""
    origin = {"operation": "subsampled", "episodes": count, "seed": seed}
    return write_episodes([draw_episodes(data, count, seed)], new_id, origin, root)


def mix(
    parts: Sequence[tuple[Dataset, float]], steps: int, new_id: str, seed: int = 0, root: str | Path | None = None
) -> Dataset:
    """Episodes of several datasets so that each has its share of the steps, for instance half medium, half expert.

    Args:
        parts: datasets and their shares, relative to those of the others.
        steps: about how many in all; each part ends with the episode that reaches its share.
        new_id: of the result.
        seed: of the draw of episodes.
        root: of the store.

    Raises:
        ValueError: a share that is no number above 0, or a dataset that has too few steps.
    """
    total = sum(share for _, share in parts)
    if min(share for _, share in parts) <= 0:
        raise ValueError(f"shares are {[share for _, share in parts]}, expected numbers above 0")
    chosen = []
    for k, (data, share) in enumerate(parts):
        wanted = steps * share / total
        if wanted > len(data):
            raise ValueError(f"{data.manifest.id} has {len(data)} steps, {wanted:.0f} were asked for")
        order = np.random.Generator(np.random.Philox(key=(seed, k))).permutation(data.episodes_count)
        count = int(np.searchsorted(np.cumsum(data.lengths[order]), wanted)) + 1
        chosen.append(data.choose(np.sort(order[:count])))
    shares = {data.manifest.id: share for data, share in parts}
    return write_episodes(chosen, new_id, {"operation": "mixed", "shares": shares, "seed": seed}, root)


def affine(scale: float = 1.0, shift: float = 0.0) -> Rewards:
    """Rewards times a number, plus a number."""
    return lambda data, index: data.columns["rewards"][data.rows(index)[0]] * scale + shift


def from_info(name: str) -> Rewards:
    """An info as the reward.

    Args:
        name: of the info.
    """

    def rewards(data: Dataset, index: np.ndarray) -> np.ndarray:
        if f"infos.{name}" not in data.columns:
            known = sorted(one.removeprefix("infos.") for one in data.columns if one.startswith("infos."))
            raise ValueError(f"{data.manifest.id} has no info {name!r}, but {known}")
        return data.columns[f"infos.{name}"][data.rows(index)[0]]

    return rewards


def reaching(goal: np.ndarray, radius: float, dense: bool = False) -> Rewards:
    """Rewards for being near a goal after the step.

    Args:
        goal: of the shape of an achieved goal.
        radius: Euclidean distance within which the reward is 1, else 0.
        dense: ``exp(-distance)`` instead.
    """

    def rewards(data: Dataset, index: np.ndarray) -> np.ndarray:
        after = data.take(index).next_observations
        if not isinstance(after, dict) or "achieved_goal" not in after:
            raise ValueError(f"{data.manifest.id} has no achieved goals")
        reached = after["achieved_goal"]
        if reached.shape[1:] != goal.shape:
            raise ValueError(f"the goal has shape {goal.shape}, expected {reached.shape[1:]}")
        gap = np.linalg.norm((reached - goal).reshape(len(reached), -1), axis=1)
        return fmath.exp(-gap) if dense else (gap <= radius).astype(np.float64)

    return rewards


def relabel(
    data: Dataset, rewards: Rewards, new_id: str, origin: dict[str, Any], root: str | Path | None = None, **more: Any
) -> Dataset:
    """The same steps with other rewards; what was terminated stays so.

    Args:
        data: what to relabel.
        rewards: for instance `affine`, `from_info` or `reaching`.
        new_id: of the result.
        origin: what was done, for its manifest.
        root: of the store.
        **more: ``goal``, see `write_episodes`.
    """
    return write_episodes([data], new_id, {"operation": "relabelled", **origin}, root, rewards=rewards, **more)


def difference(a: Dataset, b: Dataset) -> list[str]:
    """In what two datasets differ, a line each; nothing where their content is the same.

    Args:
        a: one dataset.
        b: the other.
    """
    if a.manifest.hash == b.manifest.hash:
        return []
    lines = []
    for name in (
        "source",
        "observation_space",
        "action_space",
        "agents",
        "objectives",
        "policies",
        "episodes",
        "steps",
    ):
        mine, theirs = getattr(a.manifest, name), getattr(b.manifest, name)
        if mine != theirs:
            lines.append(f"{name}: {mine!s:.100} | {theirs!s:.100}")
    for name in sorted(set(a.columns) | set(b.columns)):
        if name not in a.columns or name not in b.columns:
            lines.append(f"column {name}: only in {(a if name in a.columns else b).manifest.id}")
            continue
        one, two = a.manifest.columns[name], b.manifest.columns[name]
        if one.hash == two.hash:
            continue
        if (one.dtype, one.shape) != (two.dtype, two.shape):
            lines.append(f"column {name}: {one.dtype} {one.shape} | {two.dtype} {two.shape}")
        else:
            lines.append(f"column {name}: {_first_difference(a.columns[name], b.columns[name])}")
    return lines


def _first_difference(a: np.ndarray, b: np.ndarray) -> str:
    count, first = 0, -1
    for piece in blocks(len(a), max(1, a.nbytes // max(1, len(a)))):
        x, y = (np.ascontiguousarray(one[piece]) for one in (a, b))
        differs = (x.view(np.uint8).reshape(len(x), -1) != y.view(np.uint8).reshape(len(y), -1)).any(axis=1)
        if first < 0 and differs.any():
            first = piece.start + int(differs.argmax())
        count += int(differs.sum())
    return f"{count} of {len(a)} rows differ, the first is row {first}: {a[first]!s:.60} | {b[first]!s:.60}"
