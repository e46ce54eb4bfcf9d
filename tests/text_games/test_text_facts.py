"""Facts, solutions and intermediate rewards of text worlds on request."""

from collections import deque
from typing import Any

import gymnasium
import numpy as np
import pytest

import envsuite
from envsuite.adapters.text_games import TextGameEnv, WorldGame
from envsuite.core.batch import Batch
from envsuite.core.companions import Words, companion
from envsuite.core.language import Refusal
from envsuite.text_games.textworld.commands import possible_commands
from envsuite.text_games.textworld.cooking import CookingWorld
from envsuite.text_games.textworld.infos import ALWAYS, NAMES, Asked, TextInfos, progress
from envsuite.text_games.textworld.language import TextWords
from envsuite.text_games.textworld.loaded import LoadedWorld
from envsuite.text_games.textworld.nav import TextNavWorld
from envsuite.text_games.textworld.quest import TextQuestWorld
from envsuite.text_games.textworld.simple import SimpleWorld
from envsuite.text_games.textworld.solutions import solve
from tests.text_games.test_textworld import a_game, begun, written


def do(batch: Batch, command: str) -> np.void:
    """Give a command; the record that comes of it."""
    batch.step(np.array([possible_commands(batch.states[0], batch.world.names).index(command)]))
    return batch.states[0]


def facts_of_file(game: dict) -> set[str]:
    """The facts of a file with names and types, as the package prints them."""
    names = {key: info["name"] or key for key, info in game["infos"]}

    def told(one: dict) -> str:
        name = names[one["name"]]
        return name if name == one["type"] else f"{name}: {one['type']}"

    return {f"{fact['name']}({', '.join(map(told, fact['arguments']))})" for fact in game["world"]}


def test_facts_of_a_file_are_its_own_and_change_by_commands(tmp_path):
    game = a_game()
    game["world"] += [
        {"name": "edible", "arguments": [{"name": "f_0", "type": "f"}]},
        {"name": "south_of", "arguments": [{"name": "r_0", "type": "r"}, {"name": "r_1", "type": "r"}]},
        {"name": "cuttable", "arguments": [{"name": "f_0", "type": "f"}]},
    ]
    world = LoadedWorld(paths=[written(tmp_path, game)])
    batch, asked = begun(world), Asked(world, ("facts",))
    facts = set(asked.tell(batch.states[0], began=True)["facts"])
    assert facts == facts_of_file(game)
    assert "match(latchkey: k, coffer: c)" in facts
    changes: list[tuple[str, set[str], set[str]]] = [
        ("take latchkey from desk", {"on(latchkey: k, desk: s)"}, {"in(latchkey: k, I)"}),
        (
            "open gate",
            {"closed(gate: d)"},
            {"open(gate: d)", "free(hall: r, study: r)", "free(study: r, hall: r)"},
        ),
        ("look", set(), set()),
        ("go north", {"at(P, hall: r)"}, {"at(P, study: r)"}),
        ("unlock coffer with latchkey", {"locked(coffer: c)"}, {"closed(coffer: c)"}),
        ("open coffer", {"closed(coffer: c)"}, {"open(coffer: c)"}),
        ("drop latchkey", {"in(latchkey: k, I)"}, {"at(latchkey: k, study: r)"}),
        ("take bun from coffer", {"in(bun: f, coffer: c)"}, {"in(bun: f, I)"}),
        ("eat bun", {"in(bun: f, I)"}, {"eaten(bun: f)"}),
    ]
    for command, gone, come in changes:
        now = set(asked.tell(do(batch, command), began=False)["facts"])
        assert (facts - now, now - facts) == (gone, come), command
        facts = now


def test_facts_of_cooking_follow_the_food():
    world = CookingWorld(recipe=1, take=0, go=1, split="all")
    for seed in range(200):
        batch = begun(world, first=seed)
        asked = Asked(world, ("facts", "policy_commands"))
        told = asked.tell(batch.states[0], began=True)
        cooking = [one for one in told["policy_commands"] if one.startswith("cook")]
        if cooking and any(one.startswith("raw(") and one[4:-4] in cooking[0] for one in told["facts"]):
            break
    food, heater = cooking[0].removeprefix("cook ").split(" with ")
    done = {"stove": "fried", "oven": "roasted"}[heater]
    for command in told["policy_commands"]:
        before = set(told["facts"])
        told = asked.tell(do(batch, command), began=False)
        now = set(told["facts"])
        if command == cooking[0]:
            assert before - now == {f"raw({food}: f)"}
            assert now - before == {f"{done}({food}: f)", f"cooked({food}: f)"}
        if command == "prepare meal":
            assert now - before == {f"used({food}: f)", "in(meal, I)", "edible(meal)", "raw(meal)"}
            assert before - now == {f"in({food}: f, I)"}
    assert "consumed(meal)" in told["facts"]
    assert told["policy_commands"] == []


def distance(state: np.void, world: Any) -> int | None:
    """Commands until the game is won, by trying everything."""
    batch = Batch(world, 1, num_threads=1)
    batch.seed([0])
    batch.reset()

    def key(one: np.void) -> bytes:
        parts = ("room", "door_state", "lid", "place", "traits", "completed")
        return b"".join(np.asarray(one[name]).tobytes() for name in parts)

    seen, queue = {key(state)}, deque([(state.copy(), 0)])
    while queue:
        one, depth = queue.popleft()
        if one["won"]:
            return depth
        for action in range(0 if one["lost"] else int(one["command_count"])):
            batch.states[0] = one
            batch.done[0] = False
            batch.step(np.array([action]))
            after = batch.states[0]
            if key(after) not in seen:
                seen.add(key(after))
                queue.append((after.copy(), depth + 1))
    return None


@pytest.mark.parametrize(
    ("world", "seed"),
    [
        (TextQuestWorld(rooms=3, objects=4, quest_length=5), 1),
        (TextQuestWorld(rooms=2, objects=3, quest_length=4, rewards="dense"), 4),
    ],
)
def test_intermediate_rewards_are_those_of_an_exhaustive_search(world, seed):
    batch, rng = begun(world, first=seed), np.random.default_rng(seed)
    asked = Asked(world, ("intermediate_reward", "policy_commands"))
    told = asked.tell(batch.states[0], began=True)
    assert told["intermediate_reward"] == 0
    before, found = distance(batch.states[0], world), set()
    for _ in range(25):
        assert len(told["policy_commands"]) == (before or 0)
        state = batch.states[0]
        commands = possible_commands(state, world.names)
        told = asked.tell(do(batch, commands[rng.integers(len(commands))]), began=False)
        state = batch.states[0]
        after = distance(state, world)
        wanted = 1 if state["won"] else -1 if state["lost"] else int(np.sign((before or 0) - (after or 0)))
        assert told["intermediate_reward"] == wanted
        found.add(wanted)
        before = after
        if state["won"] or state["lost"]:
            break
    assert len(found) > 1


def test_unknown_solutions_reward_nothing():
    state = begun(SimpleWorld()).states[0]
    row = (0, 0, -1)
    assert progress(state, None, [row]) == progress(state, [row], None) == progress(state, [row], [row]) == 0
    assert (progress(state, [row, row], [row]), progress(state, [row], [row, row])) == (1, -1)


def test_a_state_that_is_set_is_searched_anew():
    env = TextInfos(envsuite.make("TextNav", obs_type="text"), ("policy_commands", "intermediate_reward"))
    _, info = env.reset(seed=1)
    snapshots, plans = [env.unwrapped.get_state()], [info["policy_commands"]]
    while plans[-1]:
        *_, info = env.step(env.unwrapped.parse(plans[-1][0]))
        snapshots.append(env.unwrapped.get_state())
        plans.append(info["policy_commands"])
    for snapshot, plan in zip(snapshots[:-1], plans[:-1], strict=True):
        for other in plans[1:-1]:  # what would follow elsewhere, and means something else here
            env.unwrapped.set_state(snapshot)
            command = env.unwrapped.parse(other[0])
            if isinstance(command, Refusal):
                continue
            *_, info = env.step(command)
            state = env.unwrapped.batch.states[0]
            wanted = [] if state["lost"] else solve(state)
            assert len(info["policy_commands"]) == len(wanted or [])
            assert info["intermediate_reward"] == progress(state, [(0, 0, 0)] * len(plan), wanted)


def test_losing_is_a_step_back():
    world = TextNavWorld()
    batch, asked = begun(world), Asked(world, ("intermediate_reward", "policy_commands"))
    plan = asked.tell(batch.states[0], began=True)["policy_commands"]
    for command in plan[: 1 + next(k for k, one in enumerate(plan) if one.startswith("take stale food"))]:
        assert asked.tell(do(batch, command), began=False)["intermediate_reward"] == 1
    assert asked.tell(do(batch, "eat stale food"), began=False) == {"intermediate_reward": -1, "policy_commands": []}


@pytest.mark.parametrize("name", ["TextQuest", "TextCooking", "TextSimple", "TextNav", "CoinCollectorEasy"])
def test_descriptions_are_told_in_parts(name):
    env = envsuite.make(name, obs_type="text").unwrapped
    text, _ = env.reset(seed=3)
    told = Asked(env.world, NAMES).tell(env.batch.states[0], began=True)
    lines = text.split("\n")
    assert told["description"] == lines[0]
    assert told["inventory"] == lines[1]
    assert lines[2].endswith(told["objective"])
    assert told["objective"]
    assert told["location"] in told["description"]
    assert told["admissible_commands"] == sorted(possible_commands(env.batch.states[0], env.world.names))


def test_objectives_of_files_stay_as_they_are(tmp_path):
    objective = "Eat  the {0} bun -\nall of it!" + " Please." * 300
    world = LoadedWorld(paths=[written(tmp_path, a_game() | {"objective": objective})])
    assert Asked(world, ("objective",)).tell(begun(world).states[0], began=True) == {"objective": objective}


def test_what_is_hidden_is_not_told():
    batch = begun(TextNavWorld(observable="partial"))
    parts = companion(batch.world, Words)
    assert isinstance(parts, TextWords)
    assert parts.parts(batch.states[0]).inventory == ""
    assert "bedroom" not in parts.parts(batch.states[0]).description


def test_infos_of_made_environments_hold_what_was_asked_for():
    env = TextInfos(gymnasium.make("envsuite/TextSimple-v0", obs_type="text"), ("facts", "policy_commands", "won"))
    _, info = env.reset(seed=3)
    won = False
    while not won:
        assert len(info["facts"]) > 50
        _, _, won, _, info = env.step(env.unwrapped.parse(info["policy_commands"][0]))
    assert info["won"]
    assert info["policy_commands"] == []


def test_words_play_a_world():
    env = TextGameEnv(WorldGame("TextSimple", request=("intermediate_reward", "objective"), rewards="sparse"))
    text, info = env.reset(seed=3)
    assert env.observation_space.contains(text)
    assert set(info) == {
        *ALWAYS,
        *("success", "admissible_commands", "invalid_action", "description", "inventory"),
        *("intermediate_reward", "objective"),
    }
    assert info["max_score"] == 1.0
    for said, reward, invalid in (
        ("open the trunk", 1, False),
        ("fly away", 0, True),
        ("", 0, True),
        ("close trunk", -1, False),
        ("look around", 0, False),
    ):
        text, points, terminated, _, info = env.step(said)
        assert (points, terminated) == (0.0, False)
        assert (info["intermediate_reward"], info["invalid_action"]) == (reward, invalid), said
    assert info["moves"] == 5
    assert env.reset(seed=3)[1]["moves"] == 0
    env.close()


def test_words_play_a_game_of_a_file(tmp_path):
    env = TextGameEnv(WorldGame(LoadedWorld(paths=[written(tmp_path, a_game())]), request=("policy_commands",)))
    _, info = env.reset(seed=0)
    assert info["policy_commands"][-1] == "eat bun"
    for command in info["policy_commands"]:
        *_, reward, terminated, _, info = env.step(command)
    assert (reward, terminated, info["success"]) == (2.0, True, True)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: WorldGame("TextSimple", request=("fact",)),
            ValueError,
            "request names 'fact', expected some of admiss",
        ),
        (lambda: WorldGame("TextSimple", level=3), TypeError, "has no option 'level'"),
        (lambda: WorldGame(SimpleWorld(), level=3), TypeError, "come too late"),
        (lambda: WorldGame("NumberLine"), TypeError, "NumberLineWorld is no text world"),
        (lambda: WorldGame("TextSimpel"), KeyError, "TextSimpel"),
        (lambda: TextInfos(envsuite.make("NumberLine"), ("facts",)), TypeError, "is no text world"),
        (lambda: TextInfos(gymnasium.make("CartPole-v1"), ("facts",)), TypeError, "is no text world"),
    ],
)
def test_bad_requests_are_named(make, error, message):
    with pytest.raises(error, match=message):
        make()
