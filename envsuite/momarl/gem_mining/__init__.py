"""Gem mining: villages send their workers to mines, once."""
