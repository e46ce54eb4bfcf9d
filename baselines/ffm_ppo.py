"""Recurrent PPO whose memory is fast and forgetful memory (Morad et al. 2023, arXiv 2310.04128).

It is ``recurrent_ppo.py`` with the ``FFM`` of ``memories.py``.

Run ``python baselines/ffm_ppo.py --help`` for all settings; those of an environment come from
``baselines/ffm_ppo.toml``.
"""

from dataclasses import dataclass

from launch import main
from memories import FFM
from recurrent_ppo import RecurrentPPO, RecurrentPPOConfig


@dataclass
class FFMPPOConfig(RecurrentPPOConfig):
    """Settings of PPO with fast and forgetful memory, beside those of `RecurrentPPOConfig`.

    Attributes:
        traces: numbers of the input that are kept, each with a decay of its own.
        contexts: frequencies with which each of them turns.
        horizon: steps after which the slowest trace has fallen to a hundredth at first.
    """

    algorithm = "ffm_ppo"

    traces: int = 32
    contexts: int = 4
    horizon: int = 1024

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("traces", "contexts", "horizon"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, expected at least 1")

    def make_memory(self, inputs: int) -> FFM:
        """What remembers."""
        return FFM(inputs, self.units, self.traces, self.contexts, self.horizon)


if __name__ == "__main__":
    main(RecurrentPPO, FFMPPOConfig)
