"""The fifty tasks of Meta-World 3.1.1: scenes, starts, goals, what is observed, reward and scripted player.

A place that an episode draws is uniform in its range. Numbers are those of the tasks' `reset_model` and constructors.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import pi
from typing import Any

from envsuite.manipulation.meta import carrying, experts_carrying, experts_moving, moving
from envsuite.manipulation.meta.finish import ORIGINAL, Ending
from envsuite.manipulation.meta.scenes import furniture, things
from envsuite.manipulation.meta.scenes.furniture import JOINT
from envsuite.manipulation.meta.scenes.things import END, MARK, OBJECT, OBJECT2
from envsuite.manipulation.meta.sheets import (
    UNTURNED,
    WXYZ,
    XYZW,
    ZEROS,
    Range,
    Where,
    always,
    first,
    second,
    seen,
)
from envsuite.rigid import Scene

FRONT, NEAR, LEFT = (0, 0.6, 0.2), (0, 0.4, 0.2), (-0.5, 0.6, 0.2)
"""Where the hand is sent at the beginning, m."""

LOW, HIGH = (-0.5, 0.4, 0.05), (0.5, 1, 0.5)
"""Where the hand can be sent, m."""

BELOW = ((-0.5, 0.4, -0.15), HIGH)
"""Where it can be sent in tasks that go deeper."""

NOWHERE: Range = (0, 0, 0)


@dataclass(frozen=True)
class Task:
    """What tells a task from the others.

    Attributes:
        scene: what there is.
        reward: kernel that takes a `Look` and returns reward and success.
        player: kernel that takes an observation and returns gain, place and grip.
        first: range of the first drawn place, that of the object or the furniture.
        second: of the second one, that of the goal.
        apart: least distance of both from above, m.
        puts: names of bodies and where they are put.
        starts: coordinates of joints at the beginning, by name.
        goal: where it is.
        start: the object's place, as the reward has it.
        hand: where the hand is sent at the beginning, m.
        reach: where it can be sent, corners, m.
        site: observed point.
        quat: how the orientation of its body is observed.
        site2: second observed point.
        quat2: how its orientation is observed.
        mark: see `Look`; likewise `mark2`.
        head: see `Sheet`.
        late: see `Sheet`.
        tracked: point that `mark` follows.
        tracked3: point that `mark3` follows.
        joint: that the reward looks at.
        held: shape whose contact with both pads the reward looks at.
        ending: how the player ends the task.
    """

    scene: Scene
    reward: Any
    player: Any
    goal: Where = field(default_factory=second)
    start: Where = field(default_factory=first)
    mark: Where = field(default_factory=first)
    mark2: Where = field(default_factory=first)
    first: Range = NOWHERE
    second: Range = NOWHERE
    apart: float = 0.0
    puts: Mapping[str, Where] = field(default_factory=dict)
    starts: Mapping[str, float] = field(default_factory=dict)
    hand: Sequence[float] = FRONT
    reach: tuple[Sequence[float], Sequence[float]] = (LOW, HIGH)
    site: str = OBJECT
    quat: int = WXYZ
    site2: str = ""
    quat2: int = ZEROS
    head: Sequence[float] = (0, 0, 0)
    late: bool = False
    tracked: str = ""
    tracked3: str = ""
    joint: str = ""
    held: str = ""
    ending: Ending = ORIGINAL


def _with(shared: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """What several tasks have in common, with changes."""
    return {**shared, **changes}


_SIDE = (-0.1, 0.1)  # m, the x of most places
_HALF = (-0.05, 0.05)
_AIR = (0.05, 0.3)
_OBJECT = {"object": first()}
_HOUSING = {"housing": first()}
_FRAME = {"frame": first()}
_STAND = {"stand": first()}
_DOOR: Range = ((0, 0.1), (0.85, 0.95), 0.15)
_LOCK: Range = (_SIDE, (0.8, 0.85), 0.15)
_ASIDE: Range = ((-0.35, -0.25), (0.65, 0.75), 0)
_PLATE: dict[str, Any] = {"scene": furniture.PLATE, "quat": XYZW, "second": NOWHERE}
_WALLED: dict[str, Any] = {
    "first": (_HALF, (0.6, 0.65), 0.015),
    "apart": 0.15,
    "puts": {"object": first(0, 0, 0.005)},
    "quat": XYZW,
}
_SMALL: dict[str, Any] = {"first": (_SIDE, (0.6, 0.7), 0.02), "apart": 0.15, "puts": _OBJECT, "quat": XYZW}
_GOALS: Range = (_SIDE, (0.8, 0.9), _AIR)

TASKS: dict[str, Task] = {
    "assembly": Task(
        things.NUT,
        carrying.assembly,
        experts_carrying.assembly,
        first=(0, 0.6, 0.02),
        second=(_SIDE, (0.75, 0.85), 0.1),
        apart=0.1,
        puts={"nut": first(), "peg": second(0, 0, -0.05)},
        tracked=MARK,
    ),
    "basketball": Task(
        things.BASKET,
        carrying.basketball,
        experts_carrying.basketball,
        first=(_SIDE, (0.6, 0.7), 0.03),
        second=(_SIDE, (0.85, 0.9), 0),
        apart=0.15,
        puts={"object": first(), "hoop": second()},
        goal=second(0, -0.083, 0.25),
    ),
    "bin-picking": Task(
        things.BINS,
        carrying.bin_picking,
        experts_carrying.bin_picking,
        first=((-0.21, -0.03), (0.65, 0.75), 0.03),
        puts=_OBJECT,
        goal=always(0.12, 0.7, 0),
        reach=((-0.5, 0.4, 0.07), HIGH),
        late=True,
    ),
    "box-close": Task(
        things.LID,
        carrying.box_close,
        experts_carrying.box_close,
        first=(_HALF, (0.5, 0.55), 0.02),
        second=(_SIDE, (0.7, 0.8), 0.133),
        apart=0.25,
        puts={"lid": first(), "box": second(0, 0, -0.133)},
    ),
    "button-press-topdown": Task(
        furniture.BUTTON_TOPDOWN,
        moving.button_topdown,
        experts_moving.button_topdown,
        first=(_SIDE, (0.8, 0.9), 0.115),
        puts=_HOUSING,
        goal=first(0, 0, 0.1),
        hand=NEAR,
        ending=Ending((0, 0, 1), (1, 1, 0)),
    ),
    "button-press-topdown-wall": Task(
        furniture.BUTTON_TOPDOWN_WALL,
        moving.button_topdown_wall,
        experts_moving.button_topdown_wall,
        first=(_SIDE, (0.8, 0.9), 0.115),
        puts=_HOUSING,
        goal=first(0, 0, 0.1),
        hand=NEAR,
        ending=Ending((0, 0, 1), (1, 1, 0), near=0.1),
    ),
    "button-press": Task(
        furniture.BUTTON_FRONT,
        moving.button_press,
        experts_moving.button_press,
        first=(_SIDE, (0.85, 0.9), 0.115),
        puts=_HOUSING,
        goal=first(0, -0.1, 0),
        hand=NEAR,
        ending=Ending((0, 0.4, 0), (1, 0, 1), near=0.22),
    ),
    "button-press-wall": Task(
        furniture.BUTTON_FRONT_WALL,
        moving.button_press_wall,
        experts_moving.button_press_wall,
        first=(_HALF, (0.85, 0.9), 0.115),
        puts=_HOUSING,
        goal=first(0, -0.1, 0),
        hand=NEAR,
        ending=Ending((0, 1, 0), (1, 0, 0), grip=-1),
    ),
    "coffee-button": Task(
        furniture.COFFEE,
        moving.coffee_button,
        experts_moving.coffee_button,
        first=(_SIDE, (0.8, 0.9), 0),
        puts={"machine": first(), "mug": first(0, -0.22, 0)},
        goal=first(0, -0.19, 0.3),
        hand=NEAR,
        quat=UNTURNED,
        ending=Ending((0, 0.4, 0), (1, 0, 1), near=0.22),
    ),
    "coffee-pull": Task(
        furniture.COFFEE,
        carrying.coffee,
        experts_carrying.coffee_pull,
        first=(_HALF, (0.7, 0.75), 0),
        second=(_SIDE, (0.55, 0.65), 0),
        apart=0.15,
        puts={"mug": first(), "machine": first(0, 0.22, 0)},
        hand=NEAR,
        site=MARK,
        quat=XYZW,
    ),
    "coffee-push": Task(
        furniture.COFFEE,
        carrying.coffee,
        experts_carrying.coffee_push,
        first=(_SIDE, (0.55, 0.65), 0),
        second=(_HALF, (0.7, 0.75), 0),
        apart=0.15,
        puts={"mug": first(), "machine": second(0, 0.22, 0)},
        hand=NEAR,
        site=MARK,
        quat=XYZW,
    ),
    "dial-turn": Task(
        furniture.DIAL,
        moving.dial_turn,
        experts_moving.dial_turn,
        first=(_SIDE, (0.7, 0.8), 0),
        puts={"dial": first()},
        goal=first(0, 0.03, 0.03),
        quat=UNTURNED,
        mark=seen(0.05, 0.02, 0.09),
    ),
    "disassemble": Task(
        things.NUT,
        carrying.disassemble,
        experts_carrying.disassemble,
        first=((0, 0.1), (0.6, 0.75), 0.025),
        second=(_SIDE, (0.6, 0.75), 0.1),
        apart=0.1,
        puts={"nut": first(), "peg": first(0, 0, 0.03)},
        goal=first(0, 0, 0.15),
        hand=NEAR,
        tracked=MARK,
    ),
    "door-close": Task(
        furniture.DOOR,
        moving.door_close,
        experts_moving.door_close,
        first=_DOOR,
        puts=_FRAME,
        starts={JOINT: -pi / 2},
        goal=first(0.2, -0.2, 0),
        hand=LEFT,
        quat=XYZW,
    ),
    "door-lock": Task(
        furniture.LOCK,
        moving.door_lock,
        experts_moving.door_lock,
        first=_LOCK,
        puts=_FRAME,
        goal=first(0, -0.158, -0.039),
        start=first(0, -0.118, 0.061),
        reach=BELOW,
        quat=UNTURNED,
    ),
    "door-open": Task(
        furniture.DOOR,
        moving.door_open,
        experts_moving.door_open,
        first=_DOOR,
        puts=_FRAME,
        goal=first(-0.3, -0.45, 0),
        quat=XYZW,
        joint=JOINT,
    ),
    "door-unlock": Task(
        furniture.LOCK,
        moving.door_unlock,
        experts_moving.door_unlock,
        first=_LOCK,
        puts=_FRAME,
        starts={JOINT: pi / 2},
        goal=first(0.1, -0.158, 0.061),
        start=first(0, -0.118, 0.061),
        reach=BELOW,
        site=MARK,
        quat=UNTURNED,
    ),
    "hand-insert": Task(
        things.LIGHT_BLOCK,
        carrying.hand_insert,
        experts_carrying.hand_insert,
        first=(_SIDE, (0.6, 0.7), 0.05),
        second=((-0.04, 0.04), (0.8, 0.88), -0.02),
        apart=0.15,
        puts={"object": first(0, 0, 0.02)},
        reach=BELOW,
    ),
    "drawer-close": Task(
        furniture.DRAWER,
        moving.drawer_close,
        experts_moving.drawer_close,
        first=(_SIDE, 0.9, 0),
        puts={"case": first()},
        starts={JOINT: -0.15},
        goal=first(0, -0.16, 0.09),
        start=seen(),
        site=MARK,
        quat=ZEROS,
    ),
    "drawer-open": Task(
        furniture.DRAWER,
        moving.drawer_open,
        experts_moving.drawer_open,
        first=(_SIDE, 0.9, 0),
        puts={"case": first()},
        goal=first(0, -0.36, 0.09),
    ),
    "faucet-open": Task(
        furniture.FAUCET,
        moving.faucet_open,
        experts_moving.faucet_open,
        first=(_HALF, (0.8, 0.85), 0),
        puts={"faucet": first()},
        goal=first(0.175, 0, 0.125),
        hand=NEAR,
        reach=BELOW,
        quat=UNTURNED,
    ),
    "faucet-close": Task(
        furniture.FAUCET,
        moving.faucet_close,
        experts_moving.faucet_close,
        first=(_SIDE, (0.8, 0.85), 0),
        puts={"faucet": first()},
        goal=first(-0.175, 0, 0.125),
        hand=NEAR,
        reach=BELOW,
        site=MARK,
        quat=UNTURNED,
    ),
    "hammer": Task(
        things.HAMMER,
        carrying.hammer,
        experts_carrying.hammer,
        first=(_SIDE, (0.4, 0.5), 0),
        puts={"hammer": first()},
        goal=always(0.24, 0.74, 0.11),
        hand=NEAR,
        site2=OBJECT2,
        quat2=UNTURNED,
        joint="nail",
    ),
    "handle-press-side": Task(
        furniture.HANDLE_SIDE,
        moving.handle_press,
        experts_moving.handle_press_side,
        first=_ASIDE,
        puts=_STAND,
        starts={JOINT: -0.001},
        goal=first(0.216, 0, 0.075),
        start=seen(),
        quat=ZEROS,
        ending=Ending((0, 0, 1), (1, 1, 0)),
    ),
    "handle-press": Task(
        furniture.HANDLE,
        moving.handle_press,
        experts_moving.handle_press,
        first=(_SIDE, (0.8, 0.9), 0),
        puts=_STAND,
        starts={JOINT: -0.001},
        goal=first(0, -0.216, 0.075),
        start=seen(),
        quat=ZEROS,
        ending=Ending((0, 0, 1), (1, 1, 0)),
    ),
    "handle-pull-side": Task(
        furniture.HANDLE_SIDE_UP,
        moving.handle_pull_side,
        experts_moving.handle_pull_side,
        first=_ASIDE,
        puts=_STAND,
        starts={JOINT: -0.1},
        goal=first(0.216, 0, 0.172),
        start=seen(),
        site="centre",
        quat=ZEROS,
        ending=Ending(hold=(1, 1, 1), beside=(-0.046, 0, 0.0075), within=0.065, near=0.06, grip=0.6, gain=10),
    ),
    "handle-pull": Task(
        furniture.HANDLE,
        moving.handle_pull,
        experts_moving.handle_pull,
        first=(_SIDE, (0.8, 0.9), 0),
        puts=_STAND,
        starts={JOINT: -0.1},
        goal=first(0, -0.216, 0.172),
        site=MARK,
        quat=ZEROS,
    ),
    "lever-pull": Task(
        furniture.LEVER,
        moving.lever_pull,
        experts_moving.lever_pull,
        first=(_SIDE, (0.7, 0.8), 0),
        puts=_STAND,
        goal=first(0.12, 0, 0.45),
        hand=NEAR,
        reach=BELOW,
        quat=XYZW,
        mark=first(0.12, -0.2, 0.25),
        joint=JOINT,
        ending=Ending(hold=(1, 1, 1), beside=(0, -0.06, -0.07), within=0.14, near=0.25, gain=10),
    ),
    "pick-place-wall": Task(
        things.PUCK_WALL,
        carrying.pick_place_wall,
        experts_carrying.pick_place_wall,
        second=(_HALF, (0.85, 0.9), _AIR),
        **_WALLED,
    ),
    "pick-out-of-hole": Task(
        things.PUCK_HOLE,
        carrying.pick_out_of_hole,
        experts_carrying.pick_out_of_hole,
        first=(0, 0.75, 0.02),
        second=(_SIDE, (0.5, 0.6), (0.15, 0.3)),
        puts=_OBJECT,
        reach=((-0.5, 0.4, -0.05), HIGH),
    ),
    "pick-place": Task(
        things.PUCK,
        carrying.pick_place,
        experts_carrying.pick_place,
        second=_GOALS,
        **_SMALL,
    ),
    "plate-slide": Task(
        reward=carrying.plate_slide,
        player=experts_carrying.plate_slide,
        first=(0, 0.6, 0),
        **_with(_PLATE, second=(_SIDE, (0.85, 0.9), 0)),
        puts={"net": second()},
    ),
    "plate-slide-side": Task(
        reward=carrying.plate_slide_lying,
        player=experts_carrying.plate_slide_side,
        first=(0, 0.6, 0),
        **_with(_PLATE, scene=furniture.PLATE_SIDE, second=((-0.3, -0.25), (0.54, 0.66), 0)),
        ending=Ending((1, 0, 0), within=0.06, near=0.12),
    ),
    "plate-slide-back": Task(
        reward=carrying.plate_slide_lying,
        player=experts_carrying.plate_slide_back,
        first=(0, 0.85, 0),
        **_with(_PLATE, second=(_SIDE, 0.6, 0.015)),
        starts={"puck_y": 0.15},
        ending=Ending((1, 1, 0), within=0.1, near=0.09, grip=-1),
    ),
    "plate-slide-back-side": Task(
        reward=carrying.plate_slide_lying,
        player=experts_carrying.plate_slide_back_side,
        first=(-0.25, 0.6, 0),
        **_with(_PLATE, scene=furniture.PLATE_SIDE, second=((-0.05, 0.15), 0.6, 0.015)),
        puts={"net": first()},
        starts={"puck_x": -0.15},
        ending=Ending((1, 0, 0), within=0.05, near=0.09),
    ),
    "peg-insert-side": Task(
        things.PEG,
        carrying.peg_insert_side,
        experts_carrying.peg_insert_side,
        first=((0, 0.2), (0.5, 0.7), 0.02),
        second=((-0.35, -0.25), (0.4, 0.7), 0),
        apart=0.1,
        puts={"peg": first(), "box": second()},
        goal=second(0.03, 0, 0.13),
        quat=XYZW,
        mark2=second(),
        head=(-0.1, 0.6, 0.0148),
        tracked=MARK,
    ),
    "peg-unplug-side": Task(
        things.PLUG,
        carrying.peg_unplug_side,
        experts_carrying.peg_unplug_side,
        first=((-0.25, -0.15), (0.6, 0.8), 0),
        puts={"wall": first(), "plug": first(0.044, 0, 0.131)},
        goal=first(0.194, 0, 0.131),
        start=seen(),
        ending=Ending(hold=(1, 1, 0), beside=(-0.015, 0, 0), within=0.05, near=0.06, grip=0.1, gain=2.5),
    ),
    "soccer": Task(
        things.SOCCER,
        carrying.soccer,
        experts_carrying.soccer,
        second=(_SIDE, (0.8, 0.9), 0),
        **_with(_SMALL, first=(_SIDE, (0.6, 0.7), 0.03), puts={"object": first(), "net": second()}),
    ),
    "stick-push": Task(
        things.STICK,
        carrying.stick_push,
        experts_carrying.stick_push,
        first=((-0.08, -0.03), (0.58, 0.62), 0.02),
        second=(0.4, (0.55, 0.6), 0.132),
        apart=0.1,
        puts={"stick": first()},
        start=always(0.2, 0.6, 0),
        quat=XYZW,
        site2=OBJECT2,
        mark2=always(0.2, 0.6, 0),
        held="stick",
        ending=Ending(hold=(1, 0, 1), beside=(-0.13, 0, 0), second=True, near=0.25, grip=0.7, gain=10),
    ),
    "stick-pull": Task(
        things.STICK,
        carrying.stick_pull,
        experts_carrying.stick_pull,
        first=((-0.1, 0), (0.55, 0.65), 0.02),
        second=((0.35, 0.45), (0.45, 0.55), 0.02),
        apart=0.1,
        puts={"stick": first()},
        starts={"thermos_y": 0.09},
        start=always(0.2, 0.6, 0),
        reach=((-0.5, 0.35, 0.05), HIGH),
        quat=XYZW,
        site2=MARK,
        mark2=always(0.2, 0.6, 0),
        tracked3=END,
        ending=Ending(hold=(1, 1, 0), beside=(-0.05, 0, 0), second=True, within=0.25, near=0.07, grip=0.7, gain=10),
    ),
    "push": Task(
        things.PUCK,
        carrying.push,
        experts_carrying.push,
        second=(_SIDE, (0.8, 0.9), 0.02),
        **_SMALL,
    ),
    "push-wall": Task(
        things.PUCK_WALL,
        carrying.push_wall,
        experts_carrying.push_wall,
        second=(_HALF, (0.85, 0.9), 0.02),
        **_with(_WALLED, first=(_HALF, (0.6, 0.65), 0.02), puts=_OBJECT),
    ),
    "push-back": Task(
        things.BLOCK,
        carrying.push_back,
        experts_carrying.push_back,
        second=(_SIDE, (0.6, 0.7), 0.02),
        **_with(_SMALL, first=(_SIDE, (0.8, 0.85), 0.02)),
        ending=Ending((1, 1, 0), within=0.1, near=0.04, grip=0.9),
    ),
    "reach": Task(
        things.PUCK,
        moving.reach,
        experts_moving.reach,
        second=_GOALS,
        **_SMALL,
    ),
    "reach-wall": Task(
        things.FLAT_PUCK_WALL,
        moving.reach,
        experts_moving.reach_wall,
        second=(_HALF, (0.85, 0.9), _AIR),
        **_with(_WALLED, puts=_OBJECT),
    ),
    "shelf-place": Task(
        things.SHELF,
        carrying.shelf_place,
        experts_carrying.shelf_place,
        second=(_SIDE, (0.8, 0.9), 0),
        **_with(_SMALL, first=(_SIDE, (0.5, 0.6), 0.02), apart=0.1, puts={"object": first(), "shelf": second()}),
        goal=second(0, 0, 0.3),
    ),
    "sweep-into": Task(
        things.LIGHT_BLOCK,
        carrying.sweep_into,
        experts_carrying.sweep_into,
        second=(0, 0.84, 0.02),
        start=first(0, 0, 0.05),
        **_with(_SMALL, puts={"object": first(0, 0, 0.05)}),
    ),
    "sweep": Task(
        things.SWEEP,
        carrying.sweep,
        experts_carrying.sweep,
        first=(_SIDE, (0.6, 0.7), 0.02),
        puts={"object": first(0, 0, -0.02)},
        goal=Where(offset=(0.5, 0, 0.01), share=(0, 1, 0)),
    ),
    "window-open": Task(
        furniture.WINDOW,
        moving.window_open,
        experts_moving.window_open,
        first=(_SIDE, (0.7, 0.9), 0.16),
        puts={"window": first()},
        goal=first(0.2, 0, 0),
        start=seen(),
        hand=NEAR,
        quat=ZEROS,
    ),
    "window-close": Task(
        furniture.WINDOW,
        moving.window_close,
        experts_moving.window_close,
        first=(0, (0.75, 0.9), 0.2),
        puts={"window": first()},
        starts={JOINT: 0.2},
        goal=first(),
        start=first(0.21, -0.095, 0),
        hand=NEAR,
        site=MARK,
        quat=ZEROS,
    ),
}
"""By the original's names, in the order of MT50 (`envsuite.manipulation.meta.cards`)."""

NAMES = tuple(TASKS)
