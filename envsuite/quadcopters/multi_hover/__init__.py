"""Several drones climbing to places of their own, after gym-pybullet-drones; see README.md."""
