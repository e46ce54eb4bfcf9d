"""Household tasks against a second implementation of their rules, exact lengths of solutions, and hostile answers."""

import re
import string
from collections import Counter, deque
from itertools import product

import gymnasium
import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Controls, Pictures, Players, Words, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.evaluation.rollout import play
from envsuite.text_games.household import state as codes
from envsuite.text_games.household.commands import command_text, possible_commands
from envsuite.text_games.household.goals import EVERY, GOALS, TASKS
from envsuite.text_games.household.kinds import (
    CLEANABLE,
    COOLABLE,
    HEATABLE,
    HELD_OUT,
    HOLDS,
    KINDS,
    OPENABLE,
    PLAN,
    ROOMS,
    SHARP,
    SLICEABLE,
    SPOTS,
)
from envsuite.text_games.household.language import HouseholdWords
from envsuite.text_games.household.names import NAMES
from envsuite.text_games.household.phrases import PHRASES
from envsuite.text_games.household.render import ROW, TOP, room_boxes, spot_boxes
from envsuite.text_games.household.solve import House, solve
from envsuite.text_games.household.world import HouseholdWorld
from envsuite.text_games.textworld.phrases import STYLES

WORLDS = {task: HouseholdWorld(task=task) for task in TASKS} | {
    "house": HouseholdWorld(rooms=4, receptacles=48, objects=24, rewards="dense"),
    "sliced": HouseholdWorld(sliced=True, rooms=2, rewards="dense", split="all"),
    "two sliced": HouseholdWorld(task="two", sliced=True, rewards="dense"),
    "forgetful": HouseholdWorld(rooms=2, recall=False, split="unseen"),
}


def begun(world, slots: int = 1, first: int = 0) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(np.arange(first, first + slots))
    batch.reset()
    return batch


def kind_of(name: str) -> str:
    """The kind of a numbered name."""
    return name.rsplit(" ", 1)[0]


class Reference:
    """ALFRED's domain once more: facts as words, preconditions and effects, and nothing else."""

    def __init__(self, state):
        g = state["game"]
        spots = [NAMES[k] for k in g["spot_name"][: g["spot_count"]]]
        things = [NAMES[k] for k in g["thing_name"][: g["thing_count"]]]
        self.task, self.slices, self.dense = TASKS[g["task"]], bool(g["slices"]), bool(g["dense"])
        self.wanted, self.goal = KINDS[g["wanted"]], SPOTS[g["goal"]] if g["goal"] >= 0 else ""
        self.rooms = [ROOMS[k] for k in g["room_kind"][: g["room_count"]]]
        self.room_of = {spot: self.rooms[g["spot_room"][k]] for k, spot in enumerate(spots)}
        self.things = things
        self.at: tuple[str, str] = (self.rooms[state["room"]], spots[state["spot"]] if state["spot"] >= 0 else "")
        self.held = things[state["carried"]] if state["carried"] >= 0 else ""
        self.facts = {("opened", spot) for k, spot in enumerate(spots) if self.openable(spot) and state["open"][k]}
        for t, thing in enumerate(things):
            if state["place"][t] >= 0:
                self.facts.add(("in", thing, spots[state["place"][t]]))
            self.facts |= {(word, thing) for k, word in enumerate(codes.TRAITS) if state["traits"][t] >> k & 1}
        self.best = self.met()[0]

    def copy(self) -> "Reference":
        other = object.__new__(Reference)
        other.__dict__ |= self.__dict__ | {"facts": set(self.facts)}
        return other

    @staticmethod
    def openable(spot: str) -> bool:
        return kind_of(spot) in OPENABLE.split()

    def inside(self, spot: str) -> list[str]:
        return [thing for thing in self.things if ("in", thing, spot) in self.facts]

    def accepts(self, spot: str, thing: str) -> bool:
        toast = kind_of(spot) == "toaster" and kind_of(thing) == "bread" and ("sliced", thing) in self.facts
        return kind_of(thing) in HOLDS[kind_of(spot)].split() or toast

    def commands(self) -> dict[str, tuple[set, set]]:
        """Every command that is possible, with the facts that it makes true and false."""
        room, spot = self.at
        none: set = set()
        found = {"look": (none, none), "inventory": (none, none)}
        found |= {f"go to {other}": ({("at", other, "")}, none) for other in self.rooms if other != room}
        for other, where in self.room_of.items():
            if where == room and other != spot:
                found[f"go to {other}"] = ({("at", room, other)}, none)
        shown = [self.held] if self.held else []
        if spot:
            found[f"examine {spot}"] = (none, none)
            opened = ("opened", spot)
            if self.openable(spot) and opened not in self.facts:
                found[f"open {spot}"] = ({opened}, none)
            else:
                shown += self.inside(spot)
                if self.openable(spot):
                    found[f"close {spot}"] = (none, {opened})
        for thing in shown:
            found[f"examine {thing}"] = (none, none)
            self._offer(found, thing, spot)
        return found

    def _offer(self, found, thing, spot):
        kind, none = kind_of(thing), set()
        if thing == self.held:
            if not spot:
                return
            ready = not self.openable(spot) or ("opened", spot) in self.facts
            if ready and self.accepts(spot, thing):
                found[f"move {thing} to {spot}"] = ({("in", thing, spot), ("held", "")}, none)
            for verb, tool, kinds, word, undone in (
                ("clean", "sinkbasin", CLEANABLE, "clean", ""),
                ("heat", "microwave", HEATABLE, "hot", "cold"),
                ("cool", "fridge", COOLABLE, "cold", "hot"),
            ):
                if kind_of(spot) == tool and kind in kinds.split():
                    found[f"{verb} {thing} with {spot}"] = ({(word, thing)}, {(undone, thing)})
        elif kind == "desklamp":
            found[f"use {thing}"] = ({("lit", thing)}, none)
        elif not self.held:
            found[f"take {thing} from {spot}"] = ({("held", thing)}, {("in", thing, spot)})
        elif kind in SLICEABLE.split() and kind_of(self.held) in SHARP.split():
            found[f"slice {thing} with {self.held}"] = ({("sliced", thing)}, none)

    def do(self, effects) -> None:
        adds, deletes = effects
        self.facts -= deletes
        for fact in adds:
            if fact[0] == "at":
                self.at = fact[1:]
            elif fact[0] == "held":
                self.held = fact[1]
            else:
                self.facts.add(fact)

    def met(self) -> tuple[int, int]:
        """Conditions of the goal that are met now, and all that there are."""
        mine = [one for one in self.things if kind_of(one) == self.wanted]
        sliced = [one for one in mine if ("sliced", one) in self.facts]
        mine = sliced if self.slices else mine
        goals = [spot for spot in self.room_of if kind_of(spot) == self.goal]
        placed = [spot for spot in goals for one in mine if one in self.inside(spot)]
        if self.task == "two":
            most = max(Counter(placed).values(), default=0)
            return min(most, 2) + self.slices * min(len(sliced), 2), 2 + 2 * self.slices
        extra = self.slices * bool(sliced)
        if self.task == "light":
            lit = any(("lit", one) in self.facts for one in self.inside(self.at[1]))
            return (self.held in mine) + lit, 2
        word = {"clean": "clean", "heat": "hot", "cool": "cold"}.get(self.task)
        if word is None:
            return extra + bool(placed), 1 + self.slices
        done = [one for one in mine if (word, one) in self.facts]
        both = any(one in self.inside(spot) for spot in goals for one in done)
        return extra + bool(placed) + bool(done) + both, 3 + self.slices

    def reward(self) -> tuple[int, bool]:
        """Points of the last command, and whether the goal is reached."""
        met, most = self.met()
        gained, self.best = max(met - self.best, 0), max(met, self.best)
        return gained if self.dense else int(met == most), met == most


def useful(command: str) -> bool:
    """Whether a command does something other than moving around."""
    return command.split()[0] not in ("look", "inventory", "examine", "go", "close")


@pytest.mark.parametrize("name", WORLDS)
def test_rules_are_those_of_a_second_implementation(name):
    world, rng, ends, paid = WORLDS[name], np.random.default_rng(0), 0, 0.0
    for seed in range(12):
        batch = begun(world, first=seed)
        reference = Reference(batch.states[0])
        plan = solve(batch.states[0])
        for turn in range(80):
            state = batch.states[0]
            ours, theirs = possible_commands(state), reference.commands()
            assert len(set(ours)) == len(ours)
            assert set(ours) == set(theirs)
            assert [int(batch.last.info["score"][0]), int(batch.last.info["max_score"][0])] == [
                reference.best,
                reference.met()[1],
            ]
            likely = [command for command in ours if useful(command)] or ours
            chosen = str(rng.choice(likely if rng.random() < 0.6 else ours))
            if turn >= 50:  # the rest of a solution, so that goals are reached too
                plan = plan if turn > 50 and plan else solve(state)
                chosen = command_text(state, *plan.pop(0))
            output = batch.step(np.array([ours.index(chosen)]))
            reference.do(theirs[chosen])
            assert (output.rewards[0], output.terminated[0]) == reference.reward()
            paid += output.rewards[0]
            if output.terminated[0]:
                ends += 1
                break
    assert ends == 12
    assert paid >= 12


def shortest(reference: Reference, limit: int) -> int:
    """Commands of a shortest solution by breadth-first search over all states; `limit` if there is none below it."""

    def key(one):
        return one.at, one.held, frozenset(one.facts)

    queue, known = deque([(reference, 0)]), {key(reference)}
    while queue:
        one, depth = queue.popleft()
        if depth + 1 >= limit:
            return limit
        for command, effects in one.commands().items():
            if command.split()[0] in ("look", "inventory", "examine"):
                continue
            other = one.copy()
            other.do(effects)
            if other.met()[0] == other.met()[1]:
                return depth + 1
            if key(other) not in known:
                known.add(key(other))
                queue.append((other, depth + 1))
    return limit


@pytest.mark.parametrize(("task", "sliced"), [*product(TASKS, [False]), ("pick", True), ("heat", True)])
def test_no_solution_is_shorter_than_the_planner_says(task, sliced):
    world = HouseholdWorld(task=task, receptacles=8, objects=3, sliced=sliced, split="all")
    lengths = []
    for state in begun(world, 4 if sliced else 6).states:
        plan = solve(state)
        if len(plan) <= (8 if sliced else 9):
            reference = Reference(state)
            assert shortest(reference, len(plan)) == len(plan)
            lengths.append(len(plan))
            for row in plan:
                assert reference.met()[0] < reference.met()[1]
                reference.do(reference.commands()[command_text(state, *row)])
            assert reference.met()[0] == reference.met()[1]
    assert lengths


@pytest.mark.parametrize("name", ["two", "house", "sliced"])
def test_neither_bounds_nor_symmetry_lengthen_solutions(name, monkeypatch):
    states = begun(WORLDS[name], 6, first=100).states
    for state in states:  # from where a hand is full and doors are open, too
        state["carried"] = 0 if KINDS[state["game"]["thing_kind"][0]] != "desklamp" else -1
        state["place"][0] = codes.CARRIED
        state["open"][::3] = 1
    lengths = [len(solve(state)) for state in states]
    monkeypatch.setattr(House, "bound", lambda house, node: 0)
    monkeypatch.setattr(House, "different", lambda house, node: house.spots)
    assert [len(solve(state)) for state in states] == lengths


def test_goals_are_open_in_the_beginning_and_can_be_reached():
    for world in (*WORLDS.values(), HouseholdWorld(receptacles=8, objects=24), HouseholdWorld(rooms=4, receptacles=8)):
        for state, met in zip(begun(world, 60).states, begun(world, 60).last.info["score"], strict=True):
            g = state["game"]
            assert met == 0
            kinds = [KINDS[k] for k in g["thing_kind"][: g["thing_count"]]]
            assert sum(kind != "desklamp" for kind in kinds) == world.params["objects"][0]
            assert max(Counter(kind for kind in kinds).values()) <= codes.COPIES
            assert g["spot_count"] <= world.params["spots"][0]
            assert {int(k) for k in g["spot_room"][: g["spot_count"]]} == set(range(int(g["room_count"])))
            assert g["room_count"] == world.params["rooms"][0]
            spots = [SPOTS[k] for k in g["spot_kind"][: g["spot_count"]]]
            for kind, place in zip(kinds, state["place"], strict=False):
                assert kind == "desklamp" or kind in HOLDS[spots[place]].split()
                assert kind != KINDS[g["wanted"]] or g["goal"] != g["spot_kind"][place]
            assert 0 < len(solve(state)) < 25


def test_rooms_are_those_of_the_floor_plans():
    assert PLAN.sum(2).min() >= 4
    for state in begun(HouseholdWorld(rooms=4, receptacles=48), 100).states:
        g = state["game"]
        for room in range(4):
            found = np.bincount(g["spot_kind"][: g["spot_count"]][g["spot_room"][: g["spot_count"]] == room], None, 29)
            assert (found <= PLAN[g["room_kind"][room], g["plan"][room]]).all()
    small = begun(HouseholdWorld(receptacles=48, task="light"), 100).states["game"]
    for g in small:
        assert g["spot_count"] == PLAN[g["room_kind"][0], g["plan"][0]].sum()


def test_splits_share_neither_goals_nor_rooms():
    goals, plans = {}, {}
    for split in ("train", "seen", "unseen", "all"):
        g = begun(HouseholdWorld(split=split), 3_000).states["game"]
        goals[split] = set(zip(g["task"].tolist(), g["wanted"].tolist(), g["goal"].tolist(), strict=True))
        plans[split] = set(zip(g["room_kind"][:, 0].tolist(), g["plan"][:, 0].tolist(), strict=True))
    assert not goals["train"] & (goals["seen"] | goals["unseen"])
    assert goals["seen"] & goals["unseen"]
    assert plans["seen"] & plans["train"]
    assert not plans["unseen"] & (plans["train"] | plans["seen"])
    assert {plan for _, plan in plans["unseen"]} == set(range(HELD_OUT))
    assert all(goals["all"] & goals[split] for split in goals)
    assert abs(GOALS[:, 4].mean() - 1 / EVERY) < 0.02
    for task, room in {tuple(row) for row in GOALS[:, :2].tolist()}:
        held = GOALS[(GOALS[:, 0] == task) & (GOALS[:, 1] == room), 4]
        assert 0 < held.sum() < len(held)


def test_the_tasks_are_drawn_alike():
    tasks = np.bincount(begun(HouseholdWorld(), 6_000).states["game"]["task"], minlength=6)
    assert (abs(tasks - 1_000) < 150).all()
    sliced = begun(HouseholdWorld(sliced=True), 1_000).states["game"]
    assert set(sliced["task"].tolist()) == {0, 2, 3, 4, 5}
    assert {KINDS[k] for k in sliced["wanted"]} <= set(SLICEABLE.split())


def test_places_are_drawn_alike():
    ratios = []
    for state in begun(HouseholdWorld(task="pick"), 4_000).states:
        g = state["game"]
        kinds, wanted = g["spot_kind"][: g["spot_count"]].tolist(), KINDS[g["wanted"]]
        fitting = [k for k, kind in enumerate(kinds) if wanted in HOLDS[SPOTS[kind]].split() and kind != g["goal"]]
        (thing, *_) = np.flatnonzero(g["thing_kind"] == g["wanted"])
        ratios.append((fitting.index(int(state["place"][thing])) + 0.5) / len(fitting))
    assert abs(np.mean(ratios) - 0.5) < 4 * np.sqrt(1 / 12 / 4_000)


def test_what_was_not_seen_is_not_shown():
    world = WORLDS["house"]
    batch, rng, words = begun(world, 16), np.random.default_rng(0), companion(world, Words)
    layout = world.observation
    for _ in range(30):
        things = batch.last.observations[:, layout.offset("things") : layout.offset("commands")]
        shown = things.reshape(16, codes.THINGS, -1).any(2)
        for state, row, text in zip(batch.states, shown, words.write(batch.states), strict=True):
            spot, g = int(state["spot"]), state["game"]
            here = (state["place"] == spot) & bool(spot >= 0 and state["open"][spot]) & (g["thing_kind"] >= 0)
            known = (state["seen"] == 1) | here | (np.arange(codes.THINGS) == state["carried"])
            assert (row == known).all()
            for t in range(int(g["thing_count"])):
                told = re.search(rf"\b{NAMES[g['thing_name'][t]]}\b", text)
                assert bool(told) == known[t]
        batch.step((rng.random(16) * batch.states["command_count"]).astype(np.int64), restart=batch.done)


def test_who_forgets_is_shown_what_is_here_alone():
    world = WORLDS["forgetful"]
    batch, rng, words = begun(world, 16), np.random.default_rng(0), companion(world, Words)
    layout = world.observation
    for _ in range(30):
        things = batch.last.observations[:, layout.offset("things") : layout.offset("commands")]
        for state, row in zip(batch.states, things.reshape(16, codes.THINGS, -1).any(2), strict=True):
            spot = int(state["spot"])
            here = (state["place"] == spot) & bool(spot >= 0 and state["open"][spot])
            assert (row == ((here & (state["seen"] == 1)) | (np.arange(codes.THINGS) == state["carried"]))).all()
        assert not any("seen" in text or "looked into" in text for text in words.write(batch.states))
        batch.step((rng.random(16) * batch.states["command_count"]).astype(np.int64), restart=batch.done)


def test_conditions_pay_once():
    world = HouseholdWorld(task="heat", rewards="dense")
    for k in range(8):
        batch = begun(world, first=k)
        total = []
        for row in solve(batch.states[0]):
            rows = batch.states["commands"][0].tolist()
            total.append(float(batch.step(np.array([rows.index(tuple(row))])).rewards[0]))
            if row[0] == codes.HEAT_IT:  # heat it again, and take and move are no new conditions either
                total.append(float(batch.step(np.array([rows.index(tuple(row))])).rewards[0]))
        assert sum(total) == 3
        assert total[-1] == 2
        assert batch.states["won"][0]


@pytest.mark.parametrize("name", ["HouseholdLight", "HouseholdPickTwo", "Household", "HouseholdUnseen"])
def test_players_do_their_tasks(name):
    card = envsuite.card(name)
    best = play(card, lambda world, slots: companion(world, Players).expert(), 100)
    fair = play(card, lambda world, slots: companion(world, Players).collector("explore"), 100)
    assert (best.returns == 1).all()
    assert fair.returns.mean() > 0.97
    assert best.lengths.mean() + 2 < fair.lengths.mean() < 25
    with pytest.raises(ValueError, match="no collector 'dance'"):
        companion(HouseholdWorld(), Players).collector("dance")


def test_the_explorer_acts_on_what_it_has_seen_alone():
    batch = begun(WORLDS["house"], 8)
    other = batch.states.copy()
    for state in other:  # what was not seen lies elsewhere
        hidden = (state["seen"] == 0) & (state["game"]["thing_kind"] >= 0)
        state["place"][hidden] = (state["place"][hidden] + 1) % state["game"]["spot_count"]
    players = companion(batch.world, Players)
    ours, theirs = players.collector("explore"), players.collector("explore")
    assert (ours.act(batch.last.observations, batch.states) == theirs.act(batch.last.observations, other)).all()


def test_players_go_on_where_others_have_acted():
    batch, rng = begun(WORLDS["house"], 12), np.random.default_rng(0)
    planner = companion(batch.world, Players).expert()
    planner.reset(np.ones(12, bool), np.arange(12))
    won = np.zeros(12, bool)
    for turn in range(60):
        actions = planner.act(batch.last.observations, batch.states)
        if turn % 3 == 0 and turn < 30:
            actions = (rng.random(12) * batch.states["command_count"]).astype(np.int64)
        batch.step(actions)
        won |= batch.states["won"] == 1
    assert won.all()


def test_actions_that_are_no_command_change_nothing_and_cost_a_step():
    batch = begun(WORLDS["house"])
    before = batch.states.copy()
    output = batch.step(np.array([codes.COMMANDS - 1]))
    assert output.info["invalid_action"][0]
    assert output.rewards[0] == 0
    for part in ("room", "spot", "place", "traits", "open", "score", "commands"):
        assert (batch.states[part] == before[part]).all()
    assert batch.states["clock"]["step"][0] == 1
    assert "not possible" in companion(batch.world, Words).write(batch.states)[0]


@pytest.mark.parametrize("name", WORLDS)
def test_an_episode_leaves_nothing_behind(name):
    played, fresh = begun(WORLDS[name], 32), begun(WORLDS[name], 32)
    rng = np.random.default_rng(0)
    for _ in range(60):
        played.step((rng.random(32) * played.states["command_count"]).astype(np.int64))
    for batch in (played, fresh):
        batch.reset()
    assert played.states.tobytes() == fresh.states.tobytes()


def test_the_list_of_commands_has_room_for_all():
    assert all(NAMES[k] == name for k, name in ((0, "kitchen"), (len(ROOMS), SPOTS[0])))
    world = HouseholdWorld(task="pick", receptacles=48, objects=24, split="all")
    batch = begun(world, 8)
    for state in batch.states:  # everything on one pile, with a knife in hand or none
        g = state["game"]
        state["place"][: g["thing_count"]], state["spot"], state["room"] = 0, 0, 0
        state["open"][0] = 1
    batch.step(np.zeros(8, np.int64))  # looking lists the commands anew
    assert (batch.states["command_count"] < codes.COMMANDS).all()
    assert (batch.states["command_count"] > 2 * 24).all()


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("style", STYLES)
def test_every_command_is_read_and_no_word_is_unknown(name, style):
    base = WORLDS[name]
    batch, rng = begun(base, 8), np.random.default_rng(2)
    base.style = style
    words = HouseholdWords(base)  # the world's own would still have the texts of the style before
    try:
        for _ in range(10):
            for state in batch.states[:2]:
                for k, command in enumerate(possible_commands(state)):
                    assert words.parse(command, state) == k
                    assert words.parse(f"I think. Action: {command.upper()}!", state) == k
            tokens = np.zeros((8, words.token_length), np.int32)
            words.write_tokens(batch.states, tokens)
            texts = words.write(batch.states)
            assert [words.book.text(row[row > 0]) for row in tokens] == texts
            assert all(0 < len(text) <= words.longest for text in texts)
            assert (tokens[:, -1] == 0).all(), "a text is cut off"
            lists = [[k for k, one in enumerate(possible_commands(state)) if useful(one)] for state in batch.states]
            chosen = [rng.choice(some or [2]) for some in lists]
            batch.step(np.array(chosen) if rng.random() < 0.7 else np.full(8, 3), restart=batch.done)
    finally:
        base.style = "plain"
    assert all(len(variants) == len(STYLES) for variants in PHRASES.values())


def test_the_longest_text_fits():
    world = WORLDS["house"]
    batch = begun(world, 64)
    batch.states["searched"][:] = batch.states["game"]["spot_kind"] >= 0
    batch.states["seen"][:] = batch.states["game"]["thing_kind"] >= 0
    batch.states["entered"][:] = 1
    batch.states["traits"][:] = codes.HOT | codes.CLEAN | codes.SLICED
    for style in STYLES:
        world.style = style
        try:
            words = HouseholdWords(world)
            tokens = np.zeros((64, words.token_length), np.int32)
            words.write_tokens(batch.states, tokens)
            assert (tokens[:, -1] == 0).all(), "a text is cut off"
        finally:
            world.style = "plain"


def set_out(world, goal: str, **places: str) -> Batch:
    """A batch whose house has been given a goal of this kind, and its things, by the first seed that has all."""
    for first in range(3_000):
        batch = begun(world, first=first)
        state, g = batch.states[0], batch.states[0]["game"]
        things = [NAMES[k] for k in g["thing_name"][: g["thing_count"]]]
        spots = [NAMES[k] for k in g["spot_name"][: g["spot_count"]]]
        if all(f"{thing} 1" in things and f"{spot} 1" in spots for thing, spot in places.items()):
            for thing, spot in places.items():
                state["place"][things.index(f"{thing} 1")] = spots.index(f"{spot} 1")
            g["wanted"], g["goal"] = KINDS.index(next(iter(places))), SPOTS.index(goal)
            return batch
    raise AssertionError("no house has all of them")


def test_texts_say_what_is_there():
    batch = set_out(HouseholdWorld(task="heat"), "countertop", apple="fridge", plate="fridge")
    words = companion(batch.world, Words)
    said = {}
    for command in (
        "go to fridge 1",
        "open fridge 1",
        "take apple",
        "go to the microwave",
        "heat apple with microwave",
    ):
        action = words.parse(command, batch.states[0])
        assert not isinstance(action, Refusal), action
        batch.step(np.array([action]))
        said[command] = words.describe(batch.states[0])
    assert said["go to fridge 1"].startswith(
        "You go to fridge 1.\nYou are in the kitchen, at fridge 1. It is closed. Here are"
    )
    assert "It is open. In it you see" in said["open fridge 1"]
    assert "an apple 1" in said["open fridge 1"]
    assert "You take apple 1 from fridge 1." in said["take apple"]
    assert "You carry an apple 1." in said["take apple"]
    assert "Elsewhere you have seen" in said["go to the microwave"]
    assert "a plate 1 at fridge 1" in said["go to the microwave"]
    assert "You carry a hot apple 1." in said["heat apple with microwave"]
    assert "Your task: heat an apple and put it on a countertop." in said["heat apple with microwave"]
    assert "searched" not in said["take apple"]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("walk to the fridge", "go to fridge 1"),
        ("l", "look"),
        ("i", "inventory"),
        ("look at countertop 1", "examine countertop 1"),
        ("x the countertop", "examine countertop 1"),
        ("pick up the mug from the countertop", "take mug 1 from countertop 1"),
        ("grab mug", "take mug 1 from countertop 1"),
        ("then go to sink basin 1", "go to sinkbasin 1"),
        ('{"thought": "hm", "action": "go to microwave 1"}', "go to microwave 1"),
        ("put the mug on the countertop", "move mug 1 to countertop 1"),
        ("put mug 1 in/on countertop 1", "move mug 1 to countertop 1"),
        ("place mug 1 in the countertop", "move mug 1 to countertop 1"),
        ("move the mug to the countertop", "move mug 1 to countertop 1"),
        ("put down the mug", "move mug 1 to countertop 1"),
    ],
)
def test_other_words_mean_the_same(said, meant):
    batch = set_out(HouseholdWorld(task="heat"), "countertop", mug="countertop")
    words = companion(batch.world, Words)
    g = batch.states[0]["game"]
    assert np.count_nonzero(g["spot_kind"] == SPOTS.index("countertop")) >= 1
    batch.step(np.array([words.parse("go to countertop 1", batch.states[0])]))
    if meant.startswith("move"):
        batch.step(np.array([words.parse("take mug 1 from countertop 1", batch.states[0])]))
    assert words.parse(said, batch.states[0]) == possible_commands(batch.states[0]).index(meant)


def test_tools_are_used_in_other_words():
    batch = set_out(HouseholdWorld(task="light"), "bed", book="desk", desklamp="desk")
    words = companion(batch.world, Words)
    for said in ("go to the desk 1", "take book 1"):
        batch.step(np.array([words.parse(said, batch.states[0])]))
    names = possible_commands(batch.states[0])
    for said in ("turn on the desk lamp", "use desklamp 1", "switch desklamp 1 on"):
        assert words.parse(said, batch.states[0]) == names.index("use desklamp 1")
    batch.states["game"]["goal"][0] = -1
    output = batch.step(np.array([names.index("use desklamp 1")]))
    assert output.terminated[0]
    assert output.rewards[0] == 1


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("", RefusalKind.EMPTY),
        (" \n ", RefusalKind.EMPTY),
        ("?!", RefusalKind.UNREADABLE),
        ("dance", RefusalKind.UNKNOWN_NAME),
        ("take the moon", RefusalKind.UNKNOWN_NAME),
        ("open the countertop", RefusalKind.ILLEGAL),
        ("heat the countertop", RefusalKind.ILLEGAL),
        ("open", RefusalKind.UNREADABLE),
        ("go", RefusalKind.UNREADABLE),
        ("go to the cabinet", RefusalKind.AMBIGUOUS),
        ("command 400", RefusalKind.OUT_OF_RANGE),
    ],
)
def test_refusals_say_what_is_wrong(said, kind):
    for first in range(300):
        batch = begun(HouseholdWorld(task="heat"), first=first)
        found = {kind_of(NAMES[k]) for k in batch.states[0]["game"]["spot_name"] if k >= 0}
        if "cabinet 2" in {NAMES[k] for k in batch.states[0]["game"]["spot_name"]} and "countertop" in found:
            break
    words = companion(batch.world, Words)
    batch.step(np.array([words.parse("go to countertop 1", batch.states[0])]))
    answer = words.parse(said, batch.states[0])
    assert isinstance(answer, Refusal)
    assert answer.kind is kind
    assert len(answer.reason) > 20


def hostile(rng, count: int) -> None:
    """Answers of pieces of commands and of any characters."""
    batch = begun(WORLDS["house"], 8)
    words = companion(batch.world, Words)
    solver = companion(batch.world, Players).expert()
    for _ in range(3):
        batch.step(solver.act(batch.last.observations, batch.states))
    pieces = [*" ".join(possible_commands(batch.states[0])).split(), "with", "from", "to", "in/on", "put", "7" * 30]
    letters = np.array([*string.printable, "é", "ß", "\u202e", "名", "\x00", "\n"])
    for k in range(count):
        said = " ".join([*rng.choice(pieces, rng.integers(0, 8)), "".join(rng.choice(letters, rng.integers(0, 20)))])
        state = batch.states[k % 8]
        found = words.parse(said if k % 97 else said * 3000, state)
        assert isinstance(found, Refusal) or 0 <= found < int(state["command_count"])


def test_no_answer_raises():
    hostile(np.random.default_rng(3), 10_000)


@pytest.mark.slow
def test_no_answer_of_many_raises():
    hostile(np.random.default_rng(4), 100_000)


def test_text_and_tokens_are_observations():
    env = gymnasium.make("envsuite/Household-v0", obs_type="text")
    text, _ = env.reset(seed=5)
    assert env.observation_space.contains(text)
    coded = envsuite.make_vec("Household", num_envs=3, obs_type="tokens")
    tokens, _ = coded.reset(seed=5)
    vocabulary = companion(coded.world, Words).vocabulary
    assert coded.observation_space.contains(tokens)
    assert " ".join(vocabulary[k] for k in tokens[0] if k).replace(" ", "") == text.replace(" ", "")


def test_listed_commands_are_words():
    world = WORLDS["sliced"]
    batch, words = begun(world, 4), companion(world, Words)
    count, longest = words.command_shape
    out = np.zeros((4, words.token_length + count * longest), np.int32)
    words.write_tokens(batch.states, out)
    for state, row in zip(batch.states, out, strict=True):
        listed = row[words.token_length :].reshape(count, longest)
        texts = [" ".join(words.vocabulary[k] for k in one if k) for one in listed]
        assert texts[: int(state["command_count"])] == possible_commands(state)
        assert not any(texts[int(state["command_count"]) :])


def test_clicks_choose_commands():
    world = WORLDS["house"]
    batch = begun(world)
    controls, state = companion(world, Controls), batch.states[0]
    assert companion(world, Pictures).draw(state, (900, 560)).shape == (560, 900, 3)
    names = possible_commands(state)
    for spot, (left, top, right, bottom) in spot_boxes(state).items():
        found = controls.click(((left + right) / 2, (top + bottom) / 2), set(), state)
        assert names[found] == f"go to {NAMES[state['game']['spot_name'][spot]]}"
    rooms = [controls.click((left + 0.01, top + 0.01), set(), state) for left, top, _, _ in room_boxes(state)]
    assert rooms.count(None) == 1
    assert {names[k] for k in rooms if k is not None} == {f"go to {room}" for room in ROOMS} & set(names)
    assert names[controls.click((0.8, TOP + 0.5 * ROW), set(), state)] == "look"
    assert controls.click((0.8, 0.99), set(), state) is None
    assert controls.click((0.1, 0.99), set(), state) is None
    batch.step(np.array([controls.click((0.1, 0.1), set(), state) or 2]))
    assert companion(world, Pictures).draw(batch.states[0], (84, 84)).shape == (84, 84, 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"task": "dust"}, "task is 'dust', expected one of"),
        ({"rooms": 5}, "rooms is 5"),
        ({"receptacles": 7}, "receptacles is 7"),
        ({"objects": 2}, "objects is 2"),
        ({"split": "test"}, "split is 'test'"),
        ({"rewards": "rich"}, "rewards is 'rich'"),
        ({"task": "light", "sliced": True}, "sliced is True, expected False with task 'light'"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        HouseholdWorld(**options)
