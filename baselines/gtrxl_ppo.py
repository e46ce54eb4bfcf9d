"""Recurrent PPO whose memory is a gated transformer-XL (Parisotto et al. 2020, arXiv 1910.06764).

It is ``recurrent_ppo.py`` with the ``GTrXL`` of ``gated_transformer.py``.

Run ``python baselines/gtrxl_ppo.py --help`` for all settings; those of an environment come from
``baselines/gtrxl_ppo.toml``.
"""

from dataclasses import dataclass

from gated_transformer import GTrXL
from launch import main
from recurrent_ppo import RecurrentPPO, RecurrentPPOConfig


@dataclass
class GTrXLPPOConfig(RecurrentPPOConfig):
    """Settings of PPO with a gated transformer-XL, beside those of `RecurrentPPOConfig`.

    Attributes:
        layers: of the transformer; its width is `units`.
        heads: of attention.
        past: earlier steps that each layer attends to.
    """

    algorithm = "gtrxl_ppo"

    layers: int = 2
    heads: int = 4
    past: int = 32

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("layers", "past"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, expected at least 1")
        if self.heads < 1 or self.units < 1 or self.units % self.heads:
            raise ValueError(f"units is {self.units} and heads {self.heads}, expected a multiple")

    def make_memory(self, inputs: int) -> GTrXL:
        """What remembers."""
        return GTrXL(inputs, self.units, self.layers, self.heads, self.past)


if __name__ == "__main__":
    main(RecurrentPPO, GTrXLPPOConfig)
