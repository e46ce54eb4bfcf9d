"""The maze2d tasks of D4RL."""
