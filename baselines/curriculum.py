"""PPO through the levels of the fights' computer players.

A grid of opponents and levels holds running win rates w. An opponent's level is drawn with weights (1 - w) m, where m
is 1 if the level below is beaten often enough (the lowest one always), else small: the learner climbs as it gets
better, opponent by opponent, and goes back to what it loses to. Evaluation is against the environment's own level.

Run ``python baselines/curriculum.py --help`` for all settings; those of an environment come from
``baselines/curriculum.toml``.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from launch import main
from ppo import PPO, PPOConfig
from rows import Rows, Step

from envsuite.fighting.params import CHARACTERS, LEVELS


@dataclass
class CurriculumConfig(PPOConfig):
    """Settings of the curriculum, beside those of `PPOConfig`.

    Attributes:
        memory: weight of a result after the next one against the same opponent of the same level.
        beaten: win rate against a level that opens the one above.
        closed: m of the levels that are not open.
    """

    algorithm = "curriculum"

    memory: float = 0.98
    beaten: float = 0.6
    closed: float = 0.1
    sampled: bool = True


def level_weights(win_rates: torch.Tensor, beaten: float, closed: float) -> torch.Tensor:
    """Probabilities of levels for each opponent, (c, levels), each row with the sum 1.

    Args:
        win_rates: (c, levels) win rates.
        beaten: see `CurriculumConfig`.
        closed: likewise.
    """
    open_ = torch.ones_like(win_rates, dtype=torch.bool)
    open_[:, 1:] = win_rates[:, :-1] >= beaten
    weights = (1 - win_rates).clamp(min=1e-6) * torch.where(open_, 1.0, closed)
    return weights / weights.sum(dim=1, keepdim=True)


class CurriculumRows(Rows):
    """Rows whose computer players get their levels from the grid.

    Attributes:
        points: (characters, levels) float64, weighted sum of results.
        games: likewise, weighted number.
    """

    def __init__(self, config: CurriculumConfig):
        super().__init__(config)
        if "other_level" not in (self.env.world.info_dtype.names or ()) or self.agents != 1:
            raise ValueError(f"{config.env_id} has no computer players of several levels")
        self._config = config
        self.points = torch.zeros(CHARACTERS, LEVELS, dtype=torch.float64)
        self.games = torch.zeros_like(self.points)
        self._choose(np.arange(config.num_envs))

    def win_rates(self) -> torch.Tensor:
        """(characters, levels) win rates; 1/2 where there was no game."""
        return torch.where(self.games > 0, self.points / self.games.clamp(min=1e-12), 0.5)

    def _choose(self, instances: np.ndarray) -> None:
        """Give the opponents of new episodes their levels."""
        config, fighters = self._config, self.env.batch.states["fighters"]
        odds = level_weights(self.win_rates(), config.beaten, config.closed)
        who = torch.from_numpy(fighters["character"][instances, 1].astype(np.int64))
        fighters["level"][instances, 1] = 1 + torch.multinomial(odds[who].float(), 1).squeeze(1).numpy()

    def step(self, actions: torch.Tensor) -> Step:
        """As `Rows.step`; results go into the grid."""
        step = super().step(actions)
        ended = step.episode_start.nonzero().squeeze(1).numpy()
        if len(ended):
            last = self.infos["final_info"]
            cell = last["other_character"][ended].astype(np.int64) * LEVELS + last["other_level"][ended] - 1
            where = torch.from_numpy(cell)
            won = torch.from_numpy((last["won"][ended] + 1.0) / 2)
            count = torch.bincount(where, minlength=self.games.numel()).double().reshape(self.games.shape)
            new = torch.bincount(where, weights=won, minlength=self.games.numel()).reshape(self.games.shape)
            kept = self._config.memory**count
            self.games, self.points = self.games * kept + count, self.points * kept + new
            self._choose(ended)
        return step

    def state_dict(self) -> dict[str, Any]:
        """The moment, to the bit."""
        return super().state_dict() | {"points": self.points, "games": self.games}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Return to a moment."""
        super().load_state_dict(state)
        self.points, self.games = state["points"], state["games"]


class Curriculum(PPO):
    """One training run."""

    devices = ("cpu",)

    def make_rows(self) -> CurriculumRows:
        """With levels from the grid."""
        if self.config.autoreset != "SameStep":
            raise ValueError(f"autoreset is {self.config.autoreset!r}, expected 'SameStep': levels are set at once")
        return CurriculumRows(self.config)

    def iterate(self) -> dict[str, Any]:
        """As PPO; the mean win rate at each level is logged."""
        win_rates = self.rows.win_rates().mean(dim=0).tolist()
        return super().iterate() | {f"rate_{k + 1}": rate for k, rate in enumerate(win_rates)}


if __name__ == "__main__":
    main(Curriculum, CurriculumConfig)
