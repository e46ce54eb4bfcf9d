"""Cards of NeoRL-2's two bodies."""

from typing import Any

from envsuite.cards import EnvCard, Score


def _card(name: str, summary: str, random: tuple[float, float], expert: tuple[float, float], **others: Any) -> EnvCard:
    return EnvCard(
        id=f"envsuite/{name}-v0",
        world=f"envsuite.locomotion.neorl.world:{name}World",
        family="locomotion",
        summary=summary,
        source="Gao and others (2025), NeoRL-2, arXiv 2503.19267; Gymnasium 1.4 (Towers et al. 2024, arXiv 2407.17032)",
        tags=("locomotion", "continuous actions", "rigid bodies", "contacts", "offline", *others.pop("tags")),
        horizon=1000,
        random=Score(*random, 10_000, "uniformly random"),
        expert=Score(*expert, 2000, "network trained by PPO"),
        **others,
    )


CARDS = (
    _card(
        "RandomFrictionHopper",
        "Hop forward on one leg, on a foot that rubs differently in every episode.",
        (-3.66, 0.088),
        (866.8, 5.4),
        tags=("external factors",),
        behaviour="f96df19cf0db6da1",
    ),
    _card(
        "SafetyHalfCheetah",
        "Run forward on a back leg and a front leg, but never faster than 3.2 m/s.",
        (-285.27, 0.8),
        (2557.02, 0.23),
        tags=("safety", "costs"),
        behaviour="fbee74ac7c2a28fb",
    ),
)
