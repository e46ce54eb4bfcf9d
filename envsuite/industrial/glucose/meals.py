"""When patients eat, and how much."""

import math

from envsuite.core import kernel, rng
from envsuite.industrial.glucose.params import (
    DAY,
    MEAL_CHANCES,
    MEAL_COUNT,
    MEAL_EARLIEST,
    MEAL_GRAM_SPREAD,
    MEAL_GRAMS,
    MEAL_LATEST,
    MEAL_TIME_SPREAD,
    MEAL_TIMES,
)

NONE, FIXED, RANDOM = range(3)


@kernel
def _between(g, mean, spread, low, high):
    """A normal number within bounds, near to which the mean must lie."""
    while True:
        value = rng.normal(g, rng.DYNAMICS, mean, spread)
        if low <= value <= high:
            return value


@kernel
def plan_day(s, p):
    """Write today's meals."""
    for k in range(MEAL_COUNT):
        s.meal_times[k], s.meal_grams[k] = MEAL_TIMES[k], MEAL_GRAMS[k]
        if p.meals == RANDOM:
            time = _between(s.rng, MEAL_TIMES[k], MEAL_TIME_SPREAD[k], MEAL_EARLIEST[k], MEAL_LATEST[k])
            grams = rng.normal(s.rng, rng.DYNAMICS, MEAL_GRAMS[k], MEAL_GRAM_SPREAD[k])
            s.meal_times[k] = math.floor(time + 0.5)
            s.meal_grams[k] = max(math.floor(grams + 0.5), 0)
        left_out = p.meals == RANDOM and rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0) >= MEAL_CHANCES[k]
        if p.meals == NONE or left_out:
            s.meal_times[k] = -1.0


@kernel
def serve(s, p):
    """Put on the table what is for this minute; at midnight the day's meals are planned anew."""
    now = (s.start + s.minute) % DAY
    if now == 0 and s.minute > 0:
        plan_day(s, p)
    for k in range(MEAL_COUNT):
        if s.meal_times[k] == now:
            s.planned += s.meal_grams[k]


@kernel
def next_meal(s):
    """Minutes until the day's next meal and its grams; -1 and 0 where there is none."""
    now = (s.start + s.minute) % DAY
    wait, grams = -1.0, 0.0
    for k in range(MEAL_COUNT):
        ahead = s.meal_times[k] - now
        if s.meal_times[k] >= 0.0 and ahead >= 0.0 and (wait < 0.0 or ahead < wait):
            wait, grams = ahead, s.meal_grams[k]
    return wait, grams
