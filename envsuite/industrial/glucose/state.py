"""The record, metrics and layouts."""

import numpy as np

from envsuite.core import Block, Record, StateRecord, Vector, field
from envsuite.industrial.glucose.params import KNOTS, MEAL_COUNT, POINTS, SEEN, STATES
from envsuite.industrial.glucose.patients import table


class State(StateRecord):
    """One patient."""

    level = field(type=np.int64, meaning="number of the patient among those to draw from")
    x = field(shape=STATES, meaning="the model's state, see the README")
    minute = field(type=np.int64, unit="min", meaning="since the episode began")
    start = field(type=np.int64, unit="min", meaning="time of the day at that moment")
    meal_times = field(unit="min", shape=MEAL_COUNT, meaning="of today; -1 for a meal that is left out")
    meal_grams = field(unit="g", shape=MEAL_COUNT, meaning="carbohydrates of each")
    planned = field(unit="g", meaning="on the table")
    eating = field(unit="g/min", meaning="in the minute that is over")
    stomach = field(unit="mg", meaning="carbohydrates in the stomach when the latest meal began")
    eaten = field(unit="g", meaning="since then")
    carbs = field(unit="g", meaning="eaten in this step")
    insulin = field(unit="U/min", meaning="of this step")
    held = field(unit="mg/dL", meaning="what the sensor measured last, without its error")
    shown = field(unit="mg/dL", meaning="and with it")
    glucose = field(unit="mg/dL", meaning="mean of `held` over the three minutes of this step")
    reading = field(unit="mg/dL", meaning="mean of `shown`, which is observed")
    knots = field(unit="mg/dL", shape=KNOTS, meaning="errors of the sensor, 15 minutes apart")
    error = field(type=np.int64, meaning="readings since the first of them")
    drift = field(meaning="the normal number behind the last of them")
    glucose_trace = field(type=np.float32, unit="mg/dL", shape=POINTS, meaning="readings, every 12 minutes")
    insulin_trace = field(type=np.float32, unit="U", shape=POINTS, meaning="insulin of these 12 minutes")
    carbs_trace = field(type=np.float32, unit="g", shape=POINTS, meaning="carbohydrates of these")


class Info(Record):
    """The metrics."""

    cost = field(meaning="1 while glucose is below 70 mg/dL, otherwise 0; no part of the reward")
    below_54 = field(type=np.bool_, meaning="glucose is below 54 mg/dL")
    below_70 = field(type=np.bool_, meaning="glucose is below 70 mg/dL")
    above_180 = field(type=np.bool_, meaning="glucose is above 180 mg/dL")
    glucose = field(unit="mg/dL", meaning="where the sensor is, without its delay and its errors")
    blood_glucose = field(unit="mg/dL", meaning="in plasma")
    insulin = field(unit="U/min", meaning="of the step")
    insulin_on_board = field(unit="U", meaning="under the skin, not yet absorbed: the delay")
    carbs = field(unit="g", meaning="eaten in the step: the external factor")
    carbs_on_board = field(unit="g", meaning="in stomach and intestine")
    next_meal = field(unit="min", meaning="until the day's next meal; -1 where there is none")
    next_meal_carbs = field(unit="g", meaning="of it")
    hour = field(unit="h", meaning="time of the day")
    patient = field(type=np.int64, meaning="number among all thirty")


def _constant(name: str) -> Block:
    values = [one[name.lower()] for one in table().values()]
    return Block(name, 1, 0.5 * min(values), 2.0 * max(values), "", "constant of the patient, see the README")


OBSERVATION = Vector(
    (
        Block("glucose", 1, 10.0, 600.0, "mg/dL", "the sensor's reading, mean of three minutes"),
        *(_constant(name) for name in SEEN),
    )
)
ACTION = Vector((Block("insulin", 1, -1.0, 1.0, "", "rate of the pump, see the README"),), out_of_range="clip")
