"""Mazes that are drawn anew in every episode."""
