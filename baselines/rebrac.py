"""ReBRAC (Tarasov et al. 2023, arXiv 2305.09836): TD3+BC with choices of later work.

Actor and critics are held to the data by weights of their own, critics have layer normalisation, networks have three
layers. The authors use batches of 1,024 for locomotion; 256 is their setting for mazes and fits one core.

Run ``python baselines/rebrac.py --help`` for all settings; those of a dataset come from ``baselines/rebrac.toml``.
"""

from dataclasses import dataclass

import torch
from launch import main
from offline import OfflineConfig
from td3_bc import TD3BC


@dataclass
class ReBRACConfig(OfflineConfig):
    """Settings of ReBRAC, beside those of `OfflineConfig`.

    Attributes:
        actor_weight: of the square distance from the data's action in the actor's loss.
        critic_weight: of the square distance of the target's action from the data's next one, in the targets.
        tau: share by which the target networks move towards the learned ones.
        target_noise: standard deviation of the noise on the actions in targets, actions scaled to [-1, 1].
        target_noise_limit: where that noise is clipped.
        policy_delay: updates of the critics per update of the actor and the targets.
    """

    algorithm = "rebrac"

    hidden: tuple[int, ...] = (256, 256, 256)
    actor_weight: float = 0.003
    critic_weight: float = 0.001
    tau: float = 0.005
    target_noise: float = 0.2
    target_noise_limit: float = 0.5
    policy_delay: int = 2


class ReBRAC(TD3BC):
    """One training run; networks and the order of updates are TD3+BC's."""

    config: ReBRACConfig
    layer_norm = True

    @torch.no_grad()
    def targets(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """What the values should be: TD3's, less the penalty for leaving the data (equation 6).

        At the end of an episode the data have no next action, and there is no penalty.
        """
        config, obs = self.config, self.obs_normaliser(batch["next_obs"])
        action = self.target_actor(obs)
        noise = config.target_noise * torch.randn_like(action)
        action = (action + noise.clamp(-config.target_noise_limit, config.target_noise_limit)).clamp(-1.0, 1.0)
        taken, known = self.rows.next_action(batch)
        penalty = config.critic_weight * (action - taken).square().sum(1) * known
        return batch["reward"] + batch["discount"] * (self.target_critics(obs, action).amin(0) - penalty)

    def actor_loss(self, obs: torch.Tensor, action: torch.Tensor) -> torch.Tensor:
        """The distance from the data, against the lesser value over its mean size (equation 5)."""
        own = self.actor(obs)
        value = self.critics(obs, own).amin(0)
        distance = (own - action).square().sum(1)
        return (self.config.actor_weight * distance - value / value.abs().mean().detach()).mean()


if __name__ == "__main__":
    main(ReBRAC, ReBRACConfig)
