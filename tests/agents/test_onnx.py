"""Policies as files: networks from weights, what becomes of their outputs, and what is refused."""

import json

import numpy as np
import pytest

from envsuite.agents.onnx import Action, Graph, Interface, Model, OnnxPolicy, Program, State, load, mlp, save
from envsuite.core.layout import Block, Choice, Choices, Vector

GENERATOR = np.random.default_rng(5)
OBSERVATION = Vector((Block("x", 3, -1, 1),))


def numbers(*shape):
    return GENERATOR.normal(size=shape).astype(np.float32)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def perceptron(outputs=2, **settings):
    weights, biases = [numbers(5, 3), numbers(outputs, 5)], [numbers(5), numbers(outputs)]
    return weights, biases, mlp(weights, biases, **settings)


PLAIN = Action()


def policy(model: Model, action=PLAIN, **settings) -> OnnxPolicy:
    made = OnnxPolicy(Program(model), Interface("envsuite/X-v0", action, **settings))
    made.reset(np.ones(4, bool), np.arange(4))
    return made


def test_computes_the_network_on_normalised_observations():
    mean, scale = np.array([1.0, 2, 3]), np.array([1, 0.5, 2])
    weights, biases, model = perceptron(mean=mean, scale=scale, limit=10.0)
    x = np.array([[0.5, 1.0, 100.0]] * 4, np.float32)
    scaled = np.clip((x[0] - mean) * scale, -10, 10)
    expected = weights[1] @ np.tanh(weights[0] @ scaled + biases[0]) + biases[1]
    np.testing.assert_allclose(policy(model).act(x, None), np.tile(expected, (4, 1)), rtol=1e-5)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("relu", lambda x: np.maximum(x, 0)),
        ("elu", lambda x: np.where(x > 0, x, np.exp(x) - 1)),
        ("softplus", lambda x: np.log1p(np.exp(x))),
        ("sigmoid", sigmoid),
        ("leaky_relu", lambda x: np.where(x > 0, x, 0.01 * x)),
    ],
)
def test_activations_are_those_of_their_names(name, function):
    weights, biases, model = perceptron(activation=name)
    x = numbers(4, 3)
    expected = function(x @ weights[0].T + biases[0]) @ weights[1].T + biases[1]
    np.testing.assert_allclose(policy(model).act(x, None), expected, rtol=2e-5, atol=1e-6)
    with pytest.raises(ValueError, match="activation 'swish'"):
        perceptron(activation="swish")


def test_layers_that_do_not_fit_together_are_refused():
    with pytest.raises(ValueError, match="do not fit together"):
        mlp([numbers(5, 3), numbers(2, 4)], [numbers(5), numbers(2)])


def test_pictures_are_seen_through_convolutions():
    graph = Graph((1, 4, 4), np.uint8)
    x = graph.activate(graph.conv(graph.observation, np.ones((2, 1, 2, 2)), np.array([0.0, -9.0]), stride=2), "relu")
    model = graph.model(graph.flatten(x), (8,))
    picture = np.arange(16, dtype=np.uint8).reshape(1, 1, 4, 4)
    sums = np.array([10.0, 18, 42, 50])
    expected = np.concatenate([sums, sums - 9])
    np.testing.assert_array_equal(policy(model).act(np.repeat(picture, 4, axis=0), None)[2], expected)


def recurrent(kind):
    gates = {"gru": 3, "lstm": 4}[kind]
    weights = numbers(gates * 2, 3), numbers(gates * 2, 2), numbers(gates * 2), numbers(gates * 2)
    graph = Graph((3,))
    model = graph.model(getattr(graph, kind)(graph.observation, *weights), (2,))
    states = tuple(State(into, out, shape, 0.25) for into, out, shape in graph.states)
    return weights, policy(model, states=states)


def gru_by_hand(weights, x, h):
    (r, z, n), (past_r, past_z, past_n) = (
        np.split(w @ value + b, 3) for w, b, value in ((weights[0], weights[2], x), (weights[1], weights[3], h))
    )
    update = sigmoid(z + past_z)
    return (1 - update) * np.tanh(n + sigmoid(r + past_r) * past_n) + update * h


def lstm_by_hand(weights, x, h, c):
    enter, forget, new, leave = np.split(weights[0] @ x + weights[1] @ h + weights[2] + weights[3], 4)
    c = sigmoid(forget) * c + sigmoid(enter) * np.tanh(new)
    return sigmoid(leave) * np.tanh(c), c


@pytest.mark.parametrize("kind", ["gru", "lstm"])
def test_recurrent_policies_remember_until_their_slot_begins_anew(kind):
    weights, player = recurrent(kind)
    xs = numbers(6, 4, 3)
    start = np.full(2, 0.25)
    memory = [(start,) if kind == "gru" else (start, start) for _ in range(4)]
    for step, x in enumerate(xs):
        if step == 3:
            player.reset(np.array([False, True, False, False]), np.arange(4))
            memory[1] = (start,) * len(memory[1])
        found = player.act(x, None)
        for slot in range(4):
            if kind == "gru":
                memory[slot] = (gru_by_hand(weights, x[slot], *memory[slot]),)
            else:
                memory[slot] = lstm_by_hand(weights, x[slot], *memory[slot])
            np.testing.assert_allclose(found[slot], memory[slot][0], rtol=2e-5, atol=1e-6)


def test_agents_share_the_network_and_keep_their_own_memory():
    _, player = recurrent("gru")
    xs = numbers(3, 4, 2, 3)
    together = [player.act(x, None) for x in xs]
    player.reset(np.ones(8, bool), np.arange(8))
    apart = [player.act(x.reshape(8, 3), None) for x in xs]
    np.testing.assert_array_equal(np.stack(together).reshape(3, 8, 2), np.stack(apart))


@pytest.mark.parametrize("kind", ["gru", "lstm", "mlp", "sample"])
def test_a_slot_plays_the_same_whatever_the_batch(kind):
    made = {"gru": lambda: recurrent("gru")[1], "lstm": lambda: recurrent("lstm")[1]}
    made |= {"mlp": lambda: policy(perceptron()[2]), "sample": lambda: policy(perceptron()[2], Action("sample"))}
    player = made[kind]()
    xs = numbers(5, 64, 3)
    seeds = np.arange(64) + 100
    player.reset(np.ones(64, bool), seeds)
    whole = np.stack([player.act(x, None) for x in xs])
    for slot in (0, 1, 31, 63):
        player.reset(np.ones(1, bool), seeds[slot : slot + 1])
        alone = np.stack([player.act(x[slot : slot + 1], None) for x in xs])
        np.testing.assert_array_equal(alone[:, 0], whole[:, slot])


def test_actions_are_clipped_or_squashed_into_their_bounds():
    weights, biases, model = perceptron()
    x = 3 * numbers(4, 3)
    raw = np.tanh(x @ weights[0].T + biases[0]) @ weights[1].T + biases[1]
    clipped = policy(model, Action("clip", (-0.5, 0.0), (0.5, 0.1))).act(x, None)
    np.testing.assert_allclose(clipped, np.clip(raw, [-0.5, 0.0], [0.5, 0.1]), rtol=1e-4, atol=1e-6)
    squashed = policy(model, Action("tanh", (-2.0, 0.0), (2.0, 5.0))).act(x, None)
    np.testing.assert_allclose(squashed, np.array([-2, 0]) + (np.tanh(raw) + 1) / 2 * [4, 5], rtol=1e-4, atol=1e-5)


def test_choices_are_the_largest_logits_of_their_heads():
    weights, biases, model = perceptron(5)
    x = numbers(4, 3)
    logits = np.tanh(x @ weights[0].T + biases[0]) @ weights[1].T + biases[1]
    assert policy(model, Action("argmax")).act(x, None).tolist() == logits.argmax(axis=1).tolist()
    two = policy(model, Action("argmax", heads=(2, 3))).act(x, None)
    assert two.tolist() == np.stack([logits[:, :2].argmax(axis=1), logits[:, 2:].argmax(axis=1)], axis=1).tolist()


def test_samples_follow_the_softmax_at_its_temperature():
    logits = np.array([0.0, 1.0, 2.0, -1.0, 0.5])
    model = mlp([np.zeros((5, 3))], [logits])
    player = policy(model, Action("sample", heads=(3, 2), temperature=0.7))
    count = 20_000
    player.reset(np.ones(count, bool), np.arange(count))
    drawn = player.act(np.zeros((count, 3), np.float32), None)
    for head, part in enumerate((logits[:3], logits[3:])):
        weights = np.exp(part / 0.7)
        expected = weights / weights.sum()
        found = np.bincount(drawn[:, head], minlength=len(part)) / count
        assert (np.abs(found - expected) < 5 * np.sqrt(expected * (1 - expected) / count)).all()


def test_survives_the_disk_bit_for_bit(tmp_path):
    _, player = recurrent("lstm")
    save(tmp_path / "policy.onnx", player.program.model, player.interface)
    x = numbers(4, 3)
    expected = player.act(x, None)
    for place in (tmp_path, tmp_path / "policy.onnx"):
        again = load(place)
        again.reset(np.ones(4, bool), np.arange(4))
        np.testing.assert_array_equal(again.act(x, None), expected)
        assert again.interface == player.interface


def test_unfit_environments_are_refused_with_shapes():
    player = policy(perceptron()[2])
    player.check(OBSERVATION, Vector((Block("u", 2, -1, 1),)))
    with pytest.raises(ValueError, match=r"maps \(3,\) to \(2,\) numbers, the environment needs \(3,\) to \(4,\)"):
        player.check(OBSERVATION, Vector((Block("u", 4, -1, 1),)))
    with pytest.raises(ValueError, match="action kind 'none' does not fit Choice"):
        player.check(OBSERVATION, Choice(("a", "b")))
    chooser = policy(perceptron()[2], Action("argmax"))
    chooser.check(OBSERVATION, Choice(("a", "b")))
    with pytest.raises(ValueError, match=r"chooses among \(\), the environment has \(2,\)"):
        chooser.check(OBSERVATION, Choices((("turn", ("l", "r")),)))


def test_outputs_that_are_not_finite_are_refused():
    player = policy(mlp([np.full((1, 3), 3e38)], [np.zeros(1)]))
    with pytest.raises(ValueError, match="not finite in row 2"):
        player.act(np.array([[0, 0, 0], [0, 0, 0], [1, 1, 1], [0, 0, 0]], np.float32), None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 2}, "schema is not 1"),
        ({"extra": 1}, "unknown key 'extra'"),
        ({"env_id": 3}, "env_id is '3'"),
        ({"privileged": True}, "privileged policies are not accepted"),
        ({"random": True}, "random is True, but the action's kind is none"),
        ({"observation": "pixels"}, "its description says"),
        ({"states": [{"input": "h", "output": "g", "shape": [2], "initial": 0}]}, "its description says"),
        ({"states": [{"input": "h", "output": "g", "shape": [2], "initial": float("nan")}]}, "NaN is not a number"),
        ({"states": [[]]}, "states is list"),
        ({"states": [{"input": "h", "output": "g", "shape": [2], "initial": 10**400}]}, "expected a finite number"),
        ({"action": {"kind": "exec", "low": [], "high": [], "heads": [], "temperature": 1}}, "action.kind is 'exec'"),
        ({"action": {"kind": "clip", "low": [1], "high": [0], "heads": [], "temperature": 1}}, "lows below highs"),
        ({"action": {"kind": "clip", "low": [0] * 3, "high": [1] * 3, "heads": [], "temperature": 1}}, "3 numbers"),
        ({"action": {"kind": "sample", "low": [], "high": [], "heads": [], "temperature": 0}}, "temperature is 0"),
        (
            {"action": {"kind": "argmax", "low": [], "high": [], "heads": [9], "temperature": 1}},
            "do not fit the logits",
        ),
    ],
)
def test_wrong_descriptions_are_refused_by_name(tmp_path, change, message):
    _, _, model = perceptron()
    save(tmp_path / "policy.onnx", model, Interface("envsuite/X-v0"))
    table = json.loads((tmp_path / "policy.json").read_text())
    (tmp_path / "policy.json").write_text(json.dumps(table | change))
    with pytest.raises(ValueError, match=message):
        load(tmp_path)


def test_other_files_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path)
    _, _, model = perceptron()
    with pytest.raises(ValueError, match=r"does not end in \.onnx"):
        save(tmp_path / "policy.npz", model, Interface("envsuite/X-v0"))
    save(tmp_path / "policy.onnx", model, Interface("envsuite/X-v0"))
    for content in ("[" * 100_000, "{}", "nonsense", '{"schema": 1}', " " * 300_000):
        (tmp_path / "policy.json").write_text(content)
        with pytest.raises(ValueError, match=r"policy\.json"):
            load(tmp_path)
    (tmp_path / "policy.onnx").write_bytes(b"\x80\x04\x95pickle")
    with pytest.raises(ValueError, match="is not a policy"):
        load(tmp_path)
