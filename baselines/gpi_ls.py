"""Generalised policy improvement with linear support (GPI-LS; Alegre et al. 2023, AAMAS).

One agent that acts for all: it sees what all see and chooses all their choices as one. Its network tells the vector of
values of every joint choice for a vector of weights that it is given. The weights that it learns for come from linear
support on the returns found so far; it plays by generalised policy improvement, the choice that is best by any of them.
Transitions are drawn uniformly, without the priorities of the paper.

Where the length limit is part of the task (`finite`), time is an input, and nothing comes after the end.

Run ``python baselines/gpi_ls.py --help`` for all settings; those of an environment come from ``baselines/gpi_ls.toml``.
"""

import copy
import math
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import torch
from config import Config
from dqn import DQNConfig, epsilon_greedy
from fronts import SELECTION_SEED, evaluate_policies, front_numbers, units_of, vectors
from launch import main
from learning import clipped_gradient_step
from networks import mlp, normaliser_of
from replay import ReplayBuffer, UpdateSchedule
from rows import Rows, Step
from torch import nn
from torch.nn import functional
from trainer import Trainer

import envsuite
from envsuite.agents.onnx import Graph, Interface, OnnxPolicy, Program
from envsuite.agents.onnx.interface import Action, State
from envsuite.evaluation.rollout import Episodes
from envsuite.scoring import corner_weights, next_weights

MOST = 1024
"""Joint choices, at most."""


@dataclass
class GPILSConfig(DQNConfig):
    """Settings of GPI-LS, beside those of DQN.

    Attributes:
        units: see `mappo.MAPPOConfig`.
        reference: see `mappo.MAPPOConfig`.
        rounds: of choosing weights.
        support: weights kept, beside the objectives' own.
        finite: the length limit is part of the task.
    """

    algorithm = "gpi_ls"

    units: tuple[float, ...] = ()
    reference: tuple[float, ...] = ()
    rounds: int = 10
    support: int = 8
    finite: bool = True


class JointRows:
    """Instances of several agents as rows of one agent each, which sees all, the time, and chooses for all.

    Attributes:
        as of `rows.Rows`; `action_space` is one `Discrete`, the first agent's choice its most significant digit.
    """

    agents = 1
    mask = mask_at = None

    def __init__(self, config: Config):
        self.inner = inner = Rows(config)
        space = inner.action_space
        if not isinstance(space, gymnasium.spaces.Discrete) or inner.mask is not None or not inner.objectives:
            raise ValueError(f"{config.env_id} is not supported, expected objectives, and a choice without a mask")
        self.width, self.each, self.env = inner.agents, int(space.n), inner.env
        if self.each**self.width > MOST:
            raise ValueError(f"{self.each} ** {self.width} joint choices are too many, expected at most {MOST}")
        self.action_space = gymnasium.spaces.Discrete(self.each**self.width)
        self.count, self.objectives = config.num_envs, inner.objectives
        self.horizon = envsuite.card(config.env_id).horizon or 1
        self.shape = self.critic_shape = (inner.shape[0] * self.width + 1,)
        self._show()

    def _show(self) -> None:
        self.obs = self.critic_obs = self._joined(self.inner.obs, self._clock())

    def _clock(self) -> torch.Tensor:
        return torch.from_numpy(self.env.batch.states["clock"]["step"].astype(np.float32)) / self.horizon

    def _joined(self, obs: torch.Tensor, time: torch.Tensor) -> torch.Tensor:
        return torch.cat([obs.reshape(self.count, -1), time.unsqueeze(1)], 1)

    def step(self, action: torch.Tensor) -> Step:
        """Play joint choices (n,); rewards are means over agents."""
        parts = [action // self.each**k % self.each for k in reversed(range(self.width))]
        time = self.obs[:, -1] + 1.0 / self.horizon
        step = self.inner.step(torch.stack(parts, 1).reshape(-1))
        first = (slice(None, None, self.width),)
        reward = step.reward.reshape(self.count, self.width, -1).mean(1)
        final_rows = self._joined(step.next_obs, time)
        self._show()
        flags = (flag[first] for flag in (step.terminated, step.done, step.valid, step.episode_start))
        return Step(reward, *flags, final_rows, final_rows, None)

    def enter_stages(self, steps: int) -> bool:
        """See `rows.Rows`."""
        return self.inner.enter_stages(steps)

    def state_dict(self) -> dict[str, Any]:
        """The moment, to the bit."""
        return self.inner.state_dict()

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Return to a moment."""
        self.inner.load_state_dict(state)
        self._show()


class VectorQ(nn.Module):
    """Values (b, choices, objectives) of observations (b, O) under weights (b, objectives)."""

    def __init__(self, config: Config, rows: JointRows):
        super().__init__()
        self.objectives, self.choices = rows.objectives, int(rows.action_space.n)
        self.obs_normaliser = normaliser_of(rows.shape, config.normalise)
        sizes = [rows.shape[0] + self.objectives, *config.hidden, self.choices * self.objectives]
        self.layers = mlp(sizes, None, config.activation)

    def forward(self, obs: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """At observations as they come."""
        found = self.layers(torch.cat([self.obs_normaliser(obs), weights], 1))
        return found.unflatten(1, (self.choices, self.objectives))


class GPILS(Trainer):
    """One training run."""

    kept = ("network", "target", "optimiser", "memory", "debt", "copied", "round", "support", "solved", "found", "now")
    takes_vectors = True
    unused = ("privileged", "returns", "double")

    def __init__(self, config: GPILSConfig):
        super().__init__(config)
        rows = self.rows
        self.units = units_of(config, rows.objectives)
        self.network = VectorQ(config, rows)
        self.target = copy.deepcopy(self.network)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate, fused=True)
        self.memory, self.debt = ReplayBuffer(config.memory, rows, 1, config.gamma), UpdateSchedule(config.updates)
        self.copied = self.round = 0
        self.support = torch.eye(rows.objectives)
        self.solved, self.found = torch.zeros(0, rows.objectives), torch.zeros(0, rows.objectives)
        self.now = self._drawn(rows.count)

    def make_rows(self) -> Any:
        """One row an instance."""
        return JointRows(self.config)

    def _drawn(self, count: int) -> torch.Tensor:
        """Weights of the support, all equally likely."""
        return self.support[torch.randint(len(self.support), (count,))]

    def iterate(self) -> dict[str, Any]:
        """Play one step of every instance, make the updates owed, and choose weights when a round is over."""
        config, losses = self.config, {}
        if self.steps >= (self.round + 1) * config.total_steps / (config.rounds + 1):
            self._choose()
        learning = self.steps >= config.first_steps
        for group in self.optimiser.param_groups:
            group["lr"] = config.learning_rate * self.decayed(config.final_rate)
        self.collect(learning)
        for _ in range(self.debt.due(config.num_envs) if learning else 0):
            losses = self.update()
        if self.steps - self.copied >= config.target_every:
            self.target.load_state_dict(self.network.state_dict())
            self.copied = self.steps
        return losses

    def improved(self, obs: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Choices (b,) by generalised policy improvement over the support."""
        best = torch.full((len(obs), self.network.choices), -math.inf)
        for one in self.support:
            values = self.network(obs, one.expand(len(obs), -1))
            best = torch.maximum(best, (values * weights.unsqueeze(1)).sum(-1))
        return best.argmax(1)

    @torch.no_grad()
    def collect(self, learning: bool) -> None:
        """Play one step of every instance, each by the weights of its episode."""
        config, rows = self.config, self.rows
        before = rows.obs
        progress = min(1.0, self.steps / (config.explore * config.total_steps))
        epsilon = 1.0 + (config.final_explore - 1.0) * progress if learning else 1.0
        action = epsilon_greedy(self.improved(before, self.now), self.network.choices, epsilon, None)
        if not learning:
            self.network.obs_normaliser.update(before)
            self.target.obs_normaliser.load_state_dict(self.network.obs_normaliser.state_dict())
        step = rows.step(action)
        ended = step.done if config.finite else step.terminated
        columns = {"obs": before, "critic_obs": before, "action": action, "reward": step.reward / self.units}
        columns |= {"next_obs": step.next_obs, "next_critic_obs": step.next_obs, "discount": config.gamma * ~ended}
        self.memory.add(columns | {"done": step.done, "valid": step.valid})
        self.now = torch.where(step.done.unsqueeze(1), self._drawn(rows.count), self.now)
        self.steps += config.num_envs

    def update(self) -> dict[str, torch.Tensor]:
        """One update for weights of the support; the loss over all objectives."""
        batch = self.memory.sample(self.config.batch_size)
        weights = self._drawn(len(batch["action"]))
        rows = torch.arange(len(weights))
        with torch.no_grad():
            chooser = self.network(batch["next_obs"], weights)
            best = (chooser * weights.unsqueeze(1)).sum(-1).argmax(1)
            next_value = self.target(batch["next_obs"], weights)[rows, best]
            target = batch["reward"] + batch["discount"].unsqueeze(1) * next_value
        value = self.network(batch["obs"], weights)[rows, batch["action"]]
        loss = functional.smooth_l1_loss(value, target)
        clipped_gradient_step(self.network, self.optimiser, loss, self.config.max_gradient)
        return {"loss": loss.detach()}

    def _choose(self) -> None:
        """Play by the present support, and let linear support name the next weights."""
        size = self.rows.objectives
        episodes = evaluate_policies(self.config, self._pairs(self.support), SELECTION_SEED)
        points = torch.from_numpy(vectors(self.config.env_id, episodes)).float() / self.units
        self.solved, self.found = self.support.clone(), points
        table = points.double().numpy()
        new = next_weights(self.solved.double().numpy(), table, self.config.support)
        corners = corner_weights(table)
        kept = torch.from_numpy(np.concatenate([np.eye(size), corners, new])).float()
        self.support = _distinct(kept)[: size + self.config.support]
        self.round += 1

    def _pairs(self, weights: torch.Tensor) -> list[tuple[OnnxPolicy, torch.Tensor]]:
        return [(self._exported(one), one) for one in weights]

    def policies(self) -> dict[str, OnnxPolicy]:
        """One for each weights of the support; the first is ``policy``."""
        return {f"policy-{k}" if k else "policy": self._exported(one) for k, one in enumerate(self.support)}

    def policy(self) -> OnnxPolicy:
        """The first of the support."""
        return self._exported(self.support[0])

    def evaluate(self) -> Episodes:
        """All weights of the support on the evaluation seeds."""
        return evaluate_policies(self.config, self._pairs(self.support))

    def summary(self, episodes: Episodes) -> dict[str, float]:
        """Means of the metrics, of each policy's objectives, and what the set of them is worth."""
        return super().summary(episodes) | front_numbers(self.config, episodes)

    def _exported(self, weights: torch.Tensor) -> OnnxPolicy:
        """The improved policy for some weights; its memory counts the steps."""
        rows, network = self.rows, self.network
        graph = Graph((rows.width, *rows.inner.shape), rows.env.single_observation_space.dtype)
        time = graph.state("time", 1)
        obs = graph.add("Concat", graph.flatten(graph.observation), time, axis=1)
        mean, scale = network.obs_normaliser.mean.numpy(), torch.rsqrt(network.obs_normaliser.variance + 1e-8).numpy()
        inputs = graph.normalise(obs, mean.copy(), scale, 10.0) if network.obs_normaliser.active else obs
        first, *rest = network.layers
        best = None
        for one in _distinct(torch.cat([self.support, weights.unsqueeze(0)])):
            kernel, bias = first.weight.detach(), first.bias.detach()
            size = kernel.shape[1] - len(one)
            x = graph.dense(inputs, kernel[:, :size].numpy().copy(), (bias + kernel[:, size:] @ one).numpy())
            for layer in rest[:-1]:
                x = _through(graph, x, layer)
            last = rest[-1].weight.detach().unflatten(0, (network.choices, -1))
            shift = rest[-1].bias.detach().unflatten(0, (network.choices, -1))
            value = graph.dense(x, (last * weights[:, None]).sum(1).numpy(), (shift * weights).sum(1).numpy())
            best = value if best is None else graph.add("Max", best, value)
        graph.remember(time, graph.add("Add", time, np.array(1.0 / rows.horizon)))
        return _choices(graph, best, rows, self.config.env_id)


def _through(graph: Graph, x: str, layer: nn.Module) -> str:
    if isinstance(layer, nn.Linear):
        return graph.dense(x, *(part.detach().numpy().copy() for part in (layer.weight, layer.bias)))
    return graph.activate(x, type(layer).__name__.lower())


def _choices(graph: Graph, values: Any, rows: JointRows, env_id: str) -> OnnxPolicy:
    """Each agent's part of the best joint choice: what it can reach at best by each of its own."""
    table = graph.add("Reshape", values, np.array([0, *(rows.each,) * rows.width]))
    parts = []
    for k in range(rows.width):
        others = [axis + 1 for axis in range(rows.width) if axis != k]
        parts.append(graph.add("ReduceMax", table, np.array(others), keepdims=0) if others else table)
    heads = (rows.each,) * rows.width
    model = graph.model(graph.add("Concat", *parts, axis=1) if len(parts) > 1 else parts[0], (sum(heads),))
    states = tuple(State(name, into, size) for name, into, size in graph.states)
    return OnnxPolicy(Program(model), Interface(env_id, Action("argmax", heads=heads), states=states))


def _distinct(weights: torch.Tensor) -> torch.Tensor:
    """Without repetitions, in order."""
    kept: list[torch.Tensor] = []
    for one in weights:
        if all((one - other).abs().max() > 1e-6 for other in kept):
            kept.append(one)
    return torch.stack(kept)


if __name__ == "__main__":
    main(GPILS, GPILSConfig)
