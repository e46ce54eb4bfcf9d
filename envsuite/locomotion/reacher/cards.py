"""Card of the arm in a plane."""

from envsuite.cards import EnvCard

CARDS = (
    EnvCard(
        id="envsuite/Reacher-v0",
        world="envsuite.locomotion.reacher.world:ReacherWorld",
        family="locomotion",
        summary="Bring the tip of an arm of two links to a target in a plane, by torques of two joints.",
        source="Gymnasium 1.4 (Towers et al. 2024, arXiv 2407.17032), Reacher-v5",
        horizon=50,
        tags=("control", "continuous actions", "rigid bodies"),
        behaviour="55976220e01cfda2",
    ),
)
