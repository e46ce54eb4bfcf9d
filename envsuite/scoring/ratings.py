"""Ratings from games: Bradley-Terry for tables, Elo and Glicko-2 for streams.

Ratings are on the scale of Elo: 400 points more are odds of 10 to 1. A rating on one line cannot show cycles, so the
win matrix belongs beside it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from envsuite.scoring.episodes import wilson
from envsuite.scoring.intervals import Estimate, check_confidence, interval
from envsuite.scoring.resampling import Bootstrap, Plan

#: Points of Elo in a unit of natural log-odds.
SCALE = 400 / math.log(10)


def win_matrix(games: Iterable[tuple[str, str, float]], players: Sequence[str]) -> np.ndarray:
    """Points of each player (row) against each other (column): a win is 1, a tie 1/2.

    Args:
        games: (first, second, score of the first in [0, 1]).
        players: all names, in the order of rows.

    Returns:
        (P, P) float64 with zeros on the diagonal; element (i, j) plus (j, i) is the number of their games.

    Raises:
        ValueError: an unknown player, a game with oneself, or a score outside [0, 1].
    """
    place = {name: k for k, name in enumerate(players)}
    points = np.zeros((len(place), len(place)))
    for first, second, score in games:
        if first not in place or second not in place or first == second:
            raise ValueError(f"game of {first!r} and {second!r}, expected two of {', '.join(map(repr, players))}")
        if not 0 <= score <= 1:
            raise ValueError(f"score of {first!r} against {second!r} is {score}, expected a number in [0, 1]")
        points[place[first], place[second]] += score
        points[place[second], place[first]] += 1 - score
    return points


def win_shares(points: Any) -> np.ndarray:
    """Share of points of each player against each other, (P, P), NaN where they never met."""
    table = _check_points(points)
    total = table + table.T
    return np.divide(table, total, out=np.full(table.shape, np.nan), where=total > 0)


def share_intervals(points: Any, *, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Intervals of `win_shares`, by Wilson (1927).

    A game with a tie varies less than one that is won or lost, so with ties the intervals are wider than they need be.

    Args:
        points: (P, P) win matrix, see `win_matrix`; games must be independent.
        confidence: coverage aimed at, of each element by itself.

    Returns:
        Lower and upper ends, (P, P) each, NaN where they never met. About 400 games make them ± 0.05 at a share of 1/2.

    Raises:
        ValueError: a bad matrix, or a confidence outside (0, 1).
    """
    check_confidence(confidence)
    shares = win_shares(points)
    games = np.asarray(points, np.float64) + np.transpose(points)
    met = games > 0
    low, high = wilson(np.where(met, shares, 0.5), np.where(met, games, 1.0), confidence)
    return np.where(met, low, np.nan), np.where(met, high, np.nan)


def bradley_terry(
    points: Any, *, anchor: int | None = None, anchor_rating: float = 1000.0, prior: float = 0.0
) -> np.ndarray:
    """Maximum-likelihood ratings of Bradley and Terry (1952), ties counted half.

    Args:
        points: (P, P) win matrix, see `win_matrix`; play both sides equally often.
        anchor: player whose rating is `anchor_rating`; by default that is the mean of all.
        anchor_rating: see there.
        prior: games added to every pair, half won by each; 0 is the plain likelihood.

    Returns:
        (P,) ratings.

    Raises:
        ValueError: a bad matrix, or no maximum exists because some players never gave a point to the others
            (Ford 1957); a `prior` above 0 then gives finite ratings.
    """
    table = _check_points(points) + prior * 0.5 * (1 - np.eye(len(points)))
    _check_prior(prior)
    linked = _linked(table[None])[0]
    if not linked.all():
        i, j = (int(k) for k in np.argwhere(~linked)[0])
        raise ValueError(
            f"no maximum-likelihood ratings: player {i} has no point against {j}, nor through others; "
            "a prior > 0 gives finite ratings"
        )
    return _anchored(_fit(table[None]), anchor, anchor_rating)[0]


def bradley_terry_intervals(
    points: Any,
    *,
    anchor: int | None = None,
    anchor_rating: float = 1000.0,
    prior: float = 0.0,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> list[Estimate]:
    """Ratings with intervals by the bootstrap over seeds.

    Args:
        points: (S, P, P) win matrix of each seed; all pairs play the same seeds, so seeds are drawn whole.
        anchor: see `bradley_terry`; the anchor's interval has no width.
        anchor_rating: see there.
        prior: see there.
        confidence: coverage aimed at.
        resamples: number of resamples.
        seed: of the resampling.

    Returns:
        One estimate a player.

    Raises:
        ValueError: fewer than two seeds, or no maximum exists in some of the resamples.
    """
    tables = np.asarray(points, np.float64)
    if tables.ndim != 3 or len(tables) < 2:
        raise ValueError(f"points have shape {tables.shape}, expected (seeds >= 2, players, players)")
    check_confidence(confidence)
    for table in tables:
        _check_points(table)
    value = bradley_terry(tables.sum(axis=0), anchor=anchor, anchor_rating=anchor_rating, prior=prior)
    count = len(tables)
    generator = np.random.Generator(np.random.Philox(int(Plan(resamples, seed).key(0))))
    drawn = generator.multinomial(count, np.full(count, 1 / count), size=resamples)
    sums = np.tensordot(drawn.astype(np.float64), tables, axes=1) + prior * 0.5 * (1 - np.eye(tables.shape[1]))
    whole = _linked(sums).all(axis=(1, 2))
    if not whole.all():
        raise ValueError(
            f"no maximum-likelihood ratings in {int((~whole).sum())} of {resamples} resamples, in which some players "
            "never gave a point to the others; a prior > 0 gives finite ratings"
        )
    draws = _anchored(_fit(sums), anchor, anchor_rating)
    boot = Bootstrap(value, draws, count / (count - 1), count - 1, lambda: np.zeros((count, len(value))))
    low, high = interval(boot, "expanded", confidence)
    return [
        Estimate(float(v), float(a), float(b), count, 1, "seed", "expanded", confidence)
        for v, a, b in zip(value, low, high, strict=True)
    ]


def _check_points(points: Any) -> np.ndarray:
    table = np.asarray(points, np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or len(table) < 2:
        raise ValueError(f"win matrix has shape {table.shape}, expected (players, players)")
    if not np.isfinite(table).all() or (table < 0).any() or np.diagonal(table).any():
        raise ValueError("win matrix holds a number below 0, one that is not finite, or games of a player with itself")
    return table


def _check_prior(prior: float) -> None:
    if not 0 <= prior < math.inf:
        raise ValueError(f"prior is {prior}, expected a number >= 0")


def _linked(tables: np.ndarray) -> np.ndarray:
    """(R, P, P) bool: whether i has a point against j, directly or through others."""
    reach = (tables > 0) | np.eye(tables.shape[1], dtype=bool)
    for _ in range(int(np.ceil(np.log2(tables.shape[1])))):
        reach = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
    return reach


def _fit(tables: np.ndarray) -> np.ndarray:
    """Log-strengths (R, P) of mean 0 that maximise the likelihood, by damped Newton steps on all tables at once."""
    count, players = tables.shape[:2]
    games, wins = tables + tables.transpose(0, 2, 1), tables.sum(axis=2)
    strength = np.zeros((count, players))
    for _ in range(200):
        gap = strength[:, :, None] - strength[:, None, :]
        share = 0.5 * (1 + np.tanh(0.5 * gap))
        gradient = wins - (games * share).sum(axis=2)
        weight = games * share * (1 - share)
        hessian = -weight
        hessian[:, range(players), range(players)] = weight.sum(axis=2)
        hessian += 1 / players  # fixes the mean, which the likelihood leaves free
        step = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        size = np.abs(step).max(axis=1, keepdims=True)
        strength += step * np.minimum(1.0, 1.0 / np.maximum(size, 1e-300))
        if size.max() < 1e-12 * max(1.0, float(np.abs(strength).max())):
            break
    return strength - strength.mean(axis=1, keepdims=True)


def _anchored(strength: np.ndarray, anchor: int | None, rating: float) -> np.ndarray:
    if anchor is None:
        return rating + SCALE * strength
    if not 0 <= anchor < strength.shape[1]:
        raise ValueError(f"anchor is {anchor}, expected a player in [0, {strength.shape[1]})")
    return rating + SCALE * (strength - strength[:, [anchor]])


def rating_against(share: float, opponents: Sequence[float]) -> float:
    """The rating at which a mean share of points against opponents is expected, all of them met equally often.

    This is the maximum-likelihood rating of Bradley and Terry (1952) while the ratings of the opponents stand.

    Args:
        share: of all points, in (0, 1).
        opponents: their ratings.

    Raises:
        ValueError: no opponents, or a share that no finite rating explains.
    """
    ratings = np.asarray(opponents, np.float64)
    if not ratings.size or not np.isfinite(ratings).all():
        raise ValueError(f"opponents are {list(opponents)}, expected one finite rating or more")
    if not 0 < share < 1:
        raise ValueError(f"share is {share}, expected a number between 0 and 1: no finite rating explains it")
    alone = SCALE * math.log(share / (1 - share))  # above a single opponent
    low, high = float(ratings.min()) + alone, float(ratings.max()) + alone
    while (middle := (low + high) / 2) not in (low, high):
        expected = np.mean(1 / (1 + np.exp((ratings - middle) / SCALE)))
        low, high = (middle, high) if expected < share else (low, middle)
    return middle


def elo(
    games: Iterable[tuple[str, str, float]],
    *,
    k: float = 32.0,
    initial: float = 1500.0,
    ratings: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """Ratings of Elo after a stream of games; they depend on its order, so tables want `bradley_terry`.

    After a game with score s the first gains ``k (s - E)``, ``E = 1 / (1 + 10^((R_second - R_first) / 400))``, which
    the second loses.

    Args:
        games: (first, second, score of the first in [0, 1]), oldest first.
        k: points at stake.
        initial: rating of a player not seen before.
        ratings: ratings before the first game; they are not changed.

    Returns:
        Rating of every player.
    """
    found = dict(ratings or {})
    for first, second, score in games:
        if first == second or not 0 <= score <= 1:
            raise ValueError(f"game of {first!r} and {second!r} with score {score}, expected two players and [0, 1]")
        a, b = found.setdefault(first, initial), found.setdefault(second, initial)
        gain = k * (score - 1 / (1 + 10 ** ((b - a) / 400)))
        found[first], found[second] = a + gain, b - gain
    return found


@dataclass(frozen=True)
class Glicko2:
    """A player's rating in the system of Glickman, "Example of the Glicko-2 system" (2013).

    Attributes:
        rating: on the scale of Elo.
        deviation: its standard deviation; ``rating ± 1.96 deviation`` is a 95 % interval.
        volatility: how much the rating is expected to change by itself.
    """

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    def after(self, games: Sequence[tuple["Glicko2", float]], *, tau: float = 0.5) -> "Glicko2":
        """The rating after one period.

        Args:
            games: (opponent as before the period, own score in [0, 1]) of the period; without any, only the deviation
                grows.
            tau: how much volatilities may change, 0.3 to 1.2.
        """
        mu, phi = (self.rating - 1500) / SCALE, self.deviation / SCALE  # step 2 of Glickman
        if not games:
            return Glicko2(self.rating, SCALE * math.hypot(phi, self.volatility), self.volatility)
        information, gain = 0.0, 0.0
        for other, score in games:  # steps 3 and 4
            if not 0 <= score <= 1:
                raise ValueError(f"score is {score}, expected a number in [0, 1]")
            weight = 1 / math.sqrt(1 + 3 * (other.deviation / SCALE / math.pi) ** 2)
            expected = 1 / (1 + math.exp(-weight * (mu - (other.rating - 1500) / SCALE)))
            information += weight**2 * expected * (1 - expected)
            gain += weight * (score - expected)
        variance = 1 / information
        volatility = _volatility(self.volatility, phi, variance, variance * gain, tau)
        before = math.hypot(phi, volatility)  # step 6
        after = 1 / math.sqrt(1 / before**2 + information)  # step 7
        return Glicko2(1500 + SCALE * (mu + after**2 * gain), SCALE * after, volatility)


def _volatility(sigma: float, phi: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: the root of f by the Illinois algorithm, to 1e-6 as published."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        spread = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - a) / tau**2

    left = a
    if delta**2 > phi**2 + variance:
        right = math.log(delta**2 - phi**2 - variance)
    else:
        k = 1
        while f(a - k * tau) < 0:
            k += 1
        right = a - k * tau
    f_left, f_right = f(left), f(right)
    while abs(right - left) > 1e-6:
        middle = left + (left - right) * f_left / (f_right - f_left)
        f_middle = f(middle)
        if f_middle * f_right <= 0:
            left, f_left = right, f_right
        else:
            f_left /= 2
        right, f_right = middle, f_middle
    return math.exp(left / 2)
