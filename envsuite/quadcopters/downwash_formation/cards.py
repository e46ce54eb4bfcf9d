"""Card of the downwash task."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/QuadDownwashFormation-v0",
        world="envsuite.quadcopters.downwash_formation.kernel:DownwashFormationWorld",
        family="quadcopters",
        summary="Four drones fly above and below one another, pushed down by each other's air.",
        source="After the downwash example of Panerati et al. (2021), gym-pybullet-drones, arXiv 2103.02142",
        horizon=576,
        agents=4,
        tags=("control", "continuous actions", "multi-agent", "downwash", "tracking", "gym-pybullet-drones"),
        random=Score(-3.235, 0.135, 1000, "uniformly random"),
        expert=Score(2205.039, 1.302, 1000, "pilot"),
        behaviour="9e79869a1de6b610",
    ),
)
