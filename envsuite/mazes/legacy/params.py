"""Constants of maze2d (D4RL, Fu et al. 2020, arXiv 2004.07219; d4rl/pointmaze/maze_model.py)."""

import numpy as np

from envsuite.mazes import layouts
from envsuite.mazes.params import MAZE_FIELDS, fill, law

RADIUS = 0.5
"""Distance in metres from the goal within which the sparse reward is 1."""

PLACE_NOISE = 0.1
"""Starts and random goals are uniform within this distance of a cell's indices, on each axis, m."""

SPEED_NOISE = 0.1
"""Standard deviation of initial velocities, m/s, on each axis."""

WALL_SHIFT = -0.2
"""Where the original puts the centre of cell (0, 0), m: its walls are shifted by 1, the origin of its ball by 1.2."""


PARAMS = np.dtype(
    [
        *MAZE_FIELDS,
        ("radius", np.float64),  # m
        ("dense", np.uint8),
        ("random_goal", np.uint8),
    ],
    align=True,
)


def parameters(layout: str, *, dense: bool, random_goal: bool, physics: str) -> np.ndarray:
    """The parameter record.

    Args:
        layout: name of a layout of D4RL, or a layout as text.
        dense: whether the reward falls off exponentially with the distance instead of being 0 or 1.
        random_goal: whether every episode draws its goal.
        physics: generation of MuJoCo, see `envsuite.mazes.params.PHYSICS`.

    Returns:
        Array of shape (1,) of type `PARAMS`.

    Raises:
        ValueError: an unknown name, a malformed layout, or one that does not have exactly one goal.
    """
    if layout not in layouts.D4RL and "#" not in layout:
        raise ValueError(f"layout is {layout!r}, expected one of {sorted(layouts.D4RL)} or a layout as text")
    cells = layouts.read(layouts.D4RL.get(layout, layout))
    goals = layouts.find(cells, "G")
    if len(goals) != 1:
        raise ValueError(f"layout {layout!r} has {len(goals)} goal cells, expected 1")
    free = layouts.find(cells, "OG")
    params = np.zeros(1, PARAMS)
    # The ball starts at the indices of a cell, not at its centre.
    grid = (1.0, WALL_SHIFT, WALL_SHIFT, 1, 0, 0, 1)
    fill(params[0], cells == layouts.WALL, grid, free, free if random_goal else goals)
    params[0]["law"] = law(physics)
    params[0]["radius"] = RADIUS
    params[0]["dense"] = dense
    params[0]["random_goal"] = random_goal
    return params


REFERENCE_SCORES: dict[tuple[str, str], tuple[float, float]] = {
    ("open", "sparse"): (0.01, 20.66),
    ("umaze", "sparse"): (23.85, 161.86),
    ("medium", "sparse"): (13.13, 277.39),
    ("large", "sparse"): (6.7, 273.99),
    ("open", "dense"): (11.17817, 27.166538620695782),
    ("umaze", "dense"): (68.537689, 193.66285642381482),
    ("medium", "dense"): (44.264742, 297.4552547777125),
    ("large", "dense"): (30.569041, 303.4857382709002),
    ("eval-umaze", "sparse"): (36.63, 141.4),
    ("eval-umaze", "dense"): (56.95455, 178.21373133248397),
    ("eval-medium", "sparse"): (13.07, 204.93),
    ("eval-medium", "dense"): (42.28578, 235.5658957482388),
    ("eval-large", "sparse"): (16.4, 302.22),
    # D4RL repeats here the minimum of eval-umaze.
    ("eval-large", "dense"): (56.95455, 326.09647655082637),
}
"""Published minimum and maximum return of each layout and reward (d4rl/infos.py, version 1; version 0 for open)."""


def reference_score(episode_return: float, layout: str, reward: str) -> float:
    """Normalise a return as D4RL does, 100 times (R - minimum) / (maximum - minimum).

    Args:
        episode_return: undiscounted return of an episode, or a mean of such.
        layout: name of a layout of D4RL.
        reward: ``"sparse"`` or ``"dense"``.

    Raises:
        ValueError: nothing was published for this layout and reward.
    """
    if (layout, reward) not in REFERENCE_SCORES:
        raise ValueError(f"no scores published for {(layout, reward)}, only for {sorted(REFERENCE_SCORES)}")
    low, high = REFERENCE_SCORES[layout, reward]
    return 100 * (episode_return - low) / (high - low)
