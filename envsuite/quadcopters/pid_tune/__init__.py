"""Tune the gains of a PID controller while it flies."""
