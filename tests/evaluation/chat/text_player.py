"""A player that knows a maze from its description alone: it reads the map, searches it, and answers in words."""

import re
from collections import deque
from typing import Any

import numpy as np

from envsuite.testing.chat import last_prompt

MAP = re.compile(r"(?:^[#.GPIO]+$\n?)+", re.MULTILINE)
PLACE = re.compile(r"at \((-?[\d.]+), (-?[\d.]+)\) m")
AXES = {"right": (0, 1), "left": (0, -1), "down": (1, 0), "up": (-1, 0)}


def maze_answer(body: dict[str, Any]) -> str:
    text = last_prompt(body)
    rows = MAP.search(text)[0].split()
    cells = {(i, j): mark for i, row in enumerate(rows) for j, mark in enumerate(row)}
    here = next(cell for cell, mark in cells.items() if mark == "P")
    there = next((cell for cell, mark in cells.items() if mark == "G"), here)  # P covers G
    position, goal = (np.array(list(map(float, one))) for one in PLACE.findall(text)[:2])
    x, y = (np.array(AXES[name]) for name in re.search(r"\+x leads (\w+) and \+y (\w+)", text).groups())
    size = float(re.search(r"cells are ([\d.]+) m", text)[1])
    path = shortest(cells, here, there)
    if len(path) < 3:
        target = goal
    else:  # the centre of the next cell, seen from that of the goal's, whose place is told to within half a cell
        centre = np.round(goal / size) * size
        step = np.array(path[1]) - np.array(there)
        target = centre + size * np.array([step @ x, step @ y])
    move = np.clip((target - position) / 0.2, -1, 1)
    return f"The path has {len(path)} cells.\nAction: [{move[0]:.3f}, {move[1]:.3f}]"


def shortest(cells, start, goal):
    before, queue = {start: None}, deque([start])
    while queue:
        cell = queue.popleft()
        if cell == goal:
            break
        for di, dj in AXES.values():
            near = (cell[0] + di, cell[1] + dj)
            if cells.get(near, "#") != "#" and near not in before:
                before[near] = cell
                queue.append(near)
    path, cell = [], goal
    while cell is not None:
        path.append(cell)
        cell = before[cell]
    return path[::-1]
