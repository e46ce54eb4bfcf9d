"""The picture of flying quadcopters: perspective view, floor, shadows, targets, trails, a line of text."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from envsuite.core.canvas import Camera, Canvas, Color, Scene, disc, ground, shadow

# Okabe and Ito's palette without black and yellow, which show badly here: one colour a drone, apart for most
# eyes.
COLORS: tuple[tuple[int, int, int], ...] = (
    (213, 94, 0),
    (0, 114, 178),
    (0, 158, 115),
    (204, 121, 167),
    (230, 159, 0),
    (86, 180, 233),
)
_DARK = (52, 60, 72)
_GREY = (110, 120, 134)
_LIGHT = np.array([-0.48, -0.36, 0.8])  # towards the light
_FOV = 36.0
_DIRECTION = np.array([-0.68, -0.68, 0.29])  # from the middle of the picture to the camera
_FOLLOW = 9.0  # spans of the drone from the camera that follows it
_ON_BOARD_FOV = 70.0
VIEWS = ("fixed", "follow", "onboard")
"""Cameras: one that stands still, one that goes along with the first drone, one on board that looks ahead."""
_LEAST_SPAN = 0.2  # of the picture's height that a drone takes at least by default
_TEXT_FROM = 160  # pixels of height below which a caption would be unreadable


class Drones(NamedTuple):
    """What is known of the drones in a picture.

    Attributes:
        positions: m, world, (a, 3); drones at places that are not finite are left out.
        rotations: body to world, (a, 3, 3).
        rotors: m, body, (4, 3) or (4, 2).
        targets: m, world, (a, 3).
        trails: past positions, oldest first, m, world, (a, T, 3).
        scale: how many times larger than life drones are drawn; by default as many, and at least one, as make them a
            fifth as wide as the picture is high.
    """

    positions: Any
    rotations: Any
    rotors: Any
    targets: Any = None
    trails: Any = None
    scale: float | None = None


def render_scene(
    drones: Drones,
    *,
    size: tuple[int, int] = (480, 360),
    look_at: Sequence[float] = (0.0, 0.0, 0.5),
    distance: float = 2.0,
    floor: float | None = None,
    caption: str = "",
    props: Callable[[Scene, Scene], None] | None = None,
    view: str = "fixed",
) -> np.ndarray:
    """Draw drones in their surroundings.

    The two front rotors (x > 0 in the body frame) and the nose have the drone's colour, which is also that of
    its target and trail. Shadows lie straight below.

    Args:
        drones: where they are, and what belongs to them.
        size: (width, height), pixels.
        look_at: middle of the picture, m, world.
        distance: from there to the camera, m.
        floor: height of the floor, m; by default 0, or below the middle of the picture where that is not
            above 0.
        caption: line of text; left out of pictures less than 160 pixels high.
        props: adds what else there is: called with what lies on the floor and with what stands above it.
        view: one of `VIEWS`; all but ``"fixed"`` need a first drone at a finite place.

    Returns:
        uint8 (height, width, 3).
    """
    positions, rotations = np.asarray(drones.positions, np.float64), np.asarray(drones.rotations)
    rotors = np.zeros((4, 3))
    rotors[:, : np.shape(drones.rotors)[1]] = drones.rotors
    if floor is None:
        floor = 0.0 if look_at[2] > 0 else float(look_at[2]) - 0.2 * distance
    span = 2 * np.linalg.norm(rotors, axis=1).max()
    scale = max(1.0, _LEAST_SPAN * _visible(distance) / span) if drones.scale is None else drones.scale
    first = len(positions) > 0 and _placed(positions[0], rotations[0])
    onboard = view == "onboard" and first
    if onboard:
        camera = _on_board(positions[0], rotations[0], 0.5 * span, size)
        visible = 2.0 * max(0.5, float(positions[0][2]) - floor)
    else:
        if view == "follow" and first:
            look_at, distance = positions[0], _FOLLOW * span * scale
        camera = _from_outside(look_at, distance, floor if view == "follow" else None, size)
        visible = _visible(distance)
    canvas = Canvas(*size, ground(camera, floor, _spacing(visible)), supersample=2 if size[1] >= _TEXT_FROM else 4)
    below, above = Scene(camera), Scene(camera)
    if props is not None:
        props(below, above)
    _add(below, above, drones, rotors * scale, floor, int(onboard))
    below.draw(canvas)
    above.draw(canvas)
    if caption and size[1] >= _TEXT_FROM:
        _caption(canvas, caption)
    return canvas.to_array()


def _add(below: Scene, above: Scene, drones: Drones, rotors, floor: float, first: int) -> None:
    """Add drones from a first one on, and the targets and trails of all."""
    span = 2 * np.linalg.norm(rotors, axis=1).max()
    for i, position in enumerate(np.asarray(drones.positions, np.float64)):
        color, rotation = COLORS[i % len(COLORS)], np.asarray(drones.rotations[i])
        if drones.targets is not None:
            _target(below, above, np.asarray(drones.targets[i], np.float64), floor, 0.3 * span, color)
        if drones.trails is not None:
            _trail(above, np.asarray(drones.trails[i], np.float64), 0.05 * span, color)
        if i >= first and _placed(position, rotation):
            _drone(below, above, position, rotation, rotors, floor, color)


def box(scene: Scene, center, axes, half, color: Color) -> None:
    """Add a solid box, shaded by the side that the light comes from.

    Args:
        scene: what to add it to.
        center: m, (3,).
        axes: unit vectors along its edges, one a column, (3, 3).
        half: half its edges, m, (3,).
        color: red, green, blue.
    """
    _box(scene, np.asarray(center, np.float64), np.asarray(axes, np.float64), np.asarray(half), color, color)


def rod(scene: Scene, start, end, radius: float, color: Color) -> None:
    """Add a round rod between two points (m) with a highlight."""
    scene.segment(start, end, (*_shade(color, 0.7), 255), 2 * radius)
    scene.segment(start, end, (*_shade(color, 1.15), 255), 0.9 * radius)


def _placed(position, rotation) -> bool:
    """Whether a drone is at a finite place."""
    return bool(np.isfinite(position).all() and np.isfinite(rotation).all())


def _spacing(visible: float) -> float:
    """Between the lines on the floor, m, where so much is seen."""
    return next(x for x in (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, np.inf) if x > visible / 8)


def _visible(distance: float) -> float:
    """Height (m) of what a camera sees at a distance (m)."""
    return 2 * distance * np.tan(np.radians(_FOV) / 2)


def _from_outside(look_at, distance: float, floor: float | None, size: tuple[int, int]) -> Camera:
    """A camera that looks at a place from a distance, never from below the floor where one is given."""
    eye = np.asarray(look_at) + distance * _DIRECTION / np.linalg.norm(_DIRECTION)
    if floor is not None:
        eye[2] = max(eye[2], floor + 0.15 * distance)
    return Camera((eye[0], eye[1], eye[2]), (look_at[0], look_at[1], look_at[2]), size, _FOV)


def _on_board(position, rotation, ahead: float, size: tuple[int, int]) -> Camera:
    eye = position + ahead * rotation[:, 0]
    target = eye + rotation[:, 0]
    up = rotation[:, 2]
    return Camera(tuple(eye.tolist()), tuple(target.tolist()), size, _ON_BOARD_FOV, tuple(up.tolist()))


def _shade(color: Color, light: float) -> Color:
    return tuple(int(min(255, max(0, channel * light))) for channel in color[:3])


def _drone(below: Scene, above: Scene, position, rotation, rotors, floor: float, color: Color) -> None:
    arm = np.linalg.norm(rotors, axis=1).max()
    radius = 0.47 * min(float(np.linalg.norm(rotors[i] - rotors[j])) for i in range(4) for j in range(i))
    up = rotation[:, 2]
    hubs = position + rotors @ rotation.T
    tops = hubs + 0.17 * arm * up
    veil = (40, 50, 66, int(95 / (1 + max(0.0, position[2] - floor))))
    for rotor, hub, top in zip(rotors, hubs, tops, strict=True):
        tint = color if rotor[0] > 0.3 * arm else _GREY
        edge = disc(top, up, radius)
        above.segment(position, hub, _DARK, 0.1 * arm)
        above.segment(hub - 0.07 * arm * up, top, _DARK, 0.16 * arm)
        above.polygon(edge, (*tint, 125), (*_shade(tint, 0.8), 255), 0.045 * arm)
        if top[2] >= floor:
            below.polygon(shadow(edge, floor), veil)
    size = np.array([0.5, 0.3, 0.15]) * arm
    _box(above, position, rotation, size, _DARK, color)
    if position[2] >= floor:
        plate = np.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]]) * size
        below.polygon(shadow(position + plate @ rotation.T, floor), veil)


def _box(scene: Scene, center, rotation, half, color: Color, front: Color) -> None:
    """A box with half-edges `half` along the columns of `rotation`; its face towards +x may differ in colour."""
    for axis in range(3):
        first, second = (axis + 1) % 3, (axis + 2) % 3
        for sign in (-1.0, 1.0):
            normal = sign * rotation[:, axis]
            if normal @ (np.asarray(scene.camera.position) - center - half[axis] * normal) <= 0:
                continue  # turned away
            u, v = half[first] * rotation[:, first], half[second] * rotation[:, second]
            middle = center + half[axis] * normal
            paint = _shade(front if axis == 0 and sign > 0 else color, 0.85 + 0.4 * (normal @ _LIGHT))
            scene.polygon([middle + u + v, middle - u + v, middle - u - v, middle + u - v], paint)


def _target(below: Scene, above: Scene, target, floor: float, radius: float, color: Color) -> None:
    above.ball(target, radius, (*color, 60), (*color, 230), 0.1 * radius)
    above.ball(target, 0.16 * radius, (*color, 255))
    if target[2] > floor:
        below.polygon(disc((*target[:2], floor), (0.0, 0.0, 1.0), 0.55 * radius), None, (*color, 150), 0.08 * radius)
        heights = np.linspace(floor, target[2] - radius, 18)
        for low, high in zip(heights[:-1:2], heights[1::2], strict=True):
            if high > low:
                above.segment((*target[:2], low), (*target[:2], high), (*color, 110), 0.06 * radius)


def _trail(scene: Scene, trail, width: float, color: Color) -> None:
    trail = trail[np.isfinite(trail).all(axis=1)]
    for i in range(len(trail) - 1):
        scene.segment(trail[i], trail[i + 1], (*color, 25 + 175 * (i + 1) // len(trail)), width)


def _caption(canvas: Canvas, caption: str) -> None:
    size = min(18.0, max(11.0, canvas.height / 26))
    pad = 0.6 * size
    right = pad + 1.2 * size + canvas.text_width(caption, size)
    canvas.rectangle((pad, pad, right, pad + 1.9 * size), (255, 255, 255, 190), 0.5 * size)
    canvas.text((pad + 0.6 * size, pad + 0.95 * size), caption, _DARK, size, anchor="lm")
