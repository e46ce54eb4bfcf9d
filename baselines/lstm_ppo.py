"""Recurrent PPO whose memory is long short-term memory (Hochreiter and Schmidhuber 1997).

It is ``recurrent_ppo.py`` with the ``LSTM`` of ``memories.py``.

Run ``python baselines/lstm_ppo.py --help`` for all settings; those of an environment come from
``baselines/lstm_ppo.toml``.
"""

from dataclasses import dataclass

from launch import main
from memories import LSTM
from recurrent_ppo import RecurrentPPO, RecurrentPPOConfig


@dataclass
class LSTMPPOConfig(RecurrentPPOConfig):
    """Settings of recurrent PPO."""

    algorithm = "lstm_ppo"

    def make_memory(self, inputs: int) -> LSTM:
        """What remembers."""
        return LSTM(inputs, self.units)


if __name__ == "__main__":
    main(RecurrentPPO, LSTMPPOConfig)
