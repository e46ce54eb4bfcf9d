"""Engines that fly the drones instead of the closed-form dynamics."""

_BULLET = "envsuite.quadcopters.bullet_backend.worlds"

BACKENDS = {
    "bullet": {
        "FlyThruGateWorld": f"{_BULLET}:BulletFlyThruGate",
        "GateRaceWorld": f"{_BULLET}:BulletGateRace",
        "LandingWorld": f"{_BULLET}:BulletLanding",
        "QuadHoverGPD": f"{_BULLET}:BulletHoverGPD",
        "QuadMultiHover": f"{_BULLET}:BulletMultiHover",
        "TakeoffWorld": f"{_BULLET}:BulletTakeoff",
        "ThrowRecoveryWorld": f"{_BULLET}:BulletThrowRecovery",
        "TrackLissajousWorld": f"{_BULLET}:BulletTrackLissajous",
        "WaypointVelWorld": f"{_BULLET}:BulletWaypointVel",
    }
}
"""Names of the option ``backend``; for each the world that takes the place of a task's own."""
