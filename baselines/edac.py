"""Ensemble-diversified actor-critic (EDAC; An et al. 2021, arXiv 2110.01548), and SAC-N.

Soft actor-critic on a dataset with many critics, the least of which counts: where there are no data they disagree, and
the least is low. They disagree more if their gradients with respect to the action point to different sides, which is
what EDAC adds to the loss (``eta``); without it (``--eta 0``) this is SAC-N, which needs more critics.

Run ``python baselines/edac.py --help`` for all settings; those of a dataset come from ``baselines/edac.toml``.
"""

from dataclasses import dataclass

import torch
from launch import main
from offline_sac import OfflineSAC, OfflineSACConfig, bellman_loss

TINY = 1e-10
"""What lengths of gradients are at least, as in the authors' code."""


@dataclass
class EDACConfig(OfflineSACConfig):
    """Settings of EDAC, beside those of `OfflineSACConfig`; defaults are the authors' for most of locomotion.

    Attributes:
        ensemble: critics.
        eta: weight of the likeness of their gradients; 0 where there is one action, whose gradients have a sign and no
            direction.
    """

    algorithm = "edac"

    total_steps: int = 3_000_000
    hidden: tuple[int, ...] = (256, 256, 256)
    ensemble: int = 10
    eta: float = 1.0


class EDAC(OfflineSAC):
    """One training run.

    Raises:
        ValueError: `eta` where it would change nothing.
    """

    config: EDACConfig

    def __init__(self, config: EDACConfig):
        super().__init__(config, config.ensemble)
        if config.eta and 1 in (self.actions, config.ensemble):
            raise ValueError(
                f"eta is {config.eta}, expected 0: it turns gradients apart, and here are {config.ensemble} critics"
                f" and {self.actions} actions"
            )

    def critic_loss(
        self, batch: dict[str, torch.Tensor], obs: torch.Tensor, next_obs: torch.Tensor
    ) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """Distance from the targets, and the likeness of the critics' gradients (algorithm 1)."""
        config, action = self.config, batch["action"]
        if not config.eta:
            return super().critic_loss(batch, obs, next_obs)
        own = action.repeat(config.ensemble, 1, 1).requires_grad_()  # one copy a critic, so that gradients stay apart
        values = self.critics.layers(torch.cat([obs.expand(config.ensemble, -1, -1), own], 2)).squeeze(2)
        (gradients,) = torch.autograd.grad(values.sum(), own, create_graph=True)
        likeness = gradient_likeness(gradients)
        loss = bellman_loss(values, batch["target"]) + config.eta * likeness
        return loss, {"likeness": likeness.detach(), "value": values.detach().mean()}


def gradient_likeness(gradients: torch.Tensor) -> torch.Tensor:
    """Sum over ordered pairs of critics of the cosine between their gradients, over critics less one.

    Args:
        gradients: (N, b, A), of each critic's values with respect to the actions.

    Returns:
        A mean over the batch: N where all point to the same side.
    """
    count = len(gradients)
    units = gradients / (gradients.norm(dim=2, keepdim=True) + TINY)
    pairs = units.sum(0).square().sum(1) - units.square().sum((0, 2))
    return pairs.mean() / (count - 1)


if __name__ == "__main__":
    main(EDAC, EDACConfig)
