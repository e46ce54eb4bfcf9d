"""The batch on a GPU whose device arrays are tensors."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from gymnasium.vector import AutoresetMode

from envsuite.core.batch import Snapshot
from envsuite.core.cuda import CudaVectorEnv
from envsuite.core.world import World, ended_agents
from envsuite.torch.infos import Infos, device_tensor
from envsuite.torch.rollout import Finals, Rollouts
from envsuite.torch.vector import MASK


class TorchCudaEnv(Rollouts):
    """Many instances of a world over tensors on a GPU, with the methods of `envsuite.torch.TorchVectorEnv`.

    Kernels and tensors use the device's default stream, so that none has to wait for the other.

    Args:
        world: ``"module:Class"`` or a `World`.
        num_envs: number of instances.
        max_episode_steps: length limit; None for no limit.
        copy: give out fresh tensors every step; False shares the device's arrays, which the next step overwrites, and
            writes rollouts over the last ones.
        **options: options of the world.

    Attributes:
        env: the `CudaVectorEnv` underneath.
        single_observation_space: what one agent sees.
        single_action_space: what one agent may do.
        observations: (n, [a,] *O), of now.
        action_mask: (n, [a,] choices) bool, which choices are allowed now; None where all are.
        waiting: (n, [a]) bool, agents that have ended in an episode that goes on.
        reuse: see `TorchVectorEnv`.
    """

    def __init__(
        self,
        world: str | World,
        num_envs: int = 1,
        *,
        max_episode_steps: int | None = None,
        copy: bool = True,
        **options: Any,
    ):
        mode = AutoresetMode.SAME_STEP
        self.env = CudaVectorEnv(world, num_envs, max_episode_steps=max_episode_steps, autoreset_mode=mode, **options)
        self.world, self.num_envs, self.reuse = self.env.world, num_envs, not copy
        self.single_observation_space = self.env.single_observation_space
        self.single_action_space = self.env.single_action_space
        self._look(torch.zeros_like(self._tensor(self.env.terminated)))

    def _tensor(self, array: Any) -> torch.Tensor:
        shared = device_tensor(array)
        return shared if self.reuse else shared.clone()

    def _look(self, over: torch.Tensor) -> None:
        """Take over what the last call wrote; `over` (n, [a]), who has ended."""
        self._done = over if over.ndim == 1 else over.all(dim=1)
        self.waiting = over & ~self._done.reshape(-1, *[1] * (over.ndim - 1))
        self.observations = self._tensor(self.env.observations)
        self.action_mask = None
        if MASK in (self.world.info_dtype.names or ()):
            self.action_mask = self._infos(self.env.info)[MASK] != 0

    def _infos(self, info: Any) -> Infos:
        return Infos(info, self.world.info_dtype)

    def reset(self, *, seed: int | Sequence[int] | None = None) -> tuple[torch.Tensor, Infos]:
        """Begin an episode in every instance; see `TorchVectorEnv.reset`.

        Raises:
            ValueError: an action since the last reset was nan, infinite, or out of range where that is refused.
        """
        _, info = self.env.reset(seed=seed)
        self._look(torch.zeros_like(self.waiting))
        return self.observations, self._infos(info)

    def step(self, actions: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, Infos]:
        """Take a step in every instance; see `TorchVectorEnv.step`.

        Args:
            actions: (n, [a,] *A), a tensor on the GPU or whatever speaks DLPack there.

        Raises:
            ValueError: actions of another shape. Numbers out of range are noticed by `reset` and `close`.
            gymnasium.error.ResetNeeded: no episode has begun.
        """
        given = actions if isinstance(actions, torch.Tensor) else torch.from_dlpack(actions)
        given = given.detach().contiguous()
        _, *arrays, info = self.env.step(given if given.is_cuda else given.numpy())
        rewards, terminated, truncated = map(self._tensor, arrays)
        self._look(terminated | truncated)
        return self.observations, rewards, terminated, truncated, self._infos(info)

    def play(self, actions: Any, place: tuple[torch.Tensor, ...]) -> None:
        """See `Rollouts.play`."""
        for target, value in zip(place, self.step(actions)[:4], strict=True):
            target.copy_(value)

    def seen(self) -> torch.Tensor:
        """See `Rollouts.seen`."""
        return self.observations

    def finals(self) -> Finals:
        """How episodes ended in the last step; waits for the device."""
        where = self._done.nonzero().squeeze(1)
        infos = self._infos(self.env.final_info)
        told = {name: infos[name][where] for name in infos} if len(where) else {}
        return Finals(where, device_tensor(self.env.final_observations)[where], told)

    def get_state(self) -> Snapshot:
        """An exact copy of this moment, on the host."""
        return self.env.get_state()

    def set_state(self, snapshot: Snapshot) -> torch.Tensor:
        """Return to a moment taken with `get_state`.

        Returns:
            The observations of that moment.
        """
        self.env.set_state(snapshot)
        over = torch.zeros_like(self.waiting)
        if self.world.agents:
            ended = np.stack([ended_agents(self.world, state) for state in snapshot.states])
            over.copy_(torch.from_numpy(ended))
        self._look(over)
        return self.observations

    def close(self) -> None:
        """Check for invalid actions a last time."""
        self.env.close()
