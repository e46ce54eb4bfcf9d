"""The two masses in words."""

from envsuite.core.language import said
from envsuite.industrial.dmsd.world import SWITCH
from envsuite.industrial.language import PlantWords


class DMSDWords(PlantWords):
    """Where the masses are, how they move, where they should be."""

    def situation(self, state):
        """See `PlantWords.situation`."""
        step = int(state["clock"]["step"])
        goals = [float(state["targets"][i, 1 if step >= SWITCH else 0]) for i in range(2)]
        told = ". ".join(
            f"Mass {i + 1} is {said(state['x'][i], 3)} m from rest, moves at {said(state['v'][i], 3)} m/s and should "
            f"be at {said(goals[i], 3)} m"
            for i in range(2)
        )
        return f"Step {step}. {told}."

    def task(self, state):
        """See `PlantWords.task`."""
        p = self.world.params[0]
        return (
            f"Two masses of {p['mass']:g} kg stand between two walls; springs of {p['stiffness']:g} N/m and dampers of "
            f"{p['damping']:g} N s/m join wall, mass, mass and wall. Push each, with up to {p['force']:g} N for "
            f"{p['dt']:g} s at a time, so that it gets to its target soon and stays there, as precisely as you can. "
            f"Targets may change at step {SWITCH}."
        )
