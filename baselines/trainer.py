"""The training loop that every algorithm shares: play, learn, evaluate, checkpoint."""

import math
import time
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import torch
from rows import Rows

import envsuite
from envsuite.agents.onnx import OnnxPolicy
from envsuite.evaluation.rollout import Episodes, onnx_player, play


class Trainer:
    """One training run: the loop and the checkpoints that every algorithm shares.

    Attributes:
        kept: names of attributes that a checkpoint holds: networks, optimisers, memories, tensors and plain data.
        takes_vectors: whether it learns from rewards of several objectives.
        devices: where it learns.
        unused: settings that it has from a class above and that mean nothing to it; they are refused.
        unit: what a step of the run is.
    """

    kept: ClassVar[tuple[str, ...]] = ()
    unit: ClassVar[str] = "environment step"
    takes_vectors: ClassVar[bool] = False
    devices: ClassVar[tuple[str, ...]] = ("cpu",)
    unused: ClassVar[tuple[str, ...]] = ()

    def __init__(self, config: Any):
        self.config = config
        self.refuse(self.unused, f"{config.algorithm} does not use it")
        if config.device not in self.devices:
            raise ValueError(f"device is {config.device!r}, {config.algorithm} learns on {' or '.join(self.devices)}")
        if config.device == "cuda" and not torch.cuda.is_available():
            raise ValueError("device is 'cuda', but PyTorch finds no GPU")
        torch.set_default_device(None if config.device == "cpu" else config.device)  # none costs nothing
        torch.manual_seed(config.seed)
        if config.threads:
            torch.set_num_threads(config.threads)
        self.rows = self.make_rows()
        if self.rows.objectives and not self.takes_vectors:
            raise ValueError(
                f"{config.env_id} has {self.rows.objectives} objectives: only mappo.py learns from vectors"
            )
        self.steps, self.training_time, self._evaluated = 0, 0.0, 0

    def refuse(self, names: tuple[str, ...], why: str) -> None:
        """Refuse settings that would change nothing.

        Raises:
            ValueError: one of them is not as it is by default.
        """
        plain = type(self.config)()
        for name in names:
            if (value := getattr(self.config, name)) != (default := getattr(plain, name)):
                raise ValueError(f"{name} is {value!r}, expected {default!r}: {why}")

    def refuse_by_actions(self, heads: Any) -> None:
        """Refuse what says how numbers are drawn where actions are choices, and the other way round."""
        if heads:
            self.refuse(("initial_action", "log_std", "final_log_std"), "it is for actions that are numbers")
        else:
            self.refuse(("sampled",), "it is for actions that are choices")

    def make_rows(self) -> Rows:
        """What it learns from."""
        if self.config.device == "cuda":
            from cuda_rows import CudaRows

            return CudaRows(self.config)
        return Rows(self.config)

    def iterate(self) -> dict[str, Any]:
        """Play some steps and learn from them; losses and other numbers by name."""
        raise NotImplementedError

    def policy(self) -> OnnxPolicy:
        """The actor as it is now."""
        raise NotImplementedError

    def policies(self) -> dict[str, OnnxPolicy]:
        """All that is saved in the end, by file name."""
        return {"policy": self.policy()}

    def files(self) -> dict[str, bytes]:
        """What else is saved in the end, by file name."""
        return {}

    def finished(self) -> bool:
        """Whether the run is at its end."""
        return self.steps >= self.config.total_steps

    def enter_stage(self) -> None:
        """A stage of the curriculum has begun."""

    def evaluation_steps(self) -> np.ndarray:
        """After how many steps it is evaluated, the last at the end."""
        return np.linspace(0, self.config.total_steps, self.config.evaluations + 1)[1:]

    def evaluate(self) -> Episodes:
        """Play on the evaluation seeds of the environment as registered, without training options."""
        return play(envsuite.card(self.config.env_id), onnx_player(self.policy()), self.config.episodes)

    def summary(self, episodes: Episodes) -> dict[str, float]:
        """What is logged of an evaluation beside the mean return: means of the metrics, and of success in each task."""
        means = {name: float(np.mean(one)) for name, one in episodes.metrics.items() if one.ndim == 1}
        return means | success_by_task(episodes)

    def decayed(self, final: float = 0.0) -> float:
        """What is left of 1 by a linear decay to `final` at the end."""
        return final + (1.0 - final) * max(0.0, 1.0 - self.steps / self.config.total_steps)

    def train(
        self,
        log: Callable[..., None] = lambda step, episodes, **numbers: None,
        progress: Callable[[int], None] = lambda steps: None,
        checkpoint: Callable[[dict[str, Any]], None] = lambda state: None,
    ) -> tuple[OnnxPolicy, Episodes]:
        """Train to the end, evaluating along the way.

        Args:
            log: called with the step, the `Episodes` of an evaluation, and numbers by name.
            progress: called with the steps done after each update.
            checkpoint: called after each evaluation with the state to go on from.

        Returns:
            The policy and its last evaluation.

        Raises:
            FloatingPointError: a loss is no number; the message says which and when.
        """
        config, episodes = self.config, None
        due = self.evaluation_steps()
        while not self.finished():
            started = time.perf_counter()
            if self.rows.enter_stages(self.steps):
                self.enter_stage()
            numbers = self.iterate()
            for name, value in numbers.items():  # which waits for a GPU, so that its work is in the time
                if name.endswith("loss") and not math.isfinite(value):
                    raise FloatingPointError(f"{name} is {float(value)} at {self.unit} {self.steps}")
            self.training_time += time.perf_counter() - started
            progress(min(self.steps, config.total_steps))
            if self._evaluated < len(due) and (self.steps >= due[self._evaluated] or self.finished()):
                self._evaluated = int(np.searchsorted(due, self.steps, side="right"))
                episodes = self.evaluate()
                shares = self.summary(episodes) | {name: float(value) for name, value in numbers.items()}
                shares |= {"mean_return": float(episodes.returns.mean()), "training_time": self.training_time}
                log(self.steps, episodes, **shares)
                checkpoint(self.state())
        return self.policy(), episodes or self.evaluate()

    def state(self) -> dict[str, Any]:
        """All that the rest of the run depends on, as tensors and plain data."""
        names = (*self.kept, "rows", "steps", "training_time", "_evaluated")
        found = {name: _state_of(getattr(self, name)) for name in names}
        found |= {"cuda_random": torch.cuda.get_rng_state()} if self.config.device == "cuda" else {}
        return {**found, "random": torch.get_rng_state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint: the rest of the run is the same, to the bit."""
        for name, value in _renamed(state).items():
            if name == "random":
                torch.set_rng_state(value.cpu())
            elif name == "cuda_random":
                torch.cuda.set_rng_state(value)
            elif hasattr(getattr(self, name), "load_state_dict"):
                getattr(self, name).load_state_dict(value)
            else:
                setattr(self, name, value)


def success_by_task(episodes: Episodes) -> dict[str, float]:
    """Share of the episodes of each task that succeeded, where episodes belong to tasks."""
    found = episodes.metrics
    success = next((found[name] for name in ("success_once", "is_success") if name in found), None)
    if "task" not in found or success is None:
        return {}
    return {f"success_task_{k}": float(success[found["task"] == k].mean()) for k in np.unique(found["task"])}


_OLD_NAMES = {
    **{"seen": "obs", "next_seen": "next_obs", "criticised": "critic_obs", "next_criticised": "next_critic_obs"},
    **{"over": "done", "was_over": "was_done"},
}
_NORMALISERS = {"obs": "obs_normaliser", "critic_obs": "critic_normaliser"}


def _renamed(state: Any) -> Any:
    """A checkpoint with the present names of its parts: those of older ones were others."""
    if isinstance(state, list):
        return [_renamed(one) for one in state]
    if not isinstance(state, dict):
        return state
    found = {}
    for name, value in state.items():
        first, dot, rest = str(name).partition(".")
        if first in _OLD_NAMES:
            first = _OLD_NAMES[first]
            if isinstance(value, dict) or rest in ("mean", "variance", "_extra_state"):
                first = _NORMALISERS[first]
            name = first + dot + rest
        found[name] = _renamed(value)
    return found


def _state_of(value: Any) -> Any:
    return value.state_dict() if hasattr(value, "state_dict") else value
