"""Draws drones and target in their room."""

import numpy as np

from envsuite.core.canvas import Camera, Canvas, Scene, disc, ground, shadow
from envsuite.core.companions import Pictures
from envsuite.momarl.crazyrl.params import HEIGHT

COLORS = ((44, 92, 170), (226, 124, 44), (60, 150, 90), (150, 84, 170), (30, 150, 160), (190, 150, 30))


def draw(world, state, size: tuple[int, int]) -> np.ndarray:
    """Draw one record: drones as balls, the target in red, their shadows and heights.

    Args:
        world: the `CrazyRLWorld`.
        state: the record.
        size: (width, height) in pixels.

    Returns:
        uint8 array (height, width, 3).
    """
    room = float(world.params[0]["half"])
    far = room / 3.0
    camera = Camera((7.5 * far, -9.0 * far, 6.5 * far + 1.0), (0.0, 0.0, 0.3 * HEIGHT), size, 42.0)
    canvas = Canvas(*size, ground(camera, spacing=far))
    scene = Scene(camera)
    corners = np.array([(-room, -room), (room, -room), (room, room), (-room, room)])
    for height in (0.0, HEIGHT):
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            scene.segment((*a, height), (*b, height), (150, 158, 170), 0.025 * far)
    for a in corners:
        scene.segment((*a, 0.0), (*a, HEIGHT), (150, 158, 170), 0.025 * far)
    bodies = [(state["target"], (210, 50, 50), 0.2)]
    bodies += [(place, COLORS[n % len(COLORS)], 0.15) for n, place in enumerate(state["position"])]
    for place, color, radius in bodies:
        spot = np.array([place[0], place[1], 0.0], np.float64)
        scene.polygon(shadow(disc(spot + np.array([0, 0, 0.01]), (0, 0, 1), radius * far)), (120, 126, 136))
        scene.segment(spot, place, (*color, 110), 0.02 * far)
        scene.ball(place, radius * far, color, (250, 250, 250), 0.015 * far)
    scene.draw(canvas)
    return canvas.to_array()


class CrazyRLPictures(Pictures):
    """The room in perspective."""

    size = (480, 360)
    fps = 20

    def draw(self, state, size):
        """Draw the drones and the target in their room."""
        return draw(self.world, state, size)
