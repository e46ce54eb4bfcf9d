"""Draws a house: its rooms and receptacles with what was seen in them, what is carried, the task, and the commands."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures, Words, companion
from envsuite.text_games.household.commands import command_text, name_of
from envsuite.text_games.household.kinds import CAN_OPEN
from envsuite.text_games.household.state import (
    CLEAN,
    COLD,
    EXAMINE,
    GO,
    HOT,
    INVENTORY,
    LIT,
    LOOK,
    MOST_SPOTS,
    SLICED,
    THINGS,
)

PAPER, INK, FAINT, FLOOR, HERE, WANTED = (
    (247, 244, 236),
    (40, 42, 48),
    (150, 148, 140),
    (228, 224, 212),
    (255, 206, 90),
    (176, 60, 40),
)
SHUT, SURFACE, UNKNOWN = (150, 112, 74), (214, 190, 150), (190, 186, 176)
MAP_SHARE, MAP_BOTTOM = 0.68, 0.8
"""Of the frame's width and height, what the rooms take."""
TOP, ROW, LISTED = 0.06, 0.034, 27
"""Of the frame's height, where the list of commands begins and a line of it; how many are shown."""
MARKS = ((HOT, "hot"), (COLD, "cold"), (CLEAN, "clean"), (SLICED, "sliced"), (LIT, "on"))
Box = tuple[float, float, float, float]


def room_boxes(state: np.void) -> list[Box]:
    """Left, top, right and bottom of each room, as shares of the frame.

    Args:
        state: a record `envsuite.text_games.household.state.State`.
    """
    count = int(state["game"]["room_count"])
    across, down = (1 if count == 1 else 2), (1 if count < 3 else 2)
    wide, high = MAP_SHARE / across, (MAP_BOTTOM - 0.02) / down
    return [
        (k % across * wide, 0.02 + k // across * high, (k % across + 1) * wide, 0.02 + (k // across + 1) * high)
        for k in range(count)
    ]


def spot_boxes(state: np.void) -> dict[int, Box]:
    """The same of each receptacle whose room was entered.

    Args:
        state: a record `envsuite.text_games.household.state.State`.
    """
    g, found = state["game"], {}
    for room, (left, top, right, bottom) in enumerate(room_boxes(state)):
        spots = [k for k in range(int(g["spot_count"])) if g["spot_room"][k] == room]
        if not state["entered"][room] or not spots:
            continue
        across = int(np.ceil(np.sqrt(len(spots) * (right - left) / (bottom - top) * 1.1)))
        down = -(-len(spots) // across)
        wide, high = (right - left - 0.01) / across, (bottom - top - 0.05) / down
        for k, spot in enumerate(spots):
            x, y = left + 0.005 + k % across * wide, top + 0.04 + k // across * high
            found[spot] = (x, y, x + wide, y + high)
    return found


def shown_commands(state: np.void) -> list[int]:
    """Indices of the commands that the picture lists: going is done in the map, looking comes last.

    Args:
        state: a record `envsuite.text_games.household.state.State`.
    """
    rows = state["commands"][: int(state["command_count"])].tolist()
    last = (LOOK, INVENTORY, EXAMINE)
    order = sorted((row[0] in last, k) for k, row in enumerate(rows) if row[0] != GO)
    return [k for _, k in order][:LISTED]


class HouseholdPictures(Pictures):
    """The rooms that were entered, their receptacles with what was seen in them, the task, and the commands."""

    size = (900, 560)
    fps = 2

    def draw(self, state, size):
        """Draw one house."""
        width, height = size
        canvas = Canvas(width, height, PAPER)
        unit = height / 560
        for room, box in enumerate(room_boxes(state)):
            left, top, right, bottom = self._pixels(box, size)
            canvas.rectangle((left + unit, top, right - unit, bottom - 2 * unit), FLOOR, 4 * unit)
            here = room == int(state["room"])
            title = name_of(state, THINGS + MOST_SPOTS + room)
            canvas.text((left + 6 * unit, top + 3 * unit), title, INK if here else FAINT, 12 * unit)
            if here and state["spot"] < 0:
                canvas.circle((right - 12 * unit, top + 11 * unit), 6 * unit, HERE)
        for spot, box in spot_boxes(state).items():
            self._spot(canvas, state, spot, self._pixels(box, size), unit)
        task = companion(self.world, Words).write(state.reshape(1) if state.shape else np.array([state]))[0]
        lines = [task.splitlines()[-1], f"In hand: {self._thing(state, int(state['carried']))}"]
        status = "Done." if state["won"] else "Not possible." if state["refused"] else ""
        for k, line in enumerate((*lines, status)):
            y = MAP_BOTTOM * height + (8 + 22 * k) * unit
            canvas.text((8 * unit, y), canvas.cut(line, MAP_SHARE * width - 16 * unit, 13 * unit), INK, 13 * unit)
        self._commands(canvas, state, size, unit)
        return canvas.to_array()

    def _pixels(self, box: Box, size: tuple[int, int]) -> Box:
        left, top, right, bottom = box
        return left * size[0], top * size[1], right * size[0], bottom * size[1]

    def _thing(self, state: np.void, t: int) -> str:
        if t < 0:
            return "nothing"
        marks = [word for bit, word in MARKS if state["traits"][t] & bit]
        return " ".join((*marks, name_of(state, t)))

    def _spot(self, canvas: Canvas, state: np.void, spot: int, box, unit: float) -> None:
        g, (left, top, right, bottom) = state["game"], box
        kind = int(g["spot_kind"][spot])
        shut = CAN_OPEN[kind] and not state["open"][spot]
        canvas.rectangle(box, HERE if spot == int(state["spot"]) else FLOOR, 4 * unit)
        inner = (left + 3 * unit, top + 3 * unit, right - 3 * unit, bottom - 3 * unit)
        canvas.rectangle(inner, SHUT if shut else SURFACE if state["searched"][spot] else UNKNOWN, 3 * unit)
        name, wide = name_of(state, THINGS + spot), right - left - 12 * unit
        text = max(min(0.2 * (bottom - top), 1.9 * wide / len(name), 11 * unit), 6 * unit, 1.0)
        ink = PAPER if shut else WANTED if kind == int(g["goal"]) else INK
        canvas.text((left + 6 * unit, top + 5 * unit), canvas.cut(name, wide, text), ink, text)
        known = state["seen"] if g["recall"] else (state["place"] == state["spot"]) & (not shut)
        things = [t for t in range(int(g["thing_count"])) if int(state["place"][t]) == spot and known[t]]
        line = text + unit
        room = int((bottom - top - 12 * unit - text) / line)
        for k, t in enumerate(things[: max(room, 0)]):
            color = WANTED if g["thing_kind"][t] == g["wanted"] else PAPER if shut else INK
            label = self._thing(state, t) if k < room - 1 or len(things) <= room else f"and {len(things) - k} more"
            y = top + 8 * unit + text + k * line
            canvas.text((left + 8 * unit, y), canvas.cut(label, wide, text), color, text)

    def _commands(self, canvas: Canvas, state: np.void, size: tuple[int, int], unit: float) -> None:
        width, height = size
        left = MAP_SHARE * width
        canvas.rectangle((left, 0, width, height), (255, 254, 250))
        canvas.text((left + 10 * unit, 6 * unit), "commands (click, also into the map)", FAINT, 12 * unit)
        for k, number in enumerate(shown_commands(state)):
            shown = command_text(state, *state["commands"][number].item())
            y = (TOP + ROW * k) * height
            canvas.text((left + 10 * unit, y), canvas.cut(shown, width - left - 20 * unit, 12 * unit), INK, 12 * unit)
