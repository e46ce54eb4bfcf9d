"""Text games of other packages as Gymnasium environments: TextWorld, Jericho, ALFWorld, ScienceWorld.

The packages are imported only where a game is opened. Observations and actions are texts, rewards are changes of the
score, and infos have the same keys for all of them.
"""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import gymnasium
from gymnasium.spaces import Text
from gymnasium.utils import seeding

LONGEST_TEXT, LONGEST_COMMAND = 1 << 16, 1 << 10
"""Characters of an observation and of a command at most; what is longer is cut off."""
_LETTERS = "".join(chr(code) for code in (9, 10, *range(32, 127)))
_LIKE = {
    chr(code): like
    for codes, like in (((0x2018, 0x2019), "'"), ((0x201C, 0x201D), '"'), ((0x2013, 0x2014), "-"), ((0xA0,), " "))
    for code in codes
}
"""What typographic quotes, dashes and blanks become."""


@dataclass(frozen=True)
class Told:
    """What a game says after a command.

    Attributes:
        text: its answer.
        score: points so far.
        won: the game is won.
        lost: the game has ended otherwise.
        commands: what is possible now; None where the game does not say.
        understood: the last command did something or was at least known; None where the game does not say.
        description: of the place; empty where the game does not say.
        inventory: what is carried; likewise.
    """

    text: str
    score: float = 0.0
    won: bool = False
    lost: bool = False
    commands: tuple[str, ...] | None = None
    understood: bool | None = None
    description: str = ""
    inventory: str = ""


class TextGame(Protocol):
    """A game of another package.

    Attributes:
        max_score: points that can be had; None where nobody knows.
    """

    max_score: float | None

    def reset(self, seed: int | None) -> Told:
        """Begin anew; the seed is for games with chance in them."""

    def step(self, command: str) -> Told:
        """Do what a command says."""

    def close(self) -> None:
        """Free what the game holds."""


class TextGameEnv(gymnasium.Env):
    """A text game through the Gymnasium API.

    Infos have ``score``, ``max_score``, ``won``, ``lost``, ``moves``, ``admissible_commands`` (sorted; None where the
    game does not say), ``invalid_action``, ``description`` and ``inventory``.

    Args:
        game: of one of the packages.
        max_episode_steps: after which an episode is truncated; None for no limit.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(self, game: TextGame, *, max_episode_steps: int | None = 100, render_mode: str | None = None):
        if max_episode_steps is not None and max_episode_steps < 1:
            raise ValueError(f"max_episode_steps is {max_episode_steps}, expected at least 1, or None for no limit")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is {render_mode!r}, expected None or 'ansi'")
        self.game, self.max_episode_steps, self.render_mode = game, max_episode_steps, render_mode
        self.observation_space = Text(LONGEST_TEXT, min_length=0, charset=_LETTERS)
        self.action_space = Text(LONGEST_COMMAND, min_length=0, charset=_LETTERS)
        self._told = Told("")
        self._moves = 0
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begin an episode; the first text and infos."""
        super().reset(seed=seed)
        self._told, self._moves, self._over = self.game.reset(seed), 0, False
        return plain(self._told.text, LONGEST_TEXT), self._info()

    def step(self, action: str):
        """Give a command.

        Raises:
            TypeError: it is no text.
            gymnasium.error.ResetNeeded: no episode has begun, or it has ended.
        """
        if not isinstance(action, str):
            raise TypeError(f"the action is {action!r}, expected a text")
        if self._over:
            raise gymnasium.error.ResetNeeded("the episode has ended or not begun: call reset() before step()")
        before = self._told.score
        command = plain(action, LONGEST_COMMAND).replace("\n", " ").strip()
        if command:
            self._told = self.game.step(command)
        else:  # costs a step, and the game is not asked: some wait for more
            self._told = replace(self._told, text="Nothing was said.", understood=False)
        self._moves += 1
        terminated = self._told.won or self._told.lost
        truncated = not terminated and self._moves == self.max_episode_steps
        self._over = terminated or truncated
        return plain(self._told.text, LONGEST_TEXT), self._told.score - before, terminated, truncated, self._info()

    def render(self):
        """The last text."""
        return plain(self._told.text, LONGEST_TEXT)

    def close(self) -> None:
        """Close the game."""
        self.game.close()

    def _info(self) -> dict[str, Any]:
        told = self._told
        return {
            "score": told.score,
            "max_score": self.game.max_score,
            "won": told.won,
            "lost": told.lost,
            "success": told.won,
            "moves": self._moves,
            "admissible_commands": None if told.commands is None else sorted(set(told.commands)),
            "invalid_action": told.understood is False,
            "description": told.description,
            "inventory": told.inventory,
        }


def plain(text: str, longest: int) -> str:
    """A text of printable ASCII characters: quotes and dashes by their like, other characters as question marks.

    Args:
        text: any.
        longest: characters at most.
    """
    told = "".join(letter if letter in _LETTERS else _LIKE.get(letter, "?") for letter in text[:longest])
    return told[:longest]


def package(name: str, extra: str) -> Any:
    """A package that is needed to open a game.

    Raises:
        ModuleNotFoundError: it is not installed; the message says how to.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{name} is not installed: pip install {extra}", name=name) from error


class TextWorldGame:
    """A game of Microsoft's TextWorld.

    Args:
        path: a ``.z8`` file with its ``.json`` beside it, or the ``.json`` alone (which tells no texts).
    """

    def __init__(self, path: str | Path):
        if not Path(path).is_file():
            raise FileNotFoundError(f"no game {path}")
        textworld = package("textworld", '"envsuite[textworld]"')
        names = ("admissible_commands", "score", "max_score", "won", "lost", "description", "inventory", "feedback")
        self._env = textworld.start(str(path), textworld.EnvInfos(**dict.fromkeys(names, True)))
        self.max_score: float | None = None

    def reset(self, seed: int | None) -> Told:
        """Begin anew; the seed, where one is given, seeds the random events of the game."""
        if seed is not None:
            self._env.seed(seed)
        state = self._env.reset()
        self.max_score = state.get("max_score")
        return self._told(state)

    def step(self, command: str) -> Told:
        """Give a command."""
        return self._told(self._env.step(command)[0])

    def _told(self, state: Any) -> Told:
        commands = state.get("admissible_commands")
        return Told(
            str(state.get("feedback") or ""),
            float(state.get("score") or 0),
            bool(state.get("won")),
            bool(state.get("lost")),
            None if commands is None else tuple(commands),
            description=str(state.get("description") or ""),
            inventory=str(state.get("inventory") or ""),
        )

    def close(self) -> None:
        """End the interpreter."""
        self._env.close()


class JerichoGame:
    """A game of the Z-machine through Jericho.

    Args:
        path: of the story file.
        commands: whether Jericho is asked which commands are possible, which takes seconds a step.
    """

    def __init__(self, path: str | Path, *, commands: bool = False):
        if not Path(path).is_file():
            raise FileNotFoundError(f"no game {path}")
        self._env = package("jericho", "jericho").FrotzEnv(str(path))
        self._commands = commands
        self.max_score: float | None = self._env.get_max_score()

    def reset(self, seed: int | None) -> Told:
        """Begin anew."""
        if seed is not None:
            self._env.seed(seed)
        text, info = self._env.reset()
        return self._told(text, info, False)

    def step(self, command: str) -> Told:
        """Give a command."""
        text, _, done, info = self._env.step(command)
        return self._told(text, info, done)

    def _told(self, text: str, info: dict[str, Any], done: bool) -> Told:
        won = bool(self._env.victory())
        possible = tuple(self._env.get_valid_actions()) if self._commands and not done else None
        return Told(text, float(info["score"]), won, bool(done and not won), possible)

    def close(self) -> None:
        """End the interpreter."""
        self._env.close()


class AlfworldGame:
    """Household tasks of ALFWorld.

    Args:
        env: what its ``AlfredTWEnv(...).init_env(batch_size=1)`` returns.
    """

    def __init__(self, env: Any):
        self._env, self.max_score = env, 1.0

    def reset(self, seed: int | None) -> Told:
        """Begin the next task of its list; the seed means nothing there."""
        texts, infos = self._env.reset()
        return self._told(texts, infos, False)

    def step(self, command: str) -> Told:
        """Give a command."""
        texts, _, done, infos = self._env.step([command])
        return self._told(texts, infos, bool(done[0]))

    def _told(self, texts: Sequence[str], infos: dict[str, Any], done: bool) -> Told:
        won = bool(infos.get("won", [False])[0])
        commands = infos.get("admissible_commands")
        nothing = texts[0].strip() == "Nothing happens."
        return Told(
            texts[0], float(won), won, done and not won, None if commands is None else tuple(commands[0]), not nothing
        )

    def close(self) -> None:
        """Close the environment."""
        getattr(self._env, "close", lambda: None)()


class ScienceWorldGame:
    """A task of ScienceWorld; scores are shares of 100.

    Args:
        task: its name.
        variation: of the task; drawn by the seed among those of `variations` where none is given.
        variations: ``"train"``, ``"dev"`` or ``"test"``.
        simplifications: such as ``"easy"``; empty for none.
        env: a ``ScienceWorldEnv``; a new one by default.
    """

    def __init__(
        self,
        task: str,
        variation: int | None = None,
        *,
        variations: str = "train",
        simplifications: str = "",
        env: Any = None,
    ):
        if variations not in ("train", "dev", "test"):
            raise ValueError(f"variations is {variations!r}, expected one of 'train', 'dev', 'test'")
        self._env = env or package("scienceworld", "scienceworld").ScienceWorldEnv("")
        self._task, self._variation, self._simplifications = task, variation, simplifications
        self._variations, self._rng = variations, seeding.np_random(0)[0]
        self.max_score: float | None = 1.0

    def reset(self, seed: int | None) -> Told:
        """Begin a variation."""
        if seed is not None:
            self._rng = seeding.np_random(seed)[0]
        variation = self._variation
        if variation is None:
            self._env.load(self._task, 0, self._simplifications)
            known = list(getattr(self._env, f"get_variations_{self._variations}")())
            variation = int(known[self._rng.integers(len(known))])
        self._env.load(self._task, variation, self._simplifications)
        text, info = self._env.reset()
        return self._told(f"{info.get('taskDesc', '')}\n{text}".strip(), info, False)

    def step(self, command: str) -> Told:
        """Give a command."""
        text, _, done, info = self._env.step(command)
        return self._told(text, info, done)

    def _told(self, text: str, info: dict[str, Any], done: bool) -> Told:
        score = max(float(info["score"]), 0.0) / 100  # what ends a task wrongly is worth -100 there
        won = bool(done and score >= 1.0)
        commands = info.get("valid")
        return Told(
            text,
            score,
            won,
            bool(done and not won),
            None if commands is None else tuple(commands),
            description=str(info.get("look") or ""),
            inventory=str(info.get("inv") or ""),
        )

    def close(self) -> None:
        """End the simulator."""
        getattr(self._env, "close", lambda: None)()
