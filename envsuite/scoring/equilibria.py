"""Equilibria of zero-sum games given as matrices: one, the one of greatest entropy, and regret matching."""

from typing import Any

import numpy as np

from envsuite.scoring.games import check_payoff
from envsuite.scoring.optional import need

_STRETCH = 1e4  # a strategy that no equilibrium plays with a probability above 1 / _STRETCH counts as never played
_PRECISE = 1e-6  # of the range of pay-offs: what a best response may gain against the result


def zero_sum_equilibrium(payoff: Any) -> tuple[float, np.ndarray]:
    """Value of a zero-sum game and an optimal mixed strategy of the row player, by linear programming.

    Args:
        payoff: (I, J) utility of the row player.

    Returns:
        The value and (I,) probabilities; where several strategies are optimal, one of them.
    """
    table = check_payoff(payoff)
    rows, columns = table.shape
    goal = np.append(np.zeros(rows), -1.0)
    bounds = [(0, None)] * rows + [(None, None)]
    found = need("scipy.optimize", "scoring").linprog(
        goal,
        A_ub=np.column_stack([-table.T, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None],
        b_eq=[1.0],
        bounds=bounds,
        method="highs",
    )
    if not found.success:
        raise ValueError(f"the linear program was not solved: {found.message}")
    strategy = np.maximum(found.x[:-1], 0.0)
    return float(found.x[-1]), strategy / strategy.sum()


def max_entropy_equilibrium(payoff: Any) -> tuple[float, np.ndarray]:
    """Value of a zero-sum game and, of all optimal strategies of the row player, that of greatest entropy.

    It is unique. For an antisymmetric table of a meta-game these are the weights of Nash averaging (Balduzzi et al.
    2018, "Re-evaluating Evaluation"): copies of a strategy share its weight, and what is dominated gets none.

    A linear program finds a point inside the polytope of optimal strategies; from there the entropy is maximised by
    Newton's method with a logarithmic barrier (Boyd and Vandenberghe 2004, section 11.3).

    Args:
        payoff: (I, J) utility of the row player.

    Returns:
        The value and (I,) probabilities.

    Raises:
        ValueError: not a matrix of finite numbers, or the solver failed.
    """
    table = check_payoff(payoff)
    value, _ = zero_sum_equilibrium(table)
    gain = (table - value) / (float(np.ptp(table)) or 1.0)
    strategy, free = _inside(gain)
    played = strategy > 0
    rows = gain[played]
    ways = need("scipy.linalg", "scoring").null_space(np.vstack([rows[:, ~free].T, np.ones(len(rows))]), rcond=1e-7)
    if ways.shape[1]:
        strategy[played] = _most_entropy(strategy[played], ways, rows[:, free])
    if (strategy @ gain).min() < -_PRECISE:
        raise ValueError(f"the entropy was not maximised to precision: {(strategy @ gain).min()} below the value")
    return value, strategy


def _inside(gain: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A point inside the polytope of optimal strategies of a game of value 0.

    A multiple y of it is sought such that as many of its elements and of its gains as possible are above 0: their sum,
    each cut off at 1, is the largest.

    Returns:
        Probabilities (I,), 0 for rows that no optimal strategy plays; (J,) bool, columns against which some optimal
        strategy gains.
    """
    rows, columns = gain.shape
    parts = np.vstack([gain.T, np.eye(rows)])
    count = len(parts)
    found = need("scipy.optimize", "scoring").linprog(
        np.concatenate([np.zeros(rows + 1), -np.ones(count)]),  # y, its sum, the parts cut off at 1
        A_ub=np.hstack([-parts, np.zeros((count, 1)), np.eye(count)]),
        b_ub=np.zeros(count),
        A_eq=np.concatenate([np.ones(rows), [-1.0], np.zeros(count)])[None],
        b_eq=[0.0],
        bounds=[(0, None)] * rows + [(1, _STRETCH)] + [(0, 1)] * count,
        method="highs",
    )
    if not found.success:
        raise ValueError(f"the linear program was not solved: {found.message}")
    above = found.x[rows + 1 :] > 1e-3
    multiple = np.where(above[columns:], found.x[:rows], 0.0)
    return multiple / multiple.sum(), above[:columns]


def _most_entropy(start: np.ndarray, ways: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """Probabilities of greatest entropy.

    Args:
        start: (S,) inside the polytope.
        ways: (S, D) directions within it.
        gains: (S, F); against each column the gain stays above 0.
    """
    x, slopes = start, gains.T @ ways
    for barrier in 10.0 ** np.arange(-1, -11, -1):
        for _ in range(50):
            slack = x @ gains
            gradient = ways.T @ np.log(x) - slopes.T @ (barrier / slack)
            hessian = (ways.T / x) @ ways + (slopes.T * (barrier / slack**2)) @ slopes
            step = -np.linalg.solve(hessian, gradient)
            decrement = float(-gradient @ step)
            if decrement < 1e-20:
                break
            size = 1.0 if decrement < 0.25 else 1 / (1 + decrement**0.5)
            while min((x + size * ways @ step).min(), (slack + size * slopes @ step).min(initial=np.inf)) <= 0:
                size *= 0.5
            x = x + size * ways @ step
    return x


def regret_matching_plus(payoff: Any, iterations: int = 2000) -> tuple[np.ndarray, np.ndarray]:
    """Approximate equilibrium of a zero-sum game by regret matching+ (Tammelin 2014).

    The players move in turn, regrets are never below 0, and strategies are averaged with weights that grow linearly.

    Args:
        payoff: (I, J) utility of the row player.
        iterations: rounds of both players, at least 1.

    Returns:
        Average strategies (I,) and (J,); `envsuite.scoring.nash_conv` says how far they are from equilibrium.

    Raises:
        ValueError: not a matrix of finite numbers, or no iterations.
    """
    table = check_payoff(payoff)
    if iterations < 1:
        raise ValueError(f"iterations is {iterations}, expected at least 1")
    regrets = [np.zeros(size) for size in table.shape]
    sums = [np.zeros(size) for size in table.shape]
    strategies = [np.full(size, 1 / size) for size in table.shape]
    views = table, -table.T
    for k in range(1, iterations + 1):
        for player in (0, 1):
            utility = views[player] @ strategies[1 - player]
            regrets[player] = np.maximum(regrets[player] + utility - strategies[player] @ utility, 0.0)
            total = regrets[player].sum()
            size = len(utility)
            strategies[player] = regrets[player] / total if total > 0 else np.full(size, 1 / size)
            sums[player] += k * strategies[player]
    return sums[0] / sums[0].sum(), sums[1] / sums[1].sum()
