"""A walk along the edges of a graph, which has to be a shortest path."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choice,
    Record,
    Reward,
    StateRecord,
    Vector,
    World,
    batch_loops,
    field,
    kernel,
    rng,
)
from envsuite.text_games.relations.bits import get, words_for
from envsuite.text_games.relations.graphs import FARTHEST, MOST, Room, draw_edges, reach_within


class Params(Record):
    """The options that kernels know."""

    nearest = field(type=np.uint8, meaning="edges lead to the nearest points in a square")
    directed = field(type=np.uint8, meaning="edges have a direction")
    density = field(meaning="most that the probability of an edge can be, or the share of nodes that one has edges to")
    smallest = field(type=np.int32, meaning="nodes at least")
    largest = field(type=np.int32, meaning="nodes at most")
    near = field(type=np.int32, meaning="steps of a way at least")
    far = field(type=np.int32, meaning="steps of a way at most")


class State(StateRecord):
    """The graph, where one is, and where one wants to be."""

    place = field(type=np.int32, meaning="node where one is")
    target = field(type=np.int32, meaning="node where one wants to be")
    n = field(type=np.int32, meaning="nodes")
    edges = field(type=np.uint64, shape=("nodes", "words"), meaning="as bits, a row each")
    start = field(type=np.int32, meaning="node where the episode began")
    left = field(type=np.int32, meaning="steps that are left")


class Info(Record):
    """The metrics."""

    steps_left = field(type=np.int32, meaning="as many as the shortest path had from where one began, less those taken")
    success = field(type=np.bool_, meaning="the target was reached")
    action_mask = field(type=np.int8, shape="nodes", meaning="1 for a node that one can go to")


@kernel
def reset(s, p, w):
    """Draw how far the target is, then graphs until one has two nodes so far apart, then two such nodes."""
    s.left = p.near + rng.integers(s.rng, rng.RESET, p.far - p.near + 1)
    s.n = p.smallest + rng.integers(s.rng, rng.RESET, p.largest - p.smallest + 1)
    pairs = 0
    while pairs == 0:
        draw_edges(s, p, w)
        reach_within(s, np.int64(s.left), w)
        for x in range(s.n):
            for y in range(s.n):
                pairs += apart(w, x, y)
    chosen = rng.integers(s.rng, rng.RESET, pairs)
    for x in range(s.n):
        for y in range(s.n):
            if apart(w, x, y):
                if chosen == 0:
                    s.start, s.place, s.target = x, x, y
                chosen -= 1


@kernel
def apart(w, x, y):
    """Whether y is reached in as many steps as the room tells, and not in fewer."""
    return get(w.reach, x, y) and not get(w.before, x, y)


@kernel
def stuck(s):
    """Whether no edge leads on."""
    ways = 0
    for y in range(s.n):
        ways += get(s.edges, s.place, y)
    return ways == 0


@kernel
def step(s, action):
    """Go, where an edge leads; 1 for the target. Reward and whether it is reached or no step is left."""
    if action < s.n and get(s.edges, s.place, action):
        s.place = action
    s.left -= np.int32(1)
    if s.place == s.target:
        return 1.0, True
    return 0.0, s.left == 0


@kernel
def may_go(s, y):
    """Whether one can go to y; one can stay only where no edge leads on."""
    return (y < s.n and get(s.edges, s.place, y)) or (y == s.place and stuck(s))


@kernel
def observe_bits(s, o, info):
    """Write the graph as a matrix of bits, and both nodes."""
    size = s.edges.shape[0]
    for x in range(size):
        o.place[x], o.target[x] = x == s.place, x == s.target
        for y in range(size):
            o.edge[x * size + y] = get(s.edges, x, y)
        o.action_mask[x] = may_go(s, x)
    for k in range(FARTHEST):
        o.steps_left[k] = s.left == k + 1
    measure(s, info)


@kernel
def observe_index(s, o, info):
    """Write both nodes, the steps left, and for every node those that its edges lead to."""
    size = s.edges.shape[0]
    o.place, o.target, o.steps_left = s.place, s.target, s.left
    for x in range(size):
        at = x * (size - 1)
        for y in range(size):
            if get(s.edges, x, y):
                o.neighbours[at] = y
                at += 1
        while at < (x + 1) * (size - 1):
            o.neighbours[at] = -1
            at += 1
        o.action_mask[x] = may_go(s, x)
    measure(s, info)


@kernel
def measure(s, info):
    """Write the metrics."""
    info.steps_left, info.success = s.left, s.place == s.target
    for x in range(s.edges.shape[0]):
        info.action_mask[x] = may_go(s, x)


class PathWorld(World):
    """Go from node to node to a target, by a shortest path: there are as many steps as it has.

    Args:
        generator: ``"dnc"`` or ``"er"``, see `envsuite.text_games.relations.world.GraphWorld`.
        directed: edges have a direction.
        density: see there.
        smallest: nodes at least; each episode draws a number from here to `largest`.
        largest: nodes at most.
        near: steps of a shortest path at least; each episode draws a number from here to `far`.
        far: steps of a shortest path at most.
        observation: ``"bits"``: a matrix of edges; ``"index"``: for each node those that its edges lead to.
    """

    reward = Reward(low=np.array(0.0), high=np.array(1.0))

    def __init__(
        self,
        *,
        generator: Literal["er", "dnc"] = "dnc",
        directed: bool = False,
        density: Annotated[float, Between(0.01, 1.0)] = 0.3,
        smallest: Annotated[int, Between(8, MOST)] = 10,
        largest: Annotated[int, Between(8, MOST)] = 10,
        near: Annotated[int, Between(1, FARTHEST)] = 1,
        far: Annotated[int, Between(1, FARTHEST)] = FARTHEST,
        observation: Literal["bits", "index"] = "bits",
    ):
        for low, high, names in ((smallest, largest, ("smallest", "largest")), (near, far, ("near", "far"))):
            if low > high:
                raise ValueError(f"{names[0]} is {low}, expected at most {names[1]}, which is {high}")
        self.params = Params.make(
            nearest=generator == "dnc",
            directed=directed,
            density=density,
            smallest=smallest,
            largest=largest,
            near=near,
            far=far,
        )
        self.bits = observation == "bits"
        self.state_dtype = State.dtype(nodes=largest, words=words_for(largest))
        self.info_dtype = Info.dtype(nodes=largest)
        self.action = Choice(tuple(str(k) for k in range(largest)))
        seen = (
            (
                Block(
                    "edge", largest**2, 0, 1, "", "row by row, 1 if an edge leads from the row's node to the column's"
                ),
                Block("place", largest, 0, 1, "", "1 where one is"),
                Block("target", largest, 0, 1, "", "1 where one wants to be"),
                Block("steps_left", FARTHEST, 0, 1, "", "1 for the number of steps that are left, zeros for none"),
            )
            if self.bits
            else (
                Block("place", 1, 0, largest - 1, "", "node where one is"),
                Block("target", 1, 0, largest - 1, "", "node where one wants to be"),
                Block("steps_left", 1, 0, FARTHEST, "", "steps that are left"),
                Block(
                    "neighbours",
                    largest * (largest - 1),
                    -1,
                    largest - 1,
                    "",
                    f"for each node {largest - 1} numbers: nodes that its edges lead to, then -1",
                ),
            )
        )
        mask = Block("action_mask", largest, 0, 1, "", "1 for a node that one can go to")
        self.observation = Vector((*seen, mask), dtype=np.int8)

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those that write the form of observation that was asked for."""
        return _BITS if self.bits else _INDEX


_BITS = batch_loops(reset, step, observe_bits, work=Room.dtype())
_INDEX = batch_loops(reset, step, observe_index, work=Room.dtype())
