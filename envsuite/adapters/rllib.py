"""Environments for RLlib's new API stack: single agents in batches, several agents as its ``MultiAgentEnv``."""

from collections.abc import Mapping
from typing import Any

import gymnasium

import envsuite
from envsuite.cards import EnvCard

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
    from ray.tune.registry import register_env
except (ImportError, AttributeError) as error:  # Ray without the packages that RLlib needs says it in either way
    message = 'RLlib is not installed: pip install "envsuite[rllib]"'
    raise ModuleNotFoundError(message, name="ray") from error


def register(env_id: str, **options: Any) -> str:
    """Make an environment known to RLlib, also in its worker processes.

    A single agent is stepped in batches with ``env_runners(gym_env_vectorize_mode="vector_entry_point")``, and one by
    one in RLlib's other modes. Several agents are a `MultiAgentWorldEnv`, which RLlib steps one by one.

    Args:
        env_id: as for `envsuite.card`.
        **options: of the environment; ``env_config`` of RLlib's configuration goes before them.

    Returns:
        The name for ``AlgorithmConfig.environment``: the environment's id.

    Raises:
        ValueError: rewards of several objectives.
    """
    card = _scalar(env_id)

    def make(context: Mapping[str, Any]) -> Any:
        given = {**options, **context}
        if card.agents > 1:
            return MultiAgentWorldEnv(card.id, **given)
        if "num_envs" in given:
            return gymnasium.make_vec(card.id, **given)
        return gymnasium.make(card.id, **given)

    register_env(card.id, make)
    return card.id


def _scalar(env_id: str) -> EnvCard:
    card = envsuite.card(env_id)
    if card.objectives:
        raise ValueError(f"{card.id} has {len(card.objectives)} objectives, expected a scalar reward")
    return card


class MultiAgentWorldEnv(MultiAgentEnv):
    """One instance of an environment of several agents for RLlib.

    Args:
        env_id: as for `envsuite.card`.
        **options: see `envsuite.parallel_env`.

    Attributes:
        env: the `envsuite.core.parallel.WorldParallelEnv` underneath.
        possible_agents: names of all agents.
        agents: names of those that act now.
        observation_spaces: by agent.
        action_spaces: by agent.

    Raises:
        ValueError: a single agent, or rewards of several objectives.
    """

    def __init__(self, env_id: str, **options: Any):
        card = _scalar(env_id)
        if card.agents < 2:
            raise ValueError(f"{card.id} has a single agent: use `register` and its name")
        self.env: Any = envsuite.parallel_env(card.id, **options)
        self.possible_agents = list(self.env.possible_agents)
        self.agents = list(self.possible_agents)
        self.observation_spaces = {one: self.env.observation_space(one) for one in self.possible_agents}
        self.action_spaces = {one: self.env.action_space(one) for one in self.possible_agents}
        self.metadata, self.render_mode = self.env.metadata, self.env.render_mode
        super().__init__()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict, dict]:
        """Begin an episode; observations and infos by agent."""
        observations, infos = self.env.reset(seed=seed)
        self.agents = list(self.env.agents)
        return observations, infos

    def step(self, action_dict: dict[Any, Any]) -> tuple[dict, dict, dict, dict, dict]:
        """Take a step.

        Args:
            action_dict: an action for every agent that acts now.

        Returns:
            Observations, rewards, terminations, truncations and infos by agent; flags with ``__all__``.
        """
        observations, rewards, terminated, truncated, infos = self.env.step(action_dict)
        self.agents = list(self.env.agents)
        over = not self.agents
        every = over and all(terminated.values())
        terminated["__all__"], truncated["__all__"] = every, over and not every
        return observations, rewards, terminated, truncated, infos

    def render(self) -> Any:
        """As the render mode says."""
        return self.env.render()

    def close(self) -> None:
        """Stop the threads."""
        self.env.close()
