"""Manipulation: arms that reach, push, pick and place."""
