"""Shared machinery of every environment; holds no knowledge of any game."""
