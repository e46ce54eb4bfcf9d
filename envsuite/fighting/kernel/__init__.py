"""The engine on one record, the batch loops, and the worlds."""

from envsuite.fighting.kernel.world import DuelVersusWorld, DuelWorld

__all__ = ["DuelVersusWorld", "DuelWorld"]
