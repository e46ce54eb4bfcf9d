"""Environments for PufferLib 3.0, by its ``PufferEnv``: flat agents, and buffers that are written in place.

That is the version on PyPI, and the last one whose environments are Python; the 4.0 of its repository takes
environments in C. PufferLib is not needed, and asks for an older NumPy than envsuite does; where it is installed all
the same, the class is one of its environments, for ``pufferlib.vector.make`` in all its backends.
"""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

import envsuite

try:
    from pufferlib import PufferEnv as _Base  # ty: ignore[import-not-found]
except ImportError:
    _Base = object


class PufferEnv(_Base):
    """Many instances, each agent of each a row; new episodes begin within the step that ends the old ones.

    Args:
        env_id: as for `envsuite.card`.
        num_envs: number of instances.
        buf: the arrays below by name; None makes them.
        seed: of the first reset: instance ``i`` gets ``seed * num_envs + i``, so that PufferLib's copies of it, whose
            seeds follow one another, share no episodes; None draws one.
        **options: see `envsuite.core.vector.BatchFrontEnd`, and the environment's own.

    Attributes:
        num_agents: rows r.
        agent_ids: (r,) int64, their numbers.
        observations: (r, *O).
        rewards: (r,) float32.
        terminals: (r,) bool.
        truncations: (r,) bool.
        masks: (r,) bool, False for agents that have ended and wait for the others.
        actions: (r, *A), the last ones played.

    Raises:
        ValueError: rewards of several objectives.
    """

    def __init__(
        self,
        env_id: str,
        num_envs: int = 1,
        buf: Mapping[str, np.ndarray] | None = None,
        seed: int | None = 0,
        **options: Any,
    ):
        card = envsuite.card(env_id)
        if card.objectives:
            raise ValueError(f"{card.id} has {len(card.objectives)} objectives, expected a scalar reward")
        options |= {"autoreset_mode": AutoresetMode.SAME_STEP}
        several = card.agents > 1
        self.env: Any = (envsuite.parallel_vec if several else gymnasium.make_vec)(card.id, num_envs, **options)
        self.single_observation_space = self.env.single_observation_space
        self.single_action_space = self.env.single_action_space
        self.num_agents, self._agents, self._seed = num_envs * card.agents, card.agents, seed
        self.observation_space = batch_space(self.single_observation_space, self.num_agents)
        self.action_space = batch_space(self.single_action_space, self.num_agents)
        rows, space, action = self.num_agents, self.single_observation_space, self.single_action_space
        given = buf or {
            "observations": np.zeros((rows, *space.shape), space.dtype),
            "rewards": np.zeros(rows, np.float32),
            "terminals": np.zeros(rows, np.bool_),
            "truncations": np.zeros(rows, np.bool_),
            "masks": np.ones(rows, np.bool_),
            "actions": np.zeros((rows, *action.shape), action.dtype),
        }
        self.observations, self.actions = given["observations"], given["actions"]
        self.rewards, self.masks = given["rewards"], given["masks"]
        self.terminals, self.truncations = given["terminals"], given["truncations"]
        self.agent_ids = np.arange(rows)
        self._returns, self._lengths = np.zeros(num_envs), np.zeros(num_envs, np.int64)

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, list[dict[str, Any]]]:
        """Begin episodes; the observations' buffer, and no infos.

        Args:
            seed: as for the constructor, whose seed is used the first time without one.
        """
        seed, self._seed = self._seed if seed is None else seed, None
        observations, _ = self.env.reset(seed=None if seed is None else seed * self.env.num_envs)
        self.observations[:] = observations.reshape(self.observations.shape)
        for array, value in ((self.rewards, 0), (self.terminals, 0), (self.truncations, 0), (self.masks, 1)):
            array[:] = value
        self._returns[:], self._lengths[:] = 0.0, 0
        return self.observations, []

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Take a step.

        Args:
            actions: (r, *A).

        Returns:
            The buffers of observations, rewards, terminals and truncations, and an info with the means of the episodes
            that have ended, ``episode_return`` (summed over agents) and ``episode_length``, if there are any.
        """
        self.actions[:] = np.asarray(actions).reshape(self.actions.shape)
        observations, rewards, terminated, truncated, _ = self.env.step(
            self.actions.reshape(self.env.action_space.shape)
        )
        self.observations[:] = observations.reshape(self.observations.shape)
        for array, values in ((self.rewards, rewards), (self.terminals, terminated), (self.truncations, truncated)):
            array[:] = values.reshape(-1)
        over = (terminated | truncated).reshape(-1, self._agents)
        self.masks[:] = ~(over & ~over.all(1, keepdims=True)).reshape(-1)
        self._returns += rewards.reshape(-1, self._agents).sum(1)
        self._lengths += 1
        ended = over.all(1)
        if not ended.any():
            return self.observations, self.rewards, self.terminals, self.truncations, []
        means = {"episode_return": self._returns[ended].mean(), "episode_length": self._lengths[ended].mean()}
        self._returns[ended], self._lengths[ended] = 0.0, 0
        infos = [{name: float(value) for name, value in means.items()}]
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def close(self) -> None:
        """Stop the threads."""
        self.env.close()
