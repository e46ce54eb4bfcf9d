"""Networks that read observations as graphs, written once on the operations of `ops`."""

from typing import Any

import numpy as np
import torch
from ops import TorchOps
from torch import nn

from envsuite.core.world import World
from envsuite.manipulation.graphs import AXES, GraphLayout, Nodes

OBJECT, ACTUATOR = "object", "actuator"
LENGTH = 0.3  # m, at which nodes are near at first
POINT = 1e-3  # m, the least spread of objects
SHORT = 0.1  # m, below which directions fade out


class NodeReader:
    """Reads nodes from flat observations.

    Args:
        world: with an attribute ``graph``.

    Raises:
        ValueError: a world without a graph, or whose graph has other nodes than objects and actuators.
    """

    def __init__(self, world: World):
        layout = getattr(world, "graph", None)
        if not isinstance(layout, GraphLayout):
            raise ValueError(f"{type(world).__name__} has no graph, expected a world such as that of ShapeSliding")
        if not {OBJECT, ACTUATOR} <= set(layout.nodes):
            raise ValueError(f"the graph has nodes {sorted(layout.nodes)}, expected {OBJECT!r} and {ACTUATOR!r}")
        self._layout, self._vector, self.axes = layout, world.observation, layout.axes
        self._sizes = {block.name: block.size for block in self._vector.blocks}
        self.acting = 1 if world.agents else self.count(ACTUATOR)

    def count(self, kind: str) -> int:
        """Nodes of a type."""
        return self._sizes[self._layout.nodes[kind].position] // self.axes

    def size(self, kind: str) -> int:
        """Numbers of a node."""
        nodes = self._layout.nodes[kind]
        return self.axes * (2 + 2 * (kind == OBJECT and bool(nodes.target)) + sum(map(bool, nodes.vectors)))

    def places(self, ops: Any, obs: Any, kind: str) -> Any:
        """(n, nodes, axes)."""
        return self._read(ops, obs, self._layout.nodes[kind].position)

    def features(self, ops: Any, obs: Any, kind: str) -> Any:
        """(n, nodes, size): for objects their centre, for actuators their place, then the way from the objects' centre.

        Then objects' ways from where they belong, and further vectors. Ways among objects are in units of their spread,
        since a prism of 10 cm is seen from a metre: of both the ways from the centre and those from where nodes belong,
        the mean and the differences from it are told.
        """
        nodes: Nodes = self._layout.nodes[kind]
        place, mask = self.places(ops, obs, kind), self.mask(ops, obs, OBJECT)
        zeros = ops.scaled(place, 0.0)
        centre = mean(ops, place if kind == OBJECT else self.places(ops, obs, OBJECT), mask)
        way = ops.op("Sub", place, centre)
        if kind == ACTUATOR:
            parts = [place, way]
        else:
            square = ops.summed(mean(ops, ops.op("Mul", way, way), mask), 2)
            spread = ops.op("Sqrt", ops.op("Add", square, ops.constant(np.full((1, 1, 1), POINT**2))))
            parts = [ops.op("Add", centre, zeros), ops.op("Div", way, spread)]
            if nodes.target:
                left = ops.op("Sub", place, self._read(ops, obs, nodes.target))
                middle = mean(ops, left, mask)
                parts += [ops.op("Add", middle, zeros), ops.op("Div", ops.op("Sub", left, middle), spread)]
        parts += [ops.op("Add", self._read(ops, obs, name), zeros) for name in nodes.vectors if name]
        return ops.joined(parts)

    def mask(self, ops: Any, obs: Any, kind: str) -> Any:
        """(n, nodes, 1): 1 for nodes that there are."""
        nodes, count = self._layout.nodes[kind], self.count(kind)
        if nodes.mask:
            return ops.shaped(ops.columns(obs, self._vector.offset(nodes.mask), count), count, 1)
        first = ops.columns(self.places(ops, obs, kind), 0, 1)
        return ops.op("Add", ops.scaled(first, 0.0), ops.constant(np.ones((1, 1, 1))))

    def _read(self, ops: Any, obs: Any, name: str) -> Any:
        size = self._sizes[name]
        return ops.shaped(ops.columns(obs, self._vector.offset(name), size), size // self.axes, self.axes)


def mean(ops: Any, x: Any, mask: Any) -> Any:
    """(n, 1, d) mean of the nodes that there are."""
    return ops.op("Div", ops.summed(ops.op("Mul", x, mask), 1), ops.summed(mask, 1))


class DeepSets(nn.Module):
    """Every object alone, the mean of all, and each actuator beside it.

    Args:
        reader: of observations.
        width: numbers of a node.
        outputs: numbers of an actuator's answer.
    """

    def __init__(self, reader: NodeReader, width: int, outputs: int):
        super().__init__()
        self.reader, self.outputs = reader, outputs
        self.objects = nn.ModuleList([nn.Linear(reader.size(OBJECT), width), nn.Linear(width, width)])
        self.actuators = nn.Linear(reader.size(ACTUATOR), width)
        self.joint, self.last = nn.Linear(2 * width, width), nn.Linear(width, outputs)

    def answer(self, ops: Any, obs: Any) -> Any:
        """(n, actuators, outputs) of observations (n, O)."""
        read, mask = self.reader, self.reader.mask(ops, obs, OBJECT)
        x = read.features(ops, obs, OBJECT)
        for layer in self.objects:
            x = ops.op("Relu", ops.linear(x, layer))
        hands = ops.op("Relu", ops.linear(read.features(ops, obs, ACTUATOR), self.actuators))
        both = ops.joined([hands, ops.op("Add", ops.scaled(hands, 0.0), mean(ops, x, mask))])
        return ops.linear(ops.op("Relu", ops.linear(both, self.joint)), self.last)


class Attention(nn.Module):
    """A layer of attention and one of each node alone, both beside what comes in.

    Args:
        width: numbers of a node.
        heads: of the attention.
    """

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.width, self.heads = width, heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.out, self.wide, self.narrow = (
            nn.Linear(width, width),
            nn.Linear(width, 2 * width),
            nn.Linear(2 * width, width),
        )

    def answer(self, ops: Any, x: Any, hidden: Any, asking: Any = None) -> Any:
        """(n, asking, width) of nodes x (n, nodes, width).

        Args:
            ops: operations.
            x: the nodes.
            hidden: (n, 1, nodes), very negative for nodes that there are not.
            asking: (1, asking, nodes), ones that pick the nodes to answer; None for all.
        """
        normal, size = ops.norm(x, self.first), self.width // self.heads
        key, value = (ops.linear(normal, layer) for layer in (self.key, self.value))
        if asking is not None:
            x, normal = (ops.op("MatMul", asking, one) for one in (x, normal))
        query = ops.linear(normal, self.query)
        heard = []
        for k in range(self.heads):
            q, r, v = (ops.columns(one, k * size, size) for one in (query, key, value))
            scores = ops.scaled(ops.op("MatMul", q, ops.swapped(r)), size**-0.5)
            heard.append(ops.op("MatMul", ops.softmax(ops.op("Add", scores, hidden)), v))
        x = ops.op("Add", x, ops.linear(ops.joined(heard), self.out))
        alone = ops.op("Relu", ops.linear(ops.norm(x, self.second), self.wide))
        return ops.op("Add", x, ops.linear(alone, self.narrow))


class Transformer(nn.Module):
    """Attention among all nodes.

    Args:
        reader: of observations.
        width: numbers of a node.
        outputs: numbers of an actuator's answer.
        layers: of attention.
        heads: of each.
    """

    def __init__(self, reader: NodeReader, width: int, outputs: int, layers: int, heads: int):
        super().__init__()
        self.reader, self.outputs = reader, outputs
        self.objects, self.actuators = (nn.Linear(reader.size(kind), width) for kind in (OBJECT, ACTUATOR))
        self.layers = nn.ModuleList([Attention(width, heads) for _ in range(layers)])
        self.norm, self.last = nn.LayerNorm(width), nn.Linear(width, outputs)

    def answer(self, ops: Any, obs: Any) -> Any:
        """(n, actuators, outputs) of observations (n, O)."""
        read = self.reader
        kinds = ((ACTUATOR, self.actuators), (OBJECT, self.objects))
        x = ops.joined([ops.linear(read.features(ops, obs, kind), layer) for kind, layer in kinds], 1)
        mask = ops.joined([read.mask(ops, obs, kind) for kind, _ in kinds], 1)
        hidden = ops.scaled(ops.op("Sub", ops.swapped(mask), ops.constant(np.ones((1, 1, 1)))), 1e9)
        hands, nodes = read.count(ACTUATOR), read.count(ACTUATOR) + read.count(OBJECT)
        *earlier, last = self.layers
        for layer in earlier:
            x = layer.answer(ops, x, hidden)
        x = last.answer(ops, x, hidden, ops.constant(np.eye(hands, nodes)[None]))
        return ops.linear(ops.norm(x, self.norm), self.last)


def near_shares(ops: Any, places: Any, hidden: Any, near: Any, count: int) -> Any:
    """(n, nodes, nodes) shares of what each object hears from the others, which fall with their distance's square."""
    squares = ops.summed(ops.op("Mul", places, places), 2)
    product = ops.scaled(ops.op("MatMul", places, ops.swapped(places)), 2.0)
    apart = ops.op("Sub", ops.op("Add", squares, ops.swapped(squares)), product)
    own = ops.constant(-1e9 * np.eye(count)[None])
    return ops.softmax(ops.op("Add", ops.op("Add", ops.scaled(apart, -near.exp()), hidden), own))


def asked_shares(ops: Any, asking: Any, x: Any, hidden: Any, key: nn.Linear) -> Any:
    """(n, asking, nodes) attention of some to all nodes x.

    The queries go through the layer of keys instead of all nodes, since q . (K x) = (q K) . x.
    """
    size = key.weight.shape[0]
    asked = ops.op("MatMul", asking, ops.parameter(key.weight))
    scores = ops.scaled(ops.op("MatMul", asked, ops.swapped(x)), size**-0.5)
    return ops.softmax(ops.op("Add", scores, hidden))


def mean_of_others(count: int) -> np.ndarray:
    """(1, count, count) the mean of the others, 0 for one alone."""
    return (1.0 - np.eye(count))[None] / max(1, count - 1)


class Messages(nn.Module):
    """Objects hear from near objects, then actuators from objects and from each other.

    Args:
        reader: of observations.
        width: numbers of a node.
        outputs: numbers of an actuator's answer.
    """

    def __init__(self, reader: NodeReader, width: int, outputs: int):
        super().__init__()
        self.reader, self.outputs, self.width = reader, outputs, width
        self.objects, self.actuators = (nn.Linear(reader.size(kind), width) for kind in (OBJECT, ACTUATOR))
        axes = reader.axes
        self.near = nn.Parameter(torch.tensor(np.log(0.5 / LENGTH**2), dtype=torch.float32))
        self.among = nn.ModuleList([nn.Linear(2 * width + axes, width), nn.Linear(width, width)])
        self.query, self.value = nn.Linear(width, width), nn.Linear(width, width)
        self.key = nn.Linear(width, width, bias=False)
        self.heard = nn.ModuleList([nn.Linear(3 * width + axes, width), nn.Linear(width, width)])
        self.norm, self.last = nn.LayerNorm(width), nn.Linear(width, outputs)

    def answer(self, ops: Any, obs: Any) -> Any:
        """(n, actuators, outputs) of observations (n, O)."""
        read = self.reader
        places = read.places(ops, obs, OBJECT)
        mask = read.mask(ops, obs, OBJECT)
        hidden = ops.scaled(ops.op("Sub", ops.swapped(mask), ops.constant(np.ones((1, 1, 1)))), 1e9)
        x, hands = (
            ops.op("Relu", ops.linear(read.features(ops, obs, kind), layer))
            for kind, layer in ((OBJECT, self.objects), (ACTUATOR, self.actuators))
        )
        shares = near_shares(ops, places, hidden, self.near, read.count(OBJECT))
        way = ops.op("Sub", ops.op("MatMul", shares, places), places)
        x = self._beside(ops, x, [x, ops.op("MatMul", shares, x), way], self.among)
        shares = asked_shares(ops, ops.linear(hands, self.query), x, hidden, self.key)
        message = ops.linear(ops.op("MatMul", shares, x), self.value)
        way = ops.op("Sub", ops.op("MatMul", shares, places), read.places(ops, obs, ACTUATOR))
        others = ops.constant(mean_of_others(read.count(ACTUATOR)))
        hands = self._beside(ops, hands, [hands, message, ops.op("MatMul", others, hands), way], self.heard)
        return ops.linear(ops.norm(hands, self.norm), self.last)

    def _beside(self, ops: Any, x: Any, parts: list, layers: nn.ModuleList) -> Any:
        first, second = layers
        return ops.op("Add", x, ops.linear(ops.op("Relu", ops.linear(ops.joined(parts), first)), second))


class Turned(nn.Module):
    """A layer of numbers that stay as they are when the scene is turned about the vertical, and vectors that turn.

    Three learned mixtures of the vectors a, b and m: the MLP reads a's coordinates along and across b's direction and
    b's length, and says what is added to m, again along and across b.

    Args:
        numbers: of a node.
        vectors: of a node, with two coordinates each.
        width: numbers that come out.
        channels: vectors that come out.
    """

    def __init__(self, numbers: int, vectors: int, width: int, channels: int):
        super().__init__()
        self.width, self.channels = width, channels
        self.mixture = nn.Parameter(torch.randn(2, vectors, 3 * channels) * (0.5 / vectors) ** 0.5)
        self.first = nn.Linear(numbers + 3 * channels, width)
        self.second = nn.Linear(width, width + 2 * channels)

    def answer(self, ops: Any, numbers: Any, vectors: Any) -> tuple[Any, Any]:
        """(n, nodes, width) and (n, nodes, 2 channels), of vectors all x before all y."""
        mixed = turning(ops, vectors, self.mixture)
        ax, bx, mx, ay, by, my = ops.parts(mixed, [self.channels] * 6)
        ux, uy, length = direction(ops, bx, by)
        heard = ops.joined([numbers, *rotated(ops, ux, uy, ax, ay, -1), length])
        answer = ops.linear(ops.op("Relu", ops.linear(heard, self.first)), self.second)
        numbers, along, across = ops.parts(answer, [self.width, self.channels, self.channels])
        vx, vy = rotated(ops, ux, uy, along, across, 1)
        return numbers, ops.joined([ops.op("Add", mx, vx), ops.op("Add", my, vy)])


def turning(ops: Any, vectors: Any, mixture: torch.Tensor) -> Any:
    """Mixtures of vectors that turn as these do: products of complex numbers (n, nodes, v) and (2, v, w)."""
    real, imaginary = mixture
    both = torch.cat([torch.cat([real, imaginary], 1), torch.cat([-imaginary, real], 1)])
    return ops.op("MatMul", vectors, ops.parameter(both))


def direction(ops: Any, x: Any, y: Any) -> tuple[Any, Any, Any]:
    """Directions of vectors, which fade out below `SHORT`, and lengths."""
    squares = ops.op("Add", ops.op("Mul", x, x), ops.op("Mul", y, y))
    length = ops.op("Sqrt", ops.op("Add", squares, ops.constant(np.full((1, 1, 1), SHORT**2))))
    return ops.op("Div", x, length), ops.op("Div", y, length), length


def rotated(ops: Any, ux: Any, uy: Any, x: Any, y: Any, sense: int) -> tuple[Any, Any]:
    """Vectors (x, y) turned to a direction (sense 1), or read from it (sense -1)."""
    aside, back = ops.op("Mul", uy, y), ops.op("Mul", uy, x)
    first, second = ("Sub", "Add") if sense > 0 else ("Add", "Sub")
    return ops.op(first, ops.op("Mul", ux, x), aside), ops.op(second, ops.op("Mul", ux, y), back)


class Equivariant(nn.Module):
    """The same messages on numbers and vectors, so that answers turn with the scene.

    Args:
        reader: of observations.
        width: numbers of a node; an eighth as many vectors.
        outputs: numbers of an actuator's answer: vectors of three, or of two.
    """

    def __init__(self, reader: NodeReader, width: int, outputs: int):
        super().__init__()
        self.reader, self.outputs, self.width = reader, outputs, width
        self.axes = 2 if outputs % AXES else AXES
        if outputs % self.axes:
            raise ValueError(f"an actuator has {outputs} actions, expected vectors of {AXES} or of 2")
        self.channels = channels = max(1, width // 8)
        flat = reader.axes == 2
        known = {kind: reader.size(kind) // reader.axes for kind in (OBJECT, ACTUATOR)}
        self.alone = nn.ModuleList([Turned(known[kind], known[kind], width, channels) for kind in (OBJECT, ACTUATOR)])
        self.near = nn.Parameter(torch.tensor(np.log(0.5 / LENGTH**2), dtype=torch.float32))
        self.among = Turned(2 * width + 1 - flat, 2 * channels + 1, width, channels)
        self.query, self.key = nn.Linear(width, width), nn.Linear(width, width, bias=False)
        self.heard = Turned(3 * width + 1 - flat, 3 * channels + 1, width, channels)
        count = outputs // self.axes
        self.frame = nn.Parameter(torch.randn(2, channels, count) * (0.5 / channels) ** 0.5)
        self.straight = nn.Parameter(torch.zeros(2, channels, count))
        self.norm, self.last = nn.LayerNorm(width), nn.Linear(width, outputs)

    def answer(self, ops: Any, obs: Any) -> Any:
        """(n, actuators, outputs) of observations (n, O)."""
        read, channels = self.reader, self.channels
        places, mask = read.places(ops, obs, OBJECT), read.mask(ops, obs, OBJECT)
        hidden = ops.scaled(ops.op("Sub", ops.swapped(mask), ops.constant(np.ones((1, 1, 1)))), 1e9)
        (x, turned), (hands, held) = (
            layer.answer(ops, *self._seen(ops, obs, kind))
            for kind, layer in zip((OBJECT, ACTUATOR), self.alone, strict=True)
        )
        shares = near_shares(ops, places, hidden, self.near, read.count(OBJECT))
        way = ops.op("Sub", ops.op("MatMul", shares, places), places)
        along, up = self._split(ops, way)
        numbers = ops.joined([x, ops.op("MatMul", shares, x), *up])
        vectors = bundled(ops, [(turned, channels), (ops.op("MatMul", shares, turned), channels), (along, 1)])
        x, turned = both_added(ops, (x, turned), self.among.answer(ops, numbers, vectors))
        shares = asked_shares(ops, ops.linear(hands, self.query), x, hidden, self.key)
        way = ops.op("Sub", ops.op("MatMul", shares, places), read.places(ops, obs, ACTUATOR))
        others = ops.constant(mean_of_others(read.count(ACTUATOR)))
        along, up = self._split(ops, way)
        numbers = ops.joined([hands, ops.op("MatMul", shares, x), ops.op("MatMul", others, hands), *up])
        told = [(held, channels), (ops.op("MatMul", shares, turned), channels)]
        vectors = bundled(ops, [*told, (ops.op("MatMul", others, held), channels), (along, 1)])
        hands, held = both_added(ops, (hands, held), self.heard.answer(ops, numbers, vectors))
        count = self.outputs // self.axes
        frames = turning(ops, held, self.frame)
        ux, uy, _ = direction(ops, *ops.parts(frames, [count, count]))
        along, across, *up = ops.parts(ops.linear(ops.norm(hands, self.norm), self.last), [count] * self.axes)
        vx, vy = rotated(ops, ux, uy, along, across, 1)
        mx, my = ops.parts(turning(ops, held, self.straight), [count, count])
        parts = [ops.op("Add", mx, vx), ops.op("Add", my, vy), *up]
        return ops.joined([ops.columns(part, k, 1) for k in range(count) for part in parts])

    def _split(self, ops: Any, way: Any) -> tuple[Any, list]:
        """Ways in the plane, and heights if there are any."""
        return ops.columns(way, 0, 2), [ops.columns(way, 2, 1)] if self.reader.axes == AXES else []

    def _seen(self, ops: Any, obs: Any, kind: str) -> tuple[Any, Any]:
        """Heights of the nodes of a type, and what is level, as numbers and vectors."""
        axes, features = self.reader.axes, self.reader.features(ops, obs, kind)
        x, y, *heights = (
            ops.op("MatMul", features, ops.constant(np.eye(self.reader.size(kind))[:, k::axes])) for k in range(axes)
        )
        return heights[0] if heights else ops.scaled(x, 0.0), ops.joined([x, y])


def bundled(ops: Any, bundles: list[tuple[Any, int]]) -> Any:
    """Vectors of several bundles, all x before all y, of each as many as said."""
    halves = [ops.parts(one, [count, count]) for one, count in bundles]
    return ops.joined([half[k] for k in (0, 1) for half in halves])


def both_added(ops: Any, first: tuple[Any, Any], second: tuple[Any, Any]) -> tuple[Any, Any]:
    """Sums of numbers and of vectors."""
    return ops.op("Add", first[0], second[0]), ops.op("Add", first[1], second[1])


class GraphActor(nn.Module):
    """Answers of actuators, one behind the other.

    Args:
        network: that gives them.
        reader: of observations.
    """

    def __init__(self, network: Any, reader: NodeReader):
        super().__init__()
        self.network, self._size = network, reader.acting * network.outputs
        self._all = reader.count(ACTUATOR) * network.outputs

    def answer(self, ops: Any, obs: Any) -> Any:
        """(n, A) of observations (n, O); of a member of a team, that of its own actuator, which comes first."""
        return ops.columns(ops.shaped(self.network.answer(ops, obs), self._all), 0, self._size)

    def forward(self, obs: torch.Tensor) -> torch.Tensor:
        """The same in PyTorch."""
        return self.answer(TorchOps(), obs)


class GraphCritic(nn.Module):
    """The mean of what a DeepSets network says of the actuators.

    Args:
        reader: of observations.
        width: numbers of a node.
    """

    def __init__(self, reader: NodeReader, width: int):
        super().__init__()
        self.network = DeepSets(reader, width, 1)

    def forward(self, obs: torch.Tensor) -> torch.Tensor:
        """(n, 1)."""
        return self.network.answer(TorchOps(), obs).mean(1)
