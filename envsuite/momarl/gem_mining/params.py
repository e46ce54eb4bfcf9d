"""Constants and instances of gem mining.

Bargiacchi et al. (2018), "Learning to coordinate with coordination graphs in repeated single-stage multi-agent decision
problems", ICML; several kinds of gems after MOMAland (arXiv 2407.16312), whose numbers are the defaults.
"""

import numpy as np

MOST_AGENTS = 200
MOST_OBJECTIVES = 8
MOST_CONNECTIVITY = 6
MOST_WORKERS = 30


def params_dtype(villages: int, mines: int, objectives: int) -> np.dtype:
    """The record of an instance's constants.

    Args:
        villages: number of agents.
        mines: number of mines.
        objectives: kinds of gems.
    """
    return np.dtype(
        [
            ("workers", np.int32, (villages,)),
            ("reach", np.int32, (villages,)),  # village i reaches the mines i to i + reach - 1
            ("chance", np.float64, (mines, objectives)),  # of a gem by one worker
            ("ceiling", np.float64),  # greatest chance of a gem
            ("bonus", np.float64),  # factor on the chance for each further worker
            ("first", np.int32),  # workers without a bonus: 1, or 0 in the original's code
        ],
        align=True,
    )


def draw_instance(
    seed: int,
    villages: int,
    objectives: int,
    connectivity: tuple[int, int],
    workers: tuple[int, int],
    chances: tuple[float, float],
    correlated: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw an instance.

    Args:
        seed: of the instance, not of episodes.
        villages: number of agents.
        objectives: kinds of gems.
        connectivity: least and greatest number of mines that a village reaches.
        workers: least and greatest number of workers.
        chances: least and greatest chance of a gem.
        correlated: the chances of one mine's kinds add up to the greatest chance at most, so that mines that are good
            for one kind are bad for others.

    Returns:
        Workers (villages,) int, reaches (villages,) int, chances (mines, objectives) float64.
    """
    draws = np.random.Generator(np.random.Philox(seed))
    low, high = chances
    mines = villages + connectivity[1] - 1
    sent = draws.integers(workers[0], workers[1] + 1, villages)
    reach = draws.integers(connectivity[0], connectivity[1] + 1, villages)
    table = np.empty((mines, objectives))
    for row in table:
        left = high - objectives * low
        for k in range(objectives):
            row[k] = draws.uniform(low, max(low, left) if correlated else high)
            left -= row[k]
        if correlated:
            draws.shuffle(row)
    return sent, reach, table
