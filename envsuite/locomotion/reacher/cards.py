"""Card of the arm in a plane."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/Reacher-v0",
        world="envsuite.locomotion.reacher.world:ReacherWorld",
        family="locomotion",
        summary="Bring the tip of an arm of two links to a target in a plane, by torques of two joints.",
        source="Gymnasium 1.4 (Towers et al. 2024, arXiv 2407.17032), Reacher-v5",
        horizon=50,
        tags=("control", "continuous actions", "rigid bodies"),
        random=Score(-42.865, 0.1251, 1000, "uniformly random"),
        expert=Score(-4.416, 0.0616, 1000, "network trained by PPO"),
        floor=Score(-9.284, 0.0832, 1000, "best constant action"),
        behaviour="55976220e01cfda2",
    ),
)
