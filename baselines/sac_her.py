"""Soft actor-critic with goals in hindsight (HER; Andrychowicz et al. 2017), for sparse rewards.

It is `sac.py` with the memory of `hindsight.py`; the environment's world has goals (`envsuite.core.goals`).

Run ``python baselines/sac_her.py --help`` for all settings; those of an environment come from
``baselines/sac_her.toml``.
"""

from dataclasses import dataclass

from hindsight import HindsightBuffer, HindsightSettings
from launch import main
from sac import SAC, SACConfig


@dataclass
class SACHERConfig(HindsightSettings, SACConfig):
    """Settings of SAC with goals in hindsight, those of both."""

    algorithm = "sac_her"


class SACHER(SAC):
    """One training run."""

    devices = ("cpu",)
    unused = ("privileged",)

    def make_memory(self, capacity: int) -> HindsightBuffer:
        """What relabels."""
        return HindsightBuffer(capacity, self.rows, self.config)


if __name__ == "__main__":
    main(SACHER, SACHERConfig)
