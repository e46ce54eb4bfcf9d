"""Fly as a flock."""
