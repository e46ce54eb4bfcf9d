"""The cards of the tasks with one thing to remember."""

from collections.abc import Mapping
from typing import Any

from envsuite.cards import EnvCard
from envsuite.memory.anchors import anchors

_MIKASA = "Cherepanov et al. (2025), MIKASA, arXiv 2502.10550"
_BSUITE = "Osband et al. (2020), bsuite, arXiv 1908.03568"
_TMAZE = "Ni et al. (2023), arXiv 2307.03864; Bakker (2001)"
_MATCH = "Hung et al. (2019), Nature Communications 10:5223; Ni et al. (2023), arXiv 2307.03864"
_BALLET = "Lampinen et al. (2021), arXiv 2105.14039; in symbols"
_TASKS: dict[str, tuple[str, Mapping[str, Any], int, str, str, str]] = {
    "MemoryLength10": (
        "memory_length:MemoryLengthWorld",
        {"length": 10},
        10,
        _BSUITE,
        "Say in the last of 10 steps which bit the first one showed.",
        "one cue",
    ),
    "MemoryLength30": (
        "memory_length:MemoryLengthWorld",
        {"length": 30},
        30,
        _BSUITE,
        "Say in the last of 30 steps which bit the first one showed.",
        "one cue",
    ),
    "MemoryLength100x3": (
        "memory_length:MemoryLengthWorld",
        {"length": 100, "bits": 3},
        100,
        _BSUITE,
        "Say in the last of 100 steps one of three bits that the first one showed.",
        "one cue",
    ),
    "PassiveTMaze10": (
        "passive_tmaze:PassiveTMazeWorld",
        {"length": 10},
        11,
        _TMAZE,
        "Walk 10 cells, then to the side that the first step told.",
        "one cue",
    ),
    "PassiveTMaze100": (
        "passive_tmaze:PassiveTMazeWorld",
        {"length": 100},
        101,
        _TMAZE,
        "Walk 100 cells, then to the side that the first step told.",
        "one cue",
    ),
    "ActiveTMaze10": (
        "passive_tmaze:PassiveTMazeWorld",
        {"length": 10, "active": True},
        13,
        _TMAZE,
        "Look behind the start, walk 10 cells, then to the side that was told there.",
        "one cue",
    ),
    "PassiveVisualMatch60": (
        "visual_match:VisualMatchWorld",
        {},
        90,
        _MATCH,
        "See a colour, eat apples for 60 steps, go to the door of that colour.",
        "one cue",
    ),
    "PassiveVisualMatch250": (
        "visual_match:VisualMatchWorld",
        {"delay": 250},
        280,
        _MATCH,
        "See a colour, eat apples for 250 steps, go to the door of that colour.",
        "one cue",
    ),
    "ActiveVisualMatch60": (
        "visual_match:VisualMatchWorld",
        {"active": True},
        90,
        _MATCH,
        "Find a colour in a hall, eat apples for 60 steps, go to the door of that colour.",
        "one cue",
    ),
    "MemoryCards5": (
        "memory_cards:MemoryCardsWorld",
        {"pairs": 5},
        50,
        _MIKASA,
        "Name the partner of the card that is shown, of five pairs.",
        "memory capacity",
    ),
    "MemoryCards10": (
        "memory_cards:MemoryCardsWorld",
        {"pairs": 10},
        100,
        _MIKASA,
        "Name the partner of the card that is shown, of ten pairs.",
        "memory capacity",
    ),
    "MemoryCards30": (
        "memory_cards:MemoryCardsWorld",
        {"pairs": 30},
        300,
        _MIKASA,
        "Name the partner of the card that is shown, of thirty pairs.",
        "memory capacity",
    ),
    "Numpad": (
        "numpad:NumpadWorld",
        {},
        500,
        _MIKASA,
        "Find out by trying which four tiles light up in a row, and do it again.",
        "sequential memory",
    ),
    "Ballet2": (
        "ballet:BalletWorld",
        {"dancers": 2, "delay": 16},
        80,
        _BALLET,
        "See two dancers dance, then walk to the one whose dance is asked for.",
        "sequential memory",
    ),
    "Ballet4": (
        "ballet:BalletWorld",
        {"dancers": 4, "delay": 16},
        144,
        _BALLET,
        "See four dancers dance, then walk to the one whose dance is asked for.",
        "sequential memory",
    ),
    "Ballet8": (
        "ballet:BalletWorld",
        {"dancers": 8, "delay": 48},
        528,
        _BALLET,
        "See eight dancers dance, then walk to the one whose dance is asked for.",
        "sequential memory",
    ),
}
_ANCHORS: dict[str, tuple[tuple[float, float], ...]] = {
    "ActiveTMaze10": ((-0.9771, 0.0038), (0.515, 0.0158), (1.0, 0.0)),
    "ActiveVisualMatch60": ((5.751, 0.0677), (23.89, 0.11), (27.23, 0.0796)),
    "Ballet2": ((0.11, 0.0099), (0.508, 0.0158), (1.0, 0.0)),
    "Ballet4": ((0.078, 0.0085), (0.255, 0.0138), (1.0, 0.0)),
    "Ballet8": ((0.077, 0.0084), (0.113, 0.01), (1.0, 0.0)),
    "MemoryCards10": ((-94.569, 0.1278), (-77.47, 0.6073), (-13.203, 0.0927)),
    "MemoryCards30": ((-294.872, 0.0711), (-294.311, 0.0827), (-50.461, 0.2092)),
    "MemoryCards5": ((-37.188, 0.349), (-19.709, 0.3549), (-4.855, 0.0513)),
    "MemoryLength10": ((-0.014, 0.0316), (1.0, 0.0)),
    "MemoryLength100x3": ((-0.034, 0.0316), (1.0, 0.0)),
    "MemoryLength30": ((0.02, 0.0316), (1.0, 0.0)),
    "Numpad": ((7.953, 0.145), (22.65, 0.4393), (390.56, 2.5104)),
    "PassiveTMaze10": ((-0.9689, 0.002), (0.515, 0.0158), (1.0, 0.0)),
    "PassiveTMaze100": ((-0.9969, 0.0002), (0.515, 0.0158), (1.0, 0.0)),
    "PassiveVisualMatch250": ((22.329, 0.1393), (92.71, 0.3356), (96.05, 0.3252)),
    "PassiveVisualMatch60": ((5.676, 0.0712), (23.988, 0.1087), (27.328, 0.0773)),
}
_BEHAVIOUR: dict[str, str] = {
    "ActiveTMaze10": "934a279f91627118",
    "ActiveVisualMatch60": "fb5b03dad86b3c62",
    "Ballet2": "0003b9278677129e",
    "Ballet4": "1edd37f9f7a48d68",
    "Ballet8": "8a730eea8e66bebf",
    "MemoryCards10": "e1f1cd9f1b538080",
    "MemoryCards30": "f3402fdbc5842f53",
    "MemoryCards5": "e4a1ad12e28fc23c",
    "MemoryLength10": "e180b935c98c6203",
    "MemoryLength100x3": "176bc60e17b6de06",
    "MemoryLength30": "1f251f72ac770694",
    "Numpad": "ec2c517297da57dd",
    "PassiveTMaze10": "5f7ecd7e34a2b973",
    "PassiveTMaze100": "dc0b9741323b7cd7",
    "PassiveVisualMatch250": "cf0d69783f12c141",
    "PassiveVisualMatch60": "70d6e77306c91569",
}


def _card(name: str) -> EnvCard:
    world, options, horizon, source, summary, tag = _TASKS[name]
    scored = anchors(_ANCHORS, name)
    return EnvCard(
        id=f"envsuite/{name}-v0",
        world=f"envsuite.memory.single_cue.{world}",
        family="memory",
        summary=summary,
        source=source,
        horizon=horizon,
        options=options,
        tags=("memory", "discrete actions", "partial observability", tag),
        behaviour=_BEHAVIOUR.get(name, ""),
        random=scored.random,
        floor=scored.floor,
        expert=scored.expert,
    )


CARDS = tuple(_card(name) for name in _TASKS)
