"""Runners in a plane."""
