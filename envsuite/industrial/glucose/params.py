"""Constants of the patients' days, and the parameter record."""

from typing import Literal

import numpy as np

from envsuite.core import Record, field

MINUTES = 3
"""Of a step: the sensor's sample time."""
DAY = 1440
"""Minutes."""
STEPS = DAY // MINUTES
EATING = 5.0
"""g of carbohydrates a minute."""
PMOL = 6000.0
"""pmol in a unit of insulin."""
PUMP = 5.0
"""U/min, the rate of an action of 1."""
STATES = 13
"""Of a patient; see the README."""
POINTS = 120
"""Of the curves in pictures."""
EVERY = STEPS // POINTS
"""Steps from one of these to the next."""

Reward = Literal["change", "range"]
Meals = Literal["fixed", "random", "none"]
Mapping = Literal["linear", "exponential"]

SEEN = (
    *("BW", "Fsnc", "Ib", "Km0", "Vi", "Vm0", "Vmx", "b", "d", "f", "k1", "k2", "ka1", "ka2", "kabs", "kd", "ke1"),
    *("ke2", "ki", "kmax", "kp1", "kp2", "kp3", "ksc", "m1", "m2", "m30", "m4", "p2u", "u2ss"),
)
"""Constants that are observed, in NeoRL-2's order."""

MEAL_COUNT = 6
MEAL_TIMES = (420.0, 570.0, 720.0, 900.0, 1080.0, 1290.0)
"""Minutes of the day of breakfast, lunch, dinner and a snack after each; means of random meals (simglucose)."""
MEAL_GRAMS = (45.0, 10.0, 70.0, 10.0, 80.0, 10.0)
"""Of carbohydrates; means of random meals."""
MEAL_EARLIEST = (300.0, 540.0, 600.0, 840.0, 960.0, 1200.0)
"""Bounds of random meals' times, likewise the next ones."""
MEAL_LATEST = (540.0, 600.0, 840.0, 960.0, 1200.0, 1380.0)
MEAL_TIME_SPREAD = (60.0, 30.0, 60.0, 30.0, 60.0, 30.0)
"""Standard deviations before the bounds cut them."""
MEAL_GRAM_SPREAD = (10.0, 5.0, 10.0, 5.0, 10.0, 5.0)
MEAL_CHANCES = (0.95, 0.3, 0.95, 0.3, 0.95, 0.3)

KNOTS = 11
"""Of the spline through sensor errors, 15 minutes apart; the next one begins with the last of these."""
ERRORS = 50
"""Readings of one such spline."""


class Params(Record):
    """A patient, and what the days of all patients are like."""

    count = field(type=np.int64, meaning="patients to draw from", low=1)
    number = field(type=np.int64, meaning="of the patient among all thirty, from 0")
    constants = field(shape=len(SEEN), meaning="those that are observed")
    bw = field(unit="kg", meaning="body weight", low=1)
    vg = field(unit="dL/kg", meaning="distribution volume of glucose")
    gpb = field(unit="mg/kg", meaning="basal glucose in plasma")
    gtb = field(unit="mg/kg", meaning="basal glucose in tissue")
    k1 = field(unit="1/min", meaning="glucose from plasma to tissue")
    k2 = field(unit="1/min", meaning="and back")
    vi = field(unit="L/kg", meaning="distribution volume of insulin")
    ib = field(unit="pmol/L", meaning="basal insulin")
    ipb = field(unit="pmol/kg", meaning="basal insulin in plasma")
    ilb = field(unit="pmol/kg", meaning="basal insulin in the liver")
    m1 = field(unit="1/min", meaning="insulin from liver to plasma; likewise the next ones")
    m2 = field(unit="1/min")
    m4 = field(unit="1/min")
    m30 = field(unit="1/min")
    kmax = field(unit="1/min", meaning="greatest rate of emptying of the stomach")
    kmin = field(unit="1/min", meaning="least rate")
    kabs = field(unit="1/min", meaning="absorption in the intestine")
    b = field(meaning="share of a meal at which emptying slows down")
    d = field(meaning="share at which it is fast again")
    f = field(meaning="share of absorbed glucose that reaches the blood")
    kp1 = field(unit="mg/kg/min", meaning="production of glucose without glucose and insulin")
    kp2 = field(unit="1/min", meaning="how much glucose lowers it")
    kp3 = field(unit="mg/kg/min per pmol/L", meaning="how much insulin lowers it, late")
    ki = field(unit="1/min", meaning="delay of that")
    fsnc = field(unit="mg/kg/min", meaning="use of glucose by brain and blood")
    vm0 = field(unit="mg/kg/min", meaning="greatest use by tissue without insulin")
    vmx = field(unit="mg/kg/min per pmol/L", meaning="how much insulin raises it")
    km0 = field(unit="mg/kg", meaning="glucose at which half of it is used")
    p2u = field(unit="1/min", meaning="delay of insulin's action on it")
    ke1 = field(unit="1/min", meaning="excretion by the kidneys")
    ke2 = field(unit="mg/kg", meaning="glucose from which on they excrete")
    kd = field(unit="1/min", meaning="dissociation of injected insulin")
    ka1 = field(unit="1/min", meaning="its absorption before that")
    ka2 = field(unit="1/min", meaning="and after")
    isc1 = field(unit="pmol/kg", meaning="insulin under the skin at the basal rate, before dissociation")
    isc2 = field(unit="pmol/kg", meaning="and after")
    ksc = field(unit="1/min", meaning="glucose from plasma to the sensor")
    u2ss = field(unit="pmol/kg/min", meaning="basal rate of insulin")
    substeps = field(2, type=np.int64, meaning="of Runge-Kutta in a minute", low=1, high=60)
    exponential = field(False, type=np.bool_, meaning="actions are logarithms of rates")
    steepness = field(4.0, meaning="of this: 5 exp(4 (a - 1)) U/min", source="G2P2C (Hettiarachchi et al. 2024)")
    meals = field(1, type=np.int64, meaning="0 none, 1 the same every day, 2 drawn every day")
    hour = field(-1, type=np.int64, meaning="in which episodes begin; -1 for any", low=-1, high=23)
    noisy = field(False, type=np.bool_, meaning="the sensor errs")
    memory = field(0.7, meaning="of its errors from one knot to the next", source="simglucose, Dexcom; likewise:")
    xi = field(-5.47, "mg/dL")
    lam = field(15.9574, "mg/dL")
    gamma = field(-0.5444)
    delta = field(1.6898)
    lowest = field(10.0, "mg/dL", "least reading", source="NeoRL-2")
    highest = field(600.0, "mg/dL", "greatest reading")
    fatal_low = field(40.0, "mg/dL", "reading at which an episode ends")
    fatal_high = field(600.0, "mg/dL")
    penalty = field(-15.0, meaning="reward at the lower one")
    in_range = field(False, type=np.bool_, meaning="rewards are for being in range, not for change")
    range_risk = field(7.75, meaning="risk of 180 mg/dL and nearly of 70, from which on nothing is paid")
    original = field(False, type=np.bool_, meaning="episodes end by the blood, as in NeoRL-2's program")
