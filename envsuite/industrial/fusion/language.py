"""The tokamak in words."""

from envsuite.core.language import said
from envsuite.industrial.fusion.world import GOAL_NAMES, GOAL_SCALES, SETTING_HIGH, SETTING_LOW, SETTING_NAMES
from envsuite.industrial.language import PlantWords

_DIGITS = (2, 2, 3)
_UNITS = (" MA", "", "", "", " m", " m")


class FusionWords(PlantWords):
    """What is set, what came of it, what is wanted and how the plasma is heated."""

    def situation(self, state):
        """See `PlantWords.situation`."""
        pairs = zip(SETTING_NAMES, state["settings"], _UNITS, strict=True)
        settings = ", ".join(f"{name} {said(value, 3)}{unit}" for name, value, unit in pairs)
        achieved, wanted = (
            ", ".join(
                f"{name} {said(value, digits)}"
                for name, value, digits in zip(GOAL_NAMES, state[key], _DIGITS, strict=True)
            )
            for key in ("achieved", "goals")
        )
        beams = ", ".join(said(power, 2) for power in state["beams"])
        return (
            f"Step {int(state['clock']['step'])}. Set are {settings}. This gave {achieved}. Wanted in the next step: "
            f"{wanted}, while the three neutral beams heat with {beams} MW."
        )

    def task(self, state):
        """See `PlantWords.task`."""
        ranges = ", ".join(
            f"{name} {low:g} to {high:g}{unit}"
            for name, low, high, unit in zip(SETTING_NAMES, SETTING_LOW, SETTING_HIGH, _UNITS, strict=True)
        )
        errors = ", ".join(f"{scale:g} of {name}" for name, scale in zip(GOAL_NAMES, GOAL_SCALES, strict=True))
        return (
            "Choose the six set values so that the plasma of a tokamak comes as near as you can to what is wanted. "
            f"A step is worth minus the logarithm of the error; these errors count alike: {errors}. "
            f"Your numbers go from the least to the greatest value of each: {ranges}."
        )
