"""PointMaze in the form of Gymnasium-Robotics."""
