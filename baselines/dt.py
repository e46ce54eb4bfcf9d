"""Decision Transformer (Chen et al. 2021, arXiv 2106.01345): actions as a sequence, by the return wanted.

A causal transformer reads the last steps of an episode as triples (return to go, observation, action) and says the next
action. A policy file sees observations, not rewards. So when it plays, the return still asked for does not fall by what
was earned, as in the paper, but evenly, to 0 at the length limit.

Run ``python baselines/dt.py --help`` for all settings; those of a dataset come from ``baselines/dt.toml``.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from export import Exporter
from launch import main
from offline import OfflineConfig, OfflineTrainer
from torch import nn
from torch.nn import functional

import envsuite
from envsuite.agents.onnx import OnnxPolicy


@dataclass
class DTConfig(OfflineConfig):
    """Settings of the Decision Transformer, beside those of `OfflineConfig`; defaults are the authors'.

    Attributes:
        context: steps that it sees.
        width: numbers of an embedding.
        blocks: of attention and MLP.
        dropout: share of activations left out while training.
        decay: of weights, per step and learning rate.
        warm_up: updates over which the step size rises.
        scale: factor of returns to go.
        target: return that is asked for when it plays; 0 for the highest of the dataset.
    """

    algorithm = "dt"

    total_steps: int = 100_000
    batch_size: int = 64
    learning_rate: float = 1e-4
    context: int = 20
    width: int = 128
    blocks: int = 3
    dropout: float = 0.1
    decay: float = 1e-4
    warm_up: int = 10_000
    scale: float = 1e-3
    target: float = 0.0


class Block(nn.Module):
    """Causal attention of one head, and an MLP, each added to what comes in (normalised before)."""

    def __init__(self, width: int, dropout: float):
        super().__init__()
        self.norm, self.second_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor, allowed: torch.Tensor) -> torch.Tensor:
        """(b, t, width) of the same; `allowed` (b, t, t) says which tokens (last axis) each may look at."""
        q, k, v = self.qkv(self.norm(x)).chunk(3, 2)
        scores = q @ k.transpose(1, 2) * q.shape[2] ** -0.5
        weights = torch.where(allowed, scores, -1e9).softmax(2)
        x = x + self.dropout(self.out(self.dropout(weights) @ v))
        return x + self.dropout(self.narrow(functional.gelu(self.wide(self.second_norm(x)))))


class Network(nn.Module):
    """The transformer."""

    def __init__(self, numbers: int, actions: int, horizon: int, config: DTConfig):
        super().__init__()
        width = config.width
        self.times = nn.Embedding(horizon, width)
        self.togo, self.obs, self.action = (nn.Linear(size, width) for size in (1, numbers, actions))
        self.norm, self.dropout = nn.LayerNorm(width), nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList([Block(width, config.dropout) for _ in range(config.blocks)])
        self.head = nn.Linear(width, actions)

    def forward(self, togo, obs, action, times, mask) -> torch.Tensor:
        """Actions (b, K, A), before tanh, that follow each observation.

        Args:
            togo: (b, K, 1), scaled returns to go.
            obs: (b, K, S), normalised observations.
            action: (b, K, A) in [-1, 1]; the one at a step is not seen by what is said at it.
            times: (b, K) int64, steps since the beginning of the episode.
            mask: (b, K) bool, steps that there are.
        """
        when = self.times(times)
        tokens = torch.stack([self.togo(togo) + when, self.obs(obs) + when, self.action(action) + when], 2)
        x = self.dropout(self.norm(tokens.flatten(1, 2)))
        there = mask.repeat_interleave(3, 1)
        allowed = there[:, None, :] & torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
        for block in self.blocks:
            x = block(x, allowed)
        return self.head(x[:, 1::3])


class DT(OfflineTrainer):
    """One training run."""

    kept = ("obs_normaliser", "network", "optimiser")
    unused = (*OfflineTrainer.unused, "gamma", "hidden", "activation")

    def __init__(self, config: DTConfig):
        super().__init__(config)
        self.horizon = envsuite.card(config.env_id).horizon or int(self.rows.data.lengths.max())
        self.network = Network(self.numbers, self.actions, self.horizon, config)
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(), lr=config.learning_rate, weight_decay=config.decay
        )
        # Episodes that are longer than the environment's are cut to its length.
        lengths = torch.from_numpy(self.rows.data.lengths)
        starts = torch.repeat_interleave(lengths.cumsum(0) - lengths, lengths)
        since = torch.arange(self.rows.count) - starts
        self.times = since % self.horizon
        self.stops = torch.minimum(
            starts + (since // self.horizon + 1) * self.horizon, torch.repeat_interleave(lengths.cumsum(0), lengths)
        )
        total = torch.cat([torch.zeros(1, dtype=torch.float64), self.rows.rewards().cumsum(0)])
        self.togo = (total[self.stops] - total[:-1]).float()
        self.target = config.target or float(self.togo[self.times == 0].max())

    def windows(self, first: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Pieces of episodes that begin with some transitions (b,): what `Network.forward` takes."""
        rows = first[:, None] + torch.arange(self.config.context)
        mask = rows < self.stops[first][:, None]
        rows = torch.where(mask, rows, first[:, None])
        batch = self.rows.take(rows.flatten())
        shape = (*rows.shape, -1)
        togo = self.togo[rows][..., None] * self.config.scale
        obs = self.obs_normaliser(batch["obs"]).reshape(shape)
        return togo, obs, batch["action"].reshape(shape), self.times[rows], mask

    def update(self) -> dict[str, torch.Tensor]:
        """One step towards the data's actions in the mean square."""
        config = self.config
        for group in self.optimiser.param_groups:
            group["lr"] = config.learning_rate * min(1.0, (self.steps + 1) / config.warm_up)
        parts = self.windows(torch.randint(self.rows.count, (config.batch_size,)))
        said = self.network(*parts).tanh()
        loss = (said - parts[2])[parts[4]].square().mean()
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 0.25)  # as the authors' code
        self.optimiser.step()
        return {"actor_loss": loss.detach()}

    def policy(self) -> OnnxPolicy:
        """The network with a memory of the last steps, asked for the target return."""
        return _export(self, Exporter(self.config.env_id, self.rows.env))


def _export(run: DT, exporter: Exporter) -> OnnxPolicy:
    """The graph of one step: past observations and actions are its state, oldest first, and so is the time."""
    graph, config, network = exporter.graph, run.config, run.network
    steps, width, past = config.context, config.width, config.context - 1
    sizes = (run.numbers, run.actions)
    now = exporter.inputs(run.obs_normaliser)
    time = graph.state("time", 1)
    memories = [graph.state(name, max(1, past * size)) for name, size in zip(("seen", "done"), sizes, strict=True)]

    def joined(memory: str, latest: str) -> str:
        return graph.add("Concat", memory, latest, axis=1) if past else latest

    def linear(x: str, layer: nn.Linear) -> str:
        return graph.add("Add", graph.add("MatMul", x, _array(layer.weight.T)), _array(layer.bias))

    def tokens(x: str, layer: nn.Linear) -> str:
        embedded = linear(graph.add("Reshape", x, np.array([0, steps, layer.in_features])), layer)
        return graph.add("Unsqueeze", graph.add("Add", embedded, when), np.array([2]))

    since = graph.add("Add", time, np.arange(1.0 - steps, 1.0)[None])  # (n, K), below 0 where there was no step yet
    there = graph.add("Clip", graph.add("Add", since, np.array(1.0)), np.array(0.0), np.array(1.0))
    clock = graph.add("Clip", since, np.array(0.0), np.array(run.horizon - 1.0))
    apart = graph.add("Sub", graph.add("Unsqueeze", clock, np.array([2])), np.arange(float(run.horizon)))
    one_hot = graph.add("Relu", graph.add("Sub", np.array(1.0), graph.add("Abs", apart)))
    when = graph.add("MatMul", one_hot, _array(network.times.weight))
    share = graph.add("Sub", np.array(1.0), graph.add("Div", clock, np.array(float(run.horizon))))
    togo = graph.add("Mul", share, np.array(run.target * config.scale))
    blank = graph.add("MatMul", now, np.zeros((run.numbers, run.actions)))  # what is done now is not known yet
    three = (
        tokens(togo, network.togo),
        tokens(joined(memories[0], now), network.obs),
        tokens(joined(memories[1], blank), network.action),
    )
    x = graph.add("Reshape", graph.add("Concat", *three, axis=2), np.array([0, 3 * steps, width]))
    x = _normalised(graph, x, network.norm)
    hidden = graph.add("Mul", graph.add("Sub", there, np.array(1.0)), np.array(1e9))  # (n, K)
    hidden = graph.add("Concat", *[graph.add("Unsqueeze", hidden, np.array([2]))] * 3, axis=2)
    hidden = graph.add("Reshape", hidden, np.array([0, 1, 3 * steps]))
    future = np.triu(np.full((3 * steps, 3 * steps), -1e9), 1)
    for block in network.blocks:
        x = _block(graph, x, block, hidden, future, width, linear)
    last = graph.add("Slice", x, np.array([3 * past + 1]), np.array([3 * past + 2]), np.array([1]))
    said = linear(graph.flatten(last), network.head)
    if past:
        for memory, latest, size in zip(memories, (now, graph.add("Tanh", said)), sizes, strict=True):
            kept = graph.add("Concat", memory, latest, axis=1)
            graph.remember(memory, graph.add("Slice", kept, np.array([size]), np.array([size * steps]), np.array([1])))
    else:
        for memory in memories:
            graph.remember(memory, memory)
    graph.remember(time, graph.add("Add", time, np.array(1.0)))
    return exporter.finish(said, "tanh")


def _block(graph: Any, x: str, block: Any, hidden: str, future: np.ndarray, width: int, linear: Any) -> str:
    qkv = linear(_normalised(graph, x, block.norm), block.qkv)
    q, k, v = (
        graph.add("Slice", qkv, np.array([a * width]), np.array([(a + 1) * width]), np.array([2])) for a in range(3)
    )
    scores = graph.add("MatMul", q, graph.add("Transpose", k, perm=(0, 2, 1)))
    scores = graph.add("Mul", scores, np.array(width**-0.5))
    weights = graph.add("Softmax", graph.add("Add", graph.add("Add", scores, hidden), future), axis=2)
    x = graph.add("Add", x, linear(graph.add("MatMul", weights, v), block.out))
    wide = graph.add("Gelu", linear(_normalised(graph, x, block.second_norm), block.wide))
    return graph.add("Add", x, linear(wide, block.narrow))


def _normalised(graph: Any, x: str, norm: nn.LayerNorm) -> str:
    return graph.add("LayerNormalization", x, _array(norm.weight), _array(norm.bias), epsilon=norm.eps)


def _array(weight: torch.Tensor) -> np.ndarray:
    return weight.detach().numpy().copy()


if __name__ == "__main__":
    main(DT, DTConfig)
