"""Operators that move elements about."""

import math

import numpy as np

from envsuite.agents.onnx.operators.common import Call, Spec, Step, axes_of, axis_of, operator, require


def _copying(spec: Spec, compute, scratch: int = 0) -> Step:
    return Step((spec,), compute, spec.size, scratch)


@operator("Identity", 1)
def _identity(call: Call) -> Step:
    spec = call.need(0)
    return _copying(Spec(spec.dtype, spec.shape, spec.batch), lambda x: (x,))


@operator("Constant", 0, value=np.ndarray, value_float=float, value_int=int, value_floats=tuple, value_ints=tuple)
def _constant(call: Call) -> Step:
    require(len(call.node.attributes) == 1, "expected exactly one value")
    name, given = next(iter(call.node.attributes.items()))
    if name != "value":
        given = np.array(given, np.float32 if "float" in name else np.int64)
    assert isinstance(given, np.ndarray)
    require(given.dtype.kind != "f" or bool(np.isfinite(given).all()), "a weight is nan or infinite")
    return _copying(Spec(given.dtype, given.shape), lambda: (given,))


@operator("Reshape", 2, allowzero=int)
def _reshape(call: Call) -> Step:
    spec = call.need(0)
    wanted = call.whole_numbers(1, "shape")
    assert wanted is not None
    require(not call.get("allowzero", 0) and len(wanted) <= 8, "allowzero is not allowed")
    require(wanted.count(-1) <= 1 and all(size >= -1 for size in wanted), f"shape {wanted}")
    if spec.batch is not None:
        require(spec.batch == 0, "rows must lie along the first axis")
        require(bool(wanted) and wanted[0] in (0, -1), f"shape {wanted} must begin with 0 or -1, the number of rows")
    for k, size in enumerate(wanted):
        require(size != 0 or k < len(spec.shape), f"shape {wanted} of {spec.shape}")
    shape = [spec.shape[k] if size == 0 else size for k, size in enumerate(wanted)]
    if spec.batch is not None:
        shape[0] = spec.shape[0]
    if -1 in shape:
        rest = math.prod(size for size in shape if size != -1)
        require(rest > 0 and spec.size % rest == 0, f"shape {wanted} of {spec.shape}")
        shape[shape.index(-1)] = spec.size // rest
    require(math.prod(shape) == spec.size, f"shape {wanted} of {spec.shape}")
    out = Spec(spec.dtype, tuple(shape), spec.batch)
    return _copying(out, lambda x, _: (x.reshape(out.shape),))


@operator("Flatten", 1, axis=int)
def _flatten(call: Call) -> Step:
    spec = call.need(0)
    axis = call.get("axis", 1)
    require(0 <= axis <= len(spec.shape), f"axis {axis} of {len(spec.shape)}")
    require(spec.batch is None or (spec.batch == 0 and axis == 1), "rows would be mixed")
    out = Spec(spec.dtype, (math.prod(spec.shape[:axis]), math.prod(spec.shape[axis:])), spec.batch)
    return _copying(out, lambda x: (x.reshape(out.shape),))


@operator("Transpose", 1, perm=tuple)
def _transpose(call: Call) -> Step:
    spec = call.need(0)
    rank = len(spec.shape)
    order = tuple(call.get("perm", tuple(reversed(range(rank)))))
    require(sorted(order) == list(range(rank)), f"perm {order} of {rank} axes")
    batch = None if spec.batch is None else order.index(spec.batch)
    out = Spec(spec.dtype, tuple(spec.shape[k] for k in order), batch)
    return _copying(out, lambda x: (np.ascontiguousarray(x.transpose(order)),))


@operator("Squeeze", (1, 2))
def _squeeze(call: Call) -> Step:
    spec = call.need(0)
    given = call.whole_numbers(1, "axes")
    require(given is not None, "axes must be given")  # else a batch of one row would lose its axis
    axes = axes_of(given or [], len(spec.shape))
    require(all(spec.shape[axis] == 1 and axis != spec.batch for axis in axes), f"axes {axes} of {spec.shape}")
    kept = [axis for axis in range(len(spec.shape)) if axis not in axes]
    batch = None if spec.batch is None else kept.index(spec.batch)
    out = Spec(spec.dtype, tuple(spec.shape[axis] for axis in kept), batch)
    return _copying(out, lambda x, _: (x.reshape(out.shape),))


@operator("Unsqueeze", 2)
def _unsqueeze(call: Call) -> Step:
    spec = call.need(0)
    given = call.whole_numbers(1, "axes") or []
    rank = len(spec.shape) + len(given)
    require(rank <= 8, f"{rank} axes")
    axes = axes_of(given, rank)
    old = iter(range(len(spec.shape)))
    source = [None if axis in axes else next(old) for axis in range(rank)]
    shape = tuple(1 if axis is None else spec.shape[axis] for axis in source)
    out = Spec(spec.dtype, shape, None if spec.batch is None else source.index(spec.batch))
    return _copying(out, lambda x, _: (x.reshape(shape),))


@operator("Concat", (1, 64), axis=int)
def _concat(call: Call) -> Step:
    specs = [call.need(k) for k in range(len(call.inputs))]
    first = specs[0]
    rank = len(first.shape)
    axis = axis_of(call.get("axis", 0), rank)
    for spec in specs:
        same = spec.dtype == first.dtype and spec.batch == first.batch and len(spec.shape) == rank
        fits = same and all(k == axis or a == b for k, (a, b) in enumerate(zip(spec.shape, first.shape, strict=True)))
        require(fits, f"{spec.shape} does not fit {first.shape} beside axis {axis}")
    require(axis != first.batch, "rows would be mixed")
    shape = tuple(sum(s.shape[axis] for s in specs) if k == axis else size for k, size in enumerate(first.shape))
    return _copying(Spec(first.dtype, shape, first.batch), lambda *parts: (np.concatenate(parts, axis),))


@operator("Split", (1, 2), axis=int, num_outputs=int)
def _split(call: Call) -> Step:
    spec = call.need(0)
    axis = axis_of(call.get("axis", 0), len(spec.shape))
    require(axis != spec.batch, "rows would be mixed")
    length, count = spec.shape[axis], len(call.node.outputs)
    sizes = call.whole_numbers(1, "split")
    if sizes is None:
        require(count > 0 and length % count == 0, f"{length} elements in {count} equal parts")
        sizes = [length // count] * count
    require(len(sizes) == count and min(sizes) >= 0 and sum(sizes) == length, f"parts {sizes} of {length} elements")
    cuts = np.cumsum(sizes)[:-1]
    shapes = [(*spec.shape[:axis], size, *spec.shape[axis + 1 :]) for size in sizes]
    outputs = tuple(Spec(spec.dtype, shape, spec.batch) for shape in shapes)

    def compute(x: np.ndarray, *_):
        return tuple(np.ascontiguousarray(part) for part in np.split(x, cuts, axis))

    return Step(outputs, compute, spec.size)


@operator("Slice", (3, 5))
def _slice(call: Call) -> Step:
    spec = call.need(0)
    starts, ends = call.whole_numbers(1, "starts"), call.whole_numbers(2, "ends")
    assert starts is not None
    assert ends is not None
    listed = call.whole_numbers(3, "axes") or list(range(len(starts)))
    steps = call.whole_numbers(4, "steps") or [1] * len(starts)
    require(len(starts) == len(ends) == len(listed) == len(steps) and 0 not in steps, "lists of different lengths")
    axes_of(listed, len(spec.shape))
    cut = [slice(None)] * len(spec.shape)
    for axis, start, end, step in zip(listed, starts, ends, steps, strict=True):
        axis = axis_of(axis, len(spec.shape))
        require(axis != spec.batch, "rows would be mixed")
        length = spec.shape[axis]
        backwards = step < 0 and end < -length
        cut[axis] = slice(start, None if backwards else end, step)
    shape = tuple(len(range(*one.indices(size))) for one, size in zip(cut, spec.shape, strict=True))
    out = Spec(spec.dtype, shape, spec.batch)
    return _copying(out, lambda x, *_: (np.ascontiguousarray(x[tuple(cut)]),))


@operator("Gather", 2, axis=int)
def _gather(call: Call) -> Step:
    spec, index = call.need(0), call.need(1).value
    axis = axis_of(call.get("axis", 0), len(spec.shape))
    require(axis != spec.batch, "rows would be mixed")
    if index is None:
        return _look_up(spec, call.need(1), axis)
    length = spec.shape[axis]
    require(index.dtype.kind == "i" and len(spec.shape) + index.ndim <= 9, "indices must be integers")
    require(bool(((index >= -length) & (index < length)).all()), f"an index lies outside {length} elements")
    shape = (*spec.shape[:axis], *index.shape, *spec.shape[axis + 1 :])
    moved = spec.batch if spec.batch is None or spec.batch < axis else spec.batch + index.ndim - 1
    return _copying(Spec(spec.dtype, shape, moved), lambda x, _: (np.take(x, index, axis),))


def _look_up(table: Spec, index: Spec, axis: int) -> Step:
    """Rows of a constant table by integers that come with the observation."""
    require(table.value is not None and axis == 0, "indices that are no constant need a constant table and axis 0")
    require(index.dtype.kind == "i" and len(table.shape) + len(index.shape) <= 9, "indices must be integers")

    def compute(rows: np.ndarray, places: np.ndarray):
        length = len(rows)
        outside = (places < -length) | (places >= length)
        if outside.any():
            raise ValueError(f"Gather: index {int(places[outside][0])} lies outside {length} elements")
        return (np.take(rows, places, 0),)

    out = Spec(table.dtype, index.shape + table.shape[1:], index.batch)
    return Step((out,), compute, out.size)


@operator("Pad", (2, 3), mode=bytes)
def _pad(call: Call) -> Step:
    spec, pads = call.need(0), call.whole_numbers(1, "pads")
    rank = len(spec.shape)
    require(call.get("mode", b"constant") == b"constant", "expected constant padding")
    require(pads is not None and len(pads) == 2 * rank and min(pads) >= 0 and max(pads) <= 1024, f"pads {pads}")
    assert pads is not None
    around = list(zip(pads[:rank], pads[rank:], strict=True))
    require(spec.batch is None or around[spec.batch] == (0, 0), "rows would be mixed")
    given = call.constant(2)
    require(given is None or (given.size == 1 and given.dtype == spec.dtype), "expected one number of the same type")
    fill = 0 if given is None else given.reshape(())
    shape = tuple(size + before + after for size, (before, after) in zip(spec.shape, around, strict=True))
    out = Spec(spec.dtype, shape, spec.batch)
    return _copying(out, lambda x, *_: (np.pad(x, around, constant_values=fill),), out.nbytes)
