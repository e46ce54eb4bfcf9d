"""Cards of the landing task."""

from envsuite.cards import EnvCard, Score

_SOURCE = "Physics of Panerati et al. (2021), gym-pybullet-drones, IROS, arXiv 2103.02142"

CARDS = (
    EnvCard(
        id="envsuite/QuadLanding-v0",
        world="envsuite.quadcopters.landing.kernel:LandingWorld",
        family="quadcopters",
        summary="Land softly on a pad through the ground effect.",
        source=_SOURCE,
        horizon=480,
        tags=("control", "continuous actions", "ground effect", "landing"),
        random=Score(-7.261, 0.060, 1000, "uniformly random"),
        expert=Score(436.276, 0.238, 1000, "pilot"),
        behaviour="006f65dfc6034238",
    ),
    EnvCard(
        id="envsuite/QuadLandingMoving-v0",
        world="envsuite.quadcopters.landing.kernel:LandingWorld",
        options={"pad": "moving"},
        family="quadcopters",
        summary="Land softly on a pad that moves to and fro and heaves.",
        source=_SOURCE,
        horizon=480,
        tags=("control", "continuous actions", "ground effect", "landing", "moving target"),
        random=Score(-7.406, 0.060, 1000, "uniformly random"),
        expert=Score(435.863, 0.261, 1000, "pilot"),
        behaviour="59941d60fb90d0b4",
    ),
)
