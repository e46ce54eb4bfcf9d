"""Recurrent PPO whose memory is a number of slots: gated slot attention (Zhang et al. 2024, arXiv 2409.07146).

It is ``recurrent_ppo.py`` with the ``Slots`` of ``memories.py``.

Run ``python baselines/slots_ppo.py --help`` for all settings; those of an environment come from
``baselines/slots_ppo.toml``.
"""

from dataclasses import dataclass

from launch import main
from memories import Slots
from recurrent_ppo import RecurrentPPO, RecurrentPPOConfig


@dataclass
class SlotsPPOConfig(RecurrentPPOConfig):
    """Settings of PPO with gated slots, beside those of `RecurrentPPOConfig`.

    Attributes:
        slots: how many.
        width: numbers of the key and of the value in each.
    """

    algorithm = "slots_ppo"

    slots: int = 8
    width: int = 32

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("slots", "width"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, expected at least 1")

    def make_memory(self, inputs: int) -> Slots:
        """What remembers."""
        return Slots(inputs, self.units, self.slots, self.width)


if __name__ == "__main__":
    main(RecurrentPPO, SlotsPPOConfig)
