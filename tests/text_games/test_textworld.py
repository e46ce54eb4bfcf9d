"""Text worlds against a second implementation of their rules, exact lengths of solutions, and hostile answers."""

import dataclasses
import json
import string

import gymnasium
import numpy as np
import pytest

import envsuite
from envsuite.agents.random import RandomPolicy
from envsuite.core.batch import Batch
from envsuite.core.companions import Controls, Pictures, Players, Words, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.evaluation.rollout import play
from envsuite.text_games.textworld import state as codes
from envsuite.text_games.textworld.coin import CoinCollectorWorld
from envsuite.text_games.textworld.commands import possible_commands
from envsuite.text_games.textworld.cooking import CookingWorld
from envsuite.text_games.textworld.foods import ALL, ALLOWED, FOODS, SPLITS
from envsuite.text_games.textworld.language import TextWords
from envsuite.text_games.textworld.load import GameFileError, load_game
from envsuite.text_games.textworld.loaded import LoadedWorld
from envsuite.text_games.textworld.names import NAMES, PLAIN_OBJECTS, ROOMS
from envsuite.text_games.textworld.nav import TextNavWorld
from envsuite.text_games.textworld.phrases import PHRASES, STYLES, Book, article
from envsuite.text_games.textworld.quest import TextQuestWorld
from envsuite.text_games.textworld.search import MOST_NODES, search
from envsuite.text_games.textworld.simple import SimpleWorld
from envsuite.text_games.textworld.treasure import TreasureHunterWorld

WORLDS = {
    "coin": CoinCollectorWorld(level=110),
    "treasure": TreasureHunterWorld(level=25),
    "simple": SimpleWorld(),
    "cooking": CookingWorld(recipe=3, take=2, go=9, split="all"),
    "drop": CookingWorld(recipe=2, take=1, go=6, drop=True),
    "quest": TextQuestWorld(rooms=6, objects=12, quest_length=8, rewards="dense"),
}


def begun(world, slots: int = 1, first: int = 0) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(np.arange(first, first + slots))
    batch.reset()
    return batch


def solution(state) -> list[list[int]]:
    """A shortest solution of a game."""
    return search(np.array([state]), MOST_NODES)[0].tolist()


class Reference:
    """The rules of section 2.2 of the fact sheet once more: facts as sets of words, and nothing else."""

    def __init__(self, state, world):
        g, self.world = state["game"], world
        size, self.names = world.size, world.names
        self.things = [f"t{k}" for k in range(int(g["thing_count"]))]
        self.name = {f"t{k}": self.names[g["thing_name"][k]] for k in range(len(self.things))}
        self.name |= {f"d{k}": self.names[g["door_name"][k]] for k in range(int(g["door_count"]))}
        self.kind = {f"t{k}": codes.KINDS[g["kind"][k]] for k in range(len(self.things))}
        self.heat = {f"t{k}": int(g["heat"][k]) for k in range(len(self.things))}
        self.capacity, self.strict = int(g["capacity"]), bool(g["rules"] & codes.EDIBLE_ONLY)
        self.recipe = [f"t{int(k)}" for k in g["ingredient"][: int(g["recipe_length"])]]
        self.wanted = [self._traits(int(bits)) for bits in g["wanted"][: len(self.recipe)]]
        self.kitchen = int(g["kitchen"])
        self.meal = f"t{int(g['meal'])}"
        self.match, self.ways = {}, {}
        for k, key in enumerate(self.things):
            x = int(g["opens"][k])
            if x >= 0:
                self.match[key] = f"t{x}" if x < size.things else f"d{x - size.things}"
        for way in np.flatnonzero(g["exits"] >= 0).tolist():
            gate = int(g["gates"][way])
            self.ways[way // 4, codes.DIRECTIONS[way % 4]] = int(g["exits"][way]), f"d{gate}" if gate >= 0 else None
        self.room = int(state["room"])
        words = ("open", "closed", "locked", "solid")
        self.status = {f"d{k}": words[state["door_state"][k]] for k in range(int(g["door_count"]))}
        self.status |= {f"t{k}": words[state["lid"][k]] for k in range(len(self.things))}
        self.at = {f"t{k}": self._place(int(state["place"][k])) for k in range(len(self.things))}
        self.facts = {f"t{k}": self._traits(int(state["traits"][k])) for k in range(len(self.things))}

    @staticmethod
    def _traits(bits: int) -> set[str]:
        return {name for k, name in enumerate(codes.TRAITS) if bits >> k & 1}

    def _place(self, place: int):
        rooms = self.world.size.rooms
        return place if place < rooms else "I" if place == rooms else f"t{place - rooms - 1}"

    def seen(self, t: str) -> bool:
        where = self.at[t]
        if isinstance(where, int):
            return where == self.room and where >= 0
        if where == "I":
            return True
        return self.at[where] == self.room and (self.kind[where] == "supporter" or self.status[where] == "open")

    def commands(self) -> dict[str, tuple]:
        """Every command that is possible, with what it does."""
        found: dict[str, tuple] = {"look": (), "inventory": ()}
        held = [t for t in self.things if self.at[t] == "I"]
        doors = {door for (room, _), (_, door) in self.ways.items() if room == self.room and door}
        lids = doors | {t for t in self.things if self.kind[t] == "container" and self.seen(t)}
        for (room, side), (there, door) in self.ways.items():
            if room == self.room and (door is None or self.status[door] == "open"):
                found[f"go {side}"] = ("go", there)
        for x in lids:
            if self.status[x] in ("open", "closed"):
                verb, after = ("open", "open") if self.status[x] == "closed" else ("close", "closed")
                found[f"{verb} {self.name[x]}"] = ("status", x, after)
            for key in held:
                if self.match.get(key) == x and self.status[x] in ("closed", "locked"):
                    verb, after = ("lock", "locked") if self.status[x] == "closed" else ("unlock", "closed")
                    found[f"{verb} {self.name[x]} with {self.name[key]}"] = ("status", x, after)
        for t in [one for one in self.things if self.seen(one)]:
            found[f"examine {self.name[t]}"] = ()
            if self.kind[t] in ("container", "supporter"):
                continue
            if t in held:
                self._hold(found, t, held)
            elif len(held) < self.capacity:
                origin = self.at[t]
                text = f"take {self.name[t]}" + ("" if isinstance(origin, int) else f" from {self.name[origin]}")
                found[text] = ("move", t, "I")
        for door in doors:
            found[f"examine {self.name[door]}"] = ()
        done = all(
            self.at[f] == "I" and wants <= self.facts[f] for f, wants in zip(self.recipe, self.wanted, strict=True)
        )
        if self.recipe and self.room == self.kitchen and done:
            found["prepare meal"] = ("prepare",)
        return found

    def _hold(self, found, t, held):
        name = self.name[t]
        found[f"drop {name}"] = ("move", t, self.room)
        for one in self.things:
            if self.at[one] == self.room and self.kind[one] == "supporter":
                found[f"put {name} on {self.name[one]}"] = ("move", t, one)
            if self.at[one] == self.room and self.kind[one] == "container" and self.status[one] == "open":
                found[f"insert {name} into {self.name[one]}"] = ("move", t, one)
        if self.kind[t] != "food":
            return
        facts = self.facts[t]
        if "edible" in facts or not self.strict:
            found[f"eat {name}"] = ("eat", t)
        if "drinkable" in facts:
            found[f"drink {name}"] = ("eat", t)
        heated = {"cooked", "edible"} <= facts or "raw" in facts or {"needs_cooking", "inedible"} <= facts
        for one in self.things:
            if self.heat[one] and self.at[one] == self.room and heated:
                found[f"cook {name} with {self.name[one]}"] = ("cook", t, one)
            if "uncut" in facts and "sharp" in self.facts[one] and one in held:
                for verb, after in (("slice", "sliced"), ("dice", "diced"), ("chop", "chopped")):
                    found[f"{verb} {name} with {self.name[one]}"] = ("cut", t, after)

    def do(self, effect: tuple) -> None:
        match effect:
            case ("go", room):
                self.room = room
            case ("status", x, after):
                self.status[x] = after
            case ("move", t, place):
                self.at[t] = place
            case ("eat", t):
                self.at[t] = -1
            case ("cut", t, after):
                self.facts[t] = self.facts[t] - {"uncut"} | {after}
            case ("prepare",):
                for one in self.recipe:
                    self.at[one] = -1
                self.at[self.meal] = "I"
                self.facts[self.meal] |= {"edible", "raw"}
            case ("cook", t, one):
                facts = self.facts[t]
                (heat,) = self._traits(self.heat[one])
                if {"cooked", "edible"} <= facts:
                    self.facts[t] = facts - {"cooked", "edible"} | {"burned", "inedible"}
                elif "raw" in facts:
                    self.facts[t] = facts - {"raw"} | {heat, "cooked"}
                else:
                    self.facts[t] = facts - {"needs_cooking", "inedible"} | {heat, "cooked", "edible"}


@pytest.mark.parametrize("name", WORLDS)
def test_commands_are_those_of_a_second_implementation(name):
    world, rng = WORLDS[name], np.random.default_rng(0)
    for seed in range(12):
        batch = begun(world, first=seed)
        reference = Reference(batch.states[0], world)
        for _ in range(60):
            state = batch.states[0]
            ours, theirs = possible_commands(state, world.names), reference.commands()
            assert len(set(ours)) == len(ours)
            assert set(ours) == set(theirs)
            chosen = ours[int(rng.integers(len(ours)))]
            reference.do(theirs[chosen])
            if batch.step(np.array([ours.index(chosen)])).terminated[0]:
                break


@pytest.mark.parametrize("level", [1, 10, 37, 100, 101, 110, 150, 201, 210, 233])
def test_coins_lie_as_far_as_the_level_says(level):
    chain, blocks = (level - 1) % 100 + 1, (level - 1) // 100 + 1
    batch = begun(CoinCollectorWorld(level=level), 8)
    for state in batch.states:
        assert int(state["game"]["room_count"]) == chain * blocks
        assert len(solution(state)) == chain
        assert len(set(state["game"]["room_name"][: chain * blocks].tolist())) == chain * blocks
        ways = (state["game"]["exits"].reshape(-1, 4) >= 0).sum(1)
        if blocks > 1:  # dead ends hang on rooms of the chain, one after the other
            assert (ways[chain : chain * blocks] == 1).all()


@pytest.mark.parametrize("level", range(1, 31))
def test_treasures_lie_as_far_as_the_level_says(level):
    stage, k = divmod(level - 1, 10)
    length = round(np.linspace(*((1, 5), (2, 10), (3, 20))[stage], 10)[k])
    batch = begun(TreasureHunterWorld(level=level), 6)
    for state in batch.states:
        assert int(state["game"]["room_count"]) == (5, 10, 20)[stage]
        assert len(solution(state)) == length
        furniture = (state["game"]["kind"][: int(state["game"]["thing_count"])] >= codes.CONTAINER).sum()
        assert furniture == 10 * stage
    states = begun(TreasureHunterWorld(level=level, door_states="open"), 20).states
    assert (states["door_state"] == codes.OPEN).all()
    assert (states["lid"] != codes.LOCKED).all()


def test_taking_the_wrong_treasure_loses():
    world = TreasureHunterWorld(level=1)
    batch, rng, ends = begun(world, 64), np.random.default_rng(0), []
    for _ in range(400):
        output = batch.step((rng.random(64) * batch.states["command_count"]).astype(np.int64), restart=batch.done)
        for i in np.flatnonzero(output.terminated):
            state = batch.states[i]
            taken = int(state["last"]["first"])
            ends.append((bool(state["won"]), taken == int(state["game"]["target"]), float(output.rewards[i])))
    assert len(ends) > 100
    assert {won == right for won, right, _ in ends} == {True}
    assert {reward == won for won, _, reward in ends} == {True}


@pytest.mark.parametrize("rewards", ["dense", "balanced", "sparse"])
def test_the_simple_game_pays_and_takes_as_long_as_it_should(rewards):
    expected = {"dense": {8: 7, 9: 8, 12: 10}, "balanced": {8: 3, 9: 3, 12: 4}, "sparse": {8: 1, 9: 1, 12: 1}}[rewards]
    found = set()
    for state in begun(SimpleWorld(rewards=rewards), 40).states:
        length, most = len(solution(state)), int(state["game"]["reward"][: int(state["game"]["quest_count"])].sum())
        assert expected[length] == most
        found.add(length)
    assert found == set(expected)


def test_eating_the_food_loses_the_simple_game():
    world = SimpleWorld(rewards="sparse")
    batch = begun(world)
    target = int(batch.states["game"]["target"][0])
    batch.states["place"][0, target] = world.size.rooms
    batch.states["carried"][0] += 1
    batch.step(np.array([0]))
    output = batch.step(
        np.array(
            [
                possible_commands(batch.states[0], NAMES).index(
                    f"eat {NAMES[batch.states['game']['thing_name'][0, target]]}"
                )
            ]
        )
    )
    assert output.terminated[0]
    assert output.rewards[0] == 0
    assert batch.states["lost"][0]
    assert not batch.states["won"][0]


@pytest.mark.parametrize(
    ("rooms", "objects", "length"), [(1, 1, 1), (1, 4, 6), (2, 3, 4), (4, 6, 8), (8, 12, 15), (12, 20, 20)]
)
def test_quests_are_as_long_as_asked_for(rooms, objects, length):
    for rewards in ("single", "dense"):
        batch = begun(TextQuestWorld(rooms=rooms, objects=objects, quest_length=length, rewards=rewards), 30)
        for state in batch.states:
            assert int(state["game"]["room_count"]) == rooms
            assert int(state["game"]["thing_count"]) == objects
            assert len(solution(state)) == length
            names = state["game"]["thing_name"][:objects].tolist()
            assert len(set(names)) == objects


def test_every_quest_that_is_allowed_is_found():
    for rooms in range(1, 13):
        for objects in (1, 2, 3, 4, 20):
            for length in range(1, 21):
                try:
                    world = TextQuestWorld(rooms=rooms, objects=objects, quest_length=length)
                except ValueError:
                    continue
                if length in (1, 7, 13, 19, 20):
                    assert len(solution(begun(world).states[0])) == length


@pytest.mark.parametrize(
    ("options", "score"),
    [
        ({"recipe": 3, "take": 3, "cook": True, "cut": True}, 11),
        ({"recipe": 1, "take": 1, "cook": False, "cut": True}, 4),
        ({"recipe": 5, "take": 0, "cook": False, "cut": False}, 2),
        ({"recipe": 2, "take": 1, "cook": True, "cut": False, "drop": True}, 5),
    ],
)
def test_cooking_pays_what_the_recipe_asks_for(options, score):
    batch = begun(CookingWorld(**options), 20)
    for k, state in enumerate(batch.states):
        assert int(batch.last.info["max_score"][k]) == score
        plan = solution(state)
        one = begun(batch.world, first=k)
        total = 0.0
        for row in plan:
            possible = [list(other) for other in one.states["commands"][0][: one.states["command_count"][0]].tolist()]
            output = one.step(np.array([possible.index(row)]))
            total += float(output.rewards[0])
        assert total == score
        assert output.terminated[0]
        assert one.states["won"][0]


def test_rooms_of_the_cooking_game_adjoin_as_houses_do():
    neighbours = {
        "kitchen": "livingroom backyard corridor pantry",
        "pantry": "kitchen",
        "livingroom": "kitchen bedroom driveway corridor",
        "bathroom": "corridor",
        "bedroom": "livingroom corridor",
        "backyard": "kitchen garden shed corridor",
        "garden": "backyard",
        "shed": "backyard",
        "driveway": "livingroom street corridor",
        "street": "driveway supermarket",
        "corridor": "livingroom kitchen bedroom bathroom driveway backyard",
        "supermarket": "street",
    }
    for go in (1, 6, 9, 12):
        for state in begun(CookingWorld(recipe=1, take=1, go=go, open=False), 40).states:
            g = state["game"]
            names = [NAMES[k] for k in g["room_name"][:go]]
            assert len(set(names)) == go
            reached = {int(state["room"])}
            for _ in range(go):
                reached |= {int(b) for a in reached for b in g["exits"][4 * a : 4 * a + 4] if b >= 0}
            assert len(reached) == go
            for way in np.flatnonzero(g["exits"] >= 0):
                assert names[g["exits"][way]] in neighbours[names[way // 4]].split()
            assert (state["door_state"] == codes.OPEN).all()


def test_stale_food_goes_into_the_closed_fridge():
    world = TextNavWorld()
    lengths = {}
    for state in begun(world, 100).states:
        lengths.setdefault(NAMES[state["game"]["room_name"][state["room"]]], set()).add(len(solution(state)))
    steps = {"living room": 6, "bedroom": 7, "office": 7, "dining room": 7, "bathroom": 8, "kitchen": 8}
    assert lengths == {room: {count} for room, count in (steps | {"garden": 9, "backyard": 9}).items()}
    batch = begun(world, first=next(k for k in range(99) if begun(world, first=k).states["room"][0] == 1))
    words = companion(world, Words)
    way = "take stale food, west, west, open fridge, insert stale food into fridge"
    for command in way.split(", "):
        output = batch.step(np.array([words.parse(command, batch.states[0])]))
        assert not output.terminated[0]
    output = batch.step(np.array([words.parse("close fridge", batch.states[0])]))
    assert output.terminated[0]
    assert output.rewards[0] == 1


def test_who_sees_a_part_is_told_neither_room_nor_inventory():
    full, part = (begun(TextNavWorld(observable=kind), 8) for kind in ("full", "partial"))
    for batch in (full, part):
        for _ in range(6):
            batch.step(batch.states["command_count"].astype(np.int64) - 1)
    told, untold = (companion(batch.world, Words).write(batch.states) for batch in (full, part))
    assert all("You are in the" in text and "You carry" in text for text in told)
    assert not any("You are in the" in text or "You carry" in text for text in untold)
    hidden = full.world.observation.offset("room"), full.world.observation.offset("commands")
    assert full.last.observations[:, hidden[0] : hidden[1]].any()
    assert not part.last.observations[:, hidden[0] : hidden[1]].any()
    assert all("You can: " in text and "look" not in text for text in told + untold)


def test_the_player_of_the_data_succeeds_as_often_as_published():
    card = envsuite.card("envsuite/TextNav-v0")
    card = dataclasses.replace(card, options={"start": "data"}, horizon=15)
    played = play(card, lambda world, slots: companion(world, Players).collector("wander"), 2_000)
    assert abs(played.returns.mean() - 0.26) < 0.03  # LMRL-Gym's table 1
    assert abs(played.lengths.mean() - 12.2) < 1.5


def test_splits_share_no_preparation():
    for food in range(len(FOODS)):
        for a in range(len(SPLITS)):
            for b in range(a):
                both = ALLOWED[a, food].astype(bool) & ALLOWED[b, food].astype(bool)
                assert both.sum() <= (ALLOWED[a, food].sum() == 1), FOODS[food].name  # salt is raw in all of them
    assert ALLOWED[:ALL].any(2).sum(1).tolist() == [22, 30, 30]
    train = {food.name for food in FOODS if food.split == "train"}
    for state in begun(CookingWorld(split="train", go=12), 50).states:
        things = [NAMES[k] for k in state["game"]["thing_name"][: int(state["game"]["thing_count"])]]
        assert {name for name in things if name in {food.name for food in FOODS}} <= train
    for kind, run in (("room_name", ROOMS), ("thing_name", PLAIN_OBJECTS)):
        parts = []
        for split in ("train", "test"):
            found = begun(TreasureHunterWorld(level=5, split=split), 100).states["game"][kind]
            parts.append({int(k) for k in np.unique(found) if run.first <= k < run.first + run.count})
        assert not parts[0] & parts[1]
        assert min(map(len, parts)) > 10


def test_a_limited_inventory_is_full_when_it_is():
    world = CookingWorld(recipe=2, take=2, drop=True, go=1, open=False)
    batch, rng = begun(world, 32), np.random.default_rng(1)
    most = 0
    for _ in range(100):
        batch.step((rng.random(32) * batch.states["command_count"]).astype(np.int64), restart=batch.done)
        held = (batch.states["place"] == world.size.rooms).sum(1)
        assert (held == batch.states["carried"]).all()
        most = max(most, held.max())
    assert most == 2


def test_actions_that_are_no_command_change_nothing_and_cost_a_step():
    batch = begun(WORLDS["quest"])
    before = batch.states.copy()
    output = batch.step(np.array([batch.world.size.commands - 1]))
    assert output.info["invalid_action"][0]
    assert output.rewards[0] == 0
    for part in ("room", "place", "traits", "lid", "door_state", "score", "commands"):
        assert (batch.states[part] == before[part]).all()
    assert batch.states["clock"]["step"][0] == 1
    assert "not possible" in companion(batch.world, Words).write(batch.states)[0]


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("style", STYLES)
def test_every_command_is_read_and_no_word_is_unknown(name, style):
    base = WORLDS[name]
    batch, rng = begun(base, 8), np.random.default_rng(2)
    base.style = style
    words = TextWords(base)  # the world's own would still have the texts of the style before
    try:
        for _ in range(10):
            for state in batch.states[:2]:
                for k, command in enumerate(possible_commands(state, base.names)):
                    assert words.parse(command, state) == k
                    assert words.parse(f"I think. Action: {command.upper()}!", state) == k
            tokens = np.zeros((8, words.token_length), np.int32)
            words.write_tokens(batch.states, tokens)
            texts = words.write(batch.states)
            assert [words.book.text(row[row > 0]) for row in tokens] == texts
            assert all(0 < len(text) <= words.longest for text in texts)
            assert (tokens[:, -1] == 0).all(), "a text is cut off"
            batch.step((rng.random(8) * batch.states["command_count"]).astype(np.int64), restart=batch.done)
    finally:
        base.style = "plain"


def test_texts_say_what_is_there():
    batch = begun(SimpleWorld(), first=4)
    words = companion(batch.world, Words)
    for command in ("open antique trunk", "open chest drawer", "get old key", "unlock door with key", "open door", "e"):
        action = words.parse(command, batch.states[0])
        assert not isinstance(action, Refusal), action
        batch.step(np.array([action]))
    text = words.describe(batch.states[0])
    assert text.startswith("You go east.\nYou are in the kitchen. You can go north.")
    assert "You carry an old key." in text
    assert "a refrigerator, which is closed" in text
    assert "On it you see a note" in text
    assert "Score: 5 of" in text


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("north", "go north"),
        ("walk to the north", "go north"),
        ("n", "go north"),
        ("l", "look"),
        ("look around", "look"),
        ("i", "inventory"),
        ("x chest drawer", "examine chest drawer"),
        ("look at the trunk", "examine antique trunk"),
        ("please open the trunk", "open antique trunk"),
        ("pick up the old key", "take old key from antique trunk"),
        ("grab the key from the trunk", "take old key from antique trunk"),
        ("put the key down", "drop old key"),
        ("place key on bed", "put old key on king-size bed"),
        ("put the key in the antique trunk", "insert old key into antique trunk"),
        ("unlock the door using the key", "unlock wooden door with old key"),
        ('{"thought": "hm", "action": "open chest drawer"}', "open chest drawer"),
    ],
)
def test_other_words_mean_the_same(said, meant):
    world = SimpleWorld(rewards="sparse")
    words = companion(world, Words)
    for first in range(20):  # until the key lies in the trunk
        batch = begun(world, first=first)
        names = possible_commands(batch.states[0], NAMES)
        if meant in names:
            break
        batch.step(np.array([names.index("open antique trunk")]))
        names = possible_commands(batch.states[0], NAMES)
        if meant not in names and "take old key from antique trunk" in names:
            batch.step(np.array([names.index("take old key from antique trunk")]))
        if meant == "go north":
            batch.states["room"][0] = 1  # the kitchen
            batch.step(np.array([0]))
        names = possible_commands(batch.states[0], NAMES)
        if meant in names:
            break
    assert words.parse(said, batch.states[0]) == names.index(meant)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("", RefusalKind.EMPTY),
        (" \n ", RefusalKind.EMPTY),
        ("?!", RefusalKind.UNREADABLE),
        ("dance", RefusalKind.UNKNOWN_NAME),
        ("take the moon", RefusalKind.UNKNOWN_NAME),
        ("open the bed", RefusalKind.ILLEGAL),
        ("open", RefusalKind.UNREADABLE),
        ("go", RefusalKind.UNREADABLE),
        ("go west", RefusalKind.ILLEGAL),
        ("go north or south", RefusalKind.AMBIGUOUS),
        ("command 400", RefusalKind.OUT_OF_RANGE),
    ],
)
def test_refusals_say_what_is_wrong(said, kind):
    batch = begun(SimpleWorld())
    found = companion(batch.world, Words).parse(said, batch.states[0])
    assert isinstance(found, Refusal)
    assert found.kind is kind


def test_ambiguous_answers_are_refused():
    world = CookingWorld(recipe=5, take=0, go=1, open=False, split="all", cook=True, cut=True)
    for seed in range(40):
        batch = begun(world, first=seed)
        peppers = [
            k for k in possible_commands(batch.states[0], NAMES) if k.startswith("drop") and k.endswith("pepper")
        ]
        if len(peppers) > 1:
            found = companion(world, Words).parse("drop pepper", batch.states[0])
            assert isinstance(found, Refusal)
            assert found.kind is RefusalKind.AMBIGUOUS
            assert companion(world, Words).parse(peppers[0], batch.states[0]) >= 0
            return
    raise AssertionError("no game has two peppers")


def test_no_answer_raises():
    rng = np.random.default_rng(3)
    batch = begun(WORLDS["cooking"], 4)
    words = companion(batch.world, Words)
    pieces = [
        *" ".join(possible_commands(batch.states[0], NAMES)).split(),
        *string.punctuation,
        "é",
        "\x00",
        "名",
        "action:",
        "\n",
        "7" * 30,
    ]
    for k in range(1_500):
        said = " ".join(rng.choice(pieces, rng.integers(0, 9)))
        found = words.parse(said if k % 7 else said * 3000, batch.states[k % 4])
        assert isinstance(found, Refusal) or 0 <= found < int(batch.states["command_count"][k % 4])


@pytest.mark.slow
def test_no_answer_of_many_raises():
    rng = np.random.default_rng(4)
    batch = begun(WORLDS["cooking"], 4)
    words = companion(batch.world, Words)
    letters = np.array([*string.printable, "é", "ß", "\u202e", "名"])
    verbs = [
        "go",
        "take",
        "put",
        "open",
        "cook",
        "slice",
        "eat",
        "unlock",
        "x",
        "look",
        "with",
        "from",
        "on",
        "the",
        "a",
    ]
    for k in range(100_000):
        said = " ".join([*rng.choice(verbs, rng.integers(0, 4)), "".join(rng.choice(letters, rng.integers(0, 30)))])
        found = words.parse(said, batch.states[k % 4])
        assert isinstance(found, Refusal) or 0 <= found < int(batch.states["command_count"][k % 4])


def test_text_and_tokens_are_observations():
    env = gymnasium.make("envsuite/TextQuest-v0", obs_type="text")
    text, _ = env.reset(seed=5)
    assert env.observation_space.contains(text)
    many = gymnasium.make_vec("envsuite/TextQuest-v0", num_envs=3, obs_type="text")
    texts, _ = many.reset(seed=5)
    assert texts.dtype == object
    assert texts[0] == text
    assert many.observation_space.contains(texts)
    coded = envsuite.make_vec("TextQuest", num_envs=3, obs_type="tokens")
    tokens, _ = coded.reset(seed=5)
    vocabulary = companion(coded.world, Words).vocabulary
    assert coded.observation_space.contains(tokens)
    assert " ".join(vocabulary[k] for k in tokens[0] if k).replace(" ", "") == text.replace(" ", "")
    listed = envsuite.make_vec("TextCooking", num_envs=3, obs_type="command_tokens")
    tokens, _ = listed.reset(seed=5)
    assert listed.observation_space.contains(tokens)
    words = companion(listed.world, Words)
    for state, row in zip(listed.batch.states, tokens, strict=True):
        rows = [one[one > 0] for one in row[words.token_length :].reshape(words.command_shape)]
        possible = possible_commands(state, listed.world.names)
        assert [words.book.text(one) for one in rows[: len(possible)]] == possible
        assert not any(len(one) for one in rows[len(possible) :])
    with pytest.raises(ValueError, match="obs_type is 'tokens', expected one of"):
        gymnasium.make("envsuite/NumberLine-v0", obs_type="tokens")
    line = gymnasium.make("envsuite/NumberLine-v0", obs_type="text")
    seen, _ = line.reset(seed=0)
    assert line.observation_space.contains(seen)
    assert "target" in seen


def test_books_know_their_words():
    for style in range(len(STYLES)):
        book = Book(("lamp", "umbrella", "olive oil"), ("Find the {0}.",), style)
        assert book.vocabulary[0] == ""
        assert len(set(book.vocabulary)) == len(book.vocabulary)
    assert [article(name) for name in ("lamp", "umbrella", "olive oil", "BBQ")] == [
        "a lamp",
        "an umbrella",
        "some olive oil",
        "a BBQ",
    ]
    assert all(len(variants) == len(STYLES) for variants in PHRASES.values())


def test_clicks_choose_commands():
    world = WORLDS["simple"]
    batch = begun(world)
    frame = companion(world, Pictures).draw(batch.states[0], (760, 520))
    controls = companion(world, Controls)
    assert frame.shape == (520, 760, 3)
    assert controls.click((0.8, 0.06 + 0.034 * 3.5), set(), batch.states[0]) == 3
    assert controls.click((0.2, 0.2), set(), batch.states[0]) is None
    assert controls.click((0.8, 0.99), set(), batch.states[0]) is None


@pytest.mark.parametrize("name", WORLDS)
def test_an_episode_leaves_nothing_behind(name):
    played, fresh = begun(WORLDS[name], 32), begun(WORLDS[name], 32)
    rng = np.random.default_rng(0)
    for _ in range(60):
        played.step((rng.random(32) * played.states["command_count"]).astype(np.int64))
    for batch in (played, fresh):
        batch.reset()
    assert played.states.tobytes() == fresh.states.tobytes()


def test_random_commands_never_break_a_game():
    for world in WORLDS.values():
        batch = begun(world, 64)
        policy = RandomPolicy(world.action, (64,), world.observation)
        policy.reset(np.ones(64, bool), np.arange(64))
        for _ in range(100):
            output = batch.step(policy.act(batch.last.observations, batch.states), restart=batch.done)
            assert not output.info["invalid_action"].any()
            assert (batch.states["command_count"] < world.size.commands).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CoinCollectorWorld(level=160), "level 160 has 120 rooms, expected at most 100"),
        (lambda: CoinCollectorWorld(level=301), "level is 301"),
        (lambda: TreasureHunterWorld(level=0), "level is 0"),
        (lambda: CookingWorld(recipe=2, take=3), "take is 3, expected at most recipe, 2"),
        (lambda: CookingWorld(go=7), "go is 7"),
        (lambda: TextQuestWorld(rooms=1, objects=1, quest_length=3), "quest_length is 3, expected at most 2"),
    ],
)
def test_bad_options_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def written(tmp_path, data) -> str:
    """A file with this content."""
    path = tmp_path / "game.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return str(path)


def a_game() -> dict:
    """A small game as the package writes it: a key opens a box in which food lies; eat it."""
    kinds = {"P": "P", "I": "I", "r_0": "r", "r_1": "r", "d_0": "d", "c_0": "c", "k_0": "k", "f_0": "f", "s_0": "s"}
    names = {
        "r_0": "hall",
        "r_1": "study",
        "d_0": "gate",
        "c_0": "coffer",
        "k_0": "latchkey",
        "f_0": "bun",
        "s_0": "desk",
    }

    def fact(name, *arguments):
        return {"name": name, "arguments": [{"name": one, "type": kinds[one]} for one in arguments]}

    def event(*facts):
        return {"commands": [], "actions": [], "condition": {"name": "trigger", "preconditions": list(facts)}}

    logic = "type c : t { } type s : t { } type k : o { } type f : o { } type o : t { } "
    logic += "examine/d :: x; examine/I :: in(o, I) -> in(o, I); eat :: in(f, I) -> eaten(f);"
    return {
        "version": 1,
        "KB": {"logic": logic},
        "infos": [[key, {"id": key, "type": kind, "name": names.get(key)}] for key, kind in kinds.items()],
        "world": [
            fact("at", "P", "r_0"),
            fact("north_of", "r_1", "r_0"),
            fact("link", "r_0", "d_0", "r_1"),
            fact("link", "r_1", "d_0", "r_0"),
            fact("closed", "d_0"),
            fact("at", "c_0", "r_1"),
            fact("locked", "c_0"),
            fact("at", "s_0", "r_0"),
            fact("on", "k_0", "s_0"),
            fact("match", "k_0", "c_0"),
            fact("in", "f_0", "c_0"),
        ],
        "quests": [
            {
                "reward": 2,
                "optional": False,
                "repeatable": False,
                "win_events": [event(fact("eaten", "f_0"))],
                "fail_events": [],
            }
        ],
        "objective": "Eat the bun.",
        "metadata": {},
    }


def test_games_are_read_from_files(tmp_path):
    world = LoadedWorld(paths=[written(tmp_path, a_game())])
    batch = begun(world)
    words = companion(world, Words)
    assert "Eat the bun." in words.describe(batch.states[0])
    plan = solution(batch.states[0])
    said = [
        "take latchkey from desk",
        "open gate",
        "go north",
        "unlock coffer with latchkey",
        "open coffer",
        "take bun from coffer",
        "eat bun",
    ]
    assert len(plan) == len(said)
    for command in said:
        output = batch.step(np.array([words.parse(command, batch.states[0])]))
    assert output.terminated[0]
    assert output.rewards[0] == 2
    assert batch.states["won"][0]
    both = LoadedWorld(paths=[str(tmp_path), str(tmp_path)])
    assert len(both.games) == 2
    assert len(both.names) == len(world.names)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda game: "{", "is no game of textworld"),
        (lambda game: "[1, 2]", "is no game of textworld"),
        (lambda game: game.pop("world"), "is no game of textworld"),
        (
            lambda game: game["infos"].append(["x_0", {"type": "dragon", "name": "dragon"}]),
            "unknown type 'dragon' of 'x_0'",
        ),
        (
            lambda game: game["infos"].extend([f"r_{k}", {"type": "r", "name": "hall"}] for k in range(2, 200)),
            "200 rooms, expected at most 100",
        ),
        (
            lambda game: game["world"].append({"name": "on", "arguments": [{"name": "k_0"}, {"name": "nothing"}]}),
            "is no game of textworld",
        ),
        (lambda game: game.update(infos=[["a"] * 3]), "is no game of textworld"),
        (lambda game: game.update(quests=[{}] * 3), "is no game of textworld"),
    ],
)
def test_files_that_hold_no_game_are_refused(tmp_path, change, message):
    game = a_game()
    changed = change(game)
    path = written(tmp_path, changed if isinstance(changed, str) else game)
    with pytest.raises(GameFileError, match=message):
        load_game(path, LoadedWorld.size)


def test_folders_without_games_are_refused(tmp_path):
    with pytest.raises(GameFileError, match="no game files in"):
        LoadedWorld(paths=[str(tmp_path)])
    with pytest.raises(FileNotFoundError):
        LoadedWorld(paths=[str(tmp_path / "missing.json")])
