"""Ants in mazes, as D4RL, Gymnasium-Robotics and OGBench have them."""
