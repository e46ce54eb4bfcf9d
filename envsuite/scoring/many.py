"""Many methods on the same tasks: all pairs, Holm's correction, groups of ties, rank groups."""

import itertools
import math
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from envsuite.scoring.intervals import check_confidence
from envsuite.scoring.layout import Layout, Scores, to_layout
from envsuite.scoring.metrics import KINDS, interquartile_mean, known_kind, optimality_gap
from envsuite.scoring.pairwise import DRAWS, Comparison, compare
from envsuite.scoring.resampling import RESAMPLES, Plan, bootstrap


@dataclass(frozen=True)
class Comparisons:
    """All pairs of methods.

    Attributes:
        methods: names, best first.
        values: metric of each method.
        pairs: comparison of (better, worse) for each pair in the order of `methods`.
        adjusted: p-value of each pair after Holm's step-down correction over all pairs.
        letters: of each method; methods that share a letter are not separated.
        ranks: rank group of each method, from 1; a group holds what is not separated from its best.
        confidence: level of intervals and of separation.
    """

    methods: tuple[str, ...]
    values: dict[str, float]
    pairs: dict[tuple[str, str], Comparison]
    adjusted: dict[tuple[str, str], float]
    letters: dict[str, str]
    ranks: dict[str, int]
    confidence: float

    def separated(self, first: str, second: str) -> bool:
        """Whether two methods differ at the level after correction."""
        pair = (first, second) if (first, second) in self.adjusted else (second, first)
        return self.adjusted[pair] <= 1 - self.confidence


def compare_all(
    scores: Mapping[str, Scores],
    metric: Callable[..., Any] = interquartile_mean,
    *,
    paired: bool = False,
    maximise: bool | None = None,
    confidence: float = 0.95,
    draws: int | None = None,
    seed: int = 0,
    **options: Any,
) -> Comparisons:
    """Compare all pairs of methods; the family of the correction is all pairs of this call.

    Args:
        scores: at least two methods by name, on the same tasks, without checkpoints.
        metric: see `bootstrap_interval`.
        paired: run n of every method has the same seed.
        maximise: whether higher is better; by default all but the optimality gap.
        confidence: of intervals, and 1 minus the level of separation.
        draws: see `permutation_test`; by default 10,000, or 4 P / (1 - confidence) if that is more, since with P pairs
            a quarter of it is needed to separate any.
        seed: of everything random.
        **options: more for `difference`.

    Raises:
        ValueError: fewer than two methods, or bad scores.
    """
    if len(scores) < 2:
        raise ValueError(f"{len(scores)} methods, expected at least 2 to compare")
    check_confidence(confidence)
    layouts: dict[str, Layout] = {name: to_layout(each) for name, each in scores.items()}
    sign = _sign(metric, maximise)
    values = {name: float(metric(layout.array())) for name, layout in layouts.items()}
    methods = tuple(sorted(values, key=lambda name: sign * values[name]))
    if draws is None:
        draws = max(DRAWS, math.ceil(2 * len(methods) * (len(methods) - 1) / (1 - confidence)))
    pairs = {
        (first, second): compare(
            layouts[first],
            layouts[second],
            metric,
            paired=paired,
            draws=draws,
            seed=seed,
            confidence=confidence,
            **options,
        )
        for first, second in itertools.combinations(methods, 2)
    }
    corrected = holm([pair.p_value for pair in pairs.values()])
    adjusted = dict(zip(pairs, (float(p) for p in corrected), strict=True))
    tied = {pair for pair, p in adjusted.items() if p > 1 - confidence}
    return Comparisons(
        methods, values, pairs, adjusted, tie_letters(methods, tied), rank_groups(methods, tied), confidence
    )


def holm(p_values: Sequence[float]) -> np.ndarray:
    """Step-down adjusted p-values of Holm (1979): the i-th smallest of P times P - i + 1, never falling, at most 1.

    Args:
        p_values: (P,) numbers in [0, 1].

    Raises:
        ValueError: a p-value outside [0, 1].
    """
    values = np.asarray(p_values, np.float64)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"p-values {p_values}, expected numbers in [0, 1]")
    order = np.argsort(values, kind="stable")
    stepped = np.minimum(1.0, np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1)))
    result = np.empty_like(values)
    result[order] = stepped
    return result


def tie_letters(methods: Sequence[str], tied: set[tuple[str, str]]) -> dict[str, str]:
    """Compact letter display (Piepho 2004): two methods share a letter if and only if they are tied.

    Args:
        methods: names, best first.
        tied: pairs that are not separated, in either order.

    Returns:
        Letters of each method; there are as many letters as largest groups in which all pairs are tied.
    """
    place = {name: k for k, name in enumerate(methods)}
    groups = [sorted(group, key=place.__getitem__) for group in _tied_groups(methods, tied)]
    groups.sort(key=lambda group: [place[name] for name in group])
    names = [letter * (1 + k) for k in range(1 + len(groups) // 26) for letter in string.ascii_lowercase]
    return {
        name: "".join(letter for letter, group in zip(names, groups, strict=False) if name in group) for name in methods
    }


def _tied_groups(methods: Sequence[str], tied: set[tuple[str, str]]) -> list[list[str]]:
    """The largest groups in which all pairs are tied (Bron and Kerbosch 1973, with pivot)."""
    near = {name: {b if a == name else a for a, b in tied if name in (a, b)} for name in methods}
    groups: list[list[str]] = []

    def grow(group: list[str], candidates: list[str], done: set[str]) -> None:
        if not candidates and not done:
            groups.append(group)
            return
        pivot = max([*candidates, *done], key=lambda name: len(near[name].intersection(candidates)))
        for name in [name for name in candidates if name not in near[pivot]]:
            grow([*group, name], [other for other in candidates if other in near[name]], done & near[name])
            candidates = [other for other in candidates if other != name]
            done = done | {name}

    grow([], list(methods), set())
    return groups


def rank_groups(methods: Sequence[str], tied: set[tuple[str, str]]) -> dict[str, int]:
    """Rank groups: the best that is left, with all that are left and not separated from it, and so on.

    Args:
        methods: names, best first.
        tied: pairs that are not separated, in either order.

    Returns:
        Number of each method's group, from 1.
    """
    ranks: dict[str, int] = {}
    for best in methods:
        if best in ranks:
            continue
        rank = 1 + max(ranks.values(), default=0)
        for name in methods:
            if name not in ranks and (name == best or (best, name) in tied or (name, best) in tied):
                ranks[name] = rank
    return ranks


def rank_shares(
    scores: Mapping[str, Scores],
    metric: Callable[..., Any] = interquartile_mean,
    *,
    maximise: bool | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    threads: int = 1,
) -> np.ndarray:
    """How often each method takes each rank in resamples of all methods; for `plots.matrix`.

    Args:
        scores: methods by name, on the same tasks, without checkpoints.
        metric: see `bootstrap_interval`.
        maximise: see `compare_all`.
        resamples: number of resamples; every method is drawn independently.
        seed: of the resampling.
        threads: see `bootstrap_interval`.

    Returns:
        (methods, ranks) shares; every row and every column adds up to 1. Equal values share their ranks.
    """
    plan = Plan(resamples, seed, threads=threads)
    draws = [bootstrap(metric, to_layout(each), plan, side).draws for side, each in enumerate(scores.values())]
    table = -_sign(metric, maximise) * np.array(draws)
    if table.ndim != 2:
        raise ValueError(f"draws have shape {table.shape}, expected (methods, resamples): scores of one checkpoint")
    better = (table[None] > table[:, None]).sum(axis=1)
    equal = (table[None] == table[:, None]).sum(axis=1)  # itself included
    ranks = np.arange(len(table))[:, None, None]
    return (((ranks >= better) & (ranks < better + equal)) / equal).mean(axis=2).T


def _sign(metric: Callable[..., Any], maximise: bool | None) -> float:
    """-1 where higher is better, so that sorting puts the best first."""
    known = known_kind(metric)
    return -1.0 if maximise or (maximise is None and (known is None or known[0] != KINDS[optimality_gap])) else 1.0
