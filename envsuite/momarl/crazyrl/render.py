"""Draws drones and target in their room."""

import numpy as np

from envsuite.core.canvas import Camera, Canvas, Scene, disc, ground, shadow
from envsuite.core.companions import Pictures
from envsuite.momarl.crazyrl.params import HEIGHT

COLORS = ((44, 92, 170), (226, 124, 44), (60, 150, 90), (150, 84, 170), (30, 150, 160), (190, 150, 30))
UP = (0.0, 0.0, 1.0)
HUBS = 0.2 * np.array([(1, 1, 0), (1, -1, 0), (-1, -1, 0), (-1, 1, 0)])
"""Where the rotors of a drone are, as shares of a third of the room: larger than life."""


def draw(world, state, size: tuple[int, int]) -> np.ndarray:
    """Draw one record: drones in their colours, the target as a red ball, their shadows and heights.

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
    target = np.asarray(state["target"], np.float64)
    _stand(scene, target, disc(target, UP, 0.2 * far), (210, 50, 50), far)
    scene.ball(target, 0.2 * far, (210, 50, 50), (250, 250, 250), 0.015 * far)
    for n, place in enumerate(np.asarray(state["position"], np.float64)):
        color = COLORS[n % len(COLORS)]
        for side in HUBS:
            rotor = disc(place + far * side, UP, 0.14 * far)
            scene.segment(place, place + far * side, (52, 60, 72), 0.05 * far)
            scene.polygon(rotor, (*color, 190), color, 0.02 * far)
            _stand(scene, place, rotor, color, far)
        scene.ball(place, 0.08 * far, color)
    scene.draw(canvas)
    return canvas.to_array()


def _stand(scene: Scene, place, edge, color, far: float) -> None:
    """A shadow, and a line from it to what casts it."""
    spot = np.array([place[0], place[1], 0.0])
    scene.polygon(shadow(edge) + np.array([0.0, 0.0, 0.01]), (120, 126, 136))
    scene.segment(spot, place, (*color, 110), 0.02 * far)


class CrazyRLPictures(Pictures):
    """The room in perspective."""

    size = (480, 360)
    fps = 20

    def draw(self, state, size):
        """Draw the drones and the target in their room."""
        return draw(self.world, state, size)
