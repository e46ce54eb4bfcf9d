"""The worlds: characters, levels and options made into parameters."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from envsuite.core.jit import canonical
from envsuite.core.layout import Choices
from envsuite.core.world import World
from envsuite.fighting.characters import cast, number_of
from envsuite.fighting.kernel.loops import SINGLE, VERSUS
from envsuite.fighting.params import (
    ACTION_FORMS,
    CHARACTERS,
    DUMMIES,
    DUMMY,
    LEVEL_TABLE,
    LEVELS,
    LOOKS,
    PARAMS,
    REWARDS,
    ROUND,
    START_GAP,
    WIDEST_GAP,
)
from envsuite.fighting.rivals import only_characters, seat
from envsuite.fighting.state import INFO, OBSERVATION, STATE, action_layout

Characters = str | int | Sequence[str | int]
Levels = str | int | Sequence[int]


def characters(given: Characters) -> list[int]:
    """The pool of characters that an option names.

    Args:
        given: ``"random"`` for all, a name or number, or several of these.

    Raises:
        ValueError: there is no such character, or the list is empty or too long.
    """
    if isinstance(given, str) and given == "random":
        return list(range(CHARACTERS))
    listed = [given] if isinstance(given, str | int) else list(given)
    if not 0 < len(listed) <= CHARACTERS:
        raise ValueError(f"characters are {given!r}, expected 1 to {CHARACTERS} of them, or 'random'")
    return [number_of(one) for one in listed]


def levels(given: Levels) -> list[int]:
    """The computer players that an option names.

    Args:
        given: 1 to 8, ``"random"`` for all of these, the name of a training dummy, or a list of levels.

    Raises:
        ValueError: there is no such level.
    """
    if isinstance(given, str):
        if given == "random":
            return list(range(1, LEVELS + 1))
        if given in DUMMIES:
            return [DUMMY + DUMMIES.index(given)]
        raise ValueError(f"level is {given!r}, expected 1 to {LEVELS}, 'random' or one of {', '.join(DUMMIES)}")
    listed = [given] if isinstance(given, int) else list(given)
    if not 0 < len(listed) <= LEVELS:
        raise ValueError(f"levels are {given!r}, expected 1 to {LEVELS} of them, or 'random'")
    for one in listed:
        if isinstance(one, bool) or not isinstance(one, int) or not 1 <= one <= LEVELS:
            raise ValueError(f"level is {one!r}, expected 1 to {LEVELS}")
    return listed


def _whole(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise ValueError(f"{name} is {value!r}, expected an integer from {low} to {high}")
    return int(value)


def _share(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{name} is {value!r}, expected a number from 0 to 1")
    return float(value)


def _named(name: str, value: Any, known: tuple[str, ...]) -> int:
    if value not in known:
        raise ValueError(f"{name} is {value!r}, expected one of {', '.join(known)}")
    return known.index(value)


class FightWorld(World):
    """What both worlds share: the options of the rules."""

    state_dtype = STATE
    info_dtype = INFO
    observation = OBSERVATION

    def _set_up(
        self,
        pools: tuple[Characters, Characters],
        players: tuple[Sequence[int], Sequence[int]],
        actions: str,
        options: dict[str, Any],
    ) -> None:
        """Make the parameter record.

        Args:
            pools: characters of each side.
            players: levels of each side, 0 for an agent.
            actions: encoding.
            options: the other keyword arguments of the worlds.
        """
        params = np.zeros(1, canonical(PARAMS))
        p = params[0]
        p["characters"], p["levels"] = cast(), LEVEL_TABLE
        for i in range(2):
            pool = characters(pools[i])
            p["pool"][i, : len(pool)], p["pool_size"][i] = pool, len(pool)
            p["opponents"][i, : len(players[i])], p["opponent_count"][i] = players[i], len(players[i])
        p["form"] = _named("actions", actions, ACTION_FORMS)
        p["skip"] = _whole("frame_skip", options["frame_skip"], 1, 60)
        p["wins"] = _whole("rounds", options["rounds"], 1, 5)
        p["round_frames"] = _whole("round_frames", options["round_frames"], 1, ROUND)
        p["gap"] = _whole("start_gap", options["start_gap"], 40, WIDEST_GAP)
        p["shift"] = _whole("start_shift", options["start_shift"], 0, (WIDEST_GAP - int(p["gap"])) // 2)
        health = options["health"]
        if not isinstance(health, Sequence) or len(health) != 2:
            raise ValueError(f"health is {health!r}, expected two percentages")
        p["health"] = [_whole("health", one, 1, 100) for one in health]
        p["swap"], p["chip_ko"], p["hold"] = options["swap_sides"], options["chip_ko"], options["hold"]
        p["sticky"] = _share("sticky", options["sticky"])
        p["action_delay"] = _whole("action_delay", options["action_delay"], 0, LOOKS - 1)
        p["sight_delay"] = _whole("sight_delay", options["sight_delay"], 0, LOOKS - 1)
        p["reward"], p["stages"], p["mix"] = _named("reward", options["reward"], REWARDS), 1, 0.0
        self.params = params
        self.form = actions
        self.action = action_layout(actions)
        self.rewards_by = options["reward"]

    def anneal(self, share: float) -> None:
        """Move the reward ``"annealed"`` from damage to winning; works at once on running environments.

        Args:
            share: of the reward ``"win"``, 0 to 1.

        Raises:
            ValueError: another reward is in use, or the share is out of range.
        """
        if self.rewards_by != "annealed":
            raise ValueError(f"the reward is {self.rewards_by!r}, expected 'annealed'")
        self.params["mix"] = _share("share", share)


class DuelWorld(FightWorld):
    """One player against a computer player.

    Args:
        character: of the player: a name, a number from 0, several of these, or ``"random"``.
        opponent: likewise, of the computer player; or a policy (see `envsuite.fighting.rivals`): a file or run folder,
            a `envsuite.agents.policy.Policy`, or a function of observations; or a pair (tuple) of a character and a
            level or policy; or a list of all these, one of which is drawn for each episode.
        level: of the computer player, 1 to 8, several of these, ``"random"``, or the name of a training dummy.
        actions: ``"multidiscrete"``, ``"buttons"``, ``"ladder22"``, ``"macro24"``, or
            ``"queue"`` for up to three macros in a row.
        frame_skip: frames a decision, 1 to 60.
        hold: keep buttons down for all frames of a decision, not for the first only.
        sticky: probability that the action before is repeated instead.
        action_delay: frames until inputs arrive, 0 to 15.
        sight_delay: frames until the other fighter and projectiles are seen, 0 to 15.
        reward: ``"win"``, ``"hp"``, ``"ladder"`` or ``"annealed"``.
        rounds: that win the match.
        round_frames: length of a round.
        stages: matches in a row; above 1 the opponents come in random order and their level rises.
        start_gap: px between the fighters at the start.
        start_shift: px by which both start nearer to the first one's wall.
        health: percent of full health at the start, of the player and the opponent.
        swap_sides: toss a coin for the side of the stage.
        chip_ko: whether blocked specials can knock out.

    Raises:
        ValueError: an option out of range, by name and value.
    """

    _prepare: Any = None

    def __init__(
        self,
        *,
        character: Characters = "arden",
        opponent: Any = "random",
        level: Levels = 8,
        actions: Literal["multidiscrete", "buttons", "ladder22", "macro24", "queue"] = "multidiscrete",
        frame_skip: int = 4,
        hold: bool = False,
        sticky: float = 0.0,
        action_delay: int = 0,
        sight_delay: int = 0,
        reward: Literal["win", "hp", "ladder", "annealed"] = "win",
        rounds: int = 1,
        round_frames: int = ROUND,
        stages: int = 1,
        start_gap: int = START_GAP,
        start_shift: int = 0,
        health: Sequence[int] = (100, 100),
        swap_sides: bool = True,
        chip_ko: bool = False,
    ):
        options = {key: value for key, value in locals().items() if key not in ("self", "__class__")}
        plain = only_characters(opponent)
        self._set_up((character, opponent if plain else "random"), ([0], levels(level)), actions, options)
        self.params["stages"] = _whole("stages", stages, 1, CHARACTERS)
        if not plain:
            if stages > 1:
                raise ValueError(f"opponent is {opponent!r}, expected characters where stages follow one another")
            self._prepare = seat(self, opponent)

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those of the encoding; policies as opponents are asked before each step."""
        found = SINGLE["row" if isinstance(self.action, Choices) else "number"]
        return found if self._prepare is None else replace(found, prepare=self._prepare)


class DuelVersusWorld(FightWorld):
    """Two players against each other.

    Args:
        characters: of both players, see `DuelWorld`.
        actions: see `DuelWorld`, as all that follow.
        frame_skip: frames a decision.
        hold: keep buttons down.
        sticky: probability that the action before is repeated.
        action_delay: frames until inputs arrive.
        sight_delay: frames until the other is seen.
        reward: ``"win"`` and ``"hp"`` are zero-sum, ``"ladder"`` is not.
        rounds: that win the match.
        round_frames: length of a round.
        start_gap: px between the fighters at the start.
        start_shift: px by which both start nearer to the first one's wall.
        health: percent of full health at the start.
        swap_sides: toss a coin for the sides of the stage.
        chip_ko: whether blocked specials can knock out.

    Raises:
        ValueError: an option out of range, by name and value.
    """

    agents = ("player_0", "player_1")

    def __init__(
        self,
        *,
        characters: Sequence[Characters] = ("random", "random"),
        actions: Literal["multidiscrete", "buttons", "ladder22", "macro24", "queue"] = "multidiscrete",
        frame_skip: int = 4,
        hold: bool = False,
        sticky: float = 0.0,
        action_delay: int = 0,
        sight_delay: int = 0,
        reward: Literal["win", "hp", "ladder", "annealed"] = "win",
        rounds: int = 1,
        round_frames: int = ROUND,
        start_gap: int = START_GAP,
        start_shift: int = 0,
        health: Sequence[int] = (100, 100),
        swap_sides: bool = True,
        chip_ko: bool = False,
    ):
        options = {key: value for key, value in locals().items() if key not in ("self", "__class__")}
        if isinstance(characters, str) or len(characters) != 2:
            raise ValueError(f"characters are {characters!r}, expected those of two players")
        self._set_up((characters[0], characters[1]), ([0], [0]), actions, options)

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those of the encoding."""
        return VERSUS["row" if isinstance(self.action, Choices) else "number"]
