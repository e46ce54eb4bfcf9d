"""Drones that surround a target, escort it, or catch it."""
