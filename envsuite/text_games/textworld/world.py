"""Steps and observations, which all text worlds share."""

from typing import Literal

import numpy as np

from envsuite.core import Block, Choice, Record, Reward, Vector, World, field, kernel
from envsuite.text_games.textworld.facts import Entities, entities_of
from envsuite.text_games.textworld.names import NAMES
from envsuite.text_games.textworld.rules import (
    choose,
    holder_of,
    inventory,
    judge,
    list_commands,
    obey,
    show_commands,
    within_reach,
)
from envsuite.text_games.textworld.state import (
    CHOPPED,
    CONTAINER,
    DICED,
    FOOD,
    FRIED,
    GRILLED,
    HIDES_PLACE,
    HOUSE,
    KEY,
    NONE,
    ROASTED,
    SLICED,
    SOLID,
    SUPPORTER,
    TRAITS,
    VERBS,
    Size,
    State,
)

Style = Literal["plain", "varied", "terse"]
"""How texts are written: always the same, with variants, or in few words."""
DONE = (FRIED, ROASTED, GRILLED, SLICED, DICED, CHOPPED)
"""Traits that a recipe can ask for."""

THING_NUMBERS = 11 + len(TRAITS) + len(DONE)
"""Numbers that an observation has for each thing."""


class Info(Record):
    """The metrics."""

    action_mask = field(type=np.int8, shape="commands", meaning="1 for a command that is possible")
    score = field(type=np.int32, meaning="points so far")
    max_score = field(type=np.int32, meaning="points that can be had")
    won = field(type=np.bool_, meaning="all quests are completed")
    lost = field(type=np.bool_, meaning="a quest has failed")
    success = field(type=np.bool_, meaning="won")
    moves = field(type=np.int32, meaning="commands so far")
    invalid_action = field(type=np.bool_, meaning="the last action was no possible command")


@kernel
def begin(s):
    """Make a generated game ready to play."""
    g = s.game
    s.carried = 0
    for t in range(g.thing_count):
        s.carried += s.place[t] == inventory(s)
    for k in range(s.visited.shape[0]):
        s.visited[k] = k == s.room
    for quest in range(s.completed.shape[0]):
        s.completed[quest], s.failed[quest] = 0, 0
    for k in range(s.commands.shape[0]):  # nothing of the last episode stays
        s.commands[k].verb, s.commands[k].first, s.commands[k].second = 0, 0, 0
    for t in range(s.near.shape[0]):
        s.near[t] = 0
    s.learned = 0
    s.score, s.won, s.lost, s.refused = 0, 0, 0, 0
    s.last.verb, s.last.first, s.last.second = NONE, NONE, NONE
    judge(s)
    list_commands(s)


@kernel
def step(s, action):
    """Do what the command says. The reward is the change of the score."""
    before = s.score
    if choose(s, action):
        obey(s, s.last.verb, s.last.first, s.last.second)
        judge(s)
        list_commands(s)
    return np.float64(s.score - before), s.won != 0 or s.lost != 0


@kernel
def wants(s, t):
    """The traits that the recipe asks of a thing, as far as the player has read it; 0 if it names none."""
    g = s.game
    for k in range(g.recipe_length if s.learned else 0):
        if g.ingredient[k] == t:
            return g.wanted[k]
    return 0


@kernel
def observe_thing(s, o, t):
    """Write what is seen of a thing within reach."""
    g, row = s.game, t * THING_NUMBERS
    kind, holder = g.kind[t], holder_of(s, t)
    held = s.place[t] == inventory(s)
    o.things[row] = 1
    o.things[row + 1] = kind == KEY
    o.things[row + 2] = kind == FOOD
    o.things[row + 3] = kind == CONTAINER
    o.things[row + 4] = kind == SUPPORTER
    o.things[row + 5] = held
    o.things[row + 6] = holder >= 0
    if kind == CONTAINER and 0 < s.lid[t] < SOLID:
        o.things[row + 6 + np.int64(s.lid[t])] = 1
    named = g.target == t or g.goal == t
    for k in range(g.recipe_length if s.learned else 0):
        named = named or g.ingredient[k] == t
    o.things[row + 9] = named
    o.things[row + 10] = g.heat[t] != 0
    row += 11
    for k in range(len(TRAITS)):
        o.things[row + k] = s.traits[t] >> k & 1
    row += len(TRAITS)
    wanted = wants(s, t)
    for k in range(len(DONE)):
        o.things[row + k] = wanted & DONE[k] != 0


@kernel
def observe(s, o, info):
    """Write what the player sees, and which commands are possible."""
    g = s.game
    for k in range(o.exits.shape[0]):
        o.exits[k] = 0
    for side in range(4):
        if g.exits[4 * s.room + side] >= 0:
            door = g.gates[4 * s.room + side]
            o.exits[4 * side + (0 if door < 0 else 1 + s.door_state[door])] = 1
    for k in range(o.things.shape[0]):
        o.things[k] = 0
    hidden = g.rules & HIDES_PLACE != 0
    for t in range(g.thing_count):
        if within_reach(s, t) and not (hidden and s.place[t] == inventory(s)):
            observe_thing(s, o, t)
    for k in range(o.room.shape[0]):
        o.room[k] = s.room == k and not hidden
        o.visited[k] = s.visited[k] if not hidden else 0
    show_commands(s, o, info)
    info.score = s.score
    info.max_score = 0
    for quest in range(g.quest_count):
        info.max_score += g.reward[quest]
    info.won, info.lost, info.success = s.won != 0, s.lost != 0, s.won != 0
    info.moves = s.clock.step
    info.invalid_action = s.refused != 0


class TextWorld(World):
    """A text world; see the worlds that inherit from it.

    An action is an index into the list of commands that are possible now, in a fixed order; the action mask says how
    long the list is. Any other action changes nothing and costs a step.

    Attributes:
        size: how much fits into a record.
        names: what rooms, doors and things are called.
        objectives: what players are told to do, one for each level or one for all; ``{0}`` stands for the target,
            ``{1}`` for where it should be.
        goal: how much of it they are told: ``"none"``, ``"brief"`` (the objective), or ``"detailed"`` (each quest).
        listed: descriptions name the commands that are possible.
        style: of the texts, see `envsuite.text_games.textworld.phrases.STYLES`.
    """

    size: Size = HOUSE
    names: tuple[str, ...] = NAMES
    objectives: tuple[str, ...] = ("",)
    goal: str = "brief"
    listed: bool = False
    style: Style = "plain"
    info_dtype = Info.dtype(np.float64, **HOUSE.axes)
    state_dtype = State.dtype(np.float64, **HOUSE.axes)
    reward = Reward()

    def entities(self, state: np.void) -> Entities:
        """Who takes part in a game, by ids like those of the package ``textworld``.

        Args:
            state: a record `State`.
        """
        return entities_of(state, self.names)

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        axes = cls.size.axes
        cls.state_dtype, cls.info_dtype = State.dtype(np.float64, **axes), Info.dtype(commands=axes["commands"])
        objects = cls.size.things + cls.size.doors
        cls.action = Choice(tuple(f"command {k}" for k in range(cls.size.commands)))
        cls.observation = Vector(
            (
                Block("exits", 16, 0, 1, "", "for north, east, south and west: no door, open, closed, locked door"),
                Block(
                    "things",
                    THING_NUMBERS * cls.size.things,
                    0,
                    1,
                    "",
                    f"{THING_NUMBERS} numbers for each thing, all 0 unless it is within reach: within reach, key, "
                    "food, container, supporter, carried, in or on something, closed, locked, named by the "
                    f"objective or the recipe, appliance; {', '.join(TRAITS)}; to be fried, roasted, grilled, sliced, "
                    "diced, chopped",
                ),
                Block("room", cls.size.rooms, 0, 1, "", "1 where the player is"),
                Block("visited", cls.size.rooms, 0, 1, "", "1 where the player has been"),
                Block(
                    "commands",
                    3 * cls.size.commands,
                    NONE,
                    max(objects, len(VERBS)),
                    "",
                    "for each command that is possible its verb and both arguments; -1 for none",
                ),
                Block("action_mask", cls.size.commands, 0, 1, "", "1 for a command that is possible"),
            ),
            dtype=np.int8 if objects <= np.iinfo(np.int8).max else np.int16,
        )
