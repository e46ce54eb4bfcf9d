"""A league, for two players: main agent, main exploiter and league exploiters (Vinyals et al. 2019).

All learn at once and leave copies of themselves in one history. The main agent plays itself and all of the history,
more often those that it loses to; the main exploiter seeks the weaknesses of the present main agent; league exploiters
those of everybody. Exploiters begin anew from time to time, so that they do not become main agents. Shares and
thresholds are those of FightLadder (arXiv 2406.02081), for games in which both sides are the same. What comes out is
the main agent.

Run ``python baselines/league.py --help`` for all settings; those of an environment come from ``baselines/league.toml``.
"""

import copy
import dataclasses
from dataclasses import dataclass
from typing import Any

import torch
from launch import main
from matchmaking import History, Learner, MatchConfig, prioritised
from rows import Rows
from trainer import Trainer

from envsuite.agents.onnx import OnnxPolicy
from envsuite.evaluation.rollout import Episodes

MAIN, MAIN_EXPLOITER = 0, 1
"""Places of learners; the league exploiters follow."""

HISTORY_SHARE, VERIFY_SHARE = 0.5, 0.15  # of the main agent's games; it plays itself in the rest
TROUBLED, FORGOTTEN = 0.3, 0.7  # lowest win rates against exploiters, and against own past, that call for verification
HOPELESS = 0.1  # win rate against the main agent below which its exploiter practises on weaker ones
BEATEN = 0.7  # win rate against everybody that makes a copy due


@dataclass
class LeagueConfig(MatchConfig):
    """Settings of a league, beside those of `MatchConfig`; `total_steps` are those of all learners together.

    Attributes:
        league_exploiters: how many.
        copy_after: environment steps of a learner until it leaves a copy if it beats everybody; after twice as many
            it leaves one anyway.
        restart: probability that a league exploiter begins anew with its copy; the main exploiter always does.
    """

    algorithm = "league"

    league_exploiters: int = 2
    copy_after: int = 50_000
    restart: float = 0.25


class Member(Learner):
    """A learner of the league.

    Args:
        config: settings.
        history: of all.
        place: `MAIN`, `MAIN_EXPLOITER`, or above.
    """

    kept = (*(name for name in Learner.kept if name != "history"), "copied")

    def __init__(self, config: LeagueConfig, history: History | None, place: int):
        self.place, self.copied = place, 0
        super().__init__(config, history)

    def weights(self) -> torch.Tensor:
        """Of the main agent and the history as opponents."""
        win_rates = self.rows.win_rates.estimate(1 + len(self.history)).float()
        makers = torch.tensor(self.history.makers, dtype=torch.int64)
        if self.place == MAIN:
            return of_main(win_rates[1:], makers)
        if self.place == MAIN_EXPLOITER:
            return of_main_exploiter(win_rates[0], win_rates[1:], makers)
        return of_league_exploiter(win_rates[1:])

    def due(self) -> bool:
        """Whether it should leave a copy."""
        config, passed = self.config, self.steps - self.copied
        if passed < config.copy_after:
            return False
        win_rates = self.rows.win_rates.estimate(1 + len(self.history))
        if self.place == MAIN_EXPLOITER:
            win_rates = win_rates[:1]
        elif len(self.history):
            win_rates = win_rates[1:]
        return passed >= 2 * config.copy_after or bool((win_rates > BEATEN).all())

    def leave_copy(self) -> None:
        """Join the history; exploiters may begin anew."""
        self.history.add(self.agent, self.place)
        self.copied = self.steps
        if self.place == MAIN_EXPLOITER or (self.place > MAIN_EXPLOITER and torch.rand(()) < self.config.restart):
            self.reset()


def of_main(win_rates: torch.Tensor, makers: torch.Tensor) -> torch.Tensor:
    """The main agent's opponents: (1 + h,), itself first.

    Args:
        win_rates: (h,) its win rates against the history.
        makers: (h,) places of the learners that these are copies of.
    """
    weights = torch.zeros(1 + len(win_rates))
    if not len(win_rates):
        weights[0] = 1.0
        return weights
    weights[1:] += HISTORY_SHARE * prioritised(win_rates, "hard")
    left = 1 - HISTORY_SHARE
    for group, limit in ((makers != MAIN, TROUBLED), (makers == MAIN, FORGOTTEN)):
        if group.any() and win_rates[group].min() < limit:
            weights[1:][group] += VERIFY_SHARE * prioritised(win_rates[group], "hard")
            left -= VERIFY_SHARE
            break
    weights[0] = left
    return weights


def of_main_exploiter(against_main: torch.Tensor, win_rates: torch.Tensor, makers: torch.Tensor) -> torch.Tensor:
    """The main exploiter's opponents: (1 + h,), the main agent first.

    Args:
        against_main: its win rate against the present main agent.
        win_rates: (h,) against the history.
        makers: see `of_main`.
    """
    weights, past = torch.zeros(1 + len(win_rates)), makers == MAIN
    weights[0] = 1.0
    if against_main <= HOPELESS and past.any():
        weights[0] = 0.5
        weights[1:][past] = 0.5 * prioritised(win_rates[past], "even")
    return weights


def of_league_exploiter(win_rates: torch.Tensor) -> torch.Tensor:
    """A league exploiter's opponents: (1 + h,), the history, the main agent while there is none.

    Args:
        win_rates: (h,) against the history.
    """
    if not len(win_rates):
        return torch.ones(1)
    return torch.cat([torch.zeros(1), prioritised(win_rates, "capped")])


class Members:
    """The learners, as one thing that has a state."""

    def __init__(self, learners: list[Member]):
        self.learners = learners

    def state_dict(self) -> list[dict[str, Any]]:
        """Of all."""
        return [learner.state() for learner in self.learners]

    def load_state_dict(self, state: list[dict[str, Any]]) -> None:
        """Return to a moment."""
        for learner, one in zip(self.learners, state, strict=True):
            learner.restore(one)


class League(Trainer):
    """One training run."""

    kept = ("history", "members", "turn")

    def make_rows(self) -> Rows:
        """Those of the main agent; every learner has its own."""
        config, count = self.config, 2 + self.config.league_exploiters
        share = {"total_steps": config.total_steps // count}
        learners = [Member(dataclasses.replace(config, **share), None, MAIN)]
        self.history = learners[MAIN].history
        for place in range(1, count):
            own = dataclasses.replace(config, seed=config.seed + place * config.num_envs, **share)
            learners.append(Member(own, self.history, place))
        for learner in learners:
            learner.initial = copy.deepcopy(learners[MAIN].initial)
            learner.agent.load_state_dict(learner.initial)
            learner.rows.set_opponents([learners[MAIN].agent], self.history, learner.weights)
        self.members, self.turn = Members(learners), 0
        return learners[MAIN].rows

    def iterate(self) -> dict[str, Any]:
        """One learner's turn."""
        learner = self.members.learners[self.turn]
        numbers = learner.iterate()
        if learner.due():
            learner.leave_copy()
        self.turn = (self.turn + 1) % len(self.members.learners)
        self.steps = sum(one.steps for one in self.members.learners)
        chasing = self.members.learners[MAIN_EXPLOITER].rows.win_rates.estimate(1)
        return numbers | {"history": len(self.history), "exploiter_win_rate": float(chasing[0])}

    def enter_stage(self) -> None:
        """Tell all learners but the first, whose turn has come already."""
        for learner in self.members.learners[1:]:
            learner.rows.enter_stages(self.steps)

    def policy(self) -> OnnxPolicy:
        """The main agent."""
        return self.members.learners[MAIN].policy()

    def evaluate(self) -> Episodes:
        """The main agent against the random policy."""
        return self.members.learners[MAIN].evaluate()


if __name__ == "__main__":
    main(League, LeagueConfig)
