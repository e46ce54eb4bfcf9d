"""Worlds of several agents through PettingZoo's AEC API: agents act one after another."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from envsuite.core.companions import Referee, companion
from envsuite.core.parallel import WorldParallelEnv
from envsuite.core.world import World


class WorldAECEnv(AECEnv):
    """A world whose agents act in turn.

    Where all agents act at once, their actions are kept until the last of them has acted. In a game of turns
    (`Referee.current_player`) each action is played when it is given. Rewards of several objectives are float32 arrays,
    one of its own for every agent. PettingZoo's conversion knows neither turns nor vectors.

    Args:
        env: the parallel environment.
    """

    def __init__(self, env: WorldParallelEnv):
        self.env = env
        self.world = env.world
        self.metadata = dict(env.metadata)
        self.render_mode = env.render_mode
        self.possible_agents = env.possible_agents
        self.agents: list[str] = []
        self.state_space = env.state_space

    @property
    def unwrapped(self):
        """The parallel environment."""
        return self.env.unwrapped

    def observation_space(self, agent: str) -> gymnasium.Space:
        """The space of one agent's observations."""
        return self.env.observation_space(agent)

    def action_space(self, agent: str) -> gymnasium.Space:
        """The space of one agent's actions."""
        return self.env.action_space(agent)

    def reward_space(self, agent: str) -> gymnasium.Space:
        """The space of one agent's rewards."""
        return self.env.reward_space(agent)

    def _nothing(self) -> Any:
        return np.zeros(self.world.reward.shape, self.world.reward.dtype) if self.world.reward.objectives else 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; see `WorldParallelEnv.reset`."""
        self._observations, self.infos = self.env.reset(seed=seed, options=options)
        self.agents = list(self.env.agents)
        self._skip_agent_selection = None
        self._given: dict[str, Any] = {}
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.rewards: dict[str, Any] = {agent: self._nothing() for agent in self.agents}
        self._cumulative_rewards: dict[str, Any] = {agent: self._nothing() for agent in self.agents}
        self._select()

    def _select(self) -> None:
        """The agent whose turn it is; the first live one where all act at once."""
        self._place = 0
        mover = companion(self.world, Referee).current_player(self.env.record())
        live = self.env.agents
        if mover is not None and self.possible_agents[mover] in live:
            self.agent_selection = self.possible_agents[mover]
        elif live:
            self.agent_selection = live[0]

    def observe(self, agent: str):
        """What an agent sees."""
        return self._observations[agent]

    def step(self, action) -> None:
        """Act for the selected agent; None for one that has ended.

        Raises:
            gymnasium.error.ResetNeeded: no episode has begun, or it has ended for all agents.
        """
        if not self.agents:
            raise ResetNeeded("the episode has ended or not begun: call reset() before step()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._given[agent] = action
        live: list[str] = self.env.agents
        turns = companion(self.world, Referee).current_player(self.env.record()) is not None
        if not turns and agent != live[-1]:
            if agent == live[0]:
                self._clear_rewards()
            self._place += 1
            self.agent_selection = live[self._place]
            return
        given = {one: self._given.get(one, self.env.idle_action()) for one in live}
        self._given = {}
        self._cumulative_rewards[agent] = self._nothing()  # its own rewards from here on, its own move's included
        self._observations, rewards, self.terminations, self.truncations, self.infos = self.env.step(given)
        self.rewards = rewards
        for one in live:
            before: Any = self._cumulative_rewards[one] if turns else self._nothing()
            self._cumulative_rewards[one] = before + rewards[one]
        self.agents = self.env.agents + [one for one in live if one not in self.env.agents]
        self._select()
        self._deads_step_first()

    def _clear_rewards(self) -> None:
        for agent in self.rewards:
            self.rewards[agent] = self._nothing()

    def state(self) -> np.ndarray:
        """All agents' observations, (a, *O)."""
        return self.env.state()

    def render(self):
        """See `WorldParallelEnv.render`."""
        return self.env.render()

    def close(self) -> None:
        """Close the window and stop the threads."""
        self.env.close()

    def __str__(self):
        return str(self.env)


def aec_env(world: str | World, **arguments: Any) -> OrderEnforcingWrapper:
    """A multi-agent world through PettingZoo's AEC API; see `WorldParallelEnv` for the arguments."""
    return OrderEnforcingWrapper(WorldAECEnv(WorldParallelEnv(world, **arguments)))
