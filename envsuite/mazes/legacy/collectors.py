"""What D4RL's maze2d data were collected by (scripts/generation/generate_maze2d_datasets.py)."""

import math

import numpy as np

from envsuite.core import Record, field, kernel, rng
from envsuite.core.jit import records
from envsuite.mazes import plans
from envsuite.mazes.legacy.experts import ARRIVED, Memory, follow, plan
from envsuite.mazes.legacy.world import PLACE_NOISE

PATIENCE: dict[str, int] = {"open": 150, "umaze": 300, "medium": 600, "large": 800}
"""Steps after which a goal that was not reached is given up: the length limit of the environment of this layout."""


class Wandering(Record):
    """What the collector keeps in mind."""

    memory = field(type=Memory)
    steps = field(type=np.int64, meaning="towards the goal at hand")


_MEMORY = Wandering.dtype()


@kernel
def wander_batch(wanderers, states, params, distance, patience, actions):
    """Write the action of every instance; a goal that is reached or given up is followed by another."""
    p = params[0]
    for i in range(states.shape[0]):
        s, w = states[i], wanderers[i]
        x, y = w.memory.goal[0] - s.position[0], w.memory.goal[1] - s.position[1]
        if w.memory.planned == 0 or w.steps > patience or math.sqrt(x * x + y * y) < ARRIVED:
            cell = rng.integers(w.memory.rng, rng.AGENT, p.start_count)
            x = p.starts[cell, 0] + rng.uniform(w.memory.rng, rng.AGENT, -PLACE_NOISE, PLACE_NOISE)
            y = p.starts[cell, 1] + rng.uniform(w.memory.rng, rng.AGENT, -PLACE_NOISE, PLACE_NOISE)
            plan(w.memory, s, p, distance, x, y)
            w.steps = 0
        w.steps += 1
        follow(w.memory, s, actions[i])


class Wanderer:
    """The waypoint controller with goals of its own, one after another, near cells drawn uniformly.

    The goal of the task is not looked at: rewards are paid where the way leads past it.

    Args:
        world: a `envsuite.mazes.legacy.world.LegacyMazeWorld`.
        patience: steps after which a goal is given up.
    """

    def __init__(self, world, patience: int):
        self._params = records(world.params)
        self._distance = plans.table(self._params)
        self._patience = patience
        self._wanderers = records(np.zeros(0, _MEMORY))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the goals of some slots."""
        if len(self._wanderers) != len(mask):
            self._wanderers = records(np.zeros(len(mask), _MEMORY))
        for i in np.flatnonzero(mask):
            self._wanderers[i] = np.zeros((), _MEMORY)
            self._wanderers[i]["memory"]["rng"]["key"] = rng.seed_key(int(seeds[i]))

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Forces, float32 (n, 2)."""
        actions = np.zeros((len(states), 2), np.float32)
        wander_batch(self._wanderers, states, self._params, self._distance, self._patience, actions)
        return actions
