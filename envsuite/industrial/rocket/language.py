"""The rocket in words."""

import math

from envsuite.core.language import said
from envsuite.core.world import observe
from envsuite.industrial.language import PlantWords
from envsuite.industrial.rocket.params import HIGH, LEAN, RATE, WIDE


class RocketRecoveryWords(PlantWords):
    """Where the rocket is, how it moves and leans, what the wind does."""

    def situation(self, state):
        """See `PlantWords.situation`."""
        x, height, across, up, angle, spin, wind = (float(one) for one in observe(self.world, state))
        sides = ("right", "left")
        return (
            f"Step {int(state['clock']['step'])}. The rocket is {said(0.5 * HIGH * height, 2)} m above the ground and "
            f"{said(abs(0.5 * WIDE * x), 2)} m to the {sides[x < 0]} of the pad. It moves at "
            f"{said(2 * RATE / WIDE * across, 2)} m/s to the right and {said(2 * RATE / HIGH * up, 2)} m/s upwards, "
            f"leans {said(abs(math.degrees(angle)), 1)} degrees to the {sides[angle > 0]} and turns at "
            f"{said(math.degrees(2.5 * spin), 1)} degrees/s to the left. The wind pushes with "
            f"{said(wind, 1)} N to the right."
        )

    def task(self, state):
        """See `PlantWords.task`."""
        return (
            f"Come down on the pad, softly, leaning by less than {math.degrees(LEAN):.0f} degrees, with little fuel. "
            f"You choose {RATE} times a second. The first number is the main engine, which pushes the way the rocket "
            "points: off up to 0, half power just above 0, full power at 1. The second is the side engines: off from "
            "-0.5 to 0.5, above it pushing and turning the rocket to the right, below it to the left."
        )
