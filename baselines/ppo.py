"""Proximal policy optimisation (Schulman et al. 2017) in one file.

Reads the batch environment in SAME_STEP mode without copies; details follow Huang et al. (2022), "The 37
implementation details of PPO". Actor and critic are separate tanh networks; where the environment reports a privileged
vector in its info, the critic sees that instead of the observation (asymmetric actor-critic, Pinto et al. 2018).
Several agents share one policy and learn each from its own reward.

Run ``python baselines/ppo.py --help`` for all settings; those of an environment come from ``baselines/ppo.toml``.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import gymnasium
import numpy as np
import torch
from common import Config, Evaluations, Normaliser, Rows, Step, exported, main, perceptron
from torch import nn

from envsuite.agents.onnx import OnnxPolicy
from envsuite.evaluation.rollout import Episodes


@dataclass
class PPOConfig(Config):
    """Settings of PPO, beside those of `Config`.

    Attributes:
        num_steps: steps of each instance between updates.
        epochs: passes over each batch of experience.
        minibatches: parts that a pass is cut into.
        final_rate: share of the step size that is left at the end of its linear decay.
        gae_lambda: Schulman et al. (2016).
        clip: range of the probability ratio.
        entropy: coefficient of the entropy bonus.
        value: coefficient of the value loss.
        max_gradient: norm at which gradients are clipped.
        log_std: initial logarithm of the action noise (continuous actions).
        final_log_std: its upper bound at the end, which falls linearly from `log_std`; evaluation is without noise, and
            this brings training near to it.
    """

    algorithm = "ppo"

    num_steps: int = 64
    epochs: int = 4
    minibatches: int = 4
    final_rate: float = 0.0
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.0
    value: float = 0.5
    max_gradient: float = 0.5
    log_std: float = 0.0
    final_log_std: float = math.inf


class Agent(nn.Module):
    """Actor and critic."""

    def __init__(self, config: PPOConfig, observation: int, critic_input: int, action: gymnasium.Space):
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


class Trainer:
    """One training run."""

    def __init__(self, config: PPOConfig):
        self.config = config
        torch.manual_seed(config.seed)
        if config.threads:
            torch.set_num_threads(config.threads)
        self.rows = Rows(config)
        action = self.rows.action_space
        self.agent = Agent(config, self.rows.seen.shape[1], self.rows.criticised.shape[1], action)
        self.bounds = None if self.agent.discrete else (torch.from_numpy(action.low), torch.from_numpy(action.high))
        self.optimiser = torch.optim.Adam(self.agent.parameters(), lr=config.learning_rate, eps=1e-5)
        self.running_return = torch.zeros(self.rows.count)
        self.return_spread = Normaliser(1)
        self.steps = 0

    @torch.no_grad()
    def collect(self) -> dict[str, torch.Tensor]:
        """Play `num_steps` steps and work out advantages."""
        config, agent, rows = self.config, self.agent, self.rows
        kept: dict[str, list[torch.Tensor]] = {
            key: []
            for key in ("seen", "criticised", "action", "log_prob", "value", "reward", "over", "valid", "last_value")
        }
        for _ in range(config.num_steps):
            seen, criticised = agent.seen(rows.seen), agent.criticised(rows.criticised)
            distribution = agent.distribution(seen)
            action = distribution.sample()
            kept["seen"].append(rows.seen)
            kept["criticised"].append(rows.criticised)
            kept["action"].append(action)
            kept["log_prob"].append(distribution.log_prob(action))
            kept["value"].append(agent.critic(criticised).squeeze(1))
            step = rows.step(action if self.bounds is None else action.clamp(*self.bounds))
            kept["reward"].append(self._scaled(step.reward, step.over))
            kept["over"].append(step.over)
            kept["valid"].append(step.valid)
            kept["last_value"].append(self._last_values(step))
        self.steps += config.num_steps * config.num_envs
        batch = {key: torch.stack(values) for key, values in kept.items()}
        batch["advantage"] = self._advantages(batch)
        batch["return"] = batch["advantage"] + batch["value"]
        return batch

    def _last_values(self, step: Step) -> torch.Tensor:
        """Truncated episodes go on in the value function, terminated ones do not."""
        values = torch.zeros(self.rows.count)
        if len(step.ended):
            found = self.agent.critic(self.agent.criticised(step.final_criticised)).squeeze(1)
            values[step.ended] = found * ~step.terminated[step.ended]
        return values

    def _scaled(self, reward: torch.Tensor, over: torch.Tensor) -> torch.Tensor:
        """Rewards divided by the running spread of discounted returns, clipped to 10."""
        self.running_return = self.running_return * self.config.gamma + reward
        self.return_spread.update(self.running_return.unsqueeze(1))
        self.running_return[over] = 0.0
        return (reward / torch.sqrt(self.return_spread.variance + 1e-8)).clamp(-10.0, 10.0)

    def _advantages(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Generalised advantage estimation; an episode's end cuts the sum and puts its own last value in."""
        config = self.config
        following = self.agent.critic(self.agent.criticised(self.rows.criticised)).squeeze(1)
        advantage = torch.zeros(self.rows.count)
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
        valid = batch["valid"].flatten()
        flat = {key: value.flatten(0, 1)[valid] for key, value in batch.items()}
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

    def train(
        self,
        log: Callable[..., None] = lambda step, episodes, **numbers: None,
        progress: Callable[[int], None] = lambda steps: None,
    ) -> tuple[OnnxPolicy, Episodes]:
        """Train to the end; see `common.Trainer`."""
        config = self.config
        evaluations, training_time = Evaluations(config, log), 0.0
        while self.steps < config.total_steps:
            started = time.perf_counter()
            left = 1.0 - self.steps / config.total_steps
            if config.final_log_std < math.inf:
                bound = config.final_log_std + (config.log_std - config.final_log_std) * left
                self.agent.log_std.data.clamp_(max=bound)
            rate = config.learning_rate * (config.final_rate + (1.0 - config.final_rate) * left)
            for group in self.optimiser.param_groups:
                group["lr"] = rate
            self.rows.enter_stages(self.steps)
            numbers = self.update(self.collect())
            training_time += time.perf_counter() - started
            progress(min(self.steps, config.total_steps))
            evaluations.at(self.steps, self.policy, training_time=training_time, **numbers)
        assert evaluations.last is not None
        return self.policy(), evaluations.last

    def policy(self) -> OnnxPolicy:
        """The actor as it is now."""
        kind = "argmax" if self.agent.discrete else "clip"
        return exported(self.config.env_id, self.rows, self.agent.seen, self.agent.actor, kind)


if __name__ == "__main__":
    main(Trainer, PPOConfig)
