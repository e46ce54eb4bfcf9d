"""Fictitious self-play with PPO, for two players: learn to answer the average of all policies so far.

Opponents are drawn evenly from the whole history, which begins with the untrained policy; at regular intervals the
learner joins it. What comes out is that average: a member of the history, drawn anew for each episode. In zero-sum
games the average of exact best responses converges to equilibrium (Robinson 1951; for learned ones Heinrich et al.
2015, "Fictitious Self-Play in Extensive-Form Games").

Run ``python baselines/fictitious_selfplay.py --help`` for all settings; those of an environment come from
``baselines/fictitious_selfplay.toml``.
"""

from dataclasses import dataclass
from typing import Any

import torch
from launch import main
from matchmaking import Learner, MatchConfig


@dataclass
class FictitiousSelfPlayConfig(MatchConfig):
    """Settings of fictitious self-play, beside those of `MatchConfig`.

    Attributes:
        admit_every: environment steps between additions to the history.
    """

    algorithm = "fictitious_selfplay"

    admit_every: int = 50_000


class FictitiousSelfPlay(Learner):
    """One training run."""

    unused = ("memory",)

    def begin(self) -> None:
        """The history begins with the untrained policy."""
        self.history.add(self.agent)

    def weights(self) -> torch.Tensor:
        """All of the history evenly, the present policy never."""
        count = len(self.history)
        return torch.tensor([0.0] + [1 / count] * count)

    def iterate(self) -> dict[str, Any]:
        """As PPO; from time to time the policy joins the history."""
        numbers = super().iterate()
        if self.steps >= len(self.history) * self.config.admit_every:
            self.history.add(self.agent)
        return numbers | {"opponents": len(self.history)}

    def strategy(self) -> list[tuple[Any, float]]:
        """The average of the history; the untrained policy was no answer to anything, and is left out."""
        members = self.history.agents[1:] or self.history.agents
        return [(agent, 1 / len(members)) for agent in members]


if __name__ == "__main__":
    main(FictitiousSelfPlay, FictitiousSelfPlayConfig)
