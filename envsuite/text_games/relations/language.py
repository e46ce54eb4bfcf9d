"""Families, graphs, arrays and towers in words."""

import re

import numpy as np

from envsuite.core import Words
from envsuite.core.language import Refusal, RefusalKind, number_among
from envsuite.text_games.relations.bits import unpacked
from envsuite.text_games.relations.graphs import RED

_STATED = re.compile(r"\baction\W{0,3}:(.*)", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])(?:node |place |P)?(\d+)(?![\w]|\.\d)", re.ASCII | re.IGNORECASE)
_SWAP = re.compile(
    r"\bswap\W{1,3}(?:places? )?(\d{1,6})(?:-|,? and |, ?| with | )(?:place )?(\d{1,6})(?!\d)", re.ASCII | re.I
)
_MOVE = re.compile(
    r"(?<![\w.])(\d{1,6})[ -](?:on|onto|to|upon)[ -](?:top of )?(?:the )?(?:block )?(\d{1,6}(?!\d)|ground\b|table\b)",
    re.ASCII | re.IGNORECASE,
)
FAMILY_QUESTIONS = {
    "has_father": "Does P{x} have a father in this family?",
    "has_sister": "Does P{x} have a sister?",
    "is_grandparent": "Is P{x} a grandparent of P{y}?",
    "is_uncle": "Is P{x} an uncle of P{y}?",
    "is_mg_uncle": "Is P{x} a maternal great uncle of P{y}?",
}
FAMILY_RULES = {
    "has_father": "A father counts if he is one of the people above.",
    "has_sister": "A sister is another woman with the same parents.",
    "is_grandparent": "A grandparent is a parent of a parent.",
    "is_uncle": "An uncle is a son of a grandparent, but not the father.",
    "is_mg_uncle": "A maternal great uncle is a son of the mother of a grandmother.",
}
GRAPH_QUESTIONS = {
    "connectivity": "Can node {y} be reached from node {x} in at most {k} steps?",
    "out_degree": "Does node {x} have exactly {k} edge{s}?",
    "adjacent_to_red": "Is node {x} adjacent to a red node?",
    "path_distance": "Is the shortest path from node {x} to node {y} exactly {k} step{s} long?",
}


def question_of(world, state: np.void) -> str:
    """The question that is asked.

    Args:
        world: a `envsuite.text_games.relations.world.FamilyWorld` or ``GraphWorld``.
        state: its record.
    """
    x, y = int(state["x"]), int(state["y"])
    if world.relation in FAMILY_QUESTIONS:
        return FAMILY_QUESTIONS[world.relation].format(x=x, y=y)
    k = int(state["k"])
    return GRAPH_QUESTIONS[world.relation].format(x=x, y=y, k=k, s="" if k == 1 else "s")


def edges_text(state: np.void, directed: bool) -> str:
    """The edges of a graph, node by node.

    Args:
        state: a record with a graph.
        directed: edges have a direction.
    """
    n = int(state["n"])
    edges = unpacked(state["edges"], n)[:n]
    rows = [f"{x}: {', '.join(map(str, np.flatnonzero(edges[x]))) or 'none'}" for x in range(n)]
    told = "From each node edges lead, in their direction only, to" if directed else "Each node has edges to"
    return f"{told} {'; '.join(rows)}."


class QuestionsWords(Words):
    """The structure and a question; answers are yes or no."""

    def describe(self, state, agent=0):
        """All that is known, the question, how one has done so far, and the rules."""
        done = int(state["clock"]["step"])
        so_far = f" Right answers so far: {int(state['right'])} of {done}." if done else ""
        question = question_of(self.world, state)
        return f"{self.told(state)} Question {done + 1}: {question}{so_far} {self.instructions(state, agent)}"

    def told(self, state: np.void) -> str:
        """What is known.

        Args:
            state: the record.
        """
        raise NotImplementedError

    def rule(self) -> str:
        """What the words of the question mean."""
        raise NotImplementedError

    def instructions(self, state, agent=0):
        """The rules."""
        return (
            f"{self.rule()} You are asked {int(self.world.params[0]['questions'])} such questions; each right answer "
            "counts 1, and as many are true as are not. Answer with yes or no."
        )


class FamilyWords(QuestionsWords):
    """A family, child by child."""

    def told(self, state):
        """Whose son or daughter everybody is."""
        n, parts = int(state["n"]), []
        for x in range(n):
            if state["father"][x] >= 0:
                kind = "son" if state["male"][x] else "daughter"
                parts.append(f"P{x} is the {kind} of P{int(state['father'][x])} and P{int(state['mother'][x])}.")
        return (
            f"A family of {n} people, P0 to P{n - 1}; the father is named before the mother. {' '.join(parts)} "
            "The parents of the others are not known."
        )

    def rule(self):
        """What the relation means."""
        return FAMILY_RULES[self.world.relation]


class GraphWords(QuestionsWords):
    """A graph, node by node."""

    def told(self, state):
        """The edges, and which nodes are red where that counts."""
        n, red = int(state["n"]), ""
        if self.world.relation == "adjacent_to_red":
            nodes = ", ".join(str(x) for x in range(n) if state["colour"][x] == RED)
            red = f" Red nodes: {nodes or 'none'}."
        edges = edges_text(state, bool(self.world.params[0]["directed"]))
        return f"A graph of {n} nodes, 0 to {n - 1}. {edges}{red}"

    def rule(self):
        """What the relation means."""
        p = self.world.params[0]
        if self.world.relation == "adjacent_to_red":
            itself = ", and a red node counts as adjacent to itself" if p["itself"] else ""
            return f"A node is adjacent to those that its edges lead to{itself}."
        if self.world.relation == "out_degree":
            return "Edges of a node are those that lead from it."
        return "A step goes along an edge."


def _answer(text: str) -> str:
    """What comes after the word action, or the whole text."""
    return [text, *_STATED.findall(text)][-1]


def _pairs(pattern: re.Pattern[str], text: str) -> list[tuple[str, str]]:
    """Different pairs that an answer holds, in order."""
    return list(dict.fromkeys(pattern.findall(_answer(text).lower())))


class SortingWords(Words):
    """The array, place by place; answers are two places."""

    def describe(self, state, agent=0):
        """The array, and the rules."""
        shown = ", ".join(f"{k + 1}: {state['number'][state['rank'][k]]}" for k in range(int(state["count"])))
        left = 2 * int(state["count"]) - int(state["clock"]["step"])
        return f"Places with their numbers: {shown}. Steps left: {left}. {self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        return (
            "Sort the numbers, the least at place 1: each step swaps the numbers at two places. The sorted array pays "
            "1; there are twice as many steps as places. Answer with two places, for example: swap 1 and 2"
        )

    def parse(self, text, state, agent=0):
        """Read two places: after the word swap, or the only two numbers of the answer."""
        if not text.strip():
            return Refusal(RefusalKind.EMPTY, "the answer is empty; answer with two places: swap 1 and 2")
        found, numbers = _pairs(_SWAP, text), _NUMBER.findall(_answer(text))
        if not found and len(numbers) == 2:
            found = [(numbers[0], numbers[1])]
        if not found:
            kind = RefusalKind.WRONG_COUNT if numbers else RefusalKind.UNREADABLE
            return Refusal(kind, "no two places found; answer with two of them: swap 1 and 2")
        if len(found) > 1:
            return Refusal(RefusalKind.AMBIGUOUS, "the answer holds several swaps; write one a step: swap 1 and 2")
        count, places = int(state["count"]), []
        for digits in found[0]:
            place = number_among(digits, count + 1)
            if isinstance(place, Refusal) or place == 0:
                return Refusal(RefusalKind.OUT_OF_RANGE, f"{digits[:18]} is no place; places are 1 to {count}")
            places.append(place - 1)
        if places[0] == places[1]:
            return Refusal(RefusalKind.ILLEGAL, "both places are the same; swap two different ones")
        return self.world.pairs.index((min(places), max(places)))


class PathWords(Words):
    """The graph, node by node; answers are nodes."""

    def describe(self, state, agent=0):
        """The graph, both nodes, the steps left, and the rules."""
        edges = edges_text(state, bool(self.world.params[0]["directed"]))
        return (
            f"A graph of {int(state['n'])} nodes. {edges} You are at node {int(state['place'])}, your target is node "
            f"{int(state['target'])}. Steps left: {int(state['left'])}. {self.instructions(state, agent)}"
        )

    def instructions(self, state, agent=0):
        """The rules."""
        return (
            "Each step goes along an edge to another node. The target pays 1, and you have as many steps as the "
            "shortest path to it. Answer with the number of the node to go to."
        )

    def parse(self, text, state, agent=0):
        """Read a node to which an edge leads."""
        if not text.strip():
            return Refusal(RefusalKind.EMPTY, "the answer is empty; answer with the number of a node")
        found = list(dict.fromkeys(_NUMBER.findall(_answer(text))))
        if not found:
            return Refusal(RefusalKind.UNREADABLE, "no node found; answer with the number of a node")
        ways = self.ways(state)
        listed = ", ".join(map(str, ways))
        if len(found) > 1 or len(_NUMBER.findall(_answer(text))) > 2:
            return Refusal(RefusalKind.AMBIGUOUS, f"the answer holds several numbers; answer with one of: {listed}")
        node = number_among(found[0], int(state["n"]))
        if isinstance(node, int) and node not in ways:
            return Refusal(RefusalKind.ILLEGAL, f"no edge leads to node {node}; you can go to: {listed}")
        return node

    def ways(self, state: np.void) -> list[int]:
        """Nodes that one can go to; where one is, if there are none.

        Args:
            state: the record.
        """
        n, place = int(state["n"]), int(state["place"])
        return np.flatnonzero(unpacked(state["edges"][place], n)).tolist() or [place]


def towers(below: np.ndarray, blocks: int) -> list[list[int]]:
    """Blocks of each tower from the ground up.

    Args:
        below: what each block stands on, (most,).
        blocks: how many there are.
    """
    above = {int(below[x]): x for x in range(blocks) if below[x] >= 0}
    found = [[x] for x in range(blocks) if below[x] < 0]
    for tower in found:
        while tower[-1] in above:
            tower.append(above[tower[-1]])
    return found


class BlocksWords(Words):
    """Towers, now and as they should be; answers are moves."""

    def describe(self, state, agent=0):
        """Both kinds of towers, and the rules."""
        blocks = int(state["blocks"])
        now, wanted = (
            "; ".join(" ".join(map(str, one)) for one in towers(state[name], blocks)) for name in ("below", "goal")
        )
        left = 4 * blocks - int(state["clock"]["step"])
        return (
            f"Towers of blocks, each from the ground up. Now: {now}. Wanted: {wanted}. Steps left: {left}. "
            f"{self.instructions(state, agent)}"
        )

    def instructions(self, state, agent=0):
        """The rules."""
        return (
            "Each step puts a block on which nothing stands onto the ground or onto another such block, and costs "
            "0.01. The wanted towers pay 1; it does not matter where on the ground they stand. There are four times as "
            "many steps as blocks. Answer with a move, for example: 3 on 5, or 3 on ground"
        )

    def parse(self, text, state, agent=0):
        """Read a move."""
        if not text.strip():
            return Refusal(RefusalKind.EMPTY, "the answer is empty; answer with a move: 3 on 5, or 3 on ground")
        found = _pairs(_MOVE, text)
        if not found:
            return Refusal(RefusalKind.UNREADABLE, "no move found; answer with a move: 3 on 5, or 3 on ground")
        if len(found) > 1:
            return Refusal(RefusalKind.AMBIGUOUS, "the answer holds several moves; write one a step: 3 on 5")
        blocks, most = int(state["blocks"]), len(state["below"])
        x = number_among(found[0][0], blocks)
        y = number_among(found[0][1], blocks) if found[0][1].isdecimal() else most
        for one in (x, y):
            if isinstance(one, Refusal):
                return Refusal(RefusalKind.OUT_OF_RANGE, f"{one.reason}; blocks are 0 to {blocks - 1}")
        fault = self.fault(state, int(x), int(y))  # ty: ignore[invalid-argument-type]
        return Refusal(RefusalKind.ILLEGAL, fault) if fault else int(x) * (most + 1) + int(y)  # ty: ignore

    def fault(self, state: np.void, x: int, y: int) -> str:
        """Why a move cannot be made; empty if it can.

        Args:
            state: the record.
            x: block to be moved.
            y: block to put it on; the number of columns of actions less one for the ground.
        """
        tops = [tower[-1] for tower in towers(state["below"], int(state["blocks"]))]
        free = ", ".join(map(str, tops))
        if x == y:
            return f"block {x} cannot stand on itself"
        if x not in tops:
            return f"something stands on block {x}; nothing stands on: {free}"
        if y == len(state["below"]):
            return f"block {x} stands on the ground already" if state["below"][x] < 0 else ""
        return "" if y in tops else f"something stands on block {y}; nothing stands on: {free}"
