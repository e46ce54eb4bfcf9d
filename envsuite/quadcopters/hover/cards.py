"""Card of the hover task."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/QuadHover-v0",
        world="envsuite.quadcopters.hover.kernel:HoverWorld",
        family="quadcopters",
        summary="Settle a Crazyflie at a point from wild starts, by motor commands at 100 Hz.",
        source="Eschmann, Albani and Loianno (2024), Learning to Fly in Seconds, RA-L, arXiv 2311.13081",
        horizon=500,
        tags=("control", "continuous actions", "disturbances", "noisy observations", "privileged critic"),
        random=Score(-185.824, 1.846, 1000, "uniformly random"),
        expert=Score(688.523, 7.634, 1000, "geometric controller"),
        behaviour="5d527555a417741d",
    ),
)
