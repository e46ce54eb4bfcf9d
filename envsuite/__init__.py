"""Environments, datasets, baselines and honest scores for reinforcement learning.

Importing this package registers every environment with Gymnasium and PettingZoo and does nothing else: no simulator
is loaded, nothing is compiled.
"""

from typing import TYPE_CHECKING, Any

from envsuite.cards import EnvCard, Score
from envsuite.registry import card, cards, register_all

if TYPE_CHECKING:
    import gymnasium
    import pettingzoo
    from gymnasium.vector import VectorEnv

    from envsuite.core.parallel import VectorParallelEnv

__version__ = "0.1.0"

register_all()


def make(env_id: str, **options: Any) -> "gymnasium.Env":
    """One instance of an environment, as `gymnasium.make` gives it.

    Args:
        env_id: such as ``"QuadHover"``; as for `card`, the namespace and the version may be left out.
        **options: options of `gymnasium.make`, and the environment's own.
    """
    import gymnasium

    return gymnasium.make(card(env_id).id, **options)


def make_vec(env_id: str, num_envs: int = 1, **options: Any) -> "VectorEnv":
    """Many instances of an environment, as `gymnasium.make_vec` gives them.

    Args:
        env_id: as for `card`.
        num_envs: number of instances.
        **options: options of `envsuite.core.vector.BatchFrontEnd`, and the environment's own.
    """
    import gymnasium

    return gymnasium.make_vec(card(env_id).id, num_envs=num_envs, **options)


def parallel_env(env_id: str, **options: Any) -> "pettingzoo.ParallelEnv":
    """One instance of an environment of several agents, through PettingZoo's parallel API.

    Args:
        env_id: as for `card`.
        **options: ``max_cycles``, ``render_mode``, and the environment's own.

    Returns:
        A `pettingzoo.ParallelEnv`.
    """
    import pettingzoo

    return pettingzoo.make("parallel", _of_several(env_id).id, **options)


def aec_env(env_id: str, **options: Any) -> "pettingzoo.AECEnv":
    """One instance of an environment of several agents, through PettingZoo's AEC API; see `parallel_env`."""
    import pettingzoo

    return pettingzoo.make("aec", _of_several(env_id).id, **options)


def parallel_vec(env_id: str, num_envs: int, **options: Any) -> "VectorParallelEnv":
    """Many instances of an environment of several agents, over arrays (n, a, ...) of n instances and a agents.

    Args:
        env_id: as for `card`.
        num_envs: number of instances.
        **options: options of `envsuite.core.vector.BatchFrontEnd`, and the environment's own.

    Returns:
        A `envsuite.core.parallel.VectorParallelEnv`.
    """
    from envsuite.core.parallel import VectorParallelEnv

    found = _of_several(env_id)
    options.setdefault("max_episode_steps", found.horizon)
    return VectorParallelEnv(num_envs=num_envs, **{**found.kwargs, **options})


def _of_several(env_id: str) -> EnvCard:
    found = card(env_id)
    if found.agents < 2:
        raise ValueError(f"{found.id} has one agent: take envsuite.make or envsuite.make_vec")
    return found


__all__ = [
    "EnvCard",
    "Score",
    "aec_env",
    "card",
    "cards",
    "make",
    "make_vec",
    "parallel_env",
    "parallel_vec",
]
