"""Environments that cannot be solved without memory."""
