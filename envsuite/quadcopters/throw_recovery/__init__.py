"""Recover from being thrown into the air."""
