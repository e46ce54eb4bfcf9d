"""Policy-space response oracles, for two players (Lanctot et al. 2017).

In rounds: all policies so far play each other; the equilibrium of that table of win rates (of greatest entropy, so that
it is unique) says how often each is the opponent; PPO learns to answer that mixture; the answer joins the
population. What comes out is the equilibrium's mixture. The gain of an answer against the mixture is logged: where it
stays small the population is complete, as far as this learner can tell, and the run ends.

Run ``python baselines/psro.py --help`` for all settings; those of an environment come from ``baselines/psro.toml``.
"""

from dataclasses import dataclass
from typing import Any

import torch
from contests import Contest
from launch import main
from matchmaking import Learner, MatchConfig

from envsuite.scoring import max_entropy_equilibrium


@dataclass
class PSROConfig(MatchConfig):
    """Settings of policy-space response oracles, beside those of `MatchConfig`.

    Attributes:
        round_steps: environment steps of an answer.
        games: of each new pairing of the table, half of them on each side; 400 make a win rate certain to ± 0.05.
        warm: an answer begins as a copy of the last one; else as the first policy.
        least_gain: of an answer, win rate against the mixture times 2 minus 1.
        patience: rounds in a row with less gain, after which the run ends.
    """

    algorithm = "psro"

    round_steps: int = 100_000
    games: int = 100
    warm: bool = True
    least_gain: float = 0.05
    patience: int = 2


class PSRO(Learner):
    """One training run.

    Attributes:
        table: (p, p) float64 tensor, win rates of the population against each other.
        mixture: (p,) float64, its equilibrium.
        gains: of each answer.
    """

    kept = (*Learner.kept, "table", "mixture", "gains", "begun")
    unused = ("memory",)

    def begin(self) -> None:
        """The population begins with the untrained policy."""
        self.history.add(self.agent)
        self.table = torch.full((1, 1), 0.5, dtype=torch.float64)
        self.mixture = torch.ones(1, dtype=torch.float64)
        self.gains: list[float] = []
        self.begun = 0

    def weights(self) -> torch.Tensor:
        """The mixture; never the answer itself."""
        return torch.cat([torch.zeros(1), self.mixture.float()])

    def iterate(self) -> dict[str, Any]:
        """As PPO; a round that is over, as the last one is with the run, makes the table larger."""
        numbers = super().iterate()
        if self.steps - self.begun >= self.config.round_steps or super().finished():
            self._close_round()
        numbers |= {"population": len(self.history), "support": int((self.mixture > 0.01).sum())}
        return numbers | ({"gain": self.gains[-1]} if self.gains else {})

    def _close_round(self) -> None:
        """The answer meets everybody, joins, and the next one begins."""
        config, count = self.config, len(self.history)
        pairs = [(self.agent, other) for other in self.history.agents]
        won = Contest(config, pairs, config.games, config.seed).points().mean(dim=1)
        self.gains.append(float(2 * won @ self.mixture - 1))
        table = torch.full((count + 1, count + 1), 0.5, dtype=torch.float64)
        table[:count, :count] = self.table
        table[count, :count], table[:count, count] = won, 1 - won
        self.table = table
        self.history.add(self.agent)
        _, mixture = max_entropy_equilibrium((2 * table - 1).numpy())
        self.mixture = torch.from_numpy(mixture)
        self.begun = self.steps
        self.reset(self.agent.state_dict() if config.warm else None)

    def finished(self) -> bool:
        """Also when the last answers gained too little."""
        last = self.gains[-self.config.patience :]
        satisfied = len(last) == self.config.patience and max(last) < self.config.least_gain
        return super().finished() or satisfied

    def strategy(self) -> list[tuple[Any, float]]:
        """The population's equilibrium."""
        weights = self.mixture.tolist()
        return [(agent, weight) for agent, weight in zip(self.history.agents, weights, strict=True) if weight > 1e-3]


if __name__ == "__main__":
    main(PSRO, PSROConfig)
