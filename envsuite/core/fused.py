"""Rollouts without Python between their steps: a perceptron acts, a world's loops step and begin new episodes."""

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from envsuite.core.batch import Batch, Output
from envsuite.core.compiling import Kernel, interpreted
from envsuite.core.jit import kernel_of, records
from envsuite.core.layout import Choice, Choices, Vector
from envsuite.core.loops import seen_by
from envsuite.core.perceptron import Perceptron, draw_choices, draw_normal, forward, see
from envsuite.core.world import World

BLOCK = 64
"""Instances that take all their steps before the next do, so that what they touch stays in the processor's caches."""


@dataclass(frozen=True)
class Played:
    """T steps of n instances.

    Attributes:
        observations: (T + 1, n, *O), what was acted on, and what came last.
        raw_actions: (T, n, A) float32 as drawn, or (T, n, heads) int64.
        actions: (T, n, *A), what was played: within bounds.
        log_probs: (T, n) float32, logarithms of the densities or probabilities of `raw_actions`.
        rewards: (T, n) or (T, n, k).
        terminated: (T, n) bool.
        truncated: (T, n) bool.
        infos: (T + 1, n) records, that of each observation.
        ends: (E, 2) int64, step and instance of each end of an episode, in this order.
        final_observations: (E, *O), what these steps led to, before new episodes began.
        final_infos: (E,) records, likewise.
    """

    observations: np.ndarray
    raw_actions: np.ndarray
    actions: np.ndarray
    log_probs: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    infos: np.ndarray
    ends: np.ndarray
    final_observations: np.ndarray
    final_infos: np.ndarray


def obstacle_of(world: World) -> str:
    """Why rollouts of a world need Python between steps; empty where they do not."""
    if world.agents:
        return f"has {len(world.agents)} agents"
    if not isinstance(world.loops.step, Kernel) and not interpreted():
        return "does not run in kernels"
    if world.loops.prepare is not None:
        return "asks players inside it before each step"
    if "action_mask" in (world.info_dtype.names or ()):
        return "has actions that are not always allowed"
    if not isinstance(world.action, Vector | Choice | Choices):
        return f"has {type(world.action).__name__} actions"
    if not isinstance(world.observation, Vector):
        return f"has {type(world.observation).__name__} observations"
    return ""


@dataclass(frozen=True)
class _Storage:
    """Arrays that a rollout is written into; of ends the place of instance i begins at i x T."""

    out: Output
    actions: np.ndarray
    raw: np.ndarray
    log_probs: np.ndarray
    ends: np.ndarray
    finals: tuple[np.ndarray, np.ndarray]


class FusedRollout:
    """Plays a batch with perceptrons; its episodes begin anew within the step that ends them.

    Args:
        batch: of a world for which `obstacle_of` finds nothing.
        reuse: write over the last rollout of as many steps, which saves what fresh memory costs.

    Raises:
        ValueError: another one; the message says what stands in the way.
    """

    def __init__(self, batch: Batch, reuse: bool = False):
        world = batch.world
        if obstacle := obstacle_of(world):
            raise ValueError(f"{batch.title} {obstacle}: such a world is played with Python between its steps")
        self._batch, self._reuse, self._numbers = batch, reuse, isinstance(world.action, Vector)
        self._kept: _Storage | None = None
        self._loop = _fused_loop(batch.step_loop, world.loops.reset, self._numbers)
        self._inputs, self._width = math.prod(world.observation.shape), max(1, math.prod(world.action.shape))
        self._heads = () if self._numbers else tuple(int(k) + 1 for k in world.action.high.reshape(-1))

    def __reduce__(self):  # the loop is made anew where it is unpickled
        return type(self), (self._batch, self._reuse)

    def play(self, policy: Perceptron, noise: np.ndarray) -> Played:
        """Play on from the present moment.

        Args:
            policy: fits the world's observations and actions.
            noise: (T, n, A) float32, standard normal; for choices (T, n, logits), of the standard Gumbel distribution.

        Raises:
            ValueError: shapes that do not fit, or outputs of the network that are not finite.
            gymnasium.error.ResetNeeded: an episode has not begun or has ended, or the call before was interrupted.
        """
        batch, world, n, steps = self._batch, self._batch.world, self._batch.num_envs, len(noise)
        self._check(policy, noise)
        batch.check_whole()
        if batch.done.any():
            raise ResetNeeded("no episode has begun, or one has ended: call reset() before rollout()")
        net = policy.net(world.action.low, world.action.high)
        kept = self._kept
        if kept is None or len(kept.log_probs) != steps:
            kept = self._storage(steps)
            self._kept = kept if self._reuse else None
        out, actions, raw, log_probs, ends, finals = (
            kept.out,
            kept.actions,
            kept.raw,
            kept.log_probs,
            kept.ends,
            kept.finals,
        )
        out.observations[0], out.info[0] = batch.last.observations, batch.last.info
        flat, counts = out.observations.reshape(steps + 1, n, -1), np.zeros(n, np.int64)
        work = np.empty((batch.num_threads, 2 * BLOCK * int(net.sizes.max())), np.float32)
        batch.whole = False
        batch.run(
            self._loop,
            *(batch.states, records(world.params), np.zeros(n, np.bool_), np.empty(n, np.bool_), batch.horizon),
            *(net, noise, flat, records(seen_by(world.loops, world.observation, out.observations)), raw),
            *(actions.reshape(steps, n, self._width), actions, log_probs),
            *(out.rewards, out.terminated, out.truncated, out.info, ends, *finals, counts, work),
        )
        if not np.isfinite(raw).all():
            raise ValueError("the network's outputs are not all finite")
        batch.done = np.zeros(n, np.bool_)
        batch.last = Output(*(getattr(out, one.name)[-1] for one in fields(out)))
        batch.whole = True
        found = np.concatenate([np.arange(k * steps, k * steps + counts[k]) for k in np.flatnonzero(counts)] or [[]])
        order = found.astype(np.int64)
        order = order[np.lexsort((ends[order, 1], ends[order, 0]))]
        return Played(
            out.observations, raw, actions, log_probs, out.rewards[1:], out.terminated[1:], out.truncated[1:], out.info,
            ends[order], finals[0][order].reshape(-1, *world.observation.shape), finals[1][order],
        )  # fmt: skip

    def _storage(self, steps: int) -> "_Storage":
        world, n = self._batch.world, self._batch.num_envs
        return _Storage(
            Output.empty(world, n, (steps + 1,)),
            np.empty((steps, n, *world.action.shape), world.action.dtype),
            np.empty((steps, n, self._width), np.float32 if self._numbers else np.int64),
            np.empty((steps, n), np.float32),
            np.empty((n * steps, 2), np.int64),
            (
                np.empty((n * steps, self._inputs), world.observation.dtype),
                records(np.empty(n * steps, world.info_dtype)),
            ),
        )

    def _check(self, policy: Perceptron, noise: np.ndarray) -> None:
        if policy.shift.size != self._inputs:
            raise ValueError(f"the policy takes {policy.shift.size} numbers, an observation has {self._inputs}")
        theirs = policy.heads or (policy.log_std.size,)
        if theirs != (self._heads or (self._width,)):
            raise ValueError(
                f"the policy gives actions {theirs}, the environment takes {self._heads or (self._width,)}"
            )
        expected = (self._batch.num_envs, sum(self._heads) or self._width)
        if noise.ndim != 3 or not len(noise) or noise.shape[1:] != expected or noise.dtype != np.float32:
            raise ValueError(
                f"noise is {noise.dtype} {noise.shape}, expected float32 (T, {expected[0]}, {expected[1]})"
            )


def _fused_loop(step: Any, reset: Any, numbers: bool) -> Any:
    """The loop over steps of a world's instances [start, stop)."""
    draw = draw_normal if numbers else draw_choices

    def loop(
        states, params, nobody, done, horizon, net, noise, flat, observations, raw, played, actions, log_probs, rewards,
        terminated, truncated, infos, ends, final_observations, final_infos, counts, works, start, stop,
    ):  # fmt: skip
        steps = noise.shape[0]
        work = works[(start * works.shape[0] + states.shape[0] - 1) // states.shape[0]]  # that of this slice
        half, found = work.shape[0] // 2, start * steps
        for first in range(start, stop, BLOCK):
            last = min(first + BLOCK, stop)
            for t in range(steps):
                see(net, flat[t], first, last, work)
                at = forward(net, last - first, work)
                draw(net, work[at : at + half], noise[t], first, last, raw[t], played[t], log_probs[t])
                after = t + 1
                step(
                    states, params, actions[t], nobody, horizon, observations[after], rewards[after], terminated[after],
                    truncated[after], infos[after], first, last,
                )  # fmt: skip
                before = found
                for i in range(first, last):
                    done[i] = terminated[after, i] or truncated[after, i]
                    if done[i]:
                        ends[found, 0], ends[found, 1] = t, i
                        for j in range(flat.shape[2]):
                            final_observations[found, j] = flat[after, i, j]
                        final_infos[found] = infos[after, i]
                        found += 1
                if found > before:
                    reset(states, params, done, observations[after], infos[after], first, last)
        counts[start] = found - start * steps

    name = getattr(step, "py_func", step).__name__.replace("step", "fused")
    return kernel_of(loop, step, f"{name}_{'normal' if numbers else 'choices'}")
