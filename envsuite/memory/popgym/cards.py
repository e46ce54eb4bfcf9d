"""The cards of the 42 ids, made from one table."""

from typing import Any

from envsuite.cards import EnvCard, Score

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
        (*_BOARD, "varying limit"),
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

_PLAYERS = {
    "RepeatPrevious": ("perfect memory", ""),
    "RepeatFirst": ("perfect memory", ""),
    "Autoencode": ("perfect memory", ""),
    "CountRecall": ("perfect memory", ""),
    "Concentration": ("perfect memory", "the last card with one after another"),
    "HigherLower": ("counts cards", "higher up to the seven"),
    "Battleship": ("most places of ships", "one cell after another"),
    "MineSweeper": ("lowest chance of a mine", "on by fixed ways"),
    "MultiarmedBandit": ("approximate Gittins index", "stays with an arm as long as it pays"),
    "PositionOnlyCartPole": ("filter and linear rule", "sign of a sum of both numbers"),
    "VelocityOnlyCartPole": ("filter and linear rule", "sign of a sum of both numbers"),
    "NoisyPositionOnlyCartPole": ("filter and linear rule", "sign of a sum of both numbers"),
    "PositionOnlyPendulum": ("speed from two observations, value iteration", "torque against the sine"),
    "NoisyPositionOnlyPendulum": ("swarm of guesses, value iteration", "torque against the sine"),
}
"""Who plays with memory, and without."""

_UNRANKED = {
    f"VelocityOnlyCartPole{size}": "a rule without memory, the sign of a sum of both velocities, scores "
    f"{score} of 1; compare on PopPositionOnlyCartPole"
    for size, score in (("Easy", "1.0"), ("Medium", "0.998"))
}

_Row = tuple[tuple[float, float], tuple[float, float] | None, tuple[float, float], str]
_ANCHORS: dict[str, _Row] = {
    "RepeatPreviousEasy": ((-0.5019, 0.0041), None, (1.0, 0.0), "cc142670f51f6ec6"),
    "RepeatPreviousMedium": ((-0.5028, 0.0032), None, (1.0, 0.0), "59a0113f59baeefd"),
    "RepeatPreviousHard": ((-0.4996, 0.0029), None, (1.0, 0.0), "efa44aa5de1876b8"),
    "RepeatFirstEasy": ((-0.4938, 0.0039), None, (1.0, 0.0), "3775e1b72aca67a4"),
    "RepeatFirstMedium": ((-0.4999, 0.0014), None, (1.0, 0.0), "783b66501a190755"),
    "RepeatFirstHard": ((-0.4993, 0.001), None, (1.0, 0.0), "b75dce8668514ddb"),
    "AutoencodeEasy": ((-0.5073, 0.0038), None, (1.0, 0.0), "d9235b2cc8b4ff1a"),
    "AutoencodeMedium": ((-0.4963, 0.0027), None, (1.0, 0.0), "149797d87f07c092"),
    "AutoencodeHard": ((-0.4988, 0.0022), None, (1.0, 0.0), "6a74b3de4bb89780"),
    "CountRecallEasy": ((-0.9244, 0.0018), None, (1.0, 0.0), "e9882f45898ddac3"),
    "CountRecallMedium": ((-0.9258, 0.0012), None, (1.0, 0.0), "89b11796114be3b1"),
    "CountRecallHard": ((-0.8825, 0.0011), None, (1.0, 0.0), "ffdeb8bfb6be904e"),
    "ConcentrationEasy": ((-0.1912, 0.0034), (0.213, 0.006), (0.8127, 0.0012), "5d8f6f4e21c3dceb"),
    "ConcentrationMedium": ((-0.1858, 0.0023), (0.2338, 0.0042), (0.813, 0.0008), "c76339448316cb34"),
    "ConcentrationHard": ((-0.8335, 0.0028), None, (0.6969, 0.0008), "054cee14d99203cb"),
    "HigherLowerEasy": ((-0.0026, 0.0041), (0.4956, 0.0031), (0.5295, 0.003), "94a4068ba022adbb"),
    "HigherLowerMedium": ((-0.0002, 0.0029), (0.4997, 0.0022), (0.5186, 0.0022), "6ede16036401a649"),
    "HigherLowerHard": ((0.0006, 0.0024), (0.4989, 0.0018), (0.5132, 0.0018), "b9c97fe3cb8d35c7"),
    "BattleshipEasy": ((-0.4435, 0.005), (0.164, 0.0047), (0.5316, 0.0038), "fca2715465c2623b"),
    "BattleshipMedium": ((-0.417, 0.0048), (0.1825, 0.0049), (0.5761, 0.0035), "c99ff49373c3f2fa"),
    "BattleshipHard": ((-0.4074, 0.0048), (0.1817, 0.0047), (0.5973, 0.0036), "63f5642ed3290968"),
    "MineSweeperEasy": ((-0.2286, 0.0101), (0.0459, 0.0143), (0.7343, 0.0186), "3c19649d9295eb8f"),
    "MineSweeperMedium": ((-0.4045, 0.0041), (-0.2398, 0.0083), (0.5819, 0.0211), "53a3d050ad0cd183"),
    "MineSweeperHard": ((-0.4329, 0.0027), (-0.3208, 0.006), (0.5998, 0.0206), "fcb831207134c95c"),
    "MultiarmedBanditEasy": ((-0.0054, 0.0062), (0.4641, 0.0094), (0.7192, 0.0065), "71ac7989665dd23a"),
    "MultiarmedBanditMedium": ((0.0027, 0.0043), (0.5669, 0.0072), (0.8047, 0.0033), "55f82f70d9463f81"),
    "MultiarmedBanditHard": ((0.003, 0.0036), (0.6097, 0.0062), (0.8387, 0.0022), "37209d4178b911bf"),
    "PositionOnlyCartPoleEasy": ((0.1122, 0.0019), (0.227, 0.0015), (1.0, 0.0), "3aa13658e3bede39"),
    "PositionOnlyCartPoleMedium": ((0.0561, 0.001), (0.1135, 0.0007), (1.0, 0.0), "f619735f4226b019"),
    "PositionOnlyCartPoleHard": ((0.0374, 0.0006), (0.0757, 0.0005), (1.0, 0.0), "6fbb3295d5afd615"),
    "VelocityOnlyCartPoleEasy": ((0.1122, 0.0019), None, (1.0, 0.0), "9939e1d17ce8f743"),
    "VelocityOnlyCartPoleMedium": ((0.0561, 0.001), None, (1.0, 0.0), "41e9c6f019606b56"),
    "VelocityOnlyCartPoleHard": ((0.0374, 0.0006), (0.8293, 0.0035), (1.0, 0.0), "582b0826fd7a64b8"),
    "NoisyPositionOnlyCartPoleEasy": ((0.1122, 0.0019), (0.2462, 0.0042), (0.9977, 0.0008), "095244b338a2dfd5"),
    "NoisyPositionOnlyCartPoleMedium": ((0.1122, 0.0019), (0.2072, 0.0041), (0.6366, 0.0087), "cb102aff0bfeef76"),
    "NoisyPositionOnlyCartPoleHard": ((0.1122, 0.0019), (0.1785, 0.0038), (0.3886, 0.0064), "f90c312c44f10443"),
    "PositionOnlyPendulumEasy": ((0.2346, 0.0057), (0.363, 0.0091), (0.9108, 0.0016), "56de08f4172f0023"),
    "PositionOnlyPendulumMedium": ((0.2336, 0.0059), (0.363, 0.0091), (0.8811, 0.0021), "4482ff2ef1b1e745"),
    "PositionOnlyPendulumHard": ((0.2321, 0.0061), (0.3616, 0.0091), (0.8216, 0.0031), "01ee990c959b982d"),
    "NoisyPositionOnlyPendulumEasy": ((0.2346, 0.0057), (0.3424, 0.0076), (0.8936, 0.0022), "bf1a5abcf5c775dc"),
    "NoisyPositionOnlyPendulumMedium": ((0.2346, 0.0057), (0.3273, 0.0068), (0.7377, 0.0023), "51287a60fcf5bb9c"),
    "NoisyPositionOnlyPendulumHard": ((0.2346, 0.0057), (0.3226, 0.0062), (0.6634, 0.0021), "b4c776fe4e160727"),
}
"""Random play, the best player without memory where it is better, the reference player, and the behaviour hash."""


def _score(one: tuple[float, float] | None, policy: str) -> Score | None:
    return None if one is None else Score(*one, 1000, policy)


def _card(task: str, world: str, summary: str, tags: tuple[str, ...], size: int, **rest: Any) -> EnvCard:
    name = task + _SIZES[size]
    random, floor, expert, behaviour = _ANCHORS[name]
    remembers, forgets = _PLAYERS[task]
    return EnvCard(
        id=f"envsuite/Pop{name}-v0",
        world=f"envsuite.memory.popgym.{world}",
        family="memory",
        summary=summary,
        source=_SOURCE,
        tags=tags,
        random=_score(random, "uniformly random"),
        floor=_score(floor, f"without memory: {forgets}"),
        expert=_score(expert, remembers),
        behaviour=behaviour,
        unranked=_UNRANKED.get(name, ""),
        **rest,
    )


CARDS = tuple(
    _card(task, world, summary, tags, size, options=options[size], horizon=steps[size])
    for task, world, summary, tags, options, steps in _TASKS
    for size in range(3)
)
