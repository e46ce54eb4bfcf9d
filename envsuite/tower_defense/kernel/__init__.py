"""The engine on one record, the batch loops, and the world."""

from envsuite.tower_defense.kernel.world import BulwarkWorld

__all__ = ["BulwarkWorld"]
