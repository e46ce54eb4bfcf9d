"""Scenes of tasks in which furniture moves.

Furniture touches the hand alone, but for parts that meet at the end of their way (``stops``). Hulls are boxes: the
plates of the handle's stand, the sides of the net.
"""

from math import pi

from envsuite.manipulation.meta.scenes.parts import (
    ALONG_X,
    ALONG_Y,
    FURNITURE,
    HARD,
    QUARTER,
    RAILS,
    TABLE,
    base,
    cylinder,
    drum,
    knob,
    panel,
    rod,
    scene,
    thing,
    wall,
)
from envsuite.manipulation.meta.scenes.things import MARK, OBJECT
from envsuite.rigid import Body, Box, Capsule, Geom, Hinge, Inertial, Scene, Shared, Site, Slide

JOINT = "furniture"
"""Name of the joint of each scene that has one."""

_X, _Y, _Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
_LIGHT: Shared = {"armature": 0.001}
_HEAVY: Shared = {"armature": 0.1, "solimplimit": (0.9999, 0.9999, 0.001)}
"""Of the handle that is pulled from the side. The original's weighs 3 g, so that fingers sink 1 cm into it, slip, and
drag it beyond its limit: whether the scripted player lifts it or goes on downwards is chance."""

_X, _Y, _Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
_LIGHT: Shared = {"armature": 0.001}
_STIFF: Shared = {"solimplimit": (0.9999, 0.9999, 0.001)}
"""A limit that a grip does not overcome: of the handle that is pulled from the side. In the original it yields to the
grip by 0.04 m, as it does here to a press, and whether the scripted player lifts it or goes on downwards is chance."""


BUTTON = "button"
_BUTTON = (0, -0.1935, 0)


def _button(name: str, quat: tuple[float, ...] = (1, 0, 0, 0), barrier: float | None = None) -> Scene:
    """A button in a housing, maybe behind a wall."""
    housing = base(
        "housing",
        (0, 0.85, 0.115),
        quat=quat,
        geoms=[
            *(panel(f"housing_z{w}", size=(0.12, 0.102, 0.048), pos=(0, 0.012, w * 0.072)) for w in (-1, 1)),
            *(panel(f"housing_x{w}", size=(0.047, 0.102, 0.024), pos=(w * 0.073, 0.012, 0)) for w in (-1, 1)),
        ],
    )
    button = Body(
        "button",
        "housing",
        joints=[Slide(JOINT, axis=(0, -1, 0), range=(-0.06, 0), damping=1, stiffness=0.5, springref=0.5, **_LIGHT)],
        inertial=Inertial(0.01, pos=_BUTTON, diaginertia=(0.001, 0.001, 0.001)),
        geoms=[
            drum("stem", size=(0.021, 0.039), pos=(0, -0.128, 0), quat=ALONG_Y),
            drum("collar", size=(0.026, 0.008), pos=(0, -0.166, 0), quat=ALONG_Y),
            drum("head", size=(0.043, 0.011), pos=(0, -0.183, 0), quat=ALONG_Y),
        ],
        sites=[Site(OBJECT, (0, -0.193, 0))],
    )
    ground = [*TABLE, *RAILS]
    if barrier is not None:
        ground.append(wall("wall", size=(0.1, 0.01, 0.075), pos=(0.1, barrier, 0.075)))
    return scene(name, housing, button, ground=ground, stops=[("head", f"housing_z{w}") for w in (-1, 1)])


_UPWARDS = (0.70710678118654757, -0.70710678118654746, 0, 0)
BUTTON_TOPDOWN = _button("button_topdown", _UPWARDS)
BUTTON_TOPDOWN_WALL = _button("button_topdown_wall", _UPWARDS, 0.7)
BUTTON_FRONT = _button("button_front")
BUTTON_FRONT_WALL = _button("button_front_wall", barrier=0.6)

_MACHINE: Shared = {**HARD, "contype": 0, "conaffinity": 3}
COFFEE = scene(
    "coffee",
    thing(
        "mug",
        [
            cylinder("mug", size=(0.028, 0.033), pos=(0, 0, 0.035)),
            cylinder("handle", size=(0.02, 0.005), pos=(0.034, 0, 0.042), quat=ALONG_Y),
        ],
        Inertial(0.11, pos=(0.003091, 0, 0.035636), fullinertia=(5.743e-5, 6.885e-5, 5.079e-5, 0, -2.164e-6, 0)),
        pos=(0, 0.63, 0),
        sites=[Site(MARK)],
    ),
    base(
        "machine",
        (0, 0.85, 0),
        geoms=[
            *(
                Box(f"machine_{k}", size=size, pos=pos, **_MACHINE)
                for k, (size, pos) in enumerate(
                    (
                        ((0.031, 0.05, 0.035), (0.069, -0.133, 0.3)),
                        ((0.031, 0.05, 0.035), (-0.069, -0.133, 0.3)),
                        ((0.1, 0.05, 0.018), (0, -0.133, 0.352)),
                        ((0.1, 0.05, 0.018), (0, -0.133, 0.248)),
                        ((0.1, 0.098, 0.115), (0, 0, 0.115)),
                        ((0.016, 0.016, 0.041), (0, -0.141, 0.152)),
                        ((0.1, 0.098, 0.07), (0, 0, 0.3)),
                    )
                )
            )
        ],
    ),
    Body(
        "button",
        "machine",
        joints=[Slide(JOINT, axis=_Y, range=(0, 0.03), damping=1, **_LIGHT)],
        inertial=Inertial(0.1, pos=(0, -0.19, 0.3), diaginertia=(5.56e-5, 5.12e-5, 5.56e-5)),
        geoms=[drum("button", size=(0.032, 0.03), pos=(0, -0.19, 0.3), quat=ALONG_Y)],
        sites=[Site(OBJECT, (0, -0.22, 0.3))],
    ),
)
"""In two of the three tasks the mug is the object: its point is `MARK`."""

DIAL = scene(
    "dial",
    base("dial", (0, 0.75, 0)),
    Body(
        "knob",
        "dial",
        joints=[Hinge(JOINT, axis=_Z, range=(-3.14, 3.14), damping=1, **_LIGHT)],
        inertial=Inertial(0.36554334, pos=(0, 0, 0.025475), diaginertia=(3.416e-4, 2.894e-4, 4.18e-4)),
        geoms=[
            drum("disc", size=(0.05, 0.018), pos=(0, 0, 0.018)),
            panel("grip", size=(0.015, 0.046, 0.015), pos=(0, 0, 0.051)),
        ],
        sites=[Site(OBJECT, (0, -0.05, 0))],
    ),
)


def _frame() -> list[Geom]:
    return [
        *(panel(f"frame_x{w}", size=(0.016, 0.106, 0.15), pos=(w * 0.204, 0, 0)) for w in (-1, 1)),
        *(panel(f"frame_z{w}", size=(0.188, 0.106, 0.012), pos=(0, 0, w * 0.138)) for w in (-1, 1)),
        panel("frame_back", size=(0.188, 0.012, 0.126), pos=(0, 0.094, 0)),
    ]


DOOR = scene(
    "door",
    base("frame", (0.05, 0.9, 0.15), geoms=_frame()),
    Body(
        "door",
        "frame",
        pos=(-0.185, -0.1, 0),
        joints=[Hinge(JOINT, axis=_Z, range=(-2, 0), damping=2, **_LIGHT)],
        inertial=Inertial(
            2.22982226, pos=(0.223702, -0.020428, 0), fullinertia=(0.01344, 0.04187, 0.03734, 0.007265, 0, 0)
        ),
        geoms=[
            drum("hub", size=(0.028, 0.012), pos=(0.325, -0.006, 0), quat=ALONG_Y),
            drum("post", size=(0.013, 0.047), pos=(0.325, -0.065, 0), quat=ALONG_Y),
            drum("bar", size=(0.019, 0.075), pos=(0.381, -0.12, 0), quat=ALONG_X),
            drum("handle", size=(0.023, 0.054), pos=(0.395, -0.12, 0), quat=ALONG_X),
            panel("panel", size=(0.18, 0.01, 0.123), pos=(0.185, 0, 0)),
        ],
    ),
    Body(
        "handle",
        "door",
        pos=(0.375722, -0.10714, 0.000036),
        quat=(0.151171, 0.690759, -0.150621, 0.690879),
        sites=[Site(OBJECT)],
    ),
)
"""What is observed is the centre of the whole handle's hull, and its principal axes."""

_LATCH = (0.09, -0.04)
LOCK = scene(
    "lock",
    base(
        "frame",
        (0, 0.825, 0.15),
        geoms=[
            *_frame(),
            panel("panel", size=(0.184, 0.01, 0.124), pos=(0, -0.1, 0)),
            panel("plate", size=(0.047, 0.013, 0.047), pos=(0, -0.109, 0.061)),
            panel("hub", size=(0.028, 0.012, 0.028), pos=(0.14, -0.106, -0.05)),
            panel("post", size=(0.013, 0.047, 0.013), pos=(0.14, -0.165, -0.05)),
            panel("bar", size=(0.075, 0.019, 0.019), pos=(0.196, -0.22, -0.05)),
            panel("handle", size=(0.054, 0.023, 0.023), pos=(0.21, -0.22, -0.05)),
        ],
    ),
    Body(
        "lock",
        "frame",
        pos=(0, -0.118, 0.061),
        joints=[Hinge(JOINT, axis=_Y, range=(0, 1.57), damping=2, **_LIGHT)],
        inertial=Inertial(0.001, pos=(0.042, -0.024, 0), diaginertia=(1.537e-7, 8.667e-7, 9.537e-7)),
        geoms=[panel("lever", size=(0.05, 0.019, 0.01), pos=(0.042, -0.024, 0))],
        sites=[Site(OBJECT, (*_LATCH, 0.01)), Site(MARK, (*_LATCH, -0.01))],
    ),
)
"""The point of unlocking is `MARK`."""

DRAWER = scene(
    "drawer",
    base(
        "case",
        (0, 0.9, 0),
        geoms=[
            *(panel(f"case_{w}", size=(0.008, 0.1, 0.084), pos=(w * 0.11, 0, 0.084)) for w in (-1, 1)),
            panel("case_back", size=(0.102, 0.008, 0.076), pos=(0, 0.092, 0.076)),
            panel("case_floor", size=(0.102, 0.092, 0.014), pos=(0, -0.008, 0.014)),
            panel("case_top", size=(0.102, 0.1, 0.008), pos=(0, 0, 0.16)),
        ],
    ),
    Body(
        "drawer",
        "case",
        pos=(0, -0.01, 0.09),
        joints=[Slide(JOINT, axis=_Y, range=(-0.16, 0), damping=2, **_LIGHT)],
        inertial=Inertial(
            0.38, pos=(0, -0.061579, -0.002105), fullinertia=(2.75e-3, 1.709e-3, 3.928e-3, 0, 0, 4.928e-5)
        ),
        geoms=[
            *(panel(f"drawer_y{w}", size=(0.1, 0.008, 0.052), pos=(0, w * 0.082, 0.008)) for w in (-1, 1)),
            *(panel(f"drawer_x{w}", size=(0.008, 0.074, 0.052), pos=(w * 0.092, 0, 0.008)) for w in (-1, 1)),
            panel("drawer_floor", size=(0.1, 0.09, 0.008), pos=(0, 0, -0.052)),
            *(rod(f"leg_{w}", size=(0.009, 0.03), pos=(w * 0.05, -0.12, 0), quat=ALONG_Y) for w in (-1, 1)),
            rod("bar", size=(0.009, 0.05), pos=(0, -0.15, 0), quat=ALONG_X),
        ],
        sites=[Site(OBJECT, (0, -0.16, 0)), Site(MARK, (0, -0.16, 0.05))],
    ),
    stops=[("drawer_y1", "case_back")],
)
"""The point of closing is `MARK`."""

FAUCET = scene(
    "faucet",
    base(
        "faucet",
        (0, 0.825, 0),
        geoms=[
            drum("foot", size=(0.046, 0.009), pos=(0, 0, 0.009)),
            drum("column", size=(0.017, 0.044), pos=(0, 0, 0.061)),
        ],
    ),
    Body(
        "handle",
        "faucet",
        pos=(0, 0, 0.124),
        joints=[Hinge(JOINT, axis=_Z, range=(-1.57, 1.57), damping=2, **_LIGHT)],
        inertial=Inertial(0.26813074, pos=(0, -0.05745, 0.001), diaginertia=(1.138e-3, 6.828e-5, 1.153e-3)),
        geoms=[
            drum("neck", size=(0.012, 0.021), pos=(0, -0.05, 0.001), quat=ALONG_Y),
            rod("arm", size=(0.017, 0.055), pos=(0, -0.12, 0.001), quat=ALONG_Y),
            drum("hub", size=(0.032, 0.02), pos=(0, 0, 0.001)),
        ],
        sites=[Site(OBJECT, (-0.015, -0.175, -0.01)), Site(MARK, (0.015, -0.175, -0.01))],
    ),
)
"""The point of closing is `MARK`."""


def _handle(name: str, pos: tuple[float, ...], quat: tuple[float, ...], **joint) -> Scene:
    stand = base(
        "stand",
        pos,
        quat=quat,
        geoms=[
            *(panel(f"stand_{w}", size=(0.0259, 0.088, 0.1), pos=(w * 0.0605, 0.006, 0.1)) for w in (-1, 1)),
            panel("stand_back", size=(0.0348, 0.06, 0.1), pos=(0, 0.034, 0.1)),
            panel("stand_foot", size=(0.035, 0.028, 0.014), pos=(0, -0.082, 0.014)),
        ],
    )
    handle = Body(
        "handle",
        "stand",
        pos=(0, -0.05, 0.15),
        joints=[Slide(JOINT, axis=_Z, range=(-0.1, 0), damping=30, **{**_LIGHT, **joint})],
        inertial=Inertial(0.002, pos=(0, -0.1235, 0), diaginertia=(5.77e-6, 2.136e-6, 7.583e-6)),
        geoms=[
            panel("arm", size=(0.032, 0.075, 0.011), pos=(0, -0.081, 0)),
            drum("bar", size=(0.022, 0.07), pos=(0, -0.166, 0), quat=ALONG_X),
        ],
        sites=[Site(OBJECT, (0, -0.166, 0.022)), Site(MARK, (0.05, -0.166, 0.014)), Site("centre", (0, -0.12, 0))],
    )
    return scene(name, stand, handle)


HANDLE = _handle("handle", (0, 0.85, 0), (1, 0, 0, 0))
HANDLE_SIDE = _handle("handle_side", (-0.3, 0.7, 0), QUARTER)
HANDLE_SIDE_UP = _handle("handle_side_up", (-0.3, 0.7, 0), QUARTER, **_HEAVY)
"""The point of pressing is `OBJECT`, of pulling `MARK`, of pulling from the side ``centre``."""

LEVER = scene(
    "lever",
    base(
        "stand",
        (0, 0.75, 0),
        geoms=[
            panel("stand", size=(0.041, 0.083, 0.125), pos=(0, 0, 0.125)),
            drum("drum", size=(0.083, 0.041), pos=(0, 0, 0.25), quat=ALONG_X),
            panel("foot", size=(0.05, 0.092, 0.013), pos=(0, 0, 0.013)),
        ],
    ),
    Body(
        "lever",
        "stand",
        pos=(0.12, 0, 0.25),
        joints=[Hinge(JOINT, axis=_X, range=(0, pi / 2), damping=2, **_LIGHT)],
        inertial=Inertial(
            0.004, pos=(-0.00625, -0.07275, 0), fullinertia=(3.169e-5, 2.116e-6, 3.252e-5, 1.819e-6, 0, 0)
        ),
        geoms=[
            drum("hub", size=(0.038, 0.016), quat=ALONG_X),
            drum("rod", size=(0.012, 0.1), pos=(0, -0.091, 0), quat=ALONG_Y),
            knob("knob", size=0.03, pos=(0, -0.2, 0)),
            drum("axle", size=(0.016, 0.046), pos=(-0.025, 0, 0), quat=ALONG_X),
        ],
    ),
    Body("knob", "lever", pos=(0, -0.2, 0), quat=ALONG_Y, sites=[Site(OBJECT)]),
)

_NET: Shared = {**HARD, "contype": 2, "conaffinity": 2}


def _plate(name: str, pos: tuple[float, ...], quat: tuple[float, ...]) -> Scene:
    puck = Body(
        "puck",
        pos=(0, 0.6, 0.015),
        joints=[
            Slide("puck_x", axis=_X, range=(-0.2, 0.2), damping=1, **_LIGHT),
            Slide("puck_y", axis=_Y, range=(0, 0.3), damping=1, **_LIGHT),
        ],
        inertial=Inertial(0.05, diaginertia=(4.6e-5, 4.6e-5, 8.3e-5)),
        geoms=[Box("puck", size=(0.05, 0.05, 0.015), **FURNITURE)],
        sites=[Site(OBJECT)],
    )
    net = base(
        "net",
        pos,
        quat=quat,
        geoms=[
            *(Box(f"net_x{w}", size=(0.0038, 0.07, 0.085), pos=(w * 0.1021, 0, 0.088), **_NET) for w in (-1, 1)),
            Box("net_back", size=(0.1, 0.0034, 0.085), pos=(0, 0.073, 0.088), **_NET),
            Box("net_top", size=(0.1, 0.055, 0.0034), pos=(0, -0.013, 0.177), **_NET),
        ],
    )
    return scene(name, puck, net)


PLATE = _plate("plate", (0, 0.85, 0), (1, 0, 0, 0))
PLATE_SIDE = _plate("plate_side", (-0.3, 0.6, 0), QUARTER)

_FIRM: Shared = {**FURNITURE, "solref": (0.005, 1), "priority": 1}
"""Of the bar, which would let a hand that is pushed on at the end of its way through."""

WINDOW = scene(
    "window",
    base(
        "window",
        (0, 0.8, 0.16),
        geoms=[
            *(panel(f"frame_x{w}", size=(0.015, 0.03, 0.181), pos=(w * 0.216, 0, 0)) for w in (-1, 1)),
            *(panel(f"frame_z{w}", size=(0.201, 0.03, 0.015), pos=(0, 0, w * 0.166)) for w in (-1, 1)),
            panel("sill", size=(0.25, 0.06, 0.01), pos=(0, 0, -0.192)),
            panel("pane_b", size=(0.1, 0.012, 0.15), pos=(0.1, 0.013, 0)),
        ],
    ),
    Body(
        "pane",
        "window",
        joints=[Slide(JOINT, axis=_X, range=(0, 0.2), damping=2, **_LIGHT)],
        inertial=Inertial(
            0.6377869, pos=(-0.086769, -0.018869, 0), fullinertia=(6.228e-3, 9.446e-3, 3.68e-3, 2.294e-4, 0, 0)
        ),
        geoms=[
            *(drum(f"plate_{w}", size=(0.012, 0.003), pos=(-0.014, -0.028, w * 0.045), quat=ALONG_Y) for w in (-1, 1)),
            *(rod(f"stub_{w}", size=(0.008, 0.035), pos=(-0.014, -0.06, w * 0.045), quat=ALONG_Y) for w in (-1, 1)),
            Capsule("bar", size=(0.008, 0.045), pos=(-0.014, -0.095, 0), **_FIRM),
            panel("stile", size=(0.014, 0.012, 0.15), pos=(-0.014, -0.013, 0)),
            panel("pane", size=(0.093, 0.012, 0.15), pos=(-0.107, -0.013, 0)),
        ],
        sites=[Site(OBJECT, (-0.04, -0.095, 0)), Site(MARK, (0.01, -0.095, 0))],
    ),
    stops=[("pane", "frame_x-1"), ("stile", "frame_x1")],
)
"""The point of closing is `MARK`."""
