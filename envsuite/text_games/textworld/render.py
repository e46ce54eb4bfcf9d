"""Draws a text world: the rooms that were visited, what is here and carried, and the commands."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.text_games.textworld.commands import name_of, possible_commands
from envsuite.text_games.textworld.state import CONTAINER, KINDS, LOCKED, OPEN, SUPPORTER

PAPER, INK, FAINT, ROOM, HERE, ITEM = (
    (247, 244, 236),
    (40, 42, 48),
    (150, 148, 140),
    (214, 222, 232),
    (255, 214, 120),
    (96, 132, 92),
)
WOOD, BOX, LINE = (168, 122, 74), (126, 92, 58), (112, 124, 140)
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Across and down to the room in each direction."""
MAP_SHARE = 0.6
"""Of the frame's width, what the map takes."""
TOP, ROW = 0.06, 0.034
"""Of the frame's height: where the list of commands begins, and a line of it."""
LISTED = 27
"""Commands that are shown; more have to be typed."""


def positions(state: np.void) -> dict[int, tuple[int, int]]:
    """Where visited rooms are drawn, from the player's room on; ways that would cross others are left out.

    Args:
        state: a record `State`.
    """
    exits, visited = state["game"]["exits"], state["visited"]
    found, taken, queue = {int(state["room"]): (0, 0)}, {(0, 0)}, [int(state["room"])]
    for room in queue:
        for side, (across, down) in enumerate(STEPS):
            other = int(exits[4 * room + side])
            spot = found[room][0] + across, found[room][1] + down
            if other >= 0 and visited[other] and other not in found and spot not in taken:
                found[other] = spot
                taken.add(spot)
                queue.append(other)
    return found


class TextPictures(Pictures):
    """A map of the visited rooms, the contents of the room, the inventory, and the list of commands."""

    size = (760, 520)
    fps = 2

    def draw(self, state, size):
        """Draw one game."""
        width, height = size
        canvas = Canvas(width, height, PAPER)
        unit = height / 520
        self._map(canvas, state, (0, 0, MAP_SHARE * width, 0.56 * height), unit)
        self._things(canvas, state, (0, 0.56 * height, MAP_SHARE * width, height), unit)
        self._commands(canvas, state, size, unit)
        return canvas.to_array()

    def _map(self, canvas: Canvas, state: np.void, box, unit: float) -> None:
        left, top, right, bottom = box
        cell, tall = self._spacing(state, (right - left, bottom - top), unit)
        middle = np.array([(left + right) / 2, (top + bottom) / 2 + 8 * unit])
        spots = positions(state)
        game = state["game"]
        for room, (x, y) in spots.items():
            center = middle + np.array([x * cell, y * tall])
            for side, (across, down) in enumerate(STEPS):
                other, gate = int(game["exits"][4 * room + side]), int(game["gates"][4 * room + side])
                if other < 0:
                    continue
                end = center + np.array([across * cell, down * tall]) * 0.5
                canvas.line([tuple(center), tuple(end)], LINE, 3 * unit)
                if gate >= 0:
                    status = int(state["door_state"][gate])
                    color = {OPEN: ITEM, LOCKED: (190, 60, 50)}.get(status, WOOD)
                    canvas.circle(tuple(center + np.array([across * cell, down * tall]) * 0.5), 6 * unit, color)
        text = min(12 * unit, 0.12 * cell)
        for room, (x, y) in spots.items():
            cx, cy = middle + np.array([x * cell, y * tall])
            here = room == int(state["room"])
            wide, high = 0.4 * cell, 0.3 * tall
            canvas.rectangle((cx - wide, cy - high, cx + wide, cy + high), HERE if here else ROOM, 5 * unit)
            name = self.world.names[game["room_name"][room]]
            canvas.text((cx, cy), canvas.cut(name, 2 * wide - 4 * unit, text), INK, text, "mm")
        canvas.rectangle((0, 0, right, 22 * unit), PAPER)
        best = int(game["reward"][: int(game["quest_count"])].sum())
        status = "won" if state["won"] else "lost" if state["lost"] else ""
        canvas.text((8 * unit, 5 * unit), f"score {int(state['score'])} of {best}   {status}", INK, 13 * unit)

    def _spacing(self, state: np.void, room: tuple[float, float], unit: float) -> tuple[float, float]:
        """Pixels between rooms, across and down, such that all are in the picture."""
        spots = np.abs(list(positions(state).values()))
        across, down = 2 * spots.max(0) + 1.2
        cell = min(130 * unit, room[0] / across, 2 * room[1] / down)
        return cell, min(62 * unit, cell / 2)

    def _things(self, canvas: Canvas, state: np.void, box, unit: float) -> None:
        left, top, right, bottom = box
        canvas.rectangle((left, top, right, bottom), (238, 234, 222))
        halves = (("here", self._here(state)), ("carried", self._inside(state, self.world.size.rooms, 0)))
        for k, (title, rows) in enumerate(halves):
            x = left + (10 + k * (right - left) / unit * 0.55) * unit
            canvas.text((x, top + 6 * unit), title, FAINT, 12 * unit)
            for line, (depth, color, text) in enumerate(rows[:11]):
                y = top + (25 + 18 * line) * unit
                start = x + 14 * depth * unit
                canvas.rectangle((start, y + 2 * unit, start + 10 * unit, y + 12 * unit), color, 2 * unit)
                room = (0.52 if k == 0 else 0.43) * (right - left) - 14 * (depth + 1) * unit
                canvas.text((start + 15 * unit, y), canvas.cut(text, room, 12 * unit), INK, 12 * unit)

    def _here(self, state: np.void) -> list[tuple[int, tuple[int, int, int], str]]:
        """Rows of what is in the room: depth, colour and name."""
        return self._inside(state, int(state["room"]), 0)

    def _inside(self, state: np.void, place: int, depth: int):
        rows, game = [], state["game"]
        for t in range(int(game["thing_count"])):
            if int(state["place"][t]) != place:
                continue
            kind, name = int(game["kind"][t]), name_of(state, self.world.names, t)
            if kind == CONTAINER:
                lid = ("open", "closed", "locked", "")[int(state["lid"][t])]
                rows.append((depth, BOX, f"{name} ({lid})" if lid else name))
                if int(state["lid"][t]) == OPEN:
                    rows += self._inside(state, self.world.size.rooms + 1 + t, depth + 1)
            elif kind == SUPPORTER:
                rows.append((depth, WOOD, name))
                rows += self._inside(state, self.world.size.rooms + 1 + t, depth + 1)
            else:
                rows.append((depth, ITEM if KINDS[kind] != "key" else (200, 168, 40), name))
        return rows

    def _commands(self, canvas: Canvas, state: np.void, size: tuple[int, int], unit: float) -> None:
        width, height = size
        left = MAP_SHARE * width
        canvas.rectangle((left, 0, width, height), (255, 254, 250))
        canvas.text((left + 10 * unit, 6 * unit), "commands", FAINT, 12 * unit)
        for k, command in enumerate(possible_commands(state, self.world.names)[:LISTED]):
            y = (TOP + ROW * k) * height
            shown = canvas.cut(command, width - left - 20 * unit, 12 * unit)
            canvas.text((left + 10 * unit, y), shown, INK, 12 * unit)
