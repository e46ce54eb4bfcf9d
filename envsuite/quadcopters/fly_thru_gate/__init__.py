"""Fly through a gate to a place behind it."""
