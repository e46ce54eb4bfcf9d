"""Card of the take-off task."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/QuadTakeoff-v0",
        world="envsuite.quadcopters.takeoff.kernel:TakeoffWorld",
        family="quadcopters",
        summary="Take off through the ground effect and settle a metre above the floor.",
        source="Panerati et al. (2021), gym-pybullet-drones, IROS, arXiv 2103.02142; its TakeoffAviary",
        horizon=240,
        tags=("control", "continuous actions", "ground effect", "gym-pybullet-drones"),
        random=Score(-3.077, 0.164, 1000, "uniformly random"),
        expert=Score(249.059, 0.001, 1000, "pilot"),
        behaviour="a5abbf8e816e473f",
    ),
)
