"""Dual V-learning (f-DVL of Dual RL; Sikchi, Zheng, Zhang and Niekum 2024, arXiv 2302.08560).

The dual of reinforcement learning that stays near the data's distribution of states and actions in an f-divergence is a
loss of state values alone, on the data alone. It takes the place of IQL's expectiles: with the chi-square divergence
values are pulled up by what lies above them in the square and no longer at all far below them, with total variation
they are a quantile. Both grow slowly, where the exponential of XQL overflows.

Run ``python baselines/dvl.py --help`` for all settings; those of a dataset come from ``baselines/dvl.toml``.
"""

from dataclasses import dataclass

import torch
from iql import IQL
from launch import main
from offline import OfflineConfig

DIVERGENCES = ("chi-square", "total-variation")


@dataclass
class DVLConfig(OfflineConfig):
    """Settings of f-DVL, beside those of `OfflineConfig`.

    Attributes:
        divergence: ``"chi-square"`` or ``"total-variation"``.
        trade: what the pull up counts against the pull down, from 1/2 for the data's own values towards 1 for the best.
        beta: inverse temperature of the advantage in the policy's weights.
        tau: share by which the target critics move towards the learned ones.
    """

    algorithm = "dvl"

    divergence: str = "chi-square"
    trade: float = 0.7
    beta: float = 3.0
    tau: float = 0.005


class DVL(IQL):
    """One training run; critics, the policy and the order of updates are IQL's.

    Raises:
        ValueError: another divergence, or a trade-off by which values fall or rise without end.
    """

    config: DVLConfig

    def __init__(self, config: DVLConfig):
        if config.divergence not in DIVERGENCES:
            raise ValueError(f"divergence is {config.divergence!r}, expected one of {DIVERGENCES}")
        if not 0.5 <= config.trade < 1:
            raise ValueError(f"trade is {config.trade}, expected a number from 0.5 up to 1, which it does not reach")
        super().__init__(config)

    def value_loss(self, advantage: torch.Tensor) -> torch.Tensor:
        """See `dual_value_loss`."""
        return dual_value_loss(advantage, self.config.trade, self.config.divergence)


def dual_value_loss(advantage: torch.Tensor, trade: float, divergence: str) -> torch.Tensor:
    """Mean of (1 - l) V + l f*(Q - V), less a term without V.

    The conjugate f* is that of non-negative densities: a² / 4 + a from -2 on and -1 below for chi-square; max(a, 0) in
    the place of total variation's, which is infinite from 1/2 on.

    Args:
        advantage: (b,) Q - V, of which V alone has a gradient.
        trade: l, from 1/2 to 1.
        divergence: one of `DIVERGENCES`.
    """
    if divergence == "chi-square":
        bounded = advantage.clamp(min=-2.0)
        conjugate = bounded.square() / 4 + bounded
    else:
        conjugate = advantage.clamp(min=0.0)
    return (trade * conjugate - (1 - trade) * advantage).mean()


if __name__ == "__main__":
    main(DVL, DVLConfig)
