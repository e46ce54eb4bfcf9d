"""Climbing to one metre and staying there, the task of gym-pybullet-drones; see README.md."""
