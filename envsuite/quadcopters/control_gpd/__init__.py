"""Drones to control, without a task: the two control environments of gym-pybullet-drones."""
