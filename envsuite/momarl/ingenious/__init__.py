"""Ingenious: players place domino-like tiles on a hexagonal board by turns."""
