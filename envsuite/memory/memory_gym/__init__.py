"""Memory Gym on grids: commands to be carried out in order, and paths that cannot be seen; finite and endless."""
