"""Pictures of the table, the hand with the arm that is left out of the physics, what lies there, and the goal."""

from typing import Any

import numpy as np

from envsuite.core import kernel
from envsuite.core.canvas import Camera, Canvas
from envsuite.core.companions import Pictures
from envsuite.core.fmath import sqrt
from envsuite.core.jit import records
from envsuite.core.solids import BALL, BOX, CAPSULE, CYLINDER, develop, draw, room, solid, view_of
from envsuite.rigid import layout
from envsuite.rigid.kinematics import place as pose
from envsuite.rigid.layout import Work

_KINDS = {layout.BOX: BOX, layout.CYLINDER: CYLINDER, layout.SPHERE: BALL, layout.CAPSULE: CAPSULE}
_WOOD, _PIT, _RAIL = (226, 202, 168), (150, 122, 94), (168, 134, 100)
_METAL, _WALL = (190, 198, 208), (196, 112, 92)
_ARM, _JOINT, _PALM, _CLAW, _PAD = (196, 52, 48), (74, 78, 88), (92, 98, 110), (62, 68, 80), (40, 44, 52)
_THING, _MOVING, _GOAL, _DONE = (46, 122, 214), (240, 158, 50), (64, 190, 96), (20, 120, 56)
_LIGHT = np.array([0.22, -0.3, 0.93]) / np.linalg.norm([0.22, -0.3, 0.93])
_FINE = 2  # fine pixels to a pixel, along each axis
_MARK = 0.018  # m, radius of the goal
_SHOULDER, _UPPER, _LOWER = (0.0, 0.08, 0.32), 0.52, 0.48
_VIEWS = {
    "corner": ((0.8, 0.07, 0.74), (0.02, 0.68, 0.1), 36.0),
    "front": ((0.0, 1.72, 0.95), (0.0, 0.66, 0.08), 42.0),
    "left": ((-1.0, 0.08, 0.74), (0.0, 0.68, 0.08), 36.0),
    "above": ((0.0, 0.67, 1.75), (0.0, 0.68, 0.0), 33.0),
}
"""Place of the camera, what it looks at, m, and how much it sees, degrees."""


@kernel
def _rod(one, ax, ay, az, bx, by, bz):
    """Lay a cylinder or capsule from one point to another."""
    x, y, z = bx - ax, by - ay, bz - az
    long = sqrt(x * x + y * y + z * z)
    x, y, z = x / long, y / long, z / long
    one.centre[0], one.centre[1], one.centre[2] = 0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * (az + bz)
    one.extent[1] = 0.5 * long
    u, v, w = (0.0, z, -y) if abs(x) < 0.8 else (-z, 0.0, x)
    short = sqrt(u * u + v * v + w * w)
    u, v, w = u / short, v / short, w / short
    one.axes[0, 0], one.axes[1, 0], one.axes[2, 0] = u, v, w
    one.axes[0, 1], one.axes[1, 1], one.axes[2, 1] = y * w - z * v, z * u - x * w, x * v - y * u
    one.axes[0, 2], one.axes[1, 2], one.axes[2, 2] = x, y, z


@kernel
def _raise_arm(solids, first, hand):
    """Put pedestal, two links and wrist between the base and the hand, the elbow above, and balls where they meet."""
    sx, sy, sz = _SHOULDER
    wx, wy, wz = hand[0], hand[1], hand[2] + 0.21
    x, y, z = wx - sx, wy - sy, wz - sz
    way = sqrt(x * x + y * y + z * z)
    reach = min(way, 0.999 * (_UPPER + _LOWER))
    along = (reach * reach + _UPPER * _UPPER - _LOWER * _LOWER) / (2.0 * reach)
    high = sqrt(max(_UPPER * _UPPER - along * along, 0.0))
    x, y, z = x / way, y / way, z / way
    u, v, w = -z * x, -z * y, 1.0 - z * z
    short = sqrt(u * u + v * v + w * w)
    ex, ey, ez = sx + along * x + high * u / short, sy + along * y + high * v / short, sz + along * z + high * w / short
    _rod(solids[first], sx, sy, -0.3, sx, sy, 0.26)
    _rod(solids[first + 1], sx, sy, sz, ex, ey, ez)
    _rod(solids[first + 2], ex, ey, ez, wx, wy, wz)
    _rod(solids[first + 3], wx, wy, wz, hand[0], hand[1], hand[2] + 0.09)
    for k in range(3):
        at = solids[first + 4 + k].centre
        at[0], at[1], at[2] = (sx, sy, sz) if k == 0 else (ex, ey, ez) if k == 1 else (wx, wy, wz)
    _rod(solids[first + 7], hand[0], hand[1], hand[2] + 0.105, hand[0], hand[1], hand[2] + 0.085)


@kernel
def _stage(model, body, w, geoms, solids):
    """Put the solids of geoms where these are."""
    pose(model, body, w)
    for k in range(geoms.shape[0]):
        g = geoms[k]
        b = model.geom_bodyid[g]
        r, own, at, one = w.xmat[b], model.geom_mat[g], model.geom_pos[g], solids[k]
        for i in range(3):
            one.centre[i] = w.xpos[b, i] + r[3 * i] * at[0] + r[3 * i + 1] * at[1] + r[3 * i + 2] * at[2]
            one.extent[i] = model.geom_size[g, i]
            for j in range(3):
                one.axes[i, j] = r[3 * i] * own[j] + r[3 * i + 1] * own[3 + j] + r[3 * i + 2] * own[6 + j]


@kernel
def _draw_frames(params, levels, bodies, work, geoms, solids, arm, hands, marks, views, light, memory, fine, out):
    """Draw instances, one after another."""
    depth, which, lit, shade, corners = memory
    w, number = work[0], geoms.shape[0]
    for i in range(out.shape[0]):
        _stage(params[levels[i]].model, bodies[i], w, geoms, solids)
        if arm:
            _raise_arm(solids, number, hands[i])
        draw(solids, solids.shape[0], views[i], light, depth, which, lit, shade, corners)
        develop(solids, views[i], marks[i], depth, which, lit, shade, fine, out[i])


def _arm_parts(group: int) -> np.ndarray:
    """The solids of the arm, for `_raise_arm` to place: pedestal, links, wrist, joints, flange."""
    look = (
        *((CYLINDER, _JOINT, 0.085), (CAPSULE, _ARM, 0.058), (CAPSULE, _ARM, 0.048), (CYLINDER, _ARM, 0.038)),
        *((BALL, _JOINT, 0.078), (BALL, _JOINT, 0.066), (BALL, _JOINT, 0.052), (CYLINDER, _JOINT, 0.045)),
    )
    parts = [
        solid(kind, (0, 0, 0), np.eye(3), (radius,), color, group + k, casts=False)
        for k, (kind, color, radius) in enumerate(look)
    ]
    return np.concatenate(parts)


class MetaPictures(Pictures):
    """The table from a corner, from the front, from the left, from above, or as the hand sees it.

    Blue is what is to be moved, orange what moves of the furniture, red brown what is in the way, green the goal, which
    shines through what hides it; it is dark once the task is done. From above and in the hand's view the arm is left
    out, which would hide the hand.
    """

    size = (480, 480)
    views = ("corner", "front", "left", "above", "gripper")

    def __init__(self, world: Any):
        super().__init__(world)
        self.fps = round(1 / world.seconds_per_step)
        made, model = world.compiled, world.compiled.model[0]
        names = {number: name for name, number in made.geom.items()}
        bodies = {number: name for name, number in made.body.items()}
        self._geoms = [k for k in range(int(model["ngeom"])) if int(model["geom_type"][k]) in _KINDS]
        self._palm = {k for k in self._geoms if names.get(k) == "palm"}
        self._solids: dict[int, np.ndarray] = {}
        for k in self._geoms:
            number = int(model["geom_bodyid"][k])
            color = self._color(names.get(k, ""), bodies[number], model, number)
            kind, casts = _KINDS[int(model["geom_type"][k])], color not in (_WOOD, _PIT, _RAIL)
            group = 0 if color in (_WOOD, _PIT) else 1 + number
            self._solids[k] = solid(kind, (0, 0, 0), np.eye(3), (), color, group, casts=casts)

    def _color(self, name: str, body: str, model: Any, number: int) -> tuple[int, int, int]:
        if name.startswith("slab"):
            return _WOOD
        if name == "table":  # where slabs lie on it, it is the bottom of the hole between them
            return _PIT if "slab_front" in self.world.compiled.geom else _WOOD
        if name.startswith("rail"):
            return _RAIL
        if name == "wall" and number == 0:
            return _WALL
        if name == "palm":
            return _PALM
        if body.removeprefix("right").removeprefix("left") in ("claw", "pad"):
            return _PAD if name.endswith("pad") else _CLAW
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
        eye, middle, fov = _VIEWS[self.view]
        x, y, z = (a + float(b) for a, b in zip(eye, self.world.constants(state)["variation"]["eye"], strict=True))
        up = (0.0, 1.0, 0.0) if self.view == "above" else (0.0, 0.0, 1.0)
        return Camera((x, y, z), middle, size, fov=fov, up=up)

    def draw(self, state, size):
        """Draw everything, the goal and the clock."""
        picture = np.empty((1, size[1], size[0], 3), np.uint8)
        self._draw(np.array([state]), picture)
        canvas = Canvas(*size, background=picture[0], supersample=1)
        seconds = int(state["clock"]["step"]) * self.world.seconds_per_step
        text = f"{self.world.task}   {seconds:.2f} s"
        canvas.rectangle((6, 5, 18 + canvas.text_width(text, 14), 27), (255, 255, 255, 190), 5)
        canvas.text((12, 9), text, (40, 52, 66), 14)
        return canvas.to_array()

    def draw_many(self, states, form, out):
        """Draw everything and the goal, without words."""
        self._draw(states, out)

    def _draw(self, states: np.ndarray, out: np.ndarray) -> None:
        world, (height, width) = self.world, out.shape[1:3]
        geoms = [k for k in self._geoms if self.view != "gripper" or k not in self._palm]
        arm = self.view not in ("above", "gripper")
        parts = [self._solids[k] for k in geoms] + ([_arm_parts(len(world.compiled.body) + 1)] if arm else [])
        marks = np.repeat(solid(BALL, (0, 0, 0), np.eye(3), (_MARK,), _GOAL, 0), len(states))
        marks["centre"], marks["color"][states["success"]] = states["look"]["goal"], _DONE
        levels = states["level"] if len(world.params) > 1 else np.zeros(len(states), np.int64)
        _draw_frames(
            *(records(world.params), np.asarray(levels, np.int64), records(np.array(states["body"]))),
            records(np.zeros(1, Work.dtype(np.float64, **world.compiled.sizes))),
            *(np.array(geoms, np.int32), records(np.concatenate(parts)), arm, np.array(states["look"]["hand"])),
            *(records(marks), records(self._cameras(states, (width, height))), _LIGHT),
            *(room(width, height, _FINE), _FINE, out),
        )

    def _cameras(self, states: np.ndarray, size: tuple[int, int]) -> np.ndarray:
        return np.concatenate([view_of(self.camera(state, size), _FINE) for state in states])
