"""10 % behaviour cloning (Chen et al. 2021, arXiv 2106.01345, section 5.1): `bc.py` with the best episodes alone.

It has a name of its own, so that its runs are compared with each other and not with those that clone everything.

Run ``python baselines/bc10.py --help`` for all settings; those of a dataset come from ``baselines/bc10.toml``.
"""

from dataclasses import dataclass

from bc import BC, BCConfig
from launch import main


@dataclass
class BC10Config(BCConfig):
    """Settings of 10 % behaviour cloning, see `BCConfig`."""

    algorithm = "bc10"

    top: float = 0.1


if __name__ == "__main__":
    main(BC, BC10Config)
