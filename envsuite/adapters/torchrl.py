"""Environments for TorchRL: its ``EnvBase`` over our batches, with composite specs, masks and groups of agents."""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode

import envsuite

try:
    import torch
    from tensordict import TensorDict, TensorDictBase  # ty: ignore[import-not-found]
    from torchrl.data import (  # ty: ignore[import-not-found]
        Bounded,
        Categorical,
        Composite,
        MultiCategorical,
        TensorSpec,
        Unbounded,
    )
    from torchrl.envs import EnvBase  # ty: ignore[import-not-found]
except ModuleNotFoundError as error:
    message = 'torchrl is not installed: pip install "envsuite[torchrl]"'
    raise ModuleNotFoundError(message, name="torchrl") from error

MASK = "action_mask"
_FLAGS = ("done", "terminated", "truncated")


class TorchRLEnv(EnvBase):
    """Many instances of an environment as one TorchRL environment of batch size (num_envs,).

    Its keys are those of TorchRL's own wrappers. For one agent ``observation`` (``pixels`` where those are asked for),
    ``action``, ``reward`` (n, 1 or objectives) and flags (n, 1). For several, groups of agents: ``(group,
    "observation")`` (n, agents of the group, ...) and so on, with flags of each agent and of the whole episode. Where
    choices are masked, ``action_mask`` stands beside the observation and random actions heed it; an agent whose turn it
    is not may choose anything there, which counts for nothing. Tensors share the memory of the batch's arrays.

    Args:
        env_id: as for `envsuite.card`.
        num_envs: number of instances.
        group_map: agents' names by group; by default those that differ in their number only are one (``drone_0``,
            ``drone_1``).
        seed: of the first reset: instance ``i`` gets ``seed + i``; None draws one.
        **options: see `envsuite.core.vector.BatchFrontEnd`, and the environment's own.

    Attributes:
        env: the batch underneath.
        group_map: agents' names by group; empty for one agent.

    Raises:
        ValueError: groups that do not have each agent once.
    """

    def __init__(
        self,
        env_id: str,
        num_envs: int = 1,
        *,
        group_map: Mapping[str, Sequence[str]] | None = None,
        seed: int | None = None,
        **options: Any,
    ):
        card = envsuite.card(env_id)
        super().__init__(device="cpu", batch_size=[num_envs])
        several = card.agents > 1
        options |= {"autoreset_mode": AutoresetMode.DISABLED}
        self.env: Any = (envsuite.parallel_vec if several else gymnasium.make_vec)(card.id, num_envs, **options)
        names = list(self.env.world.agents)
        self.group_map = _groups(names, group_map) if several else {}
        self._index = {group: [names.index(one) for one in members] for group, members in self.group_map.items()}
        self._seen = "observation" if self.env.obs_type == "state" else "pixels"
        self._next_seed = seeding.np_random()[1] if seed is None else seed
        self._reseed = True
        self._make_specs(self._choices())

    def _choices(self) -> int:
        """How many choices masks speak of, 0 without masks."""
        kind = self.env.world.info_dtype
        return int(kind[MASK].shape[0]) if MASK in (kind.names or ()) else 0

    def _make_specs(self, choices: int) -> None:
        n, world = self.num_envs, self.env.world
        observation, action = self.env.single_observation_space, self.env.single_action_space
        components = max(1, len(world.reward.objectives))
        parts = {group: (n, len(index)) for group, index in self._index.items()} or {"": (n,)}
        flags = {name: Categorical(2, shape=(n, 1), dtype=torch.bool) for name in _FLAGS}
        made: dict[str, Composite] = {
            kind: Composite(shape=(n,)) for kind in ("observation", "action", "reward", "done")
        }
        made["done"].update(flags)
        for group, lead in parts.items():
            seen = {self._seen: _spec(observation, lead)}
            if choices:
                seen[MASK] = Categorical(2, shape=(*lead, choices), dtype=torch.bool)
            reward = Unbounded((*lead, components), dtype=getattr(torch, world.reward.dtype.__name__))
            entries = {"observation": seen, "action": {"action": _spec(action, lead)}, "reward": {"reward": reward}}
            if group:
                entries["done"] = {name: Categorical(2, shape=(*lead, 1), dtype=torch.bool) for name in _FLAGS}
            for kind, specs in entries.items():
                made[kind].update({group: Composite(specs, shape=lead)} if group else specs)
        self.observation_spec, self.action_spec = made["observation"], made["action"]
        self.reward_spec, self.done_spec = made["reward"], made["done"]

    @property
    def num_envs(self) -> int:
        """Number of instances."""
        return self.batch_size[0]

    def _reset(self, tensordict: "TensorDictBase | None", **kwargs: Any) -> TensorDictBase:
        mask = None if tensordict is None else tensordict.get("_reset", None)
        chosen = None if mask is None else mask.reshape(self.num_envs, -1).any(1).numpy()
        if chosen is None or chosen.all():
            observations, infos = self.env.reset(seed=self._next_seed if self._reseed else None)
            self._reseed = False
        else:  # a new seed waits for a reset of all
            observations, infos = self.env.reset(options={"reset_mask": chosen})
        out = self._tensordict(observations, infos)
        out.update(self.full_done_spec.zero())
        return out

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        observations, rewards, terminated, truncated, infos = self.env.step(self._actions(tensordict))
        out = self._tensordict(observations, infos)
        self._put(out, "reward", _column(rewards, bool(self.env.world.reward.objectives)))
        flags = {"done": terminated | truncated, "terminated": terminated, "truncated": truncated}
        if self.group_map:
            over = flags["done"].all(1)
            every = terminated.all(1)
            cut = truncated.all(1) | (over & ~every)  # as the joint view has it
            for name, value in zip(_FLAGS, (over, every, cut), strict=True):
                out.set(name, _column(value))
            for name, value in flags.items():
                self._put(out, name, _column(value))
        else:
            for name, value in flags.items():
                out.set(name, _column(value))
        return out

    def _actions(self, tensordict: TensorDictBase) -> np.ndarray:
        if not self.group_map:
            return tensordict.get("action").numpy()
        groups = self._index.items()
        if len(self._index) == 1:
            ((group, index),) = groups
            if index == sorted(index):
                return tensordict.get((group, "action")).numpy()
        layout = self.env.world.action
        joint = np.empty((self.num_envs, len(self.env.world.agents), *layout.shape), layout.dtype)
        for group, index in groups:
            joint[:, index] = tensordict.get((group, "action")).numpy()
        return joint

    def _tensordict(self, observations: np.ndarray, infos: dict[str, Any]) -> TensorDict:
        out = TensorDict({}, batch_size=self.batch_size)
        for group, index in self._index.items():
            out.set(group, TensorDict({}, batch_size=(self.num_envs, len(index))))
        self._put(out, self._seen, torch.from_numpy(observations))
        if MASK in infos:
            mask = torch.from_numpy(infos[MASK] != 0)
            mask |= ~mask.any(-1, keepdim=True)
            self._put(out, MASK, mask)
            for group, index in self._index.items() or ((None, None),):
                spec = self.full_action_spec[(group, "action") if group else "action"]
                spec.update_mask(mask[:, index] if group else mask)
        return out

    def _put(self, out: TensorDict, name: str, values: torch.Tensor) -> None:
        """Set an entry of each group, or of the only agent."""
        if not self._index:
            out.set(name, values)
        whole = len(self._index) == 1
        for group, index in self._index.items():
            out.set((group, name), values if whole and index == sorted(index) else values[:, index])

    def _set_seed(self, seed: int | None) -> None:
        self._next_seed, self._reseed = seeding.np_random()[1] if seed is None else seed, True

    def close(self, **kwargs: Any) -> None:
        """Stop the threads."""
        super().close(**kwargs)
        self.env.close()


def _column(values: np.ndarray, components: bool = False) -> torch.Tensor:
    """With a last axis of one, as TorchRL has rewards and flags, unless there are components already."""
    tensor = torch.from_numpy(np.ascontiguousarray(values))
    return tensor if components else tensor.unsqueeze(-1)


def _groups(agents: list[str], given: Mapping[str, Sequence[str]] | None) -> dict[str, list[str]]:
    if given is None:
        found: dict[str, list[str]] = {}
        for agent in agents:
            found.setdefault(agent.rpartition("_")[0] or agent, []).append(agent)
        return found
    found = {group: list(members) for group, members in given.items()}
    if sorted(one for members in found.values() for one in members) != sorted(agents):
        raise ValueError(f"group_map is {found}, expected each agent once: {agents[:9]}")
    return found


def _spec(space: gymnasium.Space, lead: tuple[int, ...]) -> TensorSpec:
    """A space, once for each agent of each instance."""
    match space:
        case spaces.Box():
            shape, kind = (*lead, *space.shape), getattr(torch, space.dtype.name)
            if not (np.isfinite(space.low).all() and np.isfinite(space.high).all()):
                return Unbounded(shape, dtype=kind)
            low, high = (torch.from_numpy(one).expand(shape) for one in (space.low, space.high))
            return Bounded(low, high, shape, dtype=kind)
        case spaces.Discrete():
            return Categorical(int(space.n), shape=lead, dtype=torch.int64)
        case spaces.MultiDiscrete():
            return MultiCategorical(space.nvec.tolist(), shape=(*lead, *space.nvec.shape), dtype=torch.int64)
    raise ValueError(f"{space} is no space that a spec is made of")
