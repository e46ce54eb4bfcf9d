"""Keys and clicks."""

import numpy as np

from envsuite.core import Controls
from envsuite.memory.popgym.drawing import board, table
from envsuite.memory.popgym.render import SIZE


class RecallControls(Controls):
    """First letters of the suits."""

    def keys(self):
        """S, D, C and H."""
        return {(name[0],): k for k, name in enumerate(self.world.action.names)}


class CountRecallControls(Controls):
    """Digits, then letters, in the order of the counts."""

    def keys(self):
        """0 to 9, then a for 10."""
        return {
            (key,): k for k, key in enumerate("0123456789abcdefghijklmnopqrstuvwxyz"[: len(self.world.action.names)])
        }


class HigherLowerControls(Controls):
    """Arrow keys."""

    def keys(self):
        """Up for higher, down for lower."""
        return {("up",): 0, ("down",): 1}


class ConcentrationControls(Controls):
    """The mouse."""

    def keys(self):
        """None."""
        return {}

    def click(self, place, held, state):
        """The card at `place`."""
        x, y = place[0] * SIZE[0], place[1] * SIZE[1]
        for k, (left, top, right, bottom) in enumerate(table(self.world.cards, SIZE)):
            if left <= x < right and top <= y < bottom:
                return k
        return None


class GridControls(Controls):
    """The mouse, on a board."""

    def keys(self):
        """None."""
        return {}

    def click(self, place, held, state):
        """The cell at `place`."""
        left, top, side = board(SIZE)
        column = (place[0] * SIZE[0] - left) / side * self.world.size
        row = (place[1] * SIZE[1] - top) / side * self.world.size
        inside = 0 <= row < self.world.size and 0 <= column < self.world.size
        return np.array([int(row), int(column)]) if inside else None


class BattleshipControls(GridControls):
    """Clicks are shots."""


class MineSweeperControls(GridControls):
    """Clicks open cells."""


class BanditControls(Controls):
    """Digits, then letters, in the order of the arms."""

    def keys(self):
        """1 to 9, then a for the tenth."""
        return {(key,): k for k, key in enumerate("123456789abcdefghijklmnopqrstuvwxyz"[: self.world.arms])}


class PendulumControls(Controls):
    """Arrow keys."""

    def keys(self):
        """Left turns counter-clockwise."""
        return {("left",): np.array([2.0], np.float32), ("right",): np.array([-2.0], np.float32)}
