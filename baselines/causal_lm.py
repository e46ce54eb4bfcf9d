"""Causal language models of Hugging Face's `transformers` in the place of the small one (extra ``lm``).

``--pretrained FOLDER`` takes a model and its tokenizer that were saved to a folder; nothing is downloaded. Prompts with
the rules (``--rules``), free answers (``--decoding free``) and a small step size are usual for large models.
"""

import inspect
import io
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import torch
from torch import nn


class Tokenizer:
    """The tokens of a model.

    Args:
        tokenizer: of `transformers`.
        size: rows of the model's embedding; there may be more than tokens.
    """

    def __init__(self, tokenizer: Any, size: int):
        if tokenizer.eos_token_id is None:
            raise ValueError(f"{type(tokenizer).__name__} has no end-of-text token: answers could not end")
        self.inner, self.end, self._size = tokenizer, int(tokenizer.eos_token_id), size

    def __len__(self) -> int:
        """Number of tokens."""
        return self._size

    def encode(self, text: str) -> tuple[int, ...]:
        """Numbers of a text's tokens, without an end."""
        return tuple(self.inner.encode(text, add_special_tokens=False))

    def decode(self, numbers: Any) -> str:
        """The text of numbers, up to the first end."""
        found = [*numbers]
        return self.inner.decode(found[: found.index(self.end)] if self.end in found else found)


class Memory(NamedTuple):
    """What was read so far.

    Attributes:
        cache: of the model.
        seen: (n, l) int64, 1 for the places that count.
        lengths: (n,) int64, tokens that count.
    """

    cache: Any
    seen: torch.Tensor
    lengths: torch.Tensor


class CausalLM(nn.Module):
    """A model with its tokenizer as a `generation.LanguageModel`.

    Args:
        model: a causal language model, such as ``AutoModelForCausalLM`` makes.
        tokenizer: its tokenizer, with an end-of-text token.

    Attributes:
        tokenizer: its tokens.
        width: numbers of its last hidden layer.
    """

    def __init__(self, model: Any, tokenizer: Any):
        super().__init__()
        # without dropout the probabilities of what was said can be worked out again; small steps want single precision
        self.model = model.eval().float()
        self.head = model.get_output_embeddings()
        self.tokenizer = Tokenizer(tokenizer, self.head.weight.shape[0])
        self.width = int(self.head.weight.shape[1])
        named = inspect.signature(model.forward).parameters
        self._cache = "cache" if "cache" in named else "past_key_values"  # its name in older versions

    @classmethod
    def load(cls, folder: str | Path) -> "CausalLM":
        """The model and the tokenizer in a folder.

        Args:
            folder: made by ``save_pretrained`` of both.

        Raises:
            ValueError: there is no such folder.
            ImportError: `transformers` is not installed.
        """
        if not Path(folder).is_dir():
            raise ValueError(f"pretrained is {str(folder)!r}, expected a folder that holds a model and its tokenizer")
        try:
            from transformers import AutoModelForCausalLM, AutoTokenizer
        except ImportError as error:
            raise ImportError("language models need transformers: pip install 'envsuite[lm]'") from error
        options = {"local_files_only": True}
        model = AutoModelForCausalLM.from_pretrained(folder, use_safetensors=True, **options)
        return cls(model, AutoTokenizer.from_pretrained(folder, **options))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """What is made of each place, (n, l, width); shorter rows are filled up behind, where nothing looks."""
        return self.model(input_ids=tokens, output_hidden_states=True, use_cache=False).hidden_states[-1]

    def scores(self, x: torch.Tensor) -> torch.Tensor:
        """Logits (..., tokens)."""
        return self.head(x)

    def begin(self, tokens: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, Memory]:
        """Read prompts, see `transformer.Transformer.begin`."""
        from transformers import DynamicCache

        cache = DynamicCache(config=self.model.config)
        seen = (torch.arange(tokens.shape[1]) < lengths.unsqueeze(1)).long()
        x = self._read(tokens, seen, None, cache)
        return x[torch.arange(len(tokens)), lengths - 1], Memory(cache, seen, lengths)

    def extend(self, memory: Memory, parents: torch.Tensor, tokens: torch.Tensor) -> tuple[torch.Tensor, Memory]:
        """Write one token more, see `transformer.Transformer.extend`."""
        memory.cache.reorder_cache(parents)
        seen = nn.functional.pad(memory.seen[parents], (0, 1), value=1)
        lengths = memory.lengths[parents]
        x = self._read(tokens.unsqueeze(1), seen, lengths.unsqueeze(1), memory.cache)
        return x[:, -1], Memory(memory.cache, seen, lengths + 1)

    def _read(self, tokens: torch.Tensor, seen: torch.Tensor, places: torch.Tensor | None, cache: Any) -> torch.Tensor:
        given = {"attention_mask": seen, "position_ids": places, self._cache: cache, "use_cache": True}
        return self.model(input_ids=tokens, output_hidden_states=True, **given).hidden_states[-1]

    def files(self) -> dict[str, bytes]:
        """What ``save_pretrained`` writes, in one archive."""
        content = io.BytesIO()
        with TemporaryDirectory() as folder, zipfile.ZipFile(content, "w") as archive:
            for one in (self.model, self.tokenizer.inner):
                one.save_pretrained(folder)
            for path in sorted(Path(folder).rglob("*")):
                archive.write(path, path.relative_to(folder))
        return {"model.zip": content.getvalue()}
