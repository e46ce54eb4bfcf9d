"""Networks written as policy files, which play without PyTorch."""

from typing import Any

import gymnasium
import numpy as np
import torch
from distributions import ILLEGAL, heads_of
from networks import OBSERVATION_LIMIT, Normaliser, Trunk
from one_hot import OneHot
from torch import nn

import envsuite
from envsuite.agents.onnx import Action, Graph, Interface, OnnxPolicy, Program, State
from envsuite.agents.onnx.interface import Kind
from envsuite.agents.onnx.model import Model
from envsuite.core.layout import Vector
from envsuite.core.world import make_world

MAX_INPUTS = 64
"""Of a node, see `envsuite.agents.onnx.operators`."""


class Exporter:
    """Writes an actor as a policy that plays without PyTorch.

    Args:
        env_id: environment that it plays, as registered.
        env: environment that it was trained on, with ``single_observation_space`` and ``single_action_space``; where
            an option leaves blocks of the observation out, the policy passes over them.
        mask_at: where the observation holds the mask of choices; None for nowhere.
        agents: agents with networks of their own, which one graph then plays together.
        one_hot: makes ones among zeros of kinds in what networks see.

    Attributes:
        graph: the network so far.
    """

    def __init__(
        self, env_id: str, env: Any, mask_at: int | None = None, agents: int = 1, one_hot: OneHot | None = None
    ):
        self._env_id, self._action, self._mask_at, self._agents = env_id, env.single_action_space, mask_at, agents
        self._one_hot = one_hot
        space, seen = _played_space(env_id, env)
        graph = self.graph = Graph(space.shape if agents == 1 else (agents, *space.shape), space.dtype)
        if agents > 1:
            parts = (graph.add("Gather", graph.observation, np.array(k), axis=1) for k in range(agents))
            self._rows = [graph.flatten(part) for part in parts]
        else:
            self._rows = [graph.observation if len(space.shape) == 3 else graph.flatten(graph.observation)]
        if seen is not None:
            self._rows = [graph.add("Gather", rows, seen, axis=1) for rows in self._rows]

    def inputs(self, normaliser: Normaliser, trunk: Trunk | None = None, agent: int = 0) -> str:
        """The value that the MLP gets."""
        graph, x = self.graph, self._rows[agent]
        if trunk is not None and len(trunk.layers):
            x = graph.add("Div", graph.add("Transpose", x, perm=(0, 3, 1, 2)), np.array(255.0))
            for layer in trunk.layers:
                if isinstance(layer, nn.Conv2d):
                    x = graph.activate(graph.conv(x, *_arrays(layer), stride=layer.stride[0]), "relu")
            return graph.flatten(x)
        if self._one_hot:
            x = self._one_hot.written(graph, x)
        if not normaliser.active:
            return x
        scale = torch.rsqrt(normaliser.variance + 1e-8).cpu().numpy()
        return graph.normalise(x, normaliser.mean.cpu().numpy().copy(), scale, OBSERVATION_LIMIT)

    def layers(self, x: str, network: nn.Sequential) -> str:
        """Linear layers, layer normalisations and activations."""
        for layer in network:
            if isinstance(layer, nn.Linear):
                x = self.graph.dense(x, *_arrays(layer))
            elif isinstance(layer, nn.LayerNorm):
                x = self.graph.add("LayerNormalization", x, *_arrays(layer), epsilon=layer.eps)
            else:
                x = self.graph.activate(x, type(layer).__name__.lower())
        return x

    def gru(self, x: str, cell: nn.GRUCell) -> str:
        """One step of gated recurrent units, whose state the policy carries."""
        return self.graph.gru(x, *_cell_arrays(cell))

    def lstm(self, x: str, cell: nn.LSTMCell) -> str:
        """One step of long short-term memory, likewise."""
        return self.graph.lstm(x, *_cell_arrays(cell))

    def columns(self, x: str, count: int) -> str:
        """The first columns of (r, n) values."""
        return self.graph.add("Slice", x, np.array([0]), np.array([count]), np.array([1]))

    def actions_of(self, policy: OnnxPolicy) -> str:
        """The actions (r, A) of another policy of the same observations, in the environment's units and its bounds.

        Raises:
            ValueError: a policy with a memory, with choices instead of numbers, or of another version of operators.
        """
        graph, model, interface = self.graph, policy.program.model, policy.interface
        kind, version = interface.action.kind, Model.opset
        if policy.remembers or kind in ("argmax", "sample") or model.opset != version:
            raise ValueError(
                f"the policy has {len(interface.states)} states, actions of the kind {kind!r} and operators of version "
                f"{model.opset}, expected none, numbers and version {version}"
            )
        names: dict[str, Any] = {"": "", interface.observation: "observation", **model.constants}
        for node in model.nodes:
            given = (names[one] for one in node.inputs)
            made = graph.add(node.op, *given, outputs=len(node.outputs), **node.attributes)
            names |= dict(zip(node.outputs, made if len(node.outputs) > 1 else [made], strict=True))
        x = graph.flatten(names[interface.output])
        if kind == "none":
            return x
        low, high = (np.array(bound, np.float32) for bound in (interface.action.low, interface.action.high))
        if kind == "tanh":
            share = graph.add("Mul", graph.add("Add", graph.activate(x, "tanh"), np.array(1.0)), np.array(0.5))
            x = graph.add("Add", graph.add("Mul", share, high - low), low)
        return graph.add("Min", graph.add("Max", x, low), high)

    def finish(self, output: str | list[str], kind: Kind) -> OnnxPolicy:
        """The policy.

        Args:
            output: numbers (r, A), logits or values of choices (r, sum of heads); a list with one value an agent.
            kind: what becomes of them, see `envsuite.agents.onnx.Action`.

        Raises:
            ValueError: agents with networks of their own make several choices each.
        """
        space, low, high = self._action, (), ()
        heads, outputs = heads_of(space), [output] if isinstance(output, str) else output
        if isinstance(space, gymnasium.spaces.Box):
            low, high = (tuple(map(float, bound.reshape(-1))) * self._agents for bound in (space.low, space.high))
        outputs = [self._allowed(one, rows, heads) for one, rows in zip(outputs, self._rows, strict=True)]
        several = heads if isinstance(space, gymnasium.spaces.MultiDiscrete) else ()
        shape = (sum(heads),) if heads else space.shape
        if self._agents > 1:
            if several:
                raise ValueError(f"networks of their own are not supported for {space}: let agents share one")
            several, shape = heads * self._agents, (shape[0] * self._agents,) if heads else (self._agents, *shape)
        while len(outputs) > 1:  # a node takes so many at most
            parts = [outputs[k : k + MAX_INPUTS] for k in range(0, len(outputs), MAX_INPUTS)]
            outputs = [self.graph.add("Concat", *part, axis=1) if len(part) > 1 else part[0] for part in parts]
        model = self.graph.model(outputs[0], shape)
        states = tuple(State(name, into, size) for name, into, size in self.graph.states)
        return OnnxPolicy(Program(model), Interface(self._env_id, Action(kind, low, high, several), states=states))

    def _allowed(self, output: str, rows: str, heads: tuple[int, ...]) -> str:
        """Logits that forbidden choices cannot win."""
        if self._mask_at is None:
            return output
        graph = self.graph
        ends = (np.array([self._mask_at]), np.array([self._mask_at + sum(heads)]), np.array([1]))
        forbidden = graph.add("Sub", np.array(1.0), graph.add("Slice", rows, *ends))
        return graph.add("Add", output, graph.add("Mul", forbidden, np.array(ILLEGAL)))


def _played_space(env_id: str, env: Any) -> tuple[gymnasium.Space, np.ndarray | None]:
    """The observations of an environment as registered, and which numbers of them training saw; None for all.

    Raises:
        ValueError: an option of the training adds to the observation, or changes a block.
    """
    trained = getattr(getattr(env, "world", None), "observation", None)
    card = envsuite.card(env_id)
    played = make_world(card.world, **card.options).observation if isinstance(trained, Vector) and card.world else None
    if not isinstance(played, Vector) or played.blocks == trained.blocks:
        return env.single_observation_space, None
    for block in trained.blocks:
        if block not in played.blocks:
            raise ValueError(
                f"options of the training change the block {block.name!r} of the observation: {env_id} as registered "
                f"has {[one.name for one in played.blocks]}, and a policy file plays that"
            )
    starts = [(played.offset(block.name), block.size) for block in trained.blocks]
    return played.space(), np.concatenate([np.arange(start, start + size) for start, size in starts])


def _arrays(layer: Any) -> list[np.ndarray]:
    return [one.detach().cpu().numpy().copy() for one in (layer.weight, layer.bias)]


def _cell_arrays(cell: nn.RNNCellBase) -> list[np.ndarray]:
    tensors = (cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)
    return [one.detach().cpu().numpy().copy() for one in tensors]
