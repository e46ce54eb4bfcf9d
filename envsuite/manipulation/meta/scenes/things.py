"""Scenes of tasks in which something is grasped or pushed.

Where the original has a capsule on a cylinder or two cylinders on each other, for which the engine has no contacts, a
capsule or a box of the same width stands here: the peg of the nut is a capsule with a round top, the nut's handle a
capsule, the nail a box. Hulls are boxes: the sides of the goal of the ball, the thermos's lid (left out).
"""

from math import cos, pi, sin

from envsuite.manipulation.meta.scenes.parts import (
    ALONG_X,
    ALONG_Y,
    FIXED,
    HARD,
    QUARTER,
    RAILS,
    TABLE,
    TOOL,
    base,
    box,
    capsule,
    cylinder,
    drum,
    panel,
    scene,
    sphere,
    thing,
    upright,
    wall,
)
from envsuite.rigid import Body, Box, Geom, Inertial, Shared, Site, Slide

OBJECT, OBJECT2, MARK, END = "object", "object2", "mark", "end"
"""Names of the points that tasks look at: the observed ones, and two that rewards look at."""

GRIP: Shared = {"condim": 4, "friction": (1, 0.1, 0.002)}
ROUGH: Shared = {"condim": 4, "friction": (2, 0.1, 0.002)}
CUBE: Shared = {"size": (0.02, 0.02, 0.02)}


def _object(geom: Geom, inertial: Inertial | None = None) -> Body:
    return thing("object", [geom], inertial, pos=(0, 0.6, 0.02), sites=[Site(OBJECT)])


def _puck(radius: float, half: float) -> Body:
    return _object(cylinder("puck", size=(radius, half), **GRIP), Inertial(0.75, diaginertia=(8.8e-4,) * 3))


_WALL = wall("wall", size=(0.12, 0.01, 0.06), pos=(0.1, 0.75, 0.06))

PUCK = scene("puck", _puck(0.02, 0.02))
PUCK_WALL = scene("puck_wall", _puck(0.02, 0.02), ground=(*TABLE, *RAILS, _WALL))
FLAT_PUCK_WALL = scene("flat_puck_wall", _puck(0.03, 0.015), ground=(*TABLE, *RAILS, _WALL))
BLOCK = scene("block", _object(box("block", **CUBE, **ROUGH), upright(0.75)))


def _raised(name: str, height: float, x: float, y0: float, y1: float, **others) -> tuple[Geom, ...]:
    """A slab on the table, with a hole in [-x, x] and [y0, y1]."""
    front, back, side, z = (y0 - 0.2) / 2, (1 - y1) / 2, (0.7 - x) / 2, height / 2
    return (
        Box(f"{name}_front", size=(x, front, z), pos=(0, 0.2 + front, z), **others),
        Box(f"{name}_back", size=(x, back, z), pos=(0, 1 - back, z), **others),
        *(Box(f"{name}_{w}", size=(side, 0.4, z), pos=(w * (x + side), 0.6, z), **others) for w in (-1, 1)),
    )


LIGHT_BLOCK = scene(
    "light_block",
    _object(box("block", **CUBE, **GRIP), upright(0.01)),
    ground=(*TABLE, *_raised("slab", 0.05, 0.08, 0.76, 0.92, **FIXED)),
)
"""The table is 0.05 m higher, but for a hole."""

PUCK_HOLE = scene(
    "puck_hole",
    _object(cylinder("puck", size=(0.02, 0.02), **GRIP), upright(0.01)),
    ground=(*TABLE, *RAILS, *_raised("slab", 0.054, 0.15, 0.65, 0.95, solref=(0.005, 0.1), **FIXED)),
)


def _bin(name: str, x: float = 0, y: float = 0) -> list[Geom]:
    """Four walls and a floor."""
    return [
        *(wall(f"{name}_y{w}", size=(0.1, 0.005, 0.03), pos=(x, y + w * 0.095, 0.03)) for w in (-1, 1)),
        *(wall(f"{name}_x{w}", size=(0.005, 0.09, 0.03), pos=(x + w * 0.095, y, 0.03)) for w in (-1, 1)),
        wall(f"{name}_floor", size=(0.1, 0.1, 0.005), pos=(x, y, 0.005)),
    ]


BINS = scene(
    "bins",
    _object(box("block", **CUBE, condim=4, mass=0.1)),
    ground=(*TABLE, *RAILS, *_bin("from", -0.12, 0.7), *_bin("to", 0.12, 0.7)),
)

_LID: Shared = {"condim": 4}
LID = scene(
    "lid",
    thing(
        "lid",
        [
            *(box(f"rim_x{w}", size=(0.005, 0.115, 0.008), pos=(w * 0.11, 0, 0.067), **_LID) for w in (-1, 1)),
            *(box(f"rim_y{w}", size=(0.115, 0.005, 0.008), pos=(0, w * 0.11, 0.067), **_LID) for w in (-1, 1)),
            box("plate", size=(0.115, 0.115, 0.003), pos=(0, 0, 0.078), **_LID),
            capsule("bar", size=(0.008, 0.05), pos=(0, 0, 0.157), quat=ALONG_Y, **_LID),
            *(capsule(f"post_{w}", size=(0.008, 0.035), pos=(0, w * 0.05, 0.118), **_LID) for w in (-1, 1)),
        ],
        Inertial(0.25, pos=(0, 0, 0.10628), diaginertia=(1.391e-3, 1.09e-3, 1.803e-3)),
        pos=(0, 0.55, 0.02),
        quat=QUARTER,
        sites=[Site(OBJECT, (0, 0, 0.075))],
    ),
    base("box", (0, 0.75, 0), geoms=_bin("box")),
)


def _link(k: int) -> Geom:
    """One of the eight capsules of the ring, along its tangent."""
    way, radius, half = k * pi / 4, 0.048 if k % 2 == 0 else 0.051, 0.015
    x, y, dx, dy = radius * cos(way), radius * sin(way), -half * sin(way), half * cos(way)
    return capsule(f"ring_{k}", size=0.019, fromto=(x - dx, y - dy, 0, x + dx, y + dy, 0))


NUT = scene(
    "nut",
    thing(
        "nut",
        [
            *(_link(k) for k in range(8)),
            box("grip", size=(0.019, 0.038, 0.016), pos=(0, -0.13, 0)),
            capsule("handle", size=(0.012, 0.05), pos=(0, -0.1, 0), quat=ALONG_Y),
        ],
        Inertial(0.22, pos=(0, -0.03272727, 0), diaginertia=(9.179e-4, 2.471e-4, 1.131e-3)),
        pos=(0, 0.6, 0.02),
        quat=QUARTER,
        sites=[Site(OBJECT, (0, -0.13, 0)), Site(MARK)],
    ),
    base("peg", (0, 0.8, 0.05), geoms=[capsule("peg", size=(0.02, 0.04), pos=(0, 0, -0.01), solref=(0.02, 1))]),
)

BASKET = scene(
    "basket",
    _object(sphere("ball", size=0.03, mass=0.1)),
    base(
        "hoop",
        (0, 0.9, 0),
        geoms=[
            wall("board", size=(0.1, 0.01, 0.07), pos=(0, 0, 0.29)),
            wall("pole", size=(0.007, 0.007, 0.108), pos=(0, 0, 0.118)),
            wall("bracket", size=(0.01, 0.014, 0.004), pos=(0, -0.023, 0.25)),
            *(
                capsule(
                    f"ring_{k}",
                    size=(0.01, 0.016),
                    pos=(0.0445 * cos(k * pi / 4), -0.083 + 0.0445 * sin(k * pi / 4), 0.249),
                    euler=(pi / 2, k * pi / 4, 0),
                    **FIXED,
                )
                for k in range(8)
            ),
        ],
    ),
)

_NAIL: Shared = {**HARD, "conaffinity": 0}
_HEAD = 0.16  # m, of the hammer, along its handle
HAMMER = scene(
    "hammer",
    thing(
        "hammer",
        [
            capsule("handle", size=(0.02, 0.14), quat=ALONG_X),
            cylinder("neck", size=(0.026, 0.025), pos=(_HEAD, 0, 0), quat=ALONG_X),
            *(
                cylinder(f"{part}_{w}", size=size, pos=(_HEAD, w * y, 0), quat=ALONG_Y)
                for part, size, y in (("throat", (0.02, 0.015), 0.026), ("head", (0.038, 0.016), 0.056))
                for w in (-1, 1)
            ),
        ],
        Inertial(1.1, pos=(0.1454545, 0, 0), diaginertia=(2.407e-3, 3.672e-3, 5.518e-3)),
        pos=(0, 0.5, 0),
        sites=[Site(OBJECT)],
    ),
    Body(
        "nail",
        pos=(0.24, 0.64, 0.11),
        joints=[Slide("nail", axis=(0, 1, 0), range=(0, 0.1), damping=2, armature=0.001)],
        inertial=Inertial(0.08859291, pos=(0, 0.024255, 0), diaginertia=(1.294e-4, 2.479e-5, 1.294e-4)),
        geoms=[Box("nail", size=(0.03, 0.009, 0.03), **_NAIL)],
        sites=[Site(OBJECT2)],
    ),
    ground=(
        *TABLE,
        *RAILS,
        *(wall(f"block_z{z}", size=(0.1, 0.1, 0.048), pos=(0.24, 0.85, z)) for z in (0.048, 0.172)),
        *(wall(f"block_x{w}", size=(0.042, 0.1, 0.014), pos=(0.24 + w * 0.058, 0.85, 0.11)) for w in (-1, 1)),
    ),
)

PEG = scene(
    "peg",
    thing(
        "peg",
        [Box("peg", size=(0.12, 0.015, 0.015))],
        upright(0.1),
        pos=(0.1, 0.6, 0.02),
        sites=[Site(OBJECT, (0.03, 0, 0.01)), Site(MARK, (-0.1, 0, 0))],
    ),
    base(
        "box",
        (-0.3, 0.6, 0),
        quat=QUARTER,
        geoms=[
            wall("top", size=(0.09, 0.1, 0.005), pos=(0, 0, 0.195)),
            wall("below", size=(0.09, 0.096, 0.05), pos=(0, 0, 0.05)),
            *(wall(f"beside_{w}", size=(0.03, 0.096, 0.03), pos=(w * 0.06, 0, 0.13)) for w in (-1, 1)),
            wall("above", size=(0.09, 0.096, 0.015), pos=(0, 0, 0.175)),
            *(wall(f"side_{w}", size=(0.005, 0.1, 0.1), pos=(w * 0.095, 0, 0.1)) for w in (-1, 1)),
        ],
    ),
)

PLUG = scene(
    "plug",
    thing(
        "plug",
        [
            sphere("tip", size=0.03, pos=(-0.035, 0, 0)),
            cylinder("disc", size=(0.045, 0.007), pos=(-0.013, 0, 0), quat=ALONG_X),
            box("body", size=(0.035, 0.038, 0.038), pos=(0.025, 0, 0)),
            sphere("end", size=0.04, pos=(0.06, 0, 0)),
        ],
        Inertial(0.08, pos=(-0.012875, 0, 0), diaginertia=(4.415e-5, 1.305e-4, 1.305e-4)),
        pos=(-0.156, 0.7, 0.131),
        sites=[Site(OBJECT, (0.04, 0, 0))],
    ),
    base(
        "wall",
        (-0.2, 0.7, 0),
        geoms=[
            *(wall(f"side_{w}", size=(0.025, 0.039, 0.022), pos=(0, w * 0.061, 0.131)) for w in (-1, 1)),
            wall("above", size=(0.025, 0.1, 0.023), pos=(0, 0, 0.176)),
            wall("below", size=(0.025, 0.1, 0.055), pos=(0, 0, 0.054)),
            wall("ledge", size=(0.025, 0.045, 0.011), pos=(0, 0.056, 0.083)),
        ],
    ),
)

SHELF = scene(
    "shelf",
    _object(box("block", **CUBE, **ROUGH), upright(0.01)),
    base(
        "shelf",
        (0, 0.85, 0),
        geoms=[
            *(wall(f"side_{w}", size=(0.01, 0.1, 0.32), pos=(w * 0.11, 0, 0.32)) for w in (-1, 1)),
            wall("top", size=(0.12, 0.1, 0.01), pos=(0, 0, 0.65)),
            *(wall(f"board_{z}", size=(0.1, 0.095, 0.01), pos=(0, -0.015, z)) for z in (0.05, 0.24)),
            wall("back", size=(0.1, 0.01, 0.32), pos=(0, 0.09, 0.32)),
            wall("foot", size=(0.1, 0.088, 0.021), pos=(0, -0.008, 0.021)),
        ],
    ),
)

SOCCER = scene(
    "soccer",
    _object(sphere("ball", size=0.026, mass=0.04)),
    base(
        "net",
        (0, 0.9, 0),
        geoms=[
            *(wall(f"side_{w}", size=(0.005, 0.065, 0.08), pos=(w * 0.0965, -0.01, 0.08)) for w in (-1, 1)),
            wall("back", size=(0.095, 0.005, 0.08), pos=(0, 0.05, 0.08)),
            wall("top", size=(0.095, 0.04, 0.005), pos=(0, -0.025, 0.16)),
        ],
    ),
)

_STICK: Shared = {**TOOL, "condim": 4, "solref": (0.02, 1), "solimp": (0.998, 0.998, 0.001)}
STICK = scene(
    "stick",
    thing(
        "stick",
        [
            Box(
                "stick",
                size=(0.05, 0.02, 0.02),
                mass=0.02,
                **_STICK,
            )
        ],
        pos=(-0.05, 0.6, 0.02),
        sites=[Site(OBJECT), Site(END, (0.05, 0, 0))],
    ),
    Body(
        "thermos",
        pos=(0.2, 0.6, 0),
        joints=[
            Slide(f"thermos_{one}", axis=axis, range=(-0.2, 0.2), damping=1, armature=0.001)
            for one, axis in (("x", (1, 0, 0)), ("y", (0, 1, 0)))
        ],
        inertial=Inertial(3.26780339, pos=(0, -0.00201, 0.14315), diaginertia=(0.0287, 0.0279, 0.0063)),
        geoms=[
            drum("can", size=(0.06, 0.1), pos=(0, 0, 0.14)),
            drum("foot", size=(0.062, 0.02), pos=(0, 0, 0.02)),
            panel("ring", size=(0.01, 0.005, 0.068), pos=(0, -0.135, 0.132)),
            *(panel(f"ring_{z}", size=(0.01, 0.04, 0.005), pos=(0, -0.09, z)) for z in (0.195, 0.069)),
        ],
        sites=[Site(OBJECT2, (0, 0, 0.132)), Site(MARK, (0, -0.09, 0.132))],
    ),
)

SWEEP = scene(
    "sweep",
    thing(
        "object", [box("block", **CUBE, condim=4, pos=(0, 0, 0.02), mass=0.1)], pos=(0, 0.6, 0), sites=[Site(OBJECT)]
    ),
)
