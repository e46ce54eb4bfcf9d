"""Operators that treat each element by itself."""

from collections.abc import Callable

import numpy as np

from envsuite.agents.onnx.model import dtype_of
from envsuite.agents.onnx.operators import kernels
from envsuite.agents.onnx.operators.common import FLOATS, Call, Spec, Step, broadcast, floating, operator, require

_FUNCTION = 20  # operations that an elementary function counts as


def through(kernel: Callable, array: np.ndarray, *settings) -> np.ndarray:
    """Apply a kernel ``(x, *settings, out)`` to every element."""
    flat = np.ascontiguousarray(array).reshape(-1)
    out = np.empty_like(flat)
    kernel(flat, *settings, out)
    return out.reshape(array.shape)


def _unary(call: Call, function: Callable[[np.ndarray], np.ndarray], cost: int = 1) -> Step:
    spec = call.need(0)
    floating(spec)
    return Step((Spec(spec.dtype, spec.shape, spec.batch),), lambda x: (function(x),), cost * spec.size, spec.nbytes)


def _declare_function(name: str, kernel: Callable) -> None:
    operator(name, 1)(lambda call: _unary(call, lambda x: through(kernel, x), _FUNCTION))


for _name, _kernel in (
    ("Tanh", kernels.tanh),
    ("Sigmoid", kernels.sigmoid),
    ("Exp", kernels.exp),
    ("Log", kernels.log),
    ("Sin", kernels.sin),
    ("Cos", kernels.cos),
    ("Erf", kernels.erf),
    ("Softplus", kernels.softplus),
):
    _declare_function(_name, _kernel)


def _declare_exact(name: str, function: Callable[[np.ndarray], np.ndarray]) -> None:
    operator(name, 1)(lambda call: _unary(call, function))


for _name, _function in (
    ("Abs", np.abs),
    ("Neg", np.negative),
    ("Sqrt", np.sqrt),
    ("Floor", np.floor),
    ("Ceil", np.ceil),
    ("Sign", np.sign),
    ("Reciprocal", lambda x: x.dtype.type(1) / x),
    ("Relu", lambda x: np.maximum(x, x.dtype.type(0))),
    ("Softsign", lambda x: x / (x.dtype.type(1) + np.abs(x))),
):
    _declare_exact(_name, _function)


@operator("Gelu", 1, approximate=bytes)
def _gelu(call: Call) -> Step:
    require(call.get("approximate", b"none") == b"none", "approximate forms are not allowed")
    return _unary(call, lambda x: through(kernels.gelu, x), 2 * _FUNCTION)


@operator("Elu", 1, alpha=float)
def _elu(call: Call) -> Step:
    kind = call.need(0).dtype.type
    alpha, gamma = kind(call.get("alpha", 1.0)), kind(1.0)
    return _unary(call, lambda x: through(kernels.elu, x, alpha, gamma), _FUNCTION)


@operator("Selu", 1, alpha=float, gamma=float)
def _selu(call: Call) -> Step:
    kind = call.need(0).dtype.type
    # Klambauer et al. (2017), to the digits that the ONNX standard gives
    alpha, gamma = kind(call.get("alpha", 1.6732632423543772)), kind(call.get("gamma", 1.0507009873554805))
    return _unary(call, lambda x: through(kernels.elu, x, alpha, gamma), _FUNCTION)


@operator("LeakyRelu", 1, alpha=float)
def _leaky(call: Call) -> Step:
    alpha = call.need(0).dtype.type(call.get("alpha", 0.01))
    return _unary(call, lambda x: np.where(x < 0, alpha * x, x), 3)


@operator("HardSigmoid", 1, alpha=float, beta=float)
def _hard_sigmoid(call: Call) -> Step:
    kind = call.need(0).dtype.type
    alpha, beta = kind(call.get("alpha", 0.2)), kind(call.get("beta", 0.5))
    return _unary(call, lambda x: np.clip(alpha * x + beta, kind(0), kind(1)), 4)


@operator("Clip", (1, 3))
def _clip(call: Call) -> Step:
    spec = call.need(0)
    floating(*(one for one in call.inputs if one is not None))
    for bound in call.inputs[1:]:
        require(bound is None or (bound.size == 1 and bound.batch is None), "bounds must be single numbers")

    def compute(x: np.ndarray, low: np.ndarray | None = None, high: np.ndarray | None = None):
        x = x if low is None else np.maximum(x, low.reshape(()))
        return (x.copy() if low is None and high is None else x if high is None else np.minimum(x, high.reshape(())),)

    return Step((Spec(spec.dtype, spec.shape, spec.batch),), compute, 2 * spec.size, spec.nbytes)


def _combine(call: Call, function: Callable, dtype: np.dtype | None = None, cost: int = 1) -> Step:
    specs = [call.need(k) for k in range(len(call.inputs))]
    kind = floating(*specs)
    shape, batch = broadcast(*specs)
    out = Spec(kind if dtype is None else dtype, shape, batch)

    def compute(*arrays: np.ndarray):
        result = arrays[0]
        for array in arrays[1:]:
            result = function(result, array)
        return (result.copy() if len(arrays) == 1 else result,)

    return Step((out,), compute, cost * out.size * len(specs), out.nbytes * 2)


def _declare_combination(name: str, function: Callable, inputs: int | tuple[int, int], **kwargs) -> None:
    operator(name, inputs)(lambda call: _combine(call, function, **kwargs))


_BOOL = np.dtype(np.bool_)
for _name, _function in (("Add", np.add), ("Sub", np.subtract), ("Mul", np.multiply), ("Div", np.divide)):
    _declare_combination(_name, _function, 2)
for _name, _function in (("Max", np.maximum), ("Min", np.minimum)):
    _declare_combination(_name, _function, (1, 16))
for _name, _function in (
    ("Greater", np.greater),
    ("GreaterOrEqual", np.greater_equal),
    ("Less", np.less),
    ("LessOrEqual", np.less_equal),
    ("Equal", np.equal),
):
    _declare_combination(_name, _function, 2, dtype=_BOOL)


def _power(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    x, y = np.broadcast_arrays(x, y)
    out = np.empty(x.shape, x.dtype)
    kernels.power(x.copy().reshape(-1), y.copy().reshape(-1), out.reshape(-1))  # broadcast views are read-only
    return out


_declare_combination("Pow", _power, 2, cost=2 * _FUNCTION)


@operator("Not", 1)
def _not(call: Call) -> Step:
    spec = call.need(0)
    require(spec.dtype == np.bool_, "expected truth values")
    return Step((Spec(spec.dtype, spec.shape, spec.batch),), lambda x: (~x,), spec.size)


def _logic(call: Call, function: Callable) -> Step:
    first, second = call.need(0), call.need(1)
    require(first.dtype == np.bool_ and second.dtype == np.bool_, "expected truth values")
    shape, batch = broadcast(first, second)
    out = Spec(_BOOL, shape, batch)
    return Step((out,), lambda x, y: (function(x, y),), out.size)


operator("And", 2)(lambda call: _logic(call, np.logical_and))
operator("Or", 2)(lambda call: _logic(call, np.logical_or))


@operator("Where", 3)
def _where(call: Call) -> Step:
    condition, first, second = call.need(0), call.need(1), call.need(2)
    require(condition.dtype == np.bool_ and first.dtype == second.dtype, "expected truth values and two of one type")
    shape, batch = broadcast(condition, first, second)
    out = Spec(first.dtype, shape, batch)
    return Step((out,), lambda c, x, y: (np.where(c, x, y),), out.size, out.nbytes)


@operator("Cast", 1, to=int)
def _cast(call: Call) -> Step:
    spec, to = call.need(0), dtype_of(call.get("to", 0))
    # a float beyond an integer's range has no defined value, and differs between CPUs
    require(to in FLOATS or spec.dtype not in FLOATS, f"{spec.dtype} to {to} is not allowed")
    out = Spec(to, spec.shape, spec.batch)
    return Step((out,), lambda x: (x.astype(to),), out.size)
