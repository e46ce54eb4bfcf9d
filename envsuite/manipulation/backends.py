"""Engines that move the arm instead of the kernels."""

BACKENDS = {"bullet": {"PandaWorld": "envsuite.manipulation.panda.bullet:BulletPanda"}}
"""Names of the option ``backend``; for each the world that takes the place of a task's own."""
