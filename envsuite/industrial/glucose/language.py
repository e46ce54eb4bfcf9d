"""The patient in words."""

import re

import numpy as np

from envsuite.core.language import NUMBER, Refusal, RefusalKind, said
from envsuite.core.world import observe
from envsuite.industrial.glucose.experts import action_of
from envsuite.industrial.glucose.params import MINUTES, PMOL, PUMP, SEEN
from envsuite.industrial.language import PlantWords

_RATE = re.compile(rf"({NUMBER.pattern})\s*U\s*/\s*h", re.IGNORECASE)


class SimglucoseWords(PlantWords):
    """The reading, who the patient is, and what comes of insulin."""

    longest = 4096

    def situation(self, state):
        """See `PlantWords.situation`."""
        seen = observe(self.world, state)
        own = dict(zip(SEEN, seen[1:].tolist(), strict=True))
        basal = 60.0 * own["u2ss"] * own["BW"] / PMOL
        constants = ", ".join(f"{name} {own[name]:.4g}" for name in SEEN)
        return (
            f"Step {int(state['clock']['step'])}. The sensor under the patient's skin shows {said(seen[0])} mg/dL of "
            f"glucose. The patient weighs {said(own['BW'])} kg; without meals {said(basal, 2)} U/h of insulin would "
            f"keep glucose where it was in the beginning. All constants of the patient's model: {constants}."
        )

    def task(self, state):
        """See `PlantWords.task`."""
        p = self.world.params[0]
        paid = (
            "A step is worth 1 near 112 mg/dL and nothing below 70 or above 180"
            if p["in_range"]
            else "A step is worth about 1, and a little more where glucose comes nearer to 112 mg/dL"
        )
        return (
            f"You set the insulin pump of a patient with diabetes of type 1 for {MINUTES} minutes at a time. {paid}. "
            f"The day ends badly, with {said(p['penalty'], 0)}, at {said(p['fatal_low'], 0)} mg/dL, and with no more "
            f"at {said(p['fatal_high'], 0)}. Insulin acts after an hour and for many hours. The patient eats several "
            "times a day, and does not tell when."
        )

    def instructions(self, state, agent=0):
        """See `Words.instructions`."""
        p = self.world.params[0]
        law = f"{PUMP:g} exp({p['steepness']:g} (a - 1))" if p["exponential"] else f"{PUMP / 2:g} (a + 1)"
        return (
            f"Answer with a rate of insulin, such as 0.9 U/h, at most {60 * PUMP:g} U/h; or with a number a from -1 "
            f"to 1 in brackets, for {law} U/min."
        )

    def parse(self, text, state, agent=0):
        """Read a rate in U/h, or a number in brackets as all environments take it."""
        if not (rates := _RATE.findall(text)):
            return super().parse(text, state, agent)
        rate = float(rates[-1])
        if not 0 <= rate <= 60 * PUMP:
            return Refusal(RefusalKind.OUT_OF_RANGE, f"{rate:g} U/h is outside [0, {60 * PUMP:g}]")
        return np.array([action_of(rate / 60.0, self.world.params[0])], self.world.action.dtype)
