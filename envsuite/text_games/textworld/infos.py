"""What a user can ask to be told besides observations, with the names of the package ``textworld``."""

from collections.abc import Iterable
from typing import Any, cast

import gymnasium
import numpy as np

from envsuite.core.companions import Words, companion
from envsuite.core.single import WorldEnv
from envsuite.text_games.textworld.commands import command_text, possible_commands
from envsuite.text_games.textworld.facts import readable, true_facts
from envsuite.text_games.textworld.language import TextWords
from envsuite.text_games.textworld.solutions import Row, Solution
from envsuite.text_games.textworld.world import TextWorld

ALWAYS = ("score", "max_score", "won", "lost", "moves")
"""What infos hold in any case; it may be asked for, too."""
NAMES = (
    "admissible_commands",
    "description",
    "facts",
    "intermediate_reward",
    "inventory",
    "location",
    "objective",
    "policy_commands",
)
"""What can be asked for."""
_OF_SOLUTIONS = {"intermediate_reward", "policy_commands"}


class Asked:
    """Tells what was asked for of one game after another.

    ``admissible_commands`` (sorted), ``facts`` (sorted texts such as ``in(bun: f, coffer: c)``), ``location`` (of the
    player), ``description`` (of the room), ``inventory``, ``objective`` (as far as the player is told),
    ``policy_commands`` (a shortest solution from here; empty if none is known) and ``intermediate_reward``: 1 if the
    game was won or the shortest solution got shorter, -1 if it was lost or the solution got longer, else 0. The last
    two search wherever the last command did not follow the solution known, see `solve`; the others cost less than a
    millisecond.

    Args:
        world: that plays the game.
        request: names, see `NAMES`.

    Raises:
        ValueError: an unknown name; the message names those known.
    """

    def __init__(self, world: TextWorld, request: Iterable[str]):
        self.request = tuple(request)
        if unknown := sorted(set(self.request) - {*NAMES, *ALWAYS}):
            raise ValueError(f"request names {unknown[0]!r}, expected some of {', '.join(sorted((*NAMES, *ALWAYS)))}")
        self._world, self._solution = world, Solution()
        self._before: list[Row] | None = None

    def before(self, state: np.void) -> None:
        """Note from where a command is given, where that may be another record than was told of last.

        Args:
            state: a record `State`.
        """
        if _OF_SOLUTIONS & set(self.request):
            self._before = self._solution.of(state)

    def tell(self, state: np.void, *, began: bool) -> dict[str, Any]:
        """What was asked for.

        Args:
            state: a record `State`, after a reset or a command.
            began: it comes of a reset; otherwise of one command after the record that was told of or noted last.
        """
        solution = None
        if _OF_SOLUTIONS & set(self.request):
            solution = self._solution.of(state) if began else self._solution.after(state)
        told = {name: self._tell(name, state, solution, began) for name in self.request if name not in ALWAYS}
        self._before = solution
        return told

    def _tell(self, name: str, state: np.void, solution: list[Row] | None, began: bool) -> Any:
        world, names = self._world, self._world.names
        if name == "admissible_commands":
            return sorted(set(possible_commands(state, names)))
        if name == "policy_commands":
            return [command_text(state, names, *row) for row in solution or ()]
        if name == "intermediate_reward":
            return 0 if began else progress(state, self._before, solution)
        if name == "facts":
            entities = world.entities(state)
            return sorted(readable(fact, entities) for fact in true_facts(state, entities))
        if name == "location":
            return names[state["game"]["room_name"][state["room"]]]
        return getattr(cast(TextWords, companion(world, Words)).parts(state), name)


def progress(state: np.void, before: list[Row] | None, after: list[Row] | None) -> int:
    """The intermediate reward of a command.

    Args:
        state: the record that came of it.
        before: the shortest solution before it; None if none is known.
        after: that after it; likewise.
    """
    if state["won"]:
        return 1
    if state["lost"]:
        return -1
    return 0 if before is None or after is None else int(np.sign(len(before) - len(after)))


class TextInfos(gymnasium.Wrapper):
    """Infos of a text world with what a user asks for, see `Asked`.

    Args:
        env: a text world of this package, as ``gymnasium.make`` gives it.
        request: names, see `NAMES`.

    Raises:
        TypeError: another environment.
        ValueError: an unknown name.
    """

    def __init__(self, env: gymnasium.Env, request: Iterable[str]):
        super().__init__(env)
        world = getattr(env.unwrapped, "world", None)
        if not isinstance(env.unwrapped, WorldEnv) or not isinstance(world, TextWorld):
            raise TypeError(f"{env.unwrapped} is no text world of envsuite.text_games.textworld")
        self.asked = Asked(world, request)
        self._batch = env.unwrapped.batch

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begin an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, info | self.asked.tell(self._batch.states[0], began=True)

    def step(self, action):
        """Give a command."""
        self.asked.before(self._batch.states[0])
        *rest, info = self.env.step(action)
        return *rest, info | self.asked.tell(self._batch.states[0], began=False)
