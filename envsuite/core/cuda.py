"""Many instances of a world on a GPU: the same batch loops, one thread an instance, arrays that never leave the device.

Needs the extra ``cuda``; runs on Numba's simulator with ``NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1``. Results equal
the CPU's up to rounding (the GPU's compiler fuses multiplications and additions).
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from numba import config, cuda

from envsuite.core import rng
from envsuite.core.batch import Output, Snapshot, check_whole
from envsuite.core.frontend import check_choice
from envsuite.core.jit import records
from envsuite.core.layout import Vector
from envsuite.core.loops import seen_by
from envsuite.core.state import tell_seeds
from envsuite.core.world import World, allocate, lead_shape, make_world

_BLOCK = 128  # threads a block; instances do not share anything, so any multiple of a warp will do


class CudaVectorEnv:
    """Many instances of a world stepped on the GPU.

    Observations, rewards and flags are device arrays with ``__cuda_array_interface__``: ``torch.as_tensor(array,
    device="cuda")`` shares their memory. They are overwritten by the next step.

    Args:
        world: ``"module:Class"`` or a `World`.
        num_envs: number of instances.
        max_episode_steps: length limit; None for no limit.
        autoreset_mode: ``"NextStep"`` or ``"SameStep"`` (`gymnasium.vector.AutoresetMode`).
        **options: options of the world.

    Attributes:
        final_observations: device array (n, *O); rows of episodes that ended in the last step, in SameStep mode.
        final_info: device array (n,) or (n, a) of info records, likewise.
        stream: on which kernels run; 0 for the device's default stream. All arrays keep their places, so that a CUDA
            graph can record steps.
    """

    def __init__(
        self,
        world: str | World,
        num_envs: int,
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **options: Any,
    ):
        value = autoreset_mode.value if isinstance(autoreset_mode, AutoresetMode) else autoreset_mode
        check_choice("autoreset_mode", value, ["NextStep", "SameStep"])
        check_whole("num_envs", num_envs, 1)
        if max_episode_steps is not None:
            check_whole("max_episode_steps", max_episode_steps, 1, "or None for no limit")
        self.world = make_world(world, **options)
        self.num_envs = num_envs
        self.single_observation_space = self.world.observation.space()
        self.single_action_space = self.world.action.space()
        self._horizon = max_episode_steps or 0
        self._same_step = value == "SameStep"
        self._grid = (num_envs + _BLOCK - 1) // _BLOCK
        if self.world.loops.prepare is not None:
            named = type(self.world).__name__
            raise ValueError(f"{named} asks players on the processor before each step, expected none")
        self._begin, self._advance = launchers(self.world.loops.reset, self.world.loops.step)
        self._seeded = False
        self.stream: Any = 0
        host = Output.empty(self.world, num_envs)
        for array in (host.observations, host.rewards, host.terminated, host.truncated):
            array[...] = 0
        host.info[...] = np.zeros((), self.world.info_dtype)
        self._states = cuda.to_device(allocate(self.world, num_envs))
        self._params = cuda.to_device(records(self.world.params))
        self.observations = cuda.to_device(host.observations)
        self._seen = seen_by(self.world.loops, self.world.observation, self.observations)
        self.rewards = cuda.to_device(host.rewards)
        self.terminated = cuda.to_device(host.terminated)
        self.truncated = cuda.to_device(host.truncated)
        self.info = cuda.to_device(host.info)
        self.final_observations = cuda.to_device(host.observations)
        self.final_info = cuda.to_device(host.info)
        self._mask = cuda.to_device(np.zeros(num_envs, np.bool_))
        self._faults = cuda.to_device(np.zeros(1, np.int64))
        lead = lead_shape(self.world, num_envs)
        self._actions = cuda.to_device(np.zeros(lead + self.world.action.shape, self.world.action.dtype))
        low, high = (np.ascontiguousarray(x.reshape(-1)) for x in (self.world.action.low, self.world.action.high))
        self._low, self._high = cuda.to_device(low), cuda.to_device(high)
        discrete = not isinstance(self.world.action, Vector)
        self._refuse = discrete or self.world.action.out_of_range == "refuse"
        self._clip = self.world.action.out_of_range == "clip"

    def reset(self, *, seed: int | Sequence[int] | None = None):
        """Begin an episode in every instance.

        Args:
            seed: instance ``i`` gets ``seed + i``, or its own of a list.

        Returns:
            The device arrays of observations and info records.
        """
        self.raise_faults()
        if seed is not None or not self._seeded:
            first = seeding.np_random()[1] if seed is None else seed
            seeds = [first + i for i in range(self.num_envs)] if isinstance(first, int) else list(first)
            states = np.zeros(self.num_envs, self.world.state_dtype)
            rng.begin(states["rng"], seeds)
            tell_seeds(states, seeds)
            _overwrite(self._states, states)
            self._seeded = True
        self._mask.copy_to_device(np.ones(self.num_envs, np.bool_))
        self._begin[self._grid, _BLOCK, self.stream](self._states, self._params, self._mask, self._seen, self.info)
        return self.observations, self.info

    def step(self, actions):
        """Take a step in every instance.

        Args:
            actions: (n, [a,] *A) of the action's type: a device array, a torch tensor on the GPU (read where it
                is), or a NumPy array (copied to the device). Nan is noticed by `raise_faults`.

        Returns:
            Device arrays: observations, rewards, terminations, truncations, info records.
        """
        if not self._seeded:
            raise ResetNeeded("no episode has begun: call reset() before step()")
        if isinstance(actions, np.ndarray):
            given = cuda.to_device(np.ascontiguousarray(actions, self._actions.dtype))
        else:
            given = cuda.as_cuda_array(actions) if hasattr(actions, "__cuda_array_interface__") else actions
        if given.shape != self._actions.shape:
            raise ValueError(f"actions have shape {given.shape}, expected {self._actions.shape}")
        self._advance[self._grid, _BLOCK, self.stream](
            self._states,
            self._params,
            given.reshape(self.num_envs, -1),
            self._actions,
            self._actions.reshape(self.num_envs, -1),
            self._low,
            self._high,
            self._refuse,
            self._clip,
            self._mask,
            self._horizon,
            self._seen,
            self.observations.reshape(self.num_envs, -1),
            self.rewards,
            self.terminated,
            self.truncated,
            self.info,
            self.info.reshape(self.num_envs, -1),
            self.final_observations.reshape(self.num_envs, -1),
            self.final_info.reshape(self.num_envs, -1),
            self._same_step,
            self._faults,
        )
        return self.observations, self.rewards, self.terminated, self.truncated, self.info

    def update_params(self) -> None:
        """Take over what the world's methods have changed in its parameters since; the world's own are on the host."""
        _overwrite(self._params, self.world.params)

    def get_state(self) -> Snapshot:
        """An exact copy of this moment, on the host."""
        states = np.asarray(self._states.copy_to_host()).view(self.world.state_dtype)
        return Snapshot(states, self.observations.copy_to_host(), states["clock"]["done"] != 0)

    def set_state(self, snapshot: Snapshot) -> None:
        """Return to a moment.

        Args:
            snapshot: from `get_state`, of this world and number of instances.

        Raises:
            ValueError: another number of instances, or another world's records.
        """
        states = snapshot.states
        if states.shape != (self.num_envs,) or states.dtype != self.world.state_dtype:
            raise ValueError(
                f"snapshot holds {states.shape} records of {states.dtype.itemsize} bytes, "
                f"expected {(self.num_envs,)} of {self.world.state_dtype.itemsize}, of the same world"
            )
        _overwrite(self._states, states)
        self.observations.copy_to_device(np.ascontiguousarray(snapshot.observations))
        self._seeded = True

    def raise_faults(self) -> None:
        """Raise for invalid actions since the last call; waits for the device. `reset` and `close` call it.

        Raises:
            ValueError: an action was nan, infinite, or out of range where the world refuses that.
        """
        fault = int(self._faults.copy_to_host()[0])
        if fault:
            self._faults.copy_to_device(np.zeros(1, np.int64))
            raise ValueError(f"instance {fault - 1} got an action that is not finite or out of range")

    def close(self) -> None:
        """Check for faults a last time."""
        self.raise_faults()


def _overwrite(place: Any, content: np.ndarray) -> None:
    """Copy records to where others are on the device."""
    if config.ENABLE_CUDASIM:  # ty: ignore[missing-attribute]  # the simulator copies no records
        place[:] = records(content)
    else:
        place.copy_to_device(records(content))


@cache
def launchers(reset_batch: Any, step_batch: Any) -> tuple[Any, Any]:
    """The two entry points of a world's loops on the device, compiled once for all environments that have them."""

    @cuda.jit
    def begin(states, params, mask, observations, info):
        i = cuda.grid(1)  # ty: ignore[missing-argument]
        if i < states.shape[0]:
            reset_batch(states, params, mask, observations, info, i, i + 1)

    @cuda.jit
    def advance(
        states,
        params,
        given_rows,
        actions,
        action_rows,
        low,
        high,
        refuse,
        clip,
        mask,
        horizon,
        observations,
        observation_rows,
        rewards,
        terminated,
        truncated,
        info,
        info_rows,
        final_rows,
        final_info_rows,
        same_step,
        faults,
    ):
        i = cuda.grid(1)  # ty: ignore[missing-argument]
        if i >= states.shape[0]:
            return
        for j in range(action_rows.shape[1]):
            value = given_rows[i, j]
            k = j % low.shape[0]
            outside = value < low[k] or value > high[k]
            if value - value != 0 or (refuse and outside):
                faults[0] = i + 1
                value = low[k]
            elif clip and outside:
                value = low[k] if value < low[k] else high[k]
            action_rows[i, j] = value
        mask[i] = (not same_step) and states[i].clock.done != 0
        step_batch(
            states,
            params,
            actions,
            mask,
            horizon,
            observations,
            rewards,
            terminated,
            truncated,
            info,
            i,
            i + 1,
        )
        if same_step and states[i].clock.done != 0:
            for j in range(observation_rows.shape[1]):
                final_rows[i, j] = observation_rows[i, j]
            for j in range(info_rows.shape[1]):
                final_info_rows[i, j] = info_rows[i, j]
            mask[i] = True
            reset_batch(states, params, mask, observations, info, i, i + 1)

    return begin, advance
