"""Conservative Q-learning (CQL; Kumar et al. 2020, arXiv 2006.04779), and its calibrated form.

Soft actor-critic on a dataset, whose critics are also pushed down on actions that a policy might take and up on those
of the data. With ``calibrated`` (Cal-QL; Nakamoto et al. 2023, arXiv 2303.05479) values of the policy's actions are not
pushed below the discounted return that the data got from there.

Run ``python baselines/cql.py --help`` for all settings; those of a dataset come from ``baselines/cql.toml``.
"""

import math
from dataclasses import dataclass

import torch
from distributions import sample_squashed
from launch import main
from offline_sac import OfflineSAC, OfflineSACConfig, bellman_loss


@dataclass
class CQLConfig(OfflineSACConfig):
    """Settings of CQL, beside those of `OfflineSACConfig`.

    Attributes:
        conservatism: weight of the conservative term; the paper has 5 for locomotion.
        samples: actions of each kind (uniform, of the policy now, of the policy at the next state) in that term.
        calibrated: Cal-QL.
    """

    algorithm = "cql"

    learning_rate: float = 3e-5
    conservatism: float = 5.0
    samples: int = 10
    calibrated: bool = False


class CQL(OfflineSAC):
    """One training run."""

    config: CQLConfig

    def __init__(self, config: CQLConfig):
        super().__init__(config)
        self.returns = self.rows.returns_to_go(config.gamma) if config.calibrated else None

    def sample(self, size: int = 0) -> dict[str, torch.Tensor]:
        """Transitions, with what the data got from there if it is calibrated."""
        batch = super().sample(size)
        return batch if self.returns is None else batch | {"return_to_go": self.returns[batch["index"]]}

    def critic_loss(
        self, batch: dict[str, torch.Tensor], obs: torch.Tensor, next_obs: torch.Tensor
    ) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """Distance from the targets, and the conservative term."""
        values = self.critics(obs, batch["action"])
        gap = conservative_gap(values, *self.candidates(obs, next_obs), batch.get("return_to_go")).sum()
        loss = bellman_loss(values, batch["target"]) + self.config.conservatism * gap
        return loss, {"gap": gap.detach(), "value": values.detach().mean()}

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
