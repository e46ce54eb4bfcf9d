"""Worlds in which one gathers, builds and makes tools to survive."""
