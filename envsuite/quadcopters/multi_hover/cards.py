"""The card of QuadMultiHover."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/QuadMultiHover-v0",
        world="envsuite.quadcopters.multi_hover.kernel:QuadMultiHover",
        family="quadcopters",
        summary="Two to sixteen Crazyflies climb side by side, each to a height of its own, and hover there.",
        source="Panerati et al. (2021), gym-pybullet-drones, IROS, arXiv 2103.02142; its MultiHoverAviary",
        horizon=242,
        agents=2,
        tags=("control", "continuous actions", "multi-agent", "gym-pybullet-drones"),
        random=Score(35.373, 0.375, 1000, "uniformly random"),
        expert=Score(946.600, 0.086, 1000, "pilot"),
        floor=Score(708.425, 0.908, 1000, "zeros"),
        behaviour="f2359caf619b7bcd",
    ),
)
