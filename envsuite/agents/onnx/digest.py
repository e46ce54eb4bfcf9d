"""What a network computes, as one digest: the same for every way to write the same operations down."""

import hashlib
import json
from typing import Any

import numpy as np

from envsuite.agents.onnx.interface import Interface
from envsuite.agents.onnx.model import Model


def network_digest(model: Model, interface: Interface) -> str:
    """SHA-256 (hexadecimal) of the operations that lead from the inputs to the outputs that are played.

    Names, the order of nodes and weights, values that no output needs, documentation and packing make no difference.
    Another operation or one other bit of a weight does, even where it changes no action.

    Args:
        model: that can be run (`envsuite.agents.onnx.program.Program`).
        interface: that fits it.
    """
    roles = {interface.observation: "observation"}
    roles |= {state.input: f"state {k}" for k, state in enumerate(interface.states)}
    found = {port.name: _hash("input", roles[port.name], port.dtype.str, list(port.shape[1:])) for port in model.inputs}
    found |= {name: _hash("constant", _plain(array)) for name, array in model.constants.items()}
    for node in model.nodes:  # they are in an order in which they can be computed
        attributes = [[name, _plain(value)] for name, value in sorted(node.attributes.items())]
        mark = _hash("node", node.op, attributes, [found[name] if name else "" for name in node.inputs])
        found |= {name: _hash("output", mark, k) for k, name in enumerate(node.outputs) if name}
    action = interface.action
    played = {"kind": action.kind, "low": action.low, "high": action.high, "heads": action.heads}
    if interface.random:
        played["temperature"] = action.temperature
    states = [[list(state.shape), state.initial, found[state.output]] for state in interface.states]
    return _hash("network", model.opset, found[interface.output], states, played)


def _hash(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _plain(value: Any) -> Any:
    """An attribute or a constant as JSON holds it; arrays as type, shape and digest."""
    if isinstance(value, np.ndarray):
        content = np.ascontiguousarray(value, value.dtype.newbyteorder("<"))
        return [content.dtype.str, list(value.shape), hashlib.sha256(content.tobytes()).hexdigest()]
    if isinstance(value, bytes):
        return ["bytes", value.hex()]
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return [type(value).__name__, value]
