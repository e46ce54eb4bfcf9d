"""Gated recurrent units (Cho et al. 2014) and long short-term memory (Hochreiter and Schmidhuber 1997)."""

from collections.abc import Callable

import numpy as np

from envsuite.agents.onnx.operators import kernels
from envsuite.agents.onnx.operators.common import Call, Spec, Step, floating, operator, require
from envsuite.agents.onnx.operators.elementwise import through
from envsuite.agents.onnx.operators.linear import matrix


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return through(kernels.sigmoid, x)


def _tanh(x: np.ndarray) -> np.ndarray:
    return through(kernels.tanh, x)


class _Cell:
    """What both kinds share: inputs X (steps, n, in), W (1, gates h, in), R (1, gates h, h), B (1, 2 gates h)."""

    def __init__(self, call: Call, gates: int, states: int):
        x, w, r, bias = call.need(0), call.need(1), call.need(2), call.given(3)
        self.kind = floating(*(one for one in call.inputs if one is not None))
        require(call.get("direction", b"forward") == b"forward" and not call.get("layout", 0), "direction or layout")
        require(
            len(x.shape) == 3 and x.batch in (None, 1), f"input of shape {x.shape}, expected (steps, rows, numbers)"
        )
        require(len(r.shape) == 3, f"weights of shape {r.shape}")
        self.hidden = hidden = r.shape[2]
        self.steps, self.rows, inputs = x.shape
        wanted = [(1, gates * hidden, inputs), (1, gates * hidden, hidden)]
        found = [one.shape for one in (w, r)]
        require(found == wanted, f"weights of shapes {found}, expected {wanted}")
        require(call.get("hidden_size", hidden) == hidden and self.steps >= 1, "hidden_size")
        require(bias is None or bias.shape == (1, 2 * gates * hidden), "bias")
        require(all(one is None or one.batch is None for one in (w, r, bias)), "weights must be constants")
        require(call.given(4) is None, "sequence lengths are not allowed")
        for k in range(5, 5 + states):
            start = call.given(k)
            fits = start is None or (start.shape == (1, self.rows, hidden) and start.batch == x.batch)
            require(fits, "initial state")
        self.weights = call.prepared("gate inputs", 1, lambda w: w[0].T), call.prepared("gates", 2, lambda r: r[0].T)
        self.outputs = (Spec(self.kind, (self.steps, 1, self.rows, hidden), None if x.batch is None else 2),) + (
            Spec(self.kind, (1, self.rows, hidden), x.batch),
        ) * states
        width = gates * hidden
        self.flops = self.steps * self.rows * width * (2 * inputs + 2 * hidden + 40)
        self.scratch = 8 * self.rows * width * self.kind.itemsize * 2 + self.outputs[0].nbytes + x.nbytes

    def run(self, arrays: tuple[np.ndarray | None, ...], advance: Callable, states: int) -> tuple[np.ndarray, ...]:
        """Apply ``advance(x W, biases, states, R) -> states`` to each step; the first state is the output."""
        arrays = arrays + (None,) * (5 + states - len(arrays))
        x, w, r, bias = arrays[:4]
        assert x is not None
        inner, outer = (prepare(one) for prepare, one in zip(self.weights, (w, r), strict=True))
        biases = (np.zeros((2, inner.shape[1]), self.kind) if bias is None else bias).reshape(2, -1)
        zero = np.zeros((self.rows, self.hidden), self.kind)
        state = [zero if one is None else one[0] for one in arrays[5 : 5 + states]]
        ys = []
        for step in range(self.steps):
            state = advance(matrix(x[step], inner) + biases[0], biases[1], state, outer)
            ys.append(state[0])
        return (np.stack(ys)[:, None], *(one[None] for one in state))


_SETTINGS = {"hidden_size": int, "direction": bytes, "layout": int}


@operator("GRU", (3, 6), **_SETTINGS, linear_before_reset=int)
def _gru(call: Call) -> Step:
    cell = _Cell(call, 3, 1)
    h, before = cell.hidden, bool(call.get("linear_before_reset", 0))

    def advance(given: np.ndarray, bias: np.ndarray, state: list[np.ndarray], weights: np.ndarray) -> list[np.ndarray]:
        past = state[0]
        one = past.dtype.type(1)
        if before:
            own = matrix(past, weights) + bias
            update, reset = _sigmoid(given[:, :h] + own[:, :h]), _sigmoid(given[:, h : 2 * h] + own[:, h : 2 * h])
            proposal = _tanh(given[:, 2 * h :] + reset * own[:, 2 * h :])
        else:
            own = matrix(past, np.ascontiguousarray(weights[:, : 2 * h])) + bias[: 2 * h]
            update, reset = _sigmoid(given[:, :h] + own[:, :h]), _sigmoid(given[:, h : 2 * h] + own[:, h:])
            last = matrix(reset * past, np.ascontiguousarray(weights[:, 2 * h :])) + bias[2 * h :]
            proposal = _tanh(given[:, 2 * h :] + last)
        return [(one - update) * proposal + update * past]

    return Step(cell.outputs, lambda *arrays: cell.run(arrays, advance, 1), cell.flops, cell.scratch)


@operator("LSTM", (3, 7), **_SETTINGS, input_forget=int)
def _lstm(call: Call) -> Step:
    cell = _Cell(call, 4, 2)
    h = cell.hidden
    require(not call.get("input_forget", 0), "input_forget is not allowed")

    def advance(given: np.ndarray, bias: np.ndarray, state: list[np.ndarray], weights: np.ndarray) -> list[np.ndarray]:
        past, memory = state
        gates = given + (matrix(past, weights) + bias)
        enter, leave, forget = (_sigmoid(gates[:, k * h : (k + 1) * h]) for k in range(3))
        memory = forget * memory + enter * _tanh(gates[:, 3 * h :])
        return [leave * _tanh(memory), memory]

    return Step(cell.outputs, lambda *arrays: cell.run(arrays, advance, 2), cell.flops, cell.scratch)
