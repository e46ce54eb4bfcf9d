"""Reference policies: scripted players, and one that searches."""

from envsuite.tower_defense.experts.scripted import STYLES, Scripted

__all__ = ["STYLES", "Scripted"]
