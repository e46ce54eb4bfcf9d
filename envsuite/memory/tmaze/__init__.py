"""Endless T-Maze: corridor after corridor, each with a cue that replaces the one before."""
