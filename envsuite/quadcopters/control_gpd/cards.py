"""Cards of the control environments."""

from envsuite.cards import EnvCard

_NONE = {name: "it has no reward" for name in ("expert", "dataset", "baseline", "track")}

CARDS = (
    EnvCard(
        id="envsuite/QuadControlGPD-v0",
        world="envsuite.quadcopters.control_gpd.kernel:ControlWorld",
        family="quadcopters",
        summary="Two Crazyflies to control by rotor speeds, without a task.",
        source="Panerati et al. (2021), gym-pybullet-drones, IROS, arXiv 2103.02142; its CtrlAviary",
        horizon=1440,
        agents=2,
        tags=("control", "continuous actions", "multi-agent", "no reward", "deterministic", "gym-pybullet-drones"),
        behaviour="6b221c619aba5b9d",
        not_applicable=_NONE,
    ),
    EnvCard(
        id="envsuite/QuadVelocityGPD-v0",
        world="envsuite.quadcopters.control_gpd.kernel:ControlWorld",
        options={"control": "velocity"},
        family="quadcopters",
        summary="Two Crazyflies to control by velocities, without a task.",
        source="Panerati et al. (2021), gym-pybullet-drones, IROS, arXiv 2103.02142; its VelocityAviary",
        horizon=1440,
        agents=2,
        tags=("control", "continuous actions", "multi-agent", "no reward", "deterministic", "gym-pybullet-drones"),
        behaviour="d50b7afc83e4120c",
        not_applicable=_NONE,
    ),
)
