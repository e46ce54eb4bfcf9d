"""Household tasks: steps, observations and options."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Block, Choice, Record, Reward, Vector, World, batch_loops, field, kernel
from envsuite.text_games.household.build import (
    ANY_GOAL,
    ANY_TASK,
    HELD_BACK,
    TRAINED,
    Draft,
    Params,
    reset,
)
from envsuite.text_games.household.goals import LIGHT, TASKS, TOOL_OF
from envsuite.text_games.household.kinds import CAN_OPEN, DESKLAMP, HELD_OUT, IS_SHARP, KINDS, PLANS, ROOMS, SPOTS
from envsuite.text_games.household.rules import condition_count, is_here, judge, list_commands, obey
from envsuite.text_games.household.state import (
    CARRIED,
    COMMANDS,
    MOST_ROOMS,
    MOST_SPOTS,
    NONE,
    OBJECTS,
    SIZES,
    THINGS,
    TRAITS,
    State,
)
from envsuite.text_games.textworld.rules import choose, show_commands
from envsuite.text_games.textworld.world import Style

SPOT_NUMBERS, THING_NUMBERS = 8, 6 + len(TRAITS)
"""Numbers that an observation has for each receptacle and each thing."""


class Info(Record):
    """The metrics."""

    action_mask = field(type=np.int8, shape="commands", meaning="1 for a command that is possible")
    score = field(type=np.int32, meaning="conditions of the goal that were met at once, at most so far")
    max_score = field(type=np.int32, meaning="conditions that the goal has")
    won = field(type=np.bool_, meaning="the goal is reached")
    success = field(type=np.bool_, meaning="won")
    moves = field(type=np.int32, meaning="commands so far")
    invalid_action = field(type=np.bool_, meaning="the last action was no possible command")


@kernel
def step(s, action):
    """Do what the command says. The reward is 1 for the goal, or for each further condition that is met at once."""
    before = s.score
    if choose(s, action):
        obey(s, s.last.verb, s.last.first, s.last.second)
        judge(s)
        list_commands(s)
    reward = s.score - before if s.game.dense else np.int64(s.won)
    return np.float64(reward), s.won != 0


@kernel
def is_tool(s, spot):
    """Whether the goal's treatment is given there."""
    tool = TOOL_OF[s.game.task]
    return tool >= 0 and s.game.spot_kind[spot] == tool


@kernel
def observe_spot(s, o, spot):
    """Write what is known of a receptacle of a room where the player has been."""
    g, row, kind = s.game, spot * SPOT_NUMBERS, s.game.spot_kind[spot]
    o.spots[row] = kind + 1
    o.spots[row + 1] = g.spot_room[spot] == s.room
    o.spots[row + 2] = spot == s.spot
    o.spots[row + 3] = CAN_OPEN[kind]
    o.spots[row + 4] = s.open[spot]
    o.spots[row + 5] = s.searched[spot] != 0 and (g.recall or spot == s.spot)
    o.spots[row + 6] = kind == g.goal
    o.spots[row + 7] = is_tool(s, spot)


@kernel
def observe_thing(s, o, t):
    """Write what is known of a thing that was seen."""
    g, row, kind = s.game, t * THING_NUMBERS, s.game.thing_kind[t]
    o.things[row] = kind + 1
    o.things[row + 1] = s.place[t] + 1
    o.things[row + 2] = is_here(s, t)
    o.things[row + 3] = s.place[t] == CARRIED
    o.things[row + 4] = kind == g.wanted or (kind == DESKLAMP and g.task == LIGHT)
    o.things[row + 5] = IS_SHARP[kind]
    for k in range(len(TRAITS)):
        o.things[row + 6 + k] = s.traits[t] >> k & 1


@kernel
def observe_goal(s, o):
    """Write what is wanted."""
    g = s.game
    for k in range(o.task.shape[0]):
        o.task[k] = k == g.task
    for k in range(o.wanted.shape[0]):
        o.wanted[k] = k == g.wanted
    for k in range(o.goal.shape[0]):
        o.goal[k] = k == g.goal
    o.slices = g.slices


@kernel
def observe(s, o, info):
    """Write what the player knows, and which commands are possible."""
    g = s.game
    observe_goal(s, o)
    for k in range(o.room.shape[0]):
        o.room[k] = k == g.room_kind[s.room]
    for k in range(o.spots.shape[0]):
        o.spots[k] = 0
    for k in range(o.things.shape[0]):
        o.things[k] = 0
    for spot in range(g.spot_count):
        if s.entered[g.spot_room[spot]]:
            observe_spot(s, o, spot)
    for t in range(g.thing_count):
        if is_here(s, t) or (g.recall and s.seen[t]):
            observe_thing(s, o, t)
    show_commands(s, o, info)
    info.score, info.max_score = s.score, condition_count(s)
    info.won, info.success = s.won != 0, s.won != 0
    info.moves = s.clock.step
    info.invalid_action = s.refused != 0


class HouseholdWorld(World):
    """Fetch a thing, treat it, and put it where the task says; contents of receptacles are seen only there.

    An action is an index into the list of commands that are possible now, in a fixed order; the action mask says how
    long the list is. Any other action changes nothing and costs a step.

    Args:
        task: ``"pick"`` (put a thing somewhere), ``"light"`` (look at it by a lamp), ``"clean"``, ``"heat"``,
            ``"cool"`` (and put it somewhere), ``"two"`` (put two of a kind into one place), or ``"all"``: one of them
            an episode.
        rooms: number of rooms, of different kinds; one goes from each to each other.
        receptacles: number of receptacles in the house at most; floor plans may have fewer.
        objects: number of things that can be carried.
        sliced: the task asks for slices, which a knife makes.
        split: ``"train"``, ``"seen"`` (goals that training does not know, in its floor plans), ``"unseen"`` (such goals
            in floor plans that it does not know), or ``"all"``.
        rewards: ``"sparse"``: 1 for the goal; ``"dense"``: 1 for each of its conditions, the first time that so many
            are met.
        recall: players are told what they have seen elsewhere; otherwise they have to remember it.
        style: of the texts.

    Raises:
        ValueError: slices to be looked at by a lamp.
    """

    state_dtype = State.dtype(np.float64, **SIZES)
    info_dtype = Info.dtype(commands=COMMANDS)
    reward = Reward()
    action = Choice(tuple(f"command {k}" for k in range(COMMANDS)))
    observation = Vector(
        (
            Block("task", len(TASKS), 0, 1, "", f"1 for the task: {', '.join(TASKS)}"),
            Block("slices", 1, 0, 1, "", "1 if slices are wanted"),
            Block("wanted", len(KINDS), 0, 1, "", "1 for the kind of thing that is wanted"),
            Block("goal", len(SPOTS), 0, 1, "", "1 for the kind of receptacle where it is wanted"),
            Block("room", len(ROOMS), 0, 1, "", "1 for the room where the player is"),
            Block(
                "spots",
                SPOT_NUMBERS * MOST_SPOTS,
                0,
                len(SPOTS),
                "",
                f"{SPOT_NUMBERS} numbers for each receptacle, all 0 until its room was entered: its kind from 1 on, in "
                "this room, the player is at it, can be opened, open, its contents were seen, where the goal is, where "
                "the goal's treatment is given",
            ),
            Block(
                "things",
                THING_NUMBERS * THINGS,
                0,
                len(KINDS),
                "",
                f"{THING_NUMBERS} numbers for each thing, all 0 until it was seen: its kind from 1 on, its receptacle "
                f"from 1 on, seen now, carried, of the wanted kind or the lamp that is needed, sharp, "
                f"{', '.join(TRAITS)}",
            ),
            Block(
                "commands",
                3 * COMMANDS,
                NONE,
                OBJECTS,
                "",
                "for each command that is possible its verb and both arguments; -1 for none",
            ),
            Block("action_mask", COMMANDS, 0, 1, "", "1 for a command that is possible"),
        ),
        dtype=np.int8,
    )
    loops = batch_loops(reset, step, observe, work=Draft.dtype())

    def __init__(
        self,
        *,
        task: Literal["pick", "light", "clean", "heat", "cool", "two", "all"] = "all",
        rooms: Annotated[int, Between(1, MOST_ROOMS)] = 1,
        receptacles: Annotated[int, Between(8, MOST_SPOTS)] = 20,
        objects: Annotated[int, Between(3, 24)] = 12,
        sliced: bool = False,
        split: Literal["train", "seen", "unseen", "all"] = "train",
        rewards: Literal["sparse", "dense"] = "sparse",
        recall: bool = True,
        style: Style = "plain",
    ):
        if sliced and task == "light":
            raise ValueError("sliced is True, expected False with task 'light': nothing near a desk lamp can be sliced")
        self.style = style
        first = {"train": HELD_OUT, "seen": HELD_OUT}.get(split, 0)
        self.params = Params.make(
            task=ANY_TASK if task == "all" else TASKS.index(task),
            rooms=rooms,
            spots=receptacles,
            objects=objects,
            slices=sliced,
            goals={"train": TRAINED, "all": ANY_GOAL}.get(split, HELD_BACK),
            first_plan=first,
            plans=HELD_OUT if split == "unseen" else PLANS - first,
            dense=rewards == "dense",
            recall=recall,
        )
