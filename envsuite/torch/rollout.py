"""Steps of many instances as tensors: what a policy saw, did and earned."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch

from envsuite.core.world import World, lead_shape
from envsuite.torch.infos import Infos
from envsuite.torch.perceptron import Perceptron

Policy = Callable[[torch.Tensor], Any]
"""From observations (n, [a,] *O) to actions (n, [a,] *A), or to actions and a dictionary of tensors to be kept."""


@dataclass(frozen=True)
class Rollout:
    """T steps of n instances; a agents, k objectives, as in the environment's own arrays.

    Attributes:
        observations: (T, n, [a,] *O), what was acted on.
        actions: (T, n, [a,] *A).
        rewards: (T, n, [a,] [k]).
        terminated: (T, n, [a]) bool.
        truncated: (T, n, [a]) bool.
        valid: (T, n, [a]) bool, False for agents that had ended before and waited for the others.
        last_observations: (n, [a,] *O), after the last step.
        ends: (E, 2) int64, step and instance of each end of an episode.
        final_observations: (E, [a,] *O), what these steps led to, before new episodes began.
        final_infos: (E, [a,] ...) by name, the metrics of these steps.
        masks: (T, n, [a,] choices) bool, which choices were allowed; None where all are.
        extras: (T, ...) by name, what the policy gave besides actions.
    """

    observations: torch.Tensor
    actions: torch.Tensor
    rewards: torch.Tensor
    terminated: torch.Tensor
    truncated: torch.Tensor
    valid: torch.Tensor
    last_observations: torch.Tensor
    ends: torch.Tensor
    final_observations: torch.Tensor
    final_infos: dict[str, torch.Tensor] = field(default_factory=dict)
    masks: torch.Tensor | None = None
    extras: dict[str, torch.Tensor] = field(default_factory=dict)

    def next_observations(self) -> torch.Tensor:
        """(T, n, [a,] *O), what each step led to, also where a new episode has begun since."""
        after = torch.cat([self.observations[1:], self.last_observations.unsqueeze(0)])
        after[self.ends[:, 0], self.ends[:, 1]] = self.final_observations
        return after


class Finals(NamedTuple):
    """How episodes ended in one step.

    Attributes:
        instances: (E,) int64, ascending.
        observations: (E, [a,] *O), the last ones.
        infos: (E, [a,] ...) by name, likewise.
    """

    instances: torch.Tensor
    observations: torch.Tensor
    infos: Mapping[str, torch.Tensor]


class Rollouts:
    """What batches of tensors on all devices share.

    Attributes:
        observations: (n, [a,] *O), of now.
        action_mask: (n, [a,] choices) bool, which choices are allowed now; None where all are.
        waiting: (n, [a]) bool, agents that have ended in an episode that goes on.
        reuse: a rollout is written over the last one of as many steps.
    """

    num_envs: int
    world: World
    reuse: bool
    _kept: Sequence[torch.Tensor] = (torch.empty(0),)
    observations: Any
    action_mask: torch.Tensor | None
    waiting: torch.Tensor

    def _storage(self, steps: int, first: torch.Tensor) -> Sequence[torch.Tensor]:
        """Memory of a rollout: new, or that of the last one where it may be overwritten."""
        if not self.reuse or len(self._kept[0]) != steps + 1:
            world, lead = self.world, (steps, *lead_shape(self.world, self.num_envs))
            actions, rewards = (getattr(torch, one.dtype.__name__) for one in (world.action, world.reward))
            self._kept = [
                first.new_empty((steps + 1, *first.shape)),
                first.new_empty((*lead, *world.action.shape), dtype=actions),
                first.new_empty((*lead, *world.reward.shape), dtype=rewards),
                *(first.new_empty(lead, dtype=torch.bool) for _ in range(3)),
            ]
        return self._kept

    def finals(self) -> Finals:
        """How episodes ended in the last step."""
        raise NotImplementedError

    def places(self, storage: Sequence[torch.Tensor]) -> Iterable[Any]:
        """Where the steps of a rollout are written: observations, rewards, terminations, truncations of each."""
        observations, _, *rest = storage
        return zip(observations[1:], *rest[:3], strict=True)

    def play(self, actions: Any, place: Any) -> None:
        """Take a step and write it into a place."""
        raise NotImplementedError

    def seen(self) -> torch.Tensor:
        """(n, [a,] *O), of now, as the device has it."""
        raise NotImplementedError

    def fused(self, policy: Perceptron, steps: int) -> Rollout | None:
        """A rollout without Python between its steps; None where there is no such thing."""
        return None

    def next_observations(self) -> torch.Tensor:
        """(n, [a,] *O), what the last step led to, also where a new episode has begun since."""
        ended = self.finals()
        if not len(ended.instances):
            return self.seen()
        after = self.seen().clone()
        after[ended.instances] = ended.observations
        return after

    @torch.no_grad()
    def rollout(self, policy: Policy, steps: int) -> Rollout:
        """Play from the present moment on; call `reset` before the first one.

        Args:
            policy: from observations to actions, or to actions and a dictionary of tensors that are kept as `extras`;
                `action_mask` has what is allowed. A `envsuite.torch.Perceptron` is played by compiled code where the
                world allows it.
            steps: T, at least 1.

        Returns:
            Tensors that belong to the caller, unless the batch was made with ``copy=False``, which writes over them in
            the next rollout and saves what fresh memory costs. On the CPU kernels write observations, rewards and flags
            there.

        Raises:
            ValueError: fewer than one step.
            gymnasium.error.ResetNeeded: no episode has begun.
        """
        if steps < 1:
            raise ValueError(f"steps is {steps}, expected at least 1")
        first = self.seen()
        if isinstance(policy, Perceptron) and (fused := self.fused(policy, steps)):
            return fused
        observations, played, rewards, terminated, truncated, valid = storage = self._storage(steps, first)
        observations[0] = first
        valid[0] = ~self.waiting
        masks, extras, ends = [], [], []
        for k, (seen, given, place) in enumerate(zip(observations[:-1], played, self.places(storage), strict=True)):
            if self.action_mask is not None:
                masks.append(self.action_mask)
            chosen = policy(seen)
            actions, more = chosen if isinstance(chosen, tuple) else (chosen, {})
            self.play(actions, place)
            given.copy_(torch.as_tensor(actions))
            extras.append(more)
            ended = self.finals()
            if len(ended.instances):
                ends.append((k, ended))
        over = (terminated | truncated)[:-1]
        whole = over.all(-1, keepdim=True) if over.ndim > 2 else over
        torch.logical_not(over & ~whole, out=valid[1:])
        return Rollout(
            observations[:-1],
            played,
            rewards,
            terminated,
            truncated,
            valid,
            observations[-1].clone(),  # the batch goes on from its own
            *_together(ends, first),
            torch.stack(masks) if masks else None,
            {name: torch.stack([one[name] for one in extras]) for name in extras[0]},
        )


def _together(
    ends: list[tuple[int, Finals]], like: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, dict[str, torch.Tensor]]:
    """Steps and instances of all ends, their observations and their metrics."""
    if not ends:
        return like.new_empty((0, 2), dtype=torch.int64), like.new_empty((0, *like.shape[1:])), {}
    steps = torch.tensor([k for k, _ in ends], device=like.device)
    counts = torch.tensor([len(one.instances) for _, one in ends], device=like.device)
    instances = torch.cat([one.instances for _, one in ends])
    return (
        torch.stack([steps.repeat_interleave(counts), instances], dim=1),
        torch.cat([one.observations for _, one in ends]),
        Infos.join([one.infos for _, one in ends]),
    )
