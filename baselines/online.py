"""From offline to online: what the learners share that have a dataset first and then play.

A run has a budget of environment steps (`envsuite.evaluation.online`) and is evaluated before the first of them and
at equal distances after. All these policies are kept, so that what each was worth can be told again.
"""

import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import torch
from offline import OfflineConfig, OfflineTrainer
from replay import UpdateSchedule
from rows import Rows
from trainer import Trainer

import envsuite
from envsuite.agents.onnx import OnnxPolicy
from envsuite.evaluation.online import PARTS, normalised, online_protocol, regret
from envsuite.evaluation.rollout import Episodes
from envsuite.evaluation.runs import policy_name


class OnlineSchedule(Trainer):
    """The schedule of evaluations, the regret, and the policies along the way; stands before a learner's class."""

    schedule_kept: ClassVar[tuple[str, ...]] = ("scores", "milestones")
    actor: torch.nn.Module
    scores: tuple[float, ...] = ()
    milestones: dict[int, dict[str, torch.Tensor]] | None = None

    def evaluation_steps(self) -> np.ndarray:
        """Before the first step, and at equal distances after."""
        return np.linspace(0, self.config.total_steps, self.config.evaluations + 1)

    def summary(self, episodes: Episodes) -> dict[str, float]:
        """Also the normalised score between the card's anchors, and the regret so far; the actor is kept."""
        found = super().summary(episodes)
        self.milestones = (self.milestones or {}) | {self.steps: copy.deepcopy(self.actor.state_dict())}
        if envsuite.card(self.config.env_id).scale:
            self.scores = (*self.scores, normalised(self.config.env_id, float(episodes.returns.mean())))
            found["normalised_calibrated"] = 100 * self.scores[-1]
        return found | ({"regret": regret(self.scores)} if len(self.scores) > 1 else {})

    def policies(self) -> dict[str, OnnxPolicy]:
        """The last policy, and those of the evaluations before it by their steps."""
        found = super().policies()
        last = copy.deepcopy(self.actor.state_dict())
        for step, weights in (self.milestones or {}).items():
            if step < self.steps:
                self.actor.load_state_dict(weights)
                found[policy_name(step)] = self.policy()
        self.actor.load_state_dict(last)
        return found


@dataclass
class OnlineConfig(OfflineConfig):
    """Settings of learners that go on in the environment, beside those of `OfflineConfig`.

    Attributes:
        total_steps: environment steps; those of the dataset's protocol by default.
        evaluations: after as many equal parts of them, and one before.
        offline_updates: updates on the dataset before the first step.
        num_envs: instances that are played at once.
        first_steps: environment steps before updates go on.
        updates: updates per environment step.
        share: of a batch, that comes from the dataset once there are steps of its own; below 0 that which it has of all
            transitions.
    """

    total_steps: int = 40_000
    evaluations: int = PARTS
    offline_updates: int = 10_000
    num_envs: int = 10
    first_steps: int = 1_000
    updates: float = 1.0
    share: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.share <= 1:
            raise ValueError(f"share is {self.share}, expected a number up to 1")

    @classmethod
    def for_env(cls, env_id: str, **changes: Any) -> Self:
        """See `OfflineConfig.for_env`; the budget is that of the dataset's protocol."""
        return super().for_env(env_id, **with_budget(changes))


def with_budget(changes: dict[str, Any]) -> dict[str, Any]:
    """Settings with the budget of their dataset's protocol, unless they have another."""
    dataset = changes.get("dataset")
    return {"total_steps": online_protocol(dataset).budget, **changes} if dataset else changes


class OwnSteps:
    """All steps that were played, with what was earned from each to the end of its episode.

    Args:
        capacity: transitions that there will be.
        instances: n, played at once.
        gamma: discount of what is earned.

    Attributes:
        count: transitions that there are.
    """

    def __init__(self, capacity: int, instances: int, gamma: float):
        self._capacity, self._instances, self._gamma = capacity, instances, gamma
        self._columns: dict[str, torch.Tensor] = {}
        self._starts = [0] * instances  # rows where the episodes that go on begin
        self.count = 0

    def add(self, columns: dict[str, torch.Tensor], done: torch.Tensor) -> None:
        """Take a step of all instances.

        Args:
            columns: ``obs, next_obs`` (n, S), ``action`` (n, A), ``reward, discount`` (n,).
            done: (n,) bool, their episodes ended with it. Until then ``return_to_go`` is minus infinity.
        """
        columns = {**columns, "return_to_go": torch.full_like(columns["reward"], -torch.inf)}
        self._write(columns)
        for k in done.nonzero().flatten().tolist():
            rows = torch.arange(self._starts[k] + k, self.count, self._instances)
            rewards, total = self._columns["reward"][rows].tolist(), 0.0
            for at in reversed(range(len(rewards))):
                rewards[at] = total = rewards[at] + self._gamma * total
            self._columns["return_to_go"][rows] = torch.tensor(rewards)
            self._starts[k] = self.count

    def _write(self, columns: dict[str, torch.Tensor]) -> None:
        count = len(columns["reward"])
        for name, values in columns.items():
            if name not in self._columns:
                self._columns[name] = torch.zeros(self._capacity, *values.shape[1:], dtype=values.dtype)
            self._columns[name][self.count : self.count + count] = values
        self.count += count

    def sample(self, size: int) -> dict[str, torch.Tensor]:
        """Transitions drawn with replacement, all equally likely."""
        places = torch.randint(self.count, (size,))
        return {name: values[places] for name, values in self._columns.items()}

    def state_dict(self) -> dict[str, Any]:
        """What is in it."""
        columns = {name: values[: self.count].clone() for name, values in self._columns.items()}
        return {"columns": columns, "starts": list(self._starts)}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Return to a moment."""
        self.count, self._starts = 0, list(state["starts"])
        if state["columns"]:
            self._write(state["columns"])


class OnlineTrainer(OnlineSchedule, OfflineTrainer):
    """Goes on with an offline learner in the environment; stands before the learner's class.

    Batches come from the dataset alone at first, then in parts from the dataset and from steps of its own.
    """

    unit = "environment step"
    unused = tuple(name for name in OfflineTrainer.unused if name != "num_envs")
    online_kept: ClassVar[tuple[str, ...]] = (*OnlineSchedule.schedule_kept, "play", "own", "debt", "prepared")
    config: Any

    def __init__(self, config: Any):
        super().__init__(config)
        self.play = Rows(config)
        capacity = config.total_steps + config.num_envs
        self.own, self.debt = OwnSteps(capacity, config.num_envs, config.gamma), UpdateSchedule(config.updates)
        self.prepared = False

    def explore(self, obs: torch.Tensor) -> torch.Tensor:
        """Actions (n, A) in [-1, 1] to play, at normalised observations."""
        raise NotImplementedError

    def iterate(self) -> dict[str, Any]:
        """All updates on the dataset; later a step of every instance, and the updates owed."""
        if not self.prepared:
            self.prepared = True
            return self.learn(self.config.offline_updates)
        self.play_step()
        learning = self.steps >= self.config.first_steps
        return self.learn(self.debt.due(self.config.num_envs) if learning else 0)

    def learn(self, updates: int) -> dict[str, torch.Tensor]:
        """Some updates; the losses of the last."""
        losses: dict[str, torch.Tensor] = {}
        for _ in range(updates):
            losses = self.update()
        return losses

    @torch.no_grad()
    def play_step(self) -> None:
        """Play one step of every instance."""
        config, rows, obs = self.config, self.play, self.play.obs
        action = self.explore(self.obs_normaliser(obs))
        step = rows.step(self.rows.action_bias + self.rows.action_scale * action)
        columns = {"obs": obs, "next_obs": step.next_obs, "action": action}
        columns["reward"] = step.reward * config.reward_scale + config.reward_shift
        columns["discount"] = config.gamma * (~step.terminated).float()
        self.own.add(columns, step.done)
        self.steps += config.num_envs

    def sample(self, size: int = 0) -> dict[str, torch.Tensor]:
        """Transitions of both kinds, those of the dataset first."""
        size = size or self.config.batch_size
        if not self.own.count:
            return super().sample(size)
        share = self.config.share
        known = round(size * (self.rows.count / (self.rows.count + self.own.count) if share < 0 else share))
        parts = [super().sample(known)] if known else []
        parts.append(self.own.sample(size - known))
        shared = set.intersection(*map(set, parts))
        return {name: torch.cat([part[name] for part in parts]) for name in shared}
