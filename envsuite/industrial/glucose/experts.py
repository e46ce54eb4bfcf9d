"""Players who give insulin: by a patient's own plan, and as the people behind NeoRL-2's data did."""

import numpy as np

from envsuite.core import Record, field, fmath, kernel, rng
from envsuite.core.jit import records
from envsuite.industrial.experts import PlantPlayers
from envsuite.industrial.glucose.params import DAY, MINUTES, PMOL, PUMP
from envsuite.industrial.glucose.physiology import PLASMA, SENSOR, SKIN, SKIN_FIRST
from envsuite.industrial.glucose.plans import PLANS


class Plan(Record):
    """How a patient is treated."""

    ratio = field(unit="g/U", meaning="carbohydrates that a unit of insulin covers", low=1)
    lead = field(unit="min", meaning="from the injection to the meal", low=0)
    target = field(unit="mg/dL", meaning="glucose that is aimed at")
    proportional = field(meaning="share of the basal rate that is added for 30 mg/dL above the target", low=0)
    derivative = field(meaning="and for 10 mg/dL in plasma above that under the skin", low=0)
    feedback = field(meaning="and taken off for insulin under the skin as much as the basal rate's", low=0)


@kernel
def action_of(rate, p):
    """The action for a rate in U/min, as near as there is."""
    if p.exponential:
        return min(max(1.0 + fmath.log(max(rate, 1e-9) / PUMP) / p.steepness, -1.0), 1.0)
    return min(max(2.0 * rate / PUMP - 1.0, -1.0), 1.0)


@kernel
def dose(s, p, plan):
    """Insulin of a step, U/min: the basal rate, corrected by glucose and insulin, and what meals ahead need."""
    basal, now = p.u2ss * p.bw / PMOL, (s.start + s.minute) % DAY
    plasma = s.x[PLASMA] / p.vg
    rising = plasma - s.x[SENSOR] / p.vg
    under_skin = p.isc1 + p.isc2
    excess = (s.x[SKIN_FIRST] + s.x[SKIN] - under_skin) / under_skin
    share = 1.0 + plan.proportional * (plasma - plan.target) / 30.0 + plan.derivative * rising / 10.0
    rate = basal * max(share - plan.feedback * excess, 0.0)
    for k in range(s.meal_times.shape[0]):
        ahead = s.meal_times[k] - now
        due = ahead >= 0.0 and (ahead >= plan.lead or s.clock.step == 0)
        if s.meal_times[k] >= 0.0 and due and ahead < plan.lead + MINUTES:
            rate += s.meal_grams[k] / plan.ratio / MINUTES
    return rate


@kernel
def dose_batch(states, params, plans, actions):
    """Write the action of every instance."""
    for i in range(states.shape[0]):
        s = states[i]
        p = params[s.level]
        actions[i, 0] = action_of(dose(s, p, plans[s.level]), p)


class Therapist:
    """Gives every patient the basal rate, insulin before meals, and corrections, by the patient's own plan.

    It looks at the record: glucose in plasma, insulin under the skin, and the day's meals.

    Args:
        world: a `SimglucoseWorld`.
        plans: (patients,) records of type `Plan`; by default those of `plans.PLANS`.
    """

    def __init__(self, world, plans: np.ndarray | None = None):
        self._params = records(world.params)
        found = np.array([PLANS[name] for name in world.patients], Plan.dtype()) if plans is None else plans
        self._plans = records(found)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, 1)."""
        actions = np.zeros((len(states), 1), np.float32)
        dose_batch(records(states), self._params, self._plans, actions)
        return actions


SPREAD = 0.03
"""Standard deviation of the factor on a follower's rates in an episode: days of the same patient and hour differ."""


@kernel
def draw_factors(streams, mask, factors):
    """Write by what the rates of new episodes are multiplied."""
    for i in range(mask.shape[0]):
        if mask[i]:
            factors[i] = 1.0 + SPREAD * rng.normal(streams[i], rng.AGENT, 0.0, 1.0)


@kernel
def follow_batch(observations, params, factors, rate, slope, actions):
    """Write the action of every instance: a rate that rises with the reading."""
    for i in range(observations.shape[0]):
        reading = np.float64(observations[i, 0])
        wanted = factors[i] * rate * max(1.0 + slope * (reading - 140.0) / 100.0, 0.0)
        actions[i, 0] = action_of(wanted, params[0])


class Follower:
    """Gives all patients much the same: a rate that rises a little with the reading, as learned policies do.

    A factor near 1 on all rates is drawn for each episode; in it there is no chance.

    Args:
        world: a `SimglucoseWorld`.
        rate: U/min at a reading of 140 mg/dL.
        slope: share of the rate that is added for 100 mg/dL more.
    """

    def __init__(self, world, rate: float, slope: float):
        self._params, self._rate, self._slope = records(world.params), rate, slope
        self._factors = np.ones(0)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Draw the factors of new episodes."""
        if len(self._factors) != len(mask):
            self._factors = np.ones(len(mask))
        streams = records(np.zeros(len(mask), rng.STREAM))
        rng.begin(streams, np.asarray(seeds), mask)
        draw_factors(streams, np.asarray(mask, np.bool_), self._factors)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, 1)."""
        actions = np.zeros((len(states), 1), np.float32)
        follow_batch(observations, self._params, self._factors, self._rate, self._slope, actions)
        return actions


FOLLOWERS = {
    "follower-1": (0.021, 0.1),
    "follower-2": (0.024, 0.4),
    "follower-3": (0.028, 0.6),
    "follower-4": (0.030, 0.4),
}
"""Rates and slopes of collectors. The first three together live as long and earn as much as NeoRL-2's behaviour, the
fourth as much as that of its validation data."""


class SimglucosePlayers(PlantPlayers):
    """The therapist, and those who collect."""

    collectors = FOLLOWERS

    def expert(self):
        """See `Therapist`."""
        return Therapist(self.world)

    def make(self, numbers):
        """A `Follower`."""
        return Follower(self.world, *numbers)
