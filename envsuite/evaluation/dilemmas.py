"""Everybody against everybody in a game of two that is no contest: social dilemmas."""

from collections.abc import Sequence

import numpy as np

from envsuite.cards import EnvCard
from envsuite.evaluation.rollout import PolicyMaker, play


def payoffs(card: EnvCard, players: Sequence[PolicyMaker], games: int, *, rounds: int = 1) -> np.ndarray:
    """What each player gets against each, itself included, on the evaluation seeds.

    All pairs play the same seeds; the row's player sits on the first side in half of them.
    `envsuite.scoring.cross_play` and its neighbours say what the numbers mean.

    Args:
        card: an environment of two agents with one reward each.
        players: one or more.
        games: of each pair; even, so that both sit equally often on either side.
        rounds: of a game, by which payoffs are divided.

    Returns:
        (games, players, players) float64, of the row's player against the column's.

    Raises:
        ValueError: a number that is out of range, or an environment of another kind.
    """
    if games < 2 or games % 2:
        raise ValueError(f"games is {games}, expected an even number from 2 on")
    if rounds < 1:
        raise ValueError(f"rounds is {rounds}, expected at least 1")
    found = np.zeros((games, len(players), len(players)))
    for i, one in enumerate(players):
        for j, other in enumerate(players):
            found[:, i, j] = play(card, one, games, against=other).returns / rounds
    return found
