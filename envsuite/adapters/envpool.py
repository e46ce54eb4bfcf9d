"""Environments in the way of EnvPool: ``make``, ``send`` and ``recv``.

The instances are cut into groups of ``batch_size``, each stepped as a batch in a thread of its own, so that a learner
may think about one group while another moves. Results come in the order in which actions were sent, and do not depend
on timing.
"""

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

import envsuite


class EnvPool:
    """Groups of instances that step asynchronously; made by `make`.

    Ended instances begin anew with the next step, whose action is ignored, as in EnvPool.

    Attributes:
        observation_space: of one instance, as EnvPool has it.
        action_space: likewise.
        num_envs: number of instances.
        batch_size: of a group.
    """

    def __init__(self, env_id: str, num_envs: int, batch_size: int, seed: int, num_threads: int, **options: Any):
        if batch_size < 1 or num_envs % batch_size:
            raise ValueError(f"batch_size is {batch_size}, expected a divisor of num_envs, which is {num_envs}")
        card = envsuite.card(env_id)
        options |= {"autoreset_mode": AutoresetMode.NEXT_STEP, "num_threads": 1}
        self._groups = [gymnasium.make_vec(card.id, batch_size, **options) for _ in range(num_envs // batch_size)]
        self.num_envs, self.batch_size, self._seed = num_envs, batch_size, seed
        self.observation_space = self._groups[0].single_observation_space
        self.action_space = self._groups[0].single_action_space
        self._pool = ThreadPoolExecutor(max(1, min(num_threads, len(self._groups))), thread_name_prefix="envpool")
        self._running: deque[tuple[int, Future]] = deque()

    def async_reset(self) -> None:
        """Begin episodes everywhere; `recv` gives the first observations, group by group."""
        self._running.clear()
        for k in range(len(self._groups)):
            self._running.append((k, self._pool.submit(self._reset, k)))

    def _reset(self, k: int) -> tuple[Any, ...]:
        observations, infos = self._groups[k].reset(seed=self._seed + k * self.batch_size)
        nothing = np.zeros(self.batch_size, np.bool_)
        return observations, np.zeros(self.batch_size, np.float32), nothing, nothing.copy(), infos

    def send(self, action: Any, env_id: Any = None) -> None:
        """Begin a step.

        Args:
            action: (batch_size, *A), or (num_envs, *A) without ids.
            env_id: the instances, as a `recv` has named them; all by default.

        Raises:
            ValueError: ids that are not one or more whole groups, as `recv` hands them out.
        """
        actions = np.asarray(action)
        ids = np.arange(self.num_envs) if env_id is None else np.asarray(env_id)
        if len(actions) != len(ids) or len(ids) % self.batch_size:
            raise ValueError(f"{len(actions)} actions for {len(ids)} instances, expected groups of {self.batch_size}")
        for start in range(0, len(ids), self.batch_size):
            part = slice(start, start + self.batch_size)
            k = int(ids[start]) // self.batch_size
            if not np.array_equal(ids[part], k * self.batch_size + np.arange(self.batch_size)):
                raise ValueError(f"instances {ids[part].tolist()} are no group: send back what recv named")
            self._running.append((k, self._pool.submit(self._groups[k].step, actions[part])))

    def recv(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Wait for the group whose actions were sent first.

        Returns:
            Observations, rewards, terminations, truncations, infos, with ``env_id`` and ``elapsed_step``.

        Raises:
            RuntimeError: nothing was sent.
        """
        if not self._running:
            raise RuntimeError("call async_reset() or send() before recv()")
        k, running = self._running.popleft()
        *arrays, infos = running.result()
        group: Any = self._groups[k]
        named = {name: values for name, values in infos.items() if not name.startswith("_")}
        named["env_id"] = k * self.batch_size + np.arange(self.batch_size)
        named["elapsed_step"] = group.batch.states["clock"]["step"].astype(np.int64)
        observations, rewards, terminated, truncated = arrays
        return observations, np.asarray(rewards, np.float32), terminated, truncated, named

    def reset(self) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin episodes everywhere and wait; observations and infos of all instances."""
        self.async_reset()
        observations, *_, infos = self._gather()
        return observations, infos

    def step(self, action: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """A step of all instances."""
        self.send(action)
        return self._gather()

    def _gather(self) -> Any:
        parts = [self.recv() for _ in self._groups]
        arrays = [np.concatenate([part[k] for part in parts]) for k in range(4)]
        infos = {name: np.concatenate([part[4][name] for part in parts]) for name in parts[0][4]}
        return (*arrays, infos)

    def __len__(self) -> int:
        return self.num_envs

    def close(self) -> None:
        """Stop the threads."""
        self._pool.shutdown()
        for group in self._groups:
            group.close()


def make(
    task_id: str,
    env_type: str = "gymnasium",
    *,
    num_envs: int = 1,
    batch_size: int | None = None,
    num_threads: int = 0,
    seed: int = 42,
    **options: Any,
) -> EnvPool:
    """Instances in the way of ``envpool.make``.

    Args:
        task_id: as for `envsuite.card`.
        env_type: ``"gymnasium"``, the only one.
        num_envs: number of instances.
        batch_size: instances that `EnvPool.recv` gives at once; all by default.
        num_threads: groups that move at once; 0 for all.
        seed: instance ``i`` gets ``seed + i``.
        **options: of the environment.

    Raises:
        ValueError: another kind, or a batch size that does not divide the number of instances.
    """
    if env_type != "gymnasium":
        raise ValueError(f"env_type is {env_type!r}, expected 'gymnasium'")
    size = num_envs if batch_size is None else batch_size
    return EnvPool(task_id, num_envs, size, seed, num_threads or num_envs, **options)
