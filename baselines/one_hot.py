"""Observations whose kinds become ones among zeros, so that a network does not take a kind for an amount."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from envsuite.core.layout import Vector


class OneHot:
    """A number of kind k becomes zeros with a one at place k; all other numbers come first, as they are.

    Args:
        layout: of the observation.
        blocks: names of those that hold kinds, whole numbers from 0 to their upper bound.

    Attributes:
        size: numbers that come out.

    Raises:
        ValueError: no vector, no such block, or one whose bounds are no kinds.
    """

    def __init__(self, layout: Any, blocks: Sequence[str]):
        known = [block.name for block in layout.blocks] if isinstance(layout, Vector) else []
        for name in blocks:
            if name not in known:
                raise ValueError(f"kinds is {list(blocks)}, expected blocks of the observation; it has {known}")
        kind = np.repeat([name in blocks for name in known], [block.size for block in getattr(layout, "blocks", ())])
        low, high = layout.low.reshape(-1)[kind], layout.high.reshape(-1)[kind]
        if (low != 0).any() or (high != high.round()).any():
            raise ValueError(f"kinds is {list(blocks)}, expected blocks of whole numbers from 0 on")
        counts = high.astype(int) + 1
        self._others = torch.tensor(np.flatnonzero(~kind))  # these on the default device, as networks are
        self._places = torch.tensor(np.repeat(np.flatnonzero(kind), counts))
        self._kinds = torch.tensor(np.concatenate([np.arange(one) for one in counts])).float()
        self.size = len(self._others) + len(self._places)

    def __call__(self, obs: torch.Tensor) -> torch.Tensor:
        """(r, size) float32 of observations (r, n)."""
        return torch.cat([obs[:, self._others].float(), (obs[:, self._places] == self._kinds).float()], 1)

    def written(self, graph: Any, x: str) -> str:
        """The same in a policy file."""
        others, places, kinds = (one.cpu().numpy() for one in (self._others, self._places, self._kinds))
        apart = graph.add("Abs", graph.add("Sub", graph.add("Gather", x, places, axis=1), kinds))
        ones = graph.add("Cast", graph.add("Less", apart, np.array(0.5)), to=1)
        return graph.add("Concat", graph.add("Gather", x, others, axis=1), ones, axis=1)
