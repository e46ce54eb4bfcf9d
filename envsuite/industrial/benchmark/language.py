"""The Industrial Benchmark in words."""

from envsuite.core.language import said
from envsuite.core.layout import Choice
from envsuite.industrial.benchmark.params import STEPS
from envsuite.industrial.language import PlantWords

_TOLD = 10  # frames that a description has at most; small networks see all


class IndustrialBenchmarkWords(PlantWords):
    """The last frames as a table, and the rules."""

    longest = 1 << 13

    def situation(self, state):
        """See `PlantWords.situation`."""
        told = [", ".join(said(one) for one in frame) for frame in state["frames"][:_TOLD]]
        rows = "; ".join([told[0], *(f"{k} before {row}" for k, row in enumerate(told[1:], start=1))])
        return (
            f"Step {int(state['clock']['step'])} of a plant. Setpoint, velocity, gain, shift, fatigue and consumption "
            f"are now {rows}."
        )

    def task(self, state):
        """See `PlantWords.task`."""
        return (
            "Keep 3 times fatigue plus consumption low, in the sum over all steps. Velocity, gain and shift are yours, "
            "from 0 to 100. Higher velocity and gain lower the fatigue and raise the consumption, 5 to 9 steps later; "
            "consumption also depends on how the shift fits a hidden direction, which turns with the shift; some of it "
            "is chance."
        )

    def instructions(self, state, agent=0):
        """See `Words.instructions`."""
        if isinstance(self.world.action, Choice):
            return (
                "Answer with one choice such as velocity_down-gain_keep-shift_up: each of the three is _down, _keep or "
                f"_up, by {STEPS[0]:g}, {STEPS[1]:g} and {STEPS[2]:.2f}."
            )
        return (
            "Answer with 3 numbers from -1 to 1 in brackets, the changes of velocity, gain and shift, of which 1 "
            f"stands for {STEPS[0]:g}, {STEPS[1]:g} and {STEPS[2]:.2f}."
        )
