"""TD3 with goals in hindsight (HER; Andrychowicz et al. 2017), for sparse rewards.

It is `td3.py` with the memory of `hindsight.py`; the environment's world has goals (`envsuite.core.goals`).

Run ``python baselines/td3_her.py --help`` for all settings; those of an environment come from
``baselines/td3_her.toml``.
"""

from dataclasses import dataclass

from hindsight import HindsightBuffer, HindsightSettings
from launch import main
from td3 import TD3, TD3Config


@dataclass
class TD3HERConfig(HindsightSettings, TD3Config):
    """Settings of TD3 with goals in hindsight, those of both."""

    algorithm = "td3_her"


class TD3HER(TD3):
    """One training run."""

    devices = ("cpu",)
    unused = ("privileged",)

    def make_memory(self, capacity: int) -> HindsightBuffer:
        """What relabels."""
        return HindsightBuffer(capacity, self.rows, self.config)


if __name__ == "__main__":
    main(TD3HER, TD3HERConfig)
