"""The task in words."""

from envsuite.quadcopters.flying.language import DroneWords


class TakeoffWords(DroneWords):
    """The task in words."""

    def task(self, state):
        """What is to be done."""
        return (
            "Take off and hold the goal, a metre above the floor, within 5 cm for a second; leaving the box of 1.5 m "
            "to the sides and 2.5 m upwards is a crash."
        )
