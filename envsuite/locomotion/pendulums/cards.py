"""Cards of the poles on a cart."""

from envsuite.cards import EnvCard, Score


def _card(name: str, summary: str, **anchors) -> EnvCard:
    return EnvCard(
        id=f"envsuite/{name}-v0",
        world=f"envsuite.locomotion.pendulums.world:{name}World",
        family="locomotion",
        summary=summary,
        source=f"Gymnasium 1.4 (Towers et al. 2024, arXiv 2407.17032), {name}-v5",
        horizon=1000,
        tags=("control", "continuous actions", "rigid bodies"),
        **anchors,
    )


CARDS = (
    _card(
        "InvertedPendulum",
        "Keep a pole upright by pushing the cart that it stands on.",
        random=Score(4.952, 0.1059, 1000, "uniformly random"),
        expert=Score(1000.0, 0.0, 1000, "network trained by PPO"),
        behaviour="3790d3438418d643",
    ),
    _card(
        "InvertedDoublePendulum",
        "Keep two poles, one upon the other, upright by pushing the cart below.",
        random=Score(47.104, 0.5472, 1000, "uniformly random"),
        expert=Score(9321.726, 0.0128, 1000, "network trained by PPO"),
        behaviour="b557b0411e59c924",
    ),
)
