"""The stage from the side: one list of shapes, drawn in compiled code for agents and on a canvas for people."""

import itertools
from functools import lru_cache

import numpy as np

from envsuite.core import Pictures
from envsuite.core.canvas import Canvas
from envsuite.core.jit import records
from envsuite.core.raster import BOX, POLYGON, SHAPE, draw_on, paint
from envsuite.fighting.characters import CAST
from envsuite.fighting.figures import BLUE, FLOOR, HILLS, INK, LINE, RED, SKY
from envsuite.fighting.kernel.picture import compose, draw_batch
from envsuite.fighting.kernel.sheet import GROUND, HEIGHT, WIDTH, Sheet
from envsuite.fighting.params import ATTACK, DUMMIES, DUMMY, FRAMES, MOVE_NAMES, SPECIAL
from envsuite.fighting.state import PIXEL_FORMS

_RIDGE = ((0, 20), (60, 52), (120, 24), (190, 60), (260, 22), (330, 48), (384, 26))


def _scenery() -> np.ndarray:
    """The shapes of the empty stage."""
    shapes = np.zeros(len(_RIDGE) + 1, SHAPE)
    for k, ((x0, y0), (x1, y1)) in enumerate(itertools.pairwise(_RIDGE)):
        shapes[k]["kind"], shapes[k]["corners"], shapes[k]["color"] = POLYGON, 4, (*HILLS, 255)
        right = x1 + 2  # over the next one's smooth edge
        shapes[k]["points"][:4] = [(x0, GROUND), (x0, GROUND - y0), (right, GROUND - y1), (right, GROUND)]
    for k, top, bottom, color in ((-2, GROUND - 6, HEIGHT, FLOOR), (-1, GROUND - 0.75, GROUND + 0.75, LINE)):
        shapes[k]["kind"], shapes[k]["color"] = BOX, (*color, 255)
        shapes[k]["points"][:2] = [(0, top), (WIDTH, bottom)]
    return shapes


@lru_cache
def _empty(shape: tuple[int, int, int], three: bool) -> np.ndarray:
    """A picture of the empty stage."""
    height, width, channels = shape
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = SKY
    if channels == 1 or three:
        picture[:] = np.dot(SKY, (299, 587, 114)) // 1000
    picture = np.ascontiguousarray(picture[..., :channels])
    shapes = records(_scenery())
    for first in range(3 if three else 1):
        count = 1 if three else channels
        paint(picture, first, count, shapes, len(shapes), width / WIDTH, height / HEIGHT)
    picture.flags.writeable = False
    return picture


def draw_pixels(states: np.ndarray, params: np.ndarray, form: str, boxes: bool, out: np.ndarray) -> None:
    """Draw what players see, a picture for each.

    Args:
        states: (n,) records of type `envsuite.fighting.state.State`.
        params: (1,) the parameters.
        form: one of `PIXEL_FORMS`.
        boxes: show bodies, hit boxes and projectiles' boxes.
        out: uint8 (n, [agents,] height, width, channels), written.
    """
    three = form == "pixels_ladder"
    pictures = out.reshape(len(states), -1, *PIXEL_FORMS[form])
    sheets = Sheet.make()
    scenery = _empty(PIXEL_FORMS[form], three).ravel().view(np.uint64)
    agents = pictures.shape[1]
    words = pictures.reshape(len(states), agents, -1).view(np.uint64)
    draw_batch(records(states), records(params), sheets, scenery, agents, three, boxes, pictures, words)


def draw(state: np.void, p: np.void, size: tuple[int, int], boxes: bool = False) -> np.ndarray:
    """Draw one record for people: the same shapes as for agents, with names and words.

    Args:
        state: record of type `envsuite.fighting.state.State`.
        p: the parameters.
        size: (width, height) in pixels; the stage fills it.
        boxes: show hit boxes (red, gold once they met), bodies (blue, white where untouchable) and projectiles' boxes.

    Returns:
        uint8 array (height, width, 3).
    """
    width, height = size
    across, down = width / WIDTH, height / HEIGHT
    canvas = Canvas(*size, SKY, supersample=3 if width < 200 else 2)
    draw_on(canvas, _scenery(), across, down)
    sheets = Sheet.make()
    compose(sheets[0], records(np.array([state]))[0], records(np.array([p]))[0], 0, 0, 0, True, boxes)
    draw_on(canvas, sheets["shapes"][0, : sheets["number"][0]], across, down)
    if width >= 200:
        _texts(canvas, state, across, down)
    return canvas.to_array()


def _texts(canvas: Canvas, state: np.void, across: float, down: float) -> None:
    size, middle = 9 * down, WIDTH / 2 * across
    for i in range(2):
        f = state["fighters"][i]
        x, anchor = ((12, "lt"), (372, "rt"))[i]
        canvas.text((x * across, 19 * down), who(f), (BLUE, RED)[i], size, anchor)
        other = state["fighters"][1 - i]
        if other["combo"] > 1:
            canvas.text((x * across, 34 * down), f"{int(other['combo'])} hits", RED, 1.2 * size, anchor)
        elif f["state"] == ATTACK and f["move"] >= SPECIAL:
            name = MOVE_NAMES[int(f["move"])] + (", EX" if f["ex"] else "")
            canvas.text((x * across, 34 * down), name, INK, 0.8 * size, anchor)
    if state["pause"] or state["outcome"] > 0:
        words = "K.O." if min(int(f["hp"]) for f in state["fighters"]) <= 0 else "Time"
        canvas.text((middle, 60 * down), words, RED, 3 * size, "mm")
    elif state["sudden"]:
        canvas.text((middle, 36 * down), "sudden death", RED, size, "mm")


def who(fighter: np.void) -> str:
    """Name of a fighter, and the level or the kind of dummy where the engine plays it."""
    name, level = CAST[int(fighter["character"])].name, int(fighter["level"])
    if level >= DUMMY:
        return f"{name}, dummy: {DUMMIES[level - DUMMY]}"
    return f"{name}, level {level}" if level else name


class FightPictures(Pictures):
    """The stage from the side, with boxes or without."""

    size = (768, 448)
    views = ("fixed", "boxes")
    forms = PIXEL_FORMS

    @property
    def fps(self) -> int:  # ty: ignore[incompatible-property-override]
        """Decisions a second."""
        return max(1, round(FRAMES / int(self.world.params[0]["skip"])))

    def draw(self, state, size):
        """Draw the stage from the side."""
        return draw(state, self.world.params[0], size, self.view == "boxes")

    def draw_many(self, states, form, out):
        """Draw what players see: all with the delay of their sight, each fighter's own in blue."""
        draw_pixels(states, self.world.params, form, self.view == "boxes", out)
