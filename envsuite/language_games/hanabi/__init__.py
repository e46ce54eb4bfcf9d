"""Hanabi for two."""
