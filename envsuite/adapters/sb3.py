"""Environments for Stable-Baselines3: its ``VecEnv`` over our batches, without one object an instance."""

import inspect
from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

import envsuite

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as error:
    message = 'stable-baselines3 is not installed: pip install "envsuite[sb3]"'
    raise ModuleNotFoundError(message, name="stable_baselines3") from error


class SB3VecEnv(VecEnv):
    """Many instances of an environment for Stable-Baselines3.

    As its own vectors do, it begins new episodes within the step that ends the old ones: the last observation is then
    ``info["terminal_observation"]``, and ``info["TimeLimit.truncated"]`` says whether the length limit ended it. Other
    infos are empty; with ``infos=True`` all have the environment's numbers. An environment of several agents appears
    as its joint view, see `envsuite.core.vector.WorldVectorEnv`. Masks of choices are what sb3-contrib asks for by
    ``env_method("action_masks")``.

    Args:
        env_id: as for `envsuite.card`.
        num_envs: number of instances.
        infos: whether infos hold the environment's numbers, at the price of a loop over instances.
        **options: see `envsuite.core.vector.BatchFrontEnd`, and the environment's own.

    Attributes:
        env: the batch underneath.

    Raises:
        ValueError: rewards of several objectives.
    """

    def __init__(self, env_id: str, num_envs: int, *, infos: bool = False, **options: Any):
        card = envsuite.card(env_id)
        if card.objectives:
            raise ValueError(f"{card.id} has {len(card.objectives)} objectives, expected a scalar reward")
        self.env: Any = gymnasium.make_vec(card.id, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **options)
        self._told = infos
        self._actions: Any = None
        self._last: dict[str, Any] = {}
        super().__init__(num_envs, self.env.single_observation_space, self.env.single_action_space)

    def reset(self) -> np.ndarray:
        """Begin episodes, with the seeds given to `seed` since the last time; (n, *O)."""
        known = any(one is not None for one in self._seeds)
        observations, self._last = self.env.reset(seed=list(self._seeds) if known else None)
        self.reset_infos = self._rows(self._last, range(self.num_envs)) if self._told else self._nothing()
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Take the actions (n, *A) of the next step."""
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Take the step.

        Returns:
            Observations (n, *O), rewards (n,) float32, dones (n,) bool, infos.
        """
        observations, rewards, terminated, truncated, self._last = self.env.step(self._actions)
        done = terminated | truncated
        infos = self._rows(self._last, range(self.num_envs)) if self._told else self._nothing()
        if "final_obs_dense" in self._last:
            ended = np.flatnonzero(done)
            if self._told:
                for i, final in zip(ended, self._rows(self._last["final_info"], ended), strict=True):
                    infos[i] = final
            for i, last in zip(ended, self._last["final_obs_dense"], strict=True):
                infos[i]["terminal_observation"] = last
                infos[i]["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
        return observations, np.asarray(rewards, np.float32), done, infos

    def _nothing(self) -> list[dict[str, Any]]:
        return [{} for _ in range(self.num_envs)]

    def _rows(self, infos: dict[str, Any], instances: Iterable[int]) -> list[dict[str, Any]]:
        names = [name for name in infos if not name.startswith(("_", "final"))]
        return [{name: infos[name][i] for name in names} for i in instances]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the batch, once an instance."""
        return [getattr(self.env, attr_name)] * len(self._places(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of the batch.

        Raises:
            ValueError: for some instances only, which share everything but their state.
        """
        if len(self._places(indices)) < self.num_envs:
            raise ValueError(f"{attr_name} is shared by all {self.num_envs} instances: set it for all")
        setattr(self.env, attr_name, value)

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **named: Any) -> list[Any]:
        """Call a method of the batch that speaks of one instance, such as ``describe``, for each.

        Raises:
            AttributeError: there is no such method.
        """
        places = self._places(indices)
        if method_name == "action_masks":
            if "action_mask" not in self._last:
                raise AttributeError("the environment has no action_mask in its info")
            return [np.asarray(self._last["action_mask"][i], np.bool_) for i in places]
        method = getattr(self.env, method_name)
        if "instance" not in inspect.signature(method).parameters:
            raise AttributeError(f"{method_name} is not a method that speaks of one instance")
        return [method(*arguments, instance=i, **named) for i in places]

    def has_attr(self, attr_name: str) -> bool:
        """Whether the batch has an attribute, or the environment the masks that sb3-contrib looks for."""
        return hasattr(self.env, attr_name) or (attr_name == "action_masks" and "action_mask" in self._last)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """False, for each instance."""
        return [False] * len(self._places(indices))

    def _places(self, indices: Any) -> Sequence[int]:
        return list(self._get_indices(indices))

    def get_images(self) -> Sequence[np.ndarray | None]:
        """A frame of each instance."""
        return [self.env.frame(i) for i in range(self.num_envs)]

    def close(self) -> None:
        """Stop the threads."""
        self.env.close()
