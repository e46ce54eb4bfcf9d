"""Rows of experience: a batch environment read without copies, each agent of each instance a row."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import torch
from config import Config
from gymnasium.vector import AutoresetMode
from one_hot import OneHot

import envsuite
from envsuite.cards import EnvCard
from envsuite.core.batch import Snapshot

MASK = "action_mask"
"""Key of info, and name of the observation's block, that say which choices are allowed."""


class Step(NamedTuple):
    """What a step brought; r rows.

    Attributes:
        reward: (r,) or (r, objectives) float32.
        terminated: (r,) bool, ended by the task.
        done: (r,) bool, ended by the task or the length limit.
        valid: (r,) bool, False where the action went nowhere: the agent had ended before and waits for the others, or
            the step began a new episode (`NEXT_STEP`).
        episode_start: (r,) bool, the next observation is the first of an episode.
        next_obs: (r, *O) what the step led to, also where a new episode has begun since.
        next_critic_obs: (r, *C) likewise.
        next_mask: (r, choices) bool, likewise; None where all is allowed.
    """

    reward: torch.Tensor
    terminated: torch.Tensor
    done: torch.Tensor
    valid: torch.Tensor
    episode_start: torch.Tensor
    next_obs: torch.Tensor
    next_critic_obs: torch.Tensor
    next_mask: torch.Tensor | None


class Rows:
    """A batch environment, read without copies; each agent of each instance is a row, agents of one instance together.

    Attributes:
        env: the environment.
        agents: rows of an instance.
        count: rows r.
        objectives: components of the reward; 0 for a scalar.
        action_space: of one row.
        shape: of what the actor sees: (numbers,), or (height, width, channels) of bytes.
        critic_shape: of what the critic sees.
        one_hot: makes ones among zeros of kinds in the observation; None where the settings name none.
        obs: (r, *shape), what the actor sees, float32 or bytes.
        critic_obs: (r, *critic_shape), what the critic sees.
        mask: (r, choices) bool, which choices are allowed; None where all are.
        mask_at: index of the mask in the observation; None where there is none.
        infos: of the last step, as the environment gave them.
        all_valid: no action ever goes nowhere, see `Step.valid`.

    Raises:
        ValueError: an observation space that no network here takes.
    """

    def __init__(self, config: Config):
        card = envsuite.card(config.env_id)
        self.mode = AutoresetMode(config.autoreset)
        self.env: Any = self.make(card, config)
        self.action_space = self.env.single_action_space
        self.privileged = config.privileged
        self.agents, self.objectives = card.agents, len(card.objectives)
        self.count = config.num_envs * self.agents
        together = self.agents == 1 or self.env.world.loops.together
        self.all_valid = together and self.mode is not AutoresetMode.NEXT_STEP
        self.shape = self._given = _row_shape(self.env.single_observation_space)
        kinds = getattr(config, "kinds", ())
        self.one_hot = OneHot(self.env.world.observation, kinds) if kinds else None
        if self.one_hot:
            self.shape = (self.one_hot.size,)
        self._stages = sorted(config.stages, key=lambda stage: stage["step"])
        self._entered = 0
        self.was_done = np.zeros((config.num_envs, self.agents), np.bool_)
        observation, infos = self.env.reset(seed=config.seed)
        infos = self._infos(infos)
        if config.privileged and config.privileged not in infos:
            raise ValueError(
                f"privileged is {config.privileged!r}, expected one of {[name for name in infos if name[0] != '_']}"
            )
        self.infos: Mapping[str, Any] = infos
        self._masked = MASK in infos
        self.mask_at = self._find_mask() if self._masked else None
        self.obs, self.critic_obs, self.mask = self.read(observation, infos)
        self.critic_shape = tuple(self.critic_obs.shape[1:])

    def make(self, card: EnvCard, config: Config) -> Any:
        """The environments."""
        options = {"num_envs": config.num_envs, "autoreset_mode": self.mode, **config.env_options}
        return (envsuite.parallel_vec if card.agents > 1 else gymnasium.make_vec)(card.id, **options)

    def _find_mask(self) -> int:
        blocks = [block.name for block in getattr(self.env.world.observation, "blocks", ())]
        if MASK not in blocks or len(self.shape) != 1:
            raise ValueError(
                f"info has an {MASK!r}, but the observation has no block of this name (it has {blocks}): a policy file "
                "sees observations alone and could not know what is allowed"
            )
        return self.env.world.observation.offset(MASK)

    def read(self, observation: Any, infos: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """What actor and critic see of (n, [a,] *O), and what is allowed."""
        obs = self._tensor(observation).reshape(-1, *self._given)
        if self.one_hot:
            obs = self.one_hot(obs)
        obs = obs.float() if len(self.shape) == 1 else obs
        critic_obs, mask = obs, None
        if self.privileged:
            critic_obs = self._tensor(infos[self.privileged]).reshape(len(obs), -1).float()
        if self._masked:
            mask = self._tensor(infos[MASK]).reshape(len(obs), -1) != 0
        return obs, critic_obs, mask

    def _tensor(self, array: Any) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(array))

    def _infos(self, given: Any) -> Mapping[str, Any]:
        return given

    def enter_stages(self, steps: int) -> bool:
        """Apply what the curriculum has due by now; whether anything was.

        Args:
            steps: environment steps so far.
        """
        before = self._entered
        while self._entered < len(self._stages) and steps >= self._stages[self._entered]["step"]:
            for method, value in self._stages[self._entered].items():
                if method != "step":
                    getattr(self.env.world, method)(value)
            self._entered += 1
        return self._entered > before

    def step(self, actions: torch.Tensor) -> Step:
        """Play actions (r, A) and go on to the next observations."""
        observation, reward, terminated, truncated, infos = self.env.step(
            actions.reshape(self.env.action_space.shape).numpy()
        )
        self.infos = infos
        shape = self.was_done.shape
        done = (terminated | truncated).reshape(shape)
        ended, valid = done.all(axis=1), ~self.was_done
        episode_start = ended
        if self.mode is AutoresetMode.NEXT_STEP:
            episode_start = self.was_done.all(axis=1)
            self.was_done = done
        else:
            self.was_done = done & ~ended[:, np.newaxis]
        final_rows = after = self.read(observation, infos)
        if ended.any() and self.mode is AutoresetMode.SAME_STEP:
            last = infos["final_info"]
            keys = [key for key in (self.privileged, MASK) if key in last]
            final_rows = self._with(after, ended, infos["final_obs_dense"], {key: last[key][ended] for key in keys})
        elif ended.any() and self.mode is AutoresetMode.DISABLED:
            after = self.read(*self.env.reset(options={"reset_mask": ended}))
        self.obs, self.critic_obs, self.mask = after
        flags = (terminated, done, valid, np.repeat(episode_start, self.agents))
        rewards = torch.from_numpy(reward).float().reshape((self.count, *[self.objectives] * bool(self.objectives)))
        return Step(rewards, *(torch.from_numpy(np.ascontiguousarray(flag)).reshape(-1) for flag in flags), *final_rows)

    def _with(self, rows: Any, where: np.ndarray, observations: np.ndarray, infos: dict[str, np.ndarray]) -> Any:
        """Rows with those of some instances replaced."""
        index = torch.from_numpy(np.repeat(where, self.agents))
        replaced = []
        for old, new in zip(rows, self.read(observations, infos), strict=True):
            if old is not None:
                old = old.clone()
                old[index] = new
            replaced.append(old)
        if not self.privileged:
            replaced[1] = replaced[0]
        return replaced

    def state_dict(self) -> dict[str, Any]:
        """The moment, to the bit."""
        snapshot = self.env.get_state()
        return {
            "states": torch.from_numpy(np.ascontiguousarray(snapshot.states).view(np.uint8).reshape(-1).copy()),
            "observations": torch.from_numpy(snapshot.observations),
            "done": torch.from_numpy(snapshot.done),
            "was_done": torch.from_numpy(self.was_done),
            "rows": [self.obs, self.critic_obs, self.mask],
            "entered": self._entered,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Return to a moment, its stage of the curriculum included."""
        while self._entered < state["entered"]:
            self.enter_stages(self._stages[self._entered]["step"])
        kind = self.env.batch.states.dtype
        states = state["states"].numpy().view(kind).reshape(-1).copy()
        self.env.set_state(Snapshot(states, state["observations"].numpy(), state["done"].numpy()))
        self.was_done = state["was_done"].numpy().copy()
        self.obs, self.critic_obs, self.mask = state["rows"]


def _row_shape(space: gymnasium.Space) -> tuple[int, ...]:
    if isinstance(space, gymnasium.spaces.Box):
        if space.dtype == np.uint8 and len(space.shape) == 3:
            return space.shape
        return (int(np.prod(space.shape)),)
    raise ValueError(f"observation space {space} is not supported, expected Box")
