"""Card of the four-legged body."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/Ant-v0",
        world="envsuite.locomotion.ant.world:AntWorld",
        family="locomotion",
        summary="Run forward on four legs without turning over, by torques of eight joints.",
        source=(
            "Gymnasium 1.4 (Towers et al. 2024, arXiv 2407.17032), Ant-v5; Schulman et al. (2015), High-Dimensional "
            "Continuous Control Using Generalized Advantage Estimation, arXiv 1506.02438"
        ),
        horizon=1000,
        tags=("locomotion", "continuous actions", "rigid bodies", "contacts"),
        random=Score(-60.952, 3.1304, 1000, "uniformly random"),
        expert=Score(5859.435, 26.206, 1000, "network trained by PPO"),
        behaviour="4a52be60d829a155",
    ),
)
