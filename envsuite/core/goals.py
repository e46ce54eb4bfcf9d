"""Goals: observations as dictionaries, as Gymnasium-Robotics and hindsight replay buffers want them.

Worlds give flat observations. `GoalDict` and `GoalDictVector` split them into ``observation``, ``achieved_goal`` and
``desired_goal``. A world that can be split has

- ``goal_parts``, where these three stand in a flat observation, as slices by name;
- ``compute_reward(achieved_goal, desired_goal, info)``, the rewards (...) of goals (..., k);
- perhaps ``achieved(observations, states)``, what is achieved where a flat observation does not hold it.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict
from gymnasium.vector import AutoresetMode, VectorEnv, VectorObservationWrapper
from gymnasium.vector.utils import batch_space


def _parts(env: Any) -> dict[str, slice]:
    world = env.unwrapped.world
    if not hasattr(world, "compute_reward"):
        raise ValueError(f"{type(world).__name__} has no compute_reward, expected a world with goals")
    return world.goal_parts


def _split(env: Any, observations: np.ndarray, states: np.ndarray, parts: dict[str, slice]) -> dict[str, np.ndarray]:
    found = {name: observations[..., part].copy() for name, part in parts.items()}
    if hasattr(env.unwrapped.world, "achieved"):
        found["achieved_goal"] = env.unwrapped.world.achieved(observations, states)
    return found


def _spaces(flat: Any, parts: dict[str, slice]) -> Dict:
    return Dict({name: Box(flat.low[part], flat.high[part], dtype=flat.dtype.type) for name, part in parts.items()})


class GoalDict(gymnasium.ObservationWrapper):
    """A world with goals whose observations are dictionaries of ``observation``, ``achieved_goal``, ``desired_goal``.

    Args:
        env: a world with goals, of state observations.

    Raises:
        ValueError: a world without goals.
    """

    def __init__(self, env: gymnasium.Env):
        super().__init__(env)
        self._parts = _parts(env)
        self.observation_space = _spaces(env.observation_space, self._parts)

    def observation(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """Split a flat observation."""
        env: Any = self.unwrapped
        return _split(env, observation, env.batch.states[0], self._parts)

    def compute_reward(self, achieved_goal, desired_goal, info: Any = None):
        """Rewards of what is achieved for goals, see the world's `compute_reward`; a float for single ones."""
        env: Any = self.unwrapped
        rewards = env.world.compute_reward(achieved_goal, desired_goal, info)
        return float(rewards) if rewards.ndim == 0 else rewards


class GoalDictVector(VectorObservationWrapper):
    """Many instances, with dictionaries of arrays as observations; see `GoalDict`.

    Args:
        env: a vector of worlds with goals, of state observations.

    Raises:
        ValueError: a world without goals, or automatic resets within a step, whose ``final_obs`` would stay flat.
    """

    def __init__(self, env: VectorEnv):
        mode = getattr(env.unwrapped, "autoreset_mode", None)
        if mode is AutoresetMode.SAME_STEP:
            raise ValueError(f"autoreset_mode is {mode.value!r}, expected 'NextStep' or 'Disabled' for goals")
        super().__init__(env)
        self._parts = _parts(env)
        self.single_observation_space = _spaces(env.single_observation_space, self._parts)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def observations(self, observations: np.ndarray) -> dict[str, np.ndarray]:
        """Split flat observations."""
        env: Any = self.unwrapped
        return _split(env, observations, env.batch.states, self._parts)

    def compute_reward(self, achieved_goal, desired_goal, info: Any = None) -> np.ndarray:
        """Rewards of what is achieved for goals, see the world's `compute_reward`."""
        env: Any = self.unwrapped
        return env.world.compute_reward(achieved_goal, desired_goal, info)


def make_dict(env_id: str, **options: Any) -> GoalDict:
    """Make an environment with dictionary observations.

    Args:
        env_id: registered id of the flat form.
        **options: of the environment.
    """
    return GoalDict(gymnasium.make(env_id, max_episode_steps=-1, **options).unwrapped)


def register(env_id: str, horizon: int | None, **options: Any) -> None:
    """Register the form with dictionaries of an id ``Name-v0`` as ``NameDict-v0``.

    Args:
        env_id: registered id of the flat form.
        horizon: steps after which an episode is truncated.
        **options: of the environment.
    """
    gymnasium.register(
        "Dict-v".join(env_id.rsplit("-v", 1)),
        entry_point="envsuite.core.goals:make_dict",
        max_episode_steps=horizon,
        kwargs={"env_id": env_id, **options},
    )


def places(achieved: Any, desired: Any, axes: int) -> tuple[np.ndarray, np.ndarray]:
    """Goals that are places as arrays.

    Args:
        achieved: m, (..., axes).
        desired: m, (..., axes).
        axes: 2 or 3.

    Returns:
        Both as float64.

    Raises:
        ValueError: arrays whose last axis has another length.
    """
    achieved, desired = np.asarray(achieved, np.float64), np.asarray(desired, np.float64)
    for name, one in (("achieved", achieved), ("desired", desired)):
        if one.ndim == 0 or one.shape[-1] != axes:
            raise ValueError(f"{name} goals have shape {one.shape}, expected (..., {axes})")
    return achieved, desired
