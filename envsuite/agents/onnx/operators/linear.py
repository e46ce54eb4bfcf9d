"""Products of matrices, convolutions, and pooling."""

import math

import numpy as np

from envsuite.agents.onnx.operators import kernels
from envsuite.agents.onnx.operators.common import Call, Spec, Step, broadcast, floating, operator, require


def matrix(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """(n, k) times (k, m)."""
    out = np.empty((x.shape[0], w.shape[1]), x.dtype)
    kernels.matrix_product(np.ascontiguousarray(x), w, out)
    return out


@operator("Gemm", (2, 3), alpha=float, beta=float, transA=int, transB=int)
def _gemm(call: Call) -> Step:
    x, w, bias = call.need(0), call.need(1), call.given(2)
    kind = floating(*(one for one in call.inputs if one is not None))
    require(len(x.shape) == 2 and len(w.shape) == 2, f"shapes {x.shape} and {w.shape}, expected two matrices")
    require(w.batch is None and x.batch in (None, 0) and not call.get("transA", 0), "only weights may be transposed")
    flip = bool(call.get("transB", 0))
    inner, width = w.shape[::-1] if flip else w.shape
    require(x.shape[1] == inner, f"shapes {x.shape} and {w.shape}{' transposed' if flip else ''} do not fit")
    out = Spec(kind, (x.shape[0], width), x.batch)
    if bias is not None:
        require(broadcast(out, bias) == (out.shape, out.batch), f"the added {bias.shape} does not fit {out.shape}")
    weights = call.prepared("transposed" if flip else "same", 1, np.transpose if flip else np.asarray)
    alpha, beta = kind.type(call.get("alpha", 1.0)), kind.type(call.get("beta", 1.0))

    def compute(x: np.ndarray, w: np.ndarray, bias: np.ndarray | None = None):
        product = matrix(x, weights(w))
        product = product if alpha == 1 else alpha * product
        return (product if bias is None else product + (bias if beta == 1 else beta * bias),)

    return Step((out,), compute, 2 * out.size * (inner + 2), x.nbytes + w.nbytes + 2 * out.nbytes)


@operator("MatMul", 2)
def _matmul(call: Call) -> Step:
    x, w = call.need(0), call.need(1)
    kind = floating(x, w)
    require(len(x.shape) >= 2 and len(w.shape) >= 2, "vectors are not allowed, expected matrices")
    require(x.shape[-1] == w.shape[-2], f"shapes {x.shape} and {w.shape} do not fit")
    require(x.batch != len(x.shape) - 1 and (w.batch is None or w.batch < len(w.shape) - 2), "rows would be mixed")
    lead, batch = broadcast(_leading(x), _leading(w))
    if x.batch == len(x.shape) - 2:
        require(w.batch is None, "rows lie along different axes")
        batch = len(lead)
    out = Spec(kind, (*lead, x.shape[-2], w.shape[-1]), batch)
    flops = 2 * out.size * x.shape[-1]
    if len(w.shape) == 2:
        weights = call.prepared("same", 1, np.asarray)

        def flat(x: np.ndarray, w: np.ndarray):
            return (matrix(x.reshape(-1, x.shape[-1]), weights(w)).reshape(out.shape),)

        return Step((out,), flat, flops, x.nbytes + w.nbytes)

    def many(x: np.ndarray, w: np.ndarray):
        result = np.empty((math.prod(lead), *out.shape[-2:]), kind)
        parts = [np.broadcast_to(one, lead + one.shape[-2:]).reshape(-1, *one.shape[-2:]) for one in (x, w)]
        kernels.matrix_products(parts[0].copy(), parts[1].copy(), result)  # broadcast views are read-only
        return (result.reshape(out.shape),)

    pairs = math.prod(lead) * (math.prod(x.shape[-2:]) + math.prod(w.shape[-2:])) * kind.itemsize
    return Step((out,), many, flops, 2 * pairs)


def _leading(spec: Spec) -> Spec:
    batch = spec.batch if spec.batch is not None and spec.batch < len(spec.shape) - 2 else None
    return Spec(spec.dtype, spec.shape[:-2], batch)


class _Window:
    """Kernel, strides, dilations and padding of a convolution or pooling over one or two axes."""

    def __init__(self, call: Call, x: Spec, size: tuple[int, ...]):
        rank = len(size)
        require(rank in (1, 2) and len(x.shape) == rank + 2, f"{len(x.shape)} axes, expected 3 or 4")
        require(x.batch in (None, 0), "rows must lie along the first axis")
        stated = call.get("kernel_shape", size)
        require(tuple(stated) == size and all(1 <= k <= 1024 for k in size), f"kernel_shape {stated}, expected {size}")
        require(call.get("auto_pad", b"NOTSET") in (b"NOTSET", b"VALID"), "automatic padding is not allowed")
        strides, dilations = call.get("strides", (1,) * rank), call.get("dilations", (1,) * rank)
        pads = call.get("pads", (0,) * (2 * rank))
        fits = len(strides) == len(dilations) == rank and len(pads) == 2 * rank
        require(fits and all(1 <= one <= 1024 for one in (*strides, *dilations)), "strides or dilations")
        require(all(0 <= one <= 1024 for one in pads), f"pads {pads}")
        spans = [(k - 1) * d + 1 for k, d in zip(size, dilations, strict=True)]
        room = [length + pads[k] + pads[rank + k] - spans[k] for k, length in enumerate(x.shape[2:])]
        require(all(one >= 0 for one in room), f"the kernel {size} is larger than the image {x.shape[2:]}")
        front = (1,) * (2 - rank)
        self.image = front + x.shape[2:]
        self.size = front + size
        self.stride, self.dilation = front + tuple(strides), front + tuple(dilations)
        self.pad = (0,) * (2 - rank) + tuple(pads[:rank])
        self.pad_after = (0,) * (2 - rank) + tuple(pads[rank:])
        self.shape = tuple(one // s + 1 for one, s in zip(room, strides, strict=True))
        self.out = front + self.shape


@operator("Conv", (2, 3), kernel_shape=tuple, strides=tuple, dilations=tuple, pads=tuple, group=int, auto_pad=bytes)
def _conv(call: Call) -> Step:
    x, w, bias = call.need(0), call.need(1), call.given(2)
    kind = floating(*(one for one in call.inputs if one is not None))
    require(len(w.shape) in (3, 4) and w.batch is None, f"weights of shape {w.shape}")
    window = _Window(call, x, w.shape[2:])
    groups, filters = call.get("group", 1), w.shape[0]
    fits = 1 <= groups <= filters and filters % groups == 0 and w.shape[1] * groups == x.shape[1]
    require(fits, f"{x.shape[1]} channels and weights of shape {w.shape} in {groups} groups do not fit")
    require(bias is None or (bias.shape == (filters,) and bias.batch is None), "bias")
    n, each = x.shape[0], filters // groups
    out = Spec(kind, (n, filters, *window.shape), x.batch)

    def arrange(w: np.ndarray) -> np.ndarray:
        return w.reshape(groups, each, w.shape[1], *window.size).transpose(0, 2, 3, 4, 1)

    weights = call.prepared(f"convolution {groups}", 1, arrange)

    def compute(x: np.ndarray, w: np.ndarray, bias: np.ndarray | None = None):
        x = np.ascontiguousarray(x).reshape(*x.shape[:2], *window.image)
        result = np.empty((n, *window.out, groups, each), kind)
        kernels.convolution(x, weights(w), *window.stride, *window.dilation, *window.pad, result)
        result = result.reshape(n, *window.shape, filters)
        result = result if bias is None else result + bias
        return (np.ascontiguousarray(np.moveaxis(result, -1, 1)),)

    return Step((out,), compute, 2 * out.size * (math.prod(w.shape[1:]) + 1), x.nbytes + w.nbytes + 2 * out.nbytes)


def _pool(call: Call, largest: bool) -> Step:
    x = call.need(0)
    kind = floating(x)
    size = call.get("kernel_shape", ())
    window = _Window(call, x, size)
    require(not call.get("ceil_mode", 0), "ceil_mode is not allowed")
    require(all(pad < k for pad, k in zip((*window.pad, *window.pad_after), window.size * 2, strict=True)), "pads")
    out = Spec(kind, (*x.shape[:2], *window.shape), x.batch)
    count_all = bool(call.get("count_include_pad", 0))

    def compute(x: np.ndarray):
        image = np.ascontiguousarray(x).reshape(*x.shape[:2], *window.image)
        around = ((0, 0), (0, 0), *zip(window.pad, window.pad_after, strict=True))
        image = np.pad(image, around, constant_values=-np.inf if largest else 0)
        total = _slide(image, window, np.maximum if largest else np.add)
        if not largest:
            inside = np.pad(np.ones((1, 1, *window.image), kind), around, constant_values=float(count_all))
            total = total / _slide(inside, window, np.add)
        return (total.reshape(out.shape),)

    padded = (
        x.nbytes
        // math.prod(window.image)
        * math.prod(a + b + c for a, b, c in zip(window.image, window.pad, window.pad_after, strict=True))
    )
    return Step((out,), compute, out.size * math.prod(size), 2 * padded + 3 * out.nbytes)


def _slide(image: np.ndarray, window: _Window, combine) -> np.ndarray:
    """Combine the elements under the window, one place in the window after the other."""
    result = None
    for y in range(window.size[0]):
        for x in range(window.size[1]):
            v, u = y * window.dilation[0], x * window.dilation[1]
            rows = slice(v, v + (window.out[0] - 1) * window.stride[0] + 1, window.stride[0])
            columns = slice(u, u + (window.out[1] - 1) * window.stride[1] + 1, window.stride[1])
            part = image[:, :, rows, columns]
            result = part.copy() if result is None else combine(result, part)
    assert result is not None
    return result


_POOLING = {"kernel_shape": tuple, "strides": tuple, "pads": tuple, "auto_pad": bytes, "ceil_mode": int}
operator("MaxPool", 1, **_POOLING, dilations=tuple, storage_order=int)(lambda call: _pool(call, True))
operator("AveragePool", 1, **_POOLING, count_include_pad=int)(lambda call: _pool(call, False))
