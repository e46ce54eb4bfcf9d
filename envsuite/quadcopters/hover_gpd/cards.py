"""The card of QuadHoverGPD."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/QuadHoverGPD-v0",
        world="envsuite.quadcopters.hover_gpd.kernel:QuadHoverGPD",
        family="quadcopters",
        summary="Take a Crazyflie from just above the floor to one metre of height and keep it there.",
        source="Panerati et al. (2021), gym-pybullet-drones, IROS, arXiv 2103.02142; its HoverAviary",
        horizon=242,
        tags=("control", "continuous actions", "gym-pybullet-drones"),
        random=Score(16.234, 0.210, 1000, "uniformly random"),
        expert=Score(471.190, 0.059, 1000, "pilot"),
        floor=Score(322.938, 0.657, 1000, "zeros"),
        behaviour="d736aba90135f72c",
    ),
)
