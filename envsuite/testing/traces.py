"""Runs the same seeds and actions through different front ends, and compares what comes out."""

from dataclasses import dataclass

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from envsuite.cards import EnvCard
from envsuite.core.parallel import VectorParallelEnv, WorldParallelEnv
from envsuite.core.world import lead_shape, make_world


@dataclass
class Trace:
    """What T vector steps of n slots gave; all arrays start with (T, n)."""

    observations: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    final: list[tuple[int, int, bytes]]

    def assert_equal(self, other: "Trace", what: str) -> None:
        """Raise `AssertionError` naming the first difference."""
        for name in ("observations", "rewards", "terminated", "truncated"):
            mine, theirs = getattr(self, name), getattr(other, name)
            assert mine.shape == theirs.shape, f"{what}: {name} have shapes {mine.shape} and {theirs.shape}"
            if not np.array_equal(mine, theirs, equal_nan=False):
                step, slot = np.argwhere(mine != theirs)[0][:2]
                raise AssertionError(
                    f"{what}: {name} differ at step {step}, slot {slot}: {mine[step, slot]} and {theirs[step, slot]}"
                )
        assert self.final == other.final, f"{what}: final observations differ"


def random_actions(card: EnvCard, steps: int, slots: int, seed: int = 0) -> np.ndarray:
    """Uniform actions, (steps, slots, [a,] *A)."""
    world = make_world(card.world, **card.options)
    generator = np.random.Generator(np.random.Philox(seed))
    shape = (steps, *lead_shape(world, slots), *world.action.shape)
    low, high = world.action.low, world.action.high
    if np.issubdtype(np.dtype(world.action.dtype), np.integer):
        return generator.integers(low, high + 1, shape)
    return (low + (high - low) * generator.random(shape)).astype(world.action.dtype)


def batch_env(card: EnvCard, num_envs: int, **options):
    """The native batch environment: a `WorldVectorEnv`, or a `VectorParallelEnv` for several agents."""
    if card.agents > 1:
        return VectorParallelEnv(num_envs=num_envs, **{"max_episode_steps": card.horizon, **card.kwargs, **options})
    return gymnasium.make_vec(card.id, num_envs=num_envs, **{**card.options, **options})


class _Slots:
    """Several single environments under one autoreset mode, the slow and obvious way."""

    def __init__(self, envs: list, mode: AutoresetMode):
        self.envs = envs
        self.mode = mode
        self.done = [False] * len(envs)

    def reset(self, seed: int):
        return [env.reset(seed=seed + i)[0] for i, env in enumerate(self.envs)]

    def step(self, actions):
        rows, final = [], []
        for i, env in enumerate(self.envs):
            if self.done[i] and self.mode is not AutoresetMode.SAME_STEP:
                observation, _ = env.reset()
                self.done[i] = False
                if self.mode is AutoresetMode.NEXT_STEP:
                    rows.append((observation, *env.nothing))
                    continue
            observation, reward, terminated, truncated, _ = env.step(actions[i])
            self.done[i] = bool(np.all(np.logical_or(terminated, truncated)))
            if self.done[i] and self.mode is AutoresetMode.SAME_STEP:
                final.append((i, np.asarray(observation).tobytes()))
                observation, _ = env.reset()
            rows.append((observation, reward, terminated, truncated))
        return rows, final


class _Single:
    """A wrapped Gymnasium environment."""

    def __init__(self, card: EnvCard, limit: int | None):
        self.env = gymnasium.make(card.id, max_episode_steps=limit)
        self.nothing = (np.zeros(self.env.unwrapped.world.reward.shape), False, False)

    def reset(self, seed=None):
        return self.env.reset(seed=seed)

    def step(self, action):
        return self.env.step(action)


class _Parallel:
    """A PettingZoo parallel environment as arrays over all agents; ended agents keep their flags."""

    def __init__(self, card: EnvCard, limit: int | None):
        self.env = WorldParallelEnv(max_cycles=limit or card.horizon, **card.kwargs)
        self.agents = self.env.possible_agents
        self.places = {agent: i for i, agent in enumerate(self.agents)}
        shape = (len(self.agents), *self.env.world.reward.shape)
        self.nothing = (np.zeros(shape), np.zeros(len(self.agents), bool), np.zeros(len(self.agents), bool))

    def reset(self, seed=None):
        observations, infos = self.env.reset(seed=seed)
        self.flags = np.zeros((2, len(self.agents)), bool)
        return np.stack([observations[agent] for agent in self.agents]), infos

    def step(self, actions):
        given = {agent: actions[self.places[agent]] for agent in self.env.agents}
        observations, rewards, terminated, truncated, infos = self.env.step(given)
        all_observations = self.env.state()
        for agent, observation in observations.items():
            np.testing.assert_array_equal(all_observations[self.places[agent]], observation)
        for agent in terminated:
            self.flags[:, self.places[agent]] = terminated[agent], truncated[agent]
        reward = np.zeros_like(self.nothing[0])
        for agent in rewards:
            reward[self.places[agent]] = rewards[agent]
        return all_observations, reward, self.flags[0].copy(), self.flags[1].copy(), infos


def slots_trace(
    card: EnvCard, actions: np.ndarray, mode: AutoresetMode, seed: int, *, parallel: bool, limit: int | None = None
) -> Trace:
    """Single (or parallel) environments, one a slot; `limit` is the episodes' length instead of the registered one."""
    make = _Parallel if parallel else _Single
    slots = _Slots([make(card, limit) for _ in range(actions.shape[1])], mode)
    first = slots.reset(seed)
    frames, final = [[(row, *slots.envs[0].nothing) for row in first]], []
    for step, row in enumerate(actions):
        rows, ended = slots.step(row)
        frames.append(rows)
        final += [(step, i, last) for i, last in ended]
    columns = [np.array([[slot[k] for slot in frame] for frame in frames]) for k in range(4)]
    return Trace(columns[0], columns[1], columns[2], columns[3], final)


def vector_trace(
    card: EnvCard,
    actions: np.ndarray,
    mode: AutoresetMode,
    seed: int,
    *,
    parallel: bool,
    limit: int | None = None,
    num_threads: int | None = None,
    copy: bool = True,
) -> Trace:
    """The native vector (or batched parallel) environment; `limit` as for `slots_trace`."""
    slots = actions.shape[1]
    options = {"autoreset_mode": mode, "num_threads": num_threads, "copy": copy}
    if parallel:
        env = VectorParallelEnv(num_envs=slots, max_episode_steps=limit or card.horizon, **options, **card.kwargs)
    else:
        env = gymnasium.make_vec(card.id, num_envs=slots, **options, **({"max_episode_steps": limit} if limit else {}))
    observations, _ = env.reset(seed=seed)
    lead = (slots, len(env.possible_agents)) if parallel else (slots,)
    nothing = (np.zeros(lead + env.world.reward.shape), np.zeros(lead, bool), np.zeros(lead, bool))
    frames, final = [(observations.copy(), *nothing)], []
    over = np.zeros(slots, bool)
    for step, row in enumerate(actions):
        if mode is AutoresetMode.DISABLED and over.any():
            env.reset(options={"reset_mask": over})
        observations, rewards, terminated, truncated, infos = env.step(row)
        frames.append((observations.copy(), rewards.copy(), terminated.copy(), truncated.copy()))
        over = np.logical_or(terminated, truncated).reshape(slots, -1).all(axis=1)
        for i in np.flatnonzero(infos.get("_final_obs", [])):
            final.append((step, int(i), np.asarray(infos["final_obs"][i]).tobytes()))
    env.close()
    columns = [np.array([frame[k] for frame in frames]) for k in range(4)]
    return Trace(columns[0], columns[1], columns[2], columns[3], final)
