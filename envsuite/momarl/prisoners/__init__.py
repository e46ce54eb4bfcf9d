"""The iterated prisoner's dilemma."""
