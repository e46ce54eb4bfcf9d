"""An episode through each door, in the form in which `envsuite.testing.traces` has the local one."""

from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from envsuite.cards import EnvCard
from envsuite.testing.traces import Trace, slots_trace

SAME, NEXT = AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP


class Recorded:
    """Collects what steps give."""

    def __init__(self, first: Any, rewards: tuple[int, ...], flags: tuple[int, ...]):
        nothing = np.zeros(flags, bool)
        self._rows = [(np.array(first), np.zeros(rewards), nothing, nothing)]
        self._final: list[tuple[int, int, bytes]] = []

    def add(self, *arrays: Any) -> None:
        self._rows.append(tuple(np.array(one) for one in arrays))

    def end(self, instance: int, last: Any) -> None:
        self._final.append((len(self._rows) - 1, int(instance), np.ascontiguousarray(last).tobytes()))

    def trace(self) -> Trace:
        return Trace(*(np.stack([row[k] for row in self._rows]) for k in range(4)), self._final)


def torch_steps(card: EnvCard, actions: np.ndarray, seed: int) -> Trace:
    import torch

    from envsuite.torch import make_vec

    env = make_vec(card.id, actions.shape[1])
    observations, _ = env.reset(seed=seed)
    lead = observations.shape[:1] + (len(env.world.agents),) * (card.agents > 1)
    found = Recorded(observations, (*lead, *env.world.reward.shape), lead)
    for row in actions:
        *arrays, _ = env.step(torch.from_numpy(row))
        ended = env.finals()
        for i, last in zip(ended.instances, ended.observations, strict=True):
            found.end(i, last)
        after = env.next_observations()
        np.testing.assert_array_equal(after[ended.instances], ended.observations)
        found.add(*arrays)
    return found.trace()


def torch_rollout(card: EnvCard, actions: np.ndarray, seed: int) -> Trace:
    import torch

    from envsuite.torch import make_vec

    env = make_vec(card.id, actions.shape[1])
    env.reset(seed=seed)
    rows = iter(actions)
    half = len(actions) // 2
    parts = [env.rollout(lambda _: torch.from_numpy(next(rows)), n) for n in (half, len(actions) - half)]
    first = [parts[0].observations[:1]]
    observations = torch.cat([*first, *(torch.cat([p.observations[1:], p.last_observations[None]]) for p in parts)])
    np.testing.assert_array_equal(torch.cat([one.actions for one in parts]), actions)
    final = []
    for part, start in zip(parts, (0, half), strict=True):
        for (step, i), last in zip(part.ends.tolist(), part.final_observations.numpy(), strict=True):
            final.append((start + step, i, last.tobytes()))
        after = part.next_observations()
        np.testing.assert_array_equal(after[part.ends[:, 0], part.ends[:, 1]], part.final_observations)
    arrays = [
        torch.cat([torch.zeros_like(getattr(parts[0], name)[:1]), *(getattr(one, name) for one in parts)]).numpy()
        for name in ("rewards", "terminated", "truncated")
    ]
    return Trace(observations.numpy(), *arrays, final)


def torchrl(card: EnvCard, actions: np.ndarray, seed: int) -> Trace:
    import torch

    from envsuite.adapters.torchrl import TorchRLEnv

    env = TorchRLEnv(card.id, actions.shape[1], seed=seed)
    groups = env.group_map or {None: None}
    names = list(env.env.world.agents)
    order = [names.index(one) for members in env.group_map.values() for one in members]

    def of(tensordict: Any, name: str) -> np.ndarray:
        if not env.group_map:
            return tensordict[name].numpy()
        parts = torch.cat([tensordict[group, name] for group in groups], dim=1)
        return parts[:, np.argsort(order)].numpy()

    now = env.reset()
    vectors = bool(card.objectives)
    lead = actions.shape[1:2] + (len(names),) * bool(names)
    found = Recorded(of(now, "observation"), (*lead, *env.env.world.reward.shape), lead)
    for row in actions:
        if env.group_map:
            for group, members in env.group_map.items():
                now[group, "action"] = torch.from_numpy(row[:, [names.index(one) for one in members]])
        else:
            now["action"] = torch.from_numpy(row)
        stepped, now = env.step_and_maybe_reset(now)
        after = stepped["next"]
        for i in np.flatnonzero(after["done"].numpy()):
            found.end(i, of(after, "observation")[i])
        reward = of(after, "reward")
        flags = [of(after, name)[..., 0] for name in ("terminated", "truncated")]
        found.add(of(now, "observation"), reward if vectors else reward[..., 0], *flags)
    return found.trace()


def sb3(card: EnvCard, actions: np.ndarray, seed: int) -> Trace:
    from envsuite.adapters.sb3 import SB3VecEnv

    env = SB3VecEnv(card.id, actions.shape[1])
    env.seed(seed)
    found = Recorded(env.reset(), actions.shape[1:2], actions.shape[1:2])
    for row in actions:
        observations, rewards, done, infos = env.step(row)
        late = np.array([one.get("TimeLimit.truncated", False) for one in infos])
        for i in np.flatnonzero(done):
            found.end(i, infos[i]["terminal_observation"])
        found.add(observations, rewards, done & ~late, late)
    return found.trace()


def envpool(card: EnvCard, actions: np.ndarray, seed: int) -> Trace:
    from envsuite.adapters.envpool import make

    env = make(card.id, num_envs=actions.shape[1], batch_size=1, seed=seed)
    lead = actions.shape[1:2]
    found = Recorded(env.reset()[0], (*lead, len(card.objectives)) if card.objectives else lead, lead)
    for row in actions:
        found.add(*env.step(row)[:4])
    env.close()
    return found.trace()


def puffer(card: EnvCard, actions: np.ndarray, seed: int) -> Trace:
    from envsuite.adapters.puffer3 import PufferEnv

    n, several = actions.shape[1], card.agents > 1
    env = PufferEnv(card.id, n)
    lead = (n, card.agents) if several else (n,)
    found = Recorded(env.reset(seed=0)[0].reshape(*lead, -1), lead, lead)
    for row in actions:
        observations, *arrays = env.step(row.reshape(env.actions.shape))[:4]
        found.add(observations.reshape(*lead, -1), *(one.reshape(lead) for one in arrays))
    return found.trace()


def functional(card: EnvCard, actions: np.ndarray, seed: int) -> Trace:
    from envsuite.adapters.functional import WorldFuncEnv

    env = WorldFuncEnv(card.id)
    state = env.initial(range(seed, seed + actions.shape[1]))
    found = Recorded(env.observation(state), state.rewards.shape, state.terminated.shape)
    for row in actions:
        before = [array.tobytes() for array in state[:5]]
        after = env.transition(state, row)
        assert [array.tobytes() for array in state[:5]] == before  # a function of it, no change of it
        found.add(env.observation(after), env.reward(state, row, after), env.terminal(after), after.truncated)
        state = after
    return found.trace()


def lerobot(card: EnvCard, actions: np.ndarray, seed: int) -> Trace:
    from envsuite.adapters.lerobot import make_env

    n = actions.shape[1]
    env = make_env(card.id, n)[card.family][0]
    shape = env.get_attr("env")[0].observation_space.shape
    found = Recorded(env.reset(seed=seed)[0]["agent_pos"].reshape(n, *shape), (n,), (n,))
    for row in actions:
        observations, *arrays, infos = env.step(row.reshape(n, -1))
        for i in np.flatnonzero(infos.get("_final_obs", [])):
            found.end(i, infos["final_obs"][i]["agent_pos"])
        found.add(observations["agent_pos"].reshape(n, *shape), *arrays)
    return found.trace()


def rllib(card: EnvCard, actions: np.ndarray, seed: int) -> Trace:
    """A single agent in RLlib's batches."""
    from ray.rllib.env.env_context import EnvContext
    from ray.tune.registry import ENV_CREATOR, _global_registry

    from envsuite.adapters.rllib import register

    n = actions.shape[1]
    make = _global_registry.get(ENV_CREATOR, register(card.id))
    env = make(EnvContext({}, 0) | {"num_envs": n})
    found = Recorded(env.reset(seed=seed)[0], (n,), (n,))
    for row in actions:
        found.add(*env.step(row)[:4])
    return found.trace()


def rllib_agents(card: EnvCard, actions: np.ndarray, seed: int) -> Trace:
    """Several agents; those that have ended keep their flags, earn nothing and are seen no more."""
    from ray.rllib.env.env_context import EnvContext
    from ray.tune.registry import ENV_CREATOR, _global_registry

    from envsuite.adapters.rllib import register

    n = actions.shape[1]
    make = _global_registry.get(ENV_CREATOR, register(card.id))
    envs = [make(EnvContext({}, 0)) for _ in range(n)]
    names = envs[0].possible_agents
    seen = [env.reset(seed=seed + i)[0] for i, env in enumerate(envs)]
    rows = np.stack([[one[name] for name in names] for one in seen])
    flags = np.zeros((2, n, len(names)), bool)
    found = Recorded(rows, (n, len(names)), (n, len(names)))
    for row in actions:
        rewards = np.zeros((n, len(names)))
        over = [not env.agents for env in envs]
        for i, env in enumerate(envs):
            if over[i]:
                first = env.reset()[0]
                rows[i], flags[:, i] = [first[name] for name in names], False
                continue
            given = {name: row[i, names.index(name)] for name in env.agents}
            observations, paid, ended, late, _ = env.step(given)
            rows[i] = env.env.state()
            for name, observation in observations.items():
                np.testing.assert_array_equal(rows[i, names.index(name)], observation)
            for name in names:
                j = names.index(name)
                rewards[i, j] = paid.get(name, 0.0)
                if name in ended:
                    flags[:, i, j] = ended[name], late[name]
            assert (ended["__all__"] or late["__all__"]) == (not env.agents)
        found.add(rows, rewards, *flags)
    return found.trace()


class Door(NamedTuple):
    """A way to play, and how the local trace looks through it.

    Attributes:
        play: plays (T, n, [a,] *A).
        mode: when new episodes begin.
        agents: agents keep their axis; otherwise the joint view.
        needs: package.
        single: float32 rewards.
        finals: last observations are told.
        fits: whether the door is open to an environment.
    """

    play: Callable[[EnvCard, np.ndarray, int], Trace]
    mode: AutoresetMode = SAME
    agents: bool = True
    needs: str = ""
    single: bool = False
    finals: bool = True
    fits: Callable[[EnvCard], bool] = lambda card: True


def _scalar(card: EnvCard) -> bool:
    return not card.objectives


def _numbers(card: EnvCard) -> bool:
    return _scalar(card) and isinstance(gymnasium.make(card.id).action_space, spaces.Box)


def _alone(card: EnvCard) -> bool:
    return _scalar(card) and card.agents == 1


def _together(card: EnvCard) -> bool:
    return _scalar(card) and card.agents > 1


DOORS = {
    "torch": Door(torch_steps, needs="torch"),
    "rollout": Door(torch_rollout, needs="torch"),
    "torchrl": Door(torchrl, needs="torchrl"),
    "sb3": Door(sb3, agents=False, needs="stable_baselines3", single=True, fits=_scalar),
    "envpool": Door(envpool, NEXT, agents=False, single=True, finals=False),
    "puffer": Door(puffer, single=True, finals=False, fits=_scalar),
    "functional": Door(functional, NEXT, agents=False, finals=False),
    "lerobot": Door(lerobot, agents=False, fits=_numbers),
    "rllib": Door(rllib, NEXT, agents=False, needs="ray.rllib", finals=False, fits=_alone),
    "rllib_agents": Door(rllib_agents, NEXT, needs="ray.rllib", finals=False, fits=_together),
}


def compare(name: str, card: EnvCard, actions: np.ndarray, seed: int) -> Trace:
    """Raise `AssertionError` where an episode through a door is not the local one; the latter's trace."""
    door = DOORS[name]
    several = card.agents > 1
    expected = slots_trace(card, actions, door.mode, seed, parallel=several and door.agents)
    found = door.play(card, actions, seed)
    if door.single:
        expected.rewards = expected.rewards.astype(np.float32)
    if not door.finals:
        expected.final = []
    if name == "sb3":
        expected.truncated &= ~expected.terminated
    if name == "functional":  # ended instances stand still: compared up to the first end of each
        over = (expected.terminated | expected.truncated).cumsum(axis=0)
        later = (over - (expected.terminated | expected.truncated)) > 0
        for trace in (expected, found):
            for array in (trace.observations, trace.rewards, trace.terminated, trace.truncated):
                array[later] = 0
    found.assert_equal(expected, f"{card.id} through {name}")
    return expected
