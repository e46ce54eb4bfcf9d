"""PPO by self-play, for two players: the opponents are earlier versions of the learner.

Each episode's opponent is the present policy or one of a pool of earlier ones, all equally likely, so that what was
learned against old opponents is not forgotten (Bansal et al. 2018, "Emergent Complexity via Multi-Agent Competition").
Evaluation is against the random policy: the return is the learner's own, ``win_share`` counts a draw as half.

Run ``python baselines/selfplay.py --help`` for all settings; those of an environment come from
``baselines/selfplay.toml``.
"""

from dataclasses import dataclass
from typing import Any

import torch
from launch import main
from matchmaking import Learner, MatchConfig


@dataclass
class SelfPlayConfig(MatchConfig):
    """Settings of self-play, beside those of `MatchConfig`.

    Attributes:
        pool: earlier policies kept; each new one takes the place of the oldest.
        pool_every: environment steps between additions to the pool.
        latest: share of episodes against the present policy.
    """

    algorithm = "selfplay"

    pool: int = 8
    pool_every: int = 20_000
    latest: float = 0.5
    final_rate: float = 0.0


class SelfPlay(Learner):
    """One training run."""

    kept = (*Learner.kept, "admitted")
    unused = ("memory",)

    def begin(self) -> None:
        """Nobody is in the pool yet."""
        self.admitted = 0

    def weights(self) -> torch.Tensor:
        """The present policy, and the pool evenly."""
        count = len(self.history)
        if not count:
            return torch.ones(1)
        return torch.tensor([self.config.latest] + [(1 - self.config.latest) / count] * count)

    def iterate(self) -> dict[str, Any]:
        """As PPO; from time to time the policy joins the pool."""
        if self.steps >= self.admitted:
            self.history.add(self.agent)
            if len(self.history) > self.config.pool:
                self.rows.drop_oldest()
            self.admitted += self.config.pool_every
        return super().iterate() | {"opponents": len(self.history)}


if __name__ == "__main__":
    main(SelfPlay, SelfPlayConfig)
