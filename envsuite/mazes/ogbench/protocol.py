"""OGBench's evaluation: five fixed tasks, fifty episodes each, mean success."""

from collections.abc import Callable
from typing import Literal

import numpy as np

from envsuite.agents.policy import Policy
from envsuite.core.actions import ActionChecker
from envsuite.core.batch import Batch
from envsuite.mazes.ogbench.tasks import MazeName, OgbenchTasksWorld
from envsuite.mazes.ogbench.world import OgbenchMazeWorld

TASKS: tuple[Literal[1, 2, 3, 4, 5], ...] = (1, 2, 3, 4, 5)


def success_rates(
    maze: MazeName,
    make_policy: Callable[[OgbenchTasksWorld], Policy],
    *,
    world: Callable[..., OgbenchTasksWorld] = OgbenchMazeWorld,
    episodes: int = 50,
    horizon: int = 1000,
    first_seed: int = 10**9,
) -> np.ndarray:
    """Share of episodes in which the goal is reached, for each task.

    Args:
        maze: name of the maze.
        make_policy: makes a player for the world of one task.
        world: what moves in the maze: the point, or `envsuite.mazes.ant.ogbench.OgbenchAntMazeWorld`.
        episodes: of each task; episode ``i`` has the seed ``first_seed + i``.
        horizon: length limit in steps.
        first_seed: see `episodes`.

    Returns:
        float64 (5,); their mean is OGBench's score.

    Raises:
        ValueError: no episodes asked for.
    """
    if episodes < 1:
        raise ValueError(f"episodes is {episodes}, expected at least 1")
    seeds = np.arange(episodes) + first_seed
    rates = np.zeros(len(TASKS))
    for k, task in enumerate(TASKS):
        one = world(maze=maze, task=task)
        batch = Batch(one, episodes, num_threads=1, horizon=horizon)
        batch.seed(seeds.tolist())
        output = batch.reset()
        check = ActionChecker(one.action, (episodes,))
        policy = make_policy(one)
        policy.reset(np.ones(episodes, np.bool_), seeds)
        ended, reached = np.zeros(episodes, np.bool_), np.zeros(episodes, np.bool_)
        while not ended.all():
            output = batch.step(check(policy.act(output.observations, batch.states)), ended)
            reached |= output.terminated & ~ended
            ended |= output.terminated | output.truncated
        rates[k] = reached.mean()
    return rates
