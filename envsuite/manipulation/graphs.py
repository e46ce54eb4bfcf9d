"""Observations as heterogeneous graphs, for networks that know of geometry; plain NumPy.

A world whose observation can be read as a graph says so by an attribute ``graph``, a `GraphLayout`: which blocks of the
observation hold places and vectors of the nodes of each type, and which nodes are joined. All arrays have fixed shapes,
with masks for what is not there, so that graphs of many instances are one array. `Graph.flatten` leaves the padding
out, in the form of PyTorch Geometric's batches of ``HeteroData``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from envsuite.core.layout import Vector
from envsuite.core.world import World

AXES = 3
EdgeType = tuple[str, str, str]


@dataclass(frozen=True)
class Nodes:
    """Nodes of one type, by the names of the observation's blocks.

    Attributes:
        position: places, one a node.
        target: where nodes belong: one place each, or one for all; empty for nodes that belong nowhere.
        vectors: further vectors, such as velocities: one each, or one for all; an empty name for zeros.
        mask: 1 for nodes that there are; empty if all are.
    """

    position: str
    target: str = ""
    vectors: tuple[str, ...] = ()
    mask: str = ""


@dataclass(frozen=True)
class Edges:
    """Which nodes send messages to which.

    Attributes:
        source: type of the nodes that send.
        target: type of those that receive; no node sends to itself.
        nearest: from how many of the nearest ones each receives; 0 for all.
    """

    source: str
    target: str
    nearest: int = 0


@dataclass(frozen=True)
class GraphLayout:
    """How an observation is read as a graph.

    Attributes:
        nodes: by type; all types have equally many further vectors.
        edges: of each pair of types that is joined.
        axes: coordinates of a vector in the observation; vectors of two get a third, 0, in the graph.
    """

    nodes: Mapping[str, Nodes]
    edges: tuple[Edges, ...]
    axes: int = AXES


@dataclass(frozen=True)
class HeteroBatch:
    """Graphs one after another, without padding, named as in PyTorch Geometric.

    Attributes:
        x_dict: features by type of node, float32 (total, d).
        pos_dict: places, float32 (total, 3).
        edge_index_dict: by (source, ``"to"``, target): indices in `x_dict`, int64 (2, total).
        batch_dict: number of the graph that each node is of, int64 (total,).
        num_graphs: how many there are.
    """

    x_dict: dict[str, np.ndarray]
    pos_dict: dict[str, np.ndarray]
    edge_index_dict: dict[EdgeType, np.ndarray]
    batch_dict: dict[str, np.ndarray]
    num_graphs: int


@dataclass(frozen=True)
class Graph:
    """Graphs of fixed shapes; ``*lead`` are the axes of the observations before their last one.

    Attributes:
        x: features by type of node, float32 (*lead, n, d): a one for the type, the place, the way from where the node
            belongs to where it is, the further vectors.
        position: places, m, float32 (*lead, n, 3).
        mask: nodes that there are, bool (*lead, n).
        edge_index: by (source, ``"to"``, target): nodes that send and that receive, int64 (*lead, 2, m).
        edge_mask: edges that there are, bool (*lead, m).
    """

    x: dict[str, np.ndarray]
    position: dict[str, np.ndarray]
    mask: dict[str, np.ndarray]
    edge_index: dict[EdgeType, np.ndarray]
    edge_mask: dict[EdgeType, np.ndarray]

    def flatten(self) -> HeteroBatch:
        """The graphs one after another, without padding."""
        masks = {kind: mask.reshape(-1, mask.shape[-1]) for kind, mask in self.mask.items()}
        numbers = {kind: np.cumsum(mask.ravel()).reshape(mask.shape) - 1 for kind, mask in masks.items()}
        count, edges = len(next(iter(masks.values()))), {}
        for (source, name, target), index in self.edge_index.items():
            kept = self.edge_mask[source, name, target].reshape(count, -1)
            pairs = index.reshape(count, 2, -1)
            rows = np.arange(len(pairs))[:, np.newaxis]
            sends, receives = numbers[source][rows, pairs[:, 0]], numbers[target][rows, pairs[:, 1]]
            edges[source, name, target] = np.stack([sends[kept], receives[kept]]).astype(np.int64)
        return HeteroBatch(
            {kind: self.x[kind].reshape(-1, self.x[kind].shape[-1])[mask.ravel()] for kind, mask in masks.items()},
            {kind: self.position[kind].reshape(-1, AXES)[mask.ravel()] for kind, mask in masks.items()},
            edges,
            {kind: np.nonzero(mask)[0] for kind, mask in masks.items()},
            count,
        )


def graph_of(world: World, observations: np.ndarray) -> Graph:
    """Read observations as graphs.

    Args:
        world: with an attribute ``graph``.
        observations: (*lead, O), such as (n, O) of a batch, (n, a, O) of a team, or (O,).

    Raises:
        ValueError: the world has no graph, or the observations are of another shape.
    """
    layout, seen = getattr(world, "graph", None), world.observation
    if not isinstance(layout, GraphLayout) or not isinstance(seen, Vector):
        raise ValueError(f"{type(world).__name__} has no graph: expected a world with an attribute 'graph'")
    given = np.asarray(observations, np.float32)
    if given.shape[-1:] != seen.shape:
        raise ValueError(f"observations have the shape {given.shape}, expected (..., {seen.shape[0]})")
    reader = _Reader(given, seen, layout.axes)
    x, position, mask = {}, {}, {}
    for number, (kind, nodes) in enumerate(layout.nodes.items()):
        place = reader.vectors(nodes.position)
        mask[kind] = reader.mask(nodes.mask, place.shape[:-1])
        zeros = np.zeros_like(place)
        away = place - reader.vectors(nodes.target) if nodes.target else zeros
        more = [reader.vectors(name) + zeros if name else zeros for name in nodes.vectors]
        which = np.zeros((*place.shape[:-1], len(layout.nodes)), np.float32)
        which[..., number] = 1.0
        x[kind] = np.concatenate([which, place, away, *more], axis=-1) * mask[kind][..., np.newaxis]
        position[kind] = place
    index, there = {}, {}
    for edges in layout.edges:
        name = (edges.source, "to", edges.target)
        index[name], there[name] = _join(edges, position, mask)
    return Graph(x, position, mask, index, there)


class _Reader:
    """Reads blocks of observations."""

    def __init__(self, observations: np.ndarray, layout: Vector, axes: int):
        self._given, self._layout, self._axes = observations, layout, axes
        self._sizes = {block.name: block.size for block in layout.blocks}

    def _block(self, name: str) -> np.ndarray:
        start = self._layout.offset(name)
        return self._given[..., start : start + self._sizes[name]]

    def vectors(self, name: str) -> np.ndarray:
        """(*lead, n, 3)."""
        block = self._block(name)
        flat = block.reshape(*block.shape[:-1], -1, self._axes)
        return np.concatenate([flat, np.zeros((*flat.shape[:-1], AXES - self._axes), np.float32)], axis=-1)

    def mask(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        """Bool (*lead, n)."""
        return self._block(name) > 0.5 if name else np.ones(shape, np.bool_)


def _join(edges: Edges, position: dict[str, Any], mask: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Indices (*lead, 2, m) and mask (*lead, m)."""
    source, target = position[edges.source], position[edges.target]
    lead, sends, receives = source.shape[:-2], source.shape[-2], target.shape[-2]
    same = edges.source == edges.target
    if edges.nearest:
        apart = ((target[..., :, np.newaxis, :] - source[..., np.newaxis, :, :]) ** 2).sum(axis=-1)
        refused = ~mask[edges.source][..., np.newaxis, :] | (np.eye(receives, sends, dtype=np.bool_) & same)
        order = np.argsort(np.where(refused, np.inf, apart), axis=-1, kind="stable")[..., : edges.nearest]
        to = np.repeat(np.arange(receives), order.shape[-1])
        flat = order.reshape(*lead, len(to))
        pairs = np.stack([flat, np.broadcast_to(to, flat.shape)], axis=-2)
        there = ~np.take_along_axis(refused, order, axis=-1).reshape(*lead, len(to))
    else:
        grid = np.stack(np.meshgrid(np.arange(sends), np.arange(receives)), axis=0).reshape(2, -1)
        grid = grid[:, grid[0] != grid[1]] if same else grid
        pairs, to = np.broadcast_to(grid, (*lead, *grid.shape)), grid[1]
        there = mask[edges.source][..., grid[0]]
    return pairs.astype(np.int64), there & mask[edges.target][..., to]
