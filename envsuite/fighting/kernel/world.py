"""The worlds: characters, levels and options made into parameters."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from envsuite.core import Between, Choices, World
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
    REWARDS,
    ROUND,
    START_GAP,
    WIDEST_GAP,
    Params,
)
from envsuite.fighting.rivals import only_characters, seat
from envsuite.fighting.state import OBSERVATION, Info, State, action_layout

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


def _padded(rows: Sequence[Sequence[int]], width: int) -> list[list[int]]:
    return [[*row, *[0] * (width - len(row))] for row in rows]


class FightWorld(World):
    """Two fighters, and the options that all fights have.

    Args:
        pools: characters of each side.
        players: levels of each side, 0 for an agent.
        actions: ``"multidiscrete"``, ``"buttons"``, ``"ladder22"``, ``"macro24"``, or
            ``"queue"`` for up to three macros in a row.
        frame_skip: frames a decision.
        hold: keep buttons down for all frames of a decision, not for the first only.
        sticky: probability that the action before is repeated instead.
        action_delay: frames until inputs arrive.
        sight_delay: frames until the other fighter and projectiles are seen.
        reward: ``"win"``, ``"hp"`` and ``"annealed"`` are zero-sum, ``"ladder"`` is not.
        rounds: that win the match.
        round_frames: length of a round.
        start_gap: px between the fighters at the start.
        start_shift: px by which both start nearer to the first one's wall.
        health: percent of full health at the start, of both.
        swap_sides: toss a coin for the sides of the stage.
        chip_ko: whether blocked specials can knock out.

    Raises:
        ValueError: an option out of range, by name and value.
    """

    state_dtype, info_dtype, observation = State.dtype(), Info.dtype(), OBSERVATION

    def __init__(
        self,
        pools: Sequence[Characters],
        players: Sequence[Sequence[int]],
        *,
        actions: Literal["multidiscrete", "buttons", "ladder22", "macro24", "queue"] = "multidiscrete",
        frame_skip: Annotated[int, Between(1, 60)] = 4,
        hold: bool = False,
        sticky: Annotated[float, Between(0, 1)] = 0.0,
        action_delay: Annotated[int, Between(0, LOOKS - 1)] = 0,
        sight_delay: Annotated[int, Between(0, LOOKS - 1)] = 0,
        reward: Literal["win", "hp", "ladder", "annealed"] = "win",
        rounds: Annotated[int, Between(1, 5)] = 1,
        round_frames: Annotated[int, Between(1, ROUND)] = ROUND,
        start_gap: Annotated[int, Between(40, WIDEST_GAP)] = START_GAP,
        start_shift: Annotated[int, Between(0, WIDEST_GAP)] = 0,
        health: Sequence[int] = (100, 100),
        swap_sides: bool = True,
        chip_ko: bool = False,
    ):
        widest = (WIDEST_GAP - start_gap) // 2
        if start_shift > widest:
            raise ValueError(f"start_shift is {start_shift}, expected at most {widest} with a start_gap of {start_gap}")
        if not isinstance(health, Sequence) or len(health) != 2 or not set(health) <= set(range(1, 101)):
            raise ValueError(f"health is {health!r}, expected two whole percentages from 1 to 100")
        sides = [characters(pool) for pool in pools]
        self.params = Params.make(
            characters=cast(),
            levels=LEVEL_TABLE,
            pool=_padded(sides, CHARACTERS),
            pool_size=[len(side) for side in sides],
            opponents=_padded(players, LEVELS),
            opponent_count=[len(side) for side in players],
            wins=rounds,
            round_frames=round_frames,
            gap=start_gap,
            shift=start_shift,
            health=health,
            swap=swap_sides,
            chip_ko=chip_ko,
            form=ACTION_FORMS.index(actions),
            skip=frame_skip,
            hold=hold,
            sticky=sticky,
            action_delay=action_delay,
            sight_delay=sight_delay,
            reward=REWARDS.index(reward),
        )
        self.form = actions
        self.action = action_layout(actions)
        self.rewards_by = reward

    def anneal(self, share: float) -> None:
        """Move the reward ``"annealed"`` from damage to winning; works at once on running environments.

        Args:
            share: of the reward ``"win"``, 0 to 1.

        Raises:
            ValueError: another reward is in use, or the share is out of range.
        """
        if self.rewards_by != "annealed":
            raise ValueError(f"the reward is {self.rewards_by!r}, expected 'annealed'")
        Params.fields["mix"].check(share)
        self.params["mix"] = share


class DuelWorld(FightWorld):
    """One player against a computer player.

    Args:
        character: of the player: a name, a number from 0, several of these, or ``"random"``.
        opponent: likewise, of the computer player; or a policy (see `envsuite.fighting.rivals`): a file or run folder,
            a `envsuite.agents.policy.Policy`, or a function of observations; or a pair (tuple) of a character and a
            level or policy; or a list of all these, one of which is drawn for each episode.
        level: of the computer player, 1 to 8, several of these, ``"random"``, or the name of a training dummy.
        stages: matches in a row; above 1 the opponents come in random order and their level rises.
        **options: those of `FightWorld`.

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
        stages: Annotated[int, Between(1, CHARACTERS)] = 1,
        **options: Any,
    ):
        plain = only_characters(opponent)
        super().__init__((character, opponent if plain else "random"), ([0], levels(level)), **options)
        self.params["stages"] = stages
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
        **options: those of `FightWorld`.

    Raises:
        ValueError: an option out of range, by name and value.
    """

    agents = ("player_0", "player_1")

    def __init__(self, *, characters: Sequence[Characters] = ("random", "random"), **options: Any):
        if isinstance(characters, str) or len(characters) != 2:
            raise ValueError(f"characters are {characters!r}, expected those of two players")
        super().__init__(characters, ([0], [0]), **options)

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those of the encoding."""
        return VERSUS["row" if isinstance(self.action, Choices) else "number"]
