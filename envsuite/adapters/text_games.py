"""Text games as Gymnasium environments: TextWorld, Jericho, ALFWorld, ScienceWorld, and text worlds of this package.

The packages are imported only where a game is opened. Observations and actions are texts, rewards are changes of the
score, and infos have the same keys for all of them.
"""

import importlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import gymnasium
from gymnasium.spaces import Text
from gymnasium.utils import seeding

import envsuite
from envsuite.core.language import Refusal
from envsuite.core.single import WorldEnv
from envsuite.core.world import make_world
from envsuite.text_games.textworld.infos import ALWAYS, NAMES, Asked
from envsuite.text_games.textworld.world import TextWorld

LONGEST_TEXT, LONGEST_COMMAND = 1 << 16, 1 << 10
"""Characters of an observation and of a command at most; what is longer is cut off."""
_LETTERS = "".join(chr(code) for code in (9, 10, *range(32, 127)))
_LIKE = {
    chr(code): like
    for codes, like in (((0x2018, 0x2019), "'"), ((0x201C, 0x201D), '"'), ((0x2013, 0x2014), "-"), ((0xA0,), " "))
    for code in codes
}
"""What typographic quotes, dashes and blanks become."""
NO_COMMAND = re.compile(
    r"\b(quit|q|restart|restore|save|undo|script|transcript|verify|print_state|state option|tw-\S+|then)\b|[.;]",
    re.IGNORECASE,
)
"""Words for the interpreter of TextWorld's compiled games, which would leave the game or change what it tells, and
several commands at once, of which the package keeps no account."""
HEADER = 64
"""Bytes at the beginning of a story of the Z-machine that tell of it."""
LENGTH_UNITS = (2, 2, 2, 4, 4, 8, 8, 8)
"""Bytes in which its length is counted, by its version from 1 on."""
SHOWN = ("admissible_commands", "description", "inventory")
"""What infos hold of all games that tell it."""
ASKED = tuple(name for name in NAMES if name not in SHOWN)
"""What a user can ask text worlds and games of TextWorld for besides."""


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
        more: what else the game was asked for, by name.
    """

    text: str
    score: float = 0.0
    won: bool = False
    lost: bool = False
    commands: tuple[str, ...] | None = None
    understood: bool | None = None
    description: str = ""
    inventory: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)

    def unheard(self, text: str) -> "Told":
        """The same after words that did nothing.

        Args:
            text: that says so.
        """
        still = {"intermediate_reward": 0} if "intermediate_reward" in self.more else {}
        return replace(self, text=text, understood=False, more={**self.more, **still})


class TextGame(Protocol):
    """A game that is played in words.

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
    game does not say), ``invalid_action``, ``description``, ``inventory``, and what the game was asked for.

    Args:
        game: of one of the packages, or a `WorldGame`.
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
            self._told = self._told.unheard("Nothing was said.")
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
            **told.more,
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


def check_story(path: Path) -> None:
    """Refuse a story file of the Z-machine that is none, or cut off; interpreters end the whole process over it.

    Args:
        path: of the file. Its header (The Z-Machine Standards Document 1.1, section 11) holds the version in its first
            byte, and in bytes 26 and 27 the length in units of 2, 4 or 8 bytes, or 0.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is no story, or shorter than it says.
    """
    if not path.is_file():
        raise FileNotFoundError(f"no game {path}")
    with path.open("rb") as file:
        head = file.read(HEADER)
    if len(head) < HEADER or not 1 <= head[0] <= len(LENGTH_UNITS):
        raise ValueError(f"{path} is no story of the Z-machine: it begins with {head[:4]!r}")
    size, told = path.stat().st_size, int.from_bytes(head[26:28], "big") * LENGTH_UNITS[head[0] - 1]
    if size < told:
        raise ValueError(f"{path} is cut off: it has {size} bytes, expected {told}")


class WorldGame:
    """A text world of this package, which takes any words for a command that `envsuite.core.companions.Words` reads.

    Words that mean no possible command cost a step and change nothing; the answer says why.

    Args:
        world: its id, or a world such as a `envsuite.text_games.textworld.loaded.LoadedWorld`.
        request: what infos hold besides, see `envsuite.text_games.textworld.infos.NAMES`.
        **options: of the world, where its id is given.

    Raises:
        KeyError: an unknown id.
        TypeError: another world, or an unknown option.
        ValueError: an unknown name in `request`.
    """

    def __init__(self, world: str | TextWorld, *, request: Sequence[str] = (), **options: Any):
        card = envsuite.card(world) if isinstance(world, str) else None
        made = make_world(card.world, **{**card.options, **options}) if card else make_world(world, **options)
        if not isinstance(made, TextWorld):
            raise TypeError(f"{type(made).__name__} is no text world of envsuite.text_games.textworld")
        self._env, self._asked = WorldEnv(made, obs_type="text"), Asked(made, (*SHOWN, *request))
        self._told = Told("")
        self.max_score: float | None = None

    def reset(self, seed: int | None) -> Told:
        """Draw a game."""
        text, info = self._env.reset(seed=seed)
        self.max_score = float(info["max_score"])
        return self._tell(text, info, True)

    def step(self, command: str) -> Told:
        """Give a command."""
        action = self._env.parse(command)
        if isinstance(action, Refusal):
            self._told = self._told.unheard(action.reason)
            return self._told
        self._asked.before(self._env.batch.states[0])
        text, _, _, _, info = self._env.step(action)
        return self._tell(text, info, False)

    def _tell(self, text: str, info: dict[str, Any], began: bool) -> Told:
        more = self._asked.tell(self._env.batch.states[0], began=began)
        commands, description, inventory = (more.pop(name) for name in SHOWN)
        self._told = Told(
            text, float(info["score"]), info["won"], info["lost"], tuple(commands), True, description, inventory, more
        )
        return self._told

    def close(self) -> None:
        """Stop its threads."""
        self._env.close()


class TextWorldGame:
    """A game of Microsoft's TextWorld.

    Args:
        path: a ``.z8`` file with its ``.json`` beside it, or the ``.json`` alone (which tells no texts).
        request: what infos hold besides, with the package's names: ``facts`` (sorted texts), ``intermediate_reward``,
            ``location``, ``objective``, ``policy_commands``.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: an unknown name in `request`, or a file that holds no game.
    """

    def __init__(self, path: str | Path, *, request: Sequence[str] = ()):
        path = Path(path)
        if path.suffix != ".json":
            check_story(path)
        elif not path.is_file():
            raise FileNotFoundError(f"no game {path}")
        known = (*SHOWN, *ASKED)
        if unknown := sorted(set(request) - {*known, *ALWAYS}):
            raise ValueError(f"request names {unknown[0]!r}, expected some of {', '.join(sorted((*known, *ALWAYS)))}")
        self._more = tuple(name for name in ASKED if name in request)
        textworld = package("textworld", '"envsuite[textworld]"')
        names = (*SHOWN, "score", "max_score", "won", "lost", "moves", "feedback", *self._more)
        try:
            self._env = textworld.start(str(path), textworld.EnvInfos(**dict.fromkeys(names, True)))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            told = f"{type(error).__name__} {error}"
            raise ValueError(f"{path}, with the JSON beside it, is no game of textworld: {told}") from error
        self._told, self._moves = Told(""), None
        self.max_score: float | None = None

    def reset(self, seed: int | None) -> Told:
        """Begin anew; the seed, where one is given, seeds the random events of the game."""
        if seed is not None:
            self._env.seed(seed)
        state = self._env.reset()
        self.max_score, self._moves = state.get("max_score"), None
        return self._tell(state)

    def step(self, command: str) -> Told:
        """Give a command. Words for the interpreter, such as to restart, and several commands at once do nothing."""
        if NO_COMMAND.search(command):
            self._told = self._told.unheard("That is no single command of the game.")
            return self._told
        return self._tell(self._env.step(command)[0])

    def _tell(self, state: Any) -> Told:
        before, self._moves = self._moves, state.get("moves")
        commands, more = state.get("admissible_commands"), {name: state.get(name) for name in self._more}
        if more.get("facts") is not None:
            more["facts"] = sorted(map(str, more["facts"]))
        self._told = Told(
            str(state.get("feedback") or ""),
            float(state.get("score") or 0),
            bool(state.get("won")),
            bool(state.get("lost")),
            None if commands is None else tuple(commands),
            None if before is None or self._moves is None else self._moves > before,
            str(state.get("description") or ""),
            str(state.get("inventory") or ""),
            more,
        )
        return self._told

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
        check_story(Path(path))
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
