"""Draws the corridor from above, with the cue and the junction; for people also how many corridors were passed."""

import math

from envsuite.memory.render import MemoryPictures
from envsuite.memory.tmaze.world import OPERATIONS, SHOWN

GROUND, FLOOR, WALL, HERO, CUE, INK, DONE, BAD = (
    (222, 226, 232),
    (250, 248, 242),
    (92, 104, 122),
    (44, 98, 190),
    (240, 182, 50),
    (40, 44, 52),
    (70, 160, 96),
    (206, 70, 64),
)
_ANGLE = (math.pi / 2, -math.pi / 2, 0.0, math.pi)
"""Of an arrow to the left, to the right, up and down, as a person sees it who walks to the right of the picture."""


class TMazePictures(MemoryPictures):
    """One corridor, which goes to the right; left is up. The cue, or what to remember, stands above its cell."""

    size = (480, 200)
    fps = 6
    ground = GROUND

    def paint(self, canvas, state, all_seen):
        """Draw corridor, cue and agent, and for people the progress."""
        width, height = canvas.width, canvas.height
        p = self.world.params[0]
        longest, x, end = int(p["length"]), int(state["x"]), int(state["length"])
        side = min(0.9 * width / (longest + 2), 0.2 * height)
        left, middle = (width - side * (longest + 2)) / 2, 0.56 * height
        seen_end = end if self.world.mode == "fixed" else longest
        for k in range(seen_end + 1):
            box = (left + (k + 0.5) * side, middle - side / 2, left + (k + 1.5) * side, middle + side / 2)
            canvas.rectangle(box, FLOOR)
            canvas.line([(box[0], box[1]), (box[0], box[3])], GROUND, 1)
        if self.world.mode == "fixed" or bool(p["show_junction"] and x == end):
            across = left + (end + 1) * side
            canvas.rectangle((across - side / 2, middle - 1.5 * side, across + side / 2, middle + 1.5 * side), FLOOR)
        self._cue(canvas, state, (left + (int(p["cue_delay"]) + 1) * side, middle), side, all_seen)
        place = (left + (x + 1) * side, middle)
        canvas.circle(place, 0.32 * side, BAD if state["failed"] else HERO, INK, max(1.0, 0.05 * side))
        if all_seen:
            self._progress(canvas, int(state["corridor"]), int(p["corridors"]))

    def _cue(self, canvas, state, place, side, all_seen):
        p = self.world.params[0]
        here = int(state["x"]) == int(p["cue_delay"])
        if not (here or all_seen) or int(state["corridor"]) >= int(p["corridors"]):
            return
        x, y = place[0], place[1] - 1.15 * side
        operation = int(state["operation"])
        if here and operation != SHOWN:
            name = OPERATIONS[operation]
            tall = 0.42 * side
            x = max(x, 0.5 * canvas.text_width(name, tall) + 0.3 * side)
            half = 0.5 * canvas.text_width(name, tall) + 0.2 * side
            canvas.rectangle((x - half, y - 0.4 * side, x + half, y + 0.4 * side), CUE, 0.1 * side)
            canvas.text((x, y), name, INK, tall, "mm")
            return
        canvas.rectangle((x - 0.5 * side, y - 0.5 * side, x + 0.5 * side, y + 0.5 * side), CUE, 0.1 * side)
        angle = _ANGLE[int(state["turn"])]

        def turned(a, b):
            along, across = math.cos(angle), math.sin(angle)
            return x + side * (a * along + b * across), y - side * (a * across - b * along)

        canvas.line([turned(-0.3, 0), turned(0.1, 0)], INK, 0.12 * side)
        canvas.polygon([turned(0.08, -0.22), turned(0.36, 0), turned(0.08, 0.22)], INK)

    def _progress(self, canvas, passed, corridors):
        width, height = canvas.width, canvas.height
        canvas.text(
            (0.03 * width, 0.1 * height),
            f"corridor {min(passed + 1, corridors)} of {corridors}",
            INK,
            0.09 * height,
            "lm",
        )
        step = min(0.04 * width, 0.6 * width / corridors)
        for k in range(corridors):
            center = (0.97 * width - step * (corridors - k - 0.5), 0.1 * height)
            canvas.circle(center, 0.36 * step, DONE if k < passed else FLOOR, WALL, 1.0)
