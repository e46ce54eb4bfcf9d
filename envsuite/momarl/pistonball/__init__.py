"""Pistonball: pistons push a ball to the left together."""
