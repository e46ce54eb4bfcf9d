"""Goal-conditioned implicit Q-learning (GCIQL; Park et al. 2024, OGBench, arXiv 2410.20092, appendix C).

IQL's values for goals in hindsight, a reward of -1 until the goal is reached; the policy follows the values' gradient
(DDPG+BC) instead of cloning with weights.

Run ``python baselines/gciql.py --help`` for all settings; those of a dataset come from ``baselines/gciql.toml``.
"""

import copy
from dataclasses import dataclass

import torch
from gcbc import GCBCConfig, GoalTransitions, goal_actor, goal_rows, unit_spread
from iql import expectile_loss
from launch import main
from learning import gradient_step, polyak_update
from networks import mlp
from offline import OfflineTrainer
from td3 import Critics

from envsuite.agents.onnx import OnnxPolicy


@dataclass
class GCIQLConfig(GCBCConfig):
    """Settings of goal-conditioned IQL, beside those of `GCBCConfig`.

    Attributes:
        expectile: of the action values that a state's value is.
        alpha: weight of cloning in the policy's loss; 0.003 is OGBench's for point mazes.
        tau: share by which the target critics move towards the learned ones.
    """

    algorithm = "gciql"

    expectile: float = 0.9
    alpha: float = 0.003
    tau: float = 0.005


class GCIQL(OfflineTrainer):
    """One training run."""

    kept = (
        *("obs_normaliser", "actor", "critics", "target_critics", "value"),
        *("actor_optimiser", "critic_optimiser", "value_optimiser"),
    )
    unused = (*OfflineTrainer.unused, "reward_scale", "reward_shift")

    def __init__(self, config: GCIQLConfig):
        super().__init__(config)
        self.actor = goal_actor(self.numbers, self.actions, config)
        self.critics = Critics(self.numbers + self.actions, config.hidden, config.activation, norm=True)
        self.target_critics = copy.deepcopy(self.critics)
        self.value = mlp([self.numbers, *config.hidden, 1], None, config.activation, norm=True)
        self.actor_optimiser, self.critic_optimiser = self.adam(self.actor), self.adam(self.critics)
        self.value_optimiser = self.adam(self.value)

    def make_rows(self) -> GoalTransitions:
        """What it learns from."""
        return goal_rows(self.config)

    def update(self) -> dict[str, torch.Tensor]:
        """One update of the state's value, the critics and the actor; the losses."""
        config = self.config
        batch = self.rows.sample_goals(config.batch_size, (config.seed, self.steps))
        obs, action = self.obs_normaliser(batch["obs"]), batch["action"]
        with torch.no_grad():
            next_value = self.value(self.obs_normaliser(batch["next_obs"])).squeeze(1)
            best = self.target_critics(obs, action).amin(0)
        value_loss = expectile_loss(best - self.value(obs).squeeze(1), config.expectile)
        value_loss = gradient_step(self.value_optimiser, value_loss)
        target = batch["reward"] + batch["discount"] * next_value
        critic_loss = (self.critics(obs, action) - target).square().mean(1).sum()
        critic_loss = gradient_step(self.critic_optimiser, critic_loss)
        polyak_update(self.target_critics, self.critics, config.tau)
        actor_loss = gradient_step(
            self.actor_optimiser, self.actor_loss(self.obs_normaliser(batch["actor_obs"]), action)
        )
        return {
            "value_loss": value_loss,
            "critic_loss": critic_loss,
            "actor_loss": actor_loss,
            "value": next_value.mean(),
        }

    def actor_loss(self, obs: torch.Tensor, action: torch.Tensor) -> torch.Tensor:
        """The lesser value of the policy's action over its mean size, and the density of the data's."""
        mean = self.actor(obs)
        value = self.critics(obs, mean).amin(0)
        cloning = unit_spread(mean).log_prob(action).mean()
        return -value.mean() / value.abs().mean().detach() - self.config.alpha * cloning

    def policy(self) -> OnnxPolicy:
        """The actor as it is now."""
        return self.exported(self.actor[:-1])


if __name__ == "__main__":
    main(GCIQL, GCIQLConfig)
