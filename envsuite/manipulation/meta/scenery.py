"""What stands on the table, in words: furniture, walls and holes, and how far joints have moved.

Sentences are by scene; numbers come from the scene and from the record, in centimetres and degrees.
"""

from typing import Any

import numpy as np

from envsuite.core.language import vector_text
from envsuite.manipulation.meta.scenes.furniture import JOINT
from envsuite.manipulation.meta.sheets import SECOND
from envsuite.manipulation.meta.tasks import TASKS

_WALL = "A wall stands across the table at y = {wall_y} cm, from x = {wall_x} cm, {wall_top} cm high"
_HOLE = "The table has a hole from x = {hole_x} cm and y = {hole_y} cm"
_BUTTON = "A housing stands at {housing}; its button is pressed in by {cm} cm"
_HANDLE = "A stand is at {stand}; its handle is {cm} cm below its upper end"
_COFFEE = "A coffee machine stands at {machine}; on the side of the robot are its spout and above it its button"

STANDING: dict[str, tuple[str, ...]] = {
    "puck_wall": (_WALL,),
    "flat_puck_wall": (_WALL,),
    "light_block": (_HOLE,),
    "puck_hole": (_HOLE,),
    "bins": ("Two bins with walls 6 cm high lie side by side, their middles at (-12, 70) and (12, 70)",),
    "lid": ("An open box stands at {box}",),
    "nut": ("A peg stands upright at {peg}",),
    "basket": ("A hoop stands at {hoop}; its ring is on the side of the robot",),
    "hammer": (
        "The nail points at the robot; behind it stands a block from y = 75",
        "The nail is driven in by {nail_cm} cm",
    ),
    "peg": ("A box stands at {box}, with a hole in its right side",),
    "plug": ("The wall with the socket stands at {wall}",),
    "shelf": ("A shelf stands at {shelf}, open towards the robot",),
    "soccer": ("A net stands at {net}, open towards the robot",),
    "stick": ("The thermos has a handle like a ring on the side of the robot",),
    "button_topdown": (_BUTTON,),
    "button_topdown_wall": (_BUTTON, _WALL),
    "button_front": (_BUTTON,),
    "button_front_wall": (_BUTTON, _WALL),
    "coffee": (f"{_COFFEE}, which is pressed in by {{cm}} cm",),
    "dial": ("The dial is turned by {degrees} degrees",),
    "door": ("A door hangs in a frame at {frame}, its hinge on the left; it is open by {degrees} degrees",),
    "lock": ("A shut door is in a frame at {frame}; the lever of its lock is turned down by {degrees} degrees",),
    "drawer": ("The case of the drawer stands at {case}; the drawer is {cm} cm open",),
    "faucet": ("A faucet stands at {faucet}; its handle is {turned}",),
    "handle": (_HANDLE,),
    "handle_side": (_HANDLE,),
    "handle_side_up": (_HANDLE,),
    "lever": ("The lever is on the right of a stand at {stand} and is turned up by {degrees} degrees",),
    "plate": ("A net stands at {net}, open towards the robot",),
    "plate_side": ("A net stands at {net}, open to the right",),
    "window": ("A window stands at {window}; it is {cm} cm open",),
}
"""By names of scenes; none for those in which nothing but objects is there."""


def standing(world: Any, state: np.void) -> str:
    """Sentences on furniture, walls and holes, each with a space before it.

    Furniture that stands where the goal is drawn is left out where the goal is hidden.

    Args:
        world: a `envsuite.manipulation.meta.world.MetaWorld`.
        state: one of its records.
    """
    lines = STANDING.get(TASKS[world.task].scene.name, ())
    at_goal = any(where.source == SECOND for where in TASKS[world.task].puts.values())
    if not lines or (at_goal and world.params[0]["goal_hidden"]):
        return ""
    told = _numbers(world, state)
    return "".join(f" {line.format_map(told)}." for line in lines)


def _numbers(world: Any, state: np.void) -> dict[str, str]:
    """What stands in the sentences' places."""
    made, (places, _) = world.compiled, world.frames(state)
    told = {name: vector_text(100 * places[number][:2], 1) for name, number in made.body.items()}
    for joint, name in ((JOINT, ""), ("nail", "nail_")):
        if joint in made.qposadr:
            value = float(state["body"]["qpos"][made.qposadr[joint]])
            told[f"{name}cm"] = f"{abs(100 * value):.1f}"
            angle = told[f"{name}degrees"] = f"{abs(np.degrees(value)):.0f}"
            told["turned"] = f"turned by {angle} degrees to the {'right' if value > 0 else 'left'}"
            if angle == "0":
                told["turned"] = "not turned"
    ground = {one.name: one for one in TASKS[world.task].scene.geoms}
    if "wall" in ground:
        low, high = _corners(ground["wall"])
        told |= {"wall_x": _span(low[0], high[0]), "wall_y": f"{50 * (low[1] + high[1]):.0f}"}
        told["wall_top"] = f"{100 * high[2]:.0f}"
    if "slab_front" in ground:
        left, right, front, back = (_corners(ground[f"slab_{one}"]) for one in ("-1", "1", "front", "back"))
        told |= {"hole_x": _span(left[1][0], right[0][0]), "hole_y": _span(front[1][1], back[0][1])}
    return told


def _corners(box: Any) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner of a box that is fixed to the table, m."""
    return np.subtract(box.pos, box.size), np.add(box.pos, box.size)


def _span(low: float, high: float) -> str:
    return f"{100 * low:.0f} to {100 * high:.0f}"
