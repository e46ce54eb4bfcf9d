"""The game in words: the situation as JSON, and commands from JSON or by name."""

from envsuite.tower_defense.language.answers import TEXT_FAULTS, TextFault, parse, read_command
from envsuite.tower_defense.language.companion import BulwarkVersusWords, BulwarkWords
from envsuite.tower_defense.language.controls import TOOLS, clicked, keys
from envsuite.tower_defense.language.description import describe, situation, static
from envsuite.tower_defense.language.towermind import describe_as_towermind

__all__ = [
    "TEXT_FAULTS",
    "TOOLS",
    "BulwarkVersusWords",
    "BulwarkWords",
    "TextFault",
    "clicked",
    "describe",
    "describe_as_towermind",
    "keys",
    "parse",
    "read_command",
    "situation",
    "static",
]
