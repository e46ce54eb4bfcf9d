"""What stands on the workbench, as bodies beside the arm's.

Block and cabinets are bodies whose pose is given from outside, so that each episode has its own. Sizes suit the arm's
hand: its palm is 20 cm wide and 3.9 cm above the point between the fingers, so that handles are near the upper edge of
cabinets no higher than 14 cm. Masses follow from densities of wood, aluminium and plastic.
"""

from dataclasses import dataclass
from functools import partial

from envsuite.manipulation.panda.scenes import SILENT, SOFT, TIP, arm_scene, by_hand, on_ground, touching
from envsuite.rigid import Body, Box, Capsule, Free, Hinge, Inertial, Pair, Scene, Slide

FIXTURE = "fixture"
"""The body that stands still within an episode: block or cabinet."""

PEG = (0.015, 0.05)
"""Half width and half length of the square peg, m."""

BLOCK_HEIGHT, WALL = 0.05, 0.01
"""Of the block with the hole, and half the thickness of its walls, m."""

CABINET = {"drawer": (0.10, 0.12, 0.07), "door": (0.08, 0.11, 0.07)}
"""Half depth, width and height of the cabinets, m; fronts look along -x of the body."""

DRAWER_HANDLE, DRAWER_WAY = (-0.156, 0.0, 0.11), 0.12
"""Middle of the handle of the closed drawer in its cabinet, and the drawer's way, m."""

DOOR_HINGE = (-0.088, 0.11)
"""x and distance from the middle of the hinge in its cabinet, m."""

DOOR_HANDLE, DOOR_WAY = (-0.053, 0.18, 0.105), 1.5
"""Handle of the closed door from its hinge: x, away from it, and height of its middle, m; the door's way, rad."""

SPONGE = (0.03, 0.02, 0.012)
"""Half sides of the sponge, m; its upper face is at the point between the fingers."""

SPONGE_FORCE, SPONGE_WAY = 7.0, 0.014
"""Force at which the sponge is pressed flat, N, and how far it gives way, m."""

TABLE = (-0.1, 1.4)
"""x of the table's middle, and its length, m."""

_WOOD, _ALUMINIUM, _PLASTIC = 600.0, 2700.0, 1000.0
"""kg/m^3."""
_DRAG = {"peg": 0.5, "block": 0.5, "cabinet": 0.5, "handle": 0.8, "sponge": 1.0}
"""Coefficients of friction, to be multiplied with those of table (0.5), palm (0.5) and fingers (1)."""

_STOP = {"solreflimit": SOFT["solref"], "solimplimit": SOFT["solimp"]}
_DRY = {"solreffriction": SOFT["solref"], "solimpfriction": (0.99, 0.99, 0.001)}
"""Dry friction that creeps by less than a millimetre a second."""
_box = partial(Box, **SILENT)


@dataclass(frozen=True)
class Make:
    """What may differ from scene to scene.

    Attributes:
        clearance: between peg and hole, on each side, m.
        friction: dry friction of the drawer, N, or of the door's hinge, N m.
        side: of the door's hinge as seen from the arm: 1 left, -1 right.
    """

    clearance: float = 0.002
    friction: float = 0.0
    side: int = 1


def _reachable(names: list[str], drag: float) -> list[Pair]:
    """Parts of a cabinet that hand, wrist and forearm may touch."""
    found = [pair for name in names for pair in by_hand(name, drag)]
    return found + [touching(link, name, 0.5 * drag) for name in names[:2] for link in ("forearm", "wrist")]


def _peg(make: Make) -> Scene:
    half, tall = PEG[0] + make.clearance, BLOCK_HEIGHT / 2
    far = half + WALL
    walls = [
        _box("wall_far", size=(WALL, far + WALL, tall), pos=(far, 0, tall)),
        _box("wall_near", size=(WALL, far + WALL, tall), pos=(-far, 0, tall)),
        _box("wall_left", size=(half, WALL, tall), pos=(0, far, tall)),
        _box("wall_right", size=(half, WALL, tall), pos=(0, -far, tall)),
    ]
    wide, long = PEG
    mass = 8 * wide * wide * long * _ALUMINIUM
    # The mean of a square bar's moments about all axes: without gyroscopic torques, explicit steps stay stable even
    # when the fingers shoot the peg away spinning.
    moment = mass * (4 * wide * wide + 2 * long * long) / 9
    inertial = Inertial(mass, diaginertia=(moment, moment, moment))
    peg = _box("peg", size=(wide, wide, long))
    bodies = [
        Body(FIXTURE, mocap=True, geoms=walls),
        Body("peg", pos=(0, 0, PEG[1]), joints=[Free("peg")], inertial=inertial, geoms=[peg]),
    ]
    pairs = [*on_ground("peg", _DRAG["peg"]), *by_hand("peg", _DRAG["peg"])]
    for wall in walls:
        pairs += [touching("peg", wall.name, _DRAG["peg"] * _DRAG["block"]), *by_hand(wall.name, _DRAG["block"])]
    return arm_scene("peg-insertion", bodies, pairs, TABLE)


def _drawer(make: Make) -> Scene:
    deep, wide, tall = CABINET["drawer"]
    x, _, z = DRAWER_HANDLE
    wood = partial(_box, density=_WOOD)
    metal = partial(_box, density=_ALUMINIUM)
    cabinet = wood("cabinet", size=(deep, wide, tall), pos=(0, 0, tall))
    front = wood("front", size=(0.008, 0.11, 0.045), pos=(-deep - 0.008, 0, 0.09))
    tray = [
        wood("tray_floor", size=(0.085, 0.10, 0.004), pos=(0.085 - deep, 0, 0.054)),
        wood("tray_left", size=(0.085, 0.004, 0.03), pos=(0.085 - deep, 0.096, 0.088)),
        wood("tray_right", size=(0.085, 0.004, 0.03), pos=(0.085 - deep, -0.096, 0.088)),
    ]
    middle = (x + 0.006 - deep - 0.016) / 2
    reach = middle + deep + 0.016  # of a post, from its middle to the front, negative
    handle = [
        metal("bar", size=(0.006, 0.056, 0.006), pos=(x, 0, z)),
        metal("post_left", size=(-reach, 0.006, 0.006), pos=(middle, 0.05, z)),
        metal("post_right", size=(-reach, 0.006, 0.006), pos=(middle, -0.05, z)),
    ]
    slide = Slide(
        "drawer", axis=(-1, 0, 0), range=(0, DRAWER_WAY), damping=5.0, frictionloss=make.friction, **_STOP, **_DRY
    )
    bodies = [
        Body(FIXTURE, mocap=True, geoms=[cabinet]),
        Body("drawer", FIXTURE, joints=[slide], geoms=[front, *tray, *handle]),
    ]
    pairs = _reachable(["cabinet", "front", *(one.name for one in tray)], _DRAG["cabinet"])
    pairs += [pair for one in handle for pair in by_hand(one.name, _DRAG["handle"])]
    return arm_scene("drawer", bodies, pairs, TABLE)


def _door(make: Make) -> Scene:
    deep, wide, tall = CABINET["door"]
    thin, side = 0.006, make.side
    x, away, z = DOOR_HANDLE
    wood = partial(_box, density=_WOOD)
    metal = partial(_box, density=_ALUMINIUM)
    case = [
        wood("top", size=(deep, wide, thin), pos=(0, 0, 2 * tall - thin)),
        wood("back", size=(thin, wide, tall - 2 * thin), pos=(deep - thin, 0, tall)),
        wood("bottom", size=(deep, wide, thin), pos=(0, 0, thin)),
        wood("left_side", size=(deep, thin, tall - 2 * thin), pos=(0, wide - thin, tall)),
        wood("right_side", size=(deep, thin, tall - 2 * thin), pos=(0, thin - wide, tall)),
    ]
    low, high = (-side * away, z - 0.022), (-side * away, z + 0.022)
    panel = wood("panel", size=(0.008, wide, tall - 0.002), pos=(0, -side * wide, tall))
    handle = [
        Capsule("bar", size=0.007, fromto=(x, *low, x, *high), density=_PLASTIC, **SILENT),
        metal("post_low", size=(-(x + 0.008) / 2, 0.005, 0.005), pos=((x - 0.008) / 2, -side * away, z - 0.017)),
        metal("post_high", size=(-(x + 0.008) / 2, 0.005, 0.005), pos=((x - 0.008) / 2, -side * away, z + 0.017)),
    ]
    hinge = Hinge(
        "door", axis=(0, 0, -side), range=(0, DOOR_WAY), damping=0.1, frictionloss=make.friction, **_STOP, **_DRY
    )
    bodies = [
        Body(FIXTURE, mocap=True, geoms=case),
        Body("door", FIXTURE, pos=(DOOR_HINGE[0], side * DOOR_HINGE[1], 0), joints=[hinge], geoms=[panel, *handle]),
    ]
    pairs = _reachable(["top", "panel", *(one.name for one in case[1:])], _DRAG["cabinet"])
    pairs += [pair for one in handle for pair in by_hand(one.name, _DRAG["handle"])]
    return arm_scene("door", bodies, pairs, TABLE)


def _wipe(make: Make) -> Scene:
    spring = Slide(
        "sponge",
        axis=(0, 0, -1),
        range=(0, SPONGE_WAY),
        stiffness=SPONGE_FORCE / SPONGE_WAY,
        damping=10.0,
        **_STOP,
    )
    sponge = _box("sponge", size=SPONGE, mass=0.05)
    bodies = [Body("sponge", "hand", pos=(0, 0, TIP + SPONGE[2]), joints=[spring], geoms=[sponge])]
    return arm_scene("wipe", bodies, on_ground("sponge", _DRAG["sponge"]), TABLE)


_SCENES = {"peg-insertion": _peg, "drawer": _drawer, "door": _door, "wipe": _wipe}


def scene_of(task: str, make: Make) -> Scene:
    """The arm and what a task has on its table.

    Args:
        task: its name.
        make: what may differ.
    """
    return _SCENES[task](make)
