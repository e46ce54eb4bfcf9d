"""Cards of the waypoint and velocity tasks."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/QuadWaypointVel-v0",
        world="envsuite.quadcopters.waypoint_vel.kernel:WaypointVelWorld",
        family="quadcopters",
        summary="Visit four random waypoints by velocity commands through a PID controller.",
        source="Waypoints after PyFlyt (Tai et al., 2023, arXiv 2304.01305), physics of gym-pybullet-drones",
        horizon=960,
        tags=("control", "continuous actions", "navigation", "waypoints"),
        random=Score(-9.602, 0.039, 1000, "uniformly random"),
        expert=Score(69.122, 0.145, 1000, "pilot"),
        behaviour="dff6f0681980b15a",
    ),
    EnvCard(
        id="envsuite/QuadReachVel-v0",
        world="envsuite.quadcopters.waypoint_vel.kernel:WaypointVelWorld",
        options={"task": "velocity", "model": "fp", "vehicle": "cf21B_500", "act": "attitude"},
        family="quadcopters",
        summary="Reach and hold a random velocity by angles and thrust.",
        source="DroneReachVel of crazyflow, arXiv 2606.01478",
        horizon=480,
        tags=("control", "continuous actions", "velocity"),
        random=Score(18.734, 0.302, 1000, "uniformly random"),
        expert=Score(432.087, 0.395, 1000, "pilot"),
        behaviour="e1c01ca7f61a797e",
    ),
)
