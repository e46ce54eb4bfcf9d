"""Constants and instances of gem mining.

Bargiacchi et al. (2018), "Learning to coordinate with coordination graphs in repeated single-stage multi-agent decision
problems", ICML; several kinds of gems after MOMAland (arXiv 2407.16312), whose numbers are the defaults.
"""

import numpy as np

from envsuite.core import Record, field


class Params(Record):
    """An instance."""

    workers = field(type=np.int32, shape="villages", meaning="of each village")
    reach = field(type=np.int32, shape="villages", meaning="village i reaches the mines i to i + reach - 1")
    chance = field(shape=("mines", "objectives"), meaning="of a gem by one worker")
    ceiling = field(meaning="greatest chance of a gem")
    bonus = field(meaning="factor on the chance for each further worker")
    first = field(type=np.int32, meaning="workers without a bonus: 1, or 0 in the original's code")


def draw_chances(
    draws: np.random.Generator, mines: int, objectives: int, bounds: tuple[float, float], correlated: bool
) -> np.ndarray:
    """Draw the chances of an instance.

    Args:
        draws: of the instance, not of episodes.
        mines: how many.
        objectives: kinds of gems.
        bounds: least and greatest chance of a gem.
        correlated: the chances of one mine's kinds add up to the greatest chance at most, so that mines that are good
            for one kind are bad for others.

    Returns:
        (mines, objectives) float64.
    """
    low, high = bounds
    table = np.empty((mines, objectives))
    for row in table:
        left = high - objectives * low
        for k in range(objectives):
            row[k] = draws.uniform(low, max(low, left) if correlated else high)
            left -= row[k]
        if correlated:
            draws.shuffle(row)
    return table
