"""Anchor scores and the behaviour hash."""

import numpy as np

from envsuite.cards import EnvCard, Score
from envsuite.evaluation.rollout import expert_policy, play, random_policy
from envsuite.evaluation.simple import NEAR, share, simple_scores
from envsuite.testing.behaviour import behaviour_hash
from envsuite.testing.checks.common import NotApplicable

EPISODES, FEW = 200, 40
"""Played by each policy; few where an engine steps, a thousand times slower than kernels."""


_PLAYED: dict[str, tuple[Score, Score]] = {}


def expert_beats_random(card: EnvCard) -> None:
    """The reference policy scores above the random one by more than five standard errors.

    Where few episodes do not tell, as in games of chance, as many are played as the anchors were measured in.
    """
    if reason := card.not_applicable.get("expert"):
        raise NotApplicable(reason)
    best, worst = _scores(card)
    margin = 5 * np.hypot(best.standard_error, worst.standard_error)
    if best.mean - worst.mean <= margin and card.expert and card.expert.episodes > best.episodes:
        best, worst = _both(card, card.expert.episodes)
        margin = 5 * np.hypot(best.standard_error, worst.standard_error)
    assert best.mean - worst.mean > margin, f"expert {best.mean:.4g}, random {worst.mean:.4g}"


def anchors(card: EnvCard) -> None:
    """The anchor scores on the card are what the policies score."""
    if card.random is None or card.expert is None:
        raise NotApplicable("the card states no anchor scores yet")
    played = _scores(card)
    for stated, measured in zip((card.expert, card.random), played, strict=True):
        # where rewards are rare, all episodes of a small sample may be alike, though those of the card are not
        spread = max(measured.standard_error, stated.standard_error * np.sqrt(stated.episodes / measured.episodes))
        error = 4 * np.hypot(stated.standard_error, spread) + 1e-6 * abs(stated.mean) + 5e-4  # cards round
        assert abs(measured.mean - stated.mean) <= error, (
            f"{stated.policy} scores {measured.mean:.5g}, the card says {stated.mean:.5g}"
        )


def _scores(card: EnvCard) -> tuple[Score, Score]:
    """What the reference and the random policy score; played once for the checks that ask."""
    key = f"{card.id} {card.world} {sorted(card.options.items())}"
    if key not in _PLAYED:
        episodes = FEW if card.engine else EPISODES
        _PLAYED.clear()
        _PLAYED[key] = _both(card, episodes)
    return _PLAYED[key]


def _both(card: EnvCard, episodes: int) -> tuple[Score, Score]:
    best, worst = (play(card, make, episodes).score("", card.weights) for make in (expert_policy, random_policy))
    return best, worst


def simple_players(card: EnvCard) -> None:
    """No constant, blind cycle or rule on one number comes near the reference, unless the card says why it does."""
    if card.unranked:
        raise NotApplicable(f"not ranked: {card.unranked}")
    if card.scale is None:
        raise NotApplicable("the card states no anchor scores yet")
    best = simple_scores(card, FEW if card.engine else EPISODES).best
    reached = share(card, best)
    assert reached < NEAR, (
        f"{best.policy!r} reaches {reached:.2f} of the scale with {best.mean:.4g}, expected below {NEAR:.2f}"
    )


def behaviour(card: EnvCard) -> None:
    """The behaviour hash on the card is what the environment does."""
    if not card.behaviour:
        raise NotApplicable("the card states no behaviour hash yet")
    found = behaviour_hash(card)
    assert found == card.behaviour, (
        f"behaviour hash is {found}, the card says {card.behaviour}: a change of behaviour needs a new version"
    )
