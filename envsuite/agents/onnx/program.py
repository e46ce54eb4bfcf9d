"""Runs models with NumPy and compiled kernels: no ONNX library, same bits on every CPU and for every number of rows."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from envsuite.agents.onnx.decode import MAX_BYTES, decode
from envsuite.agents.onnx.model import Model, Node, Port
from envsuite.agents.onnx.operators import Call, Spec, Step, plan

BLOCK = 256
"""Rows computed at once; more are cut into blocks."""

MAX_MEMORY = 1 << 28
"""Bytes of values that one block may need, and of all constants."""

MAX_FLOPS = 10**9
"""Arithmetic operations that one row may need."""

_KEPT_PLANS = 4


@dataclass(frozen=True)
class _Plan:
    """Steps for a number of rows; ``dead`` lists the values that nobody needs after each step."""

    steps: list[tuple[Node, Step]]
    dead: list[list[str]]
    flops: int
    memory: int


class Program:
    """A model, checked and ready to run.

    Args:
        model: what to run.

    Attributes:
        model: as given.
        inputs: ports by name; the first axis is that of the rows.
        outputs: specifications by name, for one row.
        flops: arithmetic operations a row.
        memory: bytes that a block of rows needs at most.
        block: rows computed at once.

    Raises:
        ValueError: an operator, type, shape or size that is not allowed.
    """

    def __init__(self, model: Model):
        self.model = model
        self.inputs: dict[str, Port] = {port.name: port for port in model.inputs}
        for port in model.inputs:
            if not port.shape or not isinstance(port.shape[0], str) or any(isinstance(k, str) for k in port.shape[1:]):
                raise ValueError(
                    f"input {port.name!r} has shape {port.shape}, expected a free first axis, fixed others"
                )
        self._cache: dict[Any, np.ndarray] = {}
        self._constants = dict(model.constants)
        self._nodes = self._fold(model)
        self._plans: dict[int, _Plan] = {}
        one = self._plan(1)
        self.flops = one.flops
        if self.flops > MAX_FLOPS:
            raise ValueError(f"{self.flops:,} operations a row, expected at most {MAX_FLOPS:,}")
        self.block = BLOCK
        while self.block > 1 and self._plan(self.block).memory > MAX_MEMORY:
            self.block //= 2
        self.memory = self._plan(self.block).memory
        if self.memory > MAX_MEMORY:
            raise ValueError(f"{self.memory:,} bytes for one row, expected at most {MAX_MEMORY:,}")
        specs = self._specs(1)
        self.outputs = {port.name: self._output(port, specs) for port in model.outputs}
        self._wanted = list(self.outputs)

    @classmethod
    def load(cls, path: str | Path) -> "Program":
        """Read an ``.onnx`` file.

        Raises:
            OSError: it cannot be read.
            ValueError: it is not allowed; the message says why.
        """
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        return cls(decode(data))

    def _fold(self, model: Model) -> list[Node]:
        """Compute what does not depend on inputs, once; the other nodes."""
        rest = []
        total = sum(one.nbytes for one in self._constants.values())
        work = 0
        for node in model.nodes:
            if any(name and name not in self._constants for name in node.inputs):
                rest.append(node)
                continue
            arrays = [self._constants[name] if name else None for name in node.inputs]
            specs = [None if one is None else Spec(one.dtype, one.shape, None, one) for one in arrays]
            step = plan(Call(node, specs, model.opset))
            total += sum(spec.nbytes for spec in step.outputs) + step.scratch
            work += step.flops
            if total > MAX_MEMORY or work > MAX_FLOPS:
                raise ValueError(f"constants need more than {MAX_MEMORY:,} bytes or {MAX_FLOPS:,} operations")
            with np.errstate(all="ignore"):
                results = step.compute(*arrays)
            self._constants |= {name: one for name, one in zip(node.outputs, results, strict=False) if name}
        return rest

    def _start(self, rows: int) -> dict[str, Spec]:
        specs = {name: Spec(one.dtype, one.shape, None, one) for name, one in self._constants.items()}
        for name, port in self.inputs.items():
            shape = (rows, *(int(size) for size in port.shape[1:]))
            specs[name] = Spec(port.dtype, shape, 0)
        return specs

    def _specs(self, rows: int) -> dict[str, Spec]:
        specs = self._start(rows)
        for node, step in self._plan(rows).steps:
            specs |= dict(zip(node.outputs, step.outputs, strict=False))
        return specs

    def _plan(self, rows: int) -> _Plan:
        if rows in self._plans:
            return self._plans[rows]
        specs = self._start(rows)
        steps: list[tuple[Node, Step]] = []
        for node in self._nodes:
            inputs = [specs[name] if name else None for name in node.inputs]
            step = plan(Call(node, inputs, self.model.opset, self._cache))
            specs |= {name: spec for name, spec in zip(node.outputs, step.outputs, strict=False) if name}
            steps.append((node, step))
        made = _measured(steps, specs, {port.name for port in self.model.outputs} | set(self._constants), self.inputs)
        if len(self._plans) >= _KEPT_PLANS:
            self._plans.pop(next(iter(self._plans)))
        self._plans[rows] = made
        return made

    @staticmethod
    def _output(port: Port, specs: dict[str, Spec]) -> Spec:
        spec = specs[port.name]
        if spec.batch != 0:
            raise ValueError(f"output {port.name!r} has no first axis of rows")
        same = spec.dtype == port.dtype and len(port.shape) == len(spec.shape)
        if not same or any(
            isinstance(k, int) and k != size for k, size in zip(port.shape[1:], spec.shape[1:], strict=True)
        ):
            raise ValueError(f"output {port.name!r} is declared as {port.dtype} {port.shape}, it is {spec.shape}")
        return spec

    def run(self, **inputs: np.ndarray) -> dict[str, np.ndarray]:
        """Compute all outputs.

        Args:
            **inputs: arrays by name, of the types and shapes of the ports, all with the same number of rows.

        Raises:
            ValueError: a wrong name, type or shape.
        """
        if set(inputs) != set(self.inputs):
            raise ValueError(f"inputs {sorted(inputs)}, expected {sorted(self.inputs)}")
        rows = len(next(iter(inputs.values())))
        for name, port in self.inputs.items():
            array = inputs[name]
            if array.shape != (rows, *port.shape[1:]) or array.dtype != port.dtype:
                raise ValueError(f"input {name!r} is {array.dtype} {array.shape}, expected {port.dtype} {port.shape}")
        parts = [
            self._run_block({name: np.ascontiguousarray(one[k : k + self.block]) for name, one in inputs.items()})
            for k in range(0, rows, self.block)
        ]
        if len(parts) == 1:
            return parts[0]
        return {name: np.concatenate([part[name] for part in parts]) for name in self._wanted}

    def _run_block(self, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        rows = len(next(iter(inputs.values())))
        values: dict[str, Any] = {**self._constants, **inputs}
        made = self._plan(rows)
        with np.errstate(all="ignore"):
            for (node, step), dead in zip(made.steps, made.dead, strict=True):
                results = step.compute(*(values[name] if name else None for name in node.inputs))
                values.update(zip(node.outputs, results, strict=False))
                for name in dead:
                    del values[name]
        return {name: values[name] for name in self._wanted}


def _measured(steps: list[tuple[Node, Step]], specs: dict[str, Spec], kept: set[str], inputs: dict[str, Port]) -> _Plan:
    """Work out when values die, the peak of memory and the number of operations."""
    last: dict[str, int] = {}
    for k, (node, _) in enumerate(steps):
        last |= {name: k for name in (*node.inputs, *node.outputs) if name}
    dead: list[list[str]] = [[] for _ in steps]
    for name, k in last.items():
        if name not in kept:
            dead[k].append(name)
    alive = sum(specs[name].nbytes for name in inputs)
    peak, flops = alive, 0
    for (_, step), gone in zip(steps, dead, strict=True):
        alive += sum(spec.nbytes for spec in step.outputs)
        peak = max(peak, alive + step.scratch)
        flops += step.flops
        alive -= sum(specs[name].nbytes for name in gone)
    return _Plan(steps, dead, flops, peak)
