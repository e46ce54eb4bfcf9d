"""Opponents that are policies: seated as the second fighter of `Duel`, asked for all instances at once."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from envsuite.core import World
from envsuite.core.actions import ActionChecker
from envsuite.core.jit import records
from envsuite.core.loops import seen_by
from envsuite.fighting.characters import NAMES, number_of
from envsuite.fighting.ladder import rung, rungs
from envsuite.fighting.params import DUMMIES, DUMMY, LEVELS, RIVALS

_STEP_BITS = 48
"""Below are those of an episode's seed, above the 15 that hold the longest episode's steps."""

Function = Callable[[np.ndarray], np.ndarray]


def only_characters(opponent: Any) -> bool:
    """Whether an option names characters of computer players and nothing else."""
    listed = opponent if isinstance(opponent, list) else [opponent]
    return bool(listed) and all(_is_character(one) or one == "random" for one in listed)


def _is_character(one: Any) -> bool:
    return isinstance(one, int) or (isinstance(one, str) and one.lower() in NAMES)


def _player(given: Any) -> int | Any:
    """A level as it is, the number of a dummy, or a policy."""
    if isinstance(given, int) and not isinstance(given, bool):
        if not 1 <= given <= LEVELS:
            raise ValueError(f"opponent has the level {given!r}, expected 1 to {LEVELS}")
        return given
    if isinstance(given, str) and given in DUMMIES:
        return DUMMY + DUMMIES.index(given)
    if isinstance(given, str | Path):
        path = Path(given)
        if not path.exists():
            known = f"one of {', '.join((*NAMES, *DUMMIES, *rungs()))}, 'random', or a policy's file or run folder"
            raise ValueError(f"opponent is {str(given)!r}, expected {known}")
        from envsuite.agents import onnx

        return onnx.load(path)
    if (hasattr(given, "act") and hasattr(given, "reset")) or callable(given):
        return given
    raise ValueError(f"opponent is {given!r}, expected a character, a policy, a pair of both, or a list of these")


def _kind(given: Any) -> tuple[int, Any]:
    """Character, -1 for any, and level or policy, -1 for any level."""
    if isinstance(given, tuple):
        if len(given) != 2:
            raise ValueError(f"opponent is {given!r}, expected a pair of a character and a level or policy")
        character = -1 if given[0] == "random" else number_of(given[0])
        return character, _player(given[1])
    if isinstance(given, str) and given == "random":
        return -1, -1
    if isinstance(given, str) and given in rungs():
        return _kind(rung(given))
    return (number_of(given), -1) if _is_character(given) else (-1, _player(given))


def seat(world: World, opponent: Any) -> "Rivals | None":
    """Write kinds of opponents into a world's parameters.

    Args:
        world: a `envsuite.fighting.kernel.DuelWorld`.
        opponent: one kind or a list of them, see there.

    Returns:
        What answers for the policies among them, None where there are none.

    Raises:
        ValueError: the kind that is none, or their number.
    """
    listed = list(opponent) if isinstance(opponent, list) else [opponent]
    if not 0 < len(listed) <= RIVALS:
        raise ValueError(f"opponent lists {len(listed)} kinds, expected 1 to {RIVALS}")
    policies: list[Any] = []
    p = world.params[0]
    p["rival_count"] = len(listed)
    for k, (character, player) in enumerate(map(_kind, listed)):
        level, policy = player, -1
        if not isinstance(player, int):
            level, policy = 0, len(policies)
            policies.append(player)
        p["rivals"][k] = (character, level, policy)
    return Rivals(world, policies) if policies else None


class Rivals:
    """Asks policies what the second fighters do, and writes it into their records.

    A function gets the observations of the instances that it plays, (m, 202) float32, and gives their actions. A
    `envsuite.agents.policy.Policy` gets those of all instances, keeps a past for each, and sees the records of the
    fight, in which it is the second fighter; it is told of new episodes with a seed from the instance's own. A network
    without memory is told so at every step, with a seed of the step: what it draws follows from the record of the
    fight, which therefore goes on from any moment as it did before.

    Args:
        world: whose observations and actions these are.
        policies: by the number in the records.
    """

    def __init__(self, world: World, policies: Sequence[Any]):
        self._world, self._policies = world, tuple(policies)
        for policy in self._policies:
            if hasattr(policy, "check"):  # a network knows what it expects
                policy.check(world.observation, world.action)

    def __call__(self, states: np.ndarray, restart: np.ndarray) -> None:
        """Write the actions of second fighters.

        Args:
            states: (n,) records.
            restart: (n,) bool, instances that begin anew in this step, whose action does not matter.

        Raises:
            ValueError: actions of a wrong shape or out of range, and whose.
            TypeError: actions that are no integers, and whose.
        """
        from envsuite.fighting.kernel.loops import see_second

        who = np.where(restart, -1, states["fighters"]["rival"][:, 1])
        observations = np.zeros((len(states), *self._world.observation.shape), np.float32)
        rows = records(seen_by(self._world.loops, self._world.observation, observations))
        see_second(states, records(self._world.params), who >= 0, rows)
        fresh = states["clock"]["step"] == 0
        for number, policy in enumerate(self._policies):
            mine = who == number
            if mine.any():
                self._ask(policy, number, mine, mine & fresh, observations, states)

    def _ask(self, policy, number: int, mine, begins, observations, states) -> None:
        if hasattr(policy, "act"):
            keys = states["rng"]["key"].astype(np.int64)
            seeds = (keys[:, 0] ^ keys[:, 1] << 16) + states["rng"]["episode"]
            if not getattr(policy, "remembers", True):
                begins, seeds = mine, seeds ^ states["clock"]["step"].astype(np.int64) << _STEP_BITS
            policy.reset(begins, seeds)
            actions = np.asarray(policy.act(observations, states))
            if len(actions) == len(mine):
                actions = actions[mine]
        else:
            actions = policy(observations[mine])
        count = int(mine.sum())
        try:
            checked = ActionChecker(self._world.action, (count,), "refuse")(actions)
        except (TypeError, ValueError) as error:
            raise type(error)(f"opponent {number}, {policy!r}: {error}") from error
        rows = checked.reshape(count, -1)
        second = states["second"]
        second[np.flatnonzero(mine)[:, np.newaxis], np.arange(rows.shape[1])] = rows
