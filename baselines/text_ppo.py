"""Proximal policy optimisation from text alone: a small recurrent network that scores commands by their words.

Each possible command reads the text at the words that matter to it (attention, Vaswani et al. 2017); gated recurrent
units carry what was read from step to step; a command's score comes from both. Learns as ``recurrent_ppo.py`` does,
from the words of texts and commands (``obs_type="command_tokens"``).

Run ``python baselines/text_ppo.py --help`` for all settings; those of an environment come from
``baselines/text_ppo.toml``.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from distributions import ActionHead
from export import Exporter
from launch import main
from memories import GRU
from networks import Normaliser, mlp
from ops import FileOps, TorchOps
from reading import Reader, TokenRows
from recurrent_ppo import RecurrentAgent, RecurrentPPO, RecurrentPPOConfig
from torch import nn

from envsuite.agents.onnx import OnnxPolicy


@dataclass
class TextPPOConfig(RecurrentPPOConfig):
    """Settings of PPO from text, beside those of `RecurrentPPOConfig`.

    Attributes:
        words: of a text that are read.
        commands: of a list that are read.
        size: numbers of a word.
        width: numbers of a place in a text, and of a command.
    """

    algorithm = "text_ppo"

    words: int = 192
    commands: int = 64
    size: int = 32
    width: int = 64
    normalise: bool = False


class TextAgent(RecurrentAgent):
    """Reader, attention, gated recurrent units, scores of commands, critic.

    Args:
        config: sizes.
        rows: what is read.
    """

    def __init__(self, config: TextPPOConfig, rows: TokenRows):
        nn.Module.__init__(self)
        width, units = config.width, config.units
        self.actions = ActionHead(rows.action_space, config.log_std)
        self.obs_normaliser = self.critic_normaliser = Normaliser(1, False)
        self.reader = Reader(rows, config.size, width)
        self.query, self.heard = nn.Linear(width, width), nn.Linear(width, width)
        self.cell = GRU(width, units)
        self.command, self.state, self.score = nn.Linear(2 * width, width), nn.Linear(units, width), nn.Linear(width, 1)
        self.score.weight.data *= 0.1
        self.critic = mlp([units, width, 1], 1.0)

    def read(self, ops: Any, text: Any, commands: Any) -> tuple[Any, Any]:
        """The text (n, width), and each command with what it reads there, (n, c, 2 width)."""
        told, there = self.reader.read(ops, text)
        listed = self.reader.list(ops, commands)
        scores = ops.op("MatMul", ops.linear(listed, self.query), ops.swapped(told))
        hidden = ops.scaled(ops.op("Sub", ops.swapped(there), ops.constant(np.ones((1, 1, 1)))), 1e9)
        shares = ops.softmax(ops.op("Add", ops.scaled(scores, self.reader.width**-0.5), hidden))
        heard = ops.linear(ops.op("MatMul", shares, told), self.heard)
        return ops.greatest(told, 1), ops.joined([listed, heard])

    def scores(self, ops: Any, state: Any, listed: Any) -> Any:
        """(n, c, 1) at states (n, units)."""
        state = ops.linear(ops.shaped(state, 1, self.cell.hidden_size), self.state)
        return ops.linear(ops.op("Relu", ops.op("Add", ops.linear(listed, self.command), state)), self.score)

    def encode(self, obs: torch.Tensor) -> torch.Tensor:
        """The text and the commands of (r, *O), one behind the other."""
        told, listed = self.read(TorchOps(), *self.reader.split(obs))
        return torch.cat([told, listed.flatten(1)], 1)

    def remembered(self, encoded: torch.Tensor) -> torch.Tensor:
        """The text alone."""
        return encoded[..., : self.reader.width]

    def output(self, recalled: torch.Tensor, encoded: torch.Tensor) -> torch.Tensor:
        """Scores (r, commands)."""
        listed = encoded[:, self.reader.width :].unflatten(1, (-1, 2 * self.reader.width))
        return self.reader.spread(self.scores(TorchOps(), recalled, listed).squeeze(2))


class TextPPO(RecurrentPPO):
    """One training run."""

    devices = ("cpu",)
    unused = (*RecurrentPPO.unused, "hidden", "activation", "normalise", "privileged", "kinds")

    def make_rows(self) -> TokenRows:
        """Rows of words."""
        return TokenRows(self.config)

    def make_agent(self) -> TextAgent:
        """The network."""
        return TextAgent(self.config, self.rows)

    def policy(self) -> OnnxPolicy:
        """The actor as it is now; its state is an input and an output of the graph."""
        agent, exporter = self.agent, Exporter(self.config.env_id, self.rows.env)
        text, commands = agent.reader.split_in_file(exporter)
        ops = FileOps(exporter.graph)
        told, listed = agent.read(ops, text, commands)
        scores = agent.scores(ops, exporter.gru(told, agent.cell), listed)
        return agent.reader.written(exporter, scores, commands, self.action_kind)


if __name__ == "__main__":
    main(TextPPO, TextPPOConfig)
