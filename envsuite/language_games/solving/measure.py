"""How far a player is from an equilibrium: a number for every policy, with an interval where it was only sampled."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from envsuite.agents.onnx.policy import OnnxPolicy
from envsuite.language_games.pig.world import PigWorld
from envsuite.language_games.solving import pig
from envsuite.language_games.solving.tree import Tree, unfold
from envsuite.language_games.solving.values import check_profile, exploitability, profile_of
from envsuite.language_games.turns import TurnWorld

_RESAMPLES = 200


@dataclass(frozen=True)
class Measured:
    """A player's distance from an equilibrium.

    Attributes:
        exploitability: half of NashConv, in chips, or in games won less games lost.
        low: lower end of its interval; the number itself where the policy is known exactly.
        high: upper end.
        samples: answers in each information set; 0 where the policy is known exactly.
    """

    exploitability: float
    low: float
    high: float
    samples: int


def measure(world: TurnWorld, policy: Any, *, samples: int = 100, confidence: float = 0.95, seed: int = 0) -> Measured:
    """Compute a player's exploitability.

    Args:
        world: the game, small enough to be unfolded, or Pig.
        policy: a function from observations (m, *O) of players to move to probabilities (m, choices); a network; or any
            other `envsuite.agents.policy.Policy`, whose moves are counted.
        samples: how often a policy whose moves are counted is asked in each information set. Counts of few samples are
            more exploitable than what they were drawn from.
        confidence: of the interval, by resampling the counts.
        seed: of the sampled policy's draws and of resampling.

    Raises:
        ValueError: illegal moves, a network with a memory, no samples, or a game that is too large.
    """
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 1:
        raise ValueError(f"samples is {samples!r}, expected a whole number of at least 1")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence!r}, expected a number between 0 and 1")
    known = network_policy(policy) if isinstance(policy, OnnxPolicy) else None if hasattr(policy, "act") else policy
    if isinstance(world, PigWorld):
        if known is None:
            raise ValueError(f"{policy!r} gives moves alone, expected a network or a function of probabilities for Pig")
        found = pig.exploitability(pig.player_of(known, world.target), world.target)
        return Measured(found, found, found, 0)
    tree = unfold(world)
    if known is not None:
        found = exploitability(tree, profile_of(tree, known))
        return Measured(found, found, found, 0)
    shares = check_profile(tree, sampled(tree, policy, samples, seed))
    draw = np.random.default_rng(seed)
    again = [exploitability(tree, draw.multinomial(samples, shares) / samples) for _ in range(_RESAMPLES)]
    low, high = np.quantile(again, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Measured(exploitability(tree, shares), float(low), float(high), samples)


def network_policy(network: OnnxPolicy) -> Callable[[np.ndarray], np.ndarray]:
    """The probabilities of a network's moves, without drawing any.

    Args:
        network: without a memory, that chooses among actions.

    Raises:
        ValueError: it has a memory, or gives numbers instead of choices.
    """
    action = network.interface.action
    if network.remembers or action.kind not in ("argmax", "sample"):
        kind = "a memory" if network.remembers else f"actions of the kind {action.kind!r}"
        raise ValueError(f"the network has {kind}, expected one without a memory that chooses among moves")
    port = network.program.inputs[network.interface.observation]

    def probabilities(observations: np.ndarray) -> np.ndarray:
        logits = network.program.run(**{port.name: np.asarray(observations, port.dtype)})[network.interface.output]
        logits = np.asarray(logits, np.float64).reshape(len(observations), -1)
        if action.kind == "argmax":
            return (logits.argmax(axis=1)[:, np.newaxis] == np.arange(logits.shape[1])).astype(np.float64)
        weights = np.exp((logits - logits.max(axis=1, keepdims=True)) / action.temperature)
        return weights / weights.sum(axis=1, keepdims=True)

    return probabilities


def sampled(tree: Tree, policy: Any, samples: int, seed: int = 0) -> np.ndarray:
    """Shares of a policy's moves in each information set, (sets, choices).

    The policy is asked without a past, and is not shown the record of the game.

    Args:
        tree: the game.
        policy: a `envsuite.agents.policy.Policy`, asked as both agents.
        samples: times.
        seed: the first one that its slots are told.
    """
    sets, choices = tree.legal.shape
    counts, rows = np.zeros((sets, choices)), np.arange(sets)
    seen = np.repeat(tree.seen[:, np.newaxis], 2, axis=1)
    for k in range(samples):
        policy.reset(np.ones(sets, np.bool_), seed + k * sets + rows)
        counts[rows, np.asarray(policy.act(seen, np.zeros(sets, np.void)))[:, 0]] += 1
    return counts / samples
