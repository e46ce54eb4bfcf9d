"""PettingZoo's customary factories."""

from typing import Any

from envsuite.core.aec import aec_env
from envsuite.core.parallel import WorldParallelEnv
from envsuite.quadcopters.multi_hover.cards import CARDS


def parallel_env(**options: Any) -> WorldParallelEnv:
    """The parallel API.

    Args:
        **options: of `WorldParallelEnv` (`render_mode`, `max_cycles`) and of the world (`num_drones`, ...).
    """
    options.setdefault("max_cycles", CARDS[0].horizon)
    return WorldParallelEnv(CARDS[0].world, **options)


def env(**options: Any):
    """The AEC API.

    Args:
        **options: as for `parallel_env`.
    """
    options.setdefault("max_cycles", CARDS[0].horizon)
    return aec_env(CARDS[0].world, **options)


raw_env = env
