"""Pictures of bodies made of capsules and balls, with shadows, on a floor with a grid, under a camera that follows."""

import math
from typing import Any, ClassVar

import numpy as np

from envsuite.core.canvas import Camera, Canvas, Scene, ground
from envsuite.core.companions import Pictures
from envsuite.rigid.layout import CAPSULE, SPHERE

_SHADE, _LIGHT = (176, 184, 194), 0.35
_DIRECTIONS = {"side": -90.0, "front": 0.0, "corner": -50.0}  # degrees, from which the camera looks


def _tone(colour: Any, share: float) -> tuple[int, int, int]:
    """A colour (r, g, b, a from 0 to 1), darker below 0 and lighter above."""
    goal = 255.0 if share > 0 else 0.0
    red, green, blue = (round(255 * one + abs(share) * (goal - 255 * one)) for one in colour[:3])
    return red, green, blue


class BodiesPictures(Pictures):
    """The bodies as they stand.

    Attributes:
        distance: m, from the camera to what it looks at.
        rise: degrees, of the camera above the floor.
        height: m, of the point that it looks at.
        floor: m, height of the floor that is drawn.
        follows: body that the camera follows along x and y, 0 for none.
        spacing: m, of the lines on the floor.
    """

    size = (640, 400)
    views = ("side", "corner", "front")
    distance: ClassVar[float] = 3.2
    rise: ClassVar[float] = 8.0
    height: ClassVar[float] = 0.8
    floor: ClassVar[float] = 0.0
    follows: ClassVar[int] = 1
    spacing: ClassVar[float] = 0.5

    def __init__(self, world: Any):
        super().__init__(world)
        self.fps = round(1 / world.seconds_per_step)
        scene, numbers = world.compiled.scene, world.compiled.geom
        declared = [*scene.geoms, *(one for body in scene.bodies for one in body.geoms)]
        self._colours = {numbers[one.name]: one.rgba for one in declared if one.name}

    def camera(self, middle: np.ndarray, size: tuple[int, int]) -> Camera:
        """The camera.

        Args:
            middle: m, the point that it looks at.
            size: (width, height) of the picture.
        """
        turn, rise = math.radians(_DIRECTIONS[self.view]), math.radians(self.rise)
        away = np.array([math.cos(turn) * math.cos(rise), math.sin(turn) * math.cos(rise), math.sin(rise)])
        x, y, z = (float(value) for value in middle)
        ex, ey, ez = (float(value) for value in middle + self.distance * away)
        return Camera((ex, ey, ez), (x, y, z), size, up=(0.0, 1.0, 0.0) if self.rise > 80 else (0.0, 0.0, 1.0))

    def draw(self, state, size):
        """Draw the floor, shadows and all shapes, and what the clock says."""
        places, axes = self.world.frames(state)
        middle = np.array([*(places[self.follows][:2] if self.follows else (0.0, 0.0)), self.height])
        camera = self.camera(middle, size)
        canvas = Canvas(*size, background=ground(camera, self.floor, self.spacing))
        shadows, scene = Scene(camera), Scene(camera)
        model = self.world.compiled.model[0]
        for shape in range(int(model["ngeom"])):
            colour = self._colours.get(shape, (0.6, 0.6, 0.6, 1))
            if colour[3] > 0 and model["geom_type"][shape] in (SPHERE, CAPSULE):
                body, size = model["geom_bodyid"][shape], model["geom_size"][shape]
                centre = places[body] + axes[body] @ model["geom_pos"][shape]
                half = size[1] * (axes[body] @ model["geom_mat"][shape].reshape(3, 3))[:, 2]
                rod = model["geom_type"][shape] == CAPSULE
                self._add(
                    scene, shadows, colour, np.array([centre - half, centre + half] if rod else [centre]), size[0]
                )
        self.furnish(scene, middle)
        shadows.draw(canvas)
        scene.draw(canvas)
        seconds = int(state["clock"]["step"]) * self.world.seconds_per_step
        way = f"   x {float(places[self.follows][0]):.2f} m" if self.follows else ""
        canvas.text((10, 8), f"{seconds:.2f} s{way}", (40, 52, 66), 15)
        return canvas.to_array()

    def furnish(self, scene: Scene, middle: np.ndarray) -> None:
        """Add what does not move; by default nothing.

        Args:
            scene: to add to.
            middle: m, the point that the camera looks at.
        """

    def _add(self, scene: Scene, shadows: Scene, colour: Any, ends: np.ndarray, radius: float) -> None:
        """Add a rod with round ends or a ball: a dark rim, a body, a light stripe on top, and the shadow."""
        rim, body, stripe = (_tone(colour, share) for share in (-0.45, 0.0, _LIGHT))
        flat = ends.copy()
        flat[:, 2] = self.floor
        lift = np.array([0.0, 0.0, 0.35 * radius])
        for part, colour, where in ((1.0, rim, ends), (0.86, body, ends), (0.4, stripe, ends + lift)):
            if len(ends) > 1:
                scene.segment(where[0], where[1], colour, 2 * radius * part)
            for end in where:
                scene.ball(end, radius * part, colour)
        if len(ends) > 1:
            shadows.segment(flat[0], flat[1], _SHADE, 1.6 * radius)
        for end in flat:
            shadows.ball(end, 0.8 * radius, _SHADE)
