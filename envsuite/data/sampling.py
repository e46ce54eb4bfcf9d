"""Batches of transitions, n-step returns, windows of trajectories, and goals in hindsight, without a loop over rows."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from envsuite.data.columns import blocks
from envsuite.data.spaces import tree

if TYPE_CHECKING:
    from envsuite.data.dataset import Dataset


@dataclass(frozen=True)
class Batch:
    """B transitions.

    Attributes:
        index: (B,) int64, rows of the dataset's columns.
        observations: (B, [a,] *O), or (nested) dictionaries of such arrays.
        actions: (B, [a,] *A), likewise.
        rewards: (B, [a,] [k]); of several steps, discounted and summed.
        next_observations: (B, [a,] *O), what followed; at the end of an episode the true last observation.
        terminated: (B, [a]) bool, ended by the task: the value of what followed is 0.
        truncated: (B, [a]) bool, cut off: the value of what followed is not 0.
        discounts: (B, [a]) float32, what the value of `next_observations` is to be multiplied with: ``gamma ** steps``,
            0 where terminated. Without n-step returns 1 or 0, the discount still to be applied.
    """

    index: np.ndarray
    observations: Any
    actions: Any
    rewards: np.ndarray
    next_observations: Any
    terminated: np.ndarray
    truncated: np.ndarray
    discounts: np.ndarray


@dataclass(frozen=True)
class Windows:
    """B pieces of trajectories, K steps long; steps beyond the end of the episode are zeros.

    Attributes:
        observations: (B, K, [a,] *O), or (nested) dictionaries of such arrays.
        actions: (B, K, [a,] *A), likewise.
        rewards: (B, K, [a,] [k]).
        returns_to_go: (B, K, [a,] [k]) float32, sum of the rewards from that step to the end of the episode.
        terminated: (B, K, [a]) bool.
        truncated: (B, K, [a]) bool.
        timesteps: (B, K) int64, steps since the beginning of the episode.
        mask: (B, K) bool, steps that exist.
    """

    observations: Any
    actions: Any
    rewards: np.ndarray
    returns_to_go: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    timesteps: np.ndarray
    mask: np.ndarray


def _columns(data: "Dataset", prefix: str) -> list[str]:
    return [name for name in data.columns if name.partition(".")[0] == prefix]


def _gather(data: "Dataset", prefix: str, rows: np.ndarray) -> Any:
    found = {name: data.scaled(name, data.columns[name][rows]) for name in _columns(data, prefix)}
    return tree(found, prefix)


def _following(data: "Dataset", rows: np.ndarray, which: np.ndarray, prefix: str = "observations") -> Any:
    """Observations at rows that may lie one behind the end of their episode, where they are the final ones."""
    over = rows >= data.starts[which] + data.lengths[which]
    inside = np.where(over, rows - 1, rows)
    found = {}
    for name in _columns(data, prefix):
        values = data.columns[name][inside]
        if over.any():
            values[over] = data.columns[f"final_{name}"][data.chosen[which[over]]]
        found[name] = data.scaled(name, values)
    return tree(found, prefix)


def transitions(data: "Dataset", rows: np.ndarray, which: np.ndarray) -> Batch:
    """Transitions of one step.

    Args:
        data: where from.
        rows: (B,) of the columns.
        which: (B,) positions of their episodes among the chosen.
    """
    terminated = data.columns["terminated"][rows]
    return Batch(
        rows,
        _gather(data, "observations", rows),
        _gather(data, "actions", rows),
        data.columns["rewards"][rows],
        _following(data, rows + 1, which),
        terminated,
        data.columns["truncated"][rows],
        (~terminated).astype(np.float32),
    )


def nstep(data: "Dataset", index: np.ndarray, n: int, gamma: float) -> Batch:
    """Transitions over up to `n` steps, fewer where the episode ends before.

    ``rewards`` is ``sum(gamma ** k * r[t + k])`` over the m steps that there are, ``next_observations`` what followed
    the last of them, ``discounts`` is ``gamma ** m`` or, where terminated, 0 (Sutton and Barto, 2018, equation 7.1).

    Args:
        data: where from.
        index: (B,) numbers of steps, as `Dataset.draw` gives them.
        n: at least 1.
        gamma: from 0 to 1.

    Raises:
        ValueError: `n` or `gamma` out of range.
    """
    if n < 1 or not 0 <= gamma <= 1:
        raise ValueError(f"n is {n} and gamma {gamma}, expected at least 1, and a number from 0 to 1")
    rows, which = data.rows(index)
    left = data.starts[which] + data.lengths[which] - rows
    steps = np.minimum(n, left)
    rewards = data.columns["rewards"]
    total = rewards[rows].astype(np.float64)
    for k in range(1, min(n, int(left.max()))):
        there = k < steps
        total[there] += gamma**k * rewards[rows[there] + k]
    last = rows + steps - 1
    terminated = data.columns["terminated"][last]
    factor = (gamma**steps).reshape(-1, *[1] * (terminated.ndim - 1))
    return Batch(
        rows,
        _gather(data, "observations", rows),
        _gather(data, "actions", rows),
        total.astype(rewards.dtype if rewards.dtype.kind == "f" else np.float64),
        _following(data, last + 1, which),
        terminated,
        data.columns["truncated"][last],
        np.where(terminated, 0, factor).astype(np.float32),
    )


def windows(data: "Dataset", index: np.ndarray, length: int) -> Windows:
    """Pieces of trajectories that begin at given steps.

    Args:
        data: where from.
        index: (B,) numbers of steps, as `Dataset.draw` gives them.
        length: K, at least 1.

    Raises:
        ValueError: `length` out of range.
    """
    if length < 1:
        raise ValueError(f"the length of a window is {length}, expected at least 1")
    first, which = data.rows(index)
    rows = first[:, None] + np.arange(length)
    ends = data.starts[which] + data.lengths[which]
    mask = rows < ends[:, None]
    inside = np.minimum(rows, ends[:, None] - 1)

    def piece(name: str) -> np.ndarray:
        values = data.scaled(name, data.columns[name][inside])
        values[~mask] = np.zeros((), values.dtype)
        return values

    names = [*_columns(data, "observations"), *_columns(data, "actions")]
    found = {name: piece(name) for name in names}
    togo = _returns_to_go(data)[inside]
    togo[~mask] = 0
    return Windows(
        tree(found, "observations"),
        tree(found, "actions"),
        piece("rewards"),
        togo,
        piece("terminated"),
        piece("truncated"),
        np.where(mask, rows - data.starts[which][:, None], 0),
        mask,
    )


def _returns_to_go(data: "Dataset") -> np.ndarray:
    """(N, ...) float32, sum of the rewards from each row of the dataset to the end of its episode; computed once."""
    known = data.derived.get("returns_to_go")
    if known is None:
        rewards, offsets = data.columns["rewards"], data.columns["offsets"]
        before = np.concatenate([np.zeros((1, *rewards.shape[1:])), np.cumsum(rewards, axis=0, dtype=np.float64)])
        ends = np.repeat(before[offsets[1:]], np.diff(offsets), axis=0)
        known = data.derived["returns_to_go"] = (ends - before[:-1]).astype(np.float32)
    return known


def moments(data: "Dataset", column: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of a column over the chosen episodes, float64, in two passes over pieces of it.

    Args:
        data: says which episodes.
        column: (N, ...) numbers.
    """
    row_bytes = column.dtype.itemsize * int(np.prod(column.shape[1:]))
    whole = len(data.chosen) == data.manifest.episodes

    def pieces():
        for piece in blocks(len(data), row_bytes):
            rows = piece if whole else data.rows(np.arange(piece.start, piece.stop))[0]
            yield column[rows].astype(np.float64)

    mean = sum(piece.sum(axis=0) for piece in pieces()) / len(data)
    variance = sum(((piece - mean) ** 2).sum(axis=0) for piece in pieces()) / len(data)
    return np.asarray(mean), np.sqrt(variance)


@dataclass(frozen=True)
class GoalBatch:
    """Transitions with goals chosen in hindsight (Andrychowicz et al., 2017, arXiv 1707.01495).

    Attributes:
        transitions: what happened; its rewards and flags are those of the data.
        goals: (B, ...), what is to be reached.
        rewards: (B,) float32, for these goals.
        masks: (B,) float32, 0 where the goal is reached, so that the future has no value, else 1.
        actor_goals: (B, ...), goals for the policy's loss.
    """

    transitions: Batch
    goals: np.ndarray
    rewards: np.ndarray
    masks: np.ndarray
    actor_goals: np.ndarray


class GoalSampler:
    """Draws transitions and goals: the state itself, a later state of the episode, or a state of any episode.

    The default shares are those of OGBench (Park et al., 2025, arXiv 2410.20092) for values; the actor's goals are
    later states, drawn uniformly.

    Args:
        data: where from.
        current: share of goals that are the state that the transition leads to.
        future: share of goals that are later states of the episode.
        geometric: later states are drawn from a geometric distribution with the discount, cut at the end of the
            episode; else uniformly.
        gamma: the discount.
        actor_random: share of the actor's goals that are states of any episode; 0.5 for data to be stitched.
        key: column of the states that are goals; by default what the environment calls the achieved goal, else all of
            the observation.
        parts: of that column's numbers those that are the goal, where they are vectors; all by default.
        tolerance: a goal is reached within this Euclidean distance.
        reward: ``"negative"`` for -1 a step until the goal is reached, ``"sparse"`` for 1 where it is.

    Raises:
        ValueError: shares out of range, or no such column.
    """

    def __init__(
        self,
        data: "Dataset",
        *,
        current: float = 0.2,
        future: float = 0.5,
        geometric: bool = True,
        gamma: float = 0.99,
        actor_random: float = 0.0,
        key: str | None = None,
        parts: slice = slice(None),
        tolerance: float = 0.0,
        reward: Literal["negative", "sparse"] = "negative",
    ):
        if min(current, future, actor_random) < 0 or current + future > 1 or actor_random > 1:
            raise ValueError(f"shares are {current}, {future} and {actor_random}, expected numbers that add up to 1")
        if geometric and not 0 < gamma < 1:
            raise ValueError(f"gamma is {gamma}, expected a number above 0 and below 1")
        if reward not in ("negative", "sparse"):
            raise ValueError(f"reward is {reward!r}, expected 'negative' or 'sparse'")
        achieved = "observations.achieved_goal"
        self._key = key or (achieved if achieved in data.columns else "observations")
        if self._key not in data.columns or not self._key.startswith("observations"):
            raise ValueError(f"{data.manifest.id} has no observation column {self._key!r} to take goals from")
        if data.columns[self._key].dtype.kind not in "fiu":
            raise ValueError(f"{self._key} holds no numbers")
        self._data, self._shares = data, (current, current + future)
        self._geometric, self._gamma, self._actor_random = geometric, gamma, actor_random
        self._parts = parts
        self._tolerance, self._negative = tolerance, reward == "negative"

    def batch(self, size: int, rng: np.random.Generator) -> GoalBatch:
        """Draw transitions and a goal for each.

        Args:
            size: how many.
            rng: from which everything is drawn.
        """
        data = self._data
        rows, which = data.rows(data.draw(size, rng))
        ends = data.starts[which] + data.lengths[which]
        kind = rng.random(size)
        later = self._later(rows, ends, rng, self._geometric)
        others = data.rows(data.draw(size, rng))
        goal_rows = np.where(kind < self._shares[0], rows + 1, np.where(kind < self._shares[1], later, others[0] + 1))
        of = np.where(kind < self._shares[1], which, others[1])
        goals = self._states(goal_rows, of)
        actor_any = rng.random(size) < self._actor_random
        strangers = data.rows(data.draw(size, rng))
        actor_rows = np.where(actor_any, strangers[0] + 1, self._later(rows, ends, rng, False))
        actor_goals = self._states(actor_rows, np.where(actor_any, strangers[1], which))
        gap = (self._states(rows + 1, which).astype(np.float64) - goals).reshape(size, -1)
        reached = np.linalg.norm(gap, axis=1) <= self._tolerance
        rewards = reached.astype(np.float32) - np.float32(self._negative)
        return GoalBatch(transitions(data, rows, which), goals, rewards, (~reached).astype(np.float32), actor_goals)

    def _later(self, rows: np.ndarray, ends: np.ndarray, rng: np.random.Generator, geometric: bool) -> np.ndarray:
        """Rows of states after these steps, up to `ends`, which stands for the final observation."""
        if geometric:
            return np.minimum(rows + rng.geometric(1 - self._gamma, len(rows)), ends)
        return rng.integers(rows + 1, ends + 1)

    def _states(self, rows: np.ndarray, which: np.ndarray) -> np.ndarray:
        found = _following(self._data, rows, which)
        for part in self._key.split(".")[1:]:
            found = found[part]
        return found if self._parts == slice(None) else found[..., self._parts]
