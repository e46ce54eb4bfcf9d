"""Hover: hold position at the origin (Learning to Fly in Seconds)."""
