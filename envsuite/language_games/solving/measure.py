"""How far a player is from an equilibrium: a number for every policy, with an interval where it was only sampled."""

from statistics import NormalDist
from typing import Any

import numpy as np

from envsuite.agents.distance import Distance
from envsuite.language_games.experts import first_begins
from envsuite.language_games.pig.world import PigWorld
from envsuite.language_games.solving import pig
from envsuite.language_games.solving.tree import Tree, unfold
from envsuite.language_games.solving.values import (
    best_response,
    check_profile,
    exploitability,
    meeting,
    profile_of,
    value,
)
from envsuite.language_games.turns import TurnWorld

_SAMPLES = 100
_ROUNDING = 1e-12
"""Sums of gains that should cancel out leave less than this."""
_RESAMPLES = 50


def measure(
    world: TurnWorld, policy: Any, *, samples: int | None = None, confidence: float = 0.95, seed: int = 0
) -> Distance:
    """Compute a player's exploitability.

    Args:
        world: the game, small enough to be unfolded, or Pig.
        policy: a function from observations (m, *O) of players to move to probabilities (m, choices), or a
            `envsuite.agents.policy.Policy`. One that tells no probabilities has its moves counted.
        samples: how often to ask in each information set, even if probabilities are told; by default 100 times where
            they are not. Counts of few samples are more exploitable than what they were drawn from.
        confidence: of the interval, by resampling the counts.
        seed: of the policy's draws and of resampling.

    Raises:
        ValueError: illegal moves, a network with a memory, no samples, or a game that is too large.
    """
    if samples is not None and (isinstance(samples, bool) or not isinstance(samples, int) or samples < 2):
        raise ValueError(f"samples is {samples!r}, expected a whole number of at least 2")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence!r}, expected a number between 0 and 1")
    known = getattr(policy, "probabilities", None) if hasattr(policy, "act") else policy
    if samples is not None and hasattr(policy, "act"):
        known = None
    if isinstance(world, PigWorld):
        if known is None:
            raise ValueError(f"moves of {policy!r} are to be counted, expected one that tells probabilities for Pig")
        uniform = pig.exploitability(np.full((world.target, world.target, 2 * world.target), 0.5), world.target)
        return _exact(pig.exploitability(pig.player_of(known, world.target), world.target), uniform)
    tree = unfold(first_begins(world))
    uniform = exploitability(tree, tree.uniform)
    if known is not None:
        return _exact(exploitability(tree, profile_of(tree, known)), uniform)
    return _counted(tree, policy, samples or _SAMPLES, NormalDist().inv_cdf((1 + confidence) / 2), seed, uniform)


def _exact(found: float, uniform: float) -> Distance:
    found = next((end for end in (0.0, uniform) if abs(found - end) <= _ROUNDING), found)
    return Distance(found, found, found, 0, uniform)


def _counted(tree: Tree, policy: Any, samples: int, errors: float, seed: int, uniform: float) -> Distance:
    """Of shares of moves, with an interval.

    Shares are on average more exploitable than what they were drawn from, which therefore lies below the upper end. A
    best answer to one half of the moves gains against the other half on average what it gains against the policy, which
    is no more than the policy's exploitability: so the lower end.

    Args:
        tree: the game.
        policy: see `sampled`.
        samples: at least 2.
        errors: standard errors from the estimates to the ends.
        seed: see `measure`.
        uniform: see `Distance`.
    """
    sizes = np.array([samples // 2, samples - samples // 2])
    halves = [check_profile(tree, sampled(tree, policy, sizes[k], seed + k)) for k in (0, 1)]
    answers = [[best_response(tree, half, player)[1] for player in (0, 1)] for half in halves]

    def both(shares: list[np.ndarray]) -> tuple[float, float]:
        whole = (sizes[0] * shares[0] + sizes[1] * shares[1]) / samples
        gains = [
            value(tree, meeting(tree, first, other)) - value(tree, meeting(tree, other, second))
            for (first, second), other in zip(answers, reversed(shares), strict=True)
        ]
        return sum(gains) / 4, exploitability(tree, whole)

    draw = np.random.default_rng(seed)
    resampled = [
        both([draw.multinomial(n, half) / n for n, half in zip(sizes, halves, strict=True)]) for _ in range(_RESAMPLES)
    ]
    under, over = both(halves)
    spread = errors * np.std(resampled, axis=0, ddof=1)
    return Distance(over, max(0.0, under - float(spread[0])), over + float(spread[1]), samples, uniform)


def sampled(tree: Tree, policy: Any, samples: int, seed: int = 0) -> np.ndarray:
    """Shares of a policy's moves in each information set, (sets, choices).

    The policy is asked without a past, and is not shown the record of the game.

    Args:
        tree: the game.
        policy: a `envsuite.agents.policy.Policy`, asked as both agents.
        samples: times.
        seed: others for other draws.
    """
    sets, choices = tree.legal.shape
    counts, rows = np.zeros((sets, choices)), np.arange(sets)
    seen = np.repeat(tree.seen[:, np.newaxis], 2, axis=1)
    for k in range(samples):
        policy.reset(np.ones(sets, np.bool_), (seed * samples + k) * sets + rows)
        counts[rows, np.asarray(policy.act(seen, np.zeros(sets, np.void)))[:, 0]] += 1
    return counts / samples
