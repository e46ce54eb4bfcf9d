"""Who plays whom: histories of policies, opponents drawn by weight, and what came of the games.

For two players. A learner sits on the one side in half of the instances, on the other side in the rest; each episode's
opponent is drawn among the live learners and a history of frozen policies, by weights that every method works out in
its own way. All opponents play in one batch, each network on its slice of it.
"""

import copy
import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from contests import act_networks, mixed_games
from players import POPULATION
from ppo import PPO, PPOConfig
from rows import Rows, Step
from torch import nn

import envsuite
from envsuite.agents.onnx import OnnxPolicy
from envsuite.cards import EnvCard
from envsuite.evaluation.rollout import Episodes, onnx_player, random_policy


@dataclass
class MatchConfig(PPOConfig):
    """Settings of learners that play against each other, beside those of `PPOConfig`.

    Attributes:
        game: options of the environment that are part of the rules, for instance how actions are encoded: they hold
            in evaluation too, as `env_options` do not.
        memory: weight of a result after the next one against the same opponent; results are forgotten at this rate.
    """

    game: dict[str, Any] = field(default_factory=dict)
    memory: float = 0.99
    final_rate: float = 1.0
    sampled: bool = True

    def card(self) -> EnvCard:
        """The environment with the options of the game, in which policies are evaluated."""
        card = envsuite.card(self.env_id)
        return dataclasses.replace(card, options={**card.options, **self.game})


def prioritised(win_rates: torch.Tensor, kind: str) -> torch.Tensor:
    """Prioritised fictitious self-play (Vinyals et al. 2019, AlphaStar): probabilities of opponents.

    Args:
        win_rates: (c,) win rates against them.
        kind: ``"hard"`` for weights (1 - w)², ``"even"`` for w (1 - w), ``"capped"`` for min(1/2, 1 - w).

    Returns:
        (c,), uniform where all weights are 0.

    Raises:
        ValueError: another kind, or no opponents.
    """
    if not len(win_rates):
        raise ValueError("there are no opponents to choose from")
    if kind == "hard":
        weights = (1 - win_rates).square()
    elif kind == "even":
        weights = win_rates * (1 - win_rates)
    elif kind == "capped":
        weights = (1 - win_rates).clamp(max=0.5)
    else:
        raise ValueError(f"kind is {kind!r}, expected 'hard', 'even' or 'capped'")
    total = weights.sum()
    return weights / total if total > 0 else torch.full_like(win_rates, 1 / len(win_rates))


class History:
    """Frozen policies, oldest first.

    Args:
        model: a network of the same form.

    Attributes:
        agents: the networks.
        makers: which learner each comes from.
    """

    def __init__(self, model: nn.Module):
        self._model = model
        self.agents: list[Any] = []
        self.makers: list[int] = []

    def __len__(self) -> int:
        return len(self.agents)

    def add(self, agent: nn.Module, maker: int = 0) -> None:
        """Keep a copy."""
        self.agents.append(copy.deepcopy(agent).requires_grad_(False))
        self.makers.append(maker)

    def made_by(self, *makers: int) -> torch.Tensor:
        """(h,) bool, policies of these learners."""
        return torch.tensor([maker in makers for maker in self.makers], dtype=torch.bool)

    def state_dict(self) -> dict[str, Any]:
        """The moment, to the bit."""
        return {"agents": [copy.deepcopy(one.state_dict()) for one in self.agents], "makers": list(self.makers)}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Return to a moment."""
        self.agents, self.makers = [], list(state["makers"])
        for weights in state["agents"]:
            agent = copy.deepcopy(self._model).requires_grad_(False)
            agent.load_state_dict(weights)
            self.agents.append(agent)


class WinRates:
    """Results against each opponent, older ones counting less.

    Args:
        memory: see `MatchConfig`.

    Attributes:
        points: (c,) float64, weighted sum of results.
        games: (c,) float64, weighted number.
    """

    def __init__(self, memory: float):
        self._memory = memory
        self.points = self.games = torch.zeros(0, dtype=torch.float64)

    def add(self, opponents: torch.Tensor, points: torch.Tensor) -> None:
        """Count results that came in together: 1 for a win, 1/2 for a draw, 0."""
        if not len(opponents):
            return
        size = max(len(self.games), int(opponents.max()) + 1)
        self.grow(size)
        new = torch.bincount(opponents, minlength=size).double()
        won = torch.bincount(opponents, weights=points.double(), minlength=size)
        kept = self._memory**new
        self.games, self.points = self.games * kept + new, self.points * kept + won

    def grow(self, size: int) -> None:
        """Make room for so many opponents."""
        room = torch.zeros(max(0, size - len(self.games)), dtype=torch.float64)
        self.games, self.points = torch.cat([self.games, room]), torch.cat([self.points, room])

    def drop(self, which: int) -> None:
        """Forget an opponent; those after it move up."""
        keep = torch.arange(len(self.games)) != which
        self.games, self.points = self.games[keep], self.points[keep]

    def estimate(self, size: int) -> torch.Tensor:
        """(size,) win rates; 1/2 against those without a game."""
        self.grow(size)
        known = self.games > 0
        return torch.where(known, self.points / self.games.clamp(min=1e-12), 0.5)[:size]


class MatchRows(Rows):
    """One row an instance, the learner's; opponents play the other side.

    Attributes:
        opponent: (n,) int64, each instance's opponent: live learners come first, then the history.
        win_rates: results against them.
    """

    def __init__(self, config: MatchConfig):
        super().__init__(dataclasses.replace(config, env_options={**config.game, **config.env_options}))
        if self.agents != 2:
            raise ValueError(f"{config.env_id} has {self.agents} agents, expected 2 players")
        if self.one_hot:
            raise ValueError(f"kinds is {config.kinds}, expected none: past policies see observations as they are")
        if self.objectives:
            raise ValueError(f"{config.env_id} has {self.objectives} objectives, expected one reward a player")
        instances = torch.arange(config.num_envs)
        self._mine, self._theirs = 2 * instances + instances % 2, 2 * instances + 1 - instances % 2
        self.agents, self.count = 1, config.num_envs
        self._live: list[Any] = []
        self._weights: Callable[[], torch.Tensor] = lambda: torch.ones(1)
        self.opponent = torch.zeros(config.num_envs, dtype=torch.int64)
        self._lead = torch.zeros(config.num_envs, dtype=torch.float64)
        self.win_rates = WinRates(config.memory)
        self._all = self.obs, self.critic_obs, self.mask
        self._show()

    def set_opponents(self, live: list[Any], history: History, weights: Callable[[], torch.Tensor]) -> None:
        """Say whom to play against.

        Args:
            live: learners, as they are at any time.
            history: frozen policies.
            weights: gives the weight (live and history,) of each as an opponent of the next episodes.
        """
        self._live, self._history, self._weights = live, history, weights
        self._seat(torch.arange(len(self.opponent)))

    def _show(self) -> None:
        self.obs, self.critic_obs, self.mask = (None if one is None else one[self._mine] for one in self._all)

    def step(self, actions: torch.Tensor) -> Step:
        """Play the learner's actions (n, A), and the opponents' against them."""
        joint = torch.empty(2 * len(actions), *actions.shape[1:], dtype=actions.dtype)
        joint[self._mine] = actions
        self.act_opponents(joint)
        self.agents, self.count = 2, 2 * len(actions)
        step = super().step(joint)
        self.agents, self.count = 1, len(actions)
        self._all = self.obs, self.critic_obs, self.mask
        self._show()
        mine = Step(*(None if one is None else one[self._mine] for one in step))
        self._lead += mine.reward.double() - step.reward[self._theirs].double()
        done = (mine.done & mine.valid).nonzero().squeeze(1)
        self.win_rates.add(self.opponent[done], (self._lead[done].sign() + 1) / 2)
        self._lead[done] = 0.0
        self._seat(mine.episode_start.nonzero().squeeze(1))
        return mine

    def act_opponents(self, joint: torch.Tensor) -> None:
        """Write the opponents' actions into those of all rows (2 n, A)."""
        who = torch.full((len(joint),), -1)
        who[self._theirs] = self.opponent
        obs, _, mask = self._all
        act_networks([*self._live, *self._history.agents], who, obs, mask, joint)

    def _seat(self, instances: torch.Tensor) -> None:
        """Draw the opponents of new episodes."""
        if len(instances):
            self.opponent[instances] = torch.multinomial(self._weights().float(), len(instances), replacement=True)

    def drop_oldest(self) -> None:
        """Drop the oldest policy of the history; games against it go on against the next one."""
        first = len(self._live)
        del self._history.agents[0], self._history.makers[0]
        self.win_rates.drop(first)
        self.opponent = torch.where(self.opponent > first, self.opponent - 1, self.opponent)

    def state_dict(self) -> dict[str, Any]:
        """The moment, to the bit."""
        own = {"opponent": self.opponent.clone(), "lead": self._lead.clone(), "all": list(self._all)}
        own |= {"points": self.win_rates.points, "games": self.win_rates.games}
        return super().state_dict() | own

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Return to a moment."""
        super().load_state_dict(state)
        self.opponent, self._lead, self._all = state["opponent"], state["lead"], tuple(state["all"])
        self.win_rates.points, self.win_rates.games = state["points"], state["games"]


class Learner(PPO):
    """A PPO learner among opponents.

    Args:
        config: settings.
        history: one that it shares with others; None for its own.

    Attributes:
        history: frozen policies.
        initial: its first weights.
    """

    kept = (*PPO.kept, "history")
    devices = ("cpu",)

    def __init__(self, config: MatchConfig, history: History | None = None):
        super().__init__(config)
        self.initial = copy.deepcopy(self.agent.state_dict())
        self.history = History(self.agent) if history is None else history
        self.begin()
        self.rows.set_opponents([self.agent], self.history, self.weights)

    def begin(self) -> None:
        """What comes before the first game."""

    def make_rows(self) -> MatchRows:
        """The learner's side."""
        return MatchRows(self.config)

    def weights(self) -> torch.Tensor:
        """Of the live learners and the history as opponents, see `MatchRows.set_opponents`."""
        raise NotImplementedError

    def reset(self, agent: dict[str, Any] | None = None) -> None:
        """Begin to learn anew, from weights or from the first ones; results so far are forgotten."""
        self.agent.load_state_dict(self.initial if agent is None else agent)
        self.optimiser = torch.optim.Adam(self.agent.parameters(), lr=self.config.learning_rate, eps=1e-5, fused=True)
        self.rows.win_rates = WinRates(self.config.memory)

    def strategy(self) -> list[tuple[Any, float]]:
        """The networks that the result mixes, each for whole episodes, and their probabilities."""
        return [(self.agent, 1.0)]

    def policy(self) -> OnnxPolicy:
        """The likeliest member of the strategy, the last one of several."""
        return self.written(max(reversed(self.strategy()), key=lambda member: member[1])[0])

    def policies(self) -> dict[str, OnnxPolicy]:
        """That one, and all members where the strategy is a mixture."""
        members = self.strategy() if len(self.strategy()) > 1 else []
        return {"policy": self.policy()} | {f"member-{k:02d}": self.written(one) for k, (one, _) in enumerate(members)}

    def files(self) -> dict[str, bytes]:
        """The probabilities of a mixture's members."""
        members = self.strategy()
        if len(members) == 1:
            return {}
        table = {f"member-{k:02d}.onnx": weight for k, (_, weight) in enumerate(members)}
        return {POPULATION: json.dumps(table, indent=1).encode()}

    def evaluate(self) -> Episodes:
        """The strategy against the random policy."""
        members = [(onnx_player(self.written(agent)), weight) for agent, weight in self.strategy()]
        return mixed_games(self.config.card(), members, [(random_policy, 1.0)], self.config.episodes)
