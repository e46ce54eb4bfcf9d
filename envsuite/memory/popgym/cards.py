"""The cards of the 42 ids, made from one table."""

from typing import Any

from envsuite.cards import EnvCard

_SOURCE = "Morad et al. (2023), POPGym, arXiv 2303.01859; package popgym 1.0.7"
_SIZES = ("Easy", "Medium", "Hard")
_CARDS = ("memory", "partial observability", "discrete actions", "card game")
_BOARD = ("memory", "partial observability", "discrete actions", "board")
_CONTROL = ("memory", "partial observability", "control")
_PUSHED = (*_CONTROL, "discrete actions")
_TURNED = (*_CONTROL, "continuous actions")

# tasks that end by themselves before time is over have one step more than they need
_LONG, _SHORT, _SAME = (200, 400, 600), (200, 150, 100), (200, 200, 200)

_TASKS: tuple[tuple[str, str, str, tuple[str, ...], tuple[dict[str, Any], ...], tuple[int, ...]], ...] = (
    (
        "RepeatPrevious",
        "recall:RecallWorld",
        "Name the suit of the card that was shown some cards ago.",
        _CARDS,
        ({"decks": 1, "k": 4}, {"decks": 2, "k": 32}, {"decks": 3, "k": 64}),
        (52, 104, 156),
    ),
    (
        "RepeatFirst",
        "recall:RecallWorld",
        "Name the suit of the first card, as long as the deck lasts.",
        _CARDS,
        tuple({"task": "first", "decks": decks} for decks in (1, 8, 16)),
        (52, 416, 832),
    ),
    (
        "Autoencode",
        "recall:RecallWorld",
        "Watch a deck, then say its suits backwards.",
        _CARDS,
        tuple({"task": "backwards", "decks": decks} for decks in (1, 2, 3)),
        (104, 208, 312),
    ),
    (
        "CountRecall",
        "count_recall:CountRecallWorld",
        "Say how often a kind of card was dealt so far.",
        _CARDS,
        ({"count": "colors", "decks": 1}, {"count": "suits", "decks": 2}, {"count": "ranks", "decks": 4}),
        (52, 104, 208),
    ),
    (
        "Concentration",
        "concentration:ConcentrationWorld",
        "Turn over two cards at a time and find all pairs.",
        _CARDS,
        ({"match": "colors", "decks": 1}, {"match": "colors", "decks": 2}, {"match": "ranks", "decks": 1}),
        (104, 208, 104),
    ),
    (
        "HigherLower",
        "higher_lower:HigherLowerWorld",
        "Guess whether the next card is higher or lower.",
        _CARDS,
        tuple({"decks": decks} for decks in (1, 2, 3)),
        (52, 104, 156),
    ),
    (
        "Battleship",
        "battleship:BattleshipWorld",
        "Sink four hidden ships; only hit or miss is told.",
        _BOARD,
        tuple({"size": size} for size in (8, 10, 12)),
        (64, 100, 144),
    ),
    (
        "MineSweeper",
        "minesweeper:MineSweeperWorld",
        "Open all cells without a mine; only the number of the last cell is told.",
        _BOARD,
        ({"size": 4, "mines": 2}, {"size": 6, "mines": 6}, {"size": 8, "mines": 10}),
        (15, 31, 55),
    ),
    (
        "MultiarmedBandit",
        "bandit:BanditWorld",
        "Find out which of several arms pays best.",
        ("memory", "partial observability", "discrete actions", "bandit"),
        tuple({"arms": arms, "steps": steps} for arms, steps in ((10, 200), (20, 400), (30, 600))),
        (200, 400, 600),
    ),
    (
        "PositionOnlyCartPole",
        "cartpole:CartPoleWorld",
        "Balance a pole on a cart whose velocities are hidden.",
        _PUSHED,
        tuple({"steps": steps} for steps in _LONG),
        _LONG,
    ),
    (
        "VelocityOnlyCartPole",
        "cartpole:CartPoleWorld",
        "Balance a pole on a cart whose positions are hidden.",
        _PUSHED,
        tuple({"hide": "positions", "steps": steps} for steps in _LONG),
        _LONG,
    ),
    (
        "NoisyPositionOnlyCartPole",
        "cartpole:CartPoleWorld",
        "Balance a pole on a cart whose positions are seen with noise.",
        _PUSHED,
        tuple({"noise": noise} for noise in (0.1, 0.2, 0.3)),
        _SAME,
    ),
    (
        "PositionOnlyPendulum",
        "pendulum:PendulumWorld",
        "Swing up a pendulum whose speed is hidden.",
        _TURNED,
        tuple({"steps": steps} for steps in _SHORT),
        _SHORT,
    ),
    (
        "NoisyPositionOnlyPendulum",
        "pendulum:PendulumWorld",
        "Swing up a pendulum whose place is seen with noise and whose speed is hidden.",
        _TURNED,
        tuple({"noise": noise} for noise in (0.1, 0.2, 0.3)),
        _SAME,
    ),
)

_EXPERTS: dict[str, str] = {}

_ANCHORS: dict[str, tuple[tuple[float, float], tuple[float, float] | None, tuple[float, float], str]] = {}
"""Random play, the best player without memory that was found, the reference player, and the behaviour hash."""


def _card(task: str, world: str, summary: str, tags: tuple[str, ...], size: int, **rest: Any) -> EnvCard:
    name = task + _SIZES[size]
    return EnvCard(
        id=f"envsuite/Pop{name}-v0",
        world=f"envsuite.memory.popgym.{world}",
        family="memory",
        summary=summary,
        source=_SOURCE,
        tags=tags,
        **rest,
    )


CARDS = tuple(
    _card(task, world, summary, tags, size, options=options[size], horizon=steps[size])
    for task, world, summary, tags, options, steps in _TASKS
    for size in range(3)
)
