"""Pictures of the prism, what moves it, and where it has to go."""

import math
from typing import Any

import numpy as np

from envsuite.core.canvas import Camera, Canvas, Scene, ground, shadow
from envsuite.core.companions import Pictures
from envsuite.manipulation.shapes.outlines import RADIUS, THICKNESS, shifted
from envsuite.manipulation.shapes.scenes import CLEARANCE, FLOOR, WALL
from envsuite.manipulation.shapes.tasks import INSERTION, PLUGGING, PUSHER, PUSHING

_PRISM, _GHOST, _DONE = (46, 122, 214), (64, 190, 96), (20, 120, 56)
_BLOCK, _HOLE, _ROD, _TIP, _SHADE = (190, 198, 208), (92, 100, 112), (240, 158, 50), (120, 74, 16), (168, 178, 190)
_LIGHT, _DOWN = np.array([0.3, -0.4, 0.86]), (-0.3, 0.4, -0.86)
_EYES = {
    "corner": {INSERTION: ((1.1, -2.9, 2.5), (0.0, 0.0, 0.7), 46.0), "": ((0.3, -2.1, 2.2), (-0.1, -0.12, 0.1), 48.0)},
    "above": {INSERTION: ((0.0, 0.0, 4.2), (0.0, 0.0, 0.0), 46.0), "": ((-0.1, 0.0, 3.6), (-0.1, 0.0, 0.0), 42.0)},
}
"""Place of the camera, what it looks at, m, and how much it sees, degrees."""


def _tone(color: tuple[int, ...], share: float) -> tuple[int, int, int]:
    """A colour, darker for a share below 1."""
    red, green, blue = (round(share * one) for one in color[:3])
    return red, green, blue


class ShapesPictures(Pictures):
    """The prism is blue, rods and grippers orange; the target green, dark green once it is reached; the hole grey."""

    size = (480, 480)
    views = ("corner", "above")

    def __init__(self, world: Any):
        super().__init__(world)
        self.fps = round(1 / world.seconds_per_step)
        self._way, self._outlines = world.task.way, tuple(world.outlines.values())

    def draw(self, state, size):
        """Draw floor, target, prism, actuators, and what the clock says."""
        prism, target = (self._frame(state, one) for one in (("place", "turn"), ("goal", "goal_turn")))
        camera, floor = self._camera(target, size), self._floor
        canvas = Canvas(*size, background=ground(camera, floor, 0.25))
        outline = self._outlines[int(state["level"])]
        below, block, scene = Scene(camera), Scene(camera), Scene(camera)
        for place, axes in (prism, target)[: 1 if self._way < INSERTION else 2]:
            rim = place + np.column_stack([outline, np.zeros(len(outline))]) @ axes.T
            below.polygon(shadow(rim, floor + 0.002, _DOWN), _SHADE)
        color = _DONE if state["success"] else _GHOST
        if self._way < INSERTION:
            flat = target[0] + np.column_stack([outline, np.full(len(outline), -THICKNESS / 2)]) @ target[1].T
            below.polygon(flat, (*color, 90), color, 0.006)
        else:
            self._block(block, outline, *target, color)
        _extrude(scene, outline, *prism, _PRISM, low=self._hidden(prism, target))
        for k in range(self.world.task.actuators):
            self._actuator(scene, below, state["hands"][k].astype(float), *prism)
        faces = (np.asarray(camera.position) - target[0]) @ target[1][:, 2] > THICKNESS / 2
        for part in (below, block, scene) if faces else (below, scene, block):
            part.draw(canvas)
        seconds = int(state["clock"]["step"]) * self.world.seconds_per_step
        name = self.world.shapes[int(state["level"])]
        degrees = math.degrees(float(state["angle"]))
        text = f"{name}   {seconds:.2f} s   {100 * float(state['distance']):.0f} cm, {degrees:.0f} degrees to go"
        canvas.text((10, 8), text, (40, 52, 66), 14)
        return canvas.to_array()

    def _camera(self, target: Any, size: tuple[int, int]) -> Camera:
        up = (0.0, 1.0, 0.0) if self.view == "above" else (0.0, 0.0, 1.0)
        if self._way != PLUGGING:
            eyes = _EYES[self.view]
            eye, middle, fov = eyes.get(self._way, eyes[""])
            return Camera(eye, middle, size, fov=fov, up=up)
        goal, axes = target
        x, y, z = (float(one) for one in goal + np.array([0.0, 0.0, 0.25]))
        if self.view == "above":
            return Camera((x, y, z + 3.6), (x, y, z), size, fov=50.0, up=up)
        side = math.atan2(axes[1, 2], axes[0, 2]) + 0.9  # so that the hole's mouth is seen
        return Camera((x + 2.5 * math.cos(side), y + 2.5 * math.sin(side), z + 1.1), (x, y, z), size, fov=56.0)

    def _hidden(self, prism: Any, target: Any) -> float:
        """Up to which height, in the prism's frame, the block hides it."""
        if self._way < INSERTION:
            return -THICKNESS / 2
        normal, away = target[1][:, 2], prism[0] - target[0]
        height = float(away @ normal)
        beside = float(np.linalg.norm(away - height * normal))
        sunk = beside < 0.05 and prism[1][:, 2] @ normal > 0.95
        return min(max(-THICKNESS / 2, THICKNESS / 2 - height), THICKNESS / 2) if sunk else -THICKNESS / 2

    @property
    def _floor(self) -> float:
        return 0.0 if self._way >= INSERTION else -THICKNESS / 2

    def _frame(self, state: np.void, names: tuple[str, str]) -> tuple[np.ndarray, np.ndarray]:
        """Place and axes as columns."""
        w, x, y, z = (float(one) for one in state[names[1]])
        axes = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        return state[names[0]].astype(float), axes

    def _block(self, scene: Scene, outline: np.ndarray, place: np.ndarray, axes: np.ndarray, color: Any) -> None:
        """The hole with its wall, and its rim in the target's colour."""
        hole, outer = shifted(outline, CLEARANCE), _square(RADIUS + CLEARANCE + WALL)
        depth = THICKNESS + FLOOR
        middle = place - axes[:, 2] * FLOOR / 2
        _extrude(scene, outer, middle, axes, _BLOCK, depth)
        lid = 0.004  # so that the hole is drawn after the block's top
        rim = place + np.column_stack([hole, np.full(len(hole), THICKNESS / 2 + lid)]) @ axes.T
        scene.polygon(rim, _HOLE, color, 0.012)

    def _actuator(self, scene: Scene, below: Scene, hand: np.ndarray, place: np.ndarray, axes: np.ndarray) -> None:
        if self._way == PLUGGING:
            foot = hand - axes[:, 2] * (0.075 - THICKNESS / 2)
            scene.segment(foot, hand, _ROD, 0.022)
            scene.ball(hand, 0.02, _TIP)
            return
        if self._way == PUSHING:
            width, height = PUSHER
            _extrude(scene, _square(width / 2), hand, np.eye(3), _ROD, height)
            below.polygon(np.column_stack([_square(width * 0.6), np.full(4, self._floor)]) + hand * (1, 1, 0), _SHADE)
            return
        foot = hand - (0.0, 0.0, 0.25 - THICKNESS / 2)
        scene.segment(foot, hand + np.array([0.0, 0.0, 0.25]), _ROD, 0.03)
        scene.ball(foot, 0.022, _TIP)


def _square(half: float) -> np.ndarray:
    return np.array([(half, half), (-half, half), (-half, -half), (half, -half)])


def _extrude(
    scene: Scene,
    outline: np.ndarray,
    place: np.ndarray,
    axes: np.ndarray,
    color: Any,
    height: float = THICKNESS,
    low: float | None = None,
) -> None:
    """Add the faces of a prism that the camera sees, from the height `low` on."""
    heights = (-height / 2 if low is None else low, height / 2)
    ends = [place + np.column_stack([outline, np.full(len(outline), one)]) @ axes.T for one in heights]
    eye = np.asarray(scene.camera.position)
    following = [np.roll(one, -1, axis=0) for one in ends]
    for k in range(len(outline)):
        face = np.array([ends[0][k], following[0][k], following[1][k], ends[1][k]])
        normal = np.cross(face[1] - face[0], face[3] - face[0])
        if normal @ (eye - face[0]) > 0:
            share = 0.76 + 0.2 * float(normal @ _LIGHT / np.linalg.norm(normal))
            scene.polygon(face, _tone(color, share))
    for end, sign in zip(ends, (-1.0, 1.0), strict=True):
        normal = sign * axes[:, 2]
        if normal @ (eye - end[0]) > 0:
            scene.polygon(end, _tone(color, 0.8 + 0.2 * max(float(normal @ _LIGHT), 0.0)), _tone(color, 0.55), 0.004)
