"""What the offline baselines share: settings that name a dataset, its transitions as tensors, the loop over updates."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Self

import numpy as np
import torch
from config import Config
from distributions import finite_bounds
from export import Exporter
from networks import Normaliser
from torch import nn
from trainer import Trainer

import envsuite
from envsuite.agents.onnx import OnnxPolicy
from envsuite.cards import datasets_with
from envsuite.data import Dataset, generate, load, load_recipe, recipe_ids
from envsuite.evaluation.rollout import Episodes

CHUNK = 100
"""Updates between looks at the clock and at the losses."""


@dataclass
class DatasetConfig(Config):
    """Settings of algorithms that learn from a dataset.

    Attributes:
        dataset: id of the dataset; one with a recipe is generated where it is missing.
        dataset_hash: of its content.
    """

    env_id: str = ""
    dataset: str = ""
    dataset_hash: str = ""

    @classmethod
    def for_env(cls, env_id: str, **changes: Any) -> Self:
        """The tuned settings of a dataset from ``<algorithm>.toml``, with changes.

        Args:
            env_id: may be empty, since the dataset tells.
            **changes: ``dataset`` among them.

        Raises:
            ValueError: no dataset, or one of another environment.
        """
        named = cls.source(cls.algorithm, env_id, changes.get("dataset", ""))
        return cls.tuned(changes["dataset"], **{**named, **changes, "env_id": named["env_id"]})

    @staticmethod
    def source(algorithm: str, env_id: str, dataset: str) -> dict[str, Any]:
        """The environment and the hash of a dataset, as settings.

        Raises:
            ValueError: see `for_env`.
        """
        if not dataset:
            hint = "`envsuite datasets list` shows all"
            if env_id:
                card = envsuite.card(env_id)
                known = datasets_with(card.id)
                hint = f"one of {', '.join(known)}" if known else f"{card.id} has none"
                hint += f"; policies learn on {card.trained_on}" if card.trained_on else ""
            raise ValueError(f"{algorithm} learns from a dataset: --dataset ID, {hint}")
        if dataset in recipe_ids():
            recipe = load_recipe(dataset)
            source, content = recipe.env_id, recipe.hash
        else:
            manifest = load(dataset).manifest
            source, content = manifest.source.id, manifest.hash
        if env_id and envsuite.card(env_id).id != source:
            raise ValueError(f"dataset {dataset} is of {source}, not of {env_id}")
        return {"env_id": source, "dataset_hash": content}


@dataclass
class OfflineConfig(DatasetConfig):
    """Settings of offline algorithms; those of `Config` about playing while training are refused.

    Attributes:
        total_steps: updates.
        batch_size: transitions an update.
        reward_scale: factor of the rewards...
        reward_shift: ...and what is added to them afterwards.
    """

    total_steps: int = 1_000_000
    batch_size: int = 256
    reward_scale: float = 1.0
    reward_shift: float = 0.0
    hidden: tuple[int, ...] = (256, 256)
    activation: str = "relu"
    threads: int = 1
    evaluations: int = 10


def open_dataset(config: Any) -> Dataset:
    """The dataset of the settings, generated where it is missing.

    Raises:
        FileNotFoundError: it is missing and has no recipe.
        ValueError: its content is another one, or no baseline here learns from such.
    """
    try:
        data = load(config.dataset)
    except FileNotFoundError:
        if config.dataset not in recipe_ids():
            raise
        data = generate(load_recipe(config.dataset))
    manifest = data.manifest
    if config.dataset_hash and manifest.hash != config.dataset_hash:
        raise ValueError(f"{manifest.id} here has hash {manifest.hash}, the settings say {config.dataset_hash}")
    column = data.columns.get("observations")
    if manifest.agents or manifest.objectives or column is None or column.dtype.kind != "f":
        raise ValueError(
            f"{manifest.id} has {len(manifest.agents)} agents, {len(manifest.objectives)} objectives and observations"
            f" {data.observation_space}, expected vectors of numbers, one agent and one reward"
        )
    return data


class Transitions:
    """A dataset in memory, in the place of the environment's rows.

    Args:
        data: of vectors, one agent and one reward.
        config: whose rewards are scaled and discounted.

    Attributes:
        data: the dataset.
        env: holds its spaces.
        action_space: of its actions.
        shape: of an observation, (numbers,).
        count: transitions.
        last: (count,) bool, the episode ended with it.
    """

    objectives = 0

    def __init__(self, data: Dataset, config: Any):
        self.data, self._config = data, config
        self._scale, self._shift = getattr(config, "reward_scale", 1.0), getattr(config, "reward_shift", 0.0)
        self.action_space: Any = data.action_space
        self.action_bias, self.action_scale = finite_bounds(self.action_space)
        self.env = SimpleNamespace(
            single_observation_space=data.observation_space, single_action_space=self.action_space
        )
        self.shape = (int(np.prod(data.observation_space.shape)),)
        self._tensors, self.count = data.to_torch(), len(data)
        self.last = torch.zeros(self.count, dtype=torch.bool)
        self.last[torch.from_numpy(np.cumsum(data.lengths) - 1)] = True

    def normaliser(self, active: bool) -> Normaliser:
        """Of observations: mean 0 and deviation 1, to which 0.001 is added (Fujimoto and Gu 2021, section 5)."""
        found = Normaliser(self.shape[0], active)
        if active:
            obs = self._tensors.columns("observations").reshape(self.count, -1)
            variance, mean = torch.var_mean(obs.double(), dim=0, correction=0)
            found.mean, found.variance = mean.float(), ((variance.sqrt() + 1e-3) ** 2).float()
            found.count = float(self.count)
        return found

    def sample(self, size: int) -> dict[str, torch.Tensor]:
        """Transitions drawn with replacement, all equally likely; see `take`."""
        return self.take(torch.randint(self.count, (size,)))

    def take(self, index: torch.Tensor) -> dict[str, torch.Tensor]:
        """Transitions by number (b,).

        Returns:
            ``obs``, ``next_obs`` (b, S), ``action`` (b, A) in [-1, 1], ``reward`` (b,) scaled, ``discount`` (b,):
            gamma, or 0 where the task ended the episode; ``index``.
        """
        batch, config = self._tensors.take(index), self._config
        action = (batch.actions.float().reshape(len(index), -1) - self.action_bias) / self.action_scale
        return {
            "obs": batch.observations.float().reshape(len(index), -1),
            "next_obs": batch.next_observations.float().reshape(len(index), -1),
            "action": action.clamp(-1.0, 1.0),
            "reward": batch.rewards.float() * self._scale + self._shift,
            "discount": config.gamma * batch.discounts,
            "index": index,
        }

    def next_action(self, batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        """Actions (b, A) that were taken next, and (b,) bool whether there was one: none is after an episode's end."""
        index = batch["index"]
        after = (index + 1).clamp(max=self.count - 1)
        return self.take(after)["action"], ~self.last[index]

    def rewards(self) -> torch.Tensor:
        """(count,) float64, all of them, scaled."""
        return self._tensors.columns("rewards").double() * self._scale + self._shift

    def returns_to_go(self, gamma: float) -> torch.Tensor:
        """(count,) float32, discounted sums of scaled rewards from each step to the end of its episode."""
        from scipy.signal import lfilter

        rewards, ends = self.rewards().numpy(), np.cumsum(self.data.lengths)
        spans = zip(ends - self.data.lengths, ends, strict=True)
        parts = [lfilter([1.0], [1.0, -gamma], rewards[start:stop][::-1])[::-1] for start, stop in spans]
        return torch.from_numpy(np.concatenate(parts)).float()

    def enter_stages(self, steps: int) -> bool:
        """There is no curriculum."""
        return False

    def state_dict(self) -> dict[str, Any]:
        """Nothing changes."""
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Nothing to return to."""


class OfflineTrainer(Trainer):
    """One training run on a dataset; a step is an update."""

    unit = "update"
    rows: Any
    unused = ("env_options", "stages", "autoreset", "num_envs", "privileged")

    def __init__(self, config: OfflineConfig):
        super().__init__(config)
        self.obs_normaliser = self.rows.normaliser(config.normalise)
        self.numbers, self.actions = self.rows.shape[0], len(self.rows.action_scale)

    def make_rows(self) -> Any:
        """What it learns from."""
        return Transitions(self.choose(open_dataset(self.config)), self.config)

    def choose(self, data: Dataset) -> Dataset:
        """The episodes that it learns from: all."""
        return data

    def adam(self, *networks: nn.Module, rate: float | None = None) -> torch.optim.Optimizer:
        """An optimiser of networks."""
        weights = [weight for network in networks for weight in network.parameters()]
        return torch.optim.Adam(weights, lr=rate or self.config.learning_rate, fused=True)

    def sample(self, size: int = 0) -> dict[str, torch.Tensor]:
        """Transitions to learn from, see `Transitions.take`; a batch of them by default."""
        return self.rows.sample(size or self.config.batch_size)

    def update(self) -> dict[str, torch.Tensor]:
        """One update; the losses."""
        raise NotImplementedError

    def iterate(self) -> dict[str, Any]:
        """Some updates; the losses of the last."""
        losses: dict[str, torch.Tensor] = {}
        for _ in range(min(CHUNK, self.config.total_steps - self.steps)):
            losses = self.update()
            self.steps += 1
        return losses

    def summary(self, episodes: Episodes) -> dict[str, float]:
        """Also the mean return as a percentage of the way between the dataset's anchors."""
        found = super().summary(episodes)
        for name, anchors in self.rows.data.manifest.about.anchors.items():
            low, high = anchors.low.mean, anchors.high.mean
            found[f"normalised_{name}"] = 100 * (float(episodes.returns.mean()) - low) / (high - low)
        return found

    def exported(self, layers: nn.Sequential, columns: int | None = None) -> OnnxPolicy:
        """An MLP of normalised observations as a policy, its outputs squashed by tanh.

        Args:
            layers: of the actor.
            columns: outputs that are the action; all by default.
        """
        exporter = Exporter(self.config.env_id, self.rows.env)
        output = exporter.layers(exporter.inputs(self.obs_normaliser), layers)
        return exporter.finish(exporter.columns(output, columns) if columns else output, "tanh")
