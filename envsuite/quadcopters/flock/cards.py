"""Card of the flocking task."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/QuadFlock-v0",
        world="envsuite.quadcopters.flock.kernel:FlockWorld",
        family="quadcopters",
        summary="Eight drones fly as a flock: one way, evenly spaced, within a region.",
        source="The reward that FlockAviary of Panerati et al. (2021), arXiv 2103.02142, holds but never reaches",
        horizon=960,
        agents=8,
        tags=("control", "continuous actions", "multi-agent", "flocking", "gym-pybullet-drones"),
        random=Score(900.144, 10.224, 1000, "uniformly random"),
        expert=Score(14849.326, 0.239, 1000, "flock on a circle"),
        unranked="two blind actions by turns, the same for all drones, go nine tenths of the way to the reference",
        behaviour="b74979888c86aacb",
    ),
)
