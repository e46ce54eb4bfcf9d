"""Constants of the swarm task, after QuadSwarm (Huang et al., 2024, arXiv 2306.09537)."""

from typing import Literal

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.flying.settings import Flying, Terms
from envsuite.quadcopters.flying.swarm_world import hull_of
from envsuite.quadcopters.swarm_goals.formations import FORMATIONS, tables
from envsuite.quadcopters.weights import weights_field

CONTROL_RATE = 100  # Hz
EVERY = 8  # steps between points of the trail in pictures
TERMS = Terms(floor=True)
FEWEST, MOST = 1, 64
NEIGHBOURS = 6
ARM = 0.05  # m, of QuadSwarm's vehicle: its unit of length
ROOM = (5.0, 5.0, 10.0)  # m: |x|, |y| and height
CENTER = (0.0, 0.0, 2.0)  # m, of the first goals
START = 2.0  # m, around the goal on each axis
START_HEIGHT, START_GAP = 0.75, 0.3  # m, least height and distance of starts
CHANGE = (4.0, 6.0)  # s between changes of the goals
BOX = 2.0  # m: new centres lie in +-BOX to the sides, and +-BOX/2 around 2 m in height
LOW = 0.25  # m, least height of goals
SWELL = (0.1, 0.3)  # m/s of formations that swell and shrink
CHASE = 5.0  # s along one curve of a goal that flees
ESCAPE = 1.0  # s between moves of the drones that run away
LISSAJOUS = (-2.0, 0.0, 2.0)  # m, where that curve begins
NEAR = 0.5  # m from the goal: a success
GRACE = 150  # steps before collisions count
RATE_LIMIT = 40.0  # rad/s about each axis, as in QuadSwarm: bounces would add up without end
FALLOFF = 4 * ARM  # m, reach of the cost of being near
WEIGHTS = {"distance": 1.0, "action": 0.05, "upright": 1.0, "rates": 0.1, "collision": 5.0, "proximity": 10.0}
"""Weights of the reward's parts, see the README; those of QuadSwarm's published runs at their end."""
COLUMNS, COLUMN, CELLS = 12, 0.3, 8  # columns of this radius (m) in 8 x 8 cells of 1 m: a density of about 0.2
RESOLUTION = 0.1  # m, of the map of distances to columns
SCENARIOS = (
    "static_same_goal", "static_diff_goal", "dynamic_same_goal", "dynamic_diff_goal", "swap_goals",
    "dynamic_formations", "ep_lissajous3D", "ep_rand_bezier", "swarm_vs_swarm", "run_away",
)  # fmt: skip
(
    STATIC_SAME, STATIC_DIFF, DYNAMIC_SAME, DYNAMIC_DIFF, SWAP, SWELLING, LISSAJOUS_3D, BEZIER, VERSUS, RUN_AWAY,
) = range(len(SCENARIOS))  # fmt: skip
AMONG_COLUMNS = ("o_random", "o_static_same_goal", "o_dynamic_same_goal", "o_swap_goals", "o_ep_rand_bezier")
O_RANDOM = len(SCENARIOS)
# what scenarios among columns do once their first goals are drawn
_LIKE = {
    "o_random": O_RANDOM, "o_static_same_goal": STATIC_SAME, "o_dynamic_same_goal": DYNAMIC_SAME, "o_swap_goals": SWAP,
    "o_ep_rand_bezier": BEZIER,
}  # fmt: skip
MIX = ("mix", "o_mix")
ALL = (*SCENARIOS, *AMONG_COLUMNS, *MIX)
Scenario = Literal[
    "static_same_goal", "static_diff_goal", "dynamic_same_goal", "dynamic_diff_goal", "swap_goals",
    "dynamic_formations", "ep_lissajous3D", "ep_rand_bezier", "swarm_vs_swarm", "run_away", "o_random",
    "o_static_same_goal", "o_dynamic_same_goal", "o_swap_goals", "o_ep_rand_bezier", "mix", "o_mix",
]  # fmt: skip
TWO_GROUPS = ("swarm_vs_swarm", "run_away", "swap_goals", "dynamic_formations", "dynamic_diff_goal")

# Spacing of the formations, arms, in the order of SCENARIOS
_CLOSE, _WIDE = (5.0, 10.0), (8.0, 16.0)
SPACING = (
    (0.0, 0.0), _CLOSE, (0.0, 0.0), _CLOSE, _WIDE, (0.0, 20.0), (0.0, 0.0), (0.0, 0.0), _CLOSE, _CLOSE, (0.0, 0.0),
)  # fmt: skip


def scenarios_of(scenario: Scenario, num_drones: int) -> tuple[list[int], bool]:
    """The scenarios that episodes are drawn from, and whether they lie among columns.

    Args:
        scenario: one of `ALL`.
        num_drones: those that need two drones are left out of the mix for one.

    Raises:
        ValueError: a scenario that needs more drones.
    """
    if scenario in TWO_GROUPS and num_drones < 2:
        raise ValueError(f"num_drones is {num_drones}, but the scenario {scenario!r} needs at least 2")
    if scenario == "mix":
        known = [k for k, name in enumerate(SCENARIOS) if num_drones > 1 or name not in TWO_GROUPS]
        return known, False
    if scenario == "o_mix":
        return [_LIKE[name] for name in AMONG_COLUMNS if num_drones > 1 or name != "o_swap_goals"], True
    return [_LIKE[scenario] if scenario in _LIKE else SCENARIOS.index(scenario)], scenario in _LIKE


def name_of(scenario: int) -> str:
    """The scenario's name, for people."""
    return (*SCENARIOS, "random goals")[scenario].replace("_", " ")


_TABLE = (2, len(FORMATIONS), "drones", 3)


class Params(Record):
    """The constants."""

    flying = field(type=Flying)
    weights = weights_field(WEIGHTS)
    points = field(None, "", "places in each formation, of whole and half swarms", shape=_TABLE)
    offsets = field(None, "", "likewise, what each adds for layers", shape=_TABLE)
    spacing = field(np.array(SPACING) * ARM, "m", "ranges, of each scenario", shape=(len(SPACING), 2))
    room = field(ROOM, "m", shape=3)
    apart = field(None, "m", "between centres of drones that touch")
    hull = field(None, "m", "radius of a drone")
    scale = field(1 / CONTROL_RATE, "s", "of the reward")
    kinds = field(None, type=np.uint8, shape=len(SPACING), meaning="scenarios to draw from, the first")
    choices = field(None, type=np.uint8, meaning="how many of them")
    contact = field(0, type=np.uint8, meaning="index in `flying.swarm.CONTACTS`")
    columns = field(False, type=np.bool_, meaning="there are columns")
    wash = field(True, type=np.bool_, meaning="the downwash of QuadSwarm")


def parameters(flying, scenario: Scenario, count: int, real: type, **options) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: `Flying` record.
        scenario: one of `ALL`.
        count: number of drones.
        real: float32 or float64.
        **options: further fields of `Params`.

    Returns:
        Array of shape (1,) of `Params`.

    Raises:
        ValueError: a scenario that takes more drones.
    """
    kinds, columns = scenarios_of(scenario, count)
    hull = hull_of(flying["physics"]["vehicle"])
    points, offsets = tables(count)
    return Params.make(
        real,
        {"drones": count},
        flying=flying,
        points=points,
        offsets=offsets,
        apart=2 * hull,
        hull=hull,
        kinds=np.pad(kinds, (0, len(SPACING) - len(kinds))),
        choices=len(kinds),
        columns=columns,
        **options,
    )
