"""The task in words."""

from envsuite.quadcopters.flying.language import DroneWords


class LandingWords(DroneWords):
    """The task in words."""

    def task(self, state):
        """What is to be done."""
        moving = "moving " if self.world.params[0]["pad_speed"] > 0 else ""
        return (
            f"Land on the {moving}pad: within 10 cm of its middle, slower than 0.3 m/s relative to it, and tilted by "
            "less than 15 degrees."
        )
