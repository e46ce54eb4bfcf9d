"""Policies that err: another policy's actions late, or with noise drawn from a stream of the episode's own."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from envsuite.agents.policy import Policy
from envsuite.agents.random import RandomPolicy
from envsuite.core import rng
from envsuite.core.jit import kernel, records
from envsuite.core.layout import Vector
from envsuite.core.world import World, lead_shape
from envsuite.evaluation.jobs import derived_seed

Kind = Literal["gaussian", "correlated", "epsilon"]


@dataclass(frozen=True)
class Noise:
    """What is done to actions.

    Attributes:
        kind: ``"gaussian"``: independent normal numbers are added; ``"correlated"``: normal numbers that follow an
            autoregression of the first order, as people's errors do, are added; ``"epsilon"``: each agent acts
            uniformly at random with this probability. Sums are clipped to the bounds of the action.
        scale: standard deviation, in halves of the action's range; or the probability.
        memory: correlation from one step to the next, of ``"correlated"`` noise.
        share: probability with which a step has noise at all, of ``"gaussian"`` noise; the others are left as they are.
    """

    kind: Kind
    scale: float
    memory: float = 0.0
    share: float = 1.0

    def __post_init__(self):
        if not 0 <= self.scale <= (1 if self.kind == "epsilon" else 10):
            raise ValueError(f"the scale of {self.kind} noise is {self.scale}, expected a share, or up to 10")
        if not 0 <= self.memory < 1 or (self.memory > 0) != (self.kind == "correlated"):
            raise ValueError(
                f"the memory of {self.kind} noise is {self.memory}, expected a number above 0 and below 1 for"
                " correlated noise, none for others"
            )
        if not 0 < self.share <= 1 or (self.share < 1 and self.kind != "gaussian"):
            raise ValueError(
                f"the share of {self.kind} noise is {self.share}, expected a probability, and 1 but for gaussian noise"
            )


@kernel
def _add(streams, actions, low, high, scale, memory, chance, begun, drift):
    fresh = np.sqrt(1.0 - memory * memory)
    for i in range(actions.shape[0]):
        if chance < 1.0 and rng.uniform(streams[i], rng.AGENT, 0.0, 1.0) >= chance:
            continue
        # The first number of an autoregression is drawn from its stationary distribution.
        share = fresh if begun[i] else 1.0
        begun[i] = True
        for j in range(actions.shape[1]):
            column = j % low.shape[0]
            bottom, top = np.float64(low[column]), np.float64(high[column])
            drift[i, j] = memory * drift[i, j] + share * rng.normal(streams[i], rng.AGENT, 0.0, 1.0)
            value = np.float64(actions[i, j]) + scale * 0.5 * (top - bottom) * drift[i, j]
            actions[i, j] = min(max(value, bottom), top)


@kernel
def _choose(streams, probability, which):
    for i in range(which.shape[0]):
        for j in range(which.shape[1]):
            which[i, j] = rng.uniform(streams[i], rng.AGENT, 0.0, 1.0) < probability


class NoisyPolicy:
    """Another policy with noise on its actions; what it does in a slot depends on the slot's seed alone.

    Args:
        inner: the policy.
        noise: what is added.
        world: that it plays in.
        slots: episodes played at once.

    Raises:
        ValueError: numbers are to be added to choices.
    """

    def __init__(self, inner: Policy, noise: Noise, world: World, slots: int):
        layout = world.action
        if noise.kind != "epsilon" and not (isinstance(layout, Vector) and np.dtype(layout.dtype).kind == "f"):
            raise ValueError(f"{noise.kind} noise cannot be added to choices; expected epsilon noise")
        self._inner, self._noise = inner, noise
        lead = self._lead = lead_shape(world, slots)
        self._random = RandomPolicy(layout, lead)
        self._streams = records(np.zeros(slots, rng.STREAM))
        self._low = np.ascontiguousarray(layout.low.reshape(-1))
        self._high = np.ascontiguousarray(layout.high.reshape(-1))
        self._drift = np.zeros((slots, int(np.prod(lead[1:] + layout.shape))))
        self._which = np.zeros((slots, int(np.prod(lead[1:]))), np.bool_)
        self._begun = np.zeros(slots, np.bool_)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Begin new episodes; noise has streams apart from those of the policy and of the environment."""
        self._inner.reset(mask, seeds)
        apart = np.zeros(len(mask), np.int64)
        for i in np.flatnonzero(mask):
            apart[i] = derived_seed("noise", int(seeds[i]))
        rng.begin(self._streams, apart, mask)
        self._begun[mask], self._drift[mask] = False, 0
        self._random.reset(mask, apart >> 1)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The policy's actions with noise."""
        actions = np.array(self._inner.act(observations, states))
        if self._noise.kind == "epsilon":
            _choose(self._streams, self._noise.scale, self._which)
            strange = self._random.act(observations, states)
            which = self._which.reshape(self._lead)
            actions[which] = strange[which]
            return actions
        rows, noise = actions.reshape(len(actions), -1), self._noise
        numbers = noise.scale, noise.memory, noise.share
        _add(self._streams, rows, self._low, self._high, *numbers, self._begun, self._drift)
        return actions


class DelayedPolicy:
    """Another policy whose actions come late, as a person's do; at first all actions are the middle of their range.

    Args:
        inner: the policy.
        delay: steps, at least 1.
        world: that it plays in.
        slots: episodes played at once.

    Raises:
        ValueError: actions without a middle, or a delay below 1.
    """

    def __init__(self, inner: Policy, delay: int, world: World, slots: int):
        layout = world.action
        if not (isinstance(layout, Vector) and np.dtype(layout.dtype).kind == "f"):
            raise ValueError("choices cannot be late: none of them means to do nothing; expected no delay")
        if delay < 1:
            raise ValueError(f"the delay is {delay}, expected at least 1 step")
        self._inner = inner
        middle = ((np.float64(layout.low) + np.float64(layout.high)) / 2).astype(layout.dtype)
        self._middle = np.broadcast_to(middle, layout.shape)
        self._waiting = np.empty((delay, *lead_shape(world, slots), *layout.shape), layout.dtype)
        self._waiting[:] = self._middle
        self._next = 0

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Begin new episodes, with nothing on its way."""
        self._inner.reset(mask, seeds)
        self._waiting[:, mask] = self._middle

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """What the policy wanted to do some steps ago."""
        late = self._waiting[self._next].copy()
        self._waiting[self._next] = self._inner.act(observations, states)
        self._next = (self._next + 1) % len(self._waiting)
        return late
