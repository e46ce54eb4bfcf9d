"""Conservative Q-learning (CQL; Kumar et al. 2020, arXiv 2006.04779), and its calibrated form.

Soft actor-critic on a dataset, whose critics are also pushed down on actions that a policy might take and up on those
of the data. With ``calibrated`` (Cal-QL; Nakamoto et al. 2023, arXiv 2303.05479) values of the policy's actions are not
pushed below the discounted return that the data got from there.

Run ``python baselines/cql.py --help`` for all settings; those of a dataset come from ``baselines/cql.toml``.
"""

import copy
import math
from dataclasses import dataclass

import torch
from distributions import sample_squashed
from launch import main
from learning import gradient_step, polyak_update
from networks import mlp
from offline import OfflineConfig, OfflineTrainer
from td3 import Critics
from torch import nn

from envsuite.agents.onnx import OnnxPolicy


@dataclass
class CQLConfig(OfflineConfig):
    """Settings of CQL, beside those of `OfflineConfig`.

    Attributes:
        critic_rate: step size of the critics and of the entropy's weight; `learning_rate` is that of the actor.
        conservatism: weight of the conservative term; the paper has 5 for locomotion.
        samples: actions of each kind (uniform, of the policy now, of the policy at the next state) in that term.
        calibrated: Cal-QL.
        tau: share by which the target critics move towards the learned ones.
        weight: initial weight of the entropy.
        entropy: what the policy's entropy is held at, for each action.
    """

    algorithm = "cql"

    learning_rate: float = 3e-5
    critic_rate: float = 3e-4
    conservatism: float = 5.0
    samples: int = 10
    calibrated: bool = False
    tau: float = 0.005
    weight: float = 1.0
    entropy: float = -1.0


class CQL(OfflineTrainer):
    """One training run."""

    kept = (
        *("obs_normaliser", "actor", "critics", "target_critics", "log_weight"),
        *("actor_optimiser", "critic_optimiser", "weight_optimiser"),
    )

    def __init__(self, config: CQLConfig):
        super().__init__(config)
        self.actor = mlp([self.numbers, *config.hidden, 2 * self.actions], None, config.activation)
        self.critics = Critics(self.numbers + self.actions, config.hidden, config.activation)
        self.target_critics = copy.deepcopy(self.critics)
        self.log_weight = nn.ParameterList([torch.tensor(math.log(config.weight))])
        self.actor_optimiser = self.adam(self.actor)
        self.critic_optimiser = self.adam(self.critics, rate=config.critic_rate)
        self.weight_optimiser = torch.optim.Adam(self.log_weight.parameters(), lr=config.critic_rate)
        self.returns = self.rows.returns_to_go(config.gamma) if config.calibrated else None

    def update(self) -> dict[str, torch.Tensor]:
        """One update of the entropy's weight, the actor and the critics; the losses."""
        config, batch = self.config, self.rows.sample(self.config.batch_size)
        obs, next_obs = self.obs_normaliser(batch["obs"]), self.obs_normaliser(batch["next_obs"])
        action, log_prob = sample_squashed(self.actor(obs))
        weight_loss = -(self.log_weight[0] * (log_prob + config.entropy * self.actions).detach()).mean()
        weight_loss = gradient_step(self.weight_optimiser, weight_loss)
        weight = self.log_weight[0].exp().detach()
        actor_loss = (weight * log_prob - self.critics(obs, action).amin(0)).mean()
        actor_loss = gradient_step(self.actor_optimiser, actor_loss)
        with torch.no_grad():
            next_action, next_log_prob = sample_squashed(self.actor(next_obs))
            target = self.target_critics(next_obs, next_action).amin(0) - weight * next_log_prob
            target = batch["reward"] + batch["discount"] * target
        values = self.critics(obs, batch["action"])
        bellman = (values - target).square().mean(1).sum()
        returns = None if self.returns is None else self.returns[batch["index"]]
        gap = conservative_gap(values, *self.candidates(obs, next_obs), returns).sum()
        critic_loss = gradient_step(self.critic_optimiser, bellman + config.conservatism * gap)
        polyak_update(self.target_critics, self.critics, config.tau)
        losses = {"critic_loss": critic_loss, "actor_loss": actor_loss, "weight_loss": weight_loss}
        return losses | {"gap": gap.detach(), "value": values.detach().mean()}

    def candidates(self, obs: torch.Tensor, next_obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Actions that are pushed down.

        Returns:
            Their values (2, b, 3 samples), those of uniform actions first; the logarithms of their densities, one each.
        """
        count, size = self.config.samples, len(obs)
        wide = obs.repeat_interleave(count, 0)
        with torch.no_grad():
            drawn = [sample_squashed(self.actor(one.repeat_interleave(count, 0))) for one in (obs, next_obs)]
            uniform = torch.rand(size * count, self.actions) * 2 - 1
            actions = [uniform, *(action for action, _ in drawn)]
            flat = torch.full((size * count,), -self.actions * math.log(2.0))
            densities = [flat, *(log_prob for _, log_prob in drawn)]
        values = [self.critics(wide, action).reshape(2, size, count) for action in actions]
        return torch.cat(values, 2), torch.cat([one.reshape(size, count) for one in densities], 1)

    def policy(self) -> OnnxPolicy:
        """The actor's mean as it is now."""
        return self.exported(self.actor, columns=self.actions)


def conservative_gap(
    values: torch.Tensor, others: torch.Tensor, densities: torch.Tensor, returns: torch.Tensor | None = None
) -> torch.Tensor:
    """By how much other actions are valued above the data's (equation 4, CQL(H) with importance weights).

    Args:
        values: (2, b), of the data's actions.
        others: (2, b, 3 m), of m uniform actions and of 2 m of the policy.
        densities: (b, 3 m), logarithms of the densities that they were drawn with.
        returns: (b,), discounted returns of the data, below which the policy's actions are not pushed; None for none.

    Returns:
        (2,), means over the batch of log(mean(exp(Q) / density)) - Q(data).
    """
    if returns is not None:
        m = others.shape[2] // 3
        others = torch.cat([others[..., :m], torch.maximum(others[..., m:], returns[:, None])], 2)
    level = torch.logsumexp(others - densities, 2) - math.log(others.shape[2])
    return (level - values).mean(1)


if __name__ == "__main__":
    main(CQL, CQLConfig)
