"""Draws the cloth, the grippers and the hanger in space."""

import numpy as np

from envsuite.core.canvas import Camera, Canvas, Scene, disc
from envsuite.core.companions import Pictures
from envsuite.manipulation.cloth.params import ABSENT, RING, SIDE

_SKY, _FRONT, _BACK, _RIM, _INK = (232, 237, 243), (226, 168, 92), (150, 104, 170), (120, 70, 20), (50, 54, 62)
_STEEL, _TIP, _GOAL = (110, 122, 138), (60, 160, 90), (60, 160, 90)
_GRIPPERS = ((208, 62, 62), (44, 112, 196), (40, 150, 110), (214, 150, 30))
_CUBE = 0.05
_LIGHT = np.array([0.3, -0.5, 0.8]) / np.linalg.norm([0.3, -0.5, 0.8])
_FACES = tuple(
    [np.roll((side, a, b), axis) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    for axis in range(3)
    for side in (-1, 1)
)


class ClothHangingPictures(Pictures):
    """The cloth in orange on one side and violet on the other, the grippers, and the hanger with its green end."""

    size = (480, 480)
    fps = 50

    def draw(self, state, size):
        """Draw them from the side of the hanger, up being up."""
        p = self.world.params[int(state["level"])]
        hanger, frame = np.asarray(state["hanger"], np.float64), np.asarray(state["frame"], np.float64)
        scene = Scene(_camera(hanger, frame[:, 1], size))
        self._hanger(scene, p, hanger, frame[:, 1])
        self._cloth(scene, p, np.asarray(state["position"], np.float64))
        for place, color in zip(np.asarray(state["grippers"], np.float64), _GRIPPERS, strict=True):
            for face in _FACES:
                shade = 0.75 + 0.25 * float(np.mean(face, axis=0) @ _LIGHT)
                scene.polygon(place + _CUBE * np.array(face), tuple(int(shade * one) for one in color), _INK, 0.004)
        canvas = Canvas(*size, _SKY)
        scene.draw(canvas)
        width, height = size
        done = "on the hanger" if state["success"] else f"{100 * float(state['distance']):.0f} cm from the hanger"
        canvas.text((0.02 * width, 0.98 * height), f"hole over the green end: {done}", _INK, 0.04 * height, "lb")
        return canvas.to_array()

    @staticmethod
    def _hanger(scene: Scene, p, middle: np.ndarray, axis: np.ndarray) -> None:
        half, radius = float(p["half"]), float(p["radius"])
        cuts = np.linspace(-half, half, 9)
        rings = [disc(middle + cut * axis, axis, radius) for cut in cuts]
        for k in range(len(rings) - 1):
            color = _TIP if k == len(rings) - 2 else _STEEL
            for i in range(len(rings[k])):
                j = (i + 1) % len(rings[k])
                normal = (rings[k][i] + rings[k][j]) / 2 - (middle + cuts[k] * axis)
                shade = 0.8 + 0.2 * float(normal @ _LIGHT) / radius
                quad = [rings[k][i], rings[k][j], rings[k + 1][j], rings[k + 1][i]]
                scene.polygon(quad, tuple(int(shade * one) for one in color))
        scene.polygon(rings[-1], _TIP, _INK, 0.004)
        scene.polygon(rings[0], _STEEL, _INK, 0.004)
        wall = disc(middle - half * axis, axis, 3.5 * radius)
        scene.polygon(wall, (*_STEEL, 120), _INK, 0.004)

    @staticmethod
    def _cloth(scene: Scene, p, places: np.ndarray) -> None:
        there = np.asarray(p["owner"]).reshape(SIDE, SIDE) != ABSENT
        grid = places.reshape(SIDE, SIDE, 3)
        for i in range(SIDE - 1):
            for j in range(SIDE - 1):
                corners = ((i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j))
                kept = [grid[one] for one in corners if there[one]]
                if len(kept) < 3:
                    continue
                normal = np.cross(kept[1] - kept[0], kept[2] - kept[0])
                length = np.linalg.norm(normal)
                seen = normal @ (np.array(scene.camera.position) - kept[0]) > 0
                shade = 0.78 + 0.22 * float(normal @ _LIGHT) / length * (1 if seen else -1) if length > 0 else 0.8
                color = _FRONT if seen else _BACK
                scene.polygon(kept, tuple(int(shade * one) for one in color), (*_RIM, 60), 0.003)
        ring = places[np.asarray(p["edge"])[:RING]]
        for k in range(RING):
            scene.segment(ring[k - 1], ring[k], _RIM, 0.014)


def _camera(hanger: np.ndarray, axis: np.ndarray, size: tuple[int, int]) -> Camera:
    """Beside the hanger, a little before its end and above it."""
    aside = np.cross(axis, (0.0, 0.0, 1.0))
    if np.linalg.norm(aside) < 0.1:
        aside = np.array([1.0, 0.0, 0.0])
    aside /= np.linalg.norm(aside)
    away = aside + 0.55 * axis + np.array([0.0, 0.0, 0.45])
    middle = hanger + 0.7 * axis
    x, y, z = (middle + 4.2 * away / np.linalg.norm(away)).tolist()
    return Camera((x, y, z), tuple(middle.tolist()), size, fov=42)
