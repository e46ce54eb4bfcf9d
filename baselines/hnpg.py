"""Hybrid natural policy gradient (HNPG; Zhou et al. 2023, arXiv 2311.08384).

Learns on policy and from a dataset at once, in tasks whose episodes all have the same length: each step of the episode
has a policy and a critic of its own. Critics fit two things together: what the present policies earned from each step
on, and on the dataset one step of temporal differences under these policies. The policies then make natural gradient
steps on the states of both. Where the data help, they lead through what play alone would never find; where they do not,
what is left is trust-region policy optimisation (with ``--no-hybrid`` it is that alone).

The authors fit the critics one after the other, the last step's first; here all are fitted at once, with targets that
are made anew at each update: fewer and larger operations.

Run ``python baselines/hnpg.py --help`` for all settings; those of a dataset come from ``baselines/hnpg.toml``.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from distributions import Gaussian, finite_bounds
from export import Exporter
from launch import main
from learning import gae
from networks import StackedLinear, stacked_mlp
from offline import DatasetConfig, Transitions, open_dataset
from torch import nn
from trainer import Trainer
from trust_region import natural_step

import envsuite
from envsuite.agents.onnx import Graph, OnnxPolicy

DRAWS = 10
"""Actions whose mean value is the value of a state, as in the authors' code."""
SMALL_START = 0.1
"""Of PyTorch's own initial weights, those of last layers at first (likewise)."""


@dataclass
class HNPGConfig(DatasetConfig):
    """Settings of HNPG, beside those of `DatasetConfig`; defaults are the authors', but for the noise.

    Every episode of the dataset has the environment's length.

    Attributes:
        total_steps: environment steps.
        num_envs: episodes between two updates.
        drawn: transitions of each step that are drawn from the dataset for an update; 0 for as many as are played.
        hidden: units of the policies' hidden layers.
        critic_hidden: of the critics'.
        critic_steps: updates of the critics for one of the policies.
        learning_rate: of the critics.
        log_std: initial logarithm of the action noise; actions are from -1 to 1. The authors' are from 0 to 1, so that
            their noise of 1 is twice this.
        gae_lambda: share of the longer sums in advantages.
        max_kl: divergence of an update of a policy.
        damping: of the natural gradient.
        hybrid: whether it learns from the dataset; otherwise it is trust-region policy optimisation.
    """

    algorithm = "hnpg"

    total_steps: int = 500_000
    num_envs: int = 20
    drawn: int = 0
    gamma: float = 1.0
    hidden: tuple[int, ...] = (16, 16)
    normalise: bool = False
    threads: int = 1
    critic_hidden: int = 64
    critic_steps: int = 30
    log_std: float = 0.0
    gae_lambda: float = 0.97
    max_kl: float = 0.01
    damping: float = 0.1
    hybrid: bool = True


class Steps(nn.Module):
    """The policies of all steps of an episode.

    Args:
        count: steps.
        sizes: of the layers.
        activation: between them.
        log_std: initial logarithm of the noise.
    """

    def __init__(self, count: int, sizes: list[int], activation: str, log_std: float):
        super().__init__()
        self.layers = small_start(stacked_mlp(count, sizes, activation))
        self.log_std = nn.Parameter(torch.full((count, 1, sizes[-1]), log_std))

    def forward(self, obs: torch.Tensor) -> Gaussian:
        """The distribution of actions (steps, b, A) at observations (steps, b, S)."""
        return Gaussian(self.layers(obs), self.log_std)

    def at(self, step: int, obs: torch.Tensor) -> Gaussian:
        """Likewise at one step, (b, A)."""
        for layer in self.layers:
            obs = obs @ layer.weight[step] + layer.bias[step] if isinstance(layer, StackedLinear) else layer(obs)
        return Gaussian(obs, self.log_std[step])


def small_start(layers: nn.Sequential) -> nn.Sequential:
    """The same networks with small outputs at first."""
    last: Any = layers[-1]
    last.weight.data.mul_(SMALL_START)
    last.bias.data.zero_()
    return layers


class HNPG(Trainer):
    """One training run."""

    kept = ("actors", "critics")
    unused = ("autoreset", "normalise", "privileged")
    config: HNPGConfig

    def __init__(self, config: HNPGConfig):
        for name, least, most in (("max_kl", 0.0, math.inf), ("damping", 0.0, math.inf), ("gae_lambda", 0.0, 1.0)):
            if not least <= (value := getattr(config, name)) <= most or not math.isfinite(value):
                raise ValueError(f"{name} is {value}, expected a finite number from {least:g} to {most:g}")
        super().__init__(config)
        rows = self.rows
        self.action_bias, self.action_scale = finite_bounds(rows.action_space)
        self.length, numbers, actions = envsuite.card(config.env_id).horizon, rows.shape[0], len(self.action_scale)
        self.actors = Steps(self.length, [numbers, *config.hidden, actions], config.activation, config.log_std)
        sizes = [numbers + actions, config.critic_hidden, config.critic_hidden, 1]
        self.critics = small_start(stacked_mlp(self.length, sizes, config.activation))
        data = open_dataset(config)
        if wrong := [length for length in data.lengths.tolist() if length != self.length]:
            raise ValueError(f"an episode of {config.dataset} has {wrong[0]} steps, expected {self.length} of each")
        self.data = Transitions(data, config)
        self.starts = torch.from_numpy(np.cumsum(data.lengths) - self.length)

    def iterate(self) -> dict[str, Any]:
        """Play an episode of every instance, fit the critics, move the policies."""
        play, data = self.collect(), self.draw()
        loss = self.fit(play, data)
        with torch.no_grad():
            value, zeros = self.value(play["obs"]), torch.zeros(self.config.num_envs)
            done = torch.zeros_like(play["reward"], dtype=torch.bool)
            play["advantage"] = gae(
                play["reward"], value, done, torch.zeros_like(value), zeros, self.config.gamma, self.config.gae_lambda
            )
            own = self.actors(data["obs"]).sample()
            data |= {"action": own, "advantage": self.action_value(data["obs"], own) - self.value(data["obs"])}
        parts = [play, data] if self.config.hybrid else [play]
        moved = self.move(*(torch.cat([part[name] for part in parts], 1) for name in ("obs", "action", "advantage")))
        spread = self.actors.log_std.detach().exp().mean()
        return {"critic_loss": loss, "moved": moved.float().mean(), "std": spread}

    @torch.no_grad()
    def collect(self) -> dict[str, torch.Tensor]:
        """An episode of every instance: ``obs, action, reward, return_to_go``, (steps, instances, ...).

        Raises:
            ValueError: an episode ended early.
        """
        found: dict[str, list[torch.Tensor]] = {"obs": [], "action": [], "reward": []}
        for step in range(self.length):
            obs = self.rows.obs
            action = self.actors.at(step, obs).sample()
            played = self.rows.step(self.action_bias + self.action_scale * action.clamp(-1.0, 1.0))
            if bool(played.done.any()) != (step == self.length - 1):
                raise ValueError(
                    f"an episode of {self.config.env_id} ended after {step + 1} steps, expected {self.length} of each"
                )
            for name, value in (("obs", obs), ("action", action), ("reward", played.reward)):
                found[name].append(value)
        self.steps += self.length * self.config.num_envs
        play = {name: torch.stack(values) for name, values in found.items()}
        earned = play["reward"].clone()
        for step in reversed(range(self.length - 1)):
            earned[step] += self.config.gamma * earned[step + 1]
        return {**play, "return_to_go": earned}

    def draw(self) -> dict[str, torch.Tensor]:
        """Some transitions of each step from the dataset, see `Transitions.take`; (steps, drawn, ...)."""
        count = self.config.drawn or self.config.num_envs
        episodes = self.starts[torch.randint(len(self.starts), (self.length, count))]
        batch = self.data.take((episodes + torch.arange(self.length)[:, None]).flatten())
        return {name: values.reshape(self.length, count, *values.shape[1:]) for name, values in batch.items()}

    def fit(self, play: dict[str, torch.Tensor], data: dict[str, torch.Tensor]) -> torch.Tensor:
        """Fit the critics; the last loss."""
        optimiser = torch.optim.Adam(self.critics.parameters(), lr=self.config.learning_rate, fused=True)
        parts = [play, data] if self.config.hybrid else [play]
        obs, action = (torch.cat([part[name] for part in parts], 1) for name in ("obs", "action"))
        sizes = [part["reward"].shape[1] for part in parts]
        loss, target = torch.zeros(()), play["return_to_go"]
        for _ in range(self.config.critic_steps):
            if self.config.hybrid:
                target = torch.cat([play["return_to_go"], self.target(data)], 1)
            errors = (self.action_value(obs, action) - target).square()
            loss = torch.stack([part.mean(1).sum() for part in errors.split(sizes, 1)]).sum()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
        return loss.detach() / self.length

    def action_value(self, obs: torch.Tensor, action: torch.Tensor) -> torch.Tensor:
        """(steps, b) values of actions."""
        return self.critics(torch.cat([obs, action], 2)).squeeze(2)

    def value(self, obs: torch.Tensor) -> torch.Tensor:
        """(steps, b) values of states: the mean over some actions of the policies."""
        many = obs.repeat(1, DRAWS, 1)
        values = self.action_value(many, self.actors(many).sample())
        return values.reshape(self.length, DRAWS, -1).mean(1)

    @torch.no_grad()
    def target(self, data: dict[str, torch.Tensor]) -> torch.Tensor:
        """(steps, b): the reward, and what the next step's critic says of an action of the next step's policy."""
        obs = data["next_obs"].roll(1, 0)  # each at the step where it is seen
        after = self.action_value(obs, self.actors(obs).sample()).roll(-1, 0)
        after[-1] = 0.0
        return data["reward"] + self.config.gamma * after

    def move(self, obs: torch.Tensor, action: torch.Tensor, advantage: torch.Tensor) -> torch.Tensor:
        """A natural gradient step of every policy; (steps,) which moved."""
        policies = self.actors
        with torch.no_grad():
            old_mean, old_log_std = policies.layers(obs), policies.log_std.clone()
            known = policies(obs).log_prob(action)

        def surrogate() -> torch.Tensor:
            return -(advantage * (policies(obs).log_prob(action) - known).exp()).mean(1)

        def divergence() -> torch.Tensor:
            mean, log_std = policies.layers(obs), policies.log_std
            scaled = ((2 * old_log_std).exp() + (old_mean - mean).square()) / (2 * (2 * log_std).exp())
            return (log_std - old_log_std + scaled - 0.5).sum(2).mean(1)

        weights = [*policies.parameters()]
        return natural_step(weights, surrogate, divergence, self.config.max_kl, self.config.damping)

    def policy(self) -> OnnxPolicy:
        """The means of the policies, each at its step, which the file counts."""
        exporter = Exporter(self.config.env_id, self.rows.env)
        graph, x = exporter.graph, exporter.graph.flatten(exporter.graph.observation)
        count = graph.state("step", 1)
        graph.remember(count, graph.add("Min", graph.add("Add", count, np.array(1.0)), np.array(self.length - 1.0)))
        distance = graph.add("Abs", graph.add("Sub", count, np.arange(self.length, dtype=np.float32)))
        now = graph.add("Cast", graph.add("Less", distance, np.array(0.5)), to=1)  # 1 at the present step
        x = graph.add("Unsqueeze", x, np.array([1]))
        for layer in self.actors.layers:
            if isinstance(layer, StackedLinear):
                weight, bias = (self.chosen(graph, now, one) for one in (layer.weight, layer.bias))
                x = graph.add("Add", graph.add("MatMul", x, weight), bias)
            else:
                x = graph.activate(x, type(layer).__name__.lower())
        return exporter.finish(graph.add("Squeeze", x, np.array([1])), "clip")

    @staticmethod
    def chosen(graph: Graph, now: str, weights: torch.Tensor) -> str:
        """(r, ...) weights of the steps (steps, ...) at which rows are."""
        rows = graph.add("MatMul", now, weights.detach().numpy().reshape(len(weights), -1).copy())
        return graph.add("Reshape", rows, np.array([0, *weights.shape[1:]]))


if __name__ == "__main__":
    main(HNPG, HNPGConfig)
