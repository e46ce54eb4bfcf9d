"""Deep reinforcement relevance network (DRRN; He et al. 2016): the value of a command from its words and the text.

Text and commands are read by networks of their own, which share the vectors of words, and a third one values the pair,
as in Hausknecht et al. (2020, arXiv 1909.05398). It learns as
``dqn.py`` does, with double targets, from texts alone (``obs_type="command_tokens"``).

Run ``python baselines/drrn.py --help`` for all settings; those of an environment come from ``baselines/drrn.toml``.
"""

from dataclasses import dataclass
from typing import Any

import torch
from distributions import ILLEGAL
from dqn import DQN, DQNConfig
from export import Exporter
from launch import main
from networks import Normaliser
from ops import FileOps, TorchOps
from reading import Reader, TokenRows
from torch import nn

from envsuite.agents.onnx import OnnxPolicy


@dataclass
class DRRNConfig(DQNConfig):
    """Settings of DRRN, beside those of `DQNConfig`.

    Attributes:
        words: of a text that are read.
        commands: of a list that are read.
        size: numbers of a word.
        width: numbers of a text, and of a command.
    """

    algorithm = "drrn"

    words: int = 192
    commands: int = 64
    size: int = 32
    width: int = 64


class RelevanceNetwork(nn.Module):
    """Values of all commands.

    Args:
        config: sizes.
        rows: what is read.
    """

    def __init__(self, config: DRRNConfig, rows: TokenRows):
        super().__init__()
        width = config.width
        self.obs_normaliser = Normaliser(1, False)
        self.reader = Reader(rows, config.size, width)
        self.text, self.pair = nn.Linear(width, width), nn.Linear(width, width)
        self.value = nn.Linear(width, 1)

    def answer(self, ops: Any, text: Any, commands: Any) -> Any:
        """(n, c, 1) of words (n, l) and commands (n, c, words)."""
        told, _ = self.reader.read(ops, text)
        told = ops.linear(ops.shaped(ops.greatest(told, 1), 1, self.reader.width), self.text)
        pair = ops.op("Add", ops.linear(self.reader.list(ops, commands), self.pair), told)
        return ops.linear(ops.op("Relu", pair), self.value)

    def forward(self, obs: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """(n, commands); what is not possible has no value worth having."""
        values = self.reader.spread(self.answer(TorchOps(), *self.reader.split(obs)).squeeze(2))
        return values if mask is None else torch.where(mask, values, ILLEGAL)


class DRRN(DQN):
    """One training run."""

    devices = ("cpu",)
    unused = (*DQN.unused, "hidden", "activation", "normalise")

    def make_rows(self) -> TokenRows:
        """Rows of words."""
        return TokenRows(self.config)

    def make_network(self) -> RelevanceNetwork:
        """The network."""
        return RelevanceNetwork(self.config, self.rows)

    def policy(self) -> OnnxPolicy:
        """The command of the greatest value."""
        exporter, network = Exporter(self.config.env_id, self.rows.env), self.network
        text, commands = network.reader.split_in_file(exporter)
        values = network.answer(FileOps(exporter.graph), text, commands)
        return network.reader.written(exporter, values, commands, "argmax")


if __name__ == "__main__":
    main(DRRN, DRRNConfig)
