"""Calibrated Q-learning that goes on in the environment (Cal-QL; Nakamoto et al. 2023, arXiv 2303.05479).

First conservative Q-learning on a dataset, calibrated (`cql.py`); then the policy plays, and the same updates go on
with batches of which a part comes from its own steps. Values of the policy's actions are not pushed below what was
earned from there, in the dataset or in its own episodes once these are over.

Run ``python baselines/cal_ql.py --help`` for all settings; those of a dataset come from ``baselines/cal_ql.toml``.
"""

from dataclasses import dataclass

import torch
from cql import CQL, CQLConfig
from distributions import sample_squashed
from launch import main
from online import OnlineConfig, OnlineTrainer


@dataclass
class CalQLConfig(OnlineConfig, CQLConfig):
    """Settings: those of `OnlineConfig` and `CQLConfig`."""

    algorithm = "cal_ql"

    calibrated: bool = True


class CalQL(OnlineTrainer, CQL):
    """One training run."""

    kept = (*CQL.kept, *OnlineTrainer.online_kept)

    def explore(self, obs: torch.Tensor) -> torch.Tensor:
        """Drawn from the policy."""
        return sample_squashed(self.actor(obs))[0]


if __name__ == "__main__":
    main(CalQL, CalQLConfig)
