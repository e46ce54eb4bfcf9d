"""Rows of experience that stay on a GPU: the environments run there, and their arrays become tensors there."""

from typing import Any

import numpy as np
import torch
from config import Config
from gymnasium.vector import AutoresetMode
from rows import Rows, Step

from envsuite.cards import EnvCard
from envsuite.core.batch import Snapshot
from envsuite.core.cuda import CudaVectorEnv
from envsuite.core.world import lead_shape
from envsuite.torch.infos import Infos, device_tensor


def tensor(array: Any) -> torch.Tensor:
    """A copy of a device array where it lies; the next step overwrites the array."""
    return device_tensor(array).clone()


class CudaRows(Rows):
    """The rows of `rows.Rows`, with `envsuite.core.cuda.CudaVectorEnv`.

    Raises:
        ValueError: the autoreset mode ``"Disabled"``, or a world that does not run there.
    """

    def __init__(self, config: Config):
        super().__init__(config)
        self.was_done = torch.zeros(config.num_envs, self.agents, dtype=torch.bool)

    def make(self, card: EnvCard, config: Config) -> CudaVectorEnv:
        """The environments on the GPU."""
        options = {"max_episode_steps": card.horizon, **card.options, **config.env_options}
        return CudaVectorEnv(card.world, config.num_envs, autoreset_mode=config.autoreset, **options)

    def enter_stages(self, steps: int) -> bool:
        """See `Rows`; the GPU is told."""
        entered = super().enter_stages(steps)
        if entered:
            self.env.update_params()
        return entered

    def step(self, actions: torch.Tensor) -> Step:
        """Play actions (r, A) and go on to the next observations."""
        world, count = self.env.world, self.env.num_envs
        given = actions.reshape(lead_shape(world, count) + world.action.shape).contiguous()
        observation, reward, terminated, truncated, records = self.env.step(given if given.is_cuda else given.numpy())
        self.infos = Infos(records, world.info_dtype)
        terminated = tensor(terminated).reshape(count, self.agents)
        done = terminated | tensor(truncated).reshape(count, self.agents)
        ended, valid = done.all(1), ~self.was_done
        final_rows = after = self.read(observation, self.infos)
        if self.mode is AutoresetMode.NEXT_STEP:
            episode_start, self.was_done = self.was_done.all(1), done
        else:
            episode_start, self.was_done = ended, done & ~ended.unsqueeze(1)
            final_rows = self._before_reset(after, ended.repeat_interleave(self.agents))
        self.obs, self.critic_obs, self.mask = after
        flags = (terminated, done, valid, episode_start.repeat_interleave(self.agents))
        rewards = tensor(reward).float().reshape((self.count, *[self.objectives] * bool(self.objectives)))
        return Step(rewards, *(flag.reshape(-1) for flag in flags), *final_rows)

    def _before_reset(self, after: Any, ended: torch.Tensor) -> Any:
        """What actor and critic see, and what is allowed, with the last of episodes that have `ended` (r,)."""
        env = self.env
        last = self.read(env.final_observations, Infos(env.final_info, env.world.info_dtype))
        found = []
        for old, new in zip(after, last, strict=True):
            where = None if old is None else ended.reshape(-1, *[1] * (old.ndim - 1))
            found.append(None if old is None else torch.where(where, new, old))
        return found

    def _tensor(self, array: Any) -> torch.Tensor:
        return array if isinstance(array, torch.Tensor) else tensor(array)

    def _infos(self, given: Any) -> Infos:
        return Infos(given, self.env.world.info_dtype)

    def state_dict(self) -> dict[str, Any]:
        """The moment, to the bit."""
        snapshot = self.env.get_state()
        return {
            "states": torch.tensor(np.ascontiguousarray(snapshot.states).view(np.uint8).reshape(-1), device="cpu"),
            "observations": torch.tensor(snapshot.observations, device="cpu"),
            "was_done": self.was_done,
            "rows": [self.obs, self.critic_obs, self.mask],
            "entered": self._entered,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Return to a moment, its stage of the curriculum included."""
        while self._entered < state["entered"]:
            self.enter_stages(self._stages[self._entered]["step"])
        states = state["states"].cpu().numpy().view(self.env.world.state_dtype).reshape(-1).copy()
        self.env.set_state(Snapshot(states, state["observations"].cpu().numpy(), states["clock"]["done"] != 0))
        self.was_done = state["was_done"]
        self.obs, self.critic_obs, self.mask = state["rows"]
