"""Learning from text alone: rows of words, and networks that read them."""

from typing import Any

import gymnasium
import numpy as np
import torch
from distributions import ILLEGAL
from export import Exporter
from ops import FileOps
from rows import MASK, Rows
from torch import nn

from envsuite.agents.onnx import OnnxPolicy
from envsuite.agents.onnx.interface import Kind
from envsuite.cards import EnvCard
from envsuite.core.companions import Words, companion

FORM = "command_tokens"
"""The form of observations."""


class TokenRows(Rows):
    """A batch environment of which a row is the words of a text, and those of each possible command.

    Texts are read up to `words` words, and lists up to `commands` commands; the rest is neither seen nor chosen.

    Attributes:
        vocabulary: number of words that there are.
        text: words of a text at most, before its commands come.
        words: see `TextSettings`.
        commands: likewise.
        command_words: words of a command at most.

    Raises:
        ValueError: a world that does not list its commands in words.
    """

    def make(self, card: EnvCard, config: Any) -> Any:
        """The environments."""
        env = gymnasium.make_vec(
            card.id,
            num_envs=config.num_envs,
            autoreset_mode=self.mode,
            **{"obs_type": FORM, **config.env_options},
        )
        words = companion(env.unwrapped.world, Words)
        self.vocabulary, self.text = len(words.vocabulary), words.token_length
        count, self.command_words = words.command_shape
        self.words, self.commands = min(config.words, self.text), min(config.commands, count)
        return env

    def _find_mask(self) -> None:
        return None

    def read(self, observation: Any, infos: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """See `Rows.read`."""
        tokens = self._tensor(observation).reshape(-1, *self.shape)
        listed = tokens[:, self.text : self.text + self.commands * self.command_words]
        obs = torch.cat([tokens[:, : self.words], listed], 1).to(torch.int16)
        return obs, obs, self._tensor(infos[MASK]).reshape(len(obs), -1)[:, : self.commands] != 0


class Reader(nn.Module):
    """Vectors of what is told and of each command that is possible.

    A text is read word by word with the words beside each (a convolution, Kim 2014); a command is a sum over its words,
    each of which is seen together with its place.

    Args:
        rows: what is read.
        size: numbers of a word.
        width: numbers of a place in a text, and of a command.
    """

    def __init__(self, rows: TokenRows, size: int, width: int):
        super().__init__()
        self.width, self.commands = width, rows.commands
        self._words, self._text, self._command_words = rows.words, rows.text, rows.command_words
        self._choices = int(rows.action_space.n)
        self.embedding = nn.Embedding(rows.vocabulary, size)
        self.place = nn.Parameter(torch.randn(self._command_words, size) * 0.5)
        self.near, self.command = nn.Linear(3 * size, width), nn.Linear(size, width)

    def split(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Words (n, l) and commands (n, c, words), as far as any row has them."""
        text, listed = obs[:, : self._words].int(), obs[:, self._words :].int()
        listed = listed.unflatten(1, (self.commands, self._command_words))
        count, long = (max(1, int(there.sum())) for there in (listed[:, :, 0].any(0), listed.any(0).any(0)))
        longest = int(text.any(0).nonzero()[-1]) + 1 if text.any() else 1
        return text[:, :longest], listed[:, :count, :long]

    def split_in_file(self, exporter: Exporter) -> tuple[str, str]:
        """The same of a policy file's observation."""
        graph = exporter.graph

        def part(start: int, stop: int) -> str:
            return graph.add("Slice", "observation", np.array([start]), np.array([stop]), np.array([1]))

        listed = part(self._text, self._text + self.commands * self._command_words)
        shape = np.array([0, self.commands, self._command_words])
        return part(0, self._words), graph.add("Reshape", listed, shape)

    def read(self, ops: Any, text: Any) -> tuple[Any, Any]:
        """Vectors at each word, (n, l, width), and 1.0 where there is one, (n, l, 1)."""
        there, parts = ops.present(text), self.near.weight.chunk(3, 1)
        # what a linear layer makes of every word is worked out once, not wherever the word stands
        tables = torch.stack([self._words_of(self.embedding.weight) @ part.T for part in parts])
        near = ops.op("Add", ops.window(text, tables), ops.parameter(self.near.bias))
        return ops.op("Mul", ops.op("Relu", near), there), there

    def list(self, ops: Any, commands: Any) -> Any:
        """A vector of each command, (n, c, width)."""
        words = (self.embedding.weight + self.place[: ops.length(commands)].unsqueeze(1)).relu()
        tables = self._words_of(words @ self.command.weight.T)
        return ops.op("Relu", ops.op("Add", ops.sentence(commands, tables), ops.parameter(self.command.bias)))

    def _words_of(self, vectors: torch.Tensor) -> torch.Tensor:
        """Vectors (..., vocabulary, d) without one for no word."""
        return vectors * (torch.arange(vectors.shape[-2]) > 0).unsqueeze(1)

    def spread(self, scores: torch.Tensor) -> torch.Tensor:
        """Scores (n, c) of the commands that were read, and of those that were not."""
        return nn.functional.pad(scores, (0, self.commands - scores.shape[1]), value=ILLEGAL)

    def written(self, exporter: Exporter, scores: str, commands: str, kind: Kind) -> OnnxPolicy:
        """A policy file that chooses by the scores (n, commands, 1) of commands.

        Args:
            exporter: under construction.
            scores: of each command.
            commands: their words.
            kind: what becomes of the scores.
        """
        graph = exporter.graph
        first = graph.add("Slice", commands, np.array([0]), np.array([1]), np.array([2]))
        there = FileOps(graph).present(graph.add("Squeeze", first, np.array([2])))
        missing = graph.add("Mul", graph.add("Sub", np.array(1.0), there), np.array(ILLEGAL))
        flat = graph.flatten(graph.add("Add", scores, missing))
        pads = np.array([0, 0, 0, self._choices - self.commands])
        return exporter.finish(graph.add("Pad", flat, pads, np.array(ILLEGAL)), kind)
