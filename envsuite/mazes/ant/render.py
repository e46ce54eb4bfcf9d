"""Ants in mazes in pictures: the maze from above, or the ant between walls."""

import itertools
from typing import ClassVar

import numpy as np

from envsuite.core.canvas import Scene
from envsuite.mazes.ant.body import HEIGHT, SCALE
from envsuite.mazes.ogbench.params import DOOR_RADIUS
from envsuite.mazes.render import GOAL, draw
from envsuite.rigid.layout import CAPSULE, SPHERE
from envsuite.rigid.render import BodiesPictures

_LEG, _SHIN, _TORSO, _RIM = (120, 84, 48), (204, 153, 102), (37, 99, 176), (255, 255, 255)
_SEEN = 10.0  # m, walls farther from the camera's middle are not drawn
_TOP, _SIDES = (170, 178, 190), ((128, 138, 152), (112, 122, 138))


class WalkingPictures(BodiesPictures):
    """The maze from above, or the ant between walls from behind."""

    size = (480, 480)
    views = ("above", "corner", "side")
    rise, distance, height, spacing = 58.0, 9.0, 0.3, 1.0
    least: ClassVar[float] = 1.6
    """Pixels of a leg's width, at least."""

    def draw(self, state, size):
        """Draw the view that is chosen."""
        self.goal = np.asarray(state["goal"], np.float64)
        if self.view != "above":
            return super().draw(state, size)
        places, axes = self.world.frames(state)
        entries, exits = self.world.doors()
        doors = [(place, DOOR_RADIUS, (60, 60, 60)) for place in entries]

        def figure(canvas, pixels, metre):
            model = self.world.compiled.model[0]
            for kind, colours in ((CAPSULE, (_LEG, _SHIN)), (SPHERE, (_TORSO, _TORSO))):
                for shape in np.flatnonzero(model["geom_type"][: model["ngeom"]] == kind):
                    body, (radius, half, _) = model["geom_bodyid"][shape], model["geom_size"][shape]
                    middle = places[body] + axes[body] @ model["geom_pos"][shape]
                    along = half * (axes[body] @ model["geom_mat"][shape].reshape(3, 3))[:, 2]
                    if kind == SPHERE:
                        canvas.circle(pixels(middle[:2]), max(2.5, radius * metre), colours[0], _RIM, 1.0)
                    else:
                        ends = pixels(np.array([middle - along, middle + along])[:, :2])
                        canvas.line(ends, colours[int(half > 0.2)], max(self.least, 2 * radius * metre))

        return draw(self.world, state, size, doors + [(place, 1.0, (70, 150, 110)) for place in exits], figure)

    def furnish(self, scene: Scene, middle: np.ndarray) -> None:
        """Add walls near the camera's middle, and the goal."""
        p = self.world.params[0]
        grid, walls = p["grid"], p["walls"]
        radius = float(self.world.radius)
        ring = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        disc = [(self.goal[0] + radius * np.cos(a), self.goal[1] + radius * np.sin(a), 0.01) for a in ring]
        scene.polygon(disc, (*GOAL, 120), GOAL, 0.04)
        for i, j in np.argwhere(walls[: int(grid["rows"]), : int(grid["columns"])] != 0):
            x = float(grid["x0"] + grid["scale"] * (grid["ix"] * i + grid["jx"] * j))
            y = float(grid["y0"] + grid["scale"] * (grid["iy"] * i + grid["jy"] * j))
            if max(abs(x - middle[0]), abs(y - middle[1])) < _SEEN:
                _block(scene, x, y)


def _block(scene: Scene, x: float, y: float) -> None:
    """A wall in strips, so that what is near covers what is far."""
    half, strips = SCALE / 2, np.linspace(-SCALE / 2, SCALE / 2, 5)
    for low, high in itertools.pairwise(strips):
        for side in (-half, half):
            for along in (0, 1):
                corners = [(low, side), (high, side)] if along == 0 else [(side, low), (side, high)]
                (a, b), (c, d) = corners
                face = [(x + a, y + b, 0), (x + c, y + d, 0), (x + c, y + d, HEIGHT), (x + a, y + b, HEIGHT)]
                scene.polygon(face, _SIDES[along])
        for left, right in itertools.pairwise(strips):
            top = [(x + a, y + b, HEIGHT) for a, b in ((low, left), (high, left), (high, right), (low, right))]
            scene.polygon(top, _TOP)
