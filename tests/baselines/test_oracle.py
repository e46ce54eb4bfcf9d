"""Our algorithms beside Stable-Baselines3's, with equal settings, on three small tasks.

Each pair is trained with as many seeds as `SEEDS`, and the final policies are evaluated, without noise, on the same
episodes. The 99 % Welch interval of the difference must hold 0, and must be narrow enough to have noticed a fault.
``python -m pytest -m slow -s tests/baselines/test_oracle.py`` prints the table.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
sb3 = pytest.importorskip("stable_baselines3")

from dqn import DQN, DQNConfig  # noqa: E402
from ppo import PPO, PPOConfig  # noqa: E402
from sac import SAC, SACConfig  # noqa: E402
from scipy import stats  # noqa: E402
from stable_baselines3.common.noise import NormalActionNoise  # noqa: E402
from td3 import TD3, TD3Config  # noqa: E402

import envsuite  # noqa: E402
from envsuite.adapters.sb3 import SB3VecEnv  # noqa: E402
from envsuite.evaluation.rollout import play  # noqa: E402

from .worlds import small  # noqa: E402

SEEDS = range(6)
EPISODES = 40
PLAIN = {"normalise": False, "threads": 1, "evaluations": 1, "episodes": EPISODES, "hidden": (64, 64)}


@dataclasses.dataclass
class Case:
    """One comparison.

    Attributes:
        task: name of the world.
        steps: environment steps.
        num_envs: instances.
        maker: our trainer.
        config: its settings' class.
        ours: our settings.
        peer: SB3's class.
        theirs: its settings, for the same.
        margin: return within which the difference must be known; a fifth of the way from the untrained policy to the
            best, or so.
        limit: of an episode.
    """

    task: str
    steps: int
    num_envs: int
    maker: Any
    config: Any
    ours: dict
    peer: Any
    theirs: Callable[[int], dict]
    margin: float
    limit: int = 0


def _ppo(task: str, steps: int, margin: float, limit: int = 0) -> Case:
    ours = {"num_steps": 32, "epochs": 6, "minibatches": 4, "learning_rate": 1e-3, "final_rate": 1.0, "gamma": 0.98}
    ours |= {"scale_rewards": False, "value": 1.0}  # SB3's loss of values is their squared error, ours half of it
    theirs = {"n_steps": 32, "n_epochs": 6, "batch_size": 64, "learning_rate": 1e-3, "gamma": 0.98, "vf_coef": 0.5}
    return Case(task, steps, 8, PPO, PPOConfig, ours, sb3.PPO, lambda actions: theirs, margin, limit)


def _off(maker: Any, config: Any, peer: Any, task: str, steps: int, margin: float, **extra: Any) -> Case:
    ours = {"activation": "relu", "learning_rate": 1e-3, "gamma": 0.98, "batch_size": 128, "memory": 50_000}
    ours |= {"first_steps": 400, "updates": 0.25, "tau": 0.01, "returns": 1}
    own = {"final_rate": 1.0} if maker is TD3 else {"critic_rate": 1e-3}
    theirs = {"learning_rate": 1e-3, "gamma": 0.98, "batch_size": 128, "buffer_size": 50_000, "tau": 0.01}
    theirs |= {"learning_starts": 400, "train_freq": 1, "gradient_steps": 1}

    def settings(actions: int) -> dict:
        noise = {"action_noise": NormalActionNoise(np.zeros(actions), np.full(actions, 0.1))}
        return theirs | {"policy_kwargs": {"net_arch": [64, 64]}} | (noise if maker is TD3 else {})

    return Case(task, steps, 4, maker, config, ours | own, peer, settings, margin, **extra)


def _dqn() -> Case:
    ours = {"activation": "relu", "learning_rate": 1e-3, "gamma": 0.98, "batch_size": 64, "memory": 50_000}
    ours |= {"first_steps": 500, "updates": 0.5, "target_every": 200, "double": False, "explore": 0.3}
    theirs = {"learning_rate": 1e-3, "gamma": 0.98, "batch_size": 64, "buffer_size": 50_000, "learning_starts": 500}
    theirs |= {"train_freq": 2, "gradient_steps": 1, "target_update_interval": 200, "exploration_fraction": 0.3}
    theirs |= {"policy_kwargs": {"net_arch": [64, 64]}}
    return Case("Pole", 8_000, 1, DQN, DQNConfig, ours, sb3.DQN, lambda actions: theirs, 45.0, 200)


CASES = {
    "PPO on the pole": _ppo("Pole", 12_288, 45.0, 200),
    "PPO on the glider": _ppo("Glider", 12_288, 5.0),
    "SAC on the glider": _off(SAC, SACConfig, sb3.SAC, "Glider", 4_000, 4.0),
    "SAC on the pendulum": _off(SAC, SACConfig, sb3.SAC, "Pendulum", 4_800, 300.0),
    "TD3 on the glider": _off(TD3, TD3Config, sb3.TD3, "Glider", 4_000, 4.0),
    "TD3 on the pendulum": _off(TD3, TD3Config, sb3.TD3, "Pendulum", 4_800, 300.0),
    "DQN on the pole": _dqn(),
}


class Player:
    """SB3's model as a policy."""

    def __init__(self, model: Any):
        self._model = model

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Without noise."""
        return self._model.predict(observations, deterministic=True)[0]


def ours(case: Case, seed: int) -> float:
    settings = {"env_id": small(case.task, case.limit), "total_steps": case.steps, "num_envs": case.num_envs}
    config = case.config(**{**PLAIN, **settings, **case.ours, "seed": 1000 * seed})
    return float(case.maker(config).train()[1].returns.mean())


def theirs(case: Case, seed: int) -> float:
    env_id = small(case.task, case.limit)
    env = SB3VecEnv(env_id, case.num_envs)
    actions = int(np.prod(env.action_space.shape or (1,)))
    # seeds differ from ours, so that runs are independent
    model = case.peer("MlpPolicy", env, seed=1000 * seed + 500, device="cpu", **case.theirs(actions))
    model.learn(case.steps)
    return float(play(envsuite.card(env_id), lambda world, slots: Player(model), EPISODES).returns.mean())


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_equal(name):
    case = CASES[name]
    torch.set_num_threads(1)
    mine = np.array([ours(case, seed) for seed in SEEDS])
    peer = np.array([theirs(case, seed) for seed in SEEDS])
    found = stats.ttest_ind(mine, peer, equal_var=False).confidence_interval(0.99)
    print(
        f"\n| {name} | {case.steps:,} | {mine.mean():.1f} ± {mine.std(ddof=1):.1f} "
        f"| {peer.mean():.1f} ± {peer.std(ddof=1):.1f} | [{found.low:.1f}, {found.high:.1f}] |"
    )
    assert found.low <= 0.0 <= found.high
    assert abs(mine.mean() - peer.mean()) <= case.margin
