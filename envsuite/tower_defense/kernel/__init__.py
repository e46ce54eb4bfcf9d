"""The engine on one record, the batch loops, and the worlds."""

from envsuite.tower_defense.kernel.world import BulwarkVersusWorld, BulwarkWorld

__all__ = ["BulwarkVersusWorld", "BulwarkWorld"]
