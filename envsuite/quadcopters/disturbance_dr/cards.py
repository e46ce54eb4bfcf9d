"""Card of the disturbance task."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/QuadDisturbanceDR-v0",
        world="envsuite.quadcopters.disturbance_dr.kernel:DisturbanceDRWorld",
        family="quadcopters",
        summary="Hold a position with a vehicle of unknown make, though gusts blow, motors fail and loads change.",
        source="Vehicles of L2F's successor, as in Eschmann et al. (2025), RAPTOR, arXiv 2509.11481",
        horizon=1000,
        tags=("control", "continuous actions", "domain randomisation", "disturbances", "partial observability"),
        random=Score(-2.864, 0.257, 1000, "uniformly random"),
        expert=Score(845.149, 4.924, 1000, "fitted geometric controller"),
        behaviour="e90b7492f517214b",
    ),
)
