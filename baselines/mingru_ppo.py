"""Recurrent PPO whose memory is minGRU, a linear recurrence (Feng et al. 2024, arXiv 2410.01201).

It is ``recurrent_ppo.py`` with the ``MinGRU`` of ``memories.py``.

Run ``python baselines/mingru_ppo.py --help`` for all settings; those of an environment come from
``baselines/mingru_ppo.toml``.
"""

from dataclasses import dataclass

from launch import main
from memories import MinGRU
from recurrent_ppo import RecurrentPPO, RecurrentPPOConfig


@dataclass
class MinGRUPPOConfig(RecurrentPPOConfig):
    """Settings of recurrent PPO."""

    algorithm = "mingru_ppo"

    def make_memory(self, inputs: int) -> MinGRU:
        """What remembers."""
        return MinGRU(inputs, self.units)


if __name__ == "__main__":
    main(RecurrentPPO, MinGRUPPOConfig)
