"""Every operator against onnxruntime, and that a row's result does not depend on the rows around it."""

import numpy as np
import onnx
import onnxruntime
import pytest

from envsuite.agents.onnx.decode import decode
from envsuite.agents.onnx.encode import encode
from envsuite.agents.onnx.model import Model, Node, Port
from envsuite.agents.onnx.operators import OPERATORS
from envsuite.agents.onnx.program import Program

from .onnx_cases import CASES, F4, case, chain, numbers


def test_every_allowed_operator_has_a_case():
    used = {node.op for model, _ in CASES.values() for node in model.nodes}
    assert used == set(OPERATORS)


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_onnxruntime_and_the_checker(name):
    model, low = CASES[name]
    data = encode(model)
    onnx.checker.check_model(onnx.load_from_string(data), full_check=True)
    program = Program(decode(data))
    x = np.random.default_rng(3).uniform(low, 2.0, (70, *model.inputs[0].shape[1:])).astype(F4)
    found = program.run(x=x)
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    for port, expected in zip(model.outputs, session.run(None, {"x": x}), strict=True):
        assert found[port.name].dtype == expected.dtype
        np.testing.assert_allclose(found[port.name], expected, rtol=2e-5, atol=5e-6)


@pytest.mark.parametrize("name", CASES)
def test_rows_do_not_depend_on_their_neighbours(name):
    model, low = CASES[name]
    program = Program(model)
    x = np.random.default_rng(4).uniform(low, 2.0, (300, *model.inputs[0].shape[1:])).astype(F4)
    for port in model.outputs:
        batch = program.outputs[port.name].batch
        assert batch == 0
        whole = program.run(x=x)[port.name]
        for start, stop in ((0, 1), (255, 257), (7, 71), (299, 300)):
            np.testing.assert_array_equal(program.run(x=x[start:stop])[port.name], whole[start:stop])


MIXING = {
    "sum over rows": case("ReduceSum", (6,), np.array([0])),
    "softmax over rows": case("Softmax", axis=0),
    "argmax over rows": case("ArgMax", dtype="i8", axis=0),
    "rows flattened": case("Flatten", axis=0),
    "rows folded": case("Reshape", (6,), np.array([6, -1])),
    "rows joined": case("Concat", axis=0),
    "rows cut": case("Slice", (6,), np.array([0]), np.array([1])),
    "rows gathered": case("Gather", (6,), np.array([0]), axis=0),
    "rows padded": case("Pad", (6,), np.array([1, 0, 0, 0])),
    "a constant for each row": case("Add", (6,), numbers(64, 6)),
    "rows multiplied": chain(Node("Transpose", ("x",), ("t",)), Node("MatMul", ("t", "x"), ("y0",))),
    "rows last": case("Transpose", perm=(1, 0)),
    "rows swapped against rows": chain(Node("Transpose", ("x",), ("t",)), Node("Add", ("t", "x"), ("y0",))),
}


@pytest.mark.parametrize("name", MIXING)
def test_graphs_that_mix_rows_are_refused(name):
    with pytest.raises(ValueError, match="row"):
        Program(MIXING[name][0])


REFUSED = {
    "unknown operator": (case("Loop"), "operator 'Loop' is not allowed"),
    "batch-size reader": (case("Shape"), "operator 'Shape' is not allowed"),
    "randomness": (case("RandomNormalLike"), "not allowed"),
    "too few inputs": (case("Gemm"), "1 inputs, expected 2 to 3"),
    "wrong shapes": (case("MatMul", (6,), numbers(5, 5)), "do not fit"),
    "unknown attribute": (case("Tanh", beta=1.0), "attribute 'beta' is not allowed"),
    "wrong attribute": (case("Softmax", axis=1.0), "attribute 'axis' has type float"),
    "mixed types": (case("Add", (6,), np.zeros(6)), "expected one float type"),
    "axis out of range": (case("Softmax", axis=7), "axis 7 of 2"),
    "index out of range": (case("Gather", (6,), np.array([6]), axis=1), "outside 6 elements"),
    "table of no constants": (
        chain(
            Node("ArgMax", ("x",), ("a",), {"axis": 1, "keepdims": 0}), Node("Gather", ("x", "a"), ("y0",), {"axis": 1})
        ),
        "need a constant table",
    ),
    "float to integer": (case("Cast", to=7), "is not allowed"),
    "kernel too large": (case("Conv", (1, 3, 3), numbers(1, 1, 4, 4), rank=4), "larger than the image"),
    "wrong declaration": (case("Tanh", dtype="i8"), "is declared as int64"),
    "too many outputs": (case("Tanh", outputs=2), "2 outputs, it has 1"),
    "infinite constant": (
        chain(Node("Constant", (), ("c",), {"value_float": float("inf")}), Node("Add", ("x", "c"), ("y0",))),
        "nan or infinite",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_allowed_is_refused_by_name(name):
    (model, _), message = REFUSED[name]
    with pytest.raises(ValueError, match=message):
        Program(model)


def test_an_index_outside_a_table_is_refused_when_it_comes():
    ports = (Port("x", np.dtype(np.int32), ("n", 2)),), (Port("y0", F4, ("n", 2, 3)),)
    program = Program(Model((Node("Gather", ("t", "x"), ("y0",), {"axis": 0}),), {"t": numbers(4, 3)}, *ports))
    assert program.run(x=np.array([[0, 3]], np.int32))["y0"].shape == (1, 2, 3)
    with pytest.raises(ValueError, match="index 4 lies outside 4 elements"):
        program.run(x=np.array([[0, 4]], np.int32))


def test_memory_and_work_are_bounded_before_anything_is_computed():
    wide = [Node("Concat", (f"v{k}",) * 8, (f"v{k + 1}",), {"axis": 1}) for k in range(8)]
    ports = (Port("v0", F4, ("n", 6)),), (Port("v8", F4, ("n", 6 * 8**8)),)
    with pytest.raises(ValueError, match="bytes for one row"):
        Program(Model(tuple(wide), {}, *ports))
    slow = [Node("MatMul", (f"v{k}", "w"), (f"v{k + 1}",)) for k in range(700)]
    ports = (Port("v0", F4, ("n", 1000)),), (Port("v700", F4, ("n", 1000)),)
    with pytest.raises(ValueError, match="operations a row"):
        Program(Model(tuple(slow), {"w": numbers(1000, 1000)}, *ports))
    grown = [Node("Concat", (f"c{k}",) * 8, (f"c{k + 1}",), {"axis": 0}) for k in range(10)]
    ports = (Port("x", F4, ("n", 1)),), (Port("x", F4, ("n", 1)),)
    with pytest.raises(ValueError, match="constants need more"):
        Program(Model(tuple(grown), {"c0": numbers(6)}, *ports))


def test_large_batches_are_cut_to_fit_in_memory():
    model, _ = case("Conv", (8, 100, 100), numbers(32, 8, 3, 3), rank=4)
    program = Program(model)
    assert program.block < 256
    assert program.memory <= 1 << 28
    x = np.zeros((program.block + 1, 8, 100, 100), F4)
    assert program.run(x=x)["y0"].shape == (program.block + 1, 32, 98, 98)


def test_wrong_inputs_are_refused():
    program = Program(CASES["Tanh"][0])
    for bad in ({"y": np.zeros((1, 6), F4)}, {"x": np.zeros((1, 5), F4)}, {"x": np.zeros((1, 6))}):
        with pytest.raises(ValueError, match="input"):
            program.run(**bad)
