"""Reinforcement learning with prior data (RLPD; Ball et al. 2023, arXiv 2302.02948).

Soft actor-critic from scratch that plays in the environment, with every batch half from its own memory and half from a
dataset; ten critics with layer normalisation, of which two at random make a target, and many updates of them for one of
the actor.

The budget is that of the dataset's protocol (`envsuite.evaluation.online`). What is logged beside the score is the
regret: one minus the mean of the normalised scores of the evaluations so far, as a fraction (as CORL reports for the
way from offline to online).

Run ``python baselines/rlpd.py --help`` for all settings; those of a dataset come from ``baselines/rlpd.toml``.
"""

import copy
from dataclasses import dataclass
from typing import Any, Self

import torch
from launch import main
from offline import DatasetConfig, Transitions, open_dataset
from online import PARTS, OnlineSchedule, with_budget
from sac import SAC, SACConfig
from td3 import Critics


@dataclass
class RLPDConfig(SACConfig, DatasetConfig):
    """Settings of RLPD, beside those of `SACConfig` and `DatasetConfig`.

    Defaults are the authors', but for instances that step at once.

    Attributes:
        share: of a batch, that comes from the dataset.
        ensemble: critics.
        subset: of them, drawn for every target, whose least counts.
        entropy_backup: whether targets hold the entropy of what follows.
    """

    algorithm = "rlpd"

    env_id: str = ""
    total_steps: int = 40_000
    evaluations: int = PARTS
    num_envs: int = 1
    critic_rate: float = 3e-4
    first_steps: int = 5_000
    updates: float = 20.0
    share: float = 0.5
    ensemble: int = 10
    subset: int = 2
    actor_every: int = 20
    norm: bool = True
    entropy_backup: bool = True

    @classmethod
    def for_env(cls, env_id: str, **changes: Any) -> Self:
        """See `DatasetConfig.for_env`."""
        return super().for_env(env_id, **with_budget(changes))


class Mixture:
    """A memory, part of whose batches comes from a dataset.

    Args:
        memory: of the run's own transitions.
        prior: the dataset.
        share: of a batch, that comes from it.
    """

    def __init__(self, memory: Any, prior: Transitions, share: float):
        self._memory, self._prior, self._share = memory, prior, share

    def __getattr__(self, name: str) -> Any:
        return getattr(self._memory, name)

    def sample(self, size: int) -> dict[str, torch.Tensor]:
        """Rows of both."""
        known = round(size * self._share)
        mine, prior = self._memory.sample(size - known), self._prior.sample(known)
        prior |= {"critic_obs": prior["obs"], "next_critic_obs": prior["next_obs"]}
        return {name: torch.cat([values, prior[name]]) for name, values in mine.items() if name in prior}


class RLPD(OnlineSchedule, SAC):
    """One training run."""

    devices = ("cpu",)
    kept = (*SAC.kept, *OnlineSchedule.schedule_kept)
    config: RLPDConfig

    def __init__(self, config: RLPDConfig):
        super().__init__(config)
        data = open_dataset(config)
        if config.privileged:
            raise ValueError(
                f"critics cannot see {config.privileged!r}: the dataset {config.dataset} has observations alone"
            )
        if config.returns != 1:
            raise ValueError(f"returns is {config.returns}, expected 1: the dataset's transitions have one step")
        self.prior = Transitions(data, config)
        inputs = self.rows.shape[0] + len(self.action_scale)
        self.critics = Critics(inputs, config.hidden, config.activation, config.norm, config.ensemble)
        self.target_critics = copy.deepcopy(self.critics)
        self.critic_optimiser = torch.optim.Adam(self.critics.parameters(), lr=config.critic_rate, fused=True)
        self.memory: Any = Mixture(self.memory, self.prior, config.share)
        self.obs_normaliser, self.critic_normaliser = (self.prior.normaliser(config.normalise) for _ in range(2))

    def own_value(self, critic_obs: torch.Tensor, action: torch.Tensor) -> torch.Tensor:
        """(b,) values of the actor's own actions: the mean of all critics."""
        return self.critics(critic_obs, action).mean(0)

    @torch.no_grad()
    def targets(self, batch: dict[str, torch.Tensor], weight: torch.Tensor) -> torch.Tensor:
        """What the values should be: the least of some critics, drawn anew, at a drawn action."""
        action, log_prob = self.sample_action(self.obs_normaliser(batch["next_obs"]))
        some = torch.randperm(self.config.ensemble)[: self.config.subset]
        next_value = self.target_critics(self.critic_normaliser(batch["next_critic_obs"]), action)[some].amin(0)
        if self.config.entropy_backup:
            next_value = next_value - weight * log_prob
        return batch["reward"] + batch["discount"] * next_value


if __name__ == "__main__":
    main(RLPD, RLPDConfig)
