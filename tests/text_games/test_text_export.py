"""Games written as the package ``textworld`` does: read again, and beside what the package itself said of them."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from envsuite.cli import main
from envsuite.core.batch import Batch
from envsuite.text_games.textworld.coin import CoinCollectorWorld
from envsuite.text_games.textworld.commands import possible_commands
from envsuite.text_games.textworld.cooking import CookingWorld
from envsuite.text_games.textworld.export import export_game, game_data
from envsuite.text_games.textworld.facts import readable, true_facts
from envsuite.text_games.textworld.loaded import LoadedWorld
from envsuite.text_games.textworld.nav import TextNavWorld
from envsuite.text_games.textworld.quest import TextQuestWorld
from envsuite.text_games.textworld.simple import SimpleWorld
from envsuite.text_games.textworld.solutions import Solution
from envsuite.text_games.textworld.treasure import TreasureHunterWorld

GAMES = {
    "coin": (CoinCollectorWorld(level=103), 0),
    "treasure": (TreasureHunterWorld(level=21), 1),
    "simple": (SimpleWorld(), 2),
    "cooking": (CookingWorld(recipe=2, take=1, go=9, split="all"), 3),
    "drop": (CookingWorld(recipe=3, take=2, go=6, drop=True), 4),
    "full hands": (CookingWorld(recipe=2, take=0, go=1, drop=True, split="all"), 12),
    "compat": (CookingWorld(recipe=2, take=0, go=1, compat="textworld"), 5),
    "quest": (TextQuestWorld(rooms=6, objects=12, quest_length=8, rewards="dense"), 6),
    "nav": (TextNavWorld(), 7),
}
"""Worlds and seeds."""
RECORDED = json.loads((Path(__file__).parent / "textworld_traces.json").read_text())
"""What TextWorld 1.7.0's JSON engine said of these games: for each command the score, won, lost, and digests of the
possible commands and of the facts. ``benchmarks/text_worlds_peer.py trace`` asks for it."""


def begun(world, seed: int) -> Batch:
    """A game at its start."""
    batch = Batch(world, 1, num_threads=1)
    batch.seed([seed])
    batch.reset()
    return batch


def digest(texts) -> str:
    """Of texts in alphabetical order."""
    return hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()[:16]


def facts(world, state, counted: bool = True) -> set[str]:
    """All facts as texts; without those that count what is carried, if they are not wanted."""
    entities = world.entities(state)
    told = {readable(fact, entities) for fact in true_facts(state, entities)}
    return told if counted else {text for text in told if ": number" not in text}


def status(state) -> list:
    """Score, won, lost."""
    return [int(state["score"]), bool(state["won"]), bool(state["lost"])]


@pytest.mark.parametrize("name", GAMES)
def test_games_that_were_written_play_the_same_when_read(name, tmp_path):
    world, seed = GAMES[name]
    export_game(world, seed, tmp_path / "game.json")
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]
    read = LoadedWorld(paths=[str(tmp_path / "game.json")])
    rng, ends = np.random.default_rng(0), set()
    for _ in range(6):
        ours, theirs, solution = begun(world, seed), begun(read, 0), Solution()
        for _ in range(60):
            one, other = ours.states[0], theirs.states[0]
            commands = possible_commands(one, world.names)
            assert possible_commands(other, read.names) == commands  # in the same order, too
            assert status(one) == status(other)
            assert facts(world, one) == facts(read, other, counted=False)
            if one["won"] or one["lost"]:
                ends.add("won" if one["won"] else "lost")
                break
            action = int(rng.integers(len(commands)))
            if rng.random() < 0.7 and (plan := solution.of(one)):
                action = one["commands"][: len(commands)].tolist().index(plan[0])
            for batch in (ours, theirs):
                batch.step(np.array([action]))
            solution.after(ours.states[0])
    assert "won" in ends


@pytest.mark.parametrize("name", GAMES)
def test_the_package_says_the_same_of_games_that_were_written(name, tmp_path):
    world, seed = GAMES[name]
    export_game(world, seed, tmp_path / "game.json")
    read = LoadedWorld(paths=[str(tmp_path / "game.json")])
    for one, first in ((world, seed), (read, 0)):
        batch = begun(one, first)
        for command, *told, commands_digest, facts_digest in RECORDED[name]:
            state = batch.states[0]
            ours = possible_commands(state, one.names)
            assert status(state) == told
            assert digest(facts(one, state, counted=False)) == facts_digest
            if command:
                assert digest(set(ours)) == commands_digest
                batch.step(np.array([ours.index(command)]))


def test_what_was_recorded_tells_of_endings():
    assert {row[2] for rows in RECORDED.values() for row in rows} == {True, False}
    assert sum(len(rows) for rows in RECORDED.values()) > 100


@pytest.mark.parametrize("name", GAMES)
def test_the_package_itself_plays_them(name, tmp_path):
    textworld = pytest.importorskip("textworld")
    world, seed = GAMES[name]
    export_game(world, seed, tmp_path / "game.json")
    wanted = ("admissible_commands", "facts", "score", "won", "lost", "max_score", "objective")
    env = textworld.start(str(tmp_path / "game.json"), textworld.EnvInfos(**dict.fromkeys(wanted, True)))
    rng, batch, told = np.random.default_rng(0), begun(world, seed), env.reset()
    assert told["objective"] == game_data(world, seed)["objective"]
    for _ in range(40):
        state = batch.states[0]
        ours = possible_commands(state, world.names)
        assert sorted(set(ours)) == told["admissible_commands"]
        assert {one for one in map(str, told["facts"]) if ": number" not in one} == facts(world, state)
        action = int(rng.integers(len(ours)))
        batch.step(np.array([action]))
        told, score, done = env.step(ours[action])
        assert status(batch.states[0]) == [score, told["won"], told["lost"]]
        if done:
            break


@pytest.mark.filterwarnings("ignore")  # the package has many
def test_players_of_the_package_win_them(tmp_path):
    textworld = pytest.importorskip("textworld")
    pytest.importorskip("textworld.gym")
    export_game(*GAMES["cooking"], tmp_path / "game.json")
    wanted = textworld.EnvInfos(max_score=True, extras=["walkthrough"])
    env = textworld.gym.make(textworld.gym.register_game(str(tmp_path / "game.json"), wanted))
    _, infos = env.reset()
    for command in infos["extra.walkthrough"]:
        _, score, done, infos = env.step(command)
    assert (score, done) == (infos["max_score"], True)
    agent, env = textworld.agents.WalkthroughAgent(), textworld.start(str(tmp_path / "game.json"))
    agent.reset(env)
    state, score, done = env.reset(), 0, False
    while not done:
        state, score, done = env.step(agent.act(state, score, done))
    assert state["won"]


@pytest.mark.parametrize("name", GAMES)
def test_the_solution_that_is_written_wins(name):
    world, seed = GAMES[name]
    batch = begun(world, seed)
    for command in game_data(world, seed)["metadata"]["walkthrough"]:
        assert not batch.states[0]["won"]
        batch.step(np.array([possible_commands(batch.states[0], world.names).index(command)]))
    assert batch.states[0]["won"]


def test_what_a_quest_needs_can_be_lost():
    world, seed = GAMES["compat"]
    losses = [
        event["condition"]["preconditions"][0]["name"]
        for quest in game_data(world, seed)["quests"]
        for event in quest["fail_events"]
    ]
    assert {"used", "consumed", "burned"} <= set(losses)


def test_the_recipe_and_the_objective_are_told():
    data = game_data(*GAMES["cooking"])
    assert data["metadata"]["recipe"].startswith("The recipe needs")
    assert data["objective"].startswith("You are hungry")
    assert game_data(SimpleWorld(goal="none"), 0)["objective"] == ""
    assert "open the" in game_data(SimpleWorld(goal="detailed"), 0)["objective"]


def test_a_seed_writes_the_same_file_again(tmp_path):
    for name in ("a", "b"):
        export_game(TextQuestWorld(), 5, tmp_path / f"{name}.json")
    export_game(TextQuestWorld(), 6, tmp_path / "c.json")
    one, same, other = ((tmp_path / f"{name}.json").read_bytes() for name in "abc")
    assert one == same
    assert one != other


def test_what_cannot_be_written_is_refused(tmp_path):
    export_game(TextQuestWorld(), 5, tmp_path / "game.json")
    with pytest.raises(ValueError, match="LoadedWorld plays games of files, expected a world that draws games"):
        game_data(LoadedWorld(paths=[str(tmp_path)]), 0)
    with pytest.raises(ValueError, match="seed must be an integer >= 0, got -1"):
        export_game(TextQuestWorld(), -1, tmp_path / "other.json")
    with pytest.raises(FileNotFoundError):
        export_game(TextQuestWorld(), 0, tmp_path / "missing" / "game.json")
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_the_command_writes_a_game(tmp_path):
    out = tmp_path / "game.json"
    arguments = ["text", "export", "TextQuest", "--seed", "3", "--out", str(out), "--option", "rooms=3"]
    found = CliRunner().invoke(main, arguments)
    assert found.exit_code == 0, found.output
    assert json.loads(out.read_text()) == game_data(TextQuestWorld(rooms=3), 3)
    found = CliRunner().invoke(main, ["text", "export", "NumberLine", "--out", str(out)])
    assert found.exit_code == 2
    assert "NumberLine-v0 is no text world of rooms and things" in found.output
