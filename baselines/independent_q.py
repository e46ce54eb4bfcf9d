"""Independent Q-learning: every agent has a table of its own and takes the others for part of the world.

For several agents that choose among few alternatives, where what an agent sees is one number out of few, or does not
matter: games of a single step with many agents. Rewards may have several objectives; then agents learn once for each
vector of weights, each set of agents on an instance of its own, all at once. Settings as in Mannion et al. (2018) and
Ramos et al. (2020): step size and share of random choices decay from one iteration to the next.

Run ``python baselines/independent_q.py --help`` for all settings; those of an environment come from
``baselines/independent_q.toml``.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import torch
from config import Config
from distributions import ILLEGAL
from fronts import evaluate_policies, front_numbers, units_of, weight_vectors
from launch import main
from rows import Rows
from trainer import Trainer

import envsuite
from envsuite.agents.onnx import Graph, Interface, OnnxPolicy, Program
from envsuite.agents.onnx.interface import Action
from envsuite.evaluation.rollout import Episodes


@dataclass
class IndependentQConfig(Config):
    """Settings of independent Q-learning, beside those of `Config`.

    Attributes:
        weights: on the objectives, for each set of agents; () for equal weights and one set.
        divisions: see `mappo.MAPPOConfig`.
        units: see `mappo.MAPPOConfig`.
        reference: see `mappo.MAPPOConfig`.
        block: of the observation, whose whole number is the state; empty where there is one state.
        rate_decay: factor of the step size from one iteration to the next.
        least_rate: it does not fall further.
        explore: share of random choices at first.
        explore_decay: its factor from one iteration to the next.
        initial: all values at first.
    """

    algorithm = "independent_q"

    weights: tuple[tuple[float, ...], ...] = ()
    divisions: int = 0
    units: tuple[float, ...] = ()
    reference: tuple[float, ...] = ()
    num_envs: int = 0  # as many as there are weights
    learning_rate: float = 0.1
    gamma: float = 0.9
    block: str = ""
    rate_decay: float = 1.0
    least_rate: float = 0.0
    explore: float = 0.05
    explore_decay: float = 0.9999
    initial: float = 0.0
    normalise: bool = False


class IndependentQ(Trainer):
    """One training run; an iteration is a step of all instances."""

    kept = ("values", "rate", "share", "random")
    takes_vectors = True
    unused = ("hidden", "activation", "normalise", "privileged")

    def __init__(self, config: IndependentQConfig):
        objectives = len(envsuite.card(config.env_id).objectives)
        self.weights = torch.from_numpy(weight_vectors(config, max(1, objectives))).float()
        self.units = units_of(config, max(1, objectives))
        if config.num_envs not in (0, len(self.weights)):
            raise ValueError(
                f"num_envs is {config.num_envs}, expected 0 or {len(self.weights)}, one for each weighting"
            )
        super().__init__(dataclasses.replace(config, num_envs=len(self.weights)))
        rows = self.rows
        if not isinstance(rows.action_space, gymnasium.spaces.Discrete) or rows.agents < 2:
            raise ValueError(f"{config.env_id} is not supported, expected several agents with one choice each")
        self.choices = int(rows.action_space.n)
        self.column, self.states = _state(rows, config.block)
        self.values = torch.full((rows.count, self.states, self.choices), config.initial)
        self.rate, self.share = config.learning_rate, config.explore
        self.random = torch.Generator().manual_seed(config.seed)
        self.row_weights = self.weights.repeat_interleave(rows.agents, 0)

    def _places(self, obs: torch.Tensor) -> torch.Tensor:
        return obs[:, self.column].long() if self.states > 1 else torch.zeros(len(obs), dtype=torch.int64)

    def iterate(self) -> dict[str, Any]:
        """Play one step of every instance, and learn from it."""
        config, rows = self.config, self.rows
        each, at = torch.arange(rows.count), self._places(rows.obs)
        noise = torch.rand(rows.count, self.choices + 1, generator=self.random)
        values = self.values[each, at]
        if rows.mask is not None:
            values = torch.where(rows.mask, values, ILLEGAL)
            noise[:, 1:] *= rows.mask
        # equal values are told apart by chance; a random choice is the one with the greatest noise
        greedy = torch.where(values == values.amax(1, keepdim=True), noise[:, 1:], -1.0).argmax(1)
        action = torch.where(noise[:, 0] < self.share, noise[:, 1:].argmax(1), greedy)
        step = rows.step(action)
        utility = (step.reward.reshape(rows.count, -1) / self.units * self.row_weights).sum(1)
        next_value = self.values[each, self._places(step.next_obs)]
        if step.next_mask is not None:
            next_value = torch.where(step.next_mask, next_value, ILLEGAL)
        target = utility + config.gamma * ~step.terminated * next_value.amax(1)
        error = target - self.values[each, at, action]
        self.values[each, at, action] += self.rate * step.valid * error
        self.steps += config.num_envs
        self.rate = max(config.least_rate, self.rate * config.rate_decay)
        self.share *= config.explore_decay
        return {"error": error.abs().mean(), "utility": utility.mean()}

    def policies(self) -> dict[str, OnnxPolicy]:
        """One for each vector of weights; the first is ``policy``."""
        tables = self.values.unflatten(0, (len(self.weights), -1)).numpy()
        return {f"policy-{k}" if k else "policy": self._exported(table) for k, table in enumerate(tables)}

    def policy(self) -> OnnxPolicy:
        """The first set of agents."""
        return self.policies()["policy"]

    def _exported(self, table: np.ndarray) -> OnnxPolicy:
        """Tables (agents, states, choices) as a graph of all agents."""
        rows = self.rows
        graph = Graph((rows.agents, *rows.shape), rows.env.single_observation_space.dtype)
        obs = graph.observation
        numbers = graph.add("Slice", obs, np.array([self.column]), np.array([self.column + 1]), np.array([2]))
        if self.states == 1:
            numbers = graph.add("Mul", numbers, np.array(0.0))
        apart = graph.add("Abs", graph.add("Sub", numbers, np.arange(float(self.states))))
        here = graph.add("Relu", graph.add("Sub", np.array(1.0), apart))  # (n, agents, states), 1 at the state
        found = None
        for k in range(self.states):
            one = graph.add("Slice", here, np.array([k]), np.array([k + 1]), np.array([2]))
            part = graph.add("Mul", one, table[:, k].copy())
            found = part if found is None else graph.add("Add", found, part)
        if rows.mask_at is not None:
            ends = (np.array([rows.mask_at]), np.array([rows.mask_at + self.choices]), np.array([2]))
            forbidden = graph.add("Sub", np.array(1.0), graph.add("Slice", obs, *ends))
            found = graph.add("Add", found, graph.add("Mul", forbidden, np.array(ILLEGAL)))
        heads = (self.choices,) * rows.agents
        model = graph.model(graph.flatten(found), (sum(heads),))
        return OnnxPolicy(Program(model), Interface(self.config.env_id, Action("argmax", heads=heads)))

    def evaluate(self) -> Episodes:
        """Each set of agents on the evaluation seeds; see `fronts.evaluate_policies`."""
        return evaluate_policies(self.config, zip(self.policies().values(), self.weights, strict=True))

    def summary(self, episodes: Episodes) -> dict[str, float]:
        """Means of the metrics, of each set's objectives, and what all sets are worth together."""
        return super().summary(episodes) | front_numbers(self.config, episodes)

    def state(self) -> dict[str, Any]:
        """All that the rest of the run depends on."""
        return super().state() | {"random": self.random.get_state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint."""
        self.random.set_state(state["random"])
        super().restore({name: value for name, value in state.items() if name != "random"})


def _state(rows: Rows, block: str) -> tuple[int, int]:
    """Column of the observation that is the state, and number of states."""
    if not block:
        return 0, 1
    layout = rows.env.world.observation
    if block not in [one.name for one in layout.blocks]:
        raise ValueError(f"block is {block!r}, expected one of {[one.name for one in layout.blocks]}")
    column, space = layout.offset(block), rows.env.single_observation_space
    return column, int(space.high.reshape(-1)[column]) + 1


if __name__ == "__main__":
    main(IndependentQ, IndependentQConfig)
