"""Pictures: what players see, or the whole world."""

import numpy as np

from envsuite.core import Pictures
from envsuite.core.jit import records
from envsuite.crafting.crafter.painting import paint_batch, paint_world
from envsuite.crafting.crafter.textures import atlas, digits, vignette
from envsuite.crafting.crafter.things import VIEW


class CrafterPictures(Pictures):
    """The view of a player, 9 x 7 cells and the inventory, as agents see it; or, ``"world"``, all cells from above."""

    size = (576, 576)
    fps = 5
    views = ("player", "world")
    forms = {"pixels": (64, 64, 3)}

    def draw(self, state, size):
        """Draw the view of the player, of several side by side, or the world."""
        if self.view == "world":
            return self._world(state, size)
        agents = max(1, len(self.world.agents))
        if agents == 1:
            return self.draw_for(state, size, 0)
        width, height = size
        across = -(-agents // 2) if agents > 3 else agents
        down = -(-agents // across)
        part = (width // across, height // down)
        out: np.ndarray = np.zeros((height, width, 3), np.uint8)
        for k in range(agents):
            top, left = k // across * part[1], k % across * part[0]
            out[top : top + part[1], left : left + part[0]] = self.draw_for(state, part, k)
        return out

    def draw_for(self, state, size, agent):
        """Draw what one player sees."""
        width, height = size
        sides = max(height, VIEW[0]), max(width, VIEW[0])  # a cell is a pixel at least
        out = np.zeros((1, max(1, len(self.world.agents)), *sides, 3), np.uint8)
        self._paint(np.array([state]), out)
        return out[0, agent, :height, :width]

    def draw_many(self, states, form, out):
        """Draw what all players see."""
        self._paint(states, out.reshape(len(states), -1, *self.forms[form]))

    def _paint(self, states: np.ndarray, out: np.ndarray) -> None:
        unit = min(out.shape[2], out.shape[3]) // VIEW[0]
        paint_batch(records(states), records(self.world.params), atlas(unit), digits(), vignette(unit), out)

    def _world(self, state: np.void, size: tuple[int, int]) -> np.ndarray:
        width, height = size
        columns, rows = state["terrain"].shape
        unit = max(1, min(width // columns, height // rows))
        out = np.zeros((max(height, unit * rows), max(width, unit * columns), 3), np.uint8)
        paint_world(records(np.array([state]))[0], records(self.world.params)[0], atlas(unit), out)
        return out[:height, :width]
