"""Ropes on a table, held at both ends: tasks of HEPi (Hoang et al. 2025, arXiv 2502.07005)."""
