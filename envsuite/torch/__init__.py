"""Environments that give and take PyTorch tensors without copies, on the CPU or on a GPU, and rollouts in one call."""

from typing import Any

import envsuite
from envsuite.torch.perceptron import Perceptron
from envsuite.torch.rollout import Rollout
from envsuite.torch.vector import TorchVectorEnv

__all__ = ["Perceptron", "Rollout", "TorchVectorEnv", "make_vec"]


def make_vec(env_id: str, num_envs: int = 1, *, device: str = "cpu", **options: Any) -> Any:
    """Many instances of an environment over tensors.

    New episodes begin within the step that ends the old ones; `TorchVectorEnv.next_observations` has what was seen
    last.

    Args:
        env_id: as for `envsuite.card`.
        num_envs: number of instances.
        device: ``"cpu"``, or ``"cuda"``, where arrays never leave the device (extra ``cuda``).
        **options: see `TorchVectorEnv` or `envsuite.torch.cuda.TorchCudaEnv`, and the environment's own.

    Returns:
        A `TorchVectorEnv`, or a `envsuite.torch.cuda.TorchCudaEnv` with the same methods.

    Raises:
        ValueError: another device.
    """
    found = envsuite.card(env_id)
    options = {"max_episode_steps": found.horizon, **found.kwargs, **options}
    if device == "cpu":
        return TorchVectorEnv(num_envs=num_envs, **options)
    if device == "cuda":
        from envsuite.torch.cuda import TorchCudaEnv

        return TorchCudaEnv(num_envs=num_envs, **options)
    raise ValueError(f"device is {device!r}, expected 'cpu' or 'cuda'")
