"""Drawing for rgb_array frames: a canvas with smooth edges, a perspective camera and painter-sorted 3-D shapes.

Headless: Pillow and NumPy only. Colours are (red, green, blue) or (red, green, blue, alpha), 0 to 255. Pixel
coordinates have their origin at the top left, x to the right and y down; world coordinates are in metres, z up.
"""

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil, sqrt
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from envsuite.core.drawing import Color, Drawing, current

_NEAR = 0.02  # m; nothing nearer to the camera is drawn


@lru_cache(maxsize=32)
def _font(size: int):
    return ImageFont.load_default(size)


@lru_cache(maxsize=4096)
def _drawable(letter: str) -> str:
    """What the font has for a letter: itself, it without its accents, or a question mark."""
    missing = _font(16).getmask("\uffff")
    for one in (letter, unicodedata.normalize("NFKD", letter)[0]):
        mask = _font(16).getmask(one)
        if one.isprintable() and (mask.size, bytes(mask)) != (missing.size, bytes(missing)):
            return one
    return "?"


def drawable(text: str) -> str:
    """A text on one line, in letters that pictures have; one they lack becomes a question mark."""
    return "".join(one if " " <= one <= "~" else _drawable(one) for one in " ".join(text.split()))


class Canvas:
    """A picture to draw on, kept several times finer than what it yields, so that edges come out smooth.

    Args:
        width: pixels.
        height: pixels.
        background: a colour, or an array (height, width, 3) uint8.
        supersample: how many times finer it draws along each axis.
    """

    def __init__(
        self, width: int, height: int, background: Color | np.ndarray = (255, 255, 255), *, supersample: int = 2
    ):
        if width < 1 or height < 1 or supersample < 1:
            raise ValueError(f"width, height and supersample must be at least 1, got {width}, {height}, {supersample}")
        self.width, self.height = width, height
        self._fine = supersample
        size = (width * supersample, height * supersample)
        if isinstance(background, np.ndarray):
            if background.shape != (height, width, 3) or background.dtype != np.uint8:
                shape, kind = background.shape, background.dtype
                raise ValueError(f"background is {kind} {shape}, expected uint8 {(height, width, 3)}")
            self._image = Image.fromarray(background).resize(size, Image.Resampling.NEAREST)
        else:
            self._image = Image.new("RGB", size, tuple(background[:3]))
        self._pen = ImageDraw.Draw(self._image, "RGBA")
        self._drawing: Drawing | None = None
        if (drawings := current()) is not None:
            self._drawing = Drawing((width, height), background)
            drawings.append(self._drawing)

    def _recorded(self, method: str, **arguments: Any) -> bool:
        """Note a shape where drawings are recorded; whether they are."""
        if self._drawing is None:
            return False
        self._drawing.shapes.append((method, arguments))
        return True

    def _points(self, points) -> list[tuple[float, float]]:
        return [(x, y) for x, y in (np.asarray(points, np.float64) * self._fine).tolist()]

    def polygon(self, points, fill: Color | None = None, outline: Color | None = None, width: float = 1.0) -> None:
        """Draw a polygon.

        Args:
            points: corners in pixels, (n, 2).
            fill: colour of the inside; None leaves it.
            outline: colour of the edge; None draws none.
            width: of the edge, pixels.
        """
        if self._recorded("polygon", points=points, fill=fill, outline=outline, width=width):
            return
        corners = self._points(points)
        if fill is not None:
            self._pen.polygon(corners, fill=fill)
        if outline is not None:
            self._pen.line([*corners, corners[0]], fill=outline, width=self._thick(width), joint="curve")

    def line(self, points, color: Color, width: float = 1.0) -> None:
        """Draw a line through points (n, 2), `width` pixels thick."""
        if self._recorded("line", points=points, color=color, width=width):
            return
        self._pen.line(self._points(points), fill=color, width=self._thick(width), joint="curve")

    def circle(
        self, center, radius: float, fill: Color | None = None, outline: Color | None = None, width: float = 1.0
    ) -> None:
        """Draw a circle; all lengths in pixels."""
        if self._recorded("circle", center=center, radius=radius, fill=fill, outline=outline, width=width):
            return
        x, y = np.asarray(center, np.float64) * self._fine
        r = max(0.5, radius * self._fine)
        right, bottom = max(x - r, x + r - 1), max(y - r, y + r - 1)  # Pillow counts the last pixel in
        thick = self._thick(width) if outline is not None else 0
        self._pen.ellipse((x - r, y - r, right, bottom), fill=fill, outline=outline, width=thick)

    def rectangle(self, box, fill: Color, radius: float = 0.0) -> None:
        """Fill the box (left, top, right, bottom), with rounded corners of `radius` pixels; nothing if it is empty."""
        if self._recorded("rectangle", box=box, fill=fill, radius=radius):
            return
        left, top, right, bottom = (x * self._fine for x in box)
        if left < right and top < bottom:
            last = max(left, right - 1), max(top, bottom - 1)  # Pillow counts the last pixel in
            self._pen.rounded_rectangle((left, top, *last), radius * self._fine, fill=fill)

    def text(self, position, text: str, color: Color, size: float = 12.0, anchor: str = "lt") -> None:
        """Write a line of text.

        Args:
            position: of the anchor, pixels.
            text: what to write, in letters that `drawable` leaves.
            color: of the letters.
            size: height of the letters, pixels.
            anchor: where the position lies in the text, as Pillow names it: ``"lt"`` left top, ``"mm"`` middle.
        """
        if self._recorded("text", position=position, text=text, color=color, size=size, anchor=anchor):
            return
        x, y = (value * self._fine for value in position)
        self._pen.text((x, y), text, fill=color, font=_font(round(size * self._fine)), anchor=anchor)

    def text_width(self, text: str, size: float = 12.0) -> float:
        """Width of a line of text, pixels."""
        return _font(round(size * self._fine)).getlength(text) / self._fine

    def cut(self, text: str, width: float, size: float = 12.0) -> str:
        """As much of a line of text as fits into `width` pixels, with dots at the end where it is cut."""
        if self.text_width(text, size) <= width:
            return text
        sizes = range(1, len(text))
        kept = bisect_right(sizes, width, key=lambda letters: self.text_width(text[:letters] + "...", size))
        return text[:kept] + "..."

    def _thick(self, width: float) -> int:
        return max(1, round(width * self._fine))

    def to_array(self) -> np.ndarray:
        """Return the picture, uint8 (height, width, 3)."""
        return np.array(self._image.reduce(self._fine) if self._fine > 1 else self._image)


@dataclass(frozen=True)
class Camera:
    """A perspective camera.

    Attributes:
        position: where it stands, m.
        look_at: the point in the middle of the picture, m.
        size: (width, height) of the picture, pixels.
        fov: angle that the height of the picture spans, degrees.
        up: direction that points up in the picture; must not be the direction of view.
    """

    position: tuple[float, float, float]
    look_at: tuple[float, float, float]
    size: tuple[int, int]
    fov: float = 40.0
    up: tuple[float, float, float] = (0.0, 0.0, 1.0)

    def __post_init__(self):
        """Refuse what gives no picture."""
        if not 0 < self.fov < 180:
            raise ValueError(f"fov is {self.fov} degrees, expected more than 0 and less than 180")
        if not np.all(np.isfinite(self.axes)):
            raise ValueError(f"a camera at {self.position} cannot look at {self.look_at} with up {self.up}")

    @cached_property
    def axes(self) -> np.ndarray:
        """Rows: unit vectors to the right, down and forward in the picture, (3, 3)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            forward = np.subtract(self.look_at, self.position)
            forward = forward / np.linalg.norm(forward)
            right = np.cross(forward, self.up)
            right = right / np.linalg.norm(right)
        return np.array([right, np.cross(forward, right), forward])

    @cached_property
    def focal(self) -> float:
        """Pixels that a metre spans at a distance of one metre."""
        return self.size[1] / 2 / np.tan(np.radians(self.fov) / 2)

    def view(self, points) -> np.ndarray:
        """World points (..., 3) in the camera's axes: right, down, depth."""
        return (np.asarray(points, np.float64) - self.position) @ self.axes.T

    def flatten(self, view: np.ndarray) -> np.ndarray:
        """Pixels (..., 2) of points (..., 3) in the camera's axes; they must lie in front of it."""
        return view[..., :2] * (self.focal / view[..., 2:]) + np.divide(self.size, 2)

    def project(self, points) -> tuple[np.ndarray, np.ndarray]:
        """Project world points.

        Args:
            points: m, (..., 3).

        Returns:
            Pixels (..., 2), nan for points behind the camera, and depths (...), m.
        """
        view = self.view(points)
        depth = view[..., 2]
        visible = np.where(depth[..., None] > _NEAR, view, np.nan)
        return self.flatten(visible), depth


def _clip(view: np.ndarray) -> np.ndarray:
    """The part of a polygon (n, 3), in the camera's axes, that lies in front (Sutherland and Hodgman 1974)."""
    depth = view[:, 2]
    if depth.min() >= _NEAR:
        return view
    kept = []
    for i in range(len(view)):
        a, b = view[i - 1], view[i]
        if (a[2] < _NEAR) != (b[2] < _NEAR):
            kept.append(a + (b - a) * (_NEAR - a[2]) / (b[2] - a[2]))
        if b[2] >= _NEAR:
            kept.append(b)
    return np.array(kept).reshape(-1, 3)


class Scene:
    """Shapes in space, drawn from the farthest to the nearest.

    Args:
        camera: from where they are seen.
    """

    def __init__(self, camera: Camera):
        self.camera = camera
        self._items: list[tuple] = []

    def polygon(self, points, fill: Color | None, outline: Color | None = None, width: float = 0.0) -> None:
        """Add a flat polygon: corners in m (n, 3), width of the edge in m."""
        self._items.append((np.asarray(points, np.float64), fill, outline, width, "polygon"))

    def segment(self, start, end, color: Color, width: float) -> None:
        """Add a straight rod; points and width in m."""
        self._items.append((np.array([start, end], np.float64), color, None, width, "segment"))

    def ball(self, center, radius: float, fill: Color | None, outline: Color | None = None, width: float = 0.0):
        """Add a ball; centre, radius and width of the edge in m."""
        self._items.append((np.array([center], np.float64), fill, outline, (radius, width), "ball"))

    def draw(self, canvas: Canvas) -> None:
        """Draw everything onto `canvas`, whose size is the camera's."""
        if not self._items:
            return
        view = self.camera.view(np.concatenate([item[0] for item in self._items]))
        ends = np.cumsum([len(item[0]) for item in self._items])
        parts = np.split(view, ends[:-1])
        order = np.argsort([-part[:, 2].mean() for part in parts], kind="stable")
        for i in order:
            _, fill, outline, width, kind = self._items[i]
            part = _clip(parts[i])
            if len(part) == 0:
                continue
            pixels = self.camera.flatten(part)
            metre = self.camera.focal / part[:, 2].mean()
            if kind == "polygon":
                canvas.polygon(pixels, fill, outline, width * metre)
            elif kind == "segment":
                canvas.line(pixels, fill, width * metre)
            else:
                canvas.circle(pixels[0], width[0] * metre, fill, outline, width[1] * metre)


_TURN = np.linspace(0, 2 * np.pi, 24, endpoint=False)
_CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN)])


def disc(center, axis, radius: float) -> np.ndarray:
    """Points on the edge of a disc.

    Args:
        center: m, (3,).
        axis: direction of any length that the disc is perpendicular to, (3,).
        radius: m.

    Returns:
        m, (24, 3).
    """
    axis = np.divide(axis, np.linalg.norm(axis))
    side = np.cross(axis, (1.0, 0.0, 0.0) if abs(axis[0]) < 0.8 else (0.0, 1.0, 0.0))
    side = side / np.linalg.norm(side)
    return np.asarray(center) + radius * (_CIRCLE[:, :1] * side + _CIRCLE[:, 1:] * np.cross(axis, side))


def shadow(points, floor: float = 0.0, light: Sequence[float] = (0.0, 0.0, -1.0)) -> np.ndarray:
    """Where points cast their shadow on the plane z = `floor`.

    Args:
        points: m, (..., 3).
        floor: height of the plane, m.
        light: direction in which the light shines; must point down.

    Returns:
        m, (..., 3).
    """
    if light[2] >= 0:
        raise ValueError(f"light {tuple(light)} does not shine down")
    points = np.asarray(points, np.float64)
    return points + ((floor - points[..., 2:]) / light[2]) * np.asarray(light)


@lru_cache(maxsize=16)
def ground(
    camera: Camera,
    floor: float = 0.0,
    spacing: float = 0.5,
    land: Color = (219, 225, 231),
    line: Color = (166, 178, 192),
    horizon: Color = (239, 243, 247),
    sky: Color = (158, 190, 224),
) -> np.ndarray:
    """Draw a floor with a grid that fades into the horizon, under a sky; kept for the next call.

    Args:
        camera: from where it is seen.
        floor: height of the floor, m.
        spacing: of the lines of the grid, m; every fifth is stronger.
        land: colour of the floor.
        line: colour of the lines.
        horizon: colour far away.
        sky: colour overhead.

    Returns:
        uint8 (height, width, 3), to be used as a background and not to be written to.
    """
    width, height = camera.size
    x, y = np.meshgrid(np.arange(width) + 0.5 - width / 2, np.arange(height) + 0.5 - height / 2)
    rays = np.stack([x, y, np.full_like(x, camera.focal)], -1) @ camera.axes
    rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
    above = camera.position[2] - floor
    slope = rays[..., 2]
    hit = slope * above < 0
    reach = np.where(hit, -above / np.where(hit, slope, 1.0), 0.0)
    place = np.asarray(camera.position[:2]) + reach[..., None] * rays[..., :2]
    # Coverage of a pixel by lines, from its distance to the next line in pixels.
    ink = np.zeros((height, width))
    for step, strength in ((spacing, 0.55), (5 * spacing, 0.8)):
        for axis in range(2):
            u = place[..., axis] / step
            down, across = np.gradient(u)
            per_pixel = np.hypot(down, across) + 1e-9
            away = np.abs(u - np.round(u)) / per_pixel
            cover = np.clip(1.1 - away, 0, 1) * np.clip(1.5 - 3 * per_pixel, 0, 1)
            ink = np.maximum(ink, strength * cover)
    far = 12 * abs(above) + 8 * spacing
    clear = np.exp(-((reach / far) ** 2))[..., None]
    floor_color = np.asarray(land) + ink[..., None] * np.subtract(line, land)
    below = np.asarray(horizon) + clear * (floor_color - horizon)
    overhead = np.sqrt(np.clip(2 * np.abs(slope), 0, 1))[..., None]
    picture = np.where(hit[..., None], below, np.asarray(horizon) + overhead * np.subtract(sky, horizon))
    picture = np.rint(picture).astype(np.uint8)
    picture.flags.writeable = False
    return picture


def tile(frames: Sequence[np.ndarray], *, gap: int = 2, largest: int = 1600) -> np.ndarray:
    """Combine frames into one picture, row by row on a grid that is about square.

    Args:
        frames: uint8 arrays (height, width, 3), all of one shape.
        gap: pixels between neighbours.
        largest: longest side of the picture, pixels; frames are shrunk by a whole factor to keep it.

    Returns:
        uint8 (H, W, 3).
    """
    if len(frames) == 0:
        raise ValueError("no frames to tile")
    shapes = {np.shape(frame) for frame in frames}
    if len(shapes) > 1 or len(next(iter(shapes))) != 3:
        raise ValueError(f"frames have shapes {sorted(shapes)}, expected one shape (height, width, 3)")
    height, width, _ = frames[0].shape
    columns = min(len(frames), ceil(sqrt(len(frames) * height / width)))
    rows = ceil(len(frames) / columns)
    shrink = max(1, ceil(max(columns * (width + gap), rows * (height + gap)) / largest))
    if shrink > 1:
        frames = [np.asarray(Image.fromarray(frame).reduce(shrink)) for frame in frames]
        height, width, _ = frames[0].shape
    picture = np.full((rows * (height + gap) - gap, columns * (width + gap) - gap, 3), 90, np.uint8)
    for i, frame in enumerate(frames):
        top, left = i // columns * (height + gap), i % columns * (width + gap)
        picture[top : top + height, left : left + width] = frame
    return picture
