"""Draws families, graphs, arrays and towers."""

import numpy as np

from envsuite.core import Pictures
from envsuite.core.canvas import Canvas
from envsuite.text_games.relations.bits import unpacked
from envsuite.text_games.relations.blocks import GROUND
from envsuite.text_games.relations.graphs import RED
from envsuite.text_games.relations.language import question_of, towers

PAPER, INK, FAINT = (250, 249, 245), (40, 44, 52), (176, 182, 190)
MAN, WOMAN, NODE = (186, 208, 236), (246, 206, 214), (222, 228, 234)
ASKED, OTHER, RED_NODE = (240, 150, 40), (84, 160, 90), (220, 70, 64)
RIGHT, WRONG = (46, 140, 70), (196, 50, 44)
TOP = 0.17
"""Share of the height that the line of text has."""


def headline(canvas: Canvas, text: str, color=INK) -> None:
    """Write a line at the top, as large as fits.

    Args:
        canvas: to draw on.
        text: the line.
        color: of the letters.
    """
    tall = 0.06 * canvas.height
    tall = min(tall, tall * 0.94 * canvas.width / max(1.0, canvas.text_width(text, tall)))
    canvas.text((0.03 * canvas.width, 0.06 * canvas.height), text, color, tall, "lm")


def answers_line(canvas: Canvas, world, state: np.void) -> None:
    """Write how the last answer was, and all of them."""
    done = int(state["clock"]["step"])
    if done:
        word, color = ("right", RIGHT) if state["correct"] else ("wrong", WRONG)
        text = f"last answer {word}, {int(state['right'])} of {done} right"
        canvas.text((0.03 * canvas.width, 0.125 * canvas.height), text, color, 0.045 * canvas.height, "lm")


def generations(state: np.void) -> list[int]:
    """A row for each person: parents above children, couples in one row.

    Args:
        state: a record of a family.
    """
    n = int(state["n"])
    children = [(x, int(state["father"][x]), int(state["mother"][x])) for x in range(n) if state["father"][x] >= 0]
    level = [0] * n
    for _ in range(n):
        before = list(level)
        for x, f, m in children:
            level[f] = level[m] = max(level[f], level[m])
            level[x] = max(level[x], level[f] + 1)
        if level == before:
            break
    return level


def family_places(state: np.void, size: tuple[float, float]) -> list[tuple[float, float]]:
    """Where people are drawn, pixels: each generation a row, children near their parents.

    Args:
        state: a record of a family.
        size: (width, height), pixels.
    """
    level, n = generations(state), int(state["n"])
    rows, spots = max(level) + 1, [(0.0, 0.0)] * n
    top, tall = (TOP + 0.06) * size[1], (0.94 - TOP) * size[1]
    for row in range(rows):
        members = [x for x in range(n) if level[x] == row]
        mates = {}
        for x in range(n):
            if state["father"][x] >= 0:
                mates[int(state["mother"][x])] = int(state["father"][x])

        def key(x: int, mates=mates) -> tuple[float, int, int]:
            leader = mates.get(x, x)
            parent = int(state["father"][leader])
            leader, second = (leader, 1 if leader != x else 0)
            return (spots[parent][0] if parent >= 0 else 0.0, leader, second)

        for k, x in enumerate(sorted(members, key=key)):
            spots[x] = ((k + 0.5) / len(members) * size[0], top + (row + 0.5) / rows * 0.9 * tall)
    return spots


def node_places(n: int, size: tuple[float, float]) -> list[tuple[float, float]]:
    """Where nodes are drawn: in a ring, the first at the top, clockwise.

    Args:
        n: how many there are.
        size: (width, height) of the picture.
    """
    turn = 2 * np.pi * np.arange(n) / n - np.pi / 2
    middle, radius = (0.5 * size[0], 0.58 * size[1]), 0.35 * size[1]
    wide = radius * min(1.6, size[0] / size[1])
    return [(middle[0] + wide * float(np.cos(a)), middle[1] + radius * float(np.sin(a))) for a in turn]


def columns(count: int, width: float) -> list[tuple[float, float]]:
    """Left and right ends of the places of an array.

    Args:
        count: numbers in it.
        width: of the picture.
    """
    return [((0.03 + 0.94 * k / count) * width, (0.03 + 0.94 * (k + 1) / count) * width) for k in range(count)]


def room_for(state: np.void) -> int:
    """How many towers are drawn side by side: those that are or should be, and an empty place for one more.

    Args:
        state: a record of blocks.
    """
    most = max(int((state[name] == GROUND).sum()) for name in ("below", "goal"))
    return max(most, 4) + 1


def tower_columns(count: int, left: float, right: float) -> list[tuple[float, float]]:
    """Left and right ends of towers.

    Args:
        count: how many there are.
        left: where they begin.
        right: where they end.
    """
    pitch = (right - left) * 0.94 / count
    start = left + 0.03 * (right - left)
    return [(start + k * pitch, start + (k + 0.86) * pitch) for k in range(count)]


def draw_graph(canvas: Canvas, state: np.void, directed: bool, fills: dict[int, tuple[int, int, int]]) -> None:
    """Draw the edges and nodes of a graph.

    Args:
        canvas: to draw on.
        state: a record with a graph.
        directed: edges have arrows.
        fills: colours of nodes by number.
    """
    n = int(state["n"])
    spots = np.array(node_places(n, (canvas.width, canvas.height)))
    edges = unpacked(state["edges"], n)[:n]
    radius = min(0.045 * canvas.height, 0.9 * canvas.height / n)
    thick = max(0.6, 0.004 * canvas.height)
    for x, y in np.argwhere(edges):
        a, b = spots[x], spots[y]
        along = (b - a) / max(1e-9, float(np.hypot(*(b - a))))
        if directed:
            tip, side = b - radius * along, np.array([-along[1], along[0]])
            back = tip - 0.6 * radius * along
            canvas.line([tuple(a), tuple(tip)], FAINT, thick)
            canvas.polygon([tip, back + 0.3 * radius * side, back - 0.3 * radius * side], INK)
        elif x < y:
            canvas.line([tuple(a), tuple(b)], FAINT, thick)
    for x in range(n):
        canvas.circle(tuple(spots[x]), radius, fills.get(x, NODE), INK, thick)
        canvas.text(tuple(spots[x]), str(x), INK, 1.1 * radius, "mm")


class FamilyPictures(Pictures):
    """A tree with a row for each generation."""

    size = (560, 420)
    fps = 1

    def draw(self, state, size):
        """Draw men as squares, women as circles, and lines from couples to their children."""
        canvas = Canvas(*size, PAPER)
        headline(canvas, question_of(self.world, state))
        answers_line(canvas, self.world, state)
        spots, n = family_places(state, size), int(state["n"])
        crowd = max(np.bincount(generations(state)))
        radius = min(0.04 * size[1], 0.42 * size[0] / crowd)
        thick = max(0.6, 0.004 * size[1])
        for x in range(n):
            if state["father"][x] >= 0:
                a, b = spots[int(state["father"][x])], spots[int(state["mother"][x])]
                joint = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
                canvas.line([a, b], INK, 1.6 * thick)
                canvas.line([joint, spots[x]], FAINT, thick)
        asked, other = int(state["x"]), int(state["y"])
        for x in range(n):
            fill = ASKED if x == asked else OTHER if x == other else MAN if state["male"][x] else WOMAN
            left, top = spots[x][0] - radius, spots[x][1] - radius
            if state["male"][x]:
                canvas.rectangle((left - thick, top - thick, left + 2 * radius + thick, top + 2 * radius + thick), INK)
                canvas.rectangle((left, top, left + 2 * radius, top + 2 * radius), fill)
            else:
                canvas.circle(spots[x], radius, fill, INK, thick)
            canvas.text(spots[x], f"P{x}", INK, 0.9 * radius, "mm")
        legend = "squares: men, circles: women; lines lead from couples down to children"
        canvas.text((0.03 * size[0], 0.975 * size[1]), legend, INK, 0.035 * size[1], "lm")
        return canvas.to_array()


class GraphPictures(Pictures):
    """Nodes in a ring."""

    size = (480, 420)
    fps = 1

    def draw(self, state, size):
        """Draw the graph; the nodes of the question are marked."""
        canvas = Canvas(*size, PAPER)
        headline(canvas, question_of(self.world, state))
        answers_line(canvas, self.world, state)
        fills = {}
        if self.world.relation == "adjacent_to_red":
            fills = {x: RED_NODE for x in range(int(state["n"])) if state["colour"][x] == RED}
        spots = node_places(int(state["n"]), size)
        ring = min(0.065 * size[1], 1.3 * size[1] / int(state["n"]))
        for name, color in (("y", OTHER), ("x", ASKED)):
            canvas.circle(spots[int(state[name])], ring, color)
        draw_graph(canvas, state, bool(self.world.params[0]["directed"]), fills)
        return canvas.to_array()


class PathPictures(Pictures):
    """Nodes in a ring, a walker and a target."""

    size = (480, 420)
    fps = 2

    def draw(self, state, size):
        """Draw the graph; where one is and wants to be is marked."""
        canvas = Canvas(*size, PAPER)
        place, target = int(state["place"]), int(state["target"])
        if place == target:
            headline(canvas, "The target is reached", RIGHT)
        else:
            headline(canvas, f"Go from node {place} to node {target} in {int(state['left'])} steps")
        draw_graph(canvas, state, bool(self.world.params[0]["directed"]), {target: OTHER, place: ASKED})
        return canvas.to_array()


class SortingPictures(Pictures):
    """Bars, as high as their numbers."""

    size = (480, 300)
    fps = 3

    def draw(self, state, size):
        """Draw a bar for each number; those at their places are green."""
        width, height = size
        canvas, count = Canvas(width, height, PAPER), int(state["count"])
        done = all(state["rank"][k] == k for k in range(count))
        headline(canvas, "Sorted" if done else "Sort the bars: swap two", RIGHT if done else INK)
        most, floor = int(state["number"][count - 1]), 0.84 * height
        for k, (left, right) in enumerate(columns(count, width)):
            rank = int(state["rank"][k])
            number, wide = int(state["number"][rank]), right - left
            top = floor - max(1.0, 0.66 * height * number / most)
            canvas.rectangle((left + 0.1 * wide, top, right - 0.1 * wide, floor), OTHER if rank == k else MAN)
            canvas.text(
                ((left + right) / 2, floor + 0.04 * height), str(number), INK, min(0.05 * height, 0.45 * wide), "mm"
            )
            canvas.text(
                ((left + right) / 2, floor + 0.11 * height), str(k + 1), FAINT, min(0.05 * height, 0.45 * wide), "mm"
            )
        return canvas.to_array()


class BlocksPictures(Pictures):
    """Two rows of towers side by side: as they are, and as they should be."""

    size = (560, 320)
    fps = 3

    def draw(self, state, size):
        """Draw both; blocks at their places are green."""
        width, height = size
        canvas, blocks = Canvas(width, height, PAPER), int(state["blocks"])
        floor = 0.93 * height
        sides = {name: towers(state[name], blocks) for name in ("below", "goal")}
        highest = max(len(one) for side in sides.values() for one in side)
        pitch = 0.47 * width / room_for(state)
        tall = min(1.0 * pitch, 0.76 * height / highest)
        for name, title, left in (("below", "Now", 0.0), ("goal", "Wanted", 0.5)):
            canvas.text(((left + 0.02) * width, 0.07 * height), title, INK, 0.08 * height, "lm")
            canvas.rectangle(((left + 0.01) * width, floor, (left + 0.49) * width, floor + 0.02 * height), INK)
            spans = tower_columns(room_for(state), left * width, (left + 0.5) * width)
            for (start, end), tower in zip(spans, sides[name], strict=False):
                good = True
                for level, x in enumerate(tower):
                    good = good and state["below"][x] == state["goal"][x]
                    box = (start, floor - (level + 0.93) * tall, end, floor - level * tall)
                    fill = OTHER if name == "below" and good else MAN if name == "below" else NODE
                    canvas.rectangle(box, fill, 0.12 * tall)
                    middle = ((start + end) / 2, (box[1] + box[3]) / 2)
                    canvas.text(middle, str(x), INK, 0.6 * min(tall, end - start), "mm")
        return canvas.to_array()
