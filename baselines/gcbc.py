"""Goal-conditioned behaviour cloning with goals in hindsight (GCBC; Ghosh et al. 2021, arXiv 1912.06088).

The observation's part that names the goal is replaced by a place that the episode reached later, and the policy does
what the data did. In an environment it is given the real goal in the same numbers.

Run ``python baselines/gcbc.py --help`` for all settings; those of a dataset come from ``baselines/gcbc.toml``.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from distributions import Gaussian
from launch import main
from learning import gradient_step
from networks import mlp
from offline import OfflineConfig, OfflineTrainer, Transitions, open_dataset
from torch import nn

import envsuite
from envsuite.agents.onnx import OnnxPolicy
from envsuite.core.world import make_world
from envsuite.data import Dataset


@dataclass
class GCBCConfig(OfflineConfig):
    """Settings of goal-conditioned cloning, beside those of `OfflineConfig`.

    Attributes:
        achieved: block of the observation that says what has been reached...
        desired: ...and the one that says what is to be.
        current: share of the values' goals that are the state that the transition leads to.
        future: share that are later states of the episode, geometrically with the discount; others are of any episode.
        actor_random: share of the policy's goals that are states of any episode; 0.5 for data to be stitched.
    """

    algorithm = "gcbc"

    total_steps: int = 1_000_000
    batch_size: int = 1024
    hidden: tuple[int, ...] = (512, 512, 512)
    achieved: str = "position"
    desired: str = "desired goal"
    current: float = 0.2
    future: float = 0.5
    actor_random: float = 0.0


class GoalTransitions(Transitions):
    """A dataset whose goals are chosen in hindsight, anew for every batch.

    Raises:
        ValueError: the observation has no such blocks.
    """

    def __init__(self, data: Dataset, config: GCBCConfig):
        super().__init__(data, config)
        card = envsuite.card(config.env_id)
        layout: Any = make_world(card.world, **card.options).observation
        blocks = [block.name for block in getattr(layout, "blocks", ())]
        if missing := {config.achieved, config.desired} - set(blocks):
            raise ValueError(f"{card.id} has no block {sorted(missing)[0]!r} in its observation, but {blocks}")
        size = next(block.size for block in layout.blocks if block.name == config.desired)
        first, at = layout.offset(config.achieved), layout.offset(config.desired)
        self._goal = slice(at, at + size)
        self._sampler = data.goals(
            current=config.current,
            future=config.future,
            gamma=config.gamma,
            actor_random=config.actor_random,
            parts=slice(first, first + size),
        )

    def sample_goals(self, size: int, key: tuple[int, int]) -> dict[str, torch.Tensor]:
        """Transitions with goals.

        Args:
            size: how many.
            key: of the draw, such as the training seed and the update.

        Returns:
            ``obs``, ``next_obs`` (b, S) with the value's goal, ``actor_obs`` (b, S) with the actor's;
            ``action`` (b, A); ``reward`` (b,): -1, or 0 at the goal; ``discount`` (b,): gamma, or 0 there.
        """
        drawn = self._sampler.batch(size, np.random.Generator(np.random.Philox(key=np.array(key, np.uint64))))
        moves = drawn.transitions
        arrays = (moves.observations, moves.next_observations, drawn.goals, drawn.actor_goals)
        obs, next_obs, goals, actor_goals = (torch.from_numpy(np.array(one)).float() for one in arrays)
        actor_obs = obs.clone()
        actor_obs[:, self._goal] = actor_goals
        obs[:, self._goal] = next_obs[:, self._goal] = goals
        action = (torch.from_numpy(np.array(moves.actions)).float() - self.action_bias) / self.action_scale
        return {
            "obs": obs,
            "next_obs": next_obs,
            "actor_obs": actor_obs,
            "action": action.clamp(-1.0, 1.0),
            "reward": torch.from_numpy(drawn.rewards),
            "discount": self._config.gamma * torch.from_numpy(drawn.masks),
        }


class GCBC(OfflineTrainer):
    """One training run."""

    kept = ("obs_normaliser", "actor", "optimiser")
    unused = (*OfflineTrainer.unused, "reward_scale", "reward_shift", "current", "future")

    def __init__(self, config: GCBCConfig):
        super().__init__(config)
        self.actor = goal_actor(self.numbers, self.actions, config)
        self.optimiser = self.adam(self.actor)

    def make_rows(self) -> GoalTransitions:
        """What it learns from."""
        return goal_rows(self.config)

    def update(self) -> dict[str, torch.Tensor]:
        """One step towards higher densities of the data's actions."""
        batch = self.rows.sample_goals(self.config.batch_size, (self.config.seed, self.steps))
        mean = self.actor(self.obs_normaliser(batch["actor_obs"]))
        loss = -unit_spread(mean).log_prob(batch["action"]).mean()
        return {"actor_loss": gradient_step(self.optimiser, loss)}

    def policy(self) -> OnnxPolicy:
        """The actor's mean as it is now."""
        return self.exported(self.actor[:-1])


def goal_actor(numbers: int, actions: int, config: GCBCConfig) -> nn.Sequential:
    """An MLP with layer normalisation, whose outputs are means of actions in [-1, 1]."""
    return nn.Sequential(*mlp([numbers, *config.hidden, actions], None, config.activation, norm=True), nn.Tanh())


def goal_rows(config: GCBCConfig) -> GoalTransitions:
    """The dataset of the settings, with goals."""
    return GoalTransitions(open_dataset(config), config)


def unit_spread(mean: torch.Tensor) -> Gaussian:
    """Normal actions of spread 1, as in OGBench's reference agents."""
    return Gaussian(mean, torch.zeros(mean.shape[-1]))


if __name__ == "__main__":
    main(GCBC, GCBCConfig)
