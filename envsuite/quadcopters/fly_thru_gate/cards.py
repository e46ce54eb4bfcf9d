"""Card of the gate task."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/QuadFlyThruGate-v0",
        world="envsuite.quadcopters.fly_thru_gate.kernel:FlyThruGateWorld",
        family="quadcopters",
        summary="Fly through a gate and hover behind it.",
        source="Panerati et al. (2021), gym-pybullet-drones, IROS, arXiv 2103.02142; its FlyThruGateAviary",
        horizon=240,
        tags=("control", "continuous actions", "gate", "gym-pybullet-drones"),
        random=Score(-4.054, 0.173, 1000, "uniformly random"),
        expert=Score(122.094, 0.060, 1000, "pilot"),
        behaviour="c28a9af69249a66c",
    ),
)
