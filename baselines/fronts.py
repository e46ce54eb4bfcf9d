"""Sets of policies for several objectives: their weights, their evaluation, and what they are worth together."""

import dataclasses
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch

import envsuite
from envsuite.agents.onnx import OnnxPolicy
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import EVALUATION_SEED, Episodes, onnx_player, play
from envsuite.scoring import multiobjective as mo

SELECTION_SEED = 5 * 10**8
"""Episodes that choose weights have seeds from here on, which neither training nor evaluation uses."""
UTILITIES = {1: 1, 2: 100, 3: 13, 4: 8}
"""Divisions of the weights of the expected utility, by number of objectives: some hundred weights."""


def weight_vectors(config: Any, size: int) -> np.ndarray:
    """Weights (policies, size) that the settings ask for.

    Args:
        config: with ``weights`` and ``divisions``, see `mappo.MAPPOConfig`.
        size: number of objectives.

    Raises:
        ValueError: both are set, weights are negative, of another size, or have another sum than 1, or there is one
            objective and settings for several.
    """
    if size == 1 and (config.divisions or config.reference):
        raise ValueError(
            f"divisions is {config.divisions} and reference {config.reference}, expected 0 and (): {config.env_id} has "
            "one objective"
        )
    if config.divisions:
        if config.weights:
            raise ValueError(f"divisions is {config.divisions}, expected 0 beside weights {config.weights}")
        return mo.simplex_weights(size, config.divisions)
    weights = config.weights or ((1.0 / size,) * size,)
    if any(len(one) != size or min(one) < 0 or not np.isclose(sum(one), 1.0) for one in weights):
        raise ValueError(f"weights are {weights}, expected vectors of {size} numbers from 0 on with the sum 1")
    return np.array(weights, np.float64)


def units_of(config: Any, size: int) -> torch.Tensor:
    """What rewards are divided by before they are weighed, (size,).

    Raises:
        ValueError: not so many, or one that is not positive.
    """
    units = config.units or (1.0,) * size
    if len(units) != size or min(units) <= 0:
        raise ValueError(f"units are {units}, expected {size} positive numbers")
    return torch.tensor(units, dtype=torch.float32)


def evaluate_policies(
    config: Any,
    policies: Iterable[tuple[OnnxPolicy, torch.Tensor]],
    first_seed: int = EVALUATION_SEED,
) -> Episodes:
    """Each policy on the same seeds.

    Args:
        config: with ``env_id``, ``units`` and ``episodes`` (of each policy).
        policies: with their weights (k,).
        first_seed: of the episodes.

    Returns:
        Returns are weighted sums in the units of the settings; the metrics hold each objective's return, and
        ``policy``, which one played.
    """
    card, parts = envsuite.card(config.env_id), []
    units = units_of(config, max(1, len(card.objectives))).double().cpu().numpy()
    for k, (policy, weights) in enumerate(policies):
        one = play(card, onnx_player(policy), config.episodes, first_seed=first_seed)
        metrics = one.metrics | {"policy": np.full(len(one.returns), k)}
        if card.objectives:
            metrics |= dict(zip(card.objectives, one.returns.T, strict=True))
            one = dataclasses.replace(one, returns=one.returns / units @ weights.double().cpu().numpy())
        parts.append(dataclasses.replace(one, metrics=metrics))
    return Episodes.join(parts)


def vectors(env_id: str, episodes: Episodes) -> np.ndarray:
    """Mean returns (policies, k) of an agent, of what `evaluate_policies` gave."""
    card = envsuite.card(env_id)
    which = episodes.metrics["policy"]
    table = np.stack([episodes.metrics[name] for name in card.objectives], 1) / card.agents
    return np.stack([table[which == k].mean(0) for k in range(int(which.max()) + 1)])


def front_numbers(config: Any, episodes: Episodes) -> dict[str, float]:
    """What is logged of a set of policies: the vector of each, and metrics of the set.

    Args:
        config: with ``env_id`` and ``reference``.
        episodes: of `evaluate_policies`.

    Returns:
        ``<objective>_<policy>``; ``cardinality`` and ``expected_utility``; ``hypervolume`` where there is a reference
        point; and where the world knows its front ``igd_plus``, ``utility_loss`` and ``hypervolume_share``, of the
        front's own hypervolume. Nothing for scalar rewards.
    """
    card = envsuite.card(config.env_id)
    if not card.objectives:
        return {}
    points = vectors(config.env_id, episodes)
    found = {f"{name}_{k}": float(one[j]) * card.agents for k, one in enumerate(points)
             for j, name in enumerate(card.objectives)}  # fmt: skip
    weights = mo.simplex_weights(points.shape[1], UTILITIES.get(points.shape[1], 3))
    found |= {"cardinality": mo.cardinality(points), "expected_utility": mo.expected_utility(points, weights)}
    known = known_front(config.env_id)
    if known is not None:
        found["igd_plus"] = mo.inverted_generational_distance_plus(points, known)
        found["utility_loss"] = mo.maximum_utility_loss(points, known, weights)
    if len(config.reference):
        found["hypervolume"] = mo.hypervolume(points, config.reference)
        if known is not None:
            found["hypervolume_share"] = found["hypervolume"] / mo.hypervolume(known, config.reference)
    return found


def known_front(env_id: str) -> np.ndarray | None:
    """The exact front of an agent's mean return vector (points, k); None where the world does not know it."""
    card = envsuite.card(env_id)
    world: Any = make_world(card.world, **card.options)
    try:
        return world.known_front() if hasattr(world, "known_front") else None
    except ValueError:  # of some of its games only
        return None
