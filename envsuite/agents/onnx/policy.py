"""Plays ONNX policies."""

from pathlib import Path
from typing import Any

import numpy as np

from envsuite.agents.onnx import interface as interface_file
from envsuite.agents.onnx.encode import encode
from envsuite.agents.onnx.interface import Action, Interface
from envsuite.agents.onnx.model import Model
from envsuite.agents.onnx.operators import kernels
from envsuite.agents.onnx.operators.elementwise import through
from envsuite.agents.onnx.program import Program
from envsuite.core import fmath, rng
from envsuite.core.files import write_atomic
from envsuite.core.fmath import real
from envsuite.core.jit import kernel, records
from envsuite.core.layout import Choices, Layout, Vector

FILE = "policy.onnx"
"""Name of the policy in a run folder."""


@kernel(arrays=True)
def _draw(streams, logits, temperature, sizes, out):
    """For each row one index a head: a draw from the softmax of its logits / temperature."""
    agents = logits.shape[0] // streams.shape[0]
    weights = np.zeros(logits.shape[1], np.float64)
    for i in range(logits.shape[0]):
        start = 0
        for head in range(sizes.shape[0]):
            stop = start + sizes[head]
            top = logits[i, start]
            for k in range(start, stop):
                top = max(top, logits[i, k])
            for k in range(start, stop):
                weights[k] = fmath.exp(real(logits[i, k] - top, weights) / temperature)
            out[i, head] = rng.choice(streams[i // agents], 3, weights[start:stop])
            start = stop


class OnnxPolicy:
    """A network that plays a batch of slots; with several agents each agent is a row of its own.

    Args:
        program: the graph.
        interface: how to play it.

    Raises:
        ValueError: they do not fit together.
    """

    def __init__(self, program: Program, interface: Interface):
        self.program = program
        self.interface = interface
        self._check_ports()
        self._row = program.inputs[interface.observation]
        self._sizes = np.array(interface.action.heads or program.outputs[interface.output].shape[-1:], np.int64)
        self._states: dict[str, np.ndarray] = {}
        self._streams = records(np.zeros(0, rng.STREAM))

    def _check_ports(self) -> None:
        interface, program = self.interface, self.program
        inputs = {interface.observation, *(one.input for one in interface.states)}
        outputs = {interface.output, *(one.output for one in interface.states)}
        if inputs != set(program.inputs) or not outputs <= set(program.outputs):
            found = f"{sorted(program.inputs)} -> {sorted(program.outputs)}"
            raise ValueError(f"the graph maps {found}, its description says {sorted(inputs)} -> {sorted(outputs)}")
        for state in interface.states:
            into, out = program.inputs[state.input], program.outputs[state.output]
            if into.shape[1:] != state.shape or out.shape[1:] != state.shape or into.dtype != out.dtype:
                raise ValueError(
                    f"state {state.input!r} has shape {state.shape}, the graph {into.shape} -> {out.shape}"
                )
        shape, action = program.outputs[interface.output].shape[1:], interface.action
        if action.low and len(action.low) not in (1, int(np.prod(shape))):
            raise ValueError(f"action.low has {len(action.low)} numbers, the graph gives {shape}")
        if action.kind in ("argmax", "sample") and (
            len(shape) != 1 or (action.heads and sum(action.heads) != shape[0])
        ):
            raise ValueError(f"action.heads {list(action.heads)} do not fit the logits {shape}")
        if program.outputs[interface.output].dtype not in (np.float32, np.float64):
            raise ValueError("the action's values must be floats")

    def fresh(self) -> "OnnxPolicy":
        """Another player of the same network, with no past."""
        return OnnxPolicy(self.program, self.interface)

    @property
    def remembers(self) -> bool:
        """Whether it carries a state from step to step, beside its random stream."""
        return bool(self.interface.states)

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Of a row."""
        return tuple(int(size) for size in self._row.shape[1:])

    def check(self, observation: Layout, action: Layout, agents: int = 0) -> None:
        """Refuse an environment whose arrays do not fit.

        Args:
            observation: of one agent.
            action: likewise.
            agents: how many there are, for networks that play all agents of an instance together.

        Raises:
            ValueError: naming both shapes.
        """
        mine = self.observation_shape, self.program.outputs[self.interface.output].shape[1:]
        kind, numbers = self.interface.action.kind, isinstance(action, Vector)
        heads = tuple(int(k) for k in action.high + 1) if isinstance(action, Choices) else ()
        theirs: tuple[Any, ...] = observation.shape, action.shape
        if not numbers:
            theirs = observation.shape, (int(np.sum(action.high + 1)),)
        if agents and mine[0] == (agents, *observation.shape) and not heads:
            logits = theirs[1][0] if not numbers else 0
            theirs = mine[0], (agents, *action.shape) if numbers else (agents * logits,)
            heads = () if numbers else (logits,) * agents
        if mine != theirs:
            raise ValueError(
                f"the policy (trained on {self.interface.env_id}) maps {mine[0]} to {mine[1]} numbers, "
                f"the environment needs {theirs[0]} to {theirs[1]}"
            )
        if numbers == (kind in ("argmax", "sample")):
            raise ValueError(f"the policy's action kind {kind!r} does not fit {type(action).__name__} actions")
        if self.interface.action.heads != heads:
            raise ValueError(f"the policy chooses among {self.interface.action.heads}, the environment has {heads}")

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the past of the masked slots and start their random streams."""
        if len(self._streams) != len(mask):
            self._streams = records(np.zeros(len(mask), rng.STREAM))
            self._states = {}
        if self.interface.random:
            rng.begin(self._streams, seeds, mask)
        for state in self.interface.states:
            if state.input in self._states:
                values = self._states[state.input].reshape(len(mask), -1)
                values[mask] = state.initial

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Choose an action for every slot; states are not looked at.

        Raises:
            ValueError: observations of another shape, or a network whose output is not finite.
        """
        port = self._row
        row = self.observation_shape
        lead = observations.shape[: observations.ndim - len(row)]
        if observations.shape != lead + row or len(lead) not in (1, 2):
            raise ValueError(f"observations have shape {observations.shape}, expected (n, [a,] {row})")
        rows = int(np.prod(lead))
        for state in self.interface.states:
            if state.input not in self._states or len(self._states[state.input]) != rows:
                dtype = self.program.inputs[state.input].dtype
                self._states[state.input] = np.full((rows, *state.shape), state.initial, dtype)
        given = np.asarray(observations, port.dtype).reshape(rows, *row)
        results = self.program.run(**{port.name: given}, **self._states)
        for state in self.interface.states:
            self._states[state.input] = np.array(results[state.output])  # own memory: it is written to at resets
        output = _finite(results[self.interface.output])
        return self._action(output).reshape(lead + self._action_shape(output))

    def probabilities(self, observations: np.ndarray) -> np.ndarray:
        """Of each of its choices, without drawing any.

        Args:
            observations: (m, *O) of one agent each.

        Returns:
            (m, choices) float64.

        Raises:
            ValueError: it has a memory, gives numbers instead of a choice, or observations have another shape.
        """
        action = self.interface.action
        if self.remembers or action.kind not in ("argmax", "sample") or action.heads:
            kind = "a memory" if self.remembers else f"actions of the kind {action.kind!r}, heads {list(action.heads)}"
            raise ValueError(f"the network has {kind}, expected one without a memory that makes one choice")
        if observations.shape[1:] != self.observation_shape:
            raise ValueError(f"observations have shape {observations.shape}, expected (m, {self.observation_shape})")
        given = np.asarray(observations, self._row.dtype)
        logits = _finite(self.program.run(**{self._row.name: given})[self.interface.output]).astype(np.float64)
        if action.kind == "argmax":
            return (logits.argmax(axis=1)[:, np.newaxis] == np.arange(logits.shape[1])).astype(np.float64)
        weights = np.exp((logits - logits.max(axis=1, keepdims=True)) / action.temperature)
        return weights / weights.sum(axis=1, keepdims=True)

    def _action_shape(self, output: np.ndarray) -> tuple[int, ...]:
        action = self.interface.action
        if action.kind in ("argmax", "sample"):
            return (len(action.heads),) if action.heads else ()
        return output.shape[1:]

    def _action(self, output: np.ndarray) -> np.ndarray:
        """Rows of actions, flat."""
        action = self.interface.action
        flat = output.reshape(len(output), -1)
        if action.kind == "none":
            return flat
        if action.kind in ("clip", "tanh"):
            return _bounded(flat, action)
        chosen = np.zeros((len(flat), len(self._sizes)), np.int64)
        if action.kind == "argmax":
            ends = np.cumsum(self._sizes)
            for head, (size, end) in enumerate(zip(self._sizes, ends, strict=True)):
                chosen[:, head] = flat[:, end - size : end].argmax(axis=1)
            return chosen
        if len(self._streams) == 0 or len(flat) % len(self._streams):
            raise ValueError(f"{len(flat)} rows after a reset of {len(self._streams)} slots")
        _draw(self._streams, np.ascontiguousarray(flat), action.temperature, self._sizes, chosen)
        return chosen


def warm_up() -> None:
    """Compile every kernel that policies may need, or load it from the cache, before files can no longer be opened."""
    kernels.warm_up()
    streams = records(np.zeros(1, rng.STREAM))
    rng.begin(streams, np.zeros(1, np.int64))
    for kind in kernels.FLOATS:
        _draw(streams, np.zeros((1, 1), kind), 1.0, np.ones(1, np.int64), np.zeros((1, 1), np.int64))


def _finite(output: np.ndarray) -> np.ndarray:
    finite = np.isfinite(output).reshape(len(output), -1).all(axis=1)
    if not finite.all():
        raise ValueError(f"the network's output is not finite in row {int(np.argmin(finite))}")
    return output


def _bounded(flat: np.ndarray, action: Action) -> np.ndarray:
    low, high = np.array(action.low, flat.dtype), np.array(action.high, flat.dtype)
    if action.kind == "clip":
        return np.clip(flat, low, high)
    half = flat.dtype.type(0.5)
    spread = low + (through(kernels.tanh, flat) + flat.dtype.type(1)) * half * (high - low)
    return np.clip(spread, low, high)  # rounding may leave the bounds by one unit


def save(path: str | Path, model: Model, interface: Interface) -> None:
    """Write ``<path>`` and the ``.json`` beside it, after checking that they can be played.

    Args:
        path: ends in ``.onnx``.
        model: the graph.
        interface: how to play it.

    Raises:
        ValueError: they do not fit together.
    """
    path = Path(path)
    if path.suffix != ".onnx":
        raise ValueError(f"{path} does not end in .onnx")
    OnnxPolicy(Program(model), interface)
    write_atomic(path.with_suffix(".json"), interface.to_json())
    write_atomic(path, encode(model))


def load(path: str | Path, interface: Path | None = None) -> OnnxPolicy:
    """Read a policy; nothing in it is executed but the operators of its graph.

    Args:
        path: an ``.onnx`` file with its ``.json`` beside it, or a run folder that holds ``policy.onnx``.
        interface: the ``.json`` file, where it lies elsewhere.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the files are no policy; the message says why.
    """
    path = Path(path)
    path = path / FILE if path.is_dir() else path
    beside = interface or path.with_suffix(".json")
    try:
        return OnnxPolicy(Program.load(path), read_interface(beside))
    except ValueError as error:
        raise ValueError(f"{path} is not a policy: {error}") from error


def read_interface(path: Path) -> Interface:
    """Read the ``.json`` beside a graph.

    Raises:
        FileNotFoundError: there is none.
        ValueError: what is wrong with it.
    """
    with path.open("rb") as file:
        content = file.read(interface_file.MAX_BYTES + 1)
    if len(content) > interface_file.MAX_BYTES:
        raise ValueError(f"{path.name}: more than {interface_file.MAX_BYTES} bytes")
    try:
        return Interface.from_json(content.decode())
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error
