"""Reads ONNX files that nobody vouches for.

Every malformed, oversized or unexpected thing raises ValueError; nothing is executed, opened or allocated beyond the
limits below. Field numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
"""

import math

import numpy as np

from envsuite.agents.onnx import wire
from envsuite.agents.onnx.model import OPSETS, Attribute, Model, Node, Port, dtype_of
from envsuite.agents.onnx.wire import Budget, blob, number, text

MAX_BYTES = 50_000_000
"""Largest file."""

MAX_NODES, MAX_CONSTANTS, MAX_PORTS, MAX_RANK, MAX_LIST = 2_000, 2_000, 64, 8, 4_096
_MAX_ELEMENTS = MAX_BYTES  # of one tensor; it must stand in the file itself


def decode(data: bytes) -> Model:
    """Read a model.

    Args:
        data: the content of an ``.onnx`` file.

    Raises:
        ValueError: what is wrong with it.
    """
    if len(data) > MAX_BYTES:
        raise ValueError(f"{len(data)} bytes, expected at most {MAX_BYTES}")
    budget = Budget()
    graph, opset = None, None
    for at, _, value in wire.fields(memoryview(data), budget):
        if at == 7:
            if graph is not None:
                raise ValueError("two graphs")
            graph = blob(value)
        elif at == 8:
            opset = _opset(blob(value), opset, budget)
        elif at == 25:
            raise ValueError("functions are not allowed")
        elif at == 20:
            raise ValueError("training information is not allowed")
        elif at not in (1, 2, 3, 4, 5, 6, 14):  # version, producer, domain, texts
            raise ValueError(f"unknown field {at} of the model")
    if graph is None or opset is None:
        raise ValueError("no graph" if graph is None else "no operator set")
    return _graph(graph, opset, budget)


def _opset(data: memoryview, known: int | None, budget: Budget) -> int | None:
    domain, version = "", 0
    for at, _, value in wire.fields(data, budget):
        if at == 1:
            domain = text(value)
        elif at == 2:
            version = number(value)
    if domain not in ("", "ai.onnx"):
        raise ValueError(f"operator domain {domain!r}, expected the default one only")
    if version not in OPSETS or known is not None:
        raise ValueError(f"operator set {version}, expected one of {OPSETS.start} to {OPSETS.stop - 1}, once")
    return version


def _graph(data: memoryview, opset: int, budget: Budget) -> Model:
    nodes: list[Node] = []
    constants: dict[str, np.ndarray] = {}
    inputs: list[Port] = []
    outputs: list[Port] = []
    for at, _, value in wire.fields(data, budget):
        if at == 1:
            nodes.append(_node(blob(value), budget))
        elif at == 5:
            name, tensor = _tensor(blob(value), budget)
            if not name or name in constants:
                raise ValueError(f"constant {name!r} without a name or twice")
            constants[name] = tensor
        elif at in (11, 12):
            (inputs if at == 11 else outputs).append(_port(blob(value), budget))
        elif at == 15:
            raise ValueError("sparse constants are not allowed")
        elif at not in (2, 10, 13, 16):  # name, texts, and types that are inferred anyway
            raise ValueError(f"unknown field {at} of the graph")
    for what, count, limit in (
        ("nodes", len(nodes), MAX_NODES),
        ("constants", len(constants), MAX_CONSTANTS),
        ("inputs", len(inputs), MAX_PORTS),
        ("outputs", len(outputs), MAX_PORTS),
    ):
        if count > limit:
            raise ValueError(f"{count} {what}, expected at most {limit}")
    inputs = [port for port in inputs if port.name not in constants]  # old files list constants as inputs, too
    _check_names(nodes, constants, inputs, outputs)
    return Model(tuple(nodes), constants, tuple(inputs), tuple(outputs), opset)


def _check_names(nodes: list[Node], constants: dict[str, np.ndarray], inputs: list[Port], outputs: list[Port]) -> None:
    """Every name is defined once, before it is used."""
    known = set(constants)
    for port in inputs:
        if not port.name or port.name in known:
            raise ValueError(f"input {port.name!r} without a name or twice")
        known.add(port.name)
    for node in nodes:
        for name in node.inputs:
            if name and name not in known:
                raise ValueError(f"{node.op} uses {name!r} before it is defined")
        for name in node.outputs:
            if name in known:
                raise ValueError(f"{name!r} is defined twice")
            if name:
                known.add(name)
    names = [port.name for port in outputs]
    if not names or len(set(names)) < len(names) or any(name not in known for name in names):
        raise ValueError(f"outputs {names}: none, twice, or undefined")


def _node(data: memoryview, budget: Budget) -> Node:
    inputs: list[str] = []
    outputs: list[str] = []
    attributes: dict[str, Attribute] = {}
    op, domain = "", ""
    for at, _, value in wire.fields(data, budget):
        if at == 1:
            inputs.append(text(value))
        elif at == 2:
            outputs.append(text(value))
        elif at == 4:
            op = text(value)
        elif at == 5:
            name, setting = _attribute(blob(value), budget)
            if not name or name in attributes:
                raise ValueError(f"{op}: attribute {name!r} without a name or twice")
            attributes[name] = setting
        elif at == 7:
            domain = text(value)
        elif at not in (3, 6, 8, 9):  # name, texts
            raise ValueError(f"unknown field {at} of a node")
    if domain not in ("", "ai.onnx"):
        raise ValueError(f"operator {op!r} of domain {domain!r}, expected the default one only")
    if max(len(inputs), len(outputs)) > MAX_PORTS:
        raise ValueError(f"{op} has {len(inputs)} inputs and {len(outputs)} outputs, expected at most {MAX_PORTS}")
    return Node(op, tuple(inputs), tuple(outputs), attributes)


def _attribute(data: memoryview, budget: Budget) -> tuple[str, Attribute]:
    name, kind = "", 0
    values: dict[int, Attribute] = {1: 0.0, 2: 0, 3: b""}
    lists: dict[int, list] = {6: [], 7: [], 8: []}
    for at, wire_kind, value in wire.fields(data, budget):
        if at == 1:
            name = text(value)
        elif at == 2:
            values[1] = wire.single(wire_kind, value)
        elif at == 3:
            values[2] = number(value)
        elif at == 4:
            values[3] = _short(blob(value))
        elif at == 5:
            values[4] = _tensor(blob(value), budget)[1]
        elif at == 7:
            lists[6] += wire.floats(wire_kind, value, "<f4")[: MAX_LIST + 1].tolist()
        elif at == 8:
            lists[7] += wire.integers(wire_kind, value, budget)
        elif at == 9:
            lists[8].append(_short(blob(value)))
        elif at == 20:
            kind = number(value)
        elif at in (6, 11):
            raise ValueError(f"attribute {name!r} holds a graph: loops and branches are not allowed")
        elif at != 13:
            raise ValueError(f"attribute {name!r} has a type that is not allowed (field {at})")
    if any(len(one) > MAX_LIST for one in lists.values()):
        raise ValueError(f"attribute {name!r} holds more than {MAX_LIST} values")
    values |= {key: tuple(one) for key, one in lists.items()}
    if kind not in values:
        raise ValueError(f"attribute {name!r} has type {kind}, which is not allowed or has no value")
    return name, values[kind]


def _short(content: memoryview) -> bytes:
    if len(content) > 512:
        raise ValueError(f"a text of {len(content)} bytes, expected at most 512")
    return bytes(content)


def _tensor(data: memoryview, budget: Budget) -> tuple[str, np.ndarray]:
    shape: list[int] = []
    name, kind = "", 0
    raw: memoryview | None = None
    lists: dict[int, list] = {4: [], 5: [], 7: [], 10: []}
    for at, wire_kind, value in wire.fields(data, budget):
        if at == 1:
            shape += wire.integers(wire_kind, value, budget)
        elif at == 2:
            kind = number(value)
        elif at == 8:
            name = text(value)
        elif at == 9:
            raw = blob(value)
        elif at in (4, 10):
            lists[at].append(wire.floats(wire_kind, value, "<f4" if at == 4 else "<f8"))
        elif at in (5, 7):
            lists[at] += wire.integers(wire_kind, value, budget)
        elif at == 13 or (at == 14 and number(value)):
            raise ValueError(f"constant {name!r} lies in another file, which is not allowed")
        elif at not in (12, 14, 16):
            raise ValueError(f"unknown field {at} of a tensor")
    dtype = dtype_of(kind)
    if len(shape) > MAX_RANK or any(not 0 <= size <= _MAX_ELEMENTS for size in shape):
        raise ValueError(f"constant {name!r} has shape {shape[:MAX_RANK]}")
    count = math.prod(shape)
    if count > _MAX_ELEMENTS:
        raise ValueError(f"constant {name!r} has {count} elements")
    try:
        return name, _elements(dtype, raw, lists, count).reshape(shape)
    except ValueError as error:
        raise ValueError(f"constant {name!r}: {error}") from error


def _elements(dtype: np.dtype, raw: memoryview | None, lists: dict[int, list], count: int) -> np.ndarray:
    """The elements of a tensor as a fresh, finite array."""
    if raw is not None:
        if len(raw) != count * dtype.itemsize or any(lists.values()):
            raise ValueError(f"{len(raw)} bytes, expected {count} elements of {dtype}")
        if dtype == np.bool_ and (np.frombuffer(raw, np.uint8) > 1).any():
            raise ValueError("a truth value is neither 0 nor 1")
        values = np.frombuffer(raw, dtype).copy()
    else:
        home = {"f4": 4, "f8": 10, "i8": 7}.get(dtype.str[1:], 5)
        parts = lists[home]
        if home in (4, 10):
            values = np.concatenate(parts).astype(dtype) if parts else np.zeros(0, dtype)
        else:
            lowest, highest = (0, 1) if dtype == np.bool_ else (np.iinfo(dtype).min, np.iinfo(dtype).max)
            if any(not lowest <= one <= highest for one in parts):
                raise ValueError(f"a number does not fit {dtype}")
            values = np.array(parts, dtype)
        if values.size != count:
            raise ValueError(f"{values.size} elements, expected {count}")
    if dtype.kind == "f" and not np.isfinite(values).all():
        raise ValueError("a weight is nan or infinite")
    return values


def _port(data: memoryview, budget: Budget) -> Port:
    name, kind, shape = "", 0, None
    for at, _, value in wire.fields(data, budget):
        if at == 1:
            name = text(value)
        elif at == 2:
            kind, shape = _tensor_type(blob(value), budget)
    if shape is None:
        raise ValueError(f"{name!r} has no shape")
    if len(shape) > MAX_RANK:
        raise ValueError(f"{name!r} has {len(shape)} axes, expected at most {MAX_RANK}")
    return Port(name, dtype_of(kind), tuple(shape))


def _tensor_type(data: memoryview, budget: Budget) -> tuple[int, list[int | str] | None]:
    kind, shape = 0, None
    for at, _, value in wire.fields(data, budget):
        if at not in (1, 6):
            raise ValueError("a value that is no tensor")
        if at == 6:
            continue
        for inner, _, content in wire.fields(blob(value), budget):
            if inner == 1:
                kind = number(content)
            elif inner == 2:
                shape = [_axis(blob(axis), budget) for at, _, axis in wire.fields(blob(content), budget) if at == 1]
    return kind, shape


def _axis(data: memoryview, budget: Budget) -> int | str:
    size: int | str = ""
    for at, _, value in wire.fields(data, budget):
        if at == 1:
            size = number(value)
            if not 0 <= size <= _MAX_ELEMENTS:
                raise ValueError(f"an axis of {size} elements")
        elif at == 2:
            size = text(value)
    return size
