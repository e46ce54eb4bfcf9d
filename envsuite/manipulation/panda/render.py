"""Pictures of the arm, the table, what lies there, and the goal."""

from typing import Any

import numpy as np

from envsuite.core import kernel
from envsuite.core.canvas import Camera, Canvas
from envsuite.core.companions import Pictures
from envsuite.core.jit import records
from envsuite.core.solids import BALL, BOX, CAPSULE, CYLINDER, develop, draw, room, solid, view_of
from envsuite.manipulation.panda.params import FLIP, REACH, SLIDE, STACK
from envsuite.manipulation.panda.scenes import ARM, BASE, CUBE, PUCK
from envsuite.rigid import layout

_KINDS = {layout.BOX: BOX, layout.CYLINDER: CYLINDER, layout.CAPSULE: CAPSULE}
"""Shapes of the physics as solids."""
_WOOD, _FLOOR = (226, 202, 168), (120, 126, 134)
_SHELL, _JOINT, _DARK, _PAD = (236, 240, 244), (92, 100, 112), (58, 64, 74), (40, 44, 52)
_THING, _HEAVY, _GOAL, _DONE = (240, 158, 50), (46, 122, 214), (64, 190, 96), (20, 120, 56)
_FACES = ((214, 60, 60), (60, 170, 90), (60, 100, 220))
"""Of Flip's cube, towards x, y and z; the opposite faces are paler."""
_PALE = 0.55
_LIGHT = np.array([0.25, 0.35, 0.9]) / np.linalg.norm([0.25, 0.35, 0.9])
_FINE = 2  # fine pixels to a pixel, along each axis
_MARK = 0.018  # m, radius of the goal
_SHOWN = np.array([0.1, 0.27, 0.08])  # m, where the cube stands that is turned as Flip's goal is
_RODS = ((1, 3, 0.058), (3, 4, 0.054), (4, 5, 0.052), (5, 7, 0.046))
"""Capsules between joints, and their radii, m."""
_FARTHER = 0.22  # m, along x, where Slide's cameras stand and look
_SHORT, _LONG = (-0.3, 1.1), (-0.1, 1.4)
"""x of the table's middle, and its length, m; the long one is Slide's."""
CAMERAS = {
    "corner": ((0.62, 0.62, 0.55), (-0.12, 0.0, 0.16), 42.0),
    "front": ((1.05, 0.0, 0.42), (-0.1, 0.0, 0.17), 42.0),
    "left": ((-0.05, 0.95, 0.4), (-0.1, 0.0, 0.17), 42.0),
    "above": ((0.12, 0.0, 1.0), (0.12, 0.0, 0.0), 46.0),
}
"""Place of the camera, what it looks at, m, and how much it sees, degrees."""


@kernel
def _draw_frame(solids, mark, view, light, memory, fine, out):
    depth, which, lit, shade, corners = memory
    draw(solids, solids.shape[0], view[0], light, depth, which, lit, shade, corners)
    develop(solids, view[0], mark[0], depth, which, lit, shade, fine, out)


def _rod(kind: int, one: np.ndarray, two: np.ndarray, radius: float, color: Any, group: int) -> np.ndarray:
    """A cylinder or capsule from one point to another."""
    way = two - one
    long = float(np.linalg.norm(way))
    along = way / long if long > 0 else np.array([0.0, 0.0, 1.0])
    side = np.cross(along, (1.0, 0.0, 0.0) if abs(along[0]) < 0.8 else (0.0, 1.0, 0.0))
    side /= np.linalg.norm(side)
    axes = np.stack([side, np.cross(along, side), along], axis=1)
    return solid(kind, (one + two) / 2, axes, (radius, long / 2), color, group)


def _ends(middle: np.ndarray, axis: np.ndarray, half: float) -> tuple[np.ndarray, np.ndarray]:
    return middle - half * axis, middle + half * axis


def _turned(quaternion: Any) -> np.ndarray:
    """Matrix of a quaternion (x, y, z, w)."""
    x, y, z, w = (float(value) for value in quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _dice(place: np.ndarray, axes: np.ndarray, group: int) -> list[np.ndarray]:
    """A cube each of whose faces has its own colour."""
    found = [solid(BOX, place, axes, (CUBE,) * 3, _SHELL, group)]
    for k, color in enumerate(_FACES):
        for sign in (1, -1):
            size = np.full(3, 0.9 * CUBE)
            size[k] = 0.0006
            shade = color if sign > 0 else tuple(255 - _PALE * (255 - c) for c in color)
            found.append(solid(BOX, place + sign * CUBE * axes[:, k], axes, size, shade, group, casts=False))
    return found


def _shifted(eye: Any, middle: Any, fov: float) -> tuple[Any, Any, float]:
    """A camera further along x."""
    return (eye[0] + _FARTHER, *eye[1:]), (middle[0] + _FARTHER, *middle[1:]), fov


class ArmPictures(Pictures):
    """An arm at a table, from a corner, from the front, from the left or from above.

    From above the arm is left out but for its hand.

    Attributes:
        cameras: by view, as `CAMERAS`.
        table: x of the table's middle, and its length, m.
    """

    size = (480, 480)
    views = ("corner", "front", "left", "above")
    cameras = CAMERAS
    table = _SHORT

    def __init__(self, world: Any):
        super().__init__(world)
        self.fps = round(1 / world.seconds_per_step)
        self._task = int(world.params[0]["task"])

    def things(self, state: np.void, places: np.ndarray, axes: np.ndarray) -> list[np.ndarray]:
        """What is on the table.

        Args:
            state: one record of the world's ``state_dtype``.
            places: origins of the bodies, (bodies, 3), m.
            axes: theirs as columns, (bodies, 3, 3).
        """
        raise NotImplementedError

    def mark(self, state: np.void) -> np.ndarray:
        """The goal, which shines through what hides it.

        Args:
            state: one record of the world's ``state_dtype``.
        """
        raise NotImplementedError

    def camera(self, size: tuple[int, int]) -> Camera:
        """The camera.

        Args:
            size: (width, height) of the picture.
        """
        eye, middle, fov = self.cameras[self.view]
        up = (1.0, 0.0, 0.0) if self.view == "above" else (0.0, 0.0, 1.0)
        return Camera(eye, middle, size, fov=fov, up=up)

    def draw(self, state, size):
        """Draw everything, the goal and the clock."""
        picture = np.empty((size[1], size[0], 3), np.uint8)
        self._draw(state, picture, records(view_of(self.camera(size), _FINE)), room(*size, _FINE))
        canvas = Canvas(*size, background=picture, supersample=1)
        seconds = int(state["clock"]["step"]) * self.world.seconds_per_step
        text = f"{self.world.task}   {seconds:.2f} s"
        canvas.rectangle((6, 5, 18 + canvas.text_width(text, 14), 27), (255, 255, 255, 190), 5)
        canvas.text((12, 9), text, (40, 52, 66), 14)
        return canvas.to_array()

    def draw_many(self, states, form, out):
        """Draw everything and the goal, without words."""
        size = out.shape[2], out.shape[1]
        view, memory = records(view_of(self.camera(size), _FINE)), room(*size, _FINE)
        for state, picture in zip(states, out, strict=True):
            self._draw(state, picture, view, memory)

    def _draw(self, state: np.void, out: np.ndarray, view: np.ndarray, memory: tuple) -> None:
        places, axes = self.world.frames(state)
        parts = [*self._table(), *self.things(state, places, axes), *self._hand(places, axes)]
        if self.view != "above":
            parts += self._links(places, axes)
        _draw_frame(records(np.concatenate(parts)), records(self.mark(state)), view, _LIGHT, memory, _FINE, out)

    def _table(self) -> list[np.ndarray]:
        middle, length = self.table
        top = solid(BOX, (middle, 0, -0.02), np.eye(3), (length / 2, 0.35, 0.02), _WOOD, 0)
        legs = [
            solid(BOX, (middle + x * (length / 2 - 0.03), y * 0.32, -0.22), np.eye(3), (0.02, 0.02, 0.18), _JOINT, 1)
            for x in (-1, 1)
            for y in (-1, 1)
        ]
        floor = solid(BOX, (middle, 0, -0.42), np.eye(3), (3.0, 3.0, 0.02), _FLOOR, 2, casts=False)
        return [top, *legs, floor]

    def _hand(self, places: np.ndarray, axes: np.ndarray) -> list[np.ndarray]:
        """Palm and fingers."""
        found = []
        for k, name in enumerate(("palm", "left_tip", "left_root", "right_tip", "right_root")):
            color = _DARK if name == "palm" else _PAD if name.endswith("tip") else _JOINT
            stretch = (1.0, 1.0, 0.6) if name == "palm" else (1.0, 1.0, 1.0)
            found.append(self.shape(name, places, axes, color, 20 + k, stretch))
        return found

    def shape(
        self, name: str, places: np.ndarray, axes: np.ndarray, color: Any, group: int, stretch: Any = (1.0, 1.0, 1.0)
    ) -> np.ndarray:
        """A shape of the physics.

        Args:
            name: its name.
            places: as for `things`.
            axes: likewise.
            color: (3,), 0 to 255.
            group: number, see `envsuite.core.solids`.
            stretch: factors on its sizes.
        """
        made = self.world.compiled
        model, k = made.model[0], made.geom[name]
        body = int(model["geom_bodyid"][k])
        centre, kind = places[body] + axes[body] @ model["geom_pos"][k], _KINDS[int(model["geom_type"][k])]
        turned = axes[body] @ model["geom_mat"][k].reshape(3, 3)
        return solid(kind, centre, turned, model["geom_size"][k] * stretch, color, group)

    def _links(self, places: np.ndarray, axes: np.ndarray) -> list[np.ndarray]:
        """Base, links and joints; frames of bodies 1 to 7 stand at their joints."""
        foot = np.array(BASE)
        found = [
            solid(BOX, foot + np.array((-0.02, 0, 0.03)), np.eye(3), (0.1, 0.08, 0.03), _JOINT, 50),
            _rod(CYLINDER, foot, places[1], 0.062, _SHELL, 51),
        ]
        for k, (one, two, radius) in enumerate(_RODS):
            found.append(_rod(CAPSULE, places[one], places[two], radius, _SHELL, 52 + k))
        for k in (1, 4, 6):
            found.append(_rod(CYLINDER, *_ends(places[k], axes[k][:, 2], 0.066), 0.05, _JOINT, 60 + k))
        flange = places[ARM] + 0.1 * axes[ARM][:, 2]
        return [*found, _rod(CYLINDER, places[ARM], flange, 0.044, _JOINT, 70)]


class PandaPictures(ArmPictures):
    """panda-gym's tasks.

    Orange is what is to be moved, blue the lower cube of Stack, green the goal, which shines through what hides it; it
    is dark once the task is done. Flip's cube has colours, and a second one beside it is turned as the goal is.
    """

    def __init__(self, world: Any):
        super().__init__(world)
        if self._task == SLIDE:
            self.table, self.cameras = _LONG, {name: _shifted(*camera) for name, camera in CAMERAS.items()}

    def things(self, state, places, axes):
        """Cubes or the puck, and the turn that is Flip's goal."""
        sight, found = state["sight"], list[np.ndarray]()
        for n in range(int(self.world.params[0]["things"])):
            place, turn, group = np.array(sight["place"][n]), _turned(sight["turn"][n]), 10 + n
            color = _HEAVY if self._task == STACK and n == 0 else _THING
            if self._task == FLIP:
                found += _dice(place, turn, group)
            elif self._task == SLIDE:
                found.append(solid(CYLINDER, place, turn, PUCK, color, group))
            else:
                found.append(solid(BOX, place, turn, (CUBE,) * 3, color, group))
        if self._task == FLIP:
            found += _dice(_SHOWN, _turned(state["goal"][:4]), 12)
        return found

    def mark(self, state):
        """The goal; dark once it is met."""
        goal, color = np.array(state["goal"], np.float64), _DONE if state["is_success"] else _GOAL
        if self._task == STACK:
            return solid(CAPSULE, (goal[:3] + goal[3:]) / 2, np.eye(3), (0.6 * _MARK, CUBE), color, 0)
        if self._task == FLIP:
            return solid(BALL, _SHOWN + np.array((0, 0, 0.05)), np.eye(3), (0.4 * _MARK,), color, 0)
        return solid(BALL, goal[:3], np.eye(3), (_MARK if self._task != REACH else 0.02,), color, 0)
