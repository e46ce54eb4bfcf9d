"""Card of the formation task."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/QuadLeaderFollower-v0",
        world="envsuite.quadcopters.leader_follower.kernel:LeaderFollowerWorld",
        family="quadcopters",
        summary="Two drones follow a third, which flies along a random path, in a V.",
        source="After LeaderFollowerAviary, Panerati et al. (2021), gym-pybullet-drones, arXiv 2103.02142",
        horizon=720,
        agents=3,
        tags=("control", "continuous actions", "multi-agent", "formation", "gym-pybullet-drones"),
        random=Score(92.194, 1.227, 1000, "uniformly random"),
        expert=Score(1347.961, 0.362, 1000, "pilot"),
        behaviour="12ba1750e2f2ef97",
    ),
)
