"""Questions about families and graphs: the worlds."""

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
from envsuite.text_games.relations import family, graphs
from envsuite.text_games.relations.bits import get, words_for
from envsuite.text_games.relations.questions import TRIES, Info, answer, begin, find_partners, report, true_questions

FEW_GENERATIONS = 16
"""Smaller trees have hardly ever a maternal great uncle and a near miss of one."""


class FamilyParams(Record):
    """The options that kernels know."""

    relation = field(type=np.int32, meaning="index in `envsuite.text_games.relations.family.RELATIONS`")
    unary = field(type=np.uint8, meaning="a relation of one person")
    near = field(type=np.uint8, meaning="false pairs are near misses")
    smallest = field(type=np.int32, meaning="people of a tree at least")
    largest = field(type=np.int32, meaning="people of a tree at most")
    questions = field(type=np.int32, meaning="in an episode")


class FamilyState(StateRecord):
    """A family tree and a question."""

    n = field(type=np.int32, meaning="people")
    father = field(type=np.int8, shape="people", meaning="of each person; -1 for nobody known")
    mother = field(type=np.int8, shape="people", meaning="of each person; -1 for nobody known")
    male = field(type=np.uint8, shape="people", meaning="1 for men")
    labels = field(type=np.uint64, shape=("people", "words"), meaning="the truth as bits, a row each")
    seconds = field(type=np.uint64, shape="words", meaning="bits of those who are the second of a true pair")
    x = field(type=np.int32, meaning="whom the question is about")
    y = field(type=np.int32, meaning="the other one; x in relations of one person")
    truth = field(type=np.uint8, meaning="1 if the right answer is yes")
    right = field(type=np.int32, meaning="right answers so far")
    correct = field(type=np.uint8, meaning="the last answer was right")


class GraphParams(Record):
    """The options that kernels know."""

    relation = field(type=np.int32, meaning="index in `envsuite.text_games.relations.graphs.RELATIONS`")
    unary = field(type=np.uint8, meaning="a relation of one node")
    near = field(type=np.uint8, meaning="false pairs are near misses")
    k = field(type=np.int32, meaning="number in the question")
    itself = field(type=np.uint8, meaning="a red node counts as adjacent to a red one")
    nearest = field(type=np.uint8, meaning="edges lead to the nearest points in a square")
    directed = field(type=np.uint8, meaning="edges have a direction")
    density = field(meaning="most that the probability of an edge can be, or the share of nodes that one has edges to")
    smallest = field(type=np.int32, meaning="nodes at least")
    largest = field(type=np.int32, meaning="nodes at most")
    questions = field(type=np.int32, meaning="in an episode")


class GraphState(StateRecord):
    """A graph and a question."""

    n = field(type=np.int32, meaning="nodes")
    edges = field(type=np.uint64, shape=("nodes", "words"), meaning="as bits, a row each")
    colour = field(type=np.int8, shape="nodes", meaning="0 (red) to 3; counts in one relation only")
    labels = field(type=np.uint64, shape=("nodes", "words"), meaning="the truth as bits, a row each")
    seconds = field(type=np.uint64, shape="words", meaning="bits of those who are the second of a true pair")
    k = field(type=np.int32, meaning="number in the question")
    x = field(type=np.int32, meaning="which node the question is about")
    y = field(type=np.int32, meaning="the other one; x in relations of one node")
    truth = field(type=np.uint8, meaning="1 if the right answer is yes")
    right = field(type=np.int32, meaning="right answers so far")
    correct = field(type=np.uint8, meaning="the last answer was right")


@kernel
def draw_size(s, p):
    """Draw how many people or nodes there are."""
    s.n = p.smallest + rng.integers(s.rng, rng.RESET, p.largest - p.smallest + 1)


@kernel
def draw_family(s, p, w):
    """Draw a tree and its labels, whatever they are."""
    draw_size(s, p)
    family.grow(s, w)
    family.label(s, p.relation, w)
    find_partners(s)


@kernel
def reset_family(s, p, w):
    """Trees until one has both true and false questions; the first question."""
    for _ in range(TRIES):
        draw_family(s, p, w)
        true, every = true_questions(s, p)
        if 0 < true < every:
            break
    begin(s, p)


@kernel
def observe_family(s, p, o, info):
    """Write the tree as four matrices of bits, and whom the question is about."""
    size = s.father.shape[0]
    for k in range(size * size):
        o.father[k], o.mother[k], o.son[k], o.daughter[k] = 0, 0, 0, 0
    for x in range(size):
        o.x[x], o.y[x] = x == s.x, x == s.y and p.unary == 0
        f, m = np.int64(s.father[x]), np.int64(s.mother[x])
        if f >= 0:
            o.father[x * size + f], o.mother[x * size + m] = 1, 1
            if s.male[x] != 0:
                o.son[f * size + x], o.son[m * size + x] = 1, 1
            else:
                o.daughter[f * size + x], o.daughter[m * size + x] = 1, 1
    report(s, p, info)


@kernel
def draw_graph(s, p, w):
    """Draw a graph and its labels, whatever they are."""
    draw_size(s, p)
    for x in range(s.colour.shape[0]):
        s.colour[x] = rng.integers(s.rng, rng.RESET, graphs.COLOURS) if x < s.n else 0
    graphs.draw_edges(s, p, w)
    graphs.label(s, p, w)
    find_partners(s)


@kernel
def draw_number(s, p):
    """Draw the number in the question, where the question does not fix it."""
    s.k = p.k
    if p.relation == 3:
        s.k = 1 + rng.integers(s.rng, rng.RESET, graphs.FARTHEST)


@kernel
def reset_graph(s, p, w):
    """Graphs until one has both true and false questions; the first question."""
    draw_number(s, p)
    for _ in range(TRIES):
        draw_graph(s, p, w)
        true, every = true_questions(s, p)
        if 0 < true < every:
            break
    begin(s, p)


@kernel
def observe_graph(s, p, o, info):
    """Write the graph as a matrix of bits, which nodes are red, and what the question is about."""
    size = s.colour.shape[0]
    for x in range(size):
        for y in range(size):
            o.edge[x * size + y] = get(s.edges, x, y)
        o.red[x] = p.relation == 2 and x < s.n and s.colour[x] == graphs.RED
        o.x[x], o.y[x] = x == s.x, x == s.y and p.unary == 0
    for k in range(graphs.FARTHEST):
        o.distance[k] = p.relation == 3 and s.k == k + 1
    report(s, p, info)


class QuestionsWorld(World):
    """What both worlds share."""

    action = Choice(("no", "yes"))
    reward = Reward(low=np.array(0.0), high=np.array(1.0))
    info_dtype = Info.dtype()

    @staticmethod
    def check_sizes(smallest: int, largest: int) -> None:
        """Refuse a range of sizes that is none.

        Raises:
            ValueError: naming both.
        """
        if smallest > largest:
            raise ValueError(f"smallest is {smallest}, expected at most largest, which is {largest}")


class FamilyWorld(QuestionsWorld):
    """Questions about a family tree.

    Args:
        relation: what is asked: whether x has a father in the tree, or a sister; whether x is a grandparent of y, an
            uncle, or a maternal great uncle (a son of the mother of one of y's grandmothers).
        smallest: people of a tree at least; each episode draws a number from here to `largest`.
        largest: people of a tree at most, for as many of whom the observation has room.
        questions: in an episode (``gymnasium.make`` wants ``max_episode_steps`` of one more for more than the default).
        false_pairs: in relations of two, ``"near"``: questions with no for an answer are about an x that stands in the
            relation to somebody and a y to whom somebody does, only not to each other; ``"any"``: about any such pair.
    """

    loops = batch_loops(reset_family, answer, observe_family, work=family.Room.dtype())

    def __init__(
        self,
        *,
        relation: Literal["has_father", "has_sister", "is_grandparent", "is_uncle", "is_mg_uncle"],
        smallest: Annotated[int, Between(10, family.MOST)] = 20,
        largest: Annotated[int, Between(10, family.MOST)] = 20,
        questions: Annotated[int, Between(1, 1000)] = 10,
        false_pairs: Literal["near", "any"] = "near",
    ):
        self.check_sizes(smallest, largest)
        if relation == "is_mg_uncle" and smallest < FEW_GENERATIONS:
            raise ValueError(f"smallest is {smallest}, expected at least {FEW_GENERATIONS} for is_mg_uncle")
        self.relation = relation
        self.params = FamilyParams.make(
            relation=family.RELATIONS.index(relation),
            unary=relation in family.UNARY,
            smallest=smallest,
            largest=largest,
            questions=questions,
            near=false_pairs == "near",
        )
        self.state_dtype = FamilyState.dtype(people=largest, words=words_for(largest))
        cells = largest * largest
        self.observation = Vector(
            (
                Block("father", cells, 0, 1, "", "row by row, 1 in row x and column y if y is the father of x"),
                Block("mother", cells, 0, 1, "", "the same for mothers"),
                Block("son", cells, 0, 1, "", "the same for sons"),
                Block("daughter", cells, 0, 1, "", "the same for daughters"),
                Block("x", largest, 0, 1, "", "1 for the person whom the question is about"),
                Block("y", largest, 0, 1, "", "1 for the other person; zeros in relations of one"),
            ),
            dtype=np.int8,
        )


class GraphWorld(QuestionsWorld):
    """Questions about a graph.

    Args:
        relation: what is asked: whether y can be reached from x in at most `k` steps; whether exactly `k` edges leave
            x; whether x has an edge to a red node; whether the shortest path from x to y has a number of steps that
            each episode draws among 1 to 5.
        k: number in the question; counts in the first two relations only.
        generator: ``"er"``, every edge by the same chance, which each graph draws from 0 to `density` (Erdős and
            Rényi), or ``"dnc"``, edges to the nearest of points in a square, as many as each node draws from 1 to
            `density` times the number of nodes (Graves et al. 2016).
        directed: edges have a direction; otherwise what either direction has is an edge in both.
        density: see `generator`.
        smallest: nodes at least; each episode draws a number from here to `largest`.
        largest: nodes at most, for as many of which the observation has room.
        questions: in an episode (``gymnasium.make`` wants ``max_episode_steps`` of one more for more than the default).
        false_pairs: see `FamilyWorld`.
        compat: ``"nlm"``: a red node counts as adjacent to a red one, as in the original's labels.
    """

    loops = batch_loops(reset_graph, answer, observe_graph, work=graphs.Room.dtype())

    def __init__(
        self,
        *,
        relation: Literal["connectivity", "out_degree", "adjacent_to_red", "path_distance"],
        k: Annotated[int, Between(1, 10)] = 4,
        generator: Literal["er", "dnc"] = "er",
        directed: bool = False,
        density: Annotated[float, Between(0.01, 1.0)] = 0.3,
        smallest: Annotated[int, Between(8, graphs.MOST)] = 10,
        largest: Annotated[int, Between(8, graphs.MOST)] = 10,
        questions: Annotated[int, Between(1, 1000)] = 10,
        false_pairs: Literal["near", "any"] = "near",
        compat: Literal["nlm"] | None = None,
    ):
        self.check_sizes(smallest, largest)
        self.relation = relation
        self.params = GraphParams.make(
            relation=graphs.RELATIONS.index(relation),
            unary=relation in graphs.UNARY,
            k=k if relation in ("connectivity", "out_degree") else 0,
            itself=compat is not None,
            nearest=generator == "dnc",
            directed=directed,
            density=density,
            smallest=smallest,
            largest=largest,
            questions=questions,
            near=false_pairs == "near",
        )
        self.state_dtype = GraphState.dtype(nodes=largest, words=words_for(largest))
        self.observation = Vector(
            (
                Block(
                    "edge",
                    largest * largest,
                    0,
                    1,
                    "",
                    "row by row, 1 if an edge leads from the row's node to the column's",
                ),
                Block("red", largest, 0, 1, "", "1 for a red node, in questions about them"),
                Block("x", largest, 0, 1, "", "1 for the node that the question is about"),
                Block("y", largest, 0, 1, "", "1 for the other node; zeros in relations of one"),
                Block("distance", graphs.FARTHEST, 0, 1, "", "1 for the number of steps in questions about it"),
            ),
            dtype=np.int8,
        )
