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
    plain,
)


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


class FakeTextWorld(types.ModuleType):
    """What the adapter asks of the package ``textworld``."""

    def __init__(self):
        super().__init__("textworld")
        self.seeds, self.closed = [], False

    class EnvInfos:
        def __init__(self, **wanted):
            self.wanted = wanted

    def start(self, path, infos):
        assert infos.wanted["admissible_commands"]
        return self

    def seed(self, seed):
        self.seeds.append(seed)

    def reset(self):
        return {
            "feedback": "Hello.",
            "admissible_commands": ["go north", "look"],
            "max_score": 2,
            "inventory": "nothing",
        }

    def step(self, command):
        won = command == "go north"
        return {"feedback": command, "score": 2 * won, "won": won, "lost": command == "eat"}, 0, won

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
    (tmp_path / "game.z8").touch()
    env = TextGameEnv(TextWorldGame(tmp_path / "game.z8"))
    text, info = env.reset(seed=7)
    assert (text, info["max_score"], info["inventory"], fake.seeds) == ("Hello.", 2, "nothing", [7])
    assert env.step("eat")[2]
    env.reset()
    *_, reward, terminated, _, info = env.step("go north")
    assert (reward, terminated, info["won"]) == (2.0, True, True)
    env.close()
    assert fake.closed


def test_jericho(tmp_path, monkeypatch):
    module = types.ModuleType("jericho")
    monkeypatch.setattr(module, "FrotzEnv", FakeFrotz, raising=False)
    monkeypatch.setitem(sys.modules, "jericho", module)
    (tmp_path / "zork.z5").touch()
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
    (tmp_path / "game.z5").touch()
    with pytest.raises(ModuleNotFoundError, match=f"{name} is not installed: pip install"):
        make(tmp_path / "game.z5")


def test_a_game_of_the_package_itself(tmp_path):
    textworld = pytest.importorskip("textworld")
    maker = textworld.GameMaker()
    hall, study = maker.new_room("hall"), maker.new_room("study")
    maker.connect(hall.east, study.west)
    maker.set_player(hall)
    coin = maker.new(type="o", name="coin")
    study.add(coin)
    maker.set_quest_from_commands(["go east", "take coin"])
    maker.build().save(str(tmp_path / "game.json"))
    env = TextGameEnv(TextWorldGame(tmp_path / "game.json"))
    _, info = env.reset(seed=0)
    assert "go east" in info["admissible_commands"]
    env.step("go east")
    *_, reward, terminated, _, info = env.step("take coin")
    assert (reward, terminated, info["won"]) == (1.0, True, True)
