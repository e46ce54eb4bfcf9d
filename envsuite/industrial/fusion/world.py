"""The tokamak: six set values, three quantities to hold, heating that changes."""

import math
from typing import Annotated

import numpy as np

from envsuite.core import Between, Block, Record, StateRecord, Vector, batch_loops, field, fmath, kernel, rng
from envsuite.industrial.fusion.network import (
    BETA_N,
    BETA_P,
    INPUTS,
    LEVEL,
    LI,
    MEAN,
    OUTPUTS,
    OUTWARD,
    Q0,
    Q95,
    RESIDUAL,
    SPREAD,
    respond,
    standard,
)
from envsuite.industrial.world import PlantWorld

SETTINGS, GOALS, BEAMS, MEMORY = 6, 3, 3, 4
SETTING_NAMES = ("current", "elongation", "upper triangularity", "lower triangularity", "inner radius", "outer radius")
SETTING_UNITS = ("MA", "", "", "", "m", "m")
SETTING_LOW = (0.3, 1.6, 0.1, 0.5, 1.265, 2.18)
SETTING_HIGH = (0.8, 2.0, 0.5, 0.9, 1.36, 2.29)
GOAL_NAMES = ("poloidal beta", "safety factor q95", "internal inductance")
GOAL_LOW, GOAL_HIGH = (1.1, 3.8, 0.84), (2.1, 6.2, 1.06)
GOAL_OUTPUTS = (BETA_P, Q95, LI)
GOAL_SCALES = (0.2, 0.5, 0.05)
"""Errors that count alike."""
BEAM_HIGH = (1.75, 1.75, 1.5)
"""MW of the neutral beams."""
GRAIN = 1e-3
"""To which all values are cut, as in the original."""
START_SETTINGS, START_BEAMS, START_GOALS = (0.5, 1.7, 0.3, 0.75, 1.32, 2.22), (1.5, 1.5, 0.5), (1.6, 5.0, 0.95)
START_OUTPUTS = (1.708, 4.841, 1.734, 1.080, 1.347)
MOST_RESIDUAL = 2.0
POINTS = 40
"""Steps of the curves in pictures."""
_TINY = 1e-18
_SOURCE = "NeoRL-2, Fusion"


class Params(Record):
    """The constants."""

    residual = field(0.65, "", "standard deviations of chance, as shares of what the plant's model left unexplained")
    safe_q95 = field(3.0, "", "safety factor below which the plasma is near to a disruption", source="usual practice")
    safe_beta = field(2.8, "", "normalised beta above which it is", source="Troyon et al. 1984, in % m T / MA")


class State(StateRecord):
    """The plasma, what is set and what is wanted."""

    settings = field(shape=SETTINGS, meaning="current in MA, elongation, two triangularities, two radii in m")
    outputs = field(
        shape=OUTPUTS, meaning="normalised beta, q95, q0, internal inductance, poloidal beta, without chance"
    )
    achieved = field(shape=GOALS, meaning="poloidal beta, q95, internal inductance, with chance")
    goals = field(shape=GOALS, meaning="wanted next")
    beams = field(unit="MW", shape=BEAMS, meaning="power of the neutral beams in the next step")
    wanted = field(shape=GOALS, meaning="what was wanted in the step that is over")
    reward = field(meaning="of that step")
    traces = field(type=np.float32, shape=(2 * GOALS, POINTS), meaning="of achieved and wanted values, newest last")


class Info(Record):
    """The metrics."""

    cost = field(meaning="1 while q95 is below 3 or normalised beta above 2.8, otherwise 0; no part of the reward")
    beta_n = field(unit="% m T/MA", meaning="normalised beta, not observed")
    q0 = field(meaning="safety factor in the middle, not observed")
    beta_p_error = field(meaning="achieved less wanted, likewise the next ones")
    q95_error = field()
    li_error = field()
    heating = field(unit="MW", meaning="of all beams in the next step: the external factor")


class Work(Record):
    """Room for the network."""

    inputs = field(shape=INPUTS)


WORK = Work.dtype()


@kernel
def cut_to_grain(value):
    """A value as the original's controls take it."""
    return math.floor(value / GRAIN + 1e-6) * GRAIN


@kernel
def setting_of(k, action):
    """The set value of an action."""
    return cut_to_grain(SETTING_LOW[k] + 0.5 * (action + 1.0) * (SETTING_HIGH[k] - SETTING_LOW[k]))


@kernel
def write_surroundings(s, inputs):
    """Write what the network is told besides the set values."""
    for k in range(BEAMS):
        inputs[SETTINGS + k] = 2.0 * s.beams[k] / BEAM_HIGH[k] - 1.0
    for j in range(MEMORY):
        inputs[SETTINGS + BEAMS + j] = standard(j, s.outputs[j])


@kernel
def _draw(s):
    """Draw goals and powers of the next step."""
    for k in range(GOALS):
        s.goals[k] = cut_to_grain(rng.uniform(s.rng, rng.DYNAMICS, GOAL_LOW[k], GOAL_HIGH[k]))
    for k in range(BEAMS):
        s.beams[k] = cut_to_grain(rng.uniform(s.rng, rng.DYNAMICS, 0.0, BEAM_HIGH[k]))


@kernel
def _note(s):
    """Go on with the curves."""
    for k in range(GOALS):
        for n in range(POINTS - 1):
            s.traces[k, n], s.traces[GOALS + k, n] = s.traces[k, n + 1], s.traces[GOALS + k, n + 1]
        s.traces[k, POINTS - 1], s.traces[GOALS + k, POINTS - 1] = s.achieved[k], s.wanted[k]


@kernel
def reset(s):
    """A plasma in a steady state; goals and powers are the same in the beginning of all episodes."""
    for k in range(SETTINGS):
        s.settings[k] = START_SETTINGS[k]
    for j in range(OUTPUTS):
        s.outputs[j] = START_OUTPUTS[j]
    for k in range(GOALS):
        s.achieved[k] = START_OUTPUTS[GOAL_OUTPUTS[k]]
        s.goals[k], s.wanted[k] = START_GOALS[k], START_GOALS[k]
    for k in range(BEAMS):
        s.beams[k] = START_BEAMS[k]
    s.reward = 0.0
    for k in range(GOALS):
        for n in range(POINTS):
            s.traces[k, n], s.traces[GOALS + k, n] = s.achieved[k], s.wanted[k]


@kernel
def step(s, p, w, action):
    """Set the six values, let the plasma settle, and draw what comes next."""
    write_surroundings(s, w.inputs)
    for k in range(SETTINGS):
        s.settings[k] = setting_of(k, np.float64(action[k]))
        w.inputs[k] = 2.0 * (s.settings[k] - SETTING_LOW[k]) / (SETTING_HIGH[k] - SETTING_LOW[k]) - 1.0
    respond(w.inputs, s.outputs)
    total = 0.0
    for k in range(GOALS):
        j = GOAL_OUTPUTS[k]
        chance = rng.normal(s.rng, rng.OBSERVATION, 0.0, 1.0)
        s.achieved[k] = s.outputs[j] + p.residual * RESIDUAL[j] * chance
        s.wanted[k] = s.goals[k]
        error = (s.achieved[k] - s.wanted[k]) / GOAL_SCALES[k]
        total += error * error
    s.reward = -0.5 * fmath.log(max(total / GOALS, _TINY))
    _note(s)
    _draw(s)
    return s.reward, False


@kernel
def observe(s, p, o, info):
    """Write what is seen, and the metrics."""
    o.current, o.elongation = s.settings[0], s.settings[1]
    o.upper_triangularity, o.lower_triangularity = s.settings[2], s.settings[3]
    o.inner_radius, o.outer_radius = s.settings[4], s.settings[5]
    for k in range(GOALS):
        o.achieved[k], o.wanted[k] = s.achieved[k], s.goals[k]
    for k in range(BEAMS):
        o.beams[k] = s.beams[k]
    info.beta_n, info.q0 = s.outputs[BETA_N], s.outputs[Q0]
    info.cost = 1.0 if s.achieved[1] < p.safe_q95 or s.outputs[BETA_N] > p.safe_beta else 0.0
    info.beta_p_error = s.achieved[0] - s.wanted[0]
    info.q95_error = s.achieved[1] - s.wanted[1]
    info.li_error = s.achieved[2] - s.wanted[2]
    info.heating = s.beams[0] + s.beams[1] + s.beams[2]


def _reachable(sign: float) -> np.ndarray:
    """Bounds that no output of the network passes, whatever the chance, (3,)."""
    outputs = np.array(GOAL_OUTPUTS)
    net = LEVEL + sign * np.abs(OUTWARD).sum(axis=0)
    far = np.array(MEAN) + np.array(SPREAD) * net + sign * 7.0 * MOST_RESIDUAL * np.array(RESIDUAL)
    return far[outputs]


class FusionWorld(PlantWorld):
    """A tokamak whose plasma is to come to a given pressure, safety factor and inductance.

    Args:
        residual_scale: how much chance there is in what is achieved: 1 as much as the plant's model left unexplained, 0
            none.
    """

    params: np.ndarray
    state_dtype, info_dtype = State.dtype(), Info.dtype()
    observation = Vector(
        (
            *(
                Block(name, 1, low, high, unit, "set")
                for name, unit, low, high in zip(SETTING_NAMES, SETTING_UNITS, SETTING_LOW, SETTING_HIGH, strict=True)
            ),
            Block("achieved", GOALS, tuple(_reachable(-1.0)), tuple(_reachable(1.0)), "", ", ".join(GOAL_NAMES)),
            Block("wanted", GOALS, GOAL_LOW, GOAL_HIGH, "", "the same, of the next step"),
            Block("beams", BEAMS, 0.0, BEAM_HIGH, "MW", "powers of the next step"),
        )
    )
    action = Vector(
        tuple(Block(name, 1, -1.0, 1.0, "", "over its range") for name in SETTING_NAMES), out_of_range="clip"
    )
    loops = batch_loops(reset, step, observe, work=WORK)

    def __init__(self, *, residual_scale: Annotated[float, Between(0.0, MOST_RESIDUAL)] = 0.65):
        self.params = Params.make(residual=residual_scale)
