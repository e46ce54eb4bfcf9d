"""Combination locks: corridors that only one sequence of choices gets through."""
