"""Wrappers for rewards of several objectives: weighted sums, scaling, statistics, a single central agent."""

import time
from collections.abc import Mapping
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import BaseParallelWrapper, BaseWrapper

Weights = Mapping[str, Any] | Any | None
"""One vector of weights for all agents, one for each agent by name, or None for ones."""


def linear(env: AECEnv | ParallelEnv, weights: Weights = None) -> Any:
    """Weigh the objectives: rewards become one number an agent.

    Args:
        env: AEC or parallel environment; one with scalar rewards is returned as it is.
        weights: (k,) for all agents, or by agent; an agent that is not named keeps its vector. None weighs all by 1.

    Returns:
        The wrapped environment.

    Raises:
        ValueError: weights for an agent that does not exist, of another length, or not finite.
    """
    names = getattr(env.unwrapped, "reward_names", ())
    if not names:
        return env
    mixes = _mixes(weights, list(env.possible_agents), len(names))
    return LinearAEC(env, mixes) if isinstance(env, AECEnv) else LinearParallel(env, mixes)


def _mixes(weights: Weights, agents: list[str], size: int) -> dict[str, np.ndarray]:
    if weights is None:
        weights = np.ones(size)
    given = dict(weights) if isinstance(weights, Mapping) else dict.fromkeys(agents, weights)
    if unknown := sorted(set(given) - set(agents)):
        raise ValueError(f"weights are given for {unknown[0]!r}, expected some of {agents[:9]}")
    found = {agent: np.asarray(mix, np.float64) for agent, mix in given.items()}
    for agent, mix in found.items():
        if mix.shape != (size,) or not np.isfinite(mix).all():
            raise ValueError(f"weights of {agent} are {mix}, expected {size} finite numbers")
    return found


def _weigh(rewards: Mapping[str, Any], mixes: Mapping[str, np.ndarray]) -> dict[str, Any]:
    return {one: float(reward @ mixes[one]) if one in mixes else reward for one, reward in rewards.items()}


class LinearAEC(BaseWrapper):
    """Weighted rewards in the AEC API; see `linear`."""

    def __init__(self, env: AECEnv, mixes: dict[str, np.ndarray]):
        super().__init__(env)
        self._mixes = mixes

    @property
    def rewards(self) -> dict[str, Any]:  # ty: ignore[incompatible-property-override]
        """Of the last step, by agent."""
        return _weigh(self.env.rewards, self._mixes)

    @property
    def _cumulative_rewards(self) -> dict[str, Any]:  # ty: ignore[incompatible-property-override]
        return _weigh(self.env._cumulative_rewards, self._mixes)

    def last(self, observe: bool = True):
        """Observation, reward since its last turn, flags and info of the selected agent."""
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        return (
            seen,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )


class LinearParallel(BaseParallelWrapper):
    """Weighted rewards in the parallel API; see `linear`."""

    def __init__(self, env: ParallelEnv, mixes: dict[str, np.ndarray]):
        super().__init__(env)
        self._mixes = mixes

    def step(self, actions):
        """See `pettingzoo.ParallelEnv.step`."""
        observations, rewards, *rest = self.env.step(actions)
        return observations, _weigh(rewards, self._mixes), *rest


class RewardScale:
    """Divides rewards by the spread of their discounted returns, each agent and objective by its own.

    The variance runs over all returns seen so far (Chan et al. 1983), over all instances; put it before any weighing.

    Args:
        shape: (n, [a,] [k]) of rewards.
        gamma: discount.
        epsilon: added to the variance.
    """

    def __init__(self, shape: tuple[int, ...], gamma: float = 0.99, epsilon: float = 1e-8):
        self.gamma, self.epsilon = gamma, epsilon
        self.returns = np.zeros(shape)
        self.count = 0.0
        self.mean, self.squares = np.zeros(shape[1:]), np.zeros(shape[1:])

    def __call__(self, rewards: np.ndarray, ended: np.ndarray) -> np.ndarray:
        """Scale the rewards of one step.

        Args:
            rewards: (n, [a,] [k]).
            ended: (n, [a]) bool, whether the episode ended with this step; the return then begins anew.

        Returns:
            (n, [a,] [k]) float32.
        """
        self.returns = self.gamma * self.returns + rewards
        size = len(rewards)
        mean = self.returns.mean(axis=0)
        squares = ((self.returns - mean) ** 2).sum(axis=0)
        total, shift = self.count + size, mean - self.mean
        self.squares = self.squares + squares + shift**2 * self.count * size / total
        self.mean = self.mean + shift * size / total
        self.count = total
        self.returns[
            np.broadcast_to(ended.reshape(ended.shape + (1,) * (rewards.ndim - ended.ndim)), rewards.shape)
        ] = 0
        return (rewards / np.sqrt(self.squares / self.count + self.epsilon)).astype(np.float32)


class NormalizeRewards(BaseParallelWrapper):
    """`RewardScale` in the parallel API, for all agents and objectives at once.

    Args:
        env: parallel environment with rewards of several objectives.
        gamma: discount.
        epsilon: added to the variance.
    """

    def __init__(self, env: ParallelEnv, gamma: float = 0.99, epsilon: float = 1e-8):
        super().__init__(env)
        inner: Any = env.unwrapped
        self.scale = RewardScale((1, len(env.possible_agents), len(inner.reward_names)), gamma, epsilon)

    def step(self, actions):
        """See `pettingzoo.ParallelEnv.step`."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        table = np.zeros(self.scale.returns.shape)
        ended = np.zeros(table.shape[:2], np.bool_)
        for i, agent in enumerate(self.possible_agents):
            if agent in rewards:
                table[0, i] = rewards[agent]
                ended[0, i] = terminated[agent] or truncated[agent]
        scaled = self.scale(table, ended)[0]
        rewards = {agent: scaled[i] for i, agent in enumerate(self.possible_agents) if agent in rewards}
        return observations, rewards, terminated, truncated, infos


class EpisodeStatistics(BaseParallelWrapper):
    """Adds an agent's return and length to its info when its episode ends, as ``info["episode"]``.

    Its entries: ``"r"`` the return, ``"dr"`` the discounted return (both (k,) float32, or a float), ``"l"`` steps,
    ``"t"`` seconds.

    Args:
        env: parallel environment.
        gamma: discount.
    """

    def __init__(self, env: ParallelEnv, gamma: float = 0.99):
        super().__init__(env)
        self.gamma = gamma

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None):
        """See `pettingzoo.ParallelEnv.reset`."""
        self._returns: dict[str, Any] = {}
        self._discounted: dict[str, Any] = {}
        self._steps, self._began = 0, time.perf_counter()
        return self.env.reset(seed=seed, options=options)

    def step(self, actions):
        """See `pettingzoo.ParallelEnv.step`."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        for agent, reward in rewards.items():
            self._returns[agent] = self._returns.get(agent, 0.0) + reward
            self._discounted[agent] = self._discounted.get(agent, 0.0) + self.gamma**self._steps * reward
        self._steps += 1
        for agent in rewards:
            if terminated[agent] or truncated[agent]:
                infos[agent]["episode"] = {
                    "r": self._returns[agent],
                    "dr": self._discounted[agent],
                    "l": self._steps,
                    "t": time.perf_counter() - self._began,
                }
        return observations, rewards, terminated, truncated, infos


class Centralised(gymnasium.Wrapper):
    """One agent that acts for all: the joint view of `envsuite.core.single.WorldEnv`, as MO-Gymnasium's tools want it.

    Args:
        env: the joint view of a world of several agents.
        reward: ``"sum"`` or ``"mean"`` over agents.
        one_choice: the joint action is one index, the first agent's choice the most significant digit.

    Raises:
        ValueError: a single agent, an unknown reward, or choices that do not fit into one index.
    """

    def __init__(self, env: gymnasium.Env, reward: Literal["sum", "mean"] = "sum", one_choice: bool = False):
        super().__init__(env)
        self._inner: Any = env.unwrapped
        self._agents = len(self._inner.world.agents)
        if not self._agents:
            raise ValueError(f"{env} has a single agent already")
        if reward not in ("sum", "mean"):
            raise ValueError(f"reward is {reward!r}, expected 'sum' or 'mean'")
        self._share = 1.0 if reward == "sum" else 1.0 / self._agents
        self._sizes = None
        if one_choice:
            if not isinstance(env.action_space, MultiDiscrete) or np.prod(env.action_space.nvec, dtype=float) > 2**31:
                raise ValueError(f"the joint actions {env.action_space} do not fit into one index")
            self._sizes = tuple(int(size) for size in env.action_space.nvec.reshape(-1))
            self._shape = env.action_space.shape
            self.action_space = Discrete(int(np.prod(self._sizes)))

    @property
    def reward_space(self) -> Box:
        """Of one reward, (k,)."""
        space = self._inner.reward_space
        low, high = ((bound * self._share).astype(space.dtype) for bound in (space.low, space.high))
        return Box(low, high, dtype=space.dtype)

    @property
    def unwrapped(self):
        """This wrapper, since MO-Gymnasium's tools look for ``reward_space`` on the unwrapped environment."""
        return self

    def step(self, action):
        """See `gymnasium.Env.step`; the reward is (k,) float32."""
        if self._sizes is not None:
            action = np.array(np.unravel_index(int(action), self._sizes), np.int64).reshape(self._shape)
        observation, reward, *rest = self.env.step(action)
        return observation, (np.asarray(reward) * self._share).astype(np.float32), *rest
