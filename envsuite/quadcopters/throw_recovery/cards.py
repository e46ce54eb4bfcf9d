"""Cards of the throw-recovery task."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/QuadThrowRecovery-v0",
        world="envsuite.quadcopters.throw_recovery.kernel:ThrowRecoveryWorld",
        family="quadcopters",
        summary="Recover from a tumbling throw with slow motors, and come to rest in the air.",
        source="Dynamics and costs of Eschmann et al. (2024), Learning to Fly in Seconds, RA-L, arXiv 2311.13081",
        horizon=300,
        tags=("control", "continuous actions", "recovery"),
        random=Score(2.502, 0.200, 1000, "uniformly random"),
        expert=Score(327.967, 4.310, 1000, "geometric controller"),
        behaviour="114fe925136fb0a2",
    ),
    EnvCard(
        id="envsuite/QuadThrowRecoveryBrushless-v0",
        world="envsuite.quadcopters.throw_recovery.kernel:ThrowRecoveryWorld",
        options={"model": "fp", "vehicle": "cf21B_500"},
        family="quadcopters",
        summary="Recover from a tumbling throw with fast motors, and come to rest in the air.",
        source="Dynamics of drone-models, as used by crazyflow, arXiv 2606.01478",
        horizon=300,
        tags=("control", "continuous actions", "recovery"),
        random=Score(3.524, 0.214, 1000, "uniformly random"),
        expert=Score(372.039, 2.998, 1000, "geometric controller"),
        behaviour="f2578a136d209f35",
    ),
)
