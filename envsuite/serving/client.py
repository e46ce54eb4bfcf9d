"""A served environment as a Gymnasium environment, a vector of them, or a PettingZoo environment again.

Spaces come from the server, so the environment itself need not be made here. An episode is the same as a local one,
bit for bit.
"""

import functools
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from pettingzoo import ParallelEnv

from envsuite.serving.forms import array, plain, space_of
from envsuite.serving.link import Link

RENDER_MODES = ["ansi"]


class _Reader:
    """Turns replies into what an environment gives out.

    Args:
        declaration: of the environment.
    """

    def __init__(self, declaration: dict[str, Any]):
        self.agents: list[str] = declaration["agents"]
        self.observation_space = space_of(declaration["observation_space"])
        self.action_space = space_of(declaration["action_space"])
        self._vector, self._rivals = bool(declaration["objectives"]), declaration["rivals"]
        self._reward_dtype = np.dtype(declaration["reward_dtype"])
        self.nothing: Any = np.zeros(len(declaration["objectives"]), self._reward_dtype) if self._vector else 0.0
        self._info = {name: (np.dtype(one["dtype"]), bool(one["shape"])) for name, one in declaration["info"].items()}

    def joint(self, space: gymnasium.Space) -> Any:
        """A space of one agent as that of all of them together; the same for a single agent."""
        return batch_space(space, len(self.agents)) if self.agents else space

    def actions(self, action: Any) -> Any:
        """A joint action as JSON."""
        given = plain(np.asarray(action))
        if not self.agents:
            return given
        if not isinstance(given, list) or len(given) != len(self.agents):
            raise ValueError(f"actions have shape {np.shape(action)}, expected one for each of {len(self.agents)}")
        return dict(zip(self.agents, given, strict=True))

    def seen(self, reply: dict[str, Any]) -> np.ndarray:
        """The joint observation."""
        rows = reply["observation"]["observation"]
        return array(list(rows.values()) if self.agents else rows, self.observation_space.dtype)

    def info(self, reply: dict[str, Any]) -> dict[str, Any]:
        """The joint info: with several agents, arrays (a, ...)."""
        told = reply["metadata"]["info"]
        if self.agents:
            return {name: array([one[name] for one in told.values()], dtype) for name, (dtype, _) in self._info.items()}
        return self.one_info(told)

    def one_info(self, told: dict[str, Any]) -> dict[str, Any]:
        """One agent's info."""
        return {
            name: array(told[name], dtype) if shaped else array(told[name], dtype).item()
            for name, (dtype, shaped) in self._info.items()
        }

    def outcome(self, reply: dict[str, Any]) -> tuple[Any, bool, bool]:
        """Joint reward, terminated, truncated."""
        told = reply["metadata"]
        terminated, truncated = told["terminated"], told["truncated"]
        if self.agents:
            rows = [array(one, self._reward_dtype) for one in told["rewards"].values()]
            reward: Any = rows[0] if self._rivals else functools.reduce(np.add, rows)
            terminated, truncated = all(terminated.values()), all(truncated.values())
            truncated = bool(truncated or (reply["done"] and not terminated))
            return (reward if self._vector else float(reward)), terminated, truncated
        reward = array(told["rewards"], self._reward_dtype) if self._vector else reply["reward"]
        return reward, terminated, truncated

    def reward(self, told: Any) -> Any:
        """One agent's reward."""
        return array(told, self._reward_dtype) if self._vector else float(array(told, self._reward_dtype))


class RemoteEnv(gymnasium.Env):
    """A session of a server as a `gymnasium.Env`; several agents appear as their joint view, as in `gymnasium.make`.

    Args:
        url: of the environment, such as ``http://127.0.0.1:8000/QuadHover``.
        token: bearer token, where the server wants one.
        timeout: for an answer, s.
        render_mode: None, or ``"ansi"`` for the description.

    Raises:
        ConnectionError: nothing answers there, or not as a server of environments.
        PermissionError: the token is missing or wrong.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES}

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 60.0, render_mode: str | None = None):
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is {render_mode!r}, expected one of {[None, *RENDER_MODES]}")
        self.link = Link(url, token=token, timeout=timeout)
        self.render_mode = render_mode
        self._reader = _Reader(self.link.declaration)
        self.observation_space = self._reader.joint(self._reader.observation_space)
        self.action_space = self._reader.joint(self._reader.action_space)
        self._over, self._seeded = True, False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begin an episode.

        Args:
            seed: restarts the random streams; the same seed gives the same sequence of episodes as a local one.
            options: none are known; accepted for the API's sake.

        Returns:
            Observation and info.
        """
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = self.np_random_seed % 2**63
        reply = self.link.ask({"type": "reset", "data": {} if seed is None else {"seed": int(seed)}})
        self._over, self._seeded = False, True
        return self._reader.seen(reply), self._reader.info(reply)

    def step(self, action):
        """Take a step.

        Args:
            action: an element of the action space.

        Returns:
            Observation, reward, terminated, truncated, info.

        Raises:
            ValueError: a malformed action, by name.
            gymnasium.error.ResetNeeded: no episode has begun, or it has ended.
        """
        return self._take({"action": self._reader.actions(action)})

    def say(self, text: Any):
        """Take a step that is given in words.

        Args:
            text: the action in words; with several agents, by their names.

        Returns:
            As `step`.

        Raises:
            ValueError: the words are no action; no step is taken.
            gymnasium.error.ResetNeeded: no episode has begun, or it has ended.
        """
        return self._take({"text": text})

    def _take(self, data: dict[str, Any]):
        if self._over:
            raise ResetNeeded("the episode has ended or not begun: call reset() before step()")
        reply = self.link.ask({"type": "step", "data": data})
        self._over = reply["done"]
        reward, terminated, truncated = self._reader.outcome(reply)
        return self._reader.seen(reply), reward, terminated, truncated, self._reader.info(reply)

    def describe(self) -> str:
        """The situation in words."""
        told = self.link.describe()
        return "\n".join(f"[{agent}] {one}" for agent, one in told.items()) if isinstance(told, dict) else told

    def render(self):
        """The description, where the render mode asks for it."""
        return self.describe() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the session."""
        self.link.close()


class RemoteParallelEnv(ParallelEnv):
    """A session of a server as a PettingZoo parallel environment; see `RemoteEnv` for the arguments.

    Raises:
        ValueError: the environment has a single agent.
    """

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 60.0):
        self.link = Link(url, token=token, timeout=timeout)
        self._reader = _Reader(self.link.declaration)
        if not self._reader.agents:
            self.link.close()
            raise ValueError(f"{url} has a single agent: use RemoteEnv")
        self.metadata = {"name": self.link.declaration["env_id"], "render_modes": [], "is_parallelizable": True}
        self.render_mode = None
        self.possible_agents = list(self._reader.agents)
        self.agents: list[str] = []
        self._seeded = False

    def observation_space(self, agent: str) -> gymnasium.Space:
        """The space of one agent's observations."""
        return self._reader.observation_space

    def action_space(self, agent: str) -> gymnasium.Space:
        """The space of one agent's actions."""
        return self._reader.action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begin an episode; observations and infos by agent."""
        if seed is None and not self._seeded:
            seed = seeding.np_random()[1] % 2**63
        reply = self.link.ask({"type": "reset", "data": {} if seed is None else {"seed": int(seed)}})
        self.agents, self._seeded = list(self.possible_agents), True
        return self._seen(reply, self.agents), self._infos(reply, self.agents)

    def step(self, actions: dict[str, Any]):
        """Take a step; what `envsuite.core.parallel.WorldParallelEnv.step` returns.

        Raises:
            KeyError: an action is missing, or belongs to no live agent.
            ValueError: an action is malformed.
            gymnasium.error.ResetNeeded: no episode has begun, or it has ended.
        """
        if not self.agents:
            raise ResetNeeded("the episode has ended or not begun: call reset() before step()")
        if set(actions) != set(self.agents):
            raise KeyError(f"actions are given for {sorted(actions)}, expected them for {sorted(self.agents)}")
        given = {agent: plain(np.asarray(one)) for agent, one in actions.items()}
        reply = self.link.ask({"type": "step", "data": {"action": given}})
        told, live = reply["metadata"], self.agents
        result = (
            self._seen(reply, live),
            {agent: self._reader.reward(told["rewards"][agent]) for agent in live},
            {agent: told["terminated"][agent] for agent in live},
            {agent: told["truncated"][agent] for agent in live},
            self._infos(reply, live),
        )
        self.agents = [agent for agent in live if not (result[2][agent] or result[3][agent])]
        return result

    def _seen(self, reply: dict[str, Any], agents: list[str]) -> dict[str, np.ndarray]:
        rows, dtype = reply["observation"]["observation"], self._reader.observation_space.dtype
        return {agent: array(rows[agent], dtype) for agent in agents}

    def _infos(self, reply: dict[str, Any], agents: list[str]) -> dict[str, dict[str, Any]]:
        return {agent: self._reader.one_info(reply["metadata"]["info"][agent]) for agent in agents}

    def describe(self, agent: str) -> str:
        """The situation of one agent in words."""
        return self.link.describe()[agent]

    def close(self) -> None:
        """End the session."""
        self.link.close()


class RemoteVectorEnv(VectorEnv):
    """Sessions of a server as a `gymnasium.vector.VectorEnv`; they are asked together, and stepped as one batch there.

    New episodes begin at the step after the last of the old one (``NEXT_STEP``). Instance ``i`` of ``reset(seed=s)``
    has the seed ``s + i``, as everywhere.

    Args:
        url: of the environment.
        num_envs: number of sessions.
        token: bearer token, where the server wants one.
        timeout: for an answer, s.
    """

    def __init__(self, url: str, num_envs: int, *, token: str | None = None, timeout: float = 60.0):
        if num_envs < 1:
            raise ValueError(f"num_envs is {num_envs}, expected at least 1")
        self.links = [Link(url, token=token, timeout=timeout) for _ in range(num_envs)]
        self._reader = _Reader(self.links[0].declaration)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_observation_space = self._reader.joint(self._reader.observation_space)
        self.single_action_space = self._reader.joint(self._reader.action_space)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._over, self._seeded = np.ones(num_envs, np.bool_), False

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None):
        """Begin episodes; observations and infos."""
        if seed is None and not self._seeded:
            seed = seeding.np_random()[1] % 2**62
        dealt = [None] * self.num_envs if seed is None else seed
        seeds = [dealt + i for i in range(self.num_envs)] if isinstance(dealt, int) else list(dealt)
        if len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds for {self.num_envs} instances")
        messages = [{"type": "reset", "data": {} if one is None else {"seed": int(one)}} for one in seeds]
        replies = self._ask(messages)
        self._over, self._seeded = np.zeros(self.num_envs, np.bool_), True
        return self._observations(replies), self._told(replies)

    def step(self, actions):
        """Take a step in every session, or begin the episode where the last one ended."""
        if self._over.all() and not self._seeded:
            raise ResetNeeded("no episode has begun: call reset() before step()")
        begin = {"type": "reset", "data": {}}
        replies = self._ask(
            [
                begin if over else {"type": "step", "data": {"action": self._reader.actions(action)}}
                for over, action in zip(self._over, actions, strict=True)
            ]
        )
        fresh = self._over.copy()
        outcomes = [
            (self._reader.nothing, False, False) if over else self._reader.outcome(one)
            for over, one in zip(fresh, replies, strict=True)
        ]
        rewards, terminated, truncated = (np.array(column) for column in zip(*outcomes, strict=True))
        self._over = np.array([one["done"] for one in replies])
        return self._observations(replies), rewards, terminated, truncated, self._told(replies)

    def _ask(self, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        for link, message in zip(self.links, messages, strict=True):
            link.send(message)
        return [link.receive() for link in self.links]

    def _observations(self, replies: list[dict[str, Any]]) -> np.ndarray:
        return np.stack([self._reader.seen(one) for one in replies])

    def _told(self, replies: list[dict[str, Any]]) -> dict[str, Any]:
        infos: dict[str, Any] = {}
        for i, one in enumerate(replies):
            infos = self._add_info(infos, self._reader.info(one), i)
        return infos

    def close_extras(self, **arguments: Any) -> None:
        """End the sessions."""
        for link in self.links:
            link.close()
