"""Pictures of the table, the hand with the arm that is left out of the physics, what lies there, and the goal."""

import itertools
from typing import Any

import numpy as np

from envsuite.core.canvas import Camera, Canvas, Scene, disc, ground
from envsuite.core.companions import Pictures
from envsuite.rigid.layout import BOX, CYLINDER, SPHERE

_WOOD, _PIT, _RAIL, _METAL = (203, 172, 136), (122, 98, 74), (146, 118, 90), (178, 186, 196)
_ARM, _PALM, _CLAW, _PAD = (172, 44, 44), (70, 76, 86), (52, 58, 68), (30, 34, 40)
_THING, _MOVING, _TOUCHED, _GOAL, _DONE = (46, 118, 200), (232, 152, 46), (208, 84, 60), (60, 170, 90), (24, 120, 60)
_LIGHT = np.array([0.35, -0.45, 0.82])
_HAND, _UP = 2, 0.99
_SPAN = 0.12  # m, largest piece of a face, so that what is near covers what is far
_SHOULDER, _UPPER, _LOWER = np.array([0.0, 0.08, 0.32]), 0.52, 0.48
_VIEWS = {
    "corner": ((0.84, 0.07, 0.7), (0.02, 0.66, 0.11)),
    "front": ((0.0, 1.75, 0.75), (0.0, 0.62, 0.08)),
    "left": ((-1.1, 0.1, 0.7), (0.0, 0.66, 0.08)),
    "above": ((0.0, 0.62, 1.65), (0.0, 0.65, 0.0)),
}


def _lit(colour: Any, normal: np.ndarray) -> tuple[int, int, int]:
    """A colour under the light."""
    share = 0.62 + 0.38 * max(0.0, float(normal @ _LIGHT) / float(np.linalg.norm(_LIGHT)))
    red, green, blue = (round(share * one) for one in colour)
    return red, green, blue


class MetaPictures(Pictures):
    """The table from a corner, from the front, from the left, from above, or as the hand sees it."""

    size = (480, 480)
    views = ("corner", "front", "left", "above", "gripper")

    def __init__(self, world: Any):
        super().__init__(world)
        self.fps = round(1 / world.seconds_per_step)
        made = world.compiled
        model = made.model[0]
        self._names = {number: name for name, number in made.geom.items()}
        bodies = {number: name for name, number in made.body.items()}
        self._colours = {
            k: self._colour(self._names.get(k, ""), bodies[int(model["geom_bodyid"][k])], model, k)
            for k in range(int(model["ngeom"]))
        }

    def _colour(self, name: str, body: str, model: Any, k: int) -> tuple[int, int, int]:
        if name.startswith("slab"):
            return _WOOD
        if name == "table":  # where slabs lie on it, it is the bottom of the hole between them
            return _PIT if "slab_front" in self.world.compiled.geom else _WOOD
        if name.startswith("rail"):
            return _RAIL
        if body == "hand":
            return _PALM
        if body in ("rightclaw", "leftclaw"):
            return _PAD if name.endswith("pad") else _CLAW
        number = int(model["geom_bodyid"][k])
        if int(model["body_mocapid"][number]) >= 0 or number == 0:
            return _METAL
        return _THING if int(model["body_parentid"][number]) == 0 else _MOVING

    def camera(self, state: np.void, size: tuple[int, int]) -> Camera:
        """The camera.

        Args:
            state: one record.
            size: (width, height) of the picture.
        """
        if self.view == "gripper":
            x, y, z = (float(one) for one in state["look"]["hand"])
            return Camera((x + 0.13, y, z + 0.14), (x - 0.02, y, z - 0.09), size)
        eye, middle = _VIEWS[self.view]
        return Camera(eye, middle, size, up=(0.0, 1.0, 0.0) if self.view == "above" else (0.0, 0.0, 1.0))

    def draw(self, state, size):
        """Draw everything, the goal and the clock."""
        camera = self.camera(state, size)
        places, axes = self.world.frames(state)
        canvas = Canvas(*size, background=ground(camera, -0.913, 0.5))
        model, eye = self.world.compiled.model[0], np.asarray(camera.position)
        below, walls, tops, scene = (Scene(camera) for _ in range(4))
        for k, colour in self._colours.items():
            body = int(model["geom_bodyid"][k])
            if self.view == "gripper" and body == _HAND:
                continue
            centre = places[body] + axes[body] @ model["geom_pos"][k]
            turn = axes[body] @ model["geom_mat"][k].reshape(3, 3)
            kind, size = int(model["geom_type"][k]), model["geom_size"][k]
            if colour in (_WOOD, _PIT):
                slab = self._names.get(k, "").startswith("slab")
                _box(walls if slab else below, size, centre, turn, colour, eye, tops if slab else below)
            else:
                _shape(scene, kind, size, centre, turn, colour, eye)
        if self.view != "gripper":
            self._arm(scene, np.asarray(state["look"]["hand"], np.float64))
        colour = _DONE if state["success"] else _GOAL
        scene.ball(np.asarray(state["look"]["goal"], np.float64), 0.018, (*colour, 150), colour, 0.003)
        for layer in (below, walls, tops, scene):
            layer.draw(canvas)
        seconds = int(state["clock"]["step"]) * self.world.seconds_per_step
        canvas.text((10, 8), f"{self.world.task}   {seconds:.2f} s", (40, 52, 66), 15)
        return canvas.to_array()

    def _arm(self, scene: Scene, hand: np.ndarray) -> None:
        """Two links from the base to the wrist, the elbow above."""
        up = np.array([0.0, 0.0, 1.0])
        wrist = hand + 0.2 * up
        way = wrist - _SHOULDER
        reach = min(float(np.linalg.norm(way)), 0.999 * (_UPPER + _LOWER))
        along = (reach * reach + _UPPER**2 - _LOWER**2) / (2 * reach)
        ahead = way / np.linalg.norm(way)
        out = up - ahead[2] * ahead
        elbow = _SHOULDER + along * ahead + np.sqrt(max(_UPPER**2 - along**2, 0.0)) * out / np.linalg.norm(out)
        joints = (-0.3 * up, 0.28 * up, _SHOULDER, elbow, wrist, hand + 0.09 * up)
        for (start, end), width in zip(itertools.pairwise(joints), (0.17, 0.15, 0.12, 0.1, 0.085), strict=True):
            for a, b in itertools.pairwise(np.linspace(start, end, 5)):
                scene.segment(a, b, _ARM, width)
        for joint, radius in zip(joints[2:5], (0.075, 0.066, 0.055), strict=True):
            scene.ball(joint, radius, _lit(_ARM, np.zeros(3)))


def _shape(scene: Scene, kind: int, size, centre, turn, colour, eye) -> None:
    """A body's geom."""
    if kind == BOX:
        _box(scene, size, centre, turn, colour, eye)
    elif kind == SPHERE:
        scene.ball(centre, float(size[0]), colour, _lit(colour, -_LIGHT), 0.002)
    else:
        _barrel(scene, size, centre, turn[:, 2], colour, eye)
        if kind != CYLINDER:
            for side in (-1, 1):
                scene.ball(centre + side * size[1] * turn[:, 2], float(size[0]), _lit(colour, _LIGHT / 2))


def _box(scene: Scene, half, centre, turn, colour, eye, top: Scene | None = None) -> None:
    """The faces that look at the camera, in pieces; those that look up in a layer of their own, if there is one."""
    for axis, side in itertools.product(range(3), (-1, 1)):
        normal = side * turn[:, axis]
        middle = centre + half[axis] * normal
        if normal @ (eye - middle) <= 0:
            continue
        one, two = (k for k in range(3) if k != axis)
        cuts = [np.linspace(-half[k], half[k], 1 + max(1, int(np.ceil(2 * half[k] / _SPAN)))) for k in (one, two)]
        shade = _lit(colour, normal)
        for (a, b), (c, d) in itertools.product(itertools.pairwise(cuts[0]), itertools.pairwise(cuts[1])):
            corners = [middle + u * turn[:, one] + v * turn[:, two] for u, v in ((a, c), (b, c), (b, d), (a, d))]
            (top or scene if normal[2] > _UP else scene).polygon(corners, shade, shade)


def _barrel(scene: Scene, size, centre, axis, colour, eye) -> None:
    """A cylinder's side in strips, and its ends."""
    radius, half = float(size[0]), float(size[1])
    rim = disc((0.0, 0.0, 0.0), axis, radius)
    for a, b in zip(rim, np.roll(rim, -1, axis=0), strict=True):
        normal = (a + b) / np.linalg.norm(a + b)
        if normal @ (eye - centre - normal * radius) > 0:
            low, high = centre - half * axis, centre + half * axis
            shade = _lit(colour, normal)
            scene.polygon([low + a, low + b, high + b, high + a], shade, shade)
    for side in (-1, 1):
        end = centre + side * half * axis
        if side * axis @ (eye - end) > 0:
            scene.polygon(end + rim, _lit(colour, side * axis))
