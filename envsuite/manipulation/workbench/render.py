"""Pictures of the arm at the workbench."""

import numpy as np

from envsuite.core.solids import BALL, CYLINDER, solid
from envsuite.manipulation.panda.render import CAMERAS, ArmPictures
from envsuite.manipulation.workbench.params import DOOR, DRAWER, PEG_INSERTION, WIPE
from envsuite.manipulation.workbench.scenes import TABLE
from envsuite.manipulation.workbench.senses import handle_at

_MOVED, _STILL, _METAL, _SPONGE, _DIRT = (240, 158, 50), (92, 132, 178), (70, 78, 90), (244, 208, 72), (110, 74, 40)
_GOAL, _DONE = (64, 190, 96), (20, 120, 56)
_COLORS = {
    **dict.fromkeys(("peg", "front", "tray_floor", "tray_left", "tray_right", "panel"), _MOVED),
    **dict.fromkeys(("bar", "post_left", "post_right", "post_low", "post_high"), _METAL),
    "sponge": _SPONGE,
}
"""Of shapes; others stand still."""
_SPOT = (0.009, 0.0008)  # m, radius and half the thickness of a mark
_FRONT = ((-0.42, 0.72, 0.5), (0.0, 0.0, 0.12), 42.0)
"""The camera that sees the fronts of cabinets, as those of the arm's pictures."""
_BALL = 0.01  # m, radius of the goal


class WorkbenchPictures(ArmPictures):
    """Orange is what is to be moved, blue what stands still, brown spots are marks.

    Green is the goal, which shines through what hides it: the bottom of the hole, where the handle is to go, the next
    mark. It is dark once the task is done. Cabinets are seen from the arm's side.
    """

    table = TABLE

    def __init__(self, world):
        super().__init__(world)
        if self._task in (DRAWER, DOOR):
            self.cameras = {**CAMERAS, "corner": _FRONT}

    def things(self, state, places, axes):
        """Block, peg, cabinet, marks and sponge, by the shapes of the physics."""
        made = self.world.compiled
        bodies = {made.body[name] for name in ("fixture", "peg", "drawer", "door", "sponge") if name in made.body}
        found = []
        for name, k in made.geom.items():
            if (body := int(made.model[0]["geom_bodyid"][k])) in bodies:
                found.append(self.shape(name, places, axes, _COLORS.get(name, _STILL), 100 + body))
        for n in range(int(self.world.params[0]["marks"])):
            if not state["wiped"][n]:
                at = (*state["marks"][n], _SPOT[1])
                found.append(solid(CYLINDER, at, np.eye(3), _SPOT, _DIRT, 200 + n, casts=False))
        return found

    def mark(self, state):
        """The goal; dark once the task is done."""
        p, fixture = self.world.params[0], state["fixture"]
        if p["task"] == PEG_INSERTION:
            at = (fixture[0], fixture[1], _BALL)
        elif p["task"] == WIPE:
            left = np.flatnonzero(state["wiped"][: p["marks"]] == 0)
            at = (*state["marks"][left[0] if len(left) else 0], _BALL)
        else:
            at = handle_at(int(p["task"]), int(p["side"]), np.array(fixture), float(p["opened"]))
        return solid(BALL, at, np.eye(3), (_BALL,), _DONE if state["success"] else _GOAL, 0)
