"""Goal-conditioned flow Q-learning: FQL (Park, Li and Levine 2025) with goals in hindsight, as in GCIQL.

One policy for all goals of a maze; its values are those of a reward of -1 until the goal is reached. OGBench's own FQL
learns each task by itself, from rewards that are made anew for its goal.

Run ``python baselines/gcfql.py --help`` for all settings; those of a dataset come from ``baselines/gcfql.toml``.
"""

from dataclasses import dataclass

import torch
from fql import FQL, FQLConfig
from gcbc import GCBCConfig, GoalTransitions, goal_rows
from launch import main
from offline import OfflineTrainer


@dataclass
class GCFQLConfig(FQLConfig, GCBCConfig):
    """Settings of goal-conditioned FQL: those of `FQLConfig`, and of `GCBCConfig` about goals."""

    algorithm = "gcfql"

    batch_size: int = 256
    scale_values: bool = True
    pessimistic: bool = True


class GCFQL(FQL):
    """One training run."""

    unused = (*OfflineTrainer.unused, "reward_scale", "reward_shift")
    config: GCFQLConfig

    def make_rows(self) -> GoalTransitions:
        """What it learns from."""
        return goal_rows(self.config)

    def sample(self, size: int = 0) -> dict[str, torch.Tensor]:
        """Transitions with goals, see `GoalTransitions.sample_goals`."""
        return self.rows.sample_goals(size or self.config.batch_size, (self.config.seed, self.steps))


if __name__ == "__main__":
    main(GCFQL, GCFQLConfig)
