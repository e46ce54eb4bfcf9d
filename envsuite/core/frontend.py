"""What all front ends share: text, snapshots, frames, and the reading of their options."""

from typing import Any

import numpy as np

from envsuite.core.batch import Batch, Snapshot, over_agents
from envsuite.core.companions import Pictures, Words, companion
from envsuite.core.world import World

RENDER_MODES = ["human", "rgb_array", "ansi"]
TEXT_LENGTH = 1 << 20
"""Characters of a text at most, where nothing else is known."""


class WorldFrontEnd:
    """Capabilities that do not depend on the API spoken: state, words and pictures of the batch underneath."""

    world: World
    batch: Batch

    def get_state(self) -> Snapshot:
        """An exact copy of everything that the future depends on (not of wrappers, such as a `TimeLimit`)."""
        return self.batch.get_state()

    def describe(self, instance: int = 0, agent: int = 0) -> str:
        """The situation of one agent in words.

        Args:
            instance: index in the batch.
            agent: index of the agent.
        """
        return companion(self.world, Words).describe(self.batch.states[instance], agent)

    def parse(self, text: str, instance: int = 0, agent: int = 0):
        """Turn a text into one agent's action, or into a `envsuite.core.language.Refusal`.

        Args:
            text: the answer of a language agent.
            instance: index in the batch.
            agent: index of the agent.
        """
        return companion(self.world, Words).parse(text, self.batch.states[instance], agent)

    def frame(self, instance: int = 0, size: tuple[int, int] | None = None) -> np.ndarray:
        """Draw one instance.

        Args:
            instance: index in the batch.
            size: (width, height); the world's own by default.

        Returns:
            uint8 array (height, width, 3).
        """
        pictures = companion(self.world, Pictures)
        return pictures.draw(self.batch.states[instance], size or pictures.size)


def check_observation(world: World, obs_type: str) -> None:
    """Refuse a form of observations that a world has not.

    Raises:
        ValueError: naming it and those that there are.
    """
    words = [] if world.agents else ["text", *companion(world, Words).token_forms]
    check_choice("obs_type", obs_type, ["state", *companion(world, Pictures).forms, *words])


def sensed_space(world: World, form: str):
    """The space of what one agent sees or reads, in another form than the world's own observation.

    Args:
        world: the simulator.
        form: one of its `Pictures.forms` (uint8 (height, width, channels)), ``"text"`` (a text of printable ASCII
            characters) or one of its `Words.token_forms` (int32 (length,), indices into `Words.vocabulary`).
    """
    from gymnasium.spaces import Box

    if form == "text":
        return text_space(longest=companion(world, Words).longest)
    words = companion(world, Words)
    if form in words.token_forms:
        return Box(0, len(words.vocabulary) - 1, (words.token_forms[form],), np.int32)
    return Box(0, 255, companion(world, Pictures).forms[form], np.uint8)


def text_space(agents: int = 0, longest: int = TEXT_LENGTH):
    """The space of text observations: one text of printable characters, or a tuple of them, an agent each.

    Args:
        agents: how many; 0 for a single text.
        longest: characters at most.
    """
    from gymnasium.spaces import Text, Tuple

    letters = "".join(chr(code) for code in (9, 10, *range(32, 127)))
    texts = [Text(longest, min_length=0, charset=letters) for _ in range(max(1, agents))]
    return Tuple(texts) if agents else texts[0]


def joint_rewards(rewards: np.ndarray, rivals: bool) -> np.ndarray:
    """Rewards of the joint view: of all agents together, or of the first where one's gain is another's loss.

    Args:
        rewards: (n, a, [k]).
        rivals: see `envsuite.core.companions.Referee.zero_sum`; their rewards would add up to nothing.

    Returns:
        (n, [k]).
    """
    return rewards[:, 0].copy() if rivals else over_agents(np.add, rewards)


def joint_pixels(world: World, pictures: np.ndarray) -> np.ndarray:
    """Pictures (n, [a,] ...) where all agents are one: those of the first agent, (n, ...)."""
    return pictures[:, 0] if world.agents else pictures


def objectives_of(world: World, front: Any, agents: int = 1) -> Any:
    """Give a front end what tools for several objectives look for, where the world has some.

    Sets ``reward_space`` (a `gymnasium.spaces.Box` of one reward, as in MO-Gymnasium), ``reward_dim``,
    ``reward_names`` and ``objective_directions`` (all ``"maximize"``).

    Args:
        world: the simulator.
        front: the environment.
        agents: how many agents' rewards are summed.

    Returns:
        The space; None for a scalar reward.
    """
    if not world.reward.objectives:
        return None
    from gymnasium.spaces import Box

    reward, unknown = world.reward, np.full(world.reward.shape, np.inf)
    low = (-unknown if reward.low is None else np.asarray(reward.low, np.float64)) * agents
    high = (unknown if reward.high is None else np.asarray(reward.high, np.float64)) * agents
    dtype: Any = reward.dtype
    front.reward_space = Box(low.astype(dtype), high.astype(dtype), dtype=dtype)
    front.reward_dim = len(world.reward.objectives)
    front.reward_names = tuple(world.reward.objectives)
    front.objective_directions = ("maximize",) * len(world.reward.objectives)
    return front.reward_space


def check_choice(name: str, value: Any, allowed: list) -> None:
    """Refuse an option's value.

    Raises:
        ValueError: naming the value and those allowed.
    """
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}, expected one of {allowed}")
