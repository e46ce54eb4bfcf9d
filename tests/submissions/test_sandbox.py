"""The process that plays strangers' networks: same actions as outside, limits, and typed refusals."""

import numpy as np
import pytest

import envsuite
from envsuite.agents.onnx import Action, Graph, Interface, OnnxPolicy, Program, mlp
from envsuite.agents.onnx.encode import encode
from envsuite.agents.onnx.operators import kernels
from envsuite.core.companions import Words, companion
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import onnx_player
from envsuite.submissions import jail
from envsuite.submissions.refusal import RefusedError
from envsuite.submissions.sandbox import Sandbox, SandboxPolicy

GENERATOR = np.random.default_rng(2)
SAMPLED = Interface("envsuite/X-v0", Action("sample", heads=(2, 3)))


def small(outputs=5):
    return mlp([GENERATOR.normal(size=(outputs, 3))], [np.zeros(outputs)])


def test_plays_as_outside_bit_for_bit(bench):
    model = small()
    outside = OnnxPolicy(Program(model), SAMPLED)
    assert bench.sandbox.load(encode(model), SAMPLED.to_json()).parameters == 20
    mask, seeds = np.ones(7, bool), np.arange(7) + 2**62
    for player in (outside, bench.sandbox):
        player.reset(mask, seeds)
    for _ in range(5):
        x = GENERATOR.normal(size=(7, 3)).astype(np.float32)
        np.testing.assert_array_equal(bench.sandbox.act(x, (7, 2)), outside.act(x, None))


def test_what_a_network_refuses_is_told_and_the_process_goes_on(bench):
    with pytest.raises(RefusedError, match="no graph") as caught:
        bench.sandbox.load(b"", SAMPLED.to_json())
    assert caught.value.kind == "policy"
    with pytest.raises(RefusedError, match="no network is loaded"):
        bench.sandbox.act(np.zeros((1, 3), np.float32), (1, 2))
    bench.sandbox.load(encode(small()), SAMPLED.to_json())
    with pytest.raises(RefusedError, match="observations have shape") as caught:
        bench.sandbox.act(np.zeros((1, 4), np.float32), (1, 2))
    assert caught.value.kind == "output"
    bench.sandbox.reset(np.ones(1, bool), np.zeros(1, np.int64))
    assert bench.sandbox.act(np.zeros((1, 3), np.float32), (1, 2)).shape == (1, 2)


def test_actions_of_another_kind_are_refused(bench):
    card = envsuite.card("QuadHoverGPD")
    world = make_world(card.world, **card.options)
    model = mlp([np.zeros((4, 72))], [np.zeros(4)])
    bench.sandbox.load(encode(model), Interface(card.id, Action("argmax", heads=(1, 1, 1, 1))).to_json())
    player = SandboxPolicy(bench.sandbox, world, 3)
    player.reset(np.ones(3, bool), np.zeros(3, np.int64))
    with pytest.raises(RefusedError, match="actions are int64"):
        player.act(np.zeros((3, 72), np.float32), None)


def test_a_network_that_reads_words_is_given_those_of_the_state(bench):
    env = envsuite.make_vec("CoinCollectorEasy", num_envs=6, obs_type="command_tokens")
    words = companion(env.world, Words)
    (count, longest), text = words.command_shape, words.token_length
    graph = Graph(env.single_observation_space.shape, np.int32)
    listed = graph.add("Slice", "observation", np.array([text]), np.array([text + count * longest]), np.array([1]))
    table = GENERATOR.normal(size=(len(words.vocabulary), 1))
    table[[words.vocabulary.index(word) for word in ("look", "inventory", "")]] = [[-9.0], [-9.0], [0.0]]
    values = graph.embed(table, graph.add("Reshape", listed, np.array([0, count, longest])))
    model = graph.model(graph.flatten(graph.add("ReduceSum", values, np.array([2]))), (count,))
    interface = Interface("envsuite/CoinCollectorEasy-v0", Action("argmax"))
    assert bench.sandbox.load(encode(model), interface.to_json()).row == (text + count * longest,)
    inside = SandboxPolicy(bench.sandbox, env.world, 6)
    outside = onnx_player(OnnxPolicy(Program(model), interface))(env.world, 6)
    for player in (inside, outside):
        player.reset(np.ones(6, bool), np.arange(6))
    env.reset(seed=3)
    chosen = []
    for _ in range(5):
        numbers, states = env.batch.last.observations, env.batch.states
        chosen.append(inside.act(numbers, states))
        np.testing.assert_array_equal(chosen[-1], outside.act(numbers, states))
        env.step(np.arange(6) % env.batch.states["command_count"])
    assert len(np.unique(chosen)) > 1, "all choices are the same"


def test_its_environment_and_folder_are_empty(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "x")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    started = {}
    real = __import__("subprocess").Popen

    def watched(command, **kwargs):
        started.update(kwargs, command=command)
        return real(command, **kwargs)

    monkeypatch.setattr("envsuite.submissions.sandbox.subprocess.Popen", watched)
    with Sandbox() as sandbox:
        assert "limits" in sandbox.guards
        assert "audit hook" in sandbox.guards
    assert set(started["env"]) == {"ENVSUITE_CACHE_DIR", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"}
    assert "-I" in started["command"]
    assert started["close_fds"]


class Liar:
    """A process that answers what it likes: messages are put into the pipe instead of its own."""

    def __init__(self, monkeypatch, content: bytes):
        self.sandbox = Sandbox.__new__(Sandbox)
        self.closed = False
        queue = bytearray(content)

        def receive(size, deadline):
            assert size <= 1 << 20, "memory was about to be taken on a liar's word"
            part = bytes(queue[:size])
            del queue[:size]
            if len(part) < size:
                raise RefusedError("crash", "ended")
            return part

        monkeypatch.setattr(self.sandbox, "_seconds", 1.0, raising=False)
        monkeypatch.setattr(self.sandbox, "_send", lambda rest, deadline: None)
        monkeypatch.setattr(self.sandbox, "_receive", receive)
        monkeypatch.setattr(self.sandbox, "close", lambda: setattr(self, "closed", True))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xff\xff\xff", "a head of 4294967295 bytes"),
        (b"\x04\x00\x00\x00[[[[", "no message"),
        (b"\x02\x00\x00\x00{}", "no message"),
        (jail.message({"dtype": "<f4", "shape": [1, 2]})[:-1] + b"x", "no message"),
        (b"\x11\x00\x00\x00" + b'{"bytes": 100000}', "an answer of 100000 bytes, expected at most 16"),
        (b"\x0d\x00\x00\x00" + b'{"bytes": -1}', "an answer of -1 bytes"),
        (jail.message({"dtype": "O", "shape": [1, 2]}, bytes(16)), "actions are O"),
        (jail.message({"dtype": "<f4", "shape": [2, 1]}, bytes(8)), "expected shape"),
        (jail.message({"dtype": "<f4", "shape": [1, 2]}, bytes(4)), "expected shape"),
        (jail.message({"dtype": ["<f4"], "shape": [1, 2]}, bytes(8)), "actions are"),
        (jail.message({"dtype": "<f4", "shape": [1, 2]}, b"\xff" * 8), "not finite"),
        (jail.message({"refused": "nonsense", "reason": "x\x1b[2J"}), r"crash: x\\x1b\[2J"),
        (b"", "ended"),
    ],
)
def test_answers_are_not_trusted(monkeypatch, content, message):
    liar = Liar(monkeypatch, content)
    with pytest.raises(RefusedError, match=message):
        liar.sandbox.act(np.zeros((1, 3), np.float32), (1, 2))


def test_a_dead_process_is_a_refusal():
    with Sandbox() as sandbox:
        sandbox._process.kill()
        with pytest.raises(RefusedError, match="ended with signal SIGKILL") as caught:
            sandbox.load(encode(small()), SAMPLED.to_json())
    assert caught.value.kind == "crash"


def test_every_kernel_is_compiled_before_the_doors_are_shut():
    kernels.warm_up()
    compiled = {name: one for name, one in vars(kernels).items() if hasattr(one, "signatures")}
    assert len(compiled) > 15
    for name, one in compiled.items():
        assert len(one.signatures) == 2 or name.endswith("_of"), name
