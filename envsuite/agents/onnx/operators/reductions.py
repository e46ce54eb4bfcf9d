"""Operators that combine the elements along axes other than that of the rows."""

from collections.abc import Callable

import numpy as np

from envsuite.agents.onnx.operators import kernels
from envsuite.agents.onnx.operators.common import Call, Spec, Step, axes_of, axis_of, floating, operator, require


def _apart(x: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    """(outer, inner) with the elements along the axes as the inner ones."""
    moved = np.moveaxis(x, axes, range(x.ndim - len(axes), x.ndim))
    inner = int(np.prod([x.shape[axis] for axis in axes], dtype=np.int64))
    return np.ascontiguousarray(moved).reshape(-1, inner)


def _sums(x: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    rows = _apart(x, axes)
    out = np.empty(len(rows), x.dtype)
    kernels.row_sums(rows, out)
    return out


def _reduce(call: Call, function: Callable[[np.ndarray, tuple[int, ...]], np.ndarray], axes: list[int] | None) -> Step:
    spec = call.need(0)
    floating(spec)
    rank = len(spec.shape)
    require(not call.get("noop_with_empty_axes", 0), "noop_with_empty_axes is not allowed")
    chosen = axes_of(axes, rank) if axes else tuple(range(rank))
    require(spec.batch is None or spec.batch not in chosen, "rows would be mixed")
    require(all(spec.shape[axis] > 0 for axis in chosen), "nothing to reduce")
    keep = bool(call.get("keepdims", 1))
    kept = [axis for axis in range(rank) if keep or axis not in chosen]
    shape = tuple(1 if axis in chosen else spec.shape[axis] for axis in kept)
    batch = None if spec.batch is None else kept.index(spec.batch)
    out = Spec(spec.dtype, shape, batch)
    return Step((out,), lambda x, *_: (function(x, chosen).reshape(shape),), spec.size + out.size, 2 * spec.nbytes)


def _mean(x: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    count = np.prod([x.shape[axis] for axis in axes], dtype=np.int64)
    return _sums(x, axes) / x.dtype.type(count)


def _declare(name: str, function: Callable) -> None:
    wanted = {"axes": tuple, "keepdims": int, "noop_with_empty_axes": int}
    operator(name, (1, 2), **wanted)(lambda call: _reduce(call, function, call.whole_numbers(1, "axes")))


_declare("ReduceSum", _sums)
_declare("ReduceMean", _mean)
_declare("ReduceMax", lambda x, axes: x.max(axis=axes))
_declare("ReduceMin", lambda x, axes: x.min(axis=axes))


def _whole_image(call: Call, function: Callable) -> Step:
    require(len(call.need(0).shape) >= 3, "expected an image")
    return _reduce(call, function, list(range(2, len(call.need(0).shape))))


operator("GlobalAveragePool", 1)(lambda call: _whole_image(call, _mean))
operator("GlobalMaxPool", 1)(lambda call: _whole_image(call, lambda x, axes: x.max(axis=axes)))


@operator("ArgMax", 1, axis=int, keepdims=int, select_last_index=int)
def _argmax(call: Call) -> Step:
    spec = call.need(0)
    floating(spec)
    axis = axis_of(call.get("axis", 0), len(spec.shape))
    require(axis != spec.batch, "rows would be mixed")
    require(not call.get("select_last_index", 0) and spec.shape[axis] > 0, "select_last_index is not allowed")
    keep = bool(call.get("keepdims", 1))
    shape = tuple(1 if k == axis else size for k, size in enumerate(spec.shape) if keep or k != axis)
    batch = None if spec.batch is None else spec.batch - (not keep and axis < spec.batch)
    out = Spec(np.dtype(np.int64), shape, batch)
    return Step((out,), lambda x: (x.argmax(axis=axis).reshape(shape),), spec.size)


def _normalised(call: Call, logarithm: bool) -> Step:
    spec = call.need(0)
    floating(spec)
    axis = axis_of(call.get("axis", -1), len(spec.shape))
    require(axis != spec.batch and spec.shape[axis] > 0, "rows would be mixed")

    def compute(x: np.ndarray):
        moved = np.moveaxis(x, axis, -1)
        rows = np.ascontiguousarray(moved).reshape(-1, x.shape[axis])
        out = np.empty_like(rows)
        kernels.softmax(rows, logarithm, out)
        return (np.moveaxis(out.reshape(moved.shape), -1, axis),)

    return Step((Spec(spec.dtype, spec.shape, spec.batch),), compute, 45 * spec.size, 2 * spec.nbytes)


operator("Softmax", 1, axis=int)(lambda call: _normalised(call, False))
operator("LogSoftmax", 1, axis=int)(lambda call: _normalised(call, True))


@operator("LayerNormalization", (2, 3), axis=int, epsilon=float, stash_type=int)
def _layer_norm(call: Call) -> Step:
    """Ba, Kiros and Hinton (2016)."""
    x, scale, bias = call.need(0), call.need(1), call.given(2)
    kind = floating(*(one for one in call.inputs if one is not None))
    axis = axis_of(call.get("axis", -1), len(x.shape))
    inner = x.shape[axis:]
    require(x.batch is None or x.batch < axis, "rows would be mixed")
    for part in (scale, bias):
        require(part is None or (part.shape == inner and part.batch is None), f"scale or bias, expected shape {inner}")
    epsilon = kind.type(call.get("epsilon", 1e-5))
    count = int(np.prod(inner))

    def compute(x: np.ndarray, scale: np.ndarray, bias: np.ndarray | None = None):
        rows = np.ascontiguousarray(x).reshape(-1, count)
        out = np.empty_like(rows)
        kernels.standardise(rows, epsilon, out)
        scaled = out.reshape(x.shape) * scale
        return (scaled if bias is None else scaled + bias,)

    return Step((Spec(kind, x.shape, x.batch),), compute, 10 * x.size, 4 * x.nbytes)


@operator("BatchNormalization", 5, epsilon=float, momentum=float, training_mode=int)
def _batch_norm(call: Call) -> Step:
    """Ioffe and Szegedy (2015), with frozen moments."""
    specs = [call.need(k) for k in range(5)]
    x = specs[0]
    kind = floating(*specs)
    require(not call.get("training_mode", 0), "training_mode is not allowed")
    require(len(x.shape) >= 2 and x.batch in (None, 0), "rows must lie along the first axis")
    channels = x.shape[1:2]
    require(all(one.shape == channels and one.batch is None for one in specs[1:]), f"moments, expected {channels}")
    epsilon = kind.type(call.get("epsilon", 1e-5))
    spread = (channels[0],) + (1,) * (len(x.shape) - 2)

    def compute(x, scale, bias, mean, variance):
        factor = scale / np.sqrt(variance + epsilon)
        return ((x - mean.reshape(spread)) * factor.reshape(spread) + bias.reshape(spread),)

    return Step((Spec(kind, x.shape, x.batch),), compute, 4 * x.size, 3 * x.nbytes)
