"""REINFORCE in self-play with advantages estimated role by role (RAE, of SPIRAL; Liu et al. 2025, arXiv 2506.24119).

Both seats of a game are played by one policy. What a seat got in a game, less the moving average of what that seat
gets, is the advantage of all it said: a seat that wins more often by the rules alone is not rewarded for it.

Run ``python baselines/role_advantage.py --help`` for all settings; those of an environment come from
``baselines/role_advantage.toml``.
"""

from dataclasses import dataclass

import torch
from dialogues import Turns
from launch import main
from token_trainer import TokenConfig, TokenTrainer

BASELINES = ("role", "shared", "none")


@dataclass
class RoleAdvantageConfig(TokenConfig):
    """Settings of role-conditioned advantages, beside those of `TokenConfig`.

    Attributes:
        baseline: ``"role"``: an average for each seat, by who began; ``"shared"``: one for all; ``"none"``.
        memory: share of an average that a batch leaves.
        to_go: whether a turn is paid for what came after it, discounted by ``gamma``; else for the whole game.
    """

    algorithm = "role_advantage"

    baseline: str = "role"
    memory: float = 0.95
    to_go: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.baseline not in BASELINES:
            raise ValueError(f"baseline is {self.baseline!r}, expected one of {', '.join(BASELINES)}")
        if not 0 <= self.memory < 1:
            raise ValueError(f"memory is {self.memory}, expected a number from 0 to below 1")


class RoleAdvantage(TokenTrainer):
    """One training run.

    Attributes:
        averages: (roles,) what each role gets.
    """

    kept = (*TokenTrainer.kept, "averages", "known")

    def begin(self) -> None:
        """Nothing is known of any role."""
        if not self.config.to_go:
            self.refuse(("gamma",), "it is for to_go")
        self.averages = torch.zeros(self.rows.agents)
        self.known = torch.zeros(self.rows.agents, dtype=torch.bool)

    def advantages(self, turns: Turns) -> dict[str, torch.Tensor]:
        """What was gained, less the average of the role."""
        config, threads = self.config, turns.threads()
        gained = turns.rewards_to_go(config.gamma)
        role = turns.role if config.baseline == "role" else torch.zeros_like(turns.role)
        if not config.to_go:
            for thread in threads:
                gained[thread] = turns.reward[thread].sum()
        starts = [thread[0] for thread in threads]
        for one in range(len(self.averages)):
            mine = [k for k in starts if role[k] == one]
            if mine and config.baseline != "none":
                keep = config.memory if self.known[one] else 0.0
                self.averages[one] = keep * self.averages[one] + (1 - keep) * gained[mine].mean()
                self.known[one] = True
        found = gained - self.averages[role]
        if config.scaled:
            found = found / (found.std() + 1e-8)
        return {"advantage": found.unsqueeze(1)}


if __name__ == "__main__":
    main(RoleAdvantage, RoleAdvantageConfig)
