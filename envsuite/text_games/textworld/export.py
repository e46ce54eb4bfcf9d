"""Writes games of our worlds as the package ``textworld`` does, so that its players run them."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any, cast

import numpy as np

from envsuite.core.batch import Batch
from envsuite.core.companions import Words, companion
from envsuite.core.files import write_atomic
from envsuite.text_games.textworld.commands import command_text
from envsuite.text_games.textworld.facts import (
    STATES,
    Entities,
    Fact,
    place_fact,
    traits_in,
    true_facts,
)
from envsuite.text_games.textworld.language import TextWords
from envsuite.text_games.textworld.loaded import LoadedWorld
from envsuite.text_games.textworld.logic import knowledge
from envsuite.text_games.textworld.solutions import solve
from envsuite.text_games.textworld.state import (
    CONSUMED,
    CONTAINER,
    DOOR_IS,
    FOOD,
    LID_IS,
    NEEDS_LAST,
    PLAYER_AT,
    THING_AT,
    TRAIT_IS,
    WIN,
)
from envsuite.text_games.textworld.world import TextWorld

_NAMELESS = ("noun", "adj", "desc", "room_type", "definite", "indefinite", "synonyms")
"""What the package knows of entities for its own texts; unknown here."""


def export_game(world: TextWorld, seed: int, path: Path | str) -> None:
    """Write the game that a world draws for a seed, as JSON of the package ``textworld`` (1.7).

    The package's JSON engine plays it by the same rules, and `LoadedWorld` reads it. It has no texts besides names, the
    objective, the recipe and a solution (``metadata["walkthrough"]``), and cannot be compiled.

    Args:
        world: that draws games.
        seed: of the episode.
        path: the file, which is whole or absent.

    Raises:
        ValueError: the world plays games of files, or the seed is no integer of at least 0.
    """
    write_atomic(Path(path), json.dumps(game_data(world, seed)) + "\n")


def game_data(world: TextWorld, seed: int) -> dict[str, Any]:
    """What `export_game` writes.

    Args:
        world: that draws games.
        seed: of the episode.
    """
    if isinstance(world, LoadedWorld):
        raise ValueError(f"{type(world).__name__} plays games of files, expected a world that draws games")
    batch = Batch(world, 1, num_threads=1)
    batch.seed([seed])
    batch.reset()
    state = batch.states[0].copy()
    batch.close()
    g, entities = state["game"], _with_numbers(state, world.entities(state))
    told = cast(TextWords, companion(world, Words)).parts(state)
    solution = solve(state)
    metadata: dict[str, Any] = {"generator": "envsuite", "world": type(world).__name__, "seed": int(seed)}
    if told.recipe:
        metadata["recipe"] = told.recipe
    if solution is not None:
        metadata["walkthrough"] = [command_text(state, world.names, *row) for row in solution]
    return {
        "version": 1,
        "world": [_fact(fact, entities) for fact in sorted(true_facts(state, entities))],
        "grammar": {},
        "quests": [_quest(state, entities, quest) for quest in range(int(g["quest_count"]))],
        "infos": [[key, _info(key, entities)] for key in entities.types],
        "KB": {"logic": knowledge(g, bool(entities.numbers)), "text_grammars_path": ""},
        "metadata": metadata,
        "objective": told.objective,
    }


def _with_numbers(state: np.void, entities: Entities) -> Entities:
    """Numbers of things that are carried, where not all that can be carried fits into the inventory."""
    g = state["game"]
    portable, capacity = int((g["kind"][: int(g["thing_count"])] < CONTAINER).sum()), int(g["capacity"])
    if portable <= capacity:
        return entities
    numbers = tuple(f"number_{k}" for k in range(portable + 1))
    rules = {("next", pair) for pair in pairwise(numbers)} | {("spare", (one,)) for one in numbers[:capacity]}
    types = entities.types | dict.fromkeys(numbers, "number")
    return replace(entities, types=types, always=entities.always | rules, numbers=numbers)


def _info(key: str, entities: Entities) -> dict[str, Any]:
    return {"id": key, "type": entities.types[key], "name": entities.names.get(key)} | dict.fromkeys(_NAMELESS)


def _fact(fact: Fact, entities: Entities) -> dict[str, Any]:
    return {"name": fact[0], "arguments": [{"name": key, "type": entities.types[key]} for key in fact[1]]}


def _quest(state: np.void, entities: Entities, quest: int) -> dict[str, Any]:
    g = state["game"]
    wins, fails = [], []
    for event in range(int(g["event_count"])):
        if g["event_quest"][event] == quest:
            facts = list(_facts_of(state, entities, event))
            if g["event_effect"][event] == WIN:
                wins += product(*facts)
                fails += ((fact,) for fact in _losses(state, entities, event))
            else:
                fails += product(*facts)
    return {
        "desc": "",
        "reward": int(g["reward"][quest]),
        "commands": [],
        "win_events": [_event(facts, entities) for facts in dict.fromkeys(wins)],
        "fail_events": [_event(facts, entities) for facts in dict.fromkeys(fails)],
        "optional": bool(g["optional"][quest]),
        "repeatable": bool(g["repeatable"][quest]),
    }


def _span(g: np.void, event: int) -> range:
    """The facts of an event."""
    end = g["event_first"][event + 1] if event + 1 < g["event_count"] else g["fact_count"]
    return range(int(g["event_first"][event]), int(end))


def _facts_of(state: np.void, entities: Entities, event: int) -> Iterator[list[Fact]]:
    """For each fact of an event those that it may be: a thing may have any of several traits."""
    g = state["game"]
    for k in _span(g, event):
        kind, first, second = int(g["fact_kind"][k]), int(g["fact_first"][k]), int(g["fact_second"][k])
        if kind == PLAYER_AT:
            yield [("at", ("P", entities.rooms[first]))]
        elif kind == THING_AT:
            yield [place_fact(g, entities, first, second)]
        elif kind == DOOR_IS:
            yield [(STATES[second], (entities.doors[first],))]
        elif kind == LID_IS:
            yield [(STATES[second], (entities.things[first],))]
        else:
            yield [(trait, (entities.things[first],)) for trait in traits_in(second, int(g["rules"]))]


def _losses(state: np.void, entities: Entities, event: int) -> Iterator[Fact]:
    """What makes it impossible that an event happens: a food that it needs was eaten or became part of a meal."""
    g = state["game"]
    for k in _span(g, event) if g["rules"] & NEEDS_LAST else ():
        kind, t, second = int(g["fact_kind"][k]), int(g["fact_first"][k]), int(g["fact_second"][k])
        if (kind == THING_AT or (kind == TRAIT_IS and second != CONSUMED)) and g["kind"][t] == FOOD and t != g["meal"]:
            yield from ((trait, (entities.things[t],)) for trait in traits_in(CONSUMED, int(g["rules"])))
            if t in g["ingredient"][: int(g["recipe_length"])]:
                yield "used", (entities.things[t],)


def _event(facts: tuple[Fact, ...], entities: Entities) -> dict[str, Any]:
    """An event of the package: an action that can be done when all facts are true."""
    before = [_fact(fact, entities) for fact in facts]
    about = sorted({key for _, keys in facts for key in keys})
    trigger = {
        "name": "trigger",
        "preconditions": before,
        "postconditions": [*before, _fact(("event", tuple(about)), entities)],
        "command_template": None,
        "reverse_name": None,
        "reverse_command_template": None,
    }
    return {"commands": [], "actions": [], "condition": trigger}
