"""Multi-agent proximal policy optimisation: several agents, rewards of one or several objectives.

Agents share one network, or each has its own; the critic sees an agent's own observation (independent PPO, de Witt et
al. 2020) or those of all agents (MAPPO, Yu et al. 2022). Where rewards are vectors, one policy is trained for each
vector of weights on the objectives, all at once: values and advantages are vectors, and the weights enter where
advantages become numbers. All these networks lie side by side in one with an axis more, a group each, and train on
instances of their own.

Run ``python baselines/mappo.py --help`` for all settings; those of an environment come from ``baselines/mappo.toml``.
"""

from dataclasses import dataclass
from typing import Any

import torch
from distributions import ActionHead
from export import Exporter
from fronts import evaluate_policies, front_numbers, units_of, weight_vectors
from launch import main
from learning import clipped_gradient_step, gae, minibatches, truncated_rows
from networks import Normaliser, normaliser_of, stacked_mlp
from ppo import PPOConfig, Teacher
from rows import Rows, Step
from torch import nn
from trainer import Trainer

from envsuite.agents.onnx import OnnxPolicy
from envsuite.evaluation.rollout import Episodes

_LEARNED_FROM = (
    *("obs", "critic_inputs", "action", "log_prob", "value", "return", "advantage", "valid", "mask"),
    "teacher_action",
)
"""Columns of a batch that go into the losses."""


@dataclass
class MAPPOConfig(PPOConfig):
    """Settings for several agents, beside those of `PPOConfig`; `target_kl` is compared with the mean over networks.

    Attributes:
        sharing: agents share one network; else each has its own.
        central: the critic sees what all agents see, and which agent it judges; else what that agent sees.
        weights: on the objectives, for each policy; () for equal weights and one policy.
        divisions: instead of `weights`, all that are multiples of one over this number; see
            `envsuite.scoring.multiobjective.simplex_weights`. 0 for `weights`.
        units: of each objective: rewards are divided by them before they are weighed; () for 1.
        reference: point of the hypervolume, mean returns of an agent; () for no hypervolume.
    """

    algorithm = "mappo"

    sharing: bool = True
    central: bool = True
    weights: tuple[tuple[float, ...], ...] = ()
    divisions: int = 0
    units: tuple[float, ...] = ()
    reference: tuple[float, ...] = ()
    num_envs: int = 64


class Groups:
    """How rows (instance after instance, agents of one together) are dealt to networks.

    Args:
        rows: of the environment.
        policies: number of policies, each with an equal part of the instances.
        sharing: whether agents share a network.

    Attributes:
        count: networks side by side.
    """

    def __init__(self, rows: Rows, policies: int, sharing: bool):
        instances = rows.count // rows.agents
        if instances % policies:
            raise ValueError(f"num_envs is {instances}, expected a multiple of the {policies} policies")
        self._policies, self._agents, self._sharing = policies, rows.agents, sharing
        self.count = policies if sharing else policies * rows.agents

    def split(self, rows: torch.Tensor) -> torch.Tensor:
        """(r, ...) to (groups, rows of each, ...)."""
        parts = rows.unflatten(0, (self._policies, -1, self._agents))
        return parts.flatten(1, 2) if self._sharing else parts.transpose(1, 2).flatten(0, 1)

    def join(self, parts: torch.Tensor) -> torch.Tensor:
        """(groups, rows of each, ...) to (r, ...)."""
        if self._sharing:
            return parts.flatten(0, 1)
        return parts.unflatten(0, (self._policies, self._agents)).transpose(1, 2).flatten(0, 2)


class Agents(nn.Module):
    """Actors and critics of all groups."""

    def __init__(self, config: MAPPOConfig, rows: Rows, groups: int):
        super().__init__()
        if len(rows.shape) != 1 or len(rows.critic_shape) != 1:
            raise ValueError(f"observations of shape {rows.shape} are not supported, expected vectors")
        self.actions = ActionHead(rows.action_space, config.log_std)
        if not self.actions.heads:
            self.actions.log_std = nn.Parameter(torch.full((groups, 1, self.actions.outputs), config.log_std))
        self.obs_normaliser = normaliser_of(rows.shape, config.normalise)
        self.critic_normaliser = normaliser_of(rows.critic_shape, config.normalise)
        self._agents, self._central = rows.agents, config.central
        inputs = (rows.critic_shape[0] + 1) * rows.agents if config.central else rows.critic_shape[0]
        sizes = [rows.shape[0], *config.hidden, self.actions.outputs]
        self.actors = stacked_mlp(groups, sizes, config.activation, 0.01)
        self.critics = stacked_mlp(groups, [inputs, *config.hidden, max(1, rows.objectives)], config.activation, 1.0)
        if not self.actions.heads:
            self.actors[-1].bias.data[:] = torch.tensor(config.initial_action)

    def critic_inputs(self, critic_obs: torch.Tensor) -> torch.Tensor:
        """The critics' inputs (r, C) of what rows (r, c) show: normalised; of all agents where it is central."""
        inputs = self.critic_normaliser(critic_obs)
        if not self._central:
            return inputs
        together = inputs.unflatten(0, (-1, self._agents)).flatten(1).repeat_interleave(self._agents, 0)
        which = torch.eye(self._agents).repeat(len(inputs) // self._agents, 1)
        return torch.cat([together, which], 1)


class MAPPO(Trainer):
    """One training run."""

    takes_vectors = True
    devices = ("cpu", "cuda")
    unused = ("kinds",)
    kept = ("agents", "optimiser", "return_spread", "running_return")

    def __init__(self, config: MAPPOConfig):
        super().__init__(config)
        rows = self.rows
        self.weights = torch.tensor(weight_vectors(config, max(1, rows.objectives)), dtype=torch.float32)
        self.units = units_of(config, max(1, rows.objectives))
        self.groups = Groups(rows, len(self.weights), config.sharing)
        self.agents = Agents(config, rows, self.groups.count)
        self.refuse_by_actions(self.agents.actions.heads)
        if not config.teach:
            self.refuse(("final_teach",), "there is no teacher, since teach is 0")
        self.optimiser = torch.optim.Adam(self.agents.parameters(), lr=config.learning_rate, eps=1e-5, fused=True)
        self.teacher = Teacher(rows, config.seed) if config.teach else None
        self.running_return = torch.zeros(rows.count)
        self.return_spread = Normaliser(len(self.weights))

    @property
    def row_weights(self) -> torch.Tensor:
        """Weights (r, objectives) of each row's policy."""
        return self.weights.repeat_interleave(self.rows.count // len(self.weights), 0)

    def iterate(self) -> dict[str, Any]:
        """Play `num_steps` steps and learn from them."""
        config = self.config
        self.agents.actions.anneal_log_std(config.log_std, config.final_log_std, self.decayed())
        for group in self.optimiser.param_groups:
            group["lr"] = config.learning_rate * self.decayed(config.final_rate)
        return self.update(self.collect())

    def _values(self, critic_inputs: torch.Tensor) -> torch.Tensor:
        return self.groups.join(self.agents.critics(self.groups.split(critic_inputs)))

    def _distribution(self, obs: torch.Tensor, mask: torch.Tensor | None) -> Any:
        """Of all groups' rows."""
        allowed = None if mask is None else self.groups.split(mask)
        return self.agents.actions.distribution(
            self.agents.actors(self.groups.split(self.agents.obs_normaliser(obs))), allowed
        )

    @torch.no_grad()
    def collect(self) -> dict[str, torch.Tensor]:
        """Play `num_steps` steps and work out advantages, one for each objective."""
        config, agents, rows = self.config, self.agents, self.rows
        kept: list[dict[str, torch.Tensor]] = []
        for _ in range(config.num_steps):
            now = {
                "obs": rows.obs,
                "critic_inputs": agents.critic_inputs(rows.critic_obs),
                "critic_obs": rows.critic_obs,
            }
            if rows.mask is not None:
                now["mask"] = rows.mask
            if self.teacher:
                now["teacher_action"] = self.teacher.act()
            distribution = self._distribution(rows.obs, rows.mask)
            action = distribution.sample()
            now["action"], now["log_prob"] = (self.groups.join(one) for one in (action, distribution.log_prob(action)))
            now["value"] = self._values(now["critic_inputs"])
            step = rows.step(agents.actions.to_env(now["action"]))
            if self.teacher:
                self.teacher.forget(step.episode_start)
            now["reward"] = self._scaled(step)
            now |= {"done": step.done, "valid": step.valid, "bootstrap_value": self._bootstrap_values(step)}
            kept.append(now)
        self.steps += config.num_steps * config.num_envs
        batch = {key: torch.stack([now[key] for now in kept]) for key in kept[0]}
        parts = (batch[key] for key in ("reward", "value", "done", "bootstrap_value"))
        next_value = self._values(agents.critic_inputs(rows.critic_obs))
        found = gae(*parts, next_value, config.gamma, config.gae_lambda)
        batch["return"] = found + batch["value"]
        batch["advantage"] = (found * self.row_weights).sum(-1)
        return batch

    def _bootstrap_values(self, step: Step) -> torch.Tensor:
        """Truncated episodes go on in the value function, terminated ones do not."""
        values, truncated = torch.zeros(self.rows.count, self.weights.shape[1]), truncated_rows(step)
        if len(truncated):
            values[truncated] = self._values(self.agents.critic_inputs(step.next_critic_obs))[truncated]
        return values

    def _scaled(self, step: Step) -> torch.Tensor:
        """Rewards (r, objectives), all divided by the running spread of the weighted discounted returns."""
        reward = step.reward.reshape(self.rows.count, -1) / self.units
        if not self.config.scale_rewards:
            return reward
        self.running_return = self.running_return * self.config.gamma + (reward * self.row_weights).sum(1)
        by_policy = self.running_return.unflatten(0, (len(self.weights), -1))
        self.return_spread.update(by_policy.T)
        self.running_return[step.done] = 0.0
        spread = torch.sqrt(self.return_spread.variance + 1e-8).repeat_interleave(by_policy.shape[1])
        return (reward / spread.unsqueeze(1)).clamp(-10.0, 10.0)

    def update(self, batch: dict[str, torch.Tensor]) -> dict[str, Any]:
        """Improve all actors and critics; rows that are no experience have no weight."""
        config, agents = self.config, self.agents
        names = [key for key in _LEARNED_FROM if key in batch]
        parts = [torch.stack([self.groups.split(one) for one in batch[key]], 1) for key in names]
        data = dict(zip(names, [one.flatten(1, 2) for one in parts], strict=True))
        data["obs"] = agents.obs_normaliser(data["obs"])
        found: list[dict[str, torch.Tensor]] = []
        for index in minibatches(data["valid"].shape[1], config.epochs, config.minibatches):
            numbers = self.losses({key: one[:, index] for key, one in data.items()})
            if config.target_kl and numbers["kl"] > config.target_kl * self.groups.count:
                break
            clipped_gradient_step(agents, self.optimiser, numbers["loss"], config.max_gradient)
            found.append({key: one.detach() for key, one in numbers.items()})
        self.update_normalisers(batch)
        return {key: torch.stack([one[key] for one in found]).mean() for key in found[0]} if found else {}

    def update_normalisers(self, batch: dict[str, torch.Tensor]) -> None:
        """Take the batch into the running moments of the inputs."""
        self.agents.obs_normaliser.update(batch["obs"][batch["valid"]])
        self.agents.critic_normaliser.update(batch["critic_obs"][batch["valid"]])

    def losses(self, part: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """The losses on a minibatch (groups, rows of each); each group's is its own mean."""
        config, agents = self.config, self.agents
        share = part["valid"] / part["valid"].sum(1, keepdim=True).clamp(min=1)

        def mean(values: torch.Tensor) -> torch.Tensor:
            return (values * share).sum(1, keepdim=True)

        distribution = agents.actions.distribution(agents.actors(part["obs"]), part.get("mask"))
        log_ratio = distribution.log_prob(part["action"]) - part["log_prob"]
        ratio = log_ratio.exp()
        centred = part["advantage"] - mean(part["advantage"])
        advantage = centred / (mean(centred.square()).sqrt() + 1e-8)
        reach = config.clip * self.decayed(config.final_clip)
        limited = ratio.clamp(1 - reach, 1 + reach)
        policy_loss = -mean(torch.minimum(ratio * advantage, limited * advantage)).sum()
        value = agents.critics(part["critic_inputs"])
        error = (value - part["return"]).square()
        if config.value_clip:
            near = part["value"] + (value - part["value"]).clamp(-config.value_clip, config.value_clip)
            error = torch.maximum(error, (near - part["return"]).square())
        value_loss, entropy = 0.5 * mean(error.mean(-1)).sum(), mean(distribution.entropy()).sum()
        numbers = {
            "loss": policy_loss - config.entropy * entropy + config.value * value_loss,
            "policy_loss": policy_loss,
            "value_loss": value_loss,
            "entropy": entropy,
            "kl": mean(ratio.detach() - 1 - log_ratio.detach()).sum(),
        }
        if self.teacher:
            numbers["teach_loss"] = mean(distribution.imitation_loss(part["teacher_action"])).sum()
            numbers["loss"] = numbers["loss"] + config.teach * self.decayed(config.final_teach) * numbers["teach_loss"]
        return numbers

    def policy(self, which: int = 0) -> OnnxPolicy:
        """One of the policies as it is now."""
        config, rows, agents = self.config, self.rows, self.agents
        kind = "clip" if not agents.actions.heads else "sample" if config.sampled else "argmax"
        exporter = Exporter(config.env_id, rows.env, rows.mask_at, 1 if config.sharing else rows.agents)
        width = 1 if config.sharing else rows.agents
        outputs = []
        for k in range(width):
            layers = (one.part(which * width + k) if hasattr(one, "part") else one for one in agents.actors)
            outputs.append(exporter.layers(exporter.inputs(agents.obs_normaliser, agent=k), nn.Sequential(*layers)))
        return exporter.finish(outputs, kind)

    def policies(self) -> dict[str, OnnxPolicy]:
        """One for each vector of weights; the first is ``policy``."""
        return {f"policy-{k}" if k else "policy": self.policy(k) for k in range(len(self.weights))}

    def evaluate(self) -> Episodes:
        """Each policy on the evaluation seeds; returns are weighted by its own weights, objectives are metrics."""
        return evaluate_policies(self.config, zip(self.policies().values(), self.weights, strict=True))

    def summary(self, episodes: Episodes) -> dict[str, float]:
        """Means of the metrics, of each policy's objectives, and what the set of them is worth."""
        return super().summary(episodes) | front_numbers(self.config, episodes)


if __name__ == "__main__":
    main(MAPPO, MAPPOConfig)
