"""Actions that are adjusted towards the data as they are played (CDSA, after Liu, Yang and Li 2024, arXiv 2406.07541).

Any trained policy is the base, and stays as it is. Two networks learn from the dataset: one the score, the gradient of
the log-density of states and actions, by denoising score matching (Vincent 2011); the other the inverse dynamics, which
action changes a state in a given way. An action of the base is moved along the action part of the score, and to it is
added what moves the state along the state part. The policy file holds the base and both networks.

Of the paper only the abstract and summaries were at hand: its equations and settings are not checked against it. What
follows is our choice. There is one level of noise. A step along the score is measured by the noise, so that a whole one
leads to the mean of what the noise may have hidden, and not beyond. The auxiliary action is the difference of two
answers of the inverse dynamics, for the wished change and for none, so that it is 0 where the data ask for nothing.

Run ``python baselines/cdsa.py --help`` for all settings; those of a dataset come from ``baselines/cdsa.toml``.
"""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import torch
from bc import BC, BCConfig
from export import Exporter
from iql import IQL, IQLConfig
from launch import main
from learning import gradient_step
from networks import mlp
from offline import OfflineConfig, OfflineTrainer
from ops import FileOps
from td3_bc import TD3BC, TD3BCConfig
from torch import nn

import envsuite
from envsuite.agents.onnx import OnnxPolicy, load
from envsuite.agents.onnx.digest import network_digest
from envsuite.evaluation.rollout import Episodes, onnx_player, play

LEARNERS: dict[str, Any] = {"bc": (BC, BCConfig), "iql": (IQL, IQLConfig), "td3_bc": (TD3BC, TD3BCConfig)}
DRAWN = 10_000
"""Transitions that the spread of actions and of changes is taken from."""
STILL = 1e-6
"""Numbers of the state whose changes spread less, in deviations of the state, do not move."""


@dataclass
class CDSAConfig(OfflineConfig):
    """Settings of CDSA, beside those of `OfflineConfig`, which are for its own two networks.

    Attributes:
        base: what is adjusted: a policy file, a run folder, or one of `LEARNERS`. A learner is trained first, with its
            own settings for the dataset and the seed of the run; after a stop it is trained again.
        base_settings: of a learner, where they shall differ from its own.
        base_hash: of a policy file; filled in.
        noise: deviation of the noise that is taken away, in deviations of the data's states and actions.
        action_steps: steps along the action part of the score.
        action_rate: size of each, as a share of the one that leads to the denoised action.
        state_rate: size of the change that is wished for where a state is as far from the data as the noise leads, in
            deviations of the changes that the data's steps make.
    """

    algorithm = "cdsa"

    total_steps: int = 100_000
    base: str = "td3_bc"
    base_settings: dict[str, Any] = field(default_factory=dict)
    base_hash: str = ""
    noise: float = 0.1
    action_steps: int = 3
    action_rate: float = 0.5
    state_rate: float = 0.03

    @classmethod
    def for_env(cls, env_id: str, **changes: Any) -> Self:
        """See `OfflineConfig`; with another base, its settings in ``cdsa.toml`` do not count."""
        config = super().for_env(env_id, **({"base_settings": {}} if "base" in changes else {}) | changes)
        if config.base not in LEARNERS and not config.base_hash:
            config.base_hash = content_hash(load_base(config.base))
        return config


def load_base(path: str) -> OnnxPolicy:
    """The policy of a file or a run folder.

    Raises:
        ValueError: there is none.
    """
    if not Path(path).exists():
        raise ValueError(f"base is {path!r}, expected a policy file, a run folder or one of {', '.join(LEARNERS)}")
    return load(path)


def content_hash(policy: OnnxPolicy) -> str:
    """Of what it computes."""
    return network_digest(policy.program.model, policy.interface)


def answer(ops: Any, network: nn.Sequential, *inputs: Any) -> Any:
    """What a network says to joined inputs, on the operations of `ops`."""
    x = ops.joined(list(inputs))
    for layer in network:
        x = ops.linear(x, layer) if isinstance(layer, nn.Linear) else ops.op(type(layer).__name__.capitalize(), x)
    return x


class CDSA(OfflineTrainer):
    """One training run.

    Attributes:
        base: the policy that is adjusted.
        base_return: its mean return in the evaluation episodes.

    Raises:
        ValueError: sizes of steps or of noise that are no such, settings for a base that is trained already, a policy
            file that is not that of the settings, or one that cannot be part of another (`Exporter.actions_of`).
    """

    unused = (*OfflineTrainer.unused, "gamma", "normalise", "reward_scale", "reward_shift")
    kept = ("denoiser", "inverse", "optimiser")
    config: CDSAConfig

    def __init__(self, config: CDSAConfig):
        if not 0 < config.noise < math.inf:
            raise ValueError(f"noise is {config.noise}, expected a finite number above 0")
        if not 0 <= config.action_rate <= 1:
            raise ValueError(f"action_rate is {config.action_rate}, expected 0 to 1, which is the whole way")
        if not 0 <= config.state_rate < math.inf:
            raise ValueError(f"state_rate is {config.state_rate}, expected a finite number from 0 on")
        super().__init__(config)
        self.base = self.make_base()
        Exporter(config.env_id, self.rows.env).actions_of(self.base)  # what no file can hold is refused before training
        played = play(envsuite.card(config.env_id), onnx_player(self.base), config.episodes)
        self.base_return = float(played.returns.mean())
        drawn = self.rows.sample(DRAWN)
        self.action_mean, self.action_spread = drawn["action"].mean(0), drawn["action"].std(0) + 1e-3
        spread = (self.obs_normaliser(drawn["next_obs"]) - self.obs_normaliser(drawn["obs"])).std(0)
        self.moving, self.change_spread = (spread > STILL).float(), spread.clamp(min=STILL)
        both = self.numbers + self.actions
        self.denoiser = mlp([both, *config.hidden, both], None, config.activation)
        self.inverse = mlp([2 * self.numbers, *config.hidden, self.actions], None, config.activation)
        self.optimiser = self.adam(self.denoiser, self.inverse)

    def make_base(self) -> OnnxPolicy:
        """The base, trained if it is a learner."""
        config = self.config
        if config.base in LEARNERS:
            self.refuse(("base_hash",), f"{config.base} is trained first")
            maker, settings = LEARNERS[config.base]
            shared = {"dataset": config.dataset, "seed": config.seed, "threads": config.threads, "evaluations": 1}
            return maker(settings.for_env(config.env_id, **shared | config.base_settings)).train()[0]
        self.refuse(("base_settings",), f"{config.base} is trained already")
        base = load_base(config.base)
        if (found := content_hash(base)) != config.base_hash:
            raise ValueError(f"base {config.base} has hash {found}, the settings say {config.base_hash}")
        return base

    def update(self) -> dict[str, torch.Tensor]:
        """One step of both networks: towards the noise on states and actions, and towards the data's actions."""
        batch = self.sample()
        obs, after = self.obs_normaliser(batch["obs"]), self.obs_normaliser(batch["next_obs"])
        place = torch.cat([obs, (batch["action"] - self.action_mean) / self.action_spread], 1)
        noise = torch.randn_like(place)
        score_loss = (self.denoiser(place + self.config.noise * noise) - noise).square().mean()
        done = self.inverse(torch.cat([obs, (after - obs) / self.change_spread], 1))
        inverse_loss = (done - batch["action"]).square().mean()
        gradient_step(self.optimiser, score_loss + inverse_loss)
        return {"score_loss": score_loss.detach(), "inverse_loss": inverse_loss.detach()}

    def score(self, ops: Any, obs: Any, action: Any) -> Any:
        """Gradient (b, S + A) of the log-density of the data with noise, of normalised states and actions.

        Args:
            ops: operations of PyTorch or of a policy file.
            obs: (b, S), normalised.
            action: (b, A), in deviations of the data's actions from their mean.
        """
        return ops.scaled(answer(ops, self.denoiser, obs, action), -1 / self.config.noise)

    def addition(self, ops: Any, obs: Any, action: Any) -> Any:
        """What is added to actions (b, A) in [-1, 1], see `score`."""
        config, numbers = self.config, self.numbers
        start = ops.scaled(ops.op("Sub", action, ops.constant(self.action_mean.numpy())), 1 / self.action_spread)
        place = start
        for _ in range(config.action_steps):
            uphill = ops.columns(self.score(ops, obs, place), numbers, self.actions)
            place = ops.op("Add", place, ops.scaled(uphill, config.action_rate * config.noise**2))
        uphill = ops.columns(self.score(ops, obs, place), 0, numbers)
        wished = ops.scaled(uphill, config.state_rate * config.noise * self.moving)
        pushed, resting = (answer(ops, self.inverse, obs, one) for one in (wished, ops.scaled(wished, 0.0)))
        moved = ops.scaled(ops.op("Sub", place, start), self.action_spread)
        return ops.op("Add", moved, ops.op("Sub", pushed, resting))

    def summary(self, episodes: Episodes) -> dict[str, float]:
        """Also the return of the base by itself in the same episodes."""
        return super().summary(episodes) | {"base_return": self.base_return}

    def policy(self) -> OnnxPolicy:
        """The base and what is added to its actions, as it is now."""
        exporter = Exporter(self.config.env_id, self.rows.env)
        graph, obs = exporter.graph, exporter.inputs(self.obs_normaliser)
        bias, scale = (one.numpy() for one in (self.rows.action_bias, self.rows.action_scale))
        action = exporter.actions_of(self.base)
        share = graph.add("Div", graph.add("Sub", action, bias), scale)
        more = self.addition(FileOps(graph), obs, share)
        return exporter.finish(graph.add("Add", action, graph.add("Mul", more, scale)), "clip")


if __name__ == "__main__":
    main(CDSA, CDSAConfig)
