"""Worlds of several agents: the PettingZoo APIs, and the batched parallel environment."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from pettingzoo import ParallelEnv

from envsuite.core.companions import Pictures, companion
from envsuite.core.frontend import RENDER_MODES, objectives_of, sensed_space
from envsuite.core.vector import BatchFrontEnd
from envsuite.core.world import World, ended_agents, lead_shape


class VectorParallelEnv(BatchFrontEnd):
    """Many instances of a multi-agent world over arrays; see `BatchFrontEnd` for the arguments.

    Shapes: n instances, a agents, k objectives; observations (n, a, *O), actions (n, a, *A), rewards (n, a) or
    (n, a, k), flags (n, a). An agent's flags stay up, and its reward 0, from its end to the end of the episode, which
    is over when all agents have ended; automatic resets then work as in `gymnasium.vector`.

    Attributes:
        possible_agents: names of the agents, in the order of their axis.
        single_observation_space: what one agent sees.
        single_action_space: what one agent may do.
        observation_space: of all agents of all instances, (n, a, *O).
        action_space: likewise, (n, a, *A).
    """

    def __init__(self, world: str | World, num_envs: int = 1, **arguments: Any):
        super().__init__(world, num_envs, **arguments)
        if not self.world.agents:
            raise ValueError(f"{type(self.world).__name__} has a single agent: use gymnasium.make_vec")
        self.possible_agents = list(self.world.agents)
        self.metadata = {
            "render_modes": RENDER_MODES,
            "render_fps": companion(self.world, Pictures).fps,
            "autoreset_mode": self.autoreset_mode,
        }
        self.single_observation_space = space_of(self.world, self.obs_type)
        self.single_action_space = self.world.action.space()
        agents = len(self.possible_agents)
        objectives_of(self.world, self)
        self.observation_space = batch_space(batch_space(self.single_observation_space, agents), num_envs)
        self.action_space = batch_space(batch_space(self.single_action_space, agents), num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin episodes.

        Args:
            seed: instance ``i`` gets ``seed + i``, or its own of a list.
            options: ``reset_mask``, a bool array (n,) with the instances to reset; all by default.

        Returns:
            Observations (n, a, *O) and infos.
        """
        entropy = 0 if self.batch.seeded else seeding.np_random()[1]
        output, infos = self._reset_arrays(seed, options, entropy)
        return self._observed(output), infos

    def step(self, actions) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take a step in every instance.

        Args:
            actions: (n, a, *A); those of ended agents are ignored.

        Returns:
            Observations (n, a, *O), rewards (n, a[, k]), terminations (n, a), truncations (n, a), infos.

        Raises:
            ValueError: a malformed action, by name and index.
            gymnasium.error.ResetNeeded: no episode has begun, or one has ended while autoreset is disabled.
        """
        output, infos = self._step_arrays(actions)
        return self._observed(output), output.rewards, output.terminated, output.truncated, infos

    def render(self) -> tuple[np.ndarray, ...] | tuple[str, ...] | None:
        """A tuple of frames or texts, one an instance."""
        if self.render_mode == "rgb_array":
            return self._frames()
        if self.render_mode == "ansi":
            return tuple(self.describe(i) for i in range(self.num_envs))
        if self.render_mode == "human":
            self._show()
        return None

    def close(self) -> None:
        """Close the window and stop the threads."""
        self._release()


class WorldParallelEnv(ParallelEnv):
    """A multi-agent world, one instance, through PettingZoo's parallel API.

    Args:
        world: ``"module:Class"`` or a `World`.
        max_cycles: length limit in steps; None for no limit.
        render_mode: None, ``"rgb_array"``, ``"human"`` or ``"ansi"``.
        name: metadata's name; the world's class name by default.
        **options: ``obs_type``, and options of the world.
    """

    def __init__(
        self,
        world: str | World,
        *,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        name: str | None = None,
        **options: Any,
    ):
        self._vector = VectorParallelEnv(
            world,
            1,
            max_episode_steps=max_cycles,
            render_mode=render_mode,
            autoreset_mode=AutoresetMode.DISABLED,
            num_threads=1,
            **options,
        )
        self.world = self._vector.world
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.possible_agents = list(self.world.agents)
        self.agents: list[str] = []
        self.metadata = {
            "name": name or type(self.world).__name__,
            "render_modes": RENDER_MODES,
            "render_fps": companion(self.world, Pictures).fps,
            "is_parallelizable": True,
        }
        space = objectives_of(self.world, self)
        if space is not None:
            self.reward_spaces = dict.fromkeys(self.possible_agents, space)
            self.reward_space = self.reward_spaces.__getitem__
        self._index = {agent: i for i, agent in enumerate(self.possible_agents)}
        self._observation_spaces = {
            agent: space_of(self.world, self._vector.obs_type) for agent in self.possible_agents
        }
        self._action_spaces = {agent: self.world.action.space() for agent in self.possible_agents}
        self._idle = np.zeros(lead_shape(self.world, 1)[1:] + self.world.action.shape, self.world.action.dtype)

    def observation_space(self, agent: str) -> gymnasium.Space:
        """The space of one agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space:
        """The space of one agent's actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begin an episode.

        Args:
            seed: restarts the random streams.
            options: none are known; accepted for the API's sake.

        Returns:
            Observations and infos by agent.
        """
        observations, infos = self._vector.reset(seed=seed)
        self.agents = list(self.possible_agents)
        if self.render_mode == "human":
            self.render()
        return self._by_agent(observations[0], self.agents), self._infos_by_agent(infos, self.agents)

    def step(self, actions: dict[str, Any]):
        """Take a step.

        Args:
            actions: an action for every live agent.

        Returns:
            Observations, rewards, terminations, truncations, infos, by the agents that were live before the step.

        Raises:
            KeyError: an action is missing, or belongs to no live agent.
            gymnasium.error.ResetNeeded: no episode has begun, or it has ended.
        """
        if not self.agents:
            raise ResetNeeded("the episode has ended or not begun: call reset() before step()")
        if set(actions) != set(self.agents):
            raise KeyError(f"actions are given for {sorted(actions)}, expected them for {sorted(self.agents)}")
        joint = self._idle.copy()
        for index, agent in enumerate(self.possible_agents):
            if agent in actions:
                action = np.asarray(actions[agent])
                if action.shape != joint.shape[1:]:
                    raise ValueError(f"action of {agent} has shape {action.shape}, expected {joint.shape[1:]}")
                if action.dtype.kind not in self._vector._check._kinds:
                    raise TypeError(f"action of {agent} has type {action.dtype}, expected {joint.dtype}")
                joint[index] = action
        observations, rewards, terminated, truncated, infos = self._vector.step(joint[np.newaxis])
        live, flags = self.agents, self._index
        vector_reward = bool(self.world.reward.objectives)
        result = (
            self._by_agent(observations[0], live),
            {a: rewards[0, flags[a]].copy() if vector_reward else float(rewards[0, flags[a]]) for a in live},
            {a: bool(terminated[0, flags[a]]) for a in live},
            {a: bool(truncated[0, flags[a]]) for a in live},
            self._infos_by_agent(infos, live),
        )
        self.agents = [a for a in live if not (result[2][a] or result[3][a])]
        if self.render_mode == "human":
            self.render()
        return result

    def _by_agent(self, values: np.ndarray, agents: list[str]) -> dict[str, Any]:
        return {agent: values[self._index[agent]].copy() for agent in agents}

    def _infos_by_agent(self, infos: dict[str, Any], agents: list[str]) -> dict[str, dict[str, Any]]:
        names = self.world.info_dtype.names or ()
        columns = [(name, infos[name][0]) for name in names]
        return {agent: {name: _plain(rows[self._index[agent]]) for name, rows in columns} for agent in agents}

    def record(self) -> np.void:
        """The simulator's state record; read it only."""
        return self._vector.batch.states[0]

    def idle_action(self):
        """The action that is filled in for agents that have ended, or whose turn it is not."""
        return self._idle[0].copy()

    def state(self) -> np.ndarray:
        """All agents' observations, live or not, (a, *O)."""
        return self._vector.batch.last.observations[0].copy()

    @property
    def state_space(self) -> gymnasium.Space:
        """The space of `state`."""
        return batch_space(self.world.observation.space(), len(self.possible_agents))

    def describe(self, agent: str) -> str:
        """The situation of one agent in words."""
        return self._vector.describe(0, self._index[agent])

    def parse(self, text: str, agent: str):
        """Turn a text into an agent's action, or into a `envsuite.core.language.Refusal`."""
        return self._vector.parse(text, 0, self._index[agent])

    def get_state(self):
        """An exact copy of everything that the future depends on."""
        return self._vector.get_state()

    def set_state(self, snapshot) -> dict[str, np.ndarray]:
        """Return to a moment taken with `get_state`.

        Returns:
            The observations of the live agents at that moment.
        """
        observations = self._vector.set_state(snapshot)
        ended = ended_agents(self.world, snapshot.states[0])
        self.agents = [agent for agent, out in zip(self.possible_agents, ended, strict=True) if not out]
        return self._by_agent(observations[0], self.agents)

    def render(self):
        """Draw according to the render mode: an array (H, W, 3) uint8, a text, or a window (None)."""
        if self.render_mode == "ansi":
            return "\n".join(self.describe(agent) for agent in self.possible_agents)
        frames = self._vector.render()
        return None if frames is None else frames[0]

    def close(self) -> None:
        """Close the window and stop the threads."""
        self._vector.close()


def space_of(world: World, obs_type: str) -> gymnasium.Space:
    """The space of one agent's observations.

    Args:
        world: the simulator.
        obs_type: ``"state"``, or one of the world's `Pictures.forms`.
    """
    return world.observation.space() if obs_type == "state" else sensed_space(world, obs_type)


def _plain(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) and value.ndim else value.item()
