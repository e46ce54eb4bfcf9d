"""Writes ONNX files. Field numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto."""

import numpy as np

from envsuite.agents.onnx.model import NUMBERS, Attribute, Model, Node, Port
from envsuite.agents.onnx.wire import field

_IR_VERSION = 8  # the one that came with operator set 17
# Field and AttributeType of one value; those of a list are 5 more.
_KINDS: dict[type, tuple[int, int]] = {float: (2, 1), int: (3, 2), bytes: (4, 3)}


def encode(model: Model) -> bytes:
    """Turn a model into the bytes of an ``.onnx`` file."""
    graph = b"".join(field(1, _node(node, k)) for k, node in enumerate(model.nodes))
    graph += field(2, "policy")
    graph += b"".join(field(5, _tensor(value, name)) for name, value in model.constants.items())
    graph += b"".join(field(11, _port(port)) for port in model.inputs)
    graph += b"".join(field(12, _port(port)) for port in model.outputs)
    opset = field(1, "") + field(2, model.opset)
    return field(1, _IR_VERSION) + field(2, "envsuite") + field(7, graph) + field(8, opset)


def _node(node: Node, index: int) -> bytes:
    out = b"".join(field(1, name) for name in node.inputs) + b"".join(field(2, name) for name in node.outputs)
    out += field(3, f"{node.op}_{index}") + field(4, node.op)
    return out + b"".join(field(5, _attribute(name, value)) for name, value in node.attributes.items())


def _attribute(name: str, value: Attribute) -> bytes:
    out = field(1, name)
    if isinstance(value, np.ndarray):
        return out + field(5, _tensor(value, "")) + field(20, 4)
    if isinstance(value, tuple):
        number, kind = _KINDS[type(value[0])]
        return out + b"".join(field(number + 5, one) for one in value) + field(20, kind + 5)
    number, kind = _KINDS[type(value)]
    return out + field(number, value) + field(20, kind)


def _tensor(value: np.ndarray, name: str) -> bytes:
    little = value.astype(value.dtype.newbyteorder("<"))
    out = b"".join(field(1, size) for size in value.shape) + field(2, NUMBERS[little.dtype])
    return out + field(8, name) + field(9, little.tobytes())


def _port(port: Port) -> bytes:
    axes = (field(2, size) if isinstance(size, str) else field(1, size) for size in port.shape)
    shape = b"".join(field(1, axis) for axis in axes)
    tensor = field(1, NUMBERS[port.dtype]) + field(2, shape)
    return field(1, port.name) + field(2, field(1, tensor))
