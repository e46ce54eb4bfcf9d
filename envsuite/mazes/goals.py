"""Goals: rewards of achieved and desired places, and observations as dictionaries.

Worlds give flat observations. `GoalDict` and `GoalDictVector` split them into ``observation``, ``achieved_goal`` and
``desired_goal``, as Gymnasium-Robotics and hindsight replay buffers want them. Importing this module registers every
PointMaze and AntMaze in that form: ``gymnasium.make("envsuite.mazes.goals:envsuite/MazePointUmazeDict-v0")``.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict
from gymnasium.vector import VectorEnv, VectorObservationWrapper
from gymnasium.vector.utils import batch_space

from envsuite.mazes.ant.cards import GOAL_CARDS
from envsuite.mazes.point.cards import CARDS


def reward_of(achieved, desired, *, dense: bool, radius: float) -> np.ndarray:
    """Rewards of places for goals.

    Args:
        achieved: m, (..., 2).
        desired: m, (..., 2).
        dense: exp(-distance) instead of 1 within the radius and 0 elsewhere.
        radius: m.

    Returns:
        float64 (...).

    Raises:
        ValueError: arrays whose last axis is not of length 2.
    """
    achieved, desired = np.asarray(achieved, np.float64), np.asarray(desired, np.float64)
    for name, places in (("achieved", achieved), ("desired", desired)):
        if places.ndim == 0 or places.shape[-1] != 2:
            raise ValueError(f"{name} goals have shape {places.shape}, expected (..., 2)")
    difference = achieved - desired
    # not np.hypot: the kernel's formula, so that rewards are equal to the last bit
    distance = np.sqrt(difference[..., 0] * difference[..., 0] + difference[..., 1] * difference[..., 1])
    return np.exp(-distance) if dense else (distance <= radius).astype(np.float64)


def _parts(env) -> dict[str, slice]:
    """Where the parts of a dictionary are in a flat observation."""
    world = env.unwrapped.world
    if not hasattr(world, "compute_reward"):
        raise ValueError(f"{type(world).__name__} has no compute_reward, expected a maze with goals")
    return {"observation": world.observed, "achieved_goal": slice(0, 2), "desired_goal": slice(-2, None)}


def _split(observations: np.ndarray, parts: dict[str, slice]) -> dict[str, np.ndarray]:
    return {name: observations[..., part].copy() for name, part in parts.items()}


def _spaces(flat, parts: dict[str, slice]) -> Dict:
    return Dict({name: Box(flat.low[part], flat.high[part], dtype=flat.dtype.type) for name, part in parts.items()})


class GoalDict(gymnasium.ObservationWrapper):
    """A maze whose observations are dictionaries of ``observation``, ``achieved_goal`` and ``desired_goal``.

    Args:
        env: a maze with goals, of state observations.
    """

    def __init__(self, env: gymnasium.Env):
        super().__init__(env)
        self._parts = _parts(env)
        self.observation_space = _spaces(env.observation_space, self._parts)

    def observation(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """Split a flat observation."""
        return _split(observation, self._parts)

    def compute_reward(self, achieved_goal, desired_goal, info: Any = None):
        """Rewards of places for goals, see the world's `compute_reward`; a float for single places."""
        env: Any = self.unwrapped
        rewards = env.world.compute_reward(achieved_goal, desired_goal, info)
        return float(rewards) if rewards.ndim == 0 else rewards


class GoalDictVector(VectorObservationWrapper):
    """Many mazes, with dictionaries of arrays as observations; see `GoalDict`.

    Args:
        env: a vector of mazes with goals, of state observations.
    """

    def __init__(self, env: VectorEnv):
        super().__init__(env)
        self._parts = _parts(env)
        self.single_observation_space = _spaces(env.single_observation_space, self._parts)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def observations(self, observations: np.ndarray) -> dict[str, np.ndarray]:
        """Split flat observations."""
        return _split(observations, self._parts)

    def compute_reward(self, achieved_goal, desired_goal, info: Any = None) -> np.ndarray:
        """Rewards of places for goals, see the world's `compute_reward`."""
        env: Any = self.unwrapped
        return env.world.compute_reward(achieved_goal, desired_goal, info)


def make_dict(env_id: str, **options: Any) -> GoalDict:
    """Make a maze with dictionary observations.

    Args:
        env_id: registered id of the flat form.
        **options: of the environment.
    """
    return GoalDict(gymnasium.make(env_id, max_episode_steps=-1, **options).unwrapped)


for _card in (*CARDS, *GOAL_CARDS):
    gymnasium.register(
        _card.id.replace("-v0", "Dict-v0"),
        entry_point="envsuite.mazes.goals:make_dict",
        max_episode_steps=_card.horizon,
        kwargs={"env_id": _card.id},
    )
