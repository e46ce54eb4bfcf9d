"""One small model for each operator that policies may use, and more for the forms that differ."""

import numpy as np

from envsuite.agents.onnx.model import Model, Node, Port

F4 = np.dtype(np.float32)
GENERATOR = np.random.default_rng(7)


def numbers(*shape, low=-2.0, high=2.0):
    return GENERATOR.uniform(low, high, shape).astype(F4)


def case(op, row=(6,), *constants, inputs=None, outputs=1, opset=17, low=-2.0, dtype="f4", rank=2, **attributes):
    """A model that applies one operator to the input ``x``; `rank` is that of the output with its rows."""
    names = [f"c{k}" for k in range(len(constants))]
    made = [f"y{k}" for k in range(outputs)]
    node = Node(op, tuple(["x", *names] if inputs is None else inputs), tuple(made), attributes)
    tensors = {name: np.asarray(one) for name, one in zip(names, constants, strict=True)}
    ports = [Port(name, np.dtype(dtype), ("n", *(f"d{k}" for k in range(rank - 1)))) for name in made]
    return Model((node,), tensors, (Port("x", F4, ("n", *row)),), tuple(ports), opset), low


def chain(*nodes, row=(6,), rank=2, constants=None, dtype="f4", opset=17, low=-2.0):
    """A model of several nodes from ``x`` to ``y0``."""
    port = Port("y0", np.dtype(dtype), ("n", *(f"d{k}" for k in range(rank - 1))))
    return Model(tuple(nodes), constants or {}, (Port("x", F4, ("n", *row)),), (port,), opset), low


AXES = np.array([1])
CASES = {
    **{op: case(op) for op in ("Tanh", "Sigmoid", "Exp", "Sin", "Cos", "Erf", "Softplus", "Abs", "Neg", "Floor")},
    **{op: case(op) for op in ("Ceil", "Sign", "Relu", "Softsign", "Identity", "Elu", "Selu", "LeakyRelu")},
    **{op: case(op, low=0.1) for op in ("Log", "Sqrt", "Reciprocal")},
    "Gelu": case("Gelu", opset=20),
    "HardSigmoid": case("HardSigmoid", alpha=0.3, beta=0.4),
    "Elu alpha": case("Elu", alpha=0.7),
    "Clip": case("Clip", (6,), F4.type(-0.5), F4.type(0.75)),
    "Clip above": case("Clip", (6,), F4.type(0.75), inputs=("x", "", "c0")),
    **{op: case(op, (6,), numbers(6)) for op in ("Add", "Sub", "Mul", "Max", "Min")},
    "Div": case("Div", (6,), numbers(6, low=0.5)),
    "Pow": case("Pow", (6,), numbers(6), low=0.1),
    **{
        op: chain(Node(op, ("x", "c"), ("b",)), Node("Cast", ("b",), ("y0",), {"to": 1}), constants={"c": numbers(6)})
        for op in ("Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Equal")
    },
    **{
        op: chain(
            Node("Greater", ("x", "c"), ("a",)),
            Node("Less", ("x", "d"), ("b",)),
            Node("Not", ("a",), ("not_a",)),
            Node(op, ("not_a", "b"), ("e",)),
            Node("Where", ("e", "x", "c"), ("y0",)),
            constants={"c": numbers(6), "d": numbers(6)},
        )
        for op in ("And", "Or")
    },
    "Cast": chain(Node("Cast", ("x",), ("a",), {"to": 11}), Node("Cast", ("a",), ("y0",), {"to": 1})),
    "Gemm": case("Gemm", (6,), numbers(5, 6), numbers(5), transB=1),
    "Gemm scaled": case("Gemm", (7,), numbers(7, 3), numbers(1, 3), alpha=0.5, beta=2.0),
    "MatMul": case("MatMul", (6,), numbers(6, 5)),
    "MatMul deep": case("MatMul", (3, 6), numbers(6, 5), rank=3),
    "MatMul attention": chain(
        Node("Transpose", ("x",), ("t",), {"perm": (0, 2, 1)}),
        Node("MatMul", ("x", "t"), ("s",)),
        Node("Softmax", ("s",), ("p",), {"axis": -1}),
        Node("MatMul", ("p", "x"), ("y0",)),
        row=(4, 5),
        rank=3,
    ),
    "Conv": case(
        "Conv", (3, 9, 8), numbers(4, 3, 3, 2), numbers(4), rank=4, strides=(2, 1), pads=(1, 0, 2, 1), dilations=(1, 2)
    ),
    "Conv groups": case("Conv", (4, 6, 6), numbers(6, 2, 3, 3), rank=4, group=2, kernel_shape=(3, 3)),
    "Conv 1d": case("Conv", (3, 9), numbers(4, 3, 3), numbers(4), rank=3, pads=(1, 1)),
    "MaxPool": case("MaxPool", (2, 7, 6), rank=4, kernel_shape=(3, 2), strides=(2, 2), pads=(1, 0, 1, 1)),
    "AveragePool": case("AveragePool", (2, 7, 6), rank=4, kernel_shape=(3, 2), strides=(2, 2), pads=(1, 0, 1, 1)),
    "AveragePool all": case(
        "AveragePool", (2, 7, 6), rank=4, kernel_shape=(3, 3), pads=(1, 1, 1, 1), count_include_pad=1
    ),
    "GlobalAveragePool": case("GlobalAveragePool", (3, 4, 5), rank=4),
    "GlobalMaxPool": case("GlobalMaxPool", (3, 4, 5), rank=4),
    "ReduceSum": case("ReduceSum", (3, 4), np.array([2]), keepdims=0),
    "ReduceMean": case("ReduceMean", (3, 4), axes=(1, 2), keepdims=1, rank=3),
    "ReduceMean 18": case("ReduceMean", (3, 4), np.array([-1]), keepdims=0, opset=18),
    "ReduceMax": case("ReduceMax", (3, 4), axes=(1,), keepdims=0),
    "ReduceMin": case("ReduceMin", (3, 4), axes=(2,), keepdims=0),
    "ArgMax": case("ArgMax", dtype="i8", axis=1, keepdims=1),
    "ArgMax flat": case("ArgMax", dtype="i8", axis=-1, keepdims=0, rank=1),
    "Softmax": case("Softmax", axis=-1),
    "Softmax inner": case("Softmax", (3, 4), axis=1, rank=3),
    "LogSoftmax": case("LogSoftmax", axis=1),
    "LayerNormalization": case("LayerNormalization", (3, 6), numbers(6), numbers(6), rank=3, epsilon=1e-4),
    "BatchNormalization": case(
        "BatchNormalization", (3, 4, 4), numbers(3), numbers(3), numbers(3), numbers(3, low=0.5), rank=4
    ),
    "Reshape": case("Reshape", (3, 4), np.array([0, 2, -1]), rank=3),
    "Reshape flat": case("Reshape", (3, 4), np.array([-1, 12])),
    "Flatten": case("Flatten", (3, 4), axis=1),
    "Transpose": case("Transpose", (3, 4), perm=(0, 2, 1), rank=3),
    "Squeeze": case("Squeeze", (1, 6), AXES),
    "Unsqueeze": case("Unsqueeze", (6,), np.array([1, -1]), rank=4),
    "Concat": chain(Node("Concat", ("x", "x"), ("y0",), {"axis": 1})),
    "Split": case("Split", (6,), np.array([1, 2, 3]), outputs=3, axis=1),
    "Split equal": case("Split", (6,), outputs=3, axis=1),
    "Slice": case("Slice", (6, 5), np.array([1, -1]), np.array([6, -99]), np.array([1, 2]), np.array([2, -2]), rank=3),
    "Gather": case("Gather", (6, 5), np.array([[0, -1], [3, 3]]), axis=1, rank=4),
    "Gather from a table": chain(
        Node("ArgMax", ("x",), ("a",), {"axis": 1, "keepdims": 1}),
        Node("Gather", ("t", "a"), ("y0",), {"axis": 0}),
        constants={"t": numbers(6, 3)},
        rank=3,
    ),
    "Gather one": case("Gather", (6, 5), np.array(2), axis=2),
    "Pad": case("Pad", (2, 5), np.array([0, 1, 2, 0, 0, 1]), F4.type(0.5), rank=3),
    "Constant": chain(Node("Constant", (), ("c",), {"value": numbers(6)}), Node("Add", ("x", "c"), ("y0",))),
    "Constant list": chain(
        Node("Constant", (), ("c",), {"value_floats": (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)}), Node("Mul", ("x", "c"), ("y0",))
    ),
}


def _recurrent(op, gates, steps, hidden=5, **attributes):
    """A sequence laid out as (rows, steps, numbers), which the operator wants as (steps, rows, numbers)."""
    states = {"GRU": ("s",), "LSTM": ("s", "s")}[op]
    constants = {"w": numbers(1, gates * hidden, 6), "r": numbers(1, gates * hidden, hidden)}
    constants |= {"b": numbers(1, 2 * gates * hidden), "mix": numbers(6, hidden), "front": np.array([0])}
    nodes = (
        Node("Transpose", ("x",), ("t",), {"perm": (1, 0, 2)}),
        Node("ReduceMean", ("x",), ("m",), {"axes": (1,), "keepdims": 0}),
        Node("MatMul", ("m", "mix"), ("h",)),
        Node("Unsqueeze", ("h", "front"), ("s",)),
        Node(op, ("t", "w", "r", "b", "", *states), ("all", "last"), {"hidden_size": hidden, **attributes}),
        Node("Squeeze", ("last", "front"), ("tail",)),
        Node("Transpose", ("all",), ("rows_first",), {"perm": (2, 0, 1, 3)}),
        Node("Flatten", ("rows_first",), ("flat",), {"axis": 1}),
        Node("Concat", ("flat", "tail"), ("y0",), {"axis": 1}),
    )
    return chain(*nodes, row=(steps, 6), constants=constants)


CASES |= {
    "GRU": _recurrent("GRU", 3, 4),
    "GRU before reset": _recurrent("GRU", 3, 1, linear_before_reset=1),
    "LSTM": _recurrent("LSTM", 4, 3),
}
