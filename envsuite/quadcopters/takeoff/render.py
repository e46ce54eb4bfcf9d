"""Draws the take-off."""

from envsuite.quadcopters.flying.render import DronePictures
from envsuite.quadcopters.takeoff.params import EVERY, TARGET


class TakeoffPictures(DronePictures):
    """The drone, its goal and its trail."""

    every = EVERY

    def draw(self, state, size):
        """Draw them from the side."""
        height = float(state["craft"]["position"][2])
        return self.picture(
            state,
            size,
            f"{height:.2f} m high",
            look_at=(0.0, 0.0, 0.55),
            distance=2.2,
            targets=[TARGET],
            scale=2.0,
        )
