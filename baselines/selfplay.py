"""PPO by self-play in one file, for two players: the opponents are earlier versions of the learner.

The learner sits on the one side in half of the instances, on the other side in the rest. Each episode's opponent is the
present policy or one of a pool of earlier ones, all equally likely, so that what was learned against old opponents is
not forgotten (Bansal et al. 2018, "Emergent Complexity via Multi-Agent Competition"). Evaluation is against the random
policy: the return is the learner's own, ``win_share`` counts a draw as half.

Run ``python baselines/selfplay.py --help`` for all settings; those of an environment come from
``baselines/selfplay.toml``.
"""

import copy
import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from common import Rows, Step
from launch import main
from ppo import PPO, PPOConfig

import envsuite
from envsuite.agents.onnx import OnnxPolicy
from envsuite.agents.policy import Policy
from envsuite.agents.random import RandomPolicy
from envsuite.evaluation.rollout import Episodes, onnx_player, play


@dataclass
class SelfPlayConfig(PPOConfig):
    """Settings of self-play, beside those of `PPOConfig`.

    Attributes:
        pool: earlier policies kept; each new one takes the place of the oldest.
        pool_every: environment steps between additions to the pool.
        latest: share of episodes against the present policy.
    """

    algorithm = "selfplay"

    pool: int = 8
    pool_every: int = 20_000
    latest: float = 0.5
    sampled: bool = True


class Seats(Rows):
    """One row an instance, the learner's; opponents play the other side.

    Attributes:
        pool: opponents, oldest first.
        opponent: (n,) int64, index of each instance's opponent in the pool; -1 for the present policy.
    """

    def __init__(self, config: SelfPlayConfig):
        super().__init__(config)
        if self.agents != 2:
            raise ValueError(f"{config.env_id} has {self.agents} agents, expected 2 players")
        instances = torch.arange(config.num_envs)
        self._mine, self._theirs = 2 * instances + instances % 2, 2 * instances + 1 - instances % 2
        self.agents, self.count = 1, config.num_envs
        self.pool: list[Any] = []
        self.present: Any = None
        self.opponent = torch.full((config.num_envs,), -1)
        self._latest = config.latest
        self._all = self.seen, self.criticised, self.mask
        self._show()

    def _show(self) -> None:
        self.seen, self.criticised, self.mask = (None if one is None else one[self._mine] for one in self._all)

    def step(self, actions: torch.Tensor) -> Step:
        """Play the learner's actions (n, A), and the opponents' against them."""
        joint = torch.empty(2 * len(actions), *actions.shape[1:], dtype=actions.dtype)
        joint[self._mine], joint[self._theirs] = actions, self._answers(actions)
        self.agents, self.count = 2, 2 * len(actions)
        step = super().step(joint)
        self.agents, self.count = 1, len(actions)
        self._all = self.seen, self.criticised, self.mask
        self._show()
        mine = Step(*(None if one is None else one[self._mine] for one in step))
        self._seat(mine.begun.nonzero().squeeze(1))
        return mine

    def _answers(self, like: torch.Tensor) -> torch.Tensor:
        seen, _, mask = (None if one is None else one[self._theirs] for one in self._all)
        answers = torch.empty_like(like)
        for which in self.opponent.unique().tolist():
            agent = self.present if which < 0 else self.pool[which]
            rows = (self.opponent == which).nonzero().squeeze(1)
            output = agent.actor(agent.trunk(agent.seen(seen[rows])))
            allowed = None if mask is None else mask[rows]
            answers[rows] = agent.actions.played(agent.actions.distribution(output, allowed).sample())
        return answers

    def _seat(self, instances: torch.Tensor) -> None:
        """Draw the opponents of new episodes."""
        if len(instances):
            drawn = torch.randint(max(1, len(self.pool)), (len(instances),))
            present = torch.rand(len(instances)) < self._latest
            self.opponent[instances] = torch.where(present | (len(self.pool) == 0), -1, drawn)

    def admit(self, agent: Any, most: int) -> None:
        """Add a copy to the pool."""
        self.pool.append(copy.deepcopy(agent).requires_grad_(False))
        if len(self.pool) > most:
            self.pool.pop(0)
            self.opponent = torch.where(self.opponent > 0, self.opponent - 1, self.opponent)

    def state_dict(self) -> dict[str, Any]:
        """The moment, to the bit."""
        pool = [copy.deepcopy(agent.state_dict()) for agent in self.pool]
        own = {"pool": pool, "opponent": self.opponent.clone(), "all": list(self._all)}
        return super().state_dict() | own

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Return to a moment."""
        super().load_state_dict(state)
        self.opponent, self._all = state["opponent"], tuple(state["all"])
        self.pool = [copy.deepcopy(self.present) for _ in state["pool"]]
        for agent, weights in zip(self.pool, state["pool"], strict=True):
            agent.load_state_dict(weights)


class Versus:
    """Two players at one table: the first sits on the side that the episode's seed says, odd seeds on the second."""

    def __init__(self, first: Policy, second: Policy):
        self._players = first, second
        self._side = np.zeros(0, np.int64)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """See `envsuite.agents.policy.Policy.reset`."""
        self._side = np.where(mask, seeds % 2, self._side) if len(self._side) else seeds % 2
        for player in self._players:
            player.reset(mask, seeds)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Each side's action by its player."""
        first, second = (np.array(player.act(observations, states)) for player in self._players)
        rows = np.arange(len(first))
        second[rows, self._side] = first[rows, self._side]
        return second


def duel(env_id: str, policy: OnnxPolicy, episodes: int) -> Episodes:
    """The policy against the random one, on the evaluation seeds, sides by turns; returns are the policy's own."""

    def make(world: Any, slots: int) -> Versus:
        return Versus(onnx_player(policy)(world, slots), RandomPolicy(world.action, world.lead_shape(slots)))

    played = play(envsuite.card(env_id), make, episodes, record=True)
    assert played.log is not None
    sides = played.seeds % 2
    steps = np.repeat(sides, played.lengths)
    rewards = played.log.rewards.astype(np.float64)
    own = np.add.reduceat(rewards[np.arange(len(rewards)), steps], played.log.offsets[:-1])
    other = np.add.reduceat(rewards[np.arange(len(rewards)), 1 - steps], played.log.offsets[:-1])
    wins = {"win_share": np.where(own > other, 1.0, np.where(own < other, 0.0, 0.5))}
    return dataclasses.replace(played, returns=own, metrics=played.metrics | wins, log=None)


class SelfPlay(PPO):
    """One training run."""

    kept = (*PPO.kept, "admitted")

    def __init__(self, config: SelfPlayConfig):
        super().__init__(config)
        self.rows.present = self.agent
        self.admitted = 0

    def make_rows(self) -> Seats:
        """The learner's side."""
        return Seats(self.config)

    def iterate(self) -> dict[str, Any]:
        """As PPO; from time to time the policy joins the pool."""
        if self.steps >= self.admitted:
            self.rows.admit(self.agent, self.config.pool)
            self.admitted += self.config.pool_every
        return super().iterate() | {"opponents": len(self.rows.pool)}

    def evaluate(self) -> Episodes:
        """Against the random policy."""
        return duel(self.config.env_id, self.policy(), self.config.episodes)


if __name__ == "__main__":
    main(SelfPlay, SelfPlayConfig)
