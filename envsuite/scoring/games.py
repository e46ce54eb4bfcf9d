"""Games as matrices: distance from equilibrium, cycles, alpha-rank."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np


def nash_conv(values: Any, best_responses: Any) -> float:
    """Sum over players of what each gains by its best response (Lanctot et al. 2017); 0 at a Nash equilibrium.

    Args:
        values: (P,) utility of each player under the joint policy.
        best_responses: (P,) utility of each when it alone plays its best response. A response that was trained, not
            solved, gives a lower bound.

    Raises:
        ValueError: unequal shapes, numbers not finite, or a best response worse than the policy itself.
    """
    own, best = np.asarray(values, np.float64), np.asarray(best_responses, np.float64)
    if own.ndim != 1 or own.shape != best.shape or own.size == 0 or not np.isfinite([own, best]).all():
        raise ValueError(f"utilities {own} and best responses {best}, expected two equal vectors of finite numbers")
    gains = best - own
    if (gains < -1e-9 * np.maximum(1.0, np.abs(own))).any():
        player = int(gains.argmin())
        raise ValueError(f"the best response of player {player} is worth {best[player]}, its policy {own[player]}")
    return float(np.maximum(gains, 0.0).sum())


def exploitability(values: Any, best_responses: Any) -> float:
    """`nash_conv` divided by the number of players."""
    return nash_conv(values, best_responses) / len(values)


def matrix_values(payoffs: Sequence[Any], strategies: Sequence[Any]) -> tuple[np.ndarray, np.ndarray]:
    """Utilities and best-response utilities of mixed strategies in a game of two, for `nash_conv`.

    Args:
        payoffs: (A, B), each (I, J): utility of the row and of the column player; for a zero-sum game ``(A, -A)``.
        strategies: (x, y): probabilities (I,) and (J,).
    """
    a, b = (np.asarray(table, np.float64) for table in payoffs)
    x, y = (np.asarray(mix, np.float64) for mix in strategies)
    if a.ndim != 2 or a.shape != b.shape or x.shape != (a.shape[0],) or y.shape != (a.shape[1],):
        raise ValueError(f"payoffs {a.shape}, {b.shape} and strategies {x.shape}, {y.shape} do not fit")
    for mix in (x, y):
        if (mix < 0).any() or abs(mix.sum() - 1) > 1e-9:
            raise ValueError(f"strategy {mix} is no probability distribution")
    return np.array([x @ a @ y, x @ b @ y]), np.array([(a @ y).max(), (x @ b).max()])


def cyclic_share(shares: Any) -> float:
    """How much of a win matrix no rating can show: 0 if one line explains it, 1 if it is a pure cycle.

    With ``r_i = mean_j logit P_ij``: ``1 - Σ (r_i - r_j)² / Σ logit(P_ij)²`` (Hodge decomposition, Jiang et al. 2011).

    Args:
        shares: (P, P) shares of points in (0, 1), ``P_ij + P_ji = 1``; the diagonal is ignored.
    """
    table = np.asarray(shares, np.float64).copy()
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise ValueError(f"win matrix has shape {table.shape}, expected (players, players)")
    np.fill_diagonal(table, 0.5)
    if not ((table > 0) & (table < 1)).all() or not np.allclose(table + table.T, 1.0, atol=1e-9):
        raise ValueError("shares of points lie not in (0, 1), or those of two players do not add up to 1")
    logit = np.log(table / (1 - table))
    strength = logit.mean(axis=1)
    energy = float((logit**2).sum())
    return 1 - float(((strength[:, None] - strength) ** 2).sum()) / energy if energy else 0.0


def alpha_rank(payoffs: Any, *, alpha: float | None = None, population: int = 50) -> np.ndarray:
    """Ranking of strategies by evolution, Omidshafiei et al., "α-Rank: Multi-Agent Evaluation by Evolution" (2019).

    A population that plays one joint strategy goes over to another, which differs in one player's strategy, with the
    probability that a single mutant takes over; the result is the stationary distribution of that Markov chain.

    Args:
        payoffs: (S, S): utility of the row against the column, one population of a symmetric game; or a sequence of K
            arrays (S_1, ..., S_K), utility of each of K players, one population each.
        alpha: ranking intensity, above 0; by default it is doubled until the distribution stays the same.
        population: individuals in each population.

    Returns:
        (S,) or (S_1, ..., S_K): share of time spent at each strategy or joint strategy.
    """
    if population < 2:
        raise ValueError(f"population is {population}, expected at least 2")
    moves, shape = _moves(payoffs)
    count = math.prod(shape)
    gains = np.array([abs(gain) for _, _, gain, _ in moves if gain != 0])
    if alpha is not None:
        if not 0 < alpha < math.inf:
            raise ValueError(f"alpha is {alpha}, expected a finite number above 0")
        return _ranked(moves, count, alpha, population).reshape(shape)
    if len(gains) == 0:
        return _ranked(moves, count, 1.0, population).reshape(shape)
    alpha = 50 / float(gains.min())  # from here on every mutant that gains at all takes over: exp(-50) < 1e-21
    found = _ranked(moves, count, alpha, population)
    for _ in range(60):
        alpha *= 2
        last, found = found, _ranked(moves, count, alpha, population)
        if np.abs(found - last).max() < 1e-9:
            break
    return found.reshape(shape)


def check_payoff(payoff: Any) -> np.ndarray:
    """The pay-offs as a matrix of finite numbers.

    Raises:
        ValueError: they are none.
    """
    table = np.asarray(payoff, np.float64)
    if table.ndim != 2 or table.size == 0 or not np.isfinite(table).all():
        raise ValueError(f"payoffs have shape {table.shape}, expected a matrix of finite numbers")
    return table


def _moves(payoffs: Any) -> tuple[list[tuple[int, int, float, float]], tuple[int, ...]]:
    """Moves (from, to, gain of the mutant, probability that this mutant appears) of the chain, and its shape."""
    if np.ndim(payoffs[0]) > 1:
        tables = [np.asarray(table, np.float64) for table in payoffs]
        shape = tables[0].shape
        if any(table.shape != shape for table in tables) or len(shape) != len(tables):
            raise ValueError(f"payoffs of {len(tables)} players have shapes {[table.shape for table in tables]}")
        if not all(np.isfinite(table).all() for table in tables):
            raise ValueError("payoffs hold a number that is not finite")
        rate = 1 / max(1, sum(size - 1 for size in shape))
        moves = []
        for joint in itertools.product(*(range(size) for size in shape)):
            for player, table in enumerate(tables):
                for other in range(shape[player]):
                    if other != joint[player]:
                        there = (*joint[:player], other, *joint[player + 1 :])
                        gain = float(table[there] - table[joint])
                        moves.append((_flat(joint, shape), _flat(there, shape), gain, rate))
        return moves, shape
    table = check_payoff(payoffs)
    if table.shape[0] != table.shape[1]:
        raise ValueError(f"payoffs have shape {table.shape}, expected (strategies, strategies)")
    count = len(table)
    pairs = itertools.permutations(range(count), 2)
    return [(i, j, float(table[j, i] - table[i, j]), 1 / (count - 1)) for i, j in pairs], (count,)


def _flat(joint: tuple[int, ...], shape: tuple[int, ...]) -> int:
    return int(np.ravel_multi_index(joint, shape))


def _ranked(moves: list[tuple[int, int, float, float]], count: int, alpha: float, population: int) -> np.ndarray:
    chain = np.full((count, count), -np.inf)
    for start, end, gain, rate in moves:
        chain[start, end] = math.log(rate) + _log_fixation(alpha * gain, population)
    return stationary_distribution(chain)


def _log_fixation(x: float, population: int) -> float:
    """Logarithm of the probability (1 - exp(-x)) / (1 - exp(-m x)) that a mutant takes over (1 / m at x = 0)."""
    if x == 0:
        return -math.log(population)
    size = abs(x)
    log_ratio = math.log(-math.expm1(-size)) - math.log(-math.expm1(-population * size))
    return log_ratio if x > 0 else log_ratio - (population - 1) * size


def stationary_distribution(log_rates: Any) -> np.ndarray:
    """Stationary distribution of a Markov chain that can get from everywhere to everywhere.

    By the elimination of Grassmann, Taksar and Heyman (1985), which subtracts nothing, in logarithms: it stays exact
    where probabilities differ by thousands of orders of magnitude.

    Args:
        log_rates: (S, S) logarithms of probabilities or rates, -inf for 0; the diagonal is ignored.

    Returns:
        (S,) probabilities.

    Raises:
        ValueError: a state cannot be left for an earlier one.
    """
    chain = np.array(log_rates, np.float64)
    for k in range(len(chain) - 1, 0, -1):
        total = np.logaddexp.reduce(chain[k, :k])
        if total == -np.inf:
            raise ValueError(f"state {k} of the chain cannot be left for an earlier one")
        chain[:k, k] -= total
        chain[:k, :k] = np.logaddexp(chain[:k, :k], chain[:k, k, None] + chain[k, :k])
    found = np.zeros(len(chain))
    for k in range(1, len(chain)):
        found[k] = np.logaddexp.reduce(found[:k] + chain[:k, k])
    share = np.exp(found - found.max())
    return share / share.sum()
