"""The task in words."""

from envsuite.quadcopters.flying.language import DroneWords
from envsuite.quadcopters.track_lissajous import render
from envsuite.quadcopters.track_lissajous.params import CONTROL_RATE


class TrackLissajousWords(DroneWords):
    """The task in words."""

    def task(self, state):
        """What is to be done."""
        now = int(state["clock"]["step"]) / CONTROL_RATE
        soon = render.curve(state, [now + 0.5])[0] - self.world.goal(state)
        return (
            f"Follow the goal, which moves along a closed curve in {float(state['period']):.1f} s and will have moved "
            f"by {soon.round(2).tolist()} m in half a second; more than a metre away from it you crash."
        )
