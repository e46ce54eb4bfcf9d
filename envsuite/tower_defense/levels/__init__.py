"""Levels: the benchmark's, those of files, and those made at random."""

from envsuite.tower_defense.levels.files import benchmark, read_level
from envsuite.tower_defense.levels.level import Level, LevelError
from envsuite.tower_defense.levels.record import parameters

__all__ = ["Level", "LevelError", "benchmark", "parameters", "read_level"]
