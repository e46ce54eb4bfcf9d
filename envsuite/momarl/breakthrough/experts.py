"""The reference player of breakthrough."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.core.jit import kernel
from envsuite.momarl.breakthrough.world import legal


class Captain:
    """Wins where it can, captures, and advances the foremost pawn to where it cannot be taken, or is protected."""

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The current player's move, for both players."""
        actions = np.zeros((len(states), 2), np.int64)
        _choose(states, actions)
        return actions


@kernel
def _around(s, row, column, piece):
    """Pawns of one side in the two squares beside (row, column)."""
    height, width = s.board.shape
    if row < 0 or row >= height:
        return 0
    found = 0
    for side in (-1, 1):
        if 0 <= column + side < width:
            found += s.board[row, column + side] == piece
    return found


@kernel
def _choose(states, actions):
    for n in range(states.shape[0]):
        s = states[n]
        height, width = s.board.shape
        player = np.int64(s.current_player)
        forward = 1 if player == 0 else -1
        best, chosen = -1000000, 0
        for y in range(height):
            gone = y if player == 0 else height - 1 - y
            for x in range(width):
                for way in range(3):
                    if not legal(s, x, y, way):
                        continue
                    row, column = y + forward, x + way - 1
                    attackers = _around(s, row + forward, column, 2 - player)
                    guards = _around(s, row - forward, column, player + 1)
                    if way != 1:
                        guards -= 1  # the pawn that moves is one of them
                    value = 4 * gone
                    if gone + 2 == height:
                        value += 100000
                    if s.board[row, column] != 0:  # the nearer the captured pawn was to its goal, the better
                        value += 200 + 300 * (height - gone) // height
                    if attackers > guards:
                        value -= 150
                    elif attackers == 0 and gone + 3 == height:
                        value += 5000
                    if value > best:
                        best, chosen = value, x * 3 * height + y * 3 + way
        actions[n, 0], actions[n, 1] = chosen, chosen


class BreakthroughPlayers(Players):
    """The captain."""

    def expert(self):
        """Captures and advances with care; see `experts.Captain`."""
        return Captain()
