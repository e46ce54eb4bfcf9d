"""Breakthrough: get a pawn to the far side, soon, and capture."""
