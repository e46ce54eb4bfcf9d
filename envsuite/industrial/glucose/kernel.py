"""Days of a patient on one record, and the world."""

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, batch_loops, fmath, kernel, rng
from envsuite.industrial.glucose.meals import FIXED, NONE, RANDOM, next_meal, plan_day, serve
from envsuite.industrial.glucose.params import (
    DAY,
    EVERY,
    MINUTES,
    PMOL,
    POINTS,
    PUMP,
    Mapping,
    Meals,
    Reward,
)
from envsuite.industrial.glucose.patients import names_of, params_of
from envsuite.industrial.glucose.physiology import (
    INTESTINE,
    PLASMA,
    SENSOR,
    SKIN,
    SKIN_FIRST,
    STOMACH_LIQUID,
    STOMACH_SOLID,
    WORK,
    pass_minute,
    rest,
)
from envsuite.industrial.glucose.sensor import next_error, switch_on, within
from envsuite.industrial.glucose.state import ACTION, OBSERVATION, Info, State
from envsuite.industrial.world import PlantWorld

_MEALS = {"none": NONE, "fixed": FIXED, "random": RANDOM}


@kernel
def draw_level(s, params):
    """Draw a patient."""
    s.level = rng.integers(s.rng, rng.RESET, params[0].count)


@kernel
def risk(glucose):
    """Kovatchev's risk of a glucose in mg/dL: 0 at 112.5, 7.8 at 70 and at 180 (Diabetes Care 20, 1997)."""
    return 10.0 * (1.509 * (fmath.pow(fmath.log(glucose), 1.084) - 5.381)) ** 2


@kernel
def rate_of(action, p):
    """Insulin of an action, U/min."""
    return PUMP * fmath.exp(p.steepness * (action - 1.0)) if p.exponential else 0.5 * PUMP * (action + 1.0)


@kernel
def _look(s, p):
    """Let the sensor measure."""
    glucose = s.x[SENSOR] / p.vg
    s.held = within(glucose, p)
    s.shown = within(glucose + next_error(s, p), p)


@kernel
def reset(s, p):
    """A patient in the steady state, at a full hour."""
    s.start = 60 * (p.hour if p.hour >= 0 else rng.integers(s.rng, rng.RESET, 24))
    s.minute = 0
    rest(s.x, p)
    s.planned, s.eating, s.stomach, s.eaten, s.carbs = 0.0, 0.0, 0.0, 0.0, 0.0
    s.insulin = p.u2ss * p.bw / PMOL
    plan_day(s, p)
    switch_on(s, p)
    _look(s, p)
    s.glucose, s.reading = s.held, s.shown
    for k in range(POINTS):
        s.glucose_trace[k], s.insulin_trace[k], s.carbs_trace[k] = 0.0, 0.0, 0.0
    s.glucose_trace[0] = s.reading


@kernel
def _note(s):
    """Go on with the curves."""
    step = np.int64(s.clock.step)
    k = (step // EVERY) % POINTS
    if step % EVERY == 0:
        s.insulin_trace[k], s.carbs_trace[k] = 0.0, 0.0
    s.glucose_trace[k] = s.reading
    s.insulin_trace[k] += np.float32(MINUTES * s.insulin)
    s.carbs_trace[k] += np.float32(s.carbs)


@kernel
def pay(before, after, p):
    """The reward of a step from one glucose to the next."""
    if after <= p.fatal_low:
        return p.penalty
    if after >= p.fatal_high:
        return 0.0
    if p.in_range:
        return max(1.0 - risk(after) / p.range_risk, 0.0)
    return 1.0 + (risk(before) - risk(after)) / 100.0


@kernel
def step(s, p, w, action):
    """Three minutes with insulin at one rate."""
    s.insulin = rate_of(np.float64(action[0]), p)
    s.carbs = 0.0
    before, held, shown, current = s.glucose, 0.0, 0.0, 0.0
    for _ in range(MINUTES):
        serve(s, p)
        pass_minute(s, p, w)
        s.minute += 1
        current += s.x[SENSOR] / p.vg
        if s.minute % MINUTES == 0:
            _look(s, p)
        held += s.held
        shown += s.shown
    s.glucose, s.reading = held / MINUTES, shown / MINUTES
    _note(s)
    ended = s.glucose <= p.fatal_low or s.glucose >= p.fatal_high
    if p.original:
        ended = current < MINUTES * p.fatal_low or current > MINUTES * p.fatal_high
    return pay(before, s.glucose, p), ended


@kernel
def observe(s, p, observation):
    """The reading, and the patient's constants."""
    observation[0] = s.reading
    for k in range(p.constants.shape[0]):
        observation[1 + k] = p.constants[k]


@kernel
def measure(s, p, info):
    """Write the metrics."""
    glucose = s.x[SENSOR] / p.vg
    info.glucose, info.blood_glucose = glucose, s.x[PLASMA] / p.vg
    info.below_54, info.below_70, info.above_180 = glucose < 54.0, glucose < 70.0, glucose > 180.0
    info.cost = 1.0 if info.below_70 else 0.0
    info.insulin = s.insulin
    info.insulin_on_board = (s.x[SKIN_FIRST] + s.x[SKIN]) * p.bw / PMOL
    info.carbs = s.carbs
    info.carbs_on_board = 1e-3 * (s.x[STOMACH_SOLID] + s.x[STOMACH_LIQUID] + s.x[INTESTINE])
    info.next_meal, info.next_meal_carbs = next_meal(s)
    info.hour = ((s.start + s.minute) % DAY) / 60.0
    info.patient = p.number


LOOPS = batch_loops(reset, step, observe, measure, draw_level=draw_level, work=WORK)


class SimglucoseWorld(PlantWorld):
    """A pump gives insulin to a patient with diabetes of type 1, who eats.

    Args:
        patients: whom episodes are of: ``"train"`` (numbers 1 to 5 of adolescents, adults and children), ``"test"`` (6
            to 10), ``"all"``, a name such as ``"adult#003"``, or several of these.
        mapping: ``"linear"``: an action is a rate, 2.5 (a + 1) U/min; ``"exponential"``: its logarithm, 5 exp(4 (a -
            1)) U/min.
        meals: ``"fixed"``, six a day at the same times; ``"random"``, drawn every day; or ``"none"``.
        noise: whether the sensor errs in what is observed; rewards and ends do not.
        start_hour: at which episodes begin; None for a random one.
        reward: ``"change"``, NeoRL-2's: 1 a step and a hundredth of how much the risk fell; ``"range"``: 1 at the best
            glucose, 0 outside of 70 to 180 mg/dL.
        substeps: of the integration in a minute.
        compat: ``"neorl2"``: episodes end by the three minutes' mean of the glucose itself and not of the sensor's,
            which the reward is of, so that the penalty is missed in one of three deaths.

    Raises:
        ValueError: no such patient.
    """

    state_dtype, info_dtype = State.dtype(), Info.dtype()
    observation, action, loops = OBSERVATION, ACTION, LOOPS

    def __init__(
        self,
        *,
        patients: str | Sequence[str] = "train",
        mapping: Mapping = "linear",
        meals: Meals = "fixed",
        noise: bool = False,
        start_hour: Annotated[int | None, Between(0, 23)] = None,
        reward: Reward = "change",
        substeps: Annotated[int, Between(1, 60)] = 2,
        compat: Literal["neorl2"] | None = None,
    ):
        self.patients = names_of(patients)
        self.params = params_of(
            self.patients,
            exponential=mapping == "exponential",
            meals=_MEALS[meals],
            noisy=noise,
            hour=-1 if start_hour is None else start_hour,
            in_range=reward == "range",
            substeps=substeps,
            original=compat is not None,
        )
