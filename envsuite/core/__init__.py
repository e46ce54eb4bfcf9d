"""Shared machinery of every environment; holds no knowledge of any game.

What authors of worlds need can be imported from here.
"""

from envsuite.core import fmath, rng
from envsuite.core.clock import CLOCK, cut
from envsuite.core.companions import Controls, Logs, Pictures, Players, Referee, Words, companion
from envsuite.core.declare import Between, Real, Record, field
from envsuite.core.jit import kernel
from envsuite.core.layout import Block, Choice, Choices, Vector
from envsuite.core.literals import real
from envsuite.core.loops import Loops, batch_loops
from envsuite.core.state import StateRecord
from envsuite.core.world import Reward, World, make_world

__all__ = [
    "CLOCK",
    "Between",
    "Block",
    "Choice",
    "Choices",
    "Controls",
    "Logs",
    "Loops",
    "Pictures",
    "Players",
    "Real",
    "Record",
    "Referee",
    "Reward",
    "StateRecord",
    "Vector",
    "Words",
    "World",
    "batch_loops",
    "companion",
    "cut",
    "field",
    "fmath",
    "kernel",
    "make_world",
    "real",
    "rng",
]
