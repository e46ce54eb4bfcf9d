"""Proximal policy optimisation (Schulman et al. 2017).

Reads the batch environment without copies; details follow Huang et al. (2022), "The 37 implementation details of PPO".
Actions are bounded numbers, a choice, or several choices; what info's ``action_mask`` forbids is never chosen. Vectors
go through separate networks for actor and critic, images through shared convolutions. Where the environment reports a
privileged vector in its info, the critic sees that instead of the observation (asymmetric actor-critic, Pinto et al.
2018). Several agents share one policy and learn each from its own reward.

Run ``python baselines/ppo.py --help`` for all settings; those of an environment come from ``baselines/ppo.toml``.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from config import Config
from cuda_graph import Graph
from distributions import ActionHead
from export import Exporter
from launch import main
from learning import clipped_gradient_step, explained_variance, gae, minibatches, set_rate, truncated, truncated_rows
from networks import Normaliser, Trunk, mlp, normaliser_of
from rows import Rows, Step
from torch import nn
from trainer import Trainer

from envsuite.agents.onnx import OnnxPolicy
from envsuite.agents.onnx.interface import Kind
from envsuite.core.companions import Players, companion

SPENT = ("reward", "done", "valid", "bootstrap_value")
"""Columns of a batch that have gone into its advantages."""


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
        final_clip: share of that range that is left at the end of its linear decay.
        value_clip: range within which a value may move from the old one without losing its gradient; 0 for no limit.
        target_kl: estimate of the divergence from the old policy at which a batch is left; 0 for no limit.
        entropy: coefficient of the entropy bonus.
        value: coefficient of the value loss.
        max_gradient: norm at which gradients are clipped.
        scale_rewards: whether rewards are divided by the running spread of discounted returns.
        initial_action: mean of the actions at first (continuous actions), for instance the thrust that carries a drone;
            a number for all or one for each.
        log_std: initial logarithm of the action noise (continuous actions).
        final_log_std: its upper bound at the end, which falls linearly from `log_std`; evaluation is without noise, and
            this brings training near to it.
        sampled: whether the finished policy draws its choices; else it takes the likeliest.
        teach: weight of the distance from what the environment's reference player, which may know more than the
            observation, would do in the same states (kickstarting, Schmitt et al. 2018); 0 for no teacher.
        final_teach: share of that weight that is left at the end of its linear decay.
        kinds: names of the observation's blocks whose numbers are kinds, not amounts, see `one_hot`.
    """

    algorithm = "ppo"

    num_steps: int = 64
    epochs: int = 4
    minibatches: int = 4
    final_rate: float = 0.0
    gae_lambda: float = 0.95
    clip: float = 0.2
    final_clip: float = 1.0
    value_clip: float = 0.0
    target_kl: float = 0.0
    entropy: float = 0.0
    value: float = 0.5
    max_gradient: float = 0.5
    scale_rewards: bool = True
    initial_action: tuple[float, ...] = (0.0,)
    log_std: float = 0.0
    final_log_std: float = math.inf
    sampled: bool = False
    teach: float = 0.0
    final_teach: float = 0.0
    kinds: tuple[str, ...] = ()


class Agent(nn.Module):
    """Actor and critic."""

    def __init__(self, config: PPOConfig, rows: Rows):
        super().__init__()
        self.actions = ActionHead(rows.action_space, config.log_std)
        self.obs_normaliser = normaliser_of(rows.shape, config.normalise)
        self.critic_normaliser = (
            normaliser_of(rows.critic_shape, config.normalise) if config.privileged else self.obs_normaliser
        )
        self.trunk = Trunk(rows.shape)
        self.shared = len(rows.critic_shape) == 3
        inputs = self.trunk.features if self.shared else rows.critic_shape[0]
        self.actor = mlp([self.trunk.features, *config.hidden, self.actions.outputs], 0.01, config.activation)
        self.critic = mlp([inputs, *config.hidden, 1], 1.0, config.activation)
        if not self.actions.heads:
            self.actor[-1].bias.data[:] = torch.tensor(config.initial_action)

    def policy_and_value(
        self, obs: torch.Tensor, critic_obs: torch.Tensor, mask: torch.Tensor | None
    ) -> tuple[Any, torch.Tensor]:
        """The policy and the values (r,) at normalised inputs."""
        features = self.trunk(obs)
        value = self.critic(features if self.shared else critic_obs).squeeze(1)
        return self.actions.distribution(self.actor(features), mask), value

    def values(self, critic_obs: torch.Tensor) -> torch.Tensor:
        """(r,) of inputs as they come."""
        inputs = self.critic_normaliser(critic_obs)
        return self.critic(self.trunk(inputs) if self.shared else inputs).squeeze(1)


class Teacher:
    """The environment's reference player beside the learner.

    Args:
        rows: whose states it sees; all that it may remember is forgotten.
        seed: of what it draws.

    Raises:
        ValueError: rows that are only some of the environment's agents.
    """

    def __init__(self, rows: Rows, seed: int):
        agents = rows.env.num_envs * max(1, len(rows.env.world.agents))
        if rows.count != agents:
            raise ValueError(f"teach needs rows of all agents: there are {agents} agents and {rows.count} rows")
        if not hasattr(rows.env, "batch"):
            raise ValueError("teach needs device 'cpu', where the reference player is")
        if rows.one_hot:
            raise ValueError("teach needs observations as the reference player has them, so kinds must be empty")
        self._rows, self._player = rows, companion(rows.env.world, Players).expert()
        self._seeds = np.arange(rows.env.num_envs, dtype=np.int64) + seed
        self._player.reset(np.ones(len(self._seeds), np.bool_), self._seeds)

    def act(self) -> torch.Tensor:
        """What it would do now: (r, A), or (r, heads) int64."""
        env, rows = self._rows.env, self._rows
        obs = rows.obs.numpy().reshape(env.observation_space.shape)
        actions = torch.from_numpy(self._player.act(obs, env.batch.states))
        actions = actions.reshape(-1, max(1, math.prod(rows.action_space.shape)))
        return actions if actions.is_floating_point() else actions.long()

    def forget(self, episode_start: torch.Tensor) -> None:
        """Forget episodes that are over; `episode_start` are the rows of new ones."""
        instances = episode_start.reshape(len(self._seeds), -1)[:, 0].numpy()
        if instances.any():
            self._player.reset(instances, self._seeds)


class PPO(Trainer):
    """One training run."""

    kept = ("agent", "optimiser", "return_spread", "running_return")
    devices = ("cpu", "cuda")

    def __init__(self, config: PPOConfig):
        super().__init__(config)
        self.agent = self.make_agent()
        self.refuse_by_actions(self.agent.actions.heads)
        if not config.teach:
            self.refuse(("final_teach",), "there is no teacher, since teach is 0")
        recorded = self.recordable()
        rate: Any = torch.tensor(config.learning_rate) if recorded else config.learning_rate
        self.optimiser = torch.optim.Adam(self.agent.parameters(), lr=rate, eps=1e-5, fused=True, capturable=recorded)
        self.running_return = torch.zeros(self.rows.count)
        self.return_spread = Normaliser(1)
        self.teacher = Teacher(self.rows, config.seed) if config.teach else None
        self.graph = Graph(self.play_and_learn, self.moving, self.rows.env) if recorded else None

    def make_agent(self) -> Any:
        """The network."""
        return Agent(self.config, self.rows)

    def iterate(self) -> dict[str, Any]:
        """Play `num_steps` steps and learn from them."""
        config = self.config
        self.agent.actions.anneal_log_std(config.log_std, config.final_log_std, self.decayed())
        for group in self.optimiser.param_groups:
            set_rate(group, config.learning_rate * self.decayed(config.final_rate))
        if self.graph is None:
            return self.play_and_learn()
        after = self.steps + config.num_steps * config.num_envs
        numbers = self.graph()
        self.steps = after
        return numbers

    def play_and_learn(self) -> dict[str, Any]:
        """A round, with all that is set for it as it is."""
        return self.update(self.collect())

    def recordable(self) -> bool:
        """Whether rounds can be one CUDA graph: no part waits for the device, and nothing but tensors changes."""
        config = self.config
        plain = config.final_clip == 1.0 and not config.target_kl and not config.teach
        # classes that build on this one keep more from round to round
        return config.device == "cuda" and plain and self.rows.all_valid and type(self) is PPO

    def moving(self) -> list[tuple[Any, str]]:
        """The attributes that a round puts other tensors into."""
        spreads = [one for one in (*self.agent.modules(), self.return_spread) if isinstance(one, Normaliser)]
        found = [(self.rows, name) for name in ("obs", "critic_obs", "mask", "was_done")]
        found += [(one, name) for one in dict.fromkeys(spreads) for name in ("mean", "variance", "count")]
        return [*found, (self, "running_return")]

    def collect(self) -> dict[str, torch.Tensor]:
        """Play `num_steps` steps and work out advantages."""
        batch = self.play()
        self.steps += self.config.num_steps * self.config.num_envs
        return self.judge(batch)

    @torch.no_grad()
    def play(self) -> dict[str, torch.Tensor]:
        """Columns (t, r, ...) of `num_steps` steps."""
        config, agent, rows = self.config, self.agent, self.rows
        kept: list[dict[str, torch.Tensor]] = []
        for _ in range(config.num_steps):
            now = {"obs": rows.obs}
            if config.privileged:
                now["critic_obs"] = rows.critic_obs
            if rows.mask is not None:
                now["mask"] = rows.mask
            if self.teacher:
                now["teacher_action"] = self.teacher.act()
            distribution, extra = self.current_policy()
            now["action"] = distribution.sample()
            now["log_prob"] = distribution.log_prob(now["action"])
            step = rows.step(agent.actions.to_env(now["action"]))
            if self.teacher:
                self.teacher.forget(step.episode_start)
            now |= {"reward": step.reward, "done": step.done, "valid": step.valid, **extra, **self.after_step(step)}
            kept.append(now)
        return {key: torch.stack([now[key] for now in kept]) for key in kept[0]}

    @torch.no_grad()
    def judge(self, batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """Add values, advantages and what values are to be."""
        config, agent = self.config, self.agent
        batch["reward"] = self.scaled(batch)
        if "value" not in batch:
            critic_obs = batch["critic_obs" if config.privileged else "obs"]
            batch["value"] = agent.values(critic_obs.flatten(0, 1)).unflatten(0, critic_obs.shape[:2])
        parts = (batch[key] for key in ("reward", "value", "done", "bootstrap_value"))
        batch["advantage"] = gae(*parts, self.next_value(), config.gamma, config.gae_lambda)
        batch["return"] = batch["advantage"] + batch["value"]
        return batch

    def current_policy(self) -> tuple[Any, dict[str, torch.Tensor]]:
        """The policy at the present observations, and what else goes into the batch."""
        agent, rows = self.agent, self.rows
        features = agent.trunk(agent.obs_normaliser(rows.obs))
        return agent.actions.distribution(agent.actor(features), rows.mask), {}

    def after_step(self, step: Step) -> dict[str, torch.Tensor]:
        """What a step adds to the batch: truncated episodes go on in the value function, terminated ones do not."""
        if self.config.device == "cuda":  # without asking the device how many there are
            values = self.agent.values(step.next_critic_obs)
            return {"bootstrap_value": torch.where(truncated(step), values, 0.0)}
        values, where = torch.zeros(self.rows.count), truncated_rows(step)
        if len(where):
            values[where] = self.agent.values(step.next_critic_obs[where])
        return {"bootstrap_value": values}

    def next_value(self) -> torch.Tensor:
        """Values of the present observations."""
        return self.agent.values(self.rows.critic_obs)

    def scaled(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Rewards divided by the running spread of discounted returns, clipped to 10."""
        if not self.config.scale_rewards:
            return batch["reward"]
        returns = []
        for reward, done in zip(batch["reward"], batch["done"], strict=True):
            self.running_return = self.running_return * self.config.gamma + reward
            returns.append(self.running_return)
            self.running_return = self.running_return * ~done
        seen = torch.stack(returns)
        self.return_spread.update((seen.flatten() if self.rows.all_valid else seen[batch["valid"]]).unsqueeze(1))
        return (batch["reward"] / torch.sqrt(self.return_spread.variance + 1e-8)).clamp(-10.0, 10.0)

    def update(self, batch: dict[str, torch.Tensor]) -> dict[str, Any]:
        """Improve actor and critic on a batch of experience."""
        config, agent = self.config, self.agent
        flat = {key: value.flatten(0, 1) for key, value in batch.items() if key not in SPENT}
        if not self.rows.all_valid:
            valid = batch["valid"].flatten()
            flat = {key: value[valid] for key, value in flat.items()}
        normalisers = {"obs": agent.obs_normaliser, "critic_obs": agent.critic_normaliser}
        raw = {key: flat[key] for key in normalisers if key in flat}
        for key, values in raw.items():
            flat[key] = normalisers[key](values)
        found: list[dict[str, torch.Tensor]] = []
        for index in minibatches(len(flat["obs"]), config.epochs, config.minibatches):
            part = {key: value[index] for key, value in flat.items()}
            numbers = self.losses(part)
            if config.target_kl and numbers["kl"] > config.target_kl:
                break
            clipped_gradient_step(agent, self.optimiser, numbers["loss"], config.max_gradient)
            found.append({key: value.detach() for key, value in numbers.items()})
        for key, values in raw.items():
            normalisers[key].update(values)
        means = {key: torch.stack([one[key] for one in found]).mean() for key in found[0]} if found else {}
        return means | {"explained_variance": explained_variance(flat["value"], flat["return"])}

    def losses(self, part: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """The losses on a minibatch, their sum, and how far the policy has moved."""
        return self.ppo_losses(
            part, *self.agent.policy_and_value(part["obs"], part.get("critic_obs", part["obs"]), part.get("mask"))
        )

    def ppo_losses(
        self, part: dict[str, torch.Tensor], distribution: Any, value: torch.Tensor
    ) -> dict[str, torch.Tensor]:
        """The same, of the policy and the values as they are now."""
        config = self.config
        log_ratio = distribution.log_prob(part["action"]) - part["log_prob"]
        ratio = log_ratio.exp()
        approx_kl = (ratio - 1 - log_ratio).detach().mean()
        advantage = standardised(part["advantage"])
        reach = config.clip * self.decayed(config.final_clip)
        limited = ratio.clamp(1 - reach, 1 + reach)
        policy_loss = -torch.minimum(ratio * advantage, limited * advantage).mean()
        error = (value - part["return"]).square()
        if config.value_clip:
            near = part["value"] + (value - part["value"]).clamp(-config.value_clip, config.value_clip)
            error = torch.maximum(error, (near - part["return"]).square())
        value_loss, entropy = 0.5 * error.mean(), distribution.entropy().mean()
        numbers = {
            "loss": policy_loss - config.entropy * entropy + config.value * value_loss,
            "policy_loss": policy_loss,
            "value_loss": value_loss,
            "entropy": entropy,
            "kl_1": -log_ratio.detach().mean(),
            "kl": approx_kl,  # names of what is logged are those of the published records
            "clipped": ((ratio.detach() - 1).abs() > reach).float().mean(),
        }
        if self.teacher:
            numbers["teach_loss"] = distribution.imitation_loss(part["teacher_action"]).mean()
            numbers["loss"] = numbers["loss"] + config.teach * self.decayed(config.final_teach) * numbers["teach_loss"]
        return numbers

    def policy(self) -> OnnxPolicy:
        """The actor as it is now."""
        return self.written(self.agent)

    def written(self, agent: Any) -> OnnxPolicy:
        """A network's actor as a policy file."""
        exporter = Exporter(self.config.env_id, self.rows.env, self.rows.mask_at, one_hot=self.rows.one_hot)
        output = exporter.layers(exporter.inputs(agent.obs_normaliser, agent.trunk), agent.actor)
        return exporter.finish(output, self.action_kind)

    @property
    def action_kind(self) -> Kind:
        """What becomes of the finished policy's output."""
        if not self.agent.actions.heads:
            return "clip"
        return "sample" if self.config.sampled else "argmax"


def standardised(advantage: torch.Tensor) -> torch.Tensor:
    """Mean 0 and spread 1 (detail 7)."""
    return (advantage - advantage.mean()) / (advantage.std() + 1e-8)


if __name__ == "__main__":
    main(PPO, PPOConfig)
