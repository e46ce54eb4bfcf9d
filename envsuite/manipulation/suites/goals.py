"""Goals of suites: drawn once by a seed, kept as JSON.

A goal is what an episode of a task draws: the place of the object or furniture, and that of the goal or of a second
piece of furniture, (2, 3), m; where a task draws one only, the other is what the task fixes.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from envsuite.core import kernel, rng
from envsuite.core.files import write_atomic
from envsuite.core.jit import records
from envsuite.core.strict_json import loads
from envsuite.core.world import allocate
from envsuite.manipulation.meta.starts import draw
from envsuite.manipulation.meta.tasks import NAMES
from envsuite.manipulation.meta.world import MetaWorld

SPLITS = ("train", "test")
MOST = 200
"""Goals of one task that a suite has room for."""
FORMAT = "envsuite Meta-World goals 1"
_SLACK = 1e-9  # m, of rounding


@kernel
def _draw_all(states, params):
    for i in range(states.shape[0]):
        draw(states[i], params[0])


def freeze(world: MetaWorld, *, seed: int, split: str, count: int) -> np.ndarray:
    """Draw the goals of a task; the splits have streams of their own.

    Args:
        world: the task.
        seed: of all tasks' goals.
        split: ``"train"`` or ``"test"``.
        count: number of goals.

    Returns:
        (count, 2, 3), m.
    """
    entropy = np.random.SeedSequence((seed, NAMES.index(world.task), SPLITS.index(split)))
    states = allocate(world, count)
    rng.begin(states["rng"], entropy.generate_state(count, np.uint64))
    _draw_all(records(states), records(world.params))
    return np.array(states["drawn"])


def save(path: str | Path, goals: Mapping[str, np.ndarray]) -> None:
    """Write goals as JSON, under a temporary name first.

    Args:
        path: of the file.
        goals: (n, 2, 3) by names of tasks, m.
    """
    rows = {task: np.asarray(places).tolist() for task, places in goals.items()}
    write_atomic(Path(path), json.dumps({"format": FORMAT, "goals": rows}) + "\n")


def load(path: str | Path, worlds: Sequence[MetaWorld]) -> dict[str, np.ndarray]:
    """Read goals of a suite's tasks.

    Args:
        path: of a file that `save` wrote.
        worlds: the tasks.

    Returns:
        (n, 2, 3) by names of tasks, m.

    Raises:
        ValueError: no such file, or it is not what `save` writes, lacks a task, has one more, or a goal that the task
            never draws; the message says where.
    """
    try:
        told = loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise ValueError(f"goals is {str(path)!r}, expected a file of goals: {fault}") from None
    if not isinstance(told, dict) or told.get("format") != FORMAT or not isinstance(told.get("goals"), dict):
        raise ValueError(f"{path} is no file of goals, expected {{'format': {FORMAT!r}, 'goals': {{task: [...]}}}}")
    tasks = {world.task: world for world in worlds}
    if tasks.keys() != told["goals"].keys():
        wrong = sorted(tasks.keys() ^ told["goals"].keys())[0]
        raise ValueError(f"{path} has goals of {sorted(told['goals'])}: {wrong!r} is missing or too many")
    found = {task: _checked(world, told["goals"][task], f"{path}: {task}") for task, world in tasks.items()}
    counts = {task: len(places) for task, places in found.items()}
    if len(set(counts.values())) > 1:
        raise ValueError(f"{path} has {counts} goals, expected as many of each task")
    return found


def _checked(world: MetaWorld, rows: Any, place: str) -> np.ndarray:
    try:
        goals = np.array(rows, np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{place} has goals that are no numbers, expected (n, 2, 3) of them") from None
    if goals.ndim != 3 or goals.shape[1:] != (2, 3) or not 1 <= len(goals) <= MOST:
        raise ValueError(f"{place} has goals of shape {goals.shape}, expected (n, 2, 3) with n from 1 to {MOST}")
    sheet = world.params[0]["sheet"]
    low, high = np.minimum(sheet["low"], sheet["high"]), np.maximum(sheet["low"], sheet["high"])
    inside = (goals >= low - _SLACK) & (goals <= high + _SLACK)
    if not inside.all():  # nan is not inside either
        k, i, j = (int(one) for one in np.argwhere(~inside)[0])
        bounds = f"{low[i, j]:.6g} to {high[i, j]:.6g} m"
        raise ValueError(f"{place}: number {j} of place {i} of goal {k} is {goals[k, i, j]}, expected {bounds}")
    distance = np.linalg.norm(goals[:, 0, :2] - goals[:, 1, :2], axis=1)
    if (distance < sheet["apart"] - _SLACK).any():
        k = int(np.argmin(distance))
        least = f"{float(sheet['apart']):.6g} m"
        raise ValueError(f"{place}: the places of goal {k} are {distance[k]:.6g} m apart, expected at least {least}")
    return goals
