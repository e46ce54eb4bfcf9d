"""Trained policies as plain arrays: written by the baselines, played without PyTorch."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from envsuite.core.layout import Layout, Vector

FORMAT = 1


@dataclass
class NetworkPolicy:
    """A multilayer perceptron with tanh units on normalised observations; acts deterministically.

    Attributes:
        env_id: the environment it was trained on.
        mean: (O,) float32, subtracted from flattened observations.
        scale: (O,) float32, multiplied afterwards.
        limit: normalised observations are clipped to [-limit, limit].
        weights: matrix (out, in) of each layer.
        biases: vector (out,) of each layer.
        discrete: the last layer gives logits of one choice instead of an action vector.
    """

    env_id: str
    mean: np.ndarray
    scale: np.ndarray
    limit: float
    weights: list[np.ndarray]
    biases: list[np.ndarray]
    discrete: bool

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The most probable action of every slot."""
        lead = observations.shape[: observations.ndim - 1]
        hidden = (observations.reshape(-1, self.mean.size) - self.mean) * self.scale
        hidden = np.clip(hidden, -self.limit, self.limit)
        for layer, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            hidden = hidden @ weight.T + bias
            if layer < len(self.weights) - 1:
                hidden = np.tanh(hidden)
        if self.discrete:
            return hidden.argmax(axis=1).reshape(lead)
        return hidden.reshape(*lead, -1).astype(np.float32)

    def check(self, observation: Layout, action: Layout) -> None:
        """Refuse an environment whose arrays do not fit.

        Raises:
            ValueError: naming both sizes.
        """
        inputs, outputs = observation.low.size, action.low.size
        if not isinstance(action, Vector):
            outputs = int(np.sum(action.high + 1))
        mine = self.weights[0].shape[1], self.weights[-1].shape[0]
        if mine != (inputs, outputs):
            raise ValueError(
                f"the policy (trained on {self.env_id}) maps {mine[0]} numbers to {mine[1]}, "
                f"the environment needs {inputs} to {outputs}"
            )

    def save(self, path: str | Path) -> None:
        """Write a ``.npz`` file without pickled objects, through a temporary name."""
        path = Path(path)
        header = {"format": FORMAT, "env_id": self.env_id, "limit": self.limit, "discrete": self.discrete}
        arrays: dict[str, Any] = {f"weight_{k}": one for k, one in enumerate(self.weights)}
        arrays |= {f"bias_{k}": one for k, one in enumerate(self.biases)}
        partial = path.with_name(path.name + ".partial")
        with partial.open("wb") as file:
            np.savez(file, header=np.array(json.dumps(header)), mean=self.mean, scale=self.scale, **arrays)
        os.replace(partial, path)

    @classmethod
    def load(cls, path: str | Path) -> "NetworkPolicy":
        """Read a file written by `save` (or the run folder that holds it); nothing in it is executed.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: the file is no policy.
        """
        path = Path(path)
        if path.is_dir():
            path = path / "policy.npz"
        try:
            with np.load(path, allow_pickle=False) as data:
                header = json.loads(str(data["header"]))
                if header.get("format") != FORMAT:
                    raise ValueError(f"policy format {header.get('format')!r}, expected {FORMAT}")
                count = sum(name.startswith("weight_") for name in data.files)
                weights = [data[f"weight_{k}"] for k in range(count)]
                biases = [data[f"bias_{k}"] for k in range(count)]
                mean, scale = data["mean"], data["scale"]
        except FileNotFoundError:
            raise
        except (KeyError, ValueError, OSError, EOFError) as error:
            raise ValueError(f"{path} is not a policy: {error}") from error
        widths = [mean.size, *(one.shape[0] for one in weights)]
        if any(one.shape != (widths[k + 1], widths[k]) for k, one in enumerate(weights)):
            raise ValueError(f"{path} is not a policy: layers {[one.shape for one in weights]} do not fit together")
        return cls(header["env_id"], mean, scale, float(header["limit"]), weights, biases, bool(header["discrete"]))
