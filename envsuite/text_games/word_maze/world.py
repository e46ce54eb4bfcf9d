"""The maze: the rules on one record, and the world."""

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
    cut,
    field,
    kernel,
    rng,
)
from envsuite.text_games.word_maze.layouts import FIRST, MAPS, MOVES, NAMES, cells_of, goal_of, parts_of

MOST = 100
"""Moves of an episode; one step more ends it."""
PAST = 20
"""Observations and moves that the partially observed maze gives, 40 texts; LMRL-Gym's scripts (their `last_k`)."""
UNKNOWN = len(NAMES)
REWARDS = {"standard": (0.0, -1.0, -1.0), "illegal_penalty": (1.0, 0.0, -1.0), "diff_scale": (1.0, -1.0, -100.0)}
"""For the goal, for a move, and for a command that does not exist; by LMRL-Gym's names."""
OUT_OF_TIME = -1.0


class Params(Record):
    """The maze and the options that kernels know."""

    wall = field(type=np.uint8, shape=("rows", "columns"), meaning="1 for a wall")
    part = field(type=np.int8, shape=("rows", "columns"), meaning="in which data are collected")
    row = field(type=np.int32, shape="starts", meaning="of each start")
    column = field(type=np.int32, shape="starts", meaning="of each start")
    goal_row = field(type=np.int32)
    goal_column = field(type=np.int32)
    down = field(type=np.int32, shape=5, meaning="of each move")
    right = field(type=np.int32, shape=5, meaning="of each move")
    parts = field(
        type=np.int32, meaning="parts of which one is drawn, which ends the episode where it is left; 0 for none"
    )
    forgets = field(type=np.uint8, meaning="an unknown command empties the history")
    paid = field(meaning="reward for the goal")
    moved = field(meaning="reward for a move")
    unknown = field(meaning="reward for a command that does not exist")


class State(StateRecord):
    """Where one is, and where one has been."""

    row = field(type=np.int32, meaning="of the cell where one is")
    column = field(type=np.int32, meaning="of the cell where one is")
    kept = field(type=np.int32, meaning="observations in the history, the present one among them")
    past_row = field(type=np.int8, shape=PAST, meaning="of the cell of each observation, the present one first")
    past_column = field(type=np.int8, shape=PAST, meaning="the same for columns")
    past_move = field(type=np.int8, shape=PAST, meaning="command before each observation; -1 for none")


class Info(Record):
    """The metrics."""

    row = field(type=np.int32, meaning="of the cell where one is")
    column = field(type=np.int32, meaning="of the cell where one is")
    success = field(type=np.bool_, meaning="the goal was reached")
    action_mask = field(type=np.int8, shape=5, meaning="1 for the four moves, 0 for what is no command")


@kernel
def remember(s, move):
    """Put the present cell in front of the history."""
    for k in range(PAST - 1, 0, -1):
        s.past_row[k], s.past_column[k] = s.past_row[k - 1], s.past_column[k - 1]
        s.past_move[k] = s.past_move[k - 1]
    s.past_row[0], s.past_column[0], s.past_move[0] = s.row, s.column, move
    s.kept = min(s.kept + 1, PAST)


@kernel
def forget(s):
    """Empty the history."""
    s.kept = 0
    for k in range(PAST):
        s.past_row[k], s.past_column[k], s.past_move[k] = 0, 0, -1


@kernel
def reset(s, p):
    """Draw the start: any cell but the goal, or a part of the maze and then a cell of it."""
    starts = p.row.shape[0]
    chosen = rng.integers(s.rng, rng.RESET, starts)
    if p.parts > 0:
        part, there = rng.integers(s.rng, rng.RESET, p.parts), 0
        for k in range(starts):
            there += p.part[p.row[k], p.column[k]] == part
        left = rng.integers(s.rng, rng.RESET, there)
        for k in range(starts):
            if p.part[p.row[k], p.column[k]] == part:
                if left == 0:
                    chosen = k
                left -= 1
    s.row, s.column = p.row[chosen], p.column[chosen]
    forget(s)
    remember(s, -1)


@kernel
def at_goal(s, p):
    """Whether the goal is reached."""
    return s.row == p.goal_row and s.column == p.goal_column


@kernel
def step(s, p, action):
    """Move, where there is no wall. Reward and whether the goal is reached, or the part of the maze left."""
    if s.clock.step > MOST:
        cut(s.clock)
        return OUT_OF_TIME, False
    row, column = s.row + p.down[action], s.column + p.right[action]
    gone = False
    if p.wall[row, column] == 0:
        gone = p.parts > 0 and p.part[row, column] != p.part[s.row, s.column]
        s.row, s.column = row, column
    if action == UNKNOWN and p.forgets:
        forget(s)
    remember(s, action)
    if at_goal(s, p):
        return p.paid, True
    if gone:
        cut(s.clock)
    return (p.unknown if action == UNKNOWN else p.moved), False


@kernel
def walled(p, row, column, k):
    """Whether there is a wall on one side of a cell."""
    return p.wall[row + p.down[k], column + p.right[k]] != 0


@kernel
def measure(s, p, info):
    """Write the metrics."""
    info.row, info.column, info.success = s.row, s.column, at_goal(s, p)
    for k in range(5):
        info.action_mask[k] = k != UNKNOWN


@kernel
def observe_all(s, p, o):
    """Write where one is, where the goal is, and the walls around."""
    for i in range(p.wall.shape[0]):
        o.row[i], o.goal_row[i] = i == s.row, i == p.goal_row
    for j in range(p.wall.shape[1]):
        o.column[j], o.goal_column[j] = j == s.column, j == p.goal_column
    for k in range(4):
        o.walls[k] = walled(p, s.row, s.column, k)
    for k in range(5):
        o.action_mask[k] = k != UNKNOWN


@kernel
def observe_walls(s, p, o):
    """Write the walls that were around, and the commands between, the latest first."""
    for n in range(PAST):
        for k in range(4):
            o.walls[n * 4 + k] = n < s.kept and walled(p, np.int64(s.past_row[n]), np.int64(s.past_column[n]), k)
        for k in range(5):
            o.moves[n * 5 + k] = s.past_move[n] == k
    for k in range(5):
        o.action_mask[k] = k != UNKNOWN


class WordMazeWorld(World):
    """Find the goal of a maze, the same in all episodes.

    Args:
        observed: ``"all"``: where one is, where the goal is, and the walls around; ``"walls"``: the walls around
            alone, now and before the last 19 moves, with these moves and the one before (40 texts).
        maze: ``"double_t"``, two T's above a third, or ``"umaze"``, small and shaped like a U.
        start: ``"any"`` cell but the goal, or the ``"first"`` one, at the left.
        rewards: ``"standard"``: 0 for the goal, else -1; ``"illegal_penalty"``: 1, 0, and -1 for an unknown command;
            ``"diff_scale"``: 1, -1, and -100 for an unknown command.
        illegal_reward: for an unknown command in standard rewards, ``compat`` makes it -4.
        spaced_digits: texts have blanks between digits, so that every digit is a token.
        parts: an episode begins in one of three parts of the maze and ends where it leaves it, as data were collected.
        compat: ``"lmrl"``: an answer that is not one of the four commands to the letter is an unknown command instead
            of being refused; it costs 4 in standard rewards and empties the history.
    """

    reward = Reward(low=np.array(-100.0), high=np.array(1.0))
    info_dtype = Info.dtype()
    state_dtype = State.dtype()
    action = Choice((*NAMES, "unknown"))

    def __init__(
        self,
        *,
        observed: Literal["all", "walls"] = "all",
        maze: Literal["double_t", "umaze"] = "double_t",
        start: Literal["any", "first"] = "any",
        rewards: Literal["standard", "illegal_penalty", "diff_scale"] = "standard",
        illegal_reward: Annotated[float, Between(-100.0, 0.0)] = -1.0,
        spaced_digits: bool = False,
        parts: bool = False,
        compat: Literal["lmrl"] | None = None,
    ):
        self.maze, self.spaced, self.literal = maze, spaced_digits, compat is not None
        self.all_seen = observed == "all"
        goal = goal_of(maze)
        starts = [FIRST[maze]] if start == "first" else [one for one in cells_of(maze) if one != goal]
        rows, columns = len(MAPS[maze]), len(MAPS[maze][0])
        paid, moved, unknown = REWARDS[rewards]
        if rewards == "standard":
            unknown = -4.0 if self.literal else illegal_reward
        row, column = zip(*starts, strict=True)
        down, right = zip(*MOVES, (0, 0), strict=True)
        part = parts_of(maze)
        if parts and start == "first":
            raise ValueError("start is 'first', expected 'any' where episodes begin in parts of the maze")
        self.params = Params.make(
            sizes={"rows": rows, "columns": columns, "starts": len(starts)},
            wall=[[mark == "#" for mark in line] for line in MAPS[maze]],
            part=part,
            row=row,
            column=column,
            goal_row=goal[0],
            goal_column=goal[1],
            down=down,
            right=right,
            parts=int(part.max()) + 1 if parts else 0,
            forgets=self.literal,
            paid=paid,
            moved=moved,
            unknown=unknown,
        )
        self.reward = Reward(low=np.array(min(OUT_OF_TIME, moved, unknown)), high=np.array(paid))
        mask = Block("action_mask", 5, 0, 1, "", "1 for the four moves, 0 for what is no command")
        sides = "left, right, above, below"
        seen = (
            (
                Block("row", rows, 0, 1, "", "1 for the row where one is"),
                Block("column", columns, 0, 1, "", "1 for the column where one is"),
                Block("goal_row", rows, 0, 1, "", "1 for the row of the goal"),
                Block("goal_column", columns, 0, 1, "", "1 for the column of the goal"),
                Block("walls", 4, 0, 1, "", f"1 for a wall: {sides}"),
            )
            if self.all_seen
            else (
                Block("walls", 4 * PAST, 0, 1, "", f"for each of the last 20 observations, 1 for a wall: {sides}"),
                Block("moves", 5 * PAST, 0, 1, "", "for each of them, 1 for the command before it"),
            )
        )
        self.observation = Vector((*seen, mask), dtype=np.int8)

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those that write what is observed."""
        return _ALL if self.all_seen else _WALLS


_ALL, _WALLS = batch_loops(reset, step, observe_all, measure), batch_loops(reset, step, observe_walls, measure)
