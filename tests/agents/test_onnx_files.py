"""Reading ONNX files: what others wrote, what is malformed, and what is hostile."""

import struct

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from envsuite.agents.onnx import wire
from envsuite.agents.onnx.decode import MAX_BYTES, decode
from envsuite.agents.onnx.encode import encode
from envsuite.agents.onnx.program import Program

from .onnx_cases import CASES, F4


def proto(nodes, initializers=(), *, opset=17, domain="", **kwargs):
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 3])
    graph = helper.make_graph(nodes, "g", [x], [y], list(initializers), **kwargs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid(domain, opset)])


def add_with(tensor):
    return proto([helper.make_node("Add", ["x", "c"], ["y"])], [tensor])


@pytest.mark.parametrize("name", CASES)
def test_what_is_written_is_read_back(name):
    model, _ = CASES[name]
    again = decode(encode(model))
    assert (again.inputs, again.outputs, again.opset) == (model.inputs, model.outputs, model.opset)
    assert list(again.constants) == list(model.constants)
    for key, value in model.constants.items():
        assert again.constants[key].dtype == value.dtype
        np.testing.assert_array_equal(again.constants[key], value)
    for mine, other in zip(again.nodes, model.nodes, strict=True):
        assert (mine.op, mine.inputs, mine.outputs) == (other.op, other.inputs, other.outputs)
        assert set(mine.attributes) == set(other.attributes)
        for key, value in other.attributes.items():
            np.testing.assert_allclose(mine.attributes[key], value) if not isinstance(value, bytes) else None


@pytest.mark.parametrize("raw", [True, False])
@pytest.mark.parametrize("kind", ["float32", "float64", "int32", "int64", "uint8", "bool"])
def test_reads_every_form_of_tensor(kind, raw):
    values = np.array([0, 1, 1]).astype(kind) if kind in ("bool", "uint8") else np.array([-3, 0, 7]).astype(kind)
    number = helper.np_dtype_to_tensor_dtype(values.dtype)
    tensor = helper.make_tensor("c", number, [3], values.tobytes() if raw else values.tolist(), raw=raw)
    cast = [helper.make_node("Cast", ["c"], ["d"], to=TensorProto.FLOAT), helper.make_node("Add", ["x", "d"], ["y"])]
    if kind == "float32":
        cast = [helper.make_node("Add", ["x", "c"], ["y"])]
    program = Program(decode(proto(cast, [tensor]).SerializeToString()))
    np.testing.assert_array_equal(program.run(x=np.ones((2, 3), F4))["y"], np.ones((2, 3)) + values.astype(float))


@pytest.mark.parametrize("value", [0, 1, -1, 127, 128, 300, 2**63 - 1, -(2**63)])
def test_integers_survive(value):
    [(number, kind, found)] = wire.fields(memoryview(wire.field(5, value)), wire.Budget())
    assert (number, kind, wire.signed(found)) == (5, wire.VARINT, value)


def test_models_with_the_marks_of_an_exporter_run():
    w = np.arange(9, dtype=F4).reshape(3, 3)
    nodes = [
        helper.make_node("Gemm", ["x", "net.0.weight"], ["/net/0"], name="/net/0/Gemm", transB=1, alpha=1.0, beta=1.0),
        helper.make_node("Relu", ["/net/0"], ["y"], doc_string="text"),
    ]
    model = proto(nodes, [onnx.numpy_helper.from_array(w, "net.0.weight")], opset=20, doc_string="text")
    helper.set_model_props(model, {"author": "somebody"})
    x = np.array([[1, -2, 3]], F4)
    np.testing.assert_array_equal(Program(decode(model.SerializeToString())).run(x=x)["y"], np.maximum(x @ w.T, 0))


def hostile():
    external = onnx.numpy_helper.from_array(np.ones(3, F4), "c")
    external.data_location = TensorProto.EXTERNAL
    external.external_data.add(key="location", value="/etc/passwd")
    body = helper.make_graph([], "body", [], [])
    loop = helper.make_node("Loop", ["x"], ["y"], body=body)
    function = proto([helper.make_node("Tanh", ["x"], ["y"])])
    function.functions.append(helper.make_function("mine", "f", ["a"], ["b"], [], [helper.make_opsetid("", 17)]))
    huge = TensorProto(name="c", data_type=1, dims=[1 << 40, 1 << 40], raw_data=b"1234")
    short = TensorProto(name="c", data_type=1, dims=[1000, 1000], raw_data=b"1234")
    negative = TensorProto(name="c", data_type=1, dims=[-4], raw_data=b"1234")
    text = helper.make_tensor("c", TensorProto.STRING, [1], [b"text"])
    broken = TensorProto(name="c", data_type=9, dims=[3], raw_data=b"\x02\x00\x01")
    nan, inf = (onnx.numpy_helper.from_array(np.array([1, bad, 1], F4), "c") for bad in (np.nan, np.inf))
    custom = proto([helper.make_node("Evil", ["x"], ["y"], domain="com.evil")])
    tanh = [helper.make_node("Tanh", ["x"], ["y"])]
    sparse = proto(tanh)
    sparse.graph.sparse_initializer.add()
    return {
        "external data": (add_with(external), "lies in another file"),
        "loop": (proto([loop]), "holds a graph: loops and branches are not allowed"),
        "functions": (function, "functions are not allowed"),
        "custom operator": (custom, "domain 'com.evil'"),
        "custom operator set": (proto(tanh, domain="com.evil"), "domain 'com.evil'"),
        "old operator set": (proto(tanh, opset=9), "operator set 9"),
        "new operator set": (proto(tanh, opset=99), "operator set 99"),
        "huge tensor": (add_with(huge), "has shape"),
        "short tensor": (add_with(short), "4 bytes, expected 1000000 elements"),
        "negative size": (add_with(negative), "has shape"),
        "texts": (add_with(text), "unknown field 6 of a tensor"),
        "truth value 2": (add_with(broken), "neither 0 nor 1"),
        "nan weight": (add_with(nan), "nan or infinite"),
        "infinite weight": (add_with(inf), "nan or infinite"),
        "sparse constant": (sparse, "sparse"),
        "circle": (proto([helper.make_node("Add", ["x", "y"], ["y"])]), "before it is defined"),
        "defined twice": (proto([*tanh, *tanh]), "defined twice"),
        "undefined output": (proto([helper.make_node("Tanh", ["x"], ["z"])]), "undefined"),
        "too many nodes": (proto([helper.make_node("Tanh", ["x"], [f"y{k}"]) for k in range(2001)]), "2001 nodes"),
        "long name": (proto([helper.make_node("Tanh", ["x"], ["y" * 600])]), "at most 512"),
    }


@pytest.mark.parametrize("name", hostile())
def test_hostile_models_are_refused_with_the_reason(name):
    model, message = hostile()[name]
    with pytest.raises(ValueError, match=message):
        decode(model.SerializeToString())


def test_hostile_bytes_are_refused():
    for data in (b"", b"\x80\x02cos\nsystem\n", b"PK\x03\x04", b"\xff" * 100, b"\x3a\xff\xff\xff\xff\x0f", b"\x08"):
        with pytest.raises(ValueError, match=r"\w"):
            decode(data)
    with pytest.raises(ValueError, match="at most 50000000"):
        decode(bytes(MAX_BYTES + 1))
    with pytest.raises(ValueError, match="more than 200000 fields"):
        decode(wire.field(14, b"") * 200_001)
    deep = b""
    for _ in range(2_000):
        deep = wire.field(6, wire.field(1, deep))
    graph = wire.field(1, wire.field(4, "If") + wire.field(5, deep))
    with pytest.raises(ValueError, match="holds a graph"):
        decode(wire.field(7, graph) + wire.field(8, wire.field(2, 17)))


def test_random_mutations_give_a_model_or_a_value_error():
    generator = np.random.default_rng(11)
    originals = [encode(CASES[name][0]) for name in ("Gemm", "Conv", "LSTM", "Slice", "Constant", "Split", "Pad")]
    outcomes = {"refused": 0, "ran": 0}
    for k in range(6_000):
        data = bytearray(originals[k % len(originals)])
        for _ in range(int(generator.integers(1, 6))):
            place = int(generator.integers(len(data)))
            match generator.integers(4):
                case 0:
                    data[place] = int(generator.integers(256))
                case 1:
                    data[place] ^= 1 << int(generator.integers(8))
                case 2:
                    del data[place : place + int(generator.integers(1, 9))]
                case _:
                    data[place:place] = struct.pack("<Q", int(generator.integers(2**63)))[: int(generator.integers(9))]
            if not data:
                data = bytearray(b"\0")
        try:
            program = Program(decode(bytes(data)))
            program.run(**{name: np.zeros((2, *port.shape[1:]), port.dtype) for name, port in program.inputs.items()})
            outcomes["ran"] += 1
        except ValueError:
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 100, outcomes
