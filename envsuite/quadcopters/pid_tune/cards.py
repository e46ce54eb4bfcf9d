"""Card of the tuning task."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/QuadPIDTune-v0",
        world="envsuite.quadcopters.pid_tune.kernel:PIDTuneWorld",
        family="quadcopters",
        summary="Tune the six gains of a PID controller while it flies a Crazyflie along a line.",
        source="Panerati et al. (2021), gym-pybullet-drones, IROS, arXiv 2103.02142; TuneAviary of its first release",
        horizon=242,
        tags=("control", "continuous actions", "tuning", "tracking", "gym-pybullet-drones"),
        random=Score(-85.437, 2.375, 1000, "uniformly random"),
        expert=Score(-4.163, 0.086, 1000, "constant gains"),
        behaviour="d9babf2387ef4ac0",
        unranked="the gains that an episode begins with do as well as the reference",
    ),
)
