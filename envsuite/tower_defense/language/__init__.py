"""The game in words: the situation as JSON, and commands from JSON or by name."""

from envsuite.tower_defense.language.answers import TEXT_FAULTS, TextFault, parse, read_command
from envsuite.tower_defense.language.description import describe, situation, static
from envsuite.tower_defense.language.towermind import describe_as_towermind
from envsuite.tower_defense.language.words import BulwarkVersusWords, TowerWords

__all__ = [
    "TEXT_FAULTS",
    "BulwarkVersusWords",
    "TextFault",
    "TowerWords",
    "describe",
    "describe_as_towermind",
    "parse",
    "read_command",
    "situation",
    "static",
]
