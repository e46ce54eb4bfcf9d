"""Adapters of other packages' text games, against stand-ins; and TextWorld itself, where it is installed."""

import sys
import types

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from envsuite.adapters.text_games import (
    AlfworldGame,
    JerichoGame,
    ScienceWorldGame,
    TextGameEnv,
    TextWorldGame,
    Told,
    WorldGame,
    check_story,
    plain,
)
from envsuite.text_games.textworld.loaded import LoadedWorld


class Lamp:
    """A game of our own: take the lamp, 1 point."""

    max_score = 1.0

    def reset(self, seed):
        return Told("A lamp is here – “old”…", commands=("take lamp", "look", "look"))

    def step(self, command):
        won = command == "take lamp"
        return Told("Taken." if won else "A lamp is here.", float(won), won, understood=won or command == "look")

    def close(self):
        pass


class Fact:
    """Of the package, which is no text."""

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text


class FakeTextWorld(types.ModuleType):
    """What the adapter asks of the package ``textworld``."""

    def __init__(self):
        super().__init__("textworld")
        self.seeds, self.closed, self.wanted, self.moves, self.given = [], False, {}, 0, []

    class EnvInfos:
        def __init__(self, **wanted):
            self.wanted = wanted

    def start(self, path, infos):
        assert infos.wanted["admissible_commands"]
        self.wanted = infos.wanted
        return self

    def seed(self, seed):
        self.seeds.append(seed)

    def reset(self):
        return {
            "feedback": "Hello.",
            "admissible_commands": ["go north", "look"],
            "max_score": 2,
            "inventory": "nothing",
            "moves": 0,
            "intermediate_reward": 0,
            "facts": [Fact("open(box: c)"), Fact("at(P, hall: r)")],
        }

    def step(self, command):
        won = command == "go north"
        self.given.append(command)
        self.moves += command != "dance"
        state = {"feedback": command, "score": 2 * won, "won": won, "lost": command == "eat", "moves": self.moves}
        return state | {"intermediate_reward": 1, "facts": []}, 0, won

    def close(self):
        self.closed = True


class FakeFrotz:
    """What the adapter asks of Jericho's ``FrotzEnv``."""

    def __init__(self, path):
        self.points, self.ended = 0, False

    def get_max_score(self):
        return 10

    def seed(self, seed):
        pass

    def reset(self):
        self.points, self.ended = 0, False
        return "West of house", {"score": 0, "moves": 0}

    def step(self, command):
        self.points += 10 * (command == "win")
        self.ended = command in ("win", "die")
        return command, self.points, self.ended, {"score": self.points, "moves": 1}

    def victory(self):
        return self.points == 10

    def get_valid_actions(self):
        return ["win", "die"]

    def close(self):
        pass


class FakeAlfred:
    """What ALFWorld's batch of one task offers."""

    def reset(self):
        return ("You are in a room.",), {"admissible_commands": [["go to desk 1"]], "won": [False]}

    def step(self, commands):
        won = commands == ["put book 1 in/on desk 1"]
        text = "You put it." if won else "Nothing happens."
        return (text,), (float(won),), (won,), {"admissible_commands": [["look"]], "won": [won]}


class FakeScience:
    """What ScienceWorld's environment offers."""

    def __init__(self):
        self.loaded = []

    def load(self, task, variation, simplifications):
        self.loaded.append((task, variation, simplifications))

    def get_variations_train(self):
        return [3, 4, 5]

    def reset(self):
        return "A kitchen.", {
            "score": 0,
            "taskDesc": "Boil water.",
            "valid": ["wait"],
            "look": "A kitchen.",
            "inv": "orange",
        }

    def step(self, command):
        score = {"boil": 100, "focus on orange": -100}.get(command, 30)
        return "Done.", 0, score != 30, {"score": score, "valid": ["wait"], "look": "Steam.", "inv": "orange"}


def story(path, *, version=8, told=0, size=64):
    """A file with the header of a story of the Z-machine."""
    head = bytearray(size)
    head[0], head[26:28] = version, told.to_bytes(2, "big")
    path.write_bytes(head)


@pytest.mark.parametrize(
    ("version", "told", "size", "message"),
    [
        (8, 9, 71, "is cut off: it has 71 bytes, expected 72"),
        (5, 20, 79, "is cut off: it has 79 bytes, expected 80"),
        (3, 50, 99, "is cut off: it has 99 bytes, expected 100"),
        (9, 0, 64, r"is no story of the Z-machine: it begins with b'\\t"),
        (0, 0, 64, "is no story of the Z-machine"),
        (8, 0, 63, "is no story of the Z-machine"),
    ],
)
@pytest.mark.parametrize("make", [TextWorldGame, JerichoGame])
def test_stories_that_would_end_the_process_are_refused(tmp_path, version, told, size, message, make):
    story(tmp_path / "game.z8", version=version, told=told, size=size)
    with pytest.raises(ValueError, match=message):
        make(tmp_path / "game.z8")
    if "cut off" in message:
        story(tmp_path / "game.z8", version=version, told=told, size=size + 1)
        check_story(tmp_path / "game.z8")


def test_a_text_game_is_a_gymnasium_environment():
    env = TextGameEnv(Lamp(), max_episode_steps=3)
    check_env(env, skip_render_check=True)
    text, info = env.reset(seed=1)
    assert text == 'A lamp is here - "old"?'
    assert env.observation_space.contains(text)
    assert info["admissible_commands"] == ["look", "take lamp"]
    *_, info = env.step("dance\n\x00")
    assert info["invalid_action"]
    text, reward, *_, info = env.step("  ")
    assert (text, reward, info["invalid_action"], info["moves"]) == ("Nothing was said.", 0.0, True, 2)
    text, reward, terminated, truncated, info = env.step("take lamp")
    assert (text, reward, terminated, truncated) == ("Taken.", 1.0, True, False)
    assert info["success"]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("look")
    env.reset()
    with pytest.raises(TypeError, match="the action is 3, expected a text"):
        env.step(3)
    assert [env.step("look")[3] for _ in range(3)] == [False, False, True]


def test_bad_limits_are_named():
    with pytest.raises(ValueError, match="max_episode_steps is 0"):
        TextGameEnv(Lamp(), max_episode_steps=0)
    with pytest.raises(ValueError, match="render_mode is 'human'"):
        TextGameEnv(Lamp(), render_mode="human")
    with pytest.raises(ValueError, match="variations is 'all'"):
        ScienceWorldGame("boil", variations="all", env=FakeScience())


def test_other_letters_become_printable_ones():
    assert plain("naïve “word” – 100\u00a0%", 100) == 'na?ve "word" - 100 %'
    assert plain("x" * 50, 10) == "x" * 10


def test_textworld(tmp_path, monkeypatch):
    fake = FakeTextWorld()
    monkeypatch.setitem(sys.modules, "textworld", fake)
    with pytest.raises(FileNotFoundError, match="no game"):
        TextWorldGame(tmp_path / "missing.z8")
    story(tmp_path / "game.z8")
    env = TextGameEnv(TextWorldGame(tmp_path / "game.z8"))
    text, info = env.reset(seed=7)
    assert (text, info["max_score"], info["inventory"], fake.seeds) == ("Hello.", 2, "nothing", [7])
    assert env.step("eat")[2]
    env.reset()
    *_, reward, terminated, _, info = env.step("go north")
    assert (reward, terminated, info["won"]) == (2.0, True, True)
    env.close()
    assert fake.closed


def test_textworld_is_asked_for_more(tmp_path, monkeypatch):
    fake = FakeTextWorld()
    monkeypatch.setitem(sys.modules, "textworld", fake)
    story(tmp_path / "game.z8")
    with pytest.raises(ValueError, match="request names 'fact', expected some of admissible_commands"):
        TextWorldGame(tmp_path / "game.z8", request=("fact",))
    env = TextGameEnv(TextWorldGame(tmp_path / "game.z8", request=("intermediate_reward", "facts", "won")))
    assert {"facts", "intermediate_reward"} <= set(fake.wanted)
    assert "policy_commands" not in fake.wanted
    _, info = env.reset()
    assert info["facts"] == ["at(P, hall: r)", "open(box: c)"]
    assert env.step("look")[4]["invalid_action"] is False
    assert env.step("dance")[4]["invalid_action"] is True
    *_, info = env.step("look")
    assert (info["intermediate_reward"], info["facts"]) == (1, [])


@pytest.mark.parametrize(
    "said", ["quit", "QUIT.", "please restart", "tw-extra-infos score", "look then eat", "look. eat"]
)
def test_words_for_the_interpreter_do_not_reach_it(tmp_path, monkeypatch, said):
    fake = FakeTextWorld()
    monkeypatch.setitem(sys.modules, "textworld", fake)
    story(tmp_path / "game.z8")
    env = TextGameEnv(TextWorldGame(tmp_path / "game.z8", request=("intermediate_reward",)))
    env.reset()
    env.step("look")
    text, reward, terminated, _, info = env.step(said)
    assert (text, reward, terminated) == ("That is no single command of the game.", 0.0, False)
    assert (info["invalid_action"], info["intermediate_reward"], info["moves"]) == (True, 0, 2)
    assert fake.given == ["look"]


def test_jericho(tmp_path, monkeypatch):
    module = types.ModuleType("jericho")
    monkeypatch.setattr(module, "FrotzEnv", FakeFrotz, raising=False)
    monkeypatch.setitem(sys.modules, "jericho", module)
    story(tmp_path / "zork.z5")
    env = TextGameEnv(JerichoGame(tmp_path / "zork.z5", commands=True))
    _, info = env.reset(seed=0)
    assert (info["max_score"], info["admissible_commands"]) == (10, ["die", "win"])
    assert env.step("win")[1:3] == (10.0, True)
    env.reset()
    *_, terminated, _, info = env.step("die")
    assert terminated
    assert info["lost"]
    silent = TextGameEnv(JerichoGame(tmp_path / "zork.z5"))
    assert silent.reset()[1]["admissible_commands"] is None


def test_alfworld():
    env = TextGameEnv(AlfworldGame(FakeAlfred()))
    _, info = env.reset()
    assert info["admissible_commands"] == ["go to desk 1"]
    assert env.step("fly")[4]["invalid_action"]
    assert env.step("put book 1 in/on desk 1")[1:3] == (1.0, True)


def test_scienceworld():
    fake = FakeScience()
    env = TextGameEnv(ScienceWorldGame("boil", env=fake, simplifications="easy"))
    text, info = env.reset(seed=2)
    assert text == "Boil water.\nA kitchen."
    assert fake.loaded[-1][0] == "boil"
    assert fake.loaded[-1][1] in (3, 4, 5)
    assert env.step("heat")[1] == pytest.approx(0.3)
    assert env.step("boil")[1] == pytest.approx(0.7)
    env.reset(seed=2)
    *_, reward, terminated, _, info = env.step("focus on orange")
    assert (reward, terminated, info["won"]) == (0.0, True, False)
    assert info["description"] == "Steam."


@pytest.mark.parametrize(
    ("make", "name"), [(lambda path: JerichoGame(path), "jericho"), (lambda path: TextWorldGame(path), "textworld")]
)
def test_missing_packages_are_named(tmp_path, monkeypatch, make, name):
    monkeypatch.setitem(sys.modules, name, None)
    story(tmp_path / "game.z5")
    with pytest.raises(ModuleNotFoundError, match=f"{name} is not installed: pip install"):
        make(tmp_path / "game.z5")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A game of the package itself, as JSON and compiled: where a coin is to be taken."""
    textworld = pytest.importorskip("textworld")
    maker = textworld.GameMaker()
    hall, study = maker.new_room("hall"), maker.new_room("study")
    maker.connect(hall.east, study.west)
    maker.set_player(hall)
    coin = maker.new(type="o", name="coin")
    study.add(coin)
    maker.set_quest_from_commands(["go east", "take coin"])
    folder = tmp_path_factory.mktemp("made")
    maker.compile(str(folder / "game.z8"))
    return folder


@pytest.mark.filterwarnings("ignore")  # the package has many
@pytest.mark.parametrize("end", ["json", "z8"])
def test_games_of_the_package_itself(made, end):
    request = ("facts", "intermediate_reward", "objective", "policy_commands")
    env = TextGameEnv(TextWorldGame(made / f"game.{end}", request=request), max_episode_steps=20)
    for _ in range(2):
        text, info = env.reset(seed=0)
        assert env.observation_space.contains(text)
        assert "go east" in info["admissible_commands"]
        assert "at(P, hall: r)" in info["facts"]
        assert info["policy_commands"] == ["go east", "take coin"]
        assert (info["max_score"], info["won"], info["lost"], info["intermediate_reward"]) == (1, False, False, 0)
        for said in ("", "dance\n\x00é", "take the moon", "x" * 5000, "quit", "restart", "look then go east"):
            text, reward, terminated, truncated, info = env.step(said)
            assert env.observation_space.contains(text)
            assert (reward, terminated, truncated, info["invalid_action"]) == (0.0, False, False, True), said
            assert "at(P, hall: r)" in info["facts"]
        *_, info = env.step("go east")
        assert (info["intermediate_reward"], info["invalid_action"]) == (1, False)
        assert "at(P, study: r)" in info["facts"]
        text, reward, terminated, _, info = env.step("take coin")
        assert (reward, terminated, info["won"], info["moves"]) == (1.0, True, True, 9)
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step("look")
    if end == "z8":
        assert "Your score has just gone up by one point" in text
        assert "You are carrying: a coin" in info["inventory"]
        env.reset(seed=0)
        assert env.step("walk east")[4]["invalid_action"] is False  # other words than those that are listed
        assert "You are carrying nothing" in env.step("i")[0]
        assert "Study" in env.step("look")[4]["description"]
    env.reset(seed=0)
    assert [env.step("look")[3] for _ in range(20)][-2:] == [False, True]
    env.close()


@pytest.mark.parametrize("content", ["no game", "{}", "[]"])
def test_files_that_hold_no_game_are_named(tmp_path, content):
    pytest.importorskip("textworld")
    (tmp_path / "broken.json").write_text(content)
    with pytest.raises(ValueError, match=r"broken.json, with the JSON beside it, is no game of textworld: \w+Error"):
        TextWorldGame(tmp_path / "broken.json")


@pytest.mark.filterwarnings("ignore")
def test_games_of_the_package_have_the_same_facts_here(made):
    world = LoadedWorld(paths=[str(made / "game.json")])
    request = ("facts", "policy_commands", "intermediate_reward", "objective")
    ours = TextGameEnv(WorldGame(world, request=request))
    theirs = TextGameEnv(TextWorldGame(made / "game.json", request=request))
    one, other = ours.reset()[1], theirs.reset()[1]
    for command in ("look", "go east", "examine coin", "go west", "go east", "take coin"):
        for name in (*request, "admissible_commands", "score", "won"):
            assert one[name] == other[name], name
        one, other = ours.step(command)[4], theirs.step(command)[4]
    assert one["won"]
    assert other["won"]
