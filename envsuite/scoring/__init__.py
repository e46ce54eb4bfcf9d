"""Honest statistics of scores."""

from envsuite.scoring.intervals import Estimate, bootstrap_interval, proportion_interval

__all__ = ["Estimate", "bootstrap_interval", "proportion_interval"]
