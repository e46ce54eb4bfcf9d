"""The rules of SameGame on one record, the batch loops, and the world."""

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import kernel
from envsuite.core.layout import Choice
from envsuite.core.loops import batch_loops
from envsuite.core.world import Reward, World
from envsuite.momarl.samegame.state import (
    MOST_COLORS,
    PARAMS,
    action_layout,
    info_dtype,
    observation_layout,
    state_dtype,
)
from envsuite.momarl.world import named, number, one_of, whole

COLORS = (
    (214, 66, 66), (64, 130, 210), (76, 170, 90), (236, 190, 60), (150, 92, 190),
    (240, 130, 50), (60, 180, 180), (230, 130, 180), (130, 100, 80), (110, 110, 110),
)  # fmt: skip
RULES = ("square", "classic")


@kernel
def grouped(s, i, j):
    """Whether a tile has a neighbour of its colour."""
    height, width = s.board.shape
    color = s.board[i, j]
    if color == 0:
        return False
    above = i > 0 and s.board[i - 1, j] == color
    below = i + 1 < height and s.board[i + 1, j] == color
    before = j > 0 and s.board[i, j - 1] == color
    after = j + 1 < width and s.board[i, j + 1] == color
    return above or below or before or after


@kernel
def any_group(s):
    """Whether there is a legal move."""
    height, width = s.board.shape
    for i in range(height):
        for j in range(width):
            if grouped(s, i, j):
                return True
    return False


@kernel
def reset(s, p):
    """Fill the board, each tile's colour by chance, until there is a group."""
    height, width = s.board.shape
    found = False
    while not found:
        for i in range(height):
            for j in range(width):
                s.board[i, j] = np.int8(1 + rng.integers(s.rng, rng.RESET, np.int64(p.colors)))
        found = any_group(s)
    s.current_player, s.left = np.uint8(0), np.int32(height * width)


@kernel
def take(s, row, column):
    """Remove the group of a tile; how many tiles it had."""
    height, width = s.board.shape
    color = s.board[row, column]
    s.board[row, column], s.stack[0] = np.int8(0), np.int16(row * width + column)
    size, done = 1, 0
    while done < size:
        i, j = np.int64(s.stack[done]) // width, np.int64(s.stack[done]) % width
        done += 1
        for way in range(4):
            a, b = i + (way == 0) - (way == 1), j + (way == 2) - (way == 3)
            if 0 <= a < height and 0 <= b < width and s.board[a, b] == color:
                s.board[a, b], s.stack[size] = np.int8(0), np.int16(a * width + b)
                size += 1
    return size


@kernel
def settle(s):
    """Tiles fall down, empty columns close to the left."""
    height, width = s.board.shape
    target = 0
    for j in range(width):
        low = height - 1
        for i in range(height - 1, -1, -1):
            color = s.board[i, j]
            if color != 0:
                s.board[i, j] = np.int8(0)
                s.board[low, target] = color
                low -= 1
        if low < height - 1:
            target += 1


@kernel
def step(s, p, actions, rewards):
    """The mover removes a group; a tile without one is a lost turn. Whether no group is left."""
    width, players = s.board.shape[1], rewards.shape[0]
    player = np.int64(s.current_player)
    row, column = actions[player] // width, actions[player] % width
    s.current_player = np.uint8((player + 1) % players)
    if not grouped(s, row, column):
        return False
    objective = np.int64(s.board[row, column]) - 1 if p.by_color else 0
    size = take(s, row, column)
    s.left -= np.int32(size)
    settle(s)
    pay = np.float32((size - p.offset) * (size - p.offset))
    if s.left == 0:
        pay += p.clearing
    for n in range(players):
        if n == player or p.team:
            rewards[n, objective] = pay
    return not any_group(s)


@kernel
def observe(s, p, observations, info):
    """Write what the players see, and the metrics."""
    height, width = s.board.shape
    cells, colors = height * width, np.int64(p.colors)
    for n in range(observations.shape[0]):
        out = observations[n]
        turn = s.current_player == n
        out[colors * cells] = np.int8(turn)
        info[n].left = np.float32(s.left)
        for i in range(height):
            for j in range(width):
                at, color = i * width + j, np.int64(s.board[i, j])
                for k in range(colors):
                    out[k * cells + at] = np.int8(0)
                if color != 0:
                    out[(color - 1) * cells + at] = np.int8(1)
                legal = np.int8(turn and grouped(s, i, j))
                out[colors * cells + 1 + at] = legal
                info[n].action_mask[at] = legal


class SameGameWorld(World):
    """Players remove groups of tiles by turns; a group of n pays n squared, in its colour's objective.

    Args:
        width: columns, 3 to 30.
        height: rows, 3 to 30.
        num_colors: 2 to 10.
        num_agents: 1 to 5.
        team_rewards: everybody gets what the mover gets.
        color_rewards: each colour is an objective; otherwise there is one.
        rules: ``"square"``, or ``"classic"``: a group of n pays (n - 2) squared, an empty board 1000 more.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """

    action: Choice  # ty: ignore[incompatible-mutable-override]
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        width: int = 15,
        height: int = 15,
        num_colors: int = 5,
        num_agents: int = 1,
        team_rewards: bool = False,
        color_rewards: bool = True,
        rules: str = "square",
    ):
        width, height = whole("width", width, 3, 30), whole("height", height, 3, 30)
        colors = whole("num_colors", num_colors, 2, MOST_COLORS)
        classic = one_of("rules", rules, RULES) == 1
        self.params = np.zeros(1, PARAMS)
        p = self.params[0]
        p["colors"], p["team"], p["by_color"] = colors, bool(team_rewards), bool(color_rewards)
        p["clearing"], p["offset"] = number("clearing", 1000.0 if classic else 0.0, 0, 1e6), 2 if classic else 0
        self.agents = named("player", whole("num_agents", num_agents, 1, 5))
        names = tuple(f"color_{k}" for k in range(colors)) if color_rewards else ("tiles",)
        most = float((width * height) ** 2 + p["clearing"])
        self.reward = Reward(names, np.zeros(len(names)), np.full(len(names), most))
        self.state_dtype = state_dtype(height, width)
        self.info_dtype = info_dtype(height * width)
        self.action = action_layout(height, width)
        self.observation = observation_layout(height, width, colors)
