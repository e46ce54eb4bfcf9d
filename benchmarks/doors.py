"""Steps a second through each door beside the plain batch with as many instances, measured in turn in one process.

Run by hand: ``python benchmarks/doors.py``. Doors whose packages are missing are left out. One thread, random actions,
automatic resets. Writes ``benchmarks/results/doors.json``; on shared machines read ratios only.
"""

import json
import warnings
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from speed import seconds_per_call

import envsuite
from envsuite.cards import EnvCard
from envsuite.core.files import write_atomic
from envsuite.evaluation.records import machine
from envsuite.testing.traces import batch_env, random_actions

ROUNDS = 5
SIZES = (16, 256, 4096)
SLOW = 256  # doors that step instances one by one are not measured with more
IDS = ("envsuite/QuadHover-v0", "envsuite/QuadMultiHover-v0")
STEPS = 32  # of a rollout
PACKAGES = ("numpy", "numba", "gymnasium", "torch", "torchrl", "tensordict", "ray", "stable-baselines3")


def plain(card: EnvCard, actions: np.ndarray) -> Callable[[], Any]:
    """The batch itself."""
    env = batch_env(card, len(actions), num_threads=1)
    env.reset(seed=0)
    return partial(env.step, actions)


def tensors(card: EnvCard, actions: np.ndarray) -> Callable[[], Any]:
    """`envsuite.torch`, step by step."""
    import torch

    from envsuite.torch import make_vec

    env = make_vec(card.id, len(actions), num_threads=1)
    env.reset(seed=0)
    return partial(env.step, torch.from_numpy(actions))


def rollout(card: EnvCard, actions: np.ndarray) -> Callable[[], Any]:
    """`envsuite.torch`, steps in one call."""
    import torch

    from envsuite.torch import make_vec

    env = make_vec(card.id, len(actions), num_threads=1, copy=False)
    env.reset(seed=0)
    given = torch.from_numpy(actions)
    return partial(env.rollout, lambda _: given, STEPS)


def torchrl(card: EnvCard, actions: np.ndarray) -> Callable[[], Any]:
    """TorchRL: steps with resets of what has ended, as its collectors take them."""
    import torch

    from envsuite.adapters.torchrl import TorchRLEnv

    env = TorchRLEnv(card.id, len(actions), seed=0, num_threads=1)
    now, given = env.reset(), torch.from_numpy(actions)
    key = (next(iter(env.group_map)), "action") if env.group_map else "action"

    def step() -> None:
        nonlocal now
        now.set(key, given)
        _, now = env.step_and_maybe_reset(now)

    return step


def sb3(card: EnvCard, actions: np.ndarray) -> Callable[[], Any]:
    """Stable-Baselines3's ``VecEnv``."""
    from envsuite.adapters.sb3 import SB3VecEnv

    env = SB3VecEnv(card.id, len(actions), num_threads=1)
    env.reset()
    return partial(env.step, actions)


def envpool(card: EnvCard, actions: np.ndarray) -> Callable[[], Any]:
    """The way of EnvPool, all instances in one group."""
    from envsuite.adapters.envpool import make

    env = make(card.id, num_envs=len(actions))
    env.reset()
    return partial(env.step, actions)


def puffer(card: EnvCard, actions: np.ndarray) -> Callable[[], Any]:
    """The way of PufferLib 3.0, native."""
    from envsuite.adapters.puffer3 import PufferEnv

    env = PufferEnv(card.id, len(actions), num_threads=1)
    env.reset()
    return partial(env.step, actions.reshape(env.actions.shape))


def functional(card: EnvCard, actions: np.ndarray) -> Callable[[], Any]:
    """The functional view: a transition from one and the same state."""
    from envsuite.adapters.functional import WorldFuncEnv

    env = WorldFuncEnv(card.id)
    return partial(env.transition, env.initial(range(len(actions))), actions)


def rllib(card: EnvCard, actions: np.ndarray) -> Callable[[], Any]:
    """What RLlib's runners step: batches of a single agent, or its ``MultiAgentEnv`` one by one."""
    from ray.rllib.env.env_context import EnvContext
    from ray.rllib.env.vector.sync_vector_multi_agent_env import SyncVectorMultiAgentEnv
    from ray.tune.registry import ENV_CREATOR, _global_registry

    from envsuite.adapters.rllib import register

    make = _global_registry.get(ENV_CREATOR, register(card.id))
    if card.agents == 1:
        from gymnasium.wrappers.vector import DictInfoToList

        env: Any = DictInfoToList(make(EnvContext({}, 0) | {"num_envs": len(actions), "num_threads": 1}))
        env.reset(seed=0)
        return partial(env.step, actions)
    env = SyncVectorMultiAgentEnv([partial(make, EnvContext({}, 0))] * len(actions))
    env.reset(seed=0)
    names = env.envs[0].possible_agents

    def step() -> None:
        env.step(
            [{name: row[names.index(name)] for name in one.agents} for one, row in zip(env.envs, actions, strict=True)]
        )

    return step


def lerobot(card: EnvCard, actions: np.ndarray) -> Callable[[], Any]:
    """LeRobot's vector, instances one by one."""
    from envsuite.adapters.lerobot import make_env

    env = make_env(card.id, len(actions))[card.family][0]
    env.reset(seed=0)
    return partial(env.step, actions.reshape(len(actions), -1))


def one_by_one(card: EnvCard, actions: np.ndarray) -> Callable[[], Any]:
    """Gymnasium's own vector of single environments, for comparison."""
    env = gymnasium.make_vec(card.id, len(actions), vectorization_mode="sync")
    env.reset(seed=0)
    return partial(env.step, actions)


DOORS: dict[str, tuple[Callable[[EnvCard, np.ndarray], Callable[[], Any]], int]] = {
    "`envsuite.torch`, step": (tensors, 0),
    "`envsuite.torch`, rollout": (rollout, 0),
    "TorchRL": (torchrl, 0),
    "Stable-Baselines3": (sb3, 0),
    "EnvPool's way": (envpool, 0),
    "PufferLib 3's way": (puffer, 0),
    "functional view": (functional, 0),
    "RLlib, one agent": (rllib, 0),
    "RLlib, several agents": (rllib, SLOW),
    "LeRobot": (lerobot, SLOW),
    "Gymnasium's `SyncVectorEnv`": (one_by_one, SLOW),
}
"""By name: what makes a step, and the most instances (0: any number)."""


def ratios(card: EnvCard, name: str, count: int) -> tuple[float, float]:
    """Steps a second, and the median over rounds of the ratio to the plain batch."""
    actions = random_actions(card, 1, count)[0]
    steps = STEPS if name.endswith("rollout") else 1
    step, beside = DOORS[name][0](card, actions), plain(card, actions)
    rates = []
    for _ in range(ROUNDS):
        mine, theirs = seconds_per_call(step, 0.04) / steps, seconds_per_call(beside, 0.04)
        rates.append((count / mine, theirs / mine))
    return tuple(float(one) for one in np.median(rates, axis=0))


def fits(card: EnvCard, name: str) -> bool:
    """Whether a row is about such environments."""
    return {"RLlib, one agent": card.agents == 1, "RLlib, several agents": card.agents > 1}.get(name, True)


def main() -> None:
    """Measure, print, write."""
    warnings.simplefilter("ignore")
    if find_spec("torch") is not None:
        import torch

        torch.set_num_threads(1)  # else they wait for each other on a busy machine
    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    result: dict[str, Any] = {"machine": machine(), "versions": versions}
    for env_id in IDS:
        card = envsuite.card(env_id)
        for count in SIZES:
            rate = count / seconds_per_call(plain(card, random_actions(card, 1, count)[0]))
            rows = {"batch": {"steps_per_second": rate, "ratio": 1.0}}
            for name, (_, most) in DOORS.items():
                if not fits(card, name) or (most and count > most):
                    continue
                try:
                    rate, ratio = ratios(card, name, count)
                except ImportError as error:
                    print(f"{name} is left out: {error}")
                    continue
                rows[name] = {"steps_per_second": rate, "ratio": ratio}
                print(f"{card.id:28}{count:>6}  {name:28}{rate:>14,.0f}{ratio:>7.2f}", flush=True)
            result.setdefault(env_id, {})[str(count)] = rows
    folder = Path(__file__).parent / "results"
    write_atomic(folder / "doors.json", json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
