"""Pictures of games at a table: each player sees its own side only."""

from typing import Any, ClassVar

import numpy as np

from envsuite.core import Pictures
from envsuite.core.canvas import Canvas

FELT = (38, 92, 74)
PAPER, INK, RED, BACK = (246, 244, 236), (40, 40, 46), (190, 46, 46), (70, 92, 150)
LIGHT, SHADE = (232, 238, 230), (150, 178, 164)
PLAYERS = ((238, 190, 44), (214, 62, 62))
READABLE = 200
"""Pixels of height from which a picture has words."""
OPEN = 2
"""The viewer who plays neither side and sees all; the others are the agents."""
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


class TurnPictures(Pictures):
    """A table as one of the players sees it, or with open cards; by default as the first agent does."""

    size = (420, 300)
    fps = 2
    views: ClassVar[tuple[str, ...]] = ("player_0", "player_1", "open")

    def paint(self, canvas: Canvas, state: np.void, viewer: int) -> None:
        """Draw the table as one of the players sees it.

        Args:
            canvas: to draw on.
            state: one record.
            viewer: the agent, or `OPEN`.
        """
        raise NotImplementedError

    def ending(self, state: np.void) -> str:
        """The line below a game that is over.

        Args:
            state: one record.
        """
        total = float(state["total"])
        return "drawn" if total == 0 else f"player {0 if total > 0 else 1} has won"

    def seen_by(self, state: np.void, size: tuple[int, int], viewer: int) -> np.ndarray:
        """A picture for one viewer, uint8 (height, width, 3); see `paint`."""
        canvas = Canvas(*size, FELT)
        self.paint(canvas, state, viewer)
        if size[1] >= READABLE:
            canvas.text((0.03 * size[0], 0.955 * size[1]), self._line(state), LIGHT, 0.05 * size[1], "lm")
        return canvas.to_array()

    def draw(self, state, size):
        """The table in the chosen view."""
        return self.seen_by(state, size, self.views.index(self.view))

    def draw_for(self, state, size, agent):
        """The agent's own side."""
        return self.seen_by(state, size, agent)

    def draw_many(self, states: np.ndarray, form: str, out: np.ndarray) -> None:
        """Each agent's own view."""
        height, width, _ = self.forms[form]
        for i, state in enumerate(states):
            for agent in range(2):
                out[i, agent] = self.seen_by(state, (width, height), agent)

    def _line(self, state: np.void) -> str:
        if state["over"]:
            return self.ending(state)
        return f"player {int(state['current_player'])} to move, move {int(state['clock']['step']) + 1}"


def may_see(viewer: int, owner: int) -> bool:
    """Whether a viewer sees what a player hides."""
    return viewer in (owner, OPEN)


def bottom(viewer: int) -> int:
    """The player who sits at the bottom of the picture."""
    return 1 if viewer == 1 else 0


def card(canvas: Canvas, box: tuple[float, float, float, float], rank: Any) -> None:
    """A card.

    Args:
        canvas: to draw on.
        box: left, top, right, bottom, pixels.
        rank: a letter; None for its back.
    """
    left, top, right, low = box
    canvas.rectangle(box, PAPER, 0.08 * (right - left))
    if rank is None:
        inset = 0.09 * (right - left)
        canvas.rectangle((left + inset, top + inset, right - inset, low - inset), BACK, inset)
    else:
        color = RED if rank == "Q" else INK
        canvas.text(((left + right) / 2, (top + low) / 2), rank, color, 0.62 * (low - top), "mm")


def chips(canvas: Canvas, center: tuple[float, float], count: int, radius: float, player: int) -> None:
    """A row of chips."""
    for k in range(count):
        x = center[0] + (k - (count - 1) / 2) * 1.5 * radius
        canvas.circle((x, center[1]), radius, PLAYERS[player], (60, 60, 60), 0.12 * radius)


def die(canvas: Canvas, center: tuple[float, float], side: float, face: int) -> None:
    """A die with its pips; 0 for one that is covered."""
    x, y, half = *center, side / 2
    canvas.rectangle((x - half, y - half, x + half, y + half), PAPER if face else BACK, 0.18 * side)
    for across, down in _PIPS.get(face, ()):
        canvas.circle((x + 0.27 * side * across, y + 0.27 * side * down), 0.1 * side, INK)
