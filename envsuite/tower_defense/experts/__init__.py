"""Reference policies: scripted players, and one that searches."""

from envsuite.tower_defense.experts.scripted import STYLES, Scripted
from envsuite.tower_defense.experts.search import Searched

__all__ = ["STYLES", "Scripted", "Searched"]
