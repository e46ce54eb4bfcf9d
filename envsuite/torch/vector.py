"""The batch on the CPU whose arrays are tensors that share its memory."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode

from envsuite.core.batch import Output, Snapshot
from envsuite.core.fused import FusedRollout, obstacle_of
from envsuite.core.jit import records
from envsuite.core.parallel import space_of
from envsuite.core.vector import BatchFrontEnd
from envsuite.core.world import World, ended_agents
from envsuite.torch.infos import Infos
from envsuite.torch.perceptron import Perceptron
from envsuite.torch.rollout import Finals, Rollout, Rollouts

MASK = "action_mask"
"""Name of the info that says which choices are allowed."""


class TorchVectorEnv(Rollouts, BatchFrontEnd):
    """Many instances of a world over tensors on the CPU; see `BatchFrontEnd` for the arguments.

    Tensors share the memory of the arrays that kernels write, and actions are read where they lie: tensors, or whatever
    speaks DLPack. New episodes begin within the step that ends the old ones; `finals` and `next_observations` have what
    was seen last. With several agents all arrays have their axis, as in `envsuite.core.parallel.VectorParallelEnv`.

    Attributes:
        single_observation_space: what one agent sees.
        single_action_space: what one agent may do.
        observations: (n, [a,] *O), of now.
        action_mask: (n, [a,] choices) bool, which choices are allowed now; None where all are.
        waiting: (n, [a]) bool, agents that have ended in an episode that goes on.
        reuse: steps and rollouts are written over the last ones (``copy=False``).
    """

    def __init__(self, world: str | World, num_envs: int = 1, *, copy: bool = True, **arguments: Any):
        super().__init__(world, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, copy=copy, **arguments)
        self.reuse = not copy
        self.single_observation_space = space_of(self.world, self.obs_type)
        self.single_action_space = self.world.action.space()
        self._masked = MASK in self._info_names
        self._ended: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        self.waiting = torch.zeros(self.batch.last.terminated.shape, dtype=torch.bool)
        self.observations = torch.empty(0)
        self._fused: FusedRollout | None = None
        self.action_mask = None

    def reset(self, *, seed: int | Sequence[int | None] | None = None) -> tuple[torch.Tensor, Infos]:
        """Begin an episode in every instance.

        Args:
            seed: instance ``i`` gets ``seed + i``, or its own of a list.

        Returns:
            Observations (n, [a,] *O) and infos.
        """
        output, _ = self._reset_arrays(seed, None, 0 if self.batch.seeded else seeding.np_random()[1])
        self._ended = None
        self.waiting = torch.zeros(output.terminated.shape, dtype=torch.bool)
        self._look(output)
        return self.observations, Infos(output.info, self.world.info_dtype)

    def step(self, actions: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, Infos]:
        """Take a step in every instance.

        Args:
            actions: (n, [a,] *A), a tensor on the CPU or whatever speaks DLPack.

        Returns:
            Observations (n, [a,] *O), rewards (n, [a,] [k]), terminations and truncations (n, [a]), infos.

        Raises:
            ValueError: a malformed action, by name and index.
            gymnasium.error.ResetNeeded: no episode has begun.
        """
        output = self._advance(actions)
        arrays = (output.rewards, output.terminated, output.truncated)
        rewards, terminated, truncated = map(torch.from_numpy, arrays)
        return self.observations, rewards, terminated, truncated, Infos(output.info, self.world.info_dtype)

    def places(self, storage: Sequence[torch.Tensor]) -> Iterable[Any]:
        """See `Rollouts.places`; arrays on the same memory, which are cut into steps in less time."""
        return super().places([one.numpy() for one in storage])

    def play(self, actions: Any, place: tuple[np.ndarray, ...]) -> None:
        """See `Rollouts.play`."""
        observations, *rest = place
        drawn = self.obs_type != "state"
        first = np.empty_like(self.batch.last.observations) if drawn else observations
        self._advance(actions, Output(first, *rest, records(np.empty_like(self.batch.last.info))))
        if drawn:
            observations[:] = self.observations.numpy()

    def _advance(self, actions: Any, into: Output | None = None) -> Output:
        checked = self._check(_host(actions))
        if self.batch.done.any():
            raise ResetNeeded("no episode has begun: call reset() before step()")
        output = self.batch.step(checked, into=into)
        over = torch.from_numpy(output.terminated | output.truncated)
        self._ended = None
        if self.batch.done.any():
            done = self.batch.done
            where = np.flatnonzero(done)
            rows = output.observations[where] if self.obs_type == "state" else self._pixels(where)
            self._ended = where, rows, output.info[where]
            over = over & ~torch.from_numpy(done).reshape(-1, *[1] * (over.ndim - 1))
            self.batch.restart_ended()
        self.waiting = over
        self._look(output)
        return output

    def _look(self, output: Output) -> None:
        self.observations = torch.from_numpy(self._observed(output))
        if self._masked:
            self.action_mask = torch.from_numpy(output.info[MASK] != 0)

    def fused(self, policy: Perceptron, steps: int) -> Rollout | None:
        """See `Rollouts.fused`."""
        if self.obs_type != "state" or obstacle_of(self.world):
            return None
        if self._fused is None:
            self._fused = FusedRollout(self.batch, self.reuse)
        played = self._fused.play(policy.compiled(), policy.draw_noise(steps, self.num_envs).numpy())
        self.waiting = torch.zeros(self.num_envs, dtype=torch.bool)
        last = played.ends[:, 0] == steps - 1
        self._ended = played.ends[last, 1], played.final_observations[last], played.final_infos[last]
        self._look(self.batch.last)
        arrays = (played.actions, played.rewards, played.terminated, played.truncated)
        observations, ends = torch.from_numpy(played.observations), torch.from_numpy(played.ends)
        extras = {"log_prob": played.log_probs, "raw_action": played.raw_actions}
        return Rollout(
            observations[:-1],
            *map(torch.from_numpy, arrays),
            torch.ones(played.terminated.shape, dtype=torch.bool),
            observations[-1].clone(),
            ends,
            torch.from_numpy(played.final_observations),
            dict(Infos(played.final_infos, self.world.info_dtype)) if len(ends) else {},
            None,
            {name: torch.from_numpy(array) for name, array in extras.items()},
        )

    def seen(self) -> torch.Tensor:
        """See `Rollouts.seen`.

        Raises:
            gymnasium.error.ResetNeeded: no episode has begun.
        """
        if not self.batch.seeded:
            raise ResetNeeded("no episode has begun: call reset() before rollout()")
        return self.observations

    def finals(self) -> Finals:
        """How episodes ended in the last step."""
        if self._ended is None:
            return Finals(torch.zeros(0, dtype=torch.int64), self.observations[:0], {})
        where, rows, info = self._ended
        return Finals(torch.from_numpy(where), torch.from_numpy(rows), Infos(info, self.world.info_dtype))

    def set_state(self, snapshot: Snapshot) -> torch.Tensor:  # ty: ignore[incompatible-method-override]
        """Return to a moment taken with `get_state`.

        Returns:
            The observations of that moment.
        """
        super().set_state(snapshot)
        self._ended = None
        if self.world.agents:
            over = np.stack([ended_agents(self.world, state) for state in self.batch.states])
            self.waiting = torch.from_numpy(over & ~self.batch.done[:, np.newaxis])
        self._look(self.batch.last)
        return self.observations

    def close(self) -> None:
        """Stop the threads."""
        self._release()


def _host(actions: Any) -> Any:
    """Actions where NumPy can read them, without a copy."""
    if isinstance(actions, torch.Tensor):
        if actions.device.type != "cpu":
            raise ValueError(f"actions are on {actions.device}, expected cpu: make the batch with device='cuda'")
        return actions.detach().numpy()
    if hasattr(actions, "__dlpack__") and not isinstance(actions, np.ndarray):
        return np.from_dlpack(actions)
    return actions
