"""A small causal transformer that reads and writes tokens of a fixed vocabulary."""

from typing import Any, NamedTuple

import torch
from tokens import Vocabulary
from torch import nn
from torch.nn.functional import scaled_dot_product_attention


class Memory(NamedTuple):
    """What was read so far, so that writing goes on from there.

    Attributes:
        keys: (n, h, l, d) of each layer.
        values: likewise.
        lengths: (n,) int64, tokens of each prompt.
        prompt: places that prompts take, l at first.
    """

    keys: tuple[torch.Tensor, ...]
    values: tuple[torch.Tensor, ...]
    lengths: torch.Tensor
    prompt: int


class Block(nn.Module):
    """Attention and a perceptron, each after a normalisation (Xiong et al. 2020).

    Args:
        width: numbers of a place.
        heads: of attention.
    """

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mixed, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.perceptron = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: torch.Tensor, past: Any = None, seen: torch.Tensor | None = None) -> tuple[Any, Any, Any]:
        """Places (n, l, width), and their keys and values, the earlier ones included.

        Args:
            x: (n, l, width).
            past: keys and values of earlier places, (n, h, k, d) each.
            seen: bool (n, 1, l, k + l), what each place sees; None for all up to itself.
        """
        query, key, value = self.mixed(self.first(x)).unflatten(-1, (3 * self.heads, -1)).transpose(1, 2).chunk(3, 1)
        if past is not None:
            key, value = torch.cat([past[0], key], 2), torch.cat([past[1], value], 2)
        heard = scaled_dot_product_attention(query, key, value, attn_mask=seen, is_causal=seen is None)
        x = x + self.out(heard.transpose(1, 2).flatten(2))
        return x + self.perceptron(self.second(x)), key, value


class Transformer(nn.Module):
    """A decoder in the manner of GPT-2 (Radford et al. 2019); its output shares the embedding's weights.

    Args:
        vocabulary: that it reads and writes.
        width: numbers of a place.
        layers: blocks.
        heads: of attention.
        places: tokens that it can read and write at most.
        spread: standard deviation of the embeddings in the beginning.
        sharpness: how many times larger than PyTorch's the first weights of queries and keys are.

    Attributes:
        tokenizer: the vocabulary.
        width: numbers of a place.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        width: int = 64,
        layers: int = 2,
        heads: int = 4,
        places: int = 256,
        spread: float = 0.02,
        sharpness: float = 1.0,
    ):
        super().__init__()
        if width % heads:
            raise ValueError(f"width is {width}, expected a multiple of the {heads} heads")
        self.tokenizer, self.width, self.places = vocabulary, width, places
        self.embedding = nn.Embedding(len(vocabulary), width)
        self.place = nn.Embedding(places, width)
        for one in (self.embedding, self.place):
            nn.init.normal_(one.weight, std=spread)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        with torch.no_grad():
            for block in self.blocks:
                block.mixed.weight[: 2 * width] *= sharpness
        self.norm = nn.LayerNorm(width)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """What is made of each place, (n, l, width); shorter rows are filled up behind.

        Args:
            tokens: (n, l) integers.

        Raises:
            ValueError: longer texts than there are places.
        """
        return self._read(tokens)[0]

    def _read(self, tokens: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor], list[torch.Tensor]]:
        length = tokens.shape[1]
        if length > self.places:
            raise ValueError(f"a text has {length} tokens, expected at most {self.places}: set `places`, or `window`")
        x = self.embedding(tokens) + self.place.weight[:length]
        keys, values = [], []
        for block in self.blocks:
            x, key, value = block(x)
            keys.append(key)
            values.append(value)
        return self.norm(x), keys, values

    def scores(self, x: torch.Tensor) -> torch.Tensor:
        """Logits (..., vocabulary) of the token after places (..., width)."""
        return x @ self.embedding.weight.T

    def begin(self, tokens: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, Memory]:
        """Read prompts.

        Args:
            tokens: (n, l), filled up behind.
            lengths: (n,) int64.

        Returns:
            What is made of the last place of each, (n, width), and the memory.
        """
        x, keys, values = self._read(tokens)
        return x[torch.arange(len(x)), lengths - 1], Memory(tuple(keys), tuple(values), lengths, tokens.shape[1])

    def extend(self, memory: Memory, parents: torch.Tensor, tokens: torch.Tensor) -> tuple[torch.Tensor, Memory]:
        """Write one token more.

        Args:
            memory: of k texts.
            parents: (n,) int64, the text of the memory that each goes on from.
            tokens: (n,) tokens.

        Returns:
            As `begin`.
        """
        lengths, known = memory.lengths[parents], memory.keys[0].shape[2]
        written = known - memory.prompt
        at = torch.arange(known + 1)
        seen = (at < lengths.unsqueeze(1)) | (at >= memory.prompt)
        if int((lengths + written).max()) >= self.places:
            raise ValueError(f"a text and its answer have more than {self.places} tokens: set `places`, or `window`")
        x = (self.embedding(tokens) + self.place(lengths + written)).unsqueeze(1)
        keys, values = [], []
        for block, key, value in zip(self.blocks, memory.keys, memory.values, strict=True):
            x, key, value = block(x, (key[parents], value[parents]), seen[:, None, None])
            keys.append(key)
            values.append(value)
        return self.norm(x)[:, 0], Memory(tuple(keys), tuple(values), lengths, memory.prompt)
