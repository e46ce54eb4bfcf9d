"""The tasks on the PyBullet engine itself, for contacts, cameras and cross-checks; see README.md."""
