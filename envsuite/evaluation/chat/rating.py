"""Ratings of language agents, from games against each other and against computer players."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from envsuite.core.companions import Referee, companion
from envsuite.core.world import make_world
from envsuite.evaluation.chat.scoring import Scores
from envsuite.scoring import Estimate, bradley_terry_intervals

PRIOR = 1.0
"""Games added to every pair, half won by each: ratings stay finite for who wins or loses all."""


@dataclass(frozen=True)
class Game:
    """One finished game.

    Attributes:
        seed: of the episode.
        first: a model, or a computer player.
        second: likewise.
        share: of points of the first: 1, 1/2 for a draw, 0.
    """

    seed: int
    first: str
    second: str
    share: float


def games(scores: Scores) -> list[Game]:
    """Finished games of a record, of two models against each other or of one against computer players.

    Raises:
        ValueError: it is of another kind.
    """
    settings = scores.record.settings
    card = settings.card()
    world = make_world(card.world, **card.options)
    found = []
    for seed, outcome in scores.outcomes.items():
        if settings.others and companion(world, Referee).zero_sum and card.agents == 2:
            lead = float(outcome.agent_returns[0] - outcome.agent_returns[1])
            found.append(Game(seed, *settings.models, (np.sign(lead) + 1) / 2))
        elif card.agents == 1 and (met := companion(world, Referee).opponent(outcome.metrics)) is not None:
            found.append(Game(seed, settings.model, *met))
        else:
            raise ValueError(
                f"{scores.record.path}: {card.id} is neither a game of two models nor one against a computer player"
            )
    return found


def rate(played: Sequence[Game], anchor: str = "") -> dict[str, Estimate]:
    """Ratings of Bradley and Terry with 95 % intervals over seeds.

    Args:
        played: games; those of one seed are resampled together.
        anchor: who has 1000; by default the first computer player by name, or the first model.

    Returns:
        By name, the strongest first.

    Raises:
        ValueError: fewer than two seeds, a player that meets itself, or an anchor that does not play.
    """
    names = sorted({name for game in played for name in (game.first, game.second)})
    models = {game.first for game in played}
    anchor = anchor or next((name for name in names if name not in models), names[0] if names else "")
    if anchor not in names:
        raise ValueError(f"anchor is {anchor!r}, expected one of {', '.join(map(repr, names))}")
    seeds = {seed: k for k, seed in enumerate(sorted({game.seed for game in played}))}
    points = np.zeros((len(seeds), len(names), len(names)))
    for game in played:
        if game.first == game.second:
            raise ValueError(f"{game.first!r} plays against itself: give the models different names")
        i, j = names.index(game.first), names.index(game.second)
        points[seeds[game.seed], i, j] += game.share
        points[seeds[game.seed], j, i] += 1 - game.share
    found = bradley_terry_intervals(points, anchor=names.index(anchor), prior=PRIOR)
    rated = dict(zip(names, found, strict=True))
    return dict(sorted(rated.items(), key=lambda item: -item[1].value))
