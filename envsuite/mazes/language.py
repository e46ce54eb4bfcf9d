"""Mazes in words: a map of characters, and numbers."""

from typing import Any

import numpy as np

from envsuite.core.language import Refusal, parse_numbers, vector_text
from envsuite.core.layout import Vector


def map_text(walls: np.ndarray, grid: np.void, marks: list[tuple[str, np.ndarray]]) -> str:
    """A map of the maze, one character a cell: ``#`` wall, ``.`` free.

    Args:
        walls: (rows, columns) or larger, nonzero where a wall is.
        grid: record of type `envsuite.mazes.params.GRID`.
        marks: characters and the places they mark, m; later marks cover earlier ones.
    """
    rows, columns = int(grid["rows"]), int(grid["columns"])
    picture = np.where(np.asarray(walls)[:rows, :columns] != 0, "#", ".")
    for mark, place in marks:
        i, j = indices(grid, place)
        if 0 <= i < rows and 0 <= j < columns:
            picture[i, j] = mark
    return "\n".join("".join(row) for row in picture)


def indices(grid: np.void, place) -> tuple[int, int]:
    """Row and column of the cell that a place lies in."""
    x, y = (int(np.floor((place[k] - grid[f"{axis}0"]) / grid["scale"] + 0.5)) for k, axis in enumerate("xy"))
    return int(grid["ix"] * x + grid["iy"] * y), int(grid["jx"] * x + grid["jy"] * y)


def directions(grid: np.void) -> str:
    """Where +x and +y lead on the map."""
    names = {(1, 0): "down", (-1, 0): "up", (0, 1): "right", (0, -1): "left"}
    x, y = (names[int(grid[f"i{axis}"]), int(grid[f"j{axis}"])] for axis in "xy")
    return f"+x leads {x} and +y {y} on the map, cells are {float(grid['scale']):g} m wide"


def describe_point_mass(state: np.void, params: np.void, walls: np.ndarray, radius: float) -> str:
    """The situation of a ball that is pushed by forces."""
    grid = params["grid"]
    picture = map_text(walls, grid, [("G", state["goal"]), ("P", state["position"])])
    place, velocity, goal = (vector_text(state[name]) for name in ("position", "velocity", "goal"))
    return (
        f"{picture}\nStep {int(state['clock']['step'])}. You are P at {place} m, moving at {velocity} m/s; "
        f"{directions(grid)}. Reach the goal G at {goal} m, within {radius:g} m. Answer with the force along x and y "
        f"in brackets, each in [-1, 1]; 1 is 100 N, which adds 0.24 m/s in a step of 0.01 s. Walls stop you."
    )


def describe_point(state: np.void, params: np.void, radius: float, doors: list[tuple[str, np.ndarray]]) -> str:
    """The situation of a point that moves by its actions; `doors` are letters and places to add to the map."""
    grid = params["grid"]
    picture = map_text(params["walls"], grid, [*doors, ("G", state["goal"]), ("P", state["position"])])
    place, goal = vector_text(state["position"]), vector_text(state["goal"])
    telling = "I marks teleporters, which take you to one of the places O by chance. " if doors else ""
    return (
        f"{picture}\nStep {int(state['clock']['step'])}. You are P at {place} m; {directions(grid)}. Reach the goal G "
        f"at {goal} m, within {radius:g} m. {telling}Answer with the move along x and y in brackets, each in [-1, 1]; "
        f"1 is 0.2 m. Walls stop you."
    )


def parse(text: str, layout: Vector) -> np.ndarray | Refusal:
    """Read an action vector."""
    return parse_numbers(text, layout)


def arrow_keys(grid: np.void) -> dict[tuple[str, ...], Any]:
    """Arrow keys to unit actions, as the directions appear in the picture."""
    steps = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
    x, y = (np.array([grid[f"i{axis}"], grid[f"j{axis}"]]) for axis in "xy")
    pairs = [("up", "left"), ("up", "right"), ("down", "left"), ("down", "right")]
    keys: dict[tuple[str, ...], Any] = {(): np.zeros(2, np.float32)}
    for held in [*((name,) for name in steps), *pairs]:
        move = np.sum([steps[name] for name in held], axis=0)
        keys[held] = np.array([move @ x, move @ y], np.float32)
    return keys
