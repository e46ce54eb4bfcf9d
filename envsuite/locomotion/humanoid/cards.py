"""Cards of the body with arms and legs."""

from envsuite.cards import EnvCard, Score


def _card(name: str, summary: str, **anchors) -> EnvCard:
    return EnvCard(
        id=f"envsuite/{name}-v0",
        world=f"envsuite.locomotion.humanoid.world:{name}World",
        family="locomotion",
        summary=summary,
        source=(
            f"Gymnasium 1.4 (Towers et al. 2024, arXiv 2407.17032), {name}-v5; Tassa, Erez and Todorov (2012), "
            "Synthesis and Stabilization of Complex Behaviors through Online Trajectory Optimization"
        ),
        horizon=1000,
        tags=("locomotion", "continuous actions", "rigid bodies", "contacts"),
        **anchors,
    )


CARDS = (
    _card(
        "Humanoid",
        "Walk or run forward on two legs without falling, by torques of seventeen joints.",
        random=Score(113.899, 1.0472, 1000, "uniformly random"),
        expert=Score(5937.245, 0.8653, 1000, "network trained by PPO"),
        behaviour="567c29e49aca9bc0",
    ),
    _card(
        "HumanoidStandup",
        "Stand up from lying on the back, by torques of seventeen joints.",
        random=Score(33260.633, 79.944, 1000, "uniformly random"),
        expert=Score(167247.061, 12.877, 1000, "network trained by PPO"),
        behaviour="d92e11364e958548",
    ),
)
