"""What stands around a simulator: pictures, words, controls, logs, players, a referee.

A world knows none of its companions, and needs none: each kind has a default that works for any world. A companion of
``TakeoffWorld`` is a class named after it, ``TakeoffPictures`` or ``TakeoffWords``. It lies in the world's own file, or
in the file that its kind names (its `Companion.room`) in the world's folder or the one above. Worlds inherit the
companions of the worlds that they inherit from.
"""

import importlib
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from envsuite.core.declare import rooms

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from envsuite.agents.audit import Auditor
    from envsuite.agents.distance import Distance
    from envsuite.agents.policy import Policy
    from envsuite.core.language import Refusal
    from envsuite.core.world import World

PIXELS = (84, 84, 3)
"""Height, width and channels of pixel observations; the usual size since Mnih et al. (2015), Nature 518."""


class Companion:
    """One kind of thing that a world can have at its side.

    Args:
        world: the simulator.

    Attributes:
        room: name of the file in which companions of this kind are looked for.
    """

    room: ClassVar[str]

    def __init__(self, world: Any):
        self.world = world


class Pictures(Companion):
    """What people and agents that see are shown.

    Attributes:
        size: (width, height) of frames in pixels.
        fps: frames a second at which episodes play in real time.
        views: ways to look at it, the default first.
        view: the one in use.
        forms: pixel observations by the name that ``obs_type`` takes: (height, width, channels); uint8.
    """

    room = "render"
    size: tuple[int, int] = (480, 360)
    fps: Any = 30
    views: ClassVar[tuple[str, ...]] = ("fixed",)
    forms: ClassVar[Mapping[str, tuple[int, int, int]]] = {"pixels": PIXELS}

    def __init__(self, world: Any):
        super().__init__(world)
        self.view = self.views[0]

    def draw(self, state: np.void, size: tuple[int, int]) -> np.ndarray:
        """Draw one instance for people; by default a table of its record.

        Args:
            state: one record of the world's ``state_dtype``.
            size: (width, height) in pixels.

        Returns:
            uint8 array of shape (height, width, 3).
        """
        from envsuite.core.tables import draw_record

        return draw_record(state, size)

    def draw_for(self, state: np.void, size: tuple[int, int], agent: int) -> np.ndarray:
        """Draw one instance for one of its agents, who may not be meant to see all; by default as for people.

        Args:
            state: one record of the world's ``state_dtype``.
            size: (width, height) in pixels.
            agent: index of the agent.

        Returns:
            uint8 array of shape (height, width, 3).
        """
        return self.draw(state, size)

    def draw_many(self, states: np.ndarray, form: str, out: np.ndarray) -> None:
        """Draw many instances for agents that see: frames of `draw`, unless a world knows better.

        Args:
            states: (n,) state records.
            form: one of `forms`.
            out: uint8 (n, [a,] height, width, channels), written.
        """
        height, width, _ = self.forms[form]
        for i, state in enumerate(states):
            out[i] = self.draw(state, (width, height))


class Words(Companion):
    """What language agents are told, and how their answers are read.

    Attributes:
        longest: characters of a description at most.
        vocabulary: all words of the descriptions, where they have a fixed vocabulary: then ``obs_type="tokens"`` gives
            their indices. Index 0 fills up shorter descriptions.
        token_length: words of a description at most.
        command_shape: commands that can be possible at most, and words of each, in worlds that list what is possible
            now: then ``obs_type="command_tokens"`` gives their words behind those of the description.
    """

    room = "language"
    longest: int = 1 << 14
    vocabulary: Any = ()
    token_length: int = 0
    command_shape: tuple[int, int] = (0, 0)

    @property
    def token_forms(self) -> dict[str, int]:
        """Forms of observations that are indices into the vocabulary, and their lengths."""
        forms = {"tokens": self.token_length} if self.vocabulary else {}
        listed = math.prod(self.command_shape)
        return forms | ({"command_tokens": self.token_length + listed} if forms and listed else {})

    def describe(self, state: np.void, agent: int = 0) -> str:
        """Say in words and numbers what an agent can know of its situation; by default its observation, block by block.

        Args:
            state: one record of the world's ``state_dtype``.
            agent: index of the agent.
        """
        from envsuite.core.tables import describe_observation

        return f"{describe_observation(self.world, state, agent)} {self.instructions(state, agent)}"

    def write(self, states: np.ndarray) -> list[str]:
        """Text observations of many instances of one agent: descriptions, unless a world knows better.

        Args:
            states: (n,) state records.
        """
        return [self.describe(state) for state in states]

    def write_tokens(self, states: np.ndarray, out: np.ndarray) -> None:
        """Token observations of many instances, where there is a vocabulary.

        Args:
            states: (n,) state records.
            out: int32 (n, length), written; the length says which of `token_forms` is wanted.
        """
        raise NotImplementedError(f"{type(self).__name__} has no vocabulary")

    def instructions(self, state: np.void, agent: int = 0) -> str:
        """Say what stays the same all through an episode: the rules, and what answers may look like.

        Players who see pictures instead of descriptions are told this.

        Args:
            state: one record of the world's ``state_dtype``.
            agent: index of the agent.
        """
        from envsuite.core.language import wanted

        return f"Answer with {wanted(self.world.action)}."

    def answers(self, state: np.void, agent: int = 0) -> "Sequence[str]":
        """Texts that name the actions there are now, one each; by default the names of choices, if `parse` is ours.

        Args:
            state: one record of the world's ``state_dtype``.
            agent: index of the agent.

        Returns:
            Texts that `parse` reads; none where actions cannot be listed.
        """
        return getattr(self.world.action, "names", ()) if type(self).parse is Words.parse else ()

    def parse(self, text: str, state: np.void, agent: int = 0) -> "np.ndarray | int | Refusal":
        """Turn a text into an action; by default by the layout of actions.

        Args:
            text: what a language agent (or a person) answered.
            state: the record in which the action is to be taken.
            agent: index of the agent.

        Returns:
            The action, or a `Refusal` that says which kind of invalid the text is, and why.
        """
        from envsuite.core.language import parse_action

        return parse_action(text, self.world.action)


class Controls(Companion):
    """How people steer."""

    room = "controls"

    def keys(self) -> dict[tuple[str, ...], Any]:
        """Keyboard control: pressed keys to action. Empty where a person cannot steer with keys.

        By default choices named after arrows have the arrow keys, and other choices digits.
        """
        names = getattr(self.world.action, "names", ())
        arrows: dict[tuple[str, ...], Any] = {
            (name,): k for k, name in enumerate(names) if name in ("left", "right", "up", "down")
        }
        return arrows or {(str(k),): k for k in range(min(len(names), 10))}

    def shared_keys(self) -> tuple[dict[tuple[str, ...], Any], ...]:
        """Keyboard control for several people at one keyboard: keys to action, one table an agent from the first on."""
        return ()

    def click(self, place: tuple[float, float], held: set[str], state: np.void) -> Any:
        """Mouse control: the action of a click, or None where it means nothing.

        Args:
            place: across and down a frame of `Pictures.size`, as shares of its width and height.
            held: names of the keys held down.
            state: the record in which the action is to be taken.
        """
        return None


class Logs(Companion):
    """What is written down of an episode besides its rewards."""

    room = "logs"

    def telemetry(self, state: np.void) -> dict[str, np.ndarray]:
        """Physical quantities for a log: by name (with a unit in the world's documentation), each (agents or 1,).

        Args:
            state: one record of the world's ``state_dtype``.

        Raises:
            ValueError: the world keeps none.
        """
        raise ValueError(f"{type(self.world).__name__} keeps no log of physical quantities")

    def figure(self, columns: Mapping[str, np.ndarray], state: np.void) -> "Figure":
        """Draw an episode as curves.

        Args:
            columns: of an episode's log, as `envsuite.evaluation.trajectories.Trajectory` has them.
            state: the last state record.

        Raises:
            ValueError: the world has no such figure.
        """
        raise ValueError(f"{type(self.world).__name__} has no figure of episodes")

    def seconds(self, state: np.void) -> float:
        """Time of the world's clock that has passed in the episode, s; nan where it has none.

        Args:
            state: one record of the world's ``state_dtype``.
        """
        return float("nan")


class Players(Companion):
    """Who plays for reference, and who collects data."""

    room = "experts"

    def expert(self) -> "Policy":
        """The reference policy: scripted, planned, solved or trained.

        Raises:
            ValueError: the world has none.
        """
        raise ValueError(f"{type(self.world).__name__} has no reference policy")

    def collector(self, name: str) -> "Policy":
        """A player made for collecting data, which need not care for the episode's own goal.

        Args:
            name: as recipes of datasets have it.

        Raises:
            ValueError: there is none of this name.
        """
        raise ValueError(f"{type(self.world).__name__} has no collector {name!r}")


class Referee(Companion):
    """How play is judged.

    Attributes:
        zero_sum: one agent's gain is another's loss: scores are those of the first agent, against uniformly random
            ones.
        comparable: names of options by which scores stay comparable, such as forms of observations and actions.
    """

    room = "ratings"
    zero_sum: Any = False
    comparable: ClassVar[frozenset[str]] = frozenset()

    def current_player(self, state: np.void) -> int | None:
        """Whose turn it is: an agent's index; None where all agents act at once.

        In a game of turns only that player's action counts, and only its ``action_mask`` has ones. By default the
        record's field ``current_player`` tells, where it has one.

        Args:
            state: one record of the world's ``state_dtype``.
        """
        return int(state["current_player"]) if "current_player" in (state.dtype.names or ()) else None

    def auditor(self) -> "Auditor | None":
        """What judges how an episode is played, beyond its return and metrics; None where a world has none."""
        return None

    def opponent(self, metrics: Mapping[str, Any]) -> tuple[str, float] | None:
        """Whom an episode of one agent was played against, and the agent's share of points; None where nobody.

        Args:
            metrics: info of its last step.

        Returns:
            A name that is the same for the same opponent in every episode, and 1 for a win, 1/2 for a draw, 0.
        """
        return None

    def distance(self, policy: "Policy") -> "Distance | None":
        """How far a policy is from an equilibrium, by itself and not by its episodes; None where this is not known.

        Args:
            policy: who would play all agents.

        Raises:
            ValueError: it is known for other policies or options, and why not for these.
        """
        return None


_Kind = TypeVar("_Kind", bound=Companion)


def companion(world: "World", kind: type[_Kind]) -> _Kind:
    """A world's companion of a kind: its own, or the default.

    Args:
        world: the simulator.
        kind: `Pictures`, `Words`, `Controls`, `Logs`, `Players` or `Referee`.

    Returns:
        The same object each time.
    """
    kept = world.__dict__.setdefault("_companions", {})
    if kind.__name__ not in kept:
        kept[kind.__name__] = companion_class(type(world), kind)(world)
    return kept[kind.__name__]


def companion_class(world: type, kind: type[_Kind]) -> type[_Kind]:
    """The class of `companion`, without a world at hand.

    Args:
        world: the simulator's class.
        kind: of companion.
    """
    for one in world.__mro__:
        if one.__module__ == "envsuite.core.world":
            break
        names = [stem + kind.__name__ for stem in (one.__name__.removesuffix("World"), one.__name__)]
        for place in rooms(one.__module__, kind.room):
            room = importlib.import_module(place)
            found = next((getattr(room, name) for name in names if hasattr(room, name)), None)
            if found is not None:
                return found
    return kind
