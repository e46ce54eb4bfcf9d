"""Proximal policy optimisation (Schulman et al. 2017) in one file.

Reads the batch environment in SAME_STEP mode without copies; details follow Huang et al. (2022), "The 37
implementation details of PPO". Actor and critic are separate tanh networks; where the environment reports a privileged
vector in its info, the critic sees that instead of the observation (asymmetric actor-critic, Pinto et al. 2018).

Run ``python baselines/ppo.py --help`` for all settings; those of an environment come from ``baselines/ppo.toml``.
"""

import argparse
import dataclasses
import itertools
import math
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from torch import nn

import envsuite
from envsuite.agents.network import NetworkPolicy
from envsuite.evaluation.records import RunFolder
from envsuite.evaluation.rollout import Episodes, play

OBSERVATION_LIMIT = 10.0  # normalised observations are clipped here (detail 5 of the nine for continuous control)


@dataclass
class Config:
    """All settings of a run.

    Attributes:
        env_id: environment to train on.
        env_options: options of the environment while training, for instance a shaped reward.
        stages: curriculum; from ``step`` on, the world's method named by each other key has been called with its value.
        total_steps: environment steps, all instances together.
        num_envs: instances stepped at once.
        num_steps: steps of each instance between updates.
        epochs: passes over each batch of experience.
        minibatches: parts that a pass is cut into.
        learning_rate: initial step size of Adam; decays linearly to `final_rate` of it.
        final_rate: share of the step size that is left at the end.
        gamma: discount.
        gae_lambda: Schulman et al. (2016).
        clip: range of the probability ratio.
        entropy: coefficient of the entropy bonus.
        value: coefficient of the value loss.
        max_gradient: norm at which gradients are clipped.
        log_std: initial logarithm of the action noise (continuous actions).
        final_log_std: its upper bound at the end, which falls linearly from `log_std`; evaluation is without noise, and
            this brings training near to it.
        hidden: units of each hidden layer.
        privileged: info key of the critic's input; empty for the observation.
        seed: of everything random.
        threads: PyTorch threads; 0 leaves PyTorch's own choice.
        evaluations: evaluations along the way, equally spaced, the last at the end.
        episodes: evaluation episodes each time.
    """

    env_id: str = "envsuite/QuadHover-v0"
    env_options: dict[str, Any] = field(default_factory=dict)
    stages: tuple[dict[str, Any], ...] = ()
    total_steps: int = 1_000_000
    num_envs: int = 256
    num_steps: int = 64
    epochs: int = 4
    minibatches: int = 4
    learning_rate: float = 3e-4
    final_rate: float = 0.0
    gamma: float = 0.99
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.0
    value: float = 0.5
    max_gradient: float = 0.5
    log_std: float = 0.0
    final_log_std: float = math.inf
    hidden: tuple[int, ...] = (64, 64)
    privileged: str = ""
    seed: int = 0
    threads: int = 0
    evaluations: int = 20
    episodes: int = 100

    @classmethod
    def for_env(cls, env_id: str, **changes: Any) -> "Config":
        """The tuned settings of an environment from ``ppo.toml``, with changes.

        Raises:
            TypeError: an unknown setting.
        """
        table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
        settings = {**table.get(envsuite.card(env_id).id, {}), **changes, "env_id": envsuite.card(env_id).id}
        settings.pop("search", None)
        for name in ("hidden", "stages"):
            if name in settings:
                settings[name] = tuple(settings[name])
        return cls(**settings)


class Normaliser(nn.Module):
    """Running mean and variance of observations, and their normalised form."""

    def __init__(self, size: int):
        super().__init__()
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("variance", torch.ones(size))
        self.count = 1e-4

    def update(self, batch: torch.Tensor) -> None:
        """Merge the moments of a batch (Chan et al. 1979)."""
        variance, mean = torch.var_mean(batch, dim=0, correction=0)
        total = self.count + len(batch)
        delta = mean - self.mean
        self.variance = (
            self.variance * self.count + variance * len(batch) + delta**2 * self.count * len(batch) / total
        ) / total
        self.mean = self.mean + delta * len(batch) / total
        self.count = total

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        """Normalise and clip."""
        scaled = (batch - self.mean) * torch.rsqrt(self.variance + 1e-8)
        return scaled.clamp(-OBSERVATION_LIMIT, OBSERVATION_LIMIT)


def perceptron(sizes: list[int], last_gain: float) -> nn.Sequential:
    """Tanh network with orthogonal weights (gain sqrt 2, and `last_gain` for the output) and zero biases."""
    layers: list[nn.Module] = []
    for k, (inputs, outputs) in enumerate(itertools.pairwise(sizes)):
        layer = nn.Linear(inputs, outputs)
        last = k == len(sizes) - 2
        nn.init.orthogonal_(layer.weight, last_gain if last else 2**0.5)
        nn.init.zeros_(layer.bias)
        layers += [layer] if last else [layer, nn.Tanh()]
    return nn.Sequential(*layers)


class Agent(nn.Module):
    """Actor and critic."""

    def __init__(self, config: Config, observation: int, critic_input: int, action: gymnasium.Space):
        super().__init__()
        self.discrete = isinstance(action, gymnasium.spaces.Discrete)
        if not self.discrete and not isinstance(action, gymnasium.spaces.Box):
            raise ValueError(f"action space {action} is not supported, expected Box or Discrete")
        outputs = int(action.n) if self.discrete else int(np.prod(action.shape))
        self.seen, self.criticised = Normaliser(observation), Normaliser(critic_input)
        self.actor = perceptron([observation, *config.hidden, outputs], 0.01)
        self.critic = perceptron([critic_input, *config.hidden, 1], 1.0)
        self.log_std = nn.Parameter(torch.full((outputs,), config.log_std))

    def distribution(self, observation: torch.Tensor) -> torch.distributions.Distribution:
        """The policy at normalised observations."""
        output = self.actor(observation)
        if self.discrete:
            return torch.distributions.Categorical(logits=output, validate_args=False)
        normal = torch.distributions.Normal(output, self.log_std.exp(), validate_args=False)
        return torch.distributions.Independent(normal, 1, validate_args=False)

    def policy(self, env_id: str) -> NetworkPolicy:
        """The actor as plain arrays."""
        linear = [layer for layer in self.actor if isinstance(layer, nn.Linear)]
        return NetworkPolicy(
            env_id,
            self.seen.mean.numpy().copy(),
            torch.rsqrt(self.seen.variance + 1e-8).numpy().copy(),
            OBSERVATION_LIMIT,
            [layer.weight.detach().numpy().copy() for layer in linear],
            [layer.bias.detach().numpy().copy() for layer in linear],
            self.discrete,
        )


class Trainer:
    """One training run."""

    def __init__(self, config: Config):
        self.config = config
        torch.manual_seed(config.seed)
        if config.threads:
            torch.set_num_threads(config.threads)
        self.env = gymnasium.make_vec(
            config.env_id,
            num_envs=config.num_envs,
            autoreset_mode=AutoresetMode.SAME_STEP,
            **config.env_options,
        )
        space, action = self.env.single_observation_space, self.env.single_action_space
        observation, infos = self.env.reset(seed=config.seed)
        critic_input = infos[config.privileged][0].size if config.privileged else int(np.prod(space.shape))
        self.agent = Agent(config, int(np.prod(space.shape)), critic_input, action)
        self.bounds = None if self.agent.discrete else (torch.from_numpy(action.low), torch.from_numpy(action.high))
        self.optimiser = torch.optim.Adam(self.agent.parameters(), lr=config.learning_rate, eps=1e-5)
        self.observation = self._flat(observation)
        self.criticised = self._critic_input(observation, infos)
        self.running_return = torch.zeros(config.num_envs)
        self.return_spread = Normaliser(1)
        self.steps = 0
        self.stages = sorted(config.stages, key=lambda stage: stage["step"])

    def _flat(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(array).reshape(len(array), -1).float()

    def _critic_input(self, observations: np.ndarray, infos: dict[str, Any]) -> torch.Tensor:
        key = self.config.privileged
        return self._flat(np.ascontiguousarray(infos[key])) if key else self._flat(observations)

    @torch.no_grad()
    def collect(self) -> dict[str, torch.Tensor]:
        """Play `num_steps` steps and work out advantages."""
        config, agent = self.config, self.agent
        rows: dict[str, list[torch.Tensor]] = {
            key: [] for key in ("seen", "criticised", "action", "log_prob", "value", "reward", "over", "last_value")
        }
        for _ in range(config.num_steps):
            seen, criticised = agent.seen(self.observation), agent.criticised(self.criticised)
            distribution = agent.distribution(seen)
            action = distribution.sample()
            played = action if self.bounds is None else action.clamp(*self.bounds)
            observation, reward, terminated, truncated, infos = self.env.step(
                played.reshape(self.env.action_space.shape).numpy()
            )
            over = torch.from_numpy(terminated | truncated)
            last_value = torch.zeros(config.num_envs)
            if "final_obs" in infos:  # truncated episodes go on in the value function, terminated ones do not
                last_value[over] = self._final_values(infos) * torch.from_numpy(~terminated)[over]
            rows["seen"].append(self.observation)
            rows["criticised"].append(self.criticised)
            rows["action"].append(action)
            rows["log_prob"].append(distribution.log_prob(action))
            rows["value"].append(agent.critic(criticised).squeeze(1))
            rows["reward"].append(self._scaled(torch.from_numpy(reward).float(), over))
            rows["over"].append(over)
            rows["last_value"].append(last_value)
            self.observation = self._flat(observation)
            self.criticised = self._critic_input(observation, infos)
        self.steps += config.num_steps * config.num_envs
        batch = {key: torch.stack(values) for key, values in rows.items()}
        batch["advantage"] = self._advantages(batch)
        batch["return"] = batch["advantage"] + batch["value"]
        return batch

    def _final_values(self, infos: dict[str, Any]) -> torch.Tensor:
        rows = infos["final_obs_dense"]
        if self.config.privileged:
            rows = infos["final_info"][self.config.privileged][infos["_final_info"]]
        return self.agent.critic(self.agent.criticised(self._flat(np.ascontiguousarray(rows)))).squeeze(1)

    def _scaled(self, reward: torch.Tensor, over: torch.Tensor) -> torch.Tensor:
        """Rewards divided by the running spread of discounted returns, clipped to 10."""
        self.running_return = self.running_return * self.config.gamma + reward
        self.return_spread.update(self.running_return.unsqueeze(1))
        self.running_return[over] = 0.0
        return (reward / torch.sqrt(self.return_spread.variance + 1e-8)).clamp(-10.0, 10.0)

    def _advantages(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Generalised advantage estimation; an episode's end cuts the sum and puts its own last value in."""
        config = self.config
        following = self.agent.critic(self.agent.criticised(self.criticised)).squeeze(1)
        advantage = torch.zeros(config.num_envs)
        advantages = torch.zeros_like(batch["reward"])
        for step in reversed(range(config.num_steps)):
            over = batch["over"][step]
            value_after = torch.where(over, batch["last_value"][step], following)
            delta = batch["reward"][step] + config.gamma * value_after - batch["value"][step]
            advantage = delta + config.gamma * config.gae_lambda * advantage * ~over
            advantages[step] = advantage
            following = batch["value"][step]
        return advantages

    def update(self, batch: dict[str, torch.Tensor]) -> dict[str, float]:
        """Improve actor and critic on a batch of experience."""
        config, agent = self.config, self.agent
        flat = {key: value.flatten(0, 1) for key, value in batch.items()}
        seen, criticised = agent.seen(flat["seen"]), agent.criticised(flat["criticised"])
        sums = {"policy_loss": 0.0, "value_loss": 0.0, "entropy": 0.0, "kl": 0.0, "clipped": 0.0}
        updates = 0
        for _ in range(config.epochs):
            for index in torch.randperm(len(seen)).chunk(config.minibatches):
                distribution = agent.distribution(seen[index])
                log_ratio = distribution.log_prob(flat["action"][index]) - flat["log_prob"][index]
                ratio = log_ratio.exp()
                advantage = flat["advantage"][index]
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                limited = ratio.clamp(1 - config.clip, 1 + config.clip)
                policy_loss = -torch.minimum(ratio * advantage, limited * advantage).mean()
                value_loss = 0.5 * (agent.critic(criticised[index]).squeeze(1) - flat["return"][index]).pow(2).mean()
                entropy = distribution.entropy().mean()
                loss = policy_loss - config.entropy * entropy + config.value * value_loss
                if not torch.isfinite(loss):
                    raise FloatingPointError(f"the loss is {loss.item()} at environment step {self.steps}")
                self.optimiser.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), config.max_gradient)
                self.optimiser.step()
                with torch.no_grad():
                    sums["kl"] += (ratio - 1 - log_ratio).mean().item()
                    sums["clipped"] += ((ratio - 1).abs() > config.clip).float().mean().item()
                for key, value in (
                    ("policy_loss", policy_loss),
                    ("value_loss", value_loss),
                    ("entropy", entropy),
                ):
                    sums[key] += value.item()
                updates += 1
        agent.seen.update(flat["seen"])
        agent.criticised.update(flat["criticised"])
        return {key: value / updates for key, value in sums.items()}

    def _enter_stages(self) -> None:
        """Apply what the curriculum has due by now."""
        while self.stages and self.steps >= self.stages[0]["step"]:
            for method, value in self.stages.pop(0).items():
                if method != "step":
                    getattr(self.env.unwrapped.world, method)(value)

    def train(
        self,
        log: Callable[..., None] = lambda step, **numbers: None,
        progress: Callable[[int], None] = lambda steps: None,
    ) -> tuple[NetworkPolicy, Episodes]:
        """Train to the end, evaluating along the way.

        Args:
            log: called with the step and numbers, see `RunFolder.log`.
            progress: called with the steps done after each update.

        Returns:
            The policy and its last evaluation.
        """
        config = self.config
        due = np.linspace(0, config.total_steps, config.evaluations + 1)[1:]
        evaluated, training_time = 0, 0.0
        episodes = None
        while self.steps < config.total_steps:
            started = time.perf_counter()
            left = 1.0 - self.steps / config.total_steps
            if config.final_log_std < math.inf:
                bound = config.final_log_std + (config.log_std - config.final_log_std) * left
                self.agent.log_std.data.clamp_(max=bound)
            rate = config.learning_rate * (config.final_rate + (1.0 - config.final_rate) * left)
            for group in self.optimiser.param_groups:
                group["lr"] = rate
            self._enter_stages()
            numbers = self.update(self.collect())
            training_time += time.perf_counter() - started
            progress(min(self.steps, config.total_steps))
            if evaluated < len(due) and self.steps >= due[evaluated]:
                evaluated = int(np.searchsorted(due, self.steps, side="right"))
                episodes = evaluate(config, self.agent.policy(config.env_id))
                shares = {name: float(np.mean(value)) for name, value in episodes.metrics.items() if value.ndim == 1}
                mean_return = float(episodes.returns.mean())
                log(self.steps, training_time=training_time, mean_return=mean_return, **shares, **numbers)
        assert episodes is not None
        return self.agent.policy(config.env_id), episodes


def evaluate(config: Config, policy: NetworkPolicy, episodes: int | None = None) -> Episodes:
    """Play a policy on the evaluation seeds of the environment as registered, without training options."""
    card = envsuite.card(config.env_id)
    return play(card, lambda world, slots: policy, episodes or config.episodes)


def run(config: Config, root: str | Path, progress: Callable[[int], None] = lambda steps: None) -> Path:
    """Train with a run folder; the record says so when the run fails.

    Returns:
        The run folder, with ``policy.npz`` in it.
    """
    card = envsuite.card(config.env_id)
    folder = RunFolder(root, config.env_id, "ppo", dataclasses.asdict(config), config.seed, card.behaviour)
    try:
        policy, episodes = Trainer(config).train(folder.log, progress)
        policy.save(folder.path / "policy.npz")
    except BaseException as error:
        folder.finish(f"failed: {type(error).__name__}: {error}")
        raise
    folder.finish("finished", mean_return=float(episodes.returns.mean()), episodes=len(episodes.returns))
    return folder.path


def main() -> None:
    """Command line: every setting of `Config` is an option."""
    parser = argparse.ArgumentParser(description="Train PPO.", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--runs", default="runs", help="folder of run records")
    parser.add_argument("--env-id", default=Config.env_id)
    for option in dataclasses.fields(Config):
        if option.type in (int, float) or option.name == "privileged":
            kind = str if option.name == "privileged" else option.type
            parser.add_argument(f"--{option.name.replace('_', '-')}", type=kind, default=argparse.SUPPRESS)
    given = vars(parser.parse_args())
    root, env_id = given.pop("runs"), given.pop("env_id")
    config = Config.for_env(env_id, **given)
    path = run(config, root, lambda steps: print(f"\r{steps:,} / {config.total_steps:,} steps", end="", flush=True))
    print(f"\nrun folder: {path}")


if __name__ == "__main__":
    main()
