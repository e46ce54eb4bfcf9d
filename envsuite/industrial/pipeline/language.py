"""The pipe in words."""

import numpy as np

from envsuite.core.language import said
from envsuite.industrial.language import PlantWords


class PipelineWords(PlantWords):
    """What arrives, what is under way, and what is wanted."""

    def situation(self, state):
        """See `PlantWords.situation`."""
        delay = len(state["pipe"]) - 1
        acts = [float(one) for one in state["acted"][: max(1, delay)]]
        told = ", ".join(said(one, 2) for one in acts)
        return (
            f"Step {int(state['clock']['step'])}. Water takes {delay} steps through a pipe. At its end "
            f"{said(state['pipe'][-1])} m^3/h arrive and {said(state['target'])} are wanted; a step before "
            f"{said(state['arrived'][0])} arrived. Your last changes at the gate, the newest first, were {told}; in "
            f"all {said(np.sum(acts))} m^3/h."
        )

    def task(self, state):
        """See `PlantWords.task`."""
        return (
            "Keep what arrives at what is wanted, which seldom changes. Each step you change the flow at the gate, "
            "between 0 and 200 m^3/h, by up to 1."
        )
