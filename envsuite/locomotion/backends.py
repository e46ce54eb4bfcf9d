"""Engines that move the bodies instead of the kernels."""

_NAMES = (
    "Ant",
    "HalfCheetah",
    "Hopper",
    "Humanoid",
    "HumanoidStandup",
    "InvertedDoublePendulum",
    "InvertedPendulum",
    "RandomFrictionHopper",
    "Reacher",
    "SafetyHalfCheetah",
    "Swimmer",
    "Walker2d",
)

BACKENDS = {"mujoco": {f"{name}World": f"envsuite.locomotion.mujoco_backend:Mujoco{name}" for name in _NAMES}}
"""Names of the option ``backend``; for each the world that takes the place of a task's own."""
